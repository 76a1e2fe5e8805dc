"""A search problem, the outcome of a method, and how both cross into the native core."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.graph import NO_VERTEX, Graph
from pathfront.validation import Array

TRACE_ROW = np.dtype(
    [
        ("iteration", np.uint64),
        ("seconds", np.float64),
        ("frontier", np.uint64),
        ("edges_relaxed", np.uint64),
        ("distance_low", np.float64),
        ("distance_high", np.float64),
        ("delta", np.float64),
        ("near", np.uint64),
        ("far", np.uint64),
        ("labelled", np.uint64),
        ("final", np.uint64),
        ("discarded", np.uint64),
    ]
)
"""One row of a trace, the same for every method:

- `iteration`: the number of the row, from 0;
- `seconds`: the time at the end of the row, since the search began;
- `frontier`, `edges_relaxed`: the vertices processed and the arcs relaxed in the row;
- `distance_low`, `distance_high`: the window of their distances;
- `delta`: the width of the window, NaN if the method has none;
- `near`, `far`: the vertices that wait within the window at the start of the row, and beyond it;
- `labelled`, `final`: the vertices that have a distance at the end of the row, and those whose distance is known to be
  final before the next row begins;
- `discarded`: the stale and duplicate entries of queues dropped since the last row; there are fewer where a queue lists
  no vertex twice, as in schedules on GPUs.

A number that a method does not know is NaN; a count that it does not know is no column of its traces (`trace_of`).
"""


@dataclass(slots=True)  # frozen, it would take 1 us longer to make, a tenth of a small search
class Problem:
    """One search, checked: every field is in range and of the right type. Not to be changed; see `replace`."""

    graph: Graph
    source: int
    distance: Array
    """To be filled."""
    parent: Array | None
    """To be filled, where parents are wanted."""
    threads: int = 1
    delta: float | None = None
    cutoff: int | float | None = None
    targets: Array | None = None
    trace: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    progress: Callable[[float], None] | None = None
    """Called a few times a second; it may raise, which ends the search."""
    others: Array | None = None
    """Further sources, different from the first and from each other."""
    device: str = "cpu"
    """The full name of the device to run on: see `pathfront.devices.names`."""
    engine: str = ""
    """The native engine, where the method has several: see `pathfront.methods.auto.choose`."""
    on_device: bool = False
    """The answers are `Outcome.device_arrays` instead of being copied to `distance` and `parent`."""


@dataclass(slots=True)
class Outcome:
    """What a method did; the distances are in the problem's arrays."""

    iterations: int
    vertices_processed: int
    edges_relaxed: int
    threads: int = 1
    """CPU threads that relaxed an arc; 1 on a GPU."""
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
    device_arrays: tuple[Any, Any] | None = None
    """Distances and parents as arrays of the device, if the problem asks for `on_device`."""
    method: str = ""
    """The method that ran, and why: filled in by `auto.solve`, unless the device turned to another method."""
    reason: str = ""
    device: str = ""
    """Where the search ran, if not on the problem's device."""


def trace_of(columns: Mapping[str, Any], own: Sequence[tuple[str, Any]] = ()) -> Array:
    """Return a trace made of columns: those of TRACE_ROW in its order, then a method's own, given as names and types.

    Of the columns that are not among `columns`, `iteration` counts from 0, numbers are NaN, and counts are left out.
    """
    length = len(next(iter(columns.values())))
    assert TRACE_ROW.fields is not None
    kinds = {name: field[0] for name, field in TRACE_ROW.fields.items()}
    known = [(name, kind) for name, kind in kinds.items() if name in columns or kind.kind == "f" or name == "iteration"]
    made = np.empty(length, np.dtype([*known, *own]))
    made["iteration"] = np.arange(length)
    for name in made.dtype.names or ():
        if name in columns:
            made[name] = columns[name]
        elif name != "iteration":
            made[name] = np.nan
    return made


_ENGINE_ROW = (
    "frontier",
    "edges_relaxed",
    "near",
    "far",
    "labelled",
    "final",
    "discarded",
    "seconds",
    "distance_low",
    "distance_high",
    "delta",
)
"""The numbers of a row as engines return them, NaN if unknown: see `flat_rows` in `cpp/bindings/request.hpp`."""


def trace_rows(flat: Any) -> Array | None:
    """Return an engine's trace as a structured array."""
    if flat is None:
        return None
    columns = dict(zip(_ENGINE_ROW, np.asarray(flat).reshape(-1, len(_ENGINE_ROW)).T, strict=True))
    return trace_of({name: column for name, column in columns.items() if not np.isnan(column).any()})


def request(problem: Problem, arcs: Graph | None = None) -> _core.Request:
    """Return the native request of a problem; `arcs` is the graph to pass instead of the problem's."""
    return _core.Request(
        arcs=(arcs or problem.graph).native,
        heaviest=problem.graph.weight_summary().heaviest,
        source=problem.source,
        others=problem.others,
        dist=problem.distance,
        parent=problem.parent,
        cutoff=problem.cutoff,
        targets=problem.targets,
        threads=problem.threads,
        trace=problem.trace,
        progress=problem.progress,
    )


def outcome(answer: _core.Answer, **more: Any) -> Outcome:
    """Return an engine's answer as an outcome; `more` are fields that the engine does not set."""
    if "trace" not in more:
        more["trace"] = trace_rows(answer.trace)
    return Outcome(
        iterations=answer.iterations,
        vertices_processed=answer.vertices_processed,
        edges_relaxed=answer.edges_relaxed,
        threads=answer.threads,
        overflow=answer.overflow,
        radius=answer.radius,  # type: ignore[arg-type]
        **more,
    )


def cycle_through(parent: Array, start: int) -> list[int]:
    """Return the cycle of parents through a vertex, in the direction of its arcs, smallest vertex first."""
    cycle = [start]
    while (before := int(parent[cycle[-1]])) != start:
        assert before != NO_VERTEX
        cycle.append(before)
    cycle.reverse()
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]
