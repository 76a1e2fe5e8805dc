"""The description of a method: its name, its options and its abilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pathfront.exceptions import ArgumentError
from pathfront.problem import Outcome, Problem
from pathfront.validation import as_flag
from pathfront.wording import choice_message


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one method."""

    name: str
    default: object
    help: str
    check: Callable[[object, str], Any] | None = field(default=None, repr=False)
    """Takes the given value and the option's name; returns the checked value, or raises an error."""


def one_of(*choices: str) -> Callable[[object, str], str]:
    """Return the check of an option that has one of a few values."""

    def check(value: object, name: str) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ArgumentError(choice_message(name, value, choices))
        return value

    return check


def optional(check: Callable[[object, str], Any]) -> Callable[[object, str], Any]:
    """Return a check that also takes None."""
    return lambda value, name: None if value is None else check(value, name)


SYNCHRONOUS = Option(
    "synchronous",
    False,
    "use what is improved in an iteration only from the next one on, so that counts do not depend on threads",
    as_flag,
)
"""The option of all bulk-synchronous methods."""


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A shortest-path method."""

    name: str
    summary: str
    run: Callable[[Problem], Outcome] = field(repr=False)
    paper: str = ""
    limits: str = ""
    options: tuple[Option, ...] = ()
    devices: tuple[str, ...] = ("cpu", "cuda", "emulated")
    """The devices it runs on, by default all: "cuda" is any NVIDIA GPU, "emulated" runs GPU kernels on the CPU."""
    parallel: bool = True
    """Whether it uses more than one thread on a CPU."""
    negative_weights: bool = False
    unit_weights: bool = False
    """Whether it takes only graphs without weights, or with all weights 1."""
    has_delta: bool = False
    """Whether it takes the argument `delta`, a bucket width."""
