"""What is played: one module or package per game, and the registry that finds them by name."""
