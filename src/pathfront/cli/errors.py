"""How a command ends: the exit code, and for a mistake one line on standard error.

0    done
1    a verification refuted the distances
2    bad usage or bad input: no such option, no such file, a damaged file, a full disk
70   a bug of pathfront, with its traceback
130  Ctrl-C
141  standard output was closed by its reader, as for any program that SIGPIPE ends

With --json an error is one line of JSON on standard error: {"error": MESSAGE, "kind": CLASS, "exit_code": CODE}.
Standard output has the answer or nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typer

from pathfront.cli.spelling import on_command_line, with_pairs
from pathfront.exceptions import PathfrontError
from pathfront.wording import hint

STDOUT = "standard output"
REFUTED, BAD_INPUT, BUG, INTERRUPTED, CLOSED_PIPE = 1, 2, 70, 130, 141

# Typer brings its own copy of click from 0.26 on; this is its usage error in either case.
UsageError: Any = typer.BadParameter.__base__


class CommandLineError(Exception):
    """A mistake on the command line that only the command line can detect."""


def guarded(action: Callable[[], int], *, as_json: bool = False) -> int:
    """Run a command and return its exit code; every error that a user can cause becomes one line."""
    try:
        code = action()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _abandon_stdout()
        return CLOSED_PIPE
    except KeyboardInterrupt as error:
        code, message = INTERRUPTED, "interrupted"
        kind = type(error).__name__
    except Exception as error:
        code, message = _explained(error)
        kind = type(error).__name__
    if as_json:
        print_stderr(json.dumps({"error": message, "kind": kind, "exit_code": code}))
    elif code == BUG:
        print_stderr(message, whole=True)
    else:
        print_error(message)
    return code


def _explained(error: Exception) -> tuple[int, str]:
    """Return the exit code and the message of an error."""
    if isinstance(error, UsageError):
        return BAD_INPUT, _usage(error)
    if isinstance(error, CommandLineError | PathfrontError):
        return BAD_INPUT, on_command_line(str(error)).rstrip(".")
    if isinstance(error, OSError):
        if error.filename in (None, STDOUT):
            _abandon_stdout()
        return BAD_INPUT, f"{error.filename or STDOUT}: {error.strerror or error}"
    if isinstance(error, MemoryError):
        return BAD_INPUT, "not enough memory"
    return BUG, "".join(traceback.format_exception(error)).rstrip()


@contextlib.contextmanager
def spelling(**options: str) -> Iterator[None]:
    """Replace the name of an argument in errors by that of an option: `spelling(format="--from")`."""
    try:
        yield
    except PathfrontError as error:
        message = on_command_line(str(error))
        for argument, option in options.items():
            message = message.replace(f"--{argument}", option)
        _reword(error, message)
        raise


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
    """Name NAME=VALUE options in errors, and turn type errors into errors about them; without any they are bugs."""
    try:
        yield
    except PathfrontError as error:
        _reword(error, with_pairs(str(error), option))
        raise
    except (TypeError, ValueError, AttributeError) as error:
        if not values:
            raise
        raise CommandLineError(f"{option} {', '.join(values)} cannot be used: {error}") from error


def _reword(error: PathfrontError, message: str) -> None:
    error.args = (message, *error.args[1:])


def print_error(message: str) -> None:
    """Print an error as one line on standard error."""
    print_stderr(f"pathfront: {message}")


def print_stderr(message: str, *, whole: bool = False) -> None:
    """Print one line on standard error, or a `whole` text of several, unless it is closed."""
    if sys.stderr is None:  # then print would take standard output
        return
    with contextlib.suppress(OSError):
        print(message if whole else printable(message), file=sys.stderr)


def printable(text: str) -> str:
    """Return text without control characters, which names in a file could send to a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def _usage(error: Any) -> str:
    path = error.ctx.command_path if error.ctx is not None else "pathfront"
    if hasattr(error, "possibilities"):  # no such option
        every = [name for param in error.ctx.command.params for name in (*param.opts, *param.secondary_opts)]
        message = f"no such option: {error.option_name}{hint(error.option_name, every)}"
    else:
        message = " ".join(error.format_message().split()).rstrip(".")
    return f"{message[:1].lower()}{message[1:]} (see {path} --help)"


def _abandon_stdout() -> None:
    """Redirect standard output to the null device, so that the flush at exit does not fail again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
