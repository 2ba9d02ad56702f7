"""President with runs: its rules as data."""
