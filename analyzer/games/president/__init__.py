"""President with runs: its rules as data, and rounds played in kernels."""
