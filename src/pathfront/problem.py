"""A search problem, the outcome of a method, and how both cross into the native core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.graph import NO_VERTEX, Graph
from pathfront.validation import Array

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
