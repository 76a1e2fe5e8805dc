"""What a method is, what it is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathfront.checks import Array
from pathfront.graph import Graph

TRACE_ROW = np.dtype(
    [
        ("iteration", np.uint64),
        ("frontier", np.uint64),
        ("edges_relaxed", np.uint64),
        ("distance_low", np.float64),
        ("distance_high", np.float64),
    ]
)
"""One row of a trace: the vertices processed in an iteration, the edges relaxed, and the window of their distances."""


@dataclass(frozen=True, slots=True)
class Knob:
    """An option of one method."""

    name: str
    default: object
    help: str
    check: Callable[[object, str], Any] | None = None
    """Takes a value that is given and the knob's name; returns the value, or raises what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One search, checked: every field is in range and of the right type."""

    graph: Graph
    source: int
    distance: Array
    """To be filled."""
    parent: Array | None
    """To be filled, where parents are wanted."""
    threads: int
    delta: float | None
    cutoff: int | float | None
    targets: Array | None
    trace: bool
    knobs: Mapping[str, Any]
    progress: Callable[[float], None] | None = None
    """Called a few times a second; it may raise, which ends the search."""
    others: Array | None = None
    """Further sources, different from the first and from each other."""
    device: str = "cpu"
    """The full name of the device to run on: see `pathfront.devices.places`."""
    stays: bool = False
    """The answers stay on the device: in `Outcome.kept`, and not in `distance` and `parent`."""


@dataclass(slots=True)
class Outcome:
    """What a method did; the distances are in the problem's arrays. `auto` fills in what it chose, and why."""

    iterations: int
    vertices_processed: int
    edges_relaxed: int
    threads: int = 1
    delta: float | None = None
    overflow: bool = False
    """Some distance does not fit the type of the problem's array; nothing in it is an answer."""
    radius: int | float | None = None
    cycle: list[int] | None = None
    """A negative cycle that can be reached from the source."""
    trace: Array | None = None
    """A structured array: rows of TRACE_ROW, or of a method's own columns."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What only this method counts."""
    kept: tuple[Any, Any] | None = None
    """Distances and parents as arrays of the device, where they were to stay there."""
    method: str | None = None
    """The method that ran, where it is not the one asked for."""
    reason: str = "as asked"


@dataclass(frozen=True, slots=True)
class Method:
    """A shortest-path method."""

    name: str
    summary: str
    run: Callable[[Problem], Outcome] = field(repr=False)
    paper: str = ""
    limits: str = ""
    knobs: tuple[Knob, ...] = ()
    devices: tuple[str, ...] = ("cpu",)
    parallel: bool = False
    negative_weights: bool = False
    unit_weights: bool = False
    """It takes only graphs whose arcs all weigh 1, or weigh nothing at all."""
    has_delta: bool = False


def trace_rows(flat: Any) -> Array | None:
    """Return an engine's trace, four numbers a row, as a structured array."""
    if flat is None:
        return None
    columns = np.asarray(flat).reshape(-1, 4)
    rows = np.empty(len(columns), TRACE_ROW)
    rows["iteration"] = np.arange(len(columns))
    for i, name in enumerate(("frontier", "edges_relaxed", "distance_low", "distance_high")):
        rows[name] = columns[:, i]
    return rows
