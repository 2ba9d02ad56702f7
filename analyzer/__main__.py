"""``python -m analyzer`` is the command ``analyzer``."""

from analyzer.cli import main

if __name__ == "__main__":
    main()
