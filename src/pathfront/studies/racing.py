"""Several methods on one graph, traced: how each went about it, and when it was done with each vertex."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from pathfront import methods
from pathfront.api import shortest_paths
from pathfront.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    NegativeCycleError,
    PathfrontError,
    TimeLimitError,
)
from pathfront.graph import Graph, as_graph
from pathfront.graph.labels import index
from pathfront.paths import ShortestPaths, Stats
from pathfront.progress import Progress
from pathfront.results import traces
from pathfront.studies.timing import arcs_reached, reference
from pathfront.validation import Array, as_positive
from pathfront.wording import checks_names, described

By = Literal["time", "rows", "work"]
"""What moments are: milliseconds, rows of the trace, or arcs relaxed so far."""
UNITS: dict[str, tuple[str, str]] = {
    "time": ("time", "ms"),
    "rows": ("row of the trace", ""),
    "work": ("arcs relaxed", ""),
}


@dataclass(frozen=True, slots=True)
class Run:
    """A method with its trace, or why there is none."""

    name: str
    """The method; what ran if that was chosen by `auto`."""
    trace: Array | None = None
    stats: Stats | None = None
    settled: Array | None = None
    """The row of the trace after which each vertex is final, -1 where it was not reached: see `results/traces.py`."""
    verified: bool | None = None
    failure: str = ""

    @property
    def rows(self) -> int:
        """The number of rows of the trace."""
        return 0 if self.trace is None else len(self.trace)


@dataclass(frozen=True, slots=True)
class Traced:
    """Several methods on one graph from one source."""

    graph: Graph
    source: Hashable
    arcs: int
    """The arcs of the vertices that the source reaches."""
    runs: tuple[Run, ...]

    def traces(self) -> dict[str, Array]:
        """Return the traces of the methods whose answers are right, by name."""
        return {run.name: run.trace for run in self.runs if run.trace is not None and run.rows}

    def has(self, by: str) -> bool:
        """Return whether all traces know the time, or the work."""
        known = {"time": "seconds", "work": "edges_relaxed"}.get(by)
        return known is None or all(traces.column(trace, known) is not None for trace in self.traces().values())

    def moments(self, run: Run, by: By) -> Array:
        """Return the moment at which a method was done with each vertex, NaN where it never was."""
        assert run.trace is not None
        assert run.settled is not None
        if by == "rows":
            at = np.arange(1, len(run.trace) + 1, dtype=np.float64)
        elif by == "time":
            seconds = traces.times(run.trace)
            assert seconds is not None
            at = np.maximum.accumulate(seconds) * 1e3
        else:
            relaxed = traces.cumulated(run.trace, "edges_relaxed")
            assert relaxed is not None
            at = relaxed
        found = np.full(run.settled.size, np.nan)
        reached = run.settled >= 0
        found[reached] = at[run.settled[reached]]
        return found


@checks_names
def trace(
    graph: object,
    source: object,
    names: Iterable[str],
    *,
    device: str = "cpu",
    threads: int | None = None,
    delta: float | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Traced:
    """Run methods one after the other with a trace, and compare each answer with that of Dijkstra's method.

    Each method runs twice, the first time without a trace, so that none is the first to need what is computed once per
    graph. `delta` is for the methods that have one. A method that fails, or takes longer than `time_limit` seconds, has
    no trace, but the reason.

    >>> import pathfront as pf
    >>> found = trace(pf.generate.grid(30, 30, seed=1), 0, ["near_far", "dijkstra"])
    >>> [(run.name, run.verified) for run in found.runs]
    [('near_far', True), ('dijkstra', True)]
    """
    graph = as_graph(graph)
    wanted = _as_names(names)
    start = index(graph.vertex(source, "source"))
    limit = None if time_limit is None else as_positive(time_limit, "time_limit")
    search = partial(shortest_paths, graph, start, device=device, threads=threads, parents=False, time_limit=limit)
    right = reference(graph, start)
    runs: list[Run] = []
    for i, name in enumerate(wanted):
        has_delta = methods.get(name).has_delta and name != "auto"
        width = {"delta": delta} if has_delta and delta is not None else {}
        runs.append(_run(partial(search, method=name, **width), name, right))
        if progress is not None:
            progress((i + 1) / len(wanted))
    return Traced(graph, graph.name_of(start), arcs_reached(right), tuple(runs))


def _run(search: partial[ShortestPaths], name: str, right: ShortestPaths) -> Run:
    try:
        search()
        paths = search(trace=True)
    except TimeLimitError:
        return Run(name, failure=f"stopped after {search.keywords['time_limit']:g} s")
    except NegativeCycleError:
        raise
    except PathfrontError as error:
        return Run(name, failure=" ".join(str(error).split()))
    if paths.distance.tobytes() != right.distance.tobytes():
        return Run(name, verified=False, failure="WRONG: its distances are not those of Dijkstra's method")
    label = f"auto: {paths.stats.method}" if name == "auto" else name
    rows = traces.settled_rows(paths.trace, paths.distance, paths.reached)
    return Run(label, paths.trace, paths.stats, rows, True)


def _as_names(names: Any) -> list[str]:
    if isinstance(names, str | bytes) or not hasattr(names, "__iter__"):
        raise ArgumentTypeError(f"names is {described(names)}; give a list of methods.")
    wanted = list(dict.fromkeys(names))
    if not wanted:
        raise ArgumentError("names is empty; give at least one method.")
    for name in wanted:
        methods.get(name)
    return wanted
