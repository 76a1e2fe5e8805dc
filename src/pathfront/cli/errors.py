"""How a command ends: the exit code, and for a mistake one line on standard error.

0    done
1    a verification refuted the distances
2    bad usage or bad input: no such option, no such file, a damaged file, a full disk
70   a bug of pathfront, with its traceback
130  Ctrl-C
141  standard output was closed by its reader, as for any program that SIGPIPE ends
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typer

from pathfront.exceptions import PathfrontError

STDOUT = "standard output"
REFUTED, BAD_INPUT, BUG, INTERRUPTED, CLOSED_PIPE = 1, 2, 70, 130, 141

# Typer brings its own copy of click from 0.26 on; this is its usage error in either case.
UsageError: Any = typer.BadParameter.__base__

# Messages of the library name Python arguments; on the command line they name options.
_OPTION_NAMES = (
    (re.compile(r"\b(method|device|format)='(\w+)'"), r"--\1 \2"),
    (re.compile(r"\b(method|device|format)="), r"--\1"),
    (re.compile(r"\bmax_bytes=?"), "--max-bytes"),
    (re.compile(r"\bgraph\.with_weights\(\.\.\.\)"), "--weights SPEC"),
)


class CommandLineError(Exception):
    """A mistake on the command line that only the command line can detect."""


def guarded(action: Callable[[], int]) -> int:
    """Run a command and return its exit code; every error that a user can cause becomes one line."""
    try:
        code = action()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _abandon_stdout()
        return CLOSED_PIPE
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED
    except UsageError as error:
        print_error(_usage(error))
    except (CommandLineError, PathfrontError) as error:
        print_error(_with_option_names(str(error)))
    except OSError as error:
        if error.filename in (None, STDOUT):
            _abandon_stdout()
        print_error(f"{error.filename or STDOUT}: {error.strerror or error}")
    except MemoryError:
        print_error("not enough memory")
    except Exception:
        traceback.print_exc()
        return BUG
    return BAD_INPUT


@contextlib.contextmanager
def spelling(**options: str) -> Iterator[None]:
    """Replace the name of an argument in errors by that of an option: `spelling(format="--from")`."""
    try:
        yield
    except PathfrontError as error:
        message = str(error)
        for argument, option in options.items():
            message = re.sub(rf"\b{argument}=", option, message)
        raise CommandLineError(message) from error


@contextlib.contextmanager
def naming_file(file: str) -> Iterator[None]:
    """Add the file's name to errors of the operating system without one, such as that of a full disk."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, STDOUT if file == "-" else file) from error


@contextlib.contextmanager
def naming_option(option: str, values: Mapping[str, object]) -> Iterator[None]:
    """Turn type errors into errors about the NAME=VALUE options; without such options they are bugs."""
    try:
        yield
    except PathfrontError:
        raise
    except (TypeError, ValueError, AttributeError) as error:
        if not values:
            raise
        raise CommandLineError(f"{option} {', '.join(values)} cannot be used: {error}") from error


def print_error(message: str) -> None:
    """Print an error as one line on standard error."""
    print_stderr("pathfront: " + message.rstrip("."))


def print_stderr(message: str) -> None:
    """Print one line on standard error, unless it is closed."""
    with contextlib.suppress(OSError):
        print(printable(message), file=sys.stderr)


def printable(text: str) -> str:
    """Return text without control characters, which names in a file could send to a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def _usage(error: Any) -> str:
    message = " ".join(error.format_message().split()).rstrip(".")
    path = error.ctx.command_path if error.ctx is not None else "pathfront"
    return f"{message[:1].lower()}{message[1:]} (see {path} --help)"


def _with_option_names(message: str) -> str:
    for python, option in _OPTION_NAMES:
        message = python.sub(option, message)
    return message


def _abandon_stdout() -> None:
    """Redirect standard output to the null device, so that the flush at exit does not fail again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
