"""`python -m pathfront`, for where the command is not on the path."""

from pathfront.cli import main

if __name__ == "__main__":
    main()
