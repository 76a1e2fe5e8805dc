"""`python -m pathfront`, for installations whose command is not on the PATH."""

from pathfront.cli import main

if __name__ == "__main__":
    main()
