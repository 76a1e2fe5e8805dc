"""How a method describes itself: its name, its options and what it can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pathfront.problem import Outcome, Problem


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one method."""

    name: str
    default: object
    help: str
    check: Callable[[object, str], Any] | None = None
    """Takes a value that is given and the option's name; returns the value, or raises what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Method:
    """A shortest-path method."""

    name: str
    summary: str
    run: Callable[[Problem], Outcome] = field(repr=False)
    paper: str = ""
    limits: str = ""
    options: tuple[Option, ...] = ()
    devices: tuple[str, ...] = ("cpu",)
    parallel: bool = False
    negative_weights: bool = False
    unit_weights: bool = False
    """It takes only graphs whose arcs all weigh 1, or weigh nothing at all."""
    has_delta: bool = False
