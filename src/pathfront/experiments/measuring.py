"""Measuring one search: it runs, its answer is compared with Dijkstra's bit for bit, and its work is noted.

A search that fails, takes longer than it may, or gives a wrong answer is an outcome like any other: it is recorded with
its error, and never with a time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

import pathfront as pf
from pathfront.bench import peers
from pathfront.exceptions import PathfrontError
from pathfront.experiments import graphs
from pathfront.experiments.cells import Cell
from pathfront.experiments.expressions import Expression
from pathfront.experiments.suite import Run
from pathfront.validation import Array, available_cores

_ROWS = 400
"""Rows of a trace that are kept: more than a chart has pixels for."""


_TRACES, _TRACING = 5, 0.3
"""How often a search with a trace runs, and the seconds after which it does not run again."""


class SearchFailedError(Exception):
    """A search that has no result; the text says why."""


@dataclass(slots=True)
class Reference:
    """A graph with the right answer."""

    graph: pf.Graph
    source: int
    names: dict[str, Any]
    """What expressions may use of the graph."""
    distance: Array
    time_limit: float


@dataclass(slots=True)
class First:
    """The first run of a search."""

    seconds: float
    values: dict[str, Any]
    trace: dict[str, Any] | None = None


def prepare(graph: pf.Graph, source: int, names: dict[str, Any], time_limit: float) -> Reference:
    """Return a graph with its distances, by Dijkstra's method, or Bellman and Ford's for negative weights."""
    method = "dijkstra" if graph.weight_summary().first_negative < 0 else "bellman_ford"
    paths = pf.shortest_paths(graph, pf.index(source), method=method, parents=False)
    if not (proof := pf.verify(graph, paths)):
        raise SearchFailedError(f"{method} gave a wrong answer: {proof}")
    return Reference(graph, source, names, paths.distance, time_limit)


def first(cell: Cell, reference: Reference) -> First:
    """Run a search for the first time, verified."""
    run = cell.run
    if run.method == "one_pass":
        return First(once(cell, reference), {"method": "one_pass"})
    if run.method.startswith("peer:"):
        return _of_peer(cell, reference)
    fresh = _fresh(cell, reference) if run.fresh else None
    paths, seconds = _search(cell, reference, reference.graph)
    if run.trace and not run.counted:
        paths, seconds = _quickest(cell, reference, paths, seconds)
    stats = paths.stats
    values = {
        "method": stats.method,
        "device": stats.device,
        "threads": stats.threads,
        "delta": stats.delta,
        "iterations": stats.iterations,
        "vertices": stats.vertices_processed,
        "edges": stats.edges_relaxed,
        "first_seconds": fresh,
        "reason": stats.reason,
        **{f"extra_{name}": value for name, value in stats.extra.items() if isinstance(value, int | float)},
        **_totals(paths.trace if run.trace else None),
    }
    return First(seconds, values, _thinned(paths.trace) if run.trace else None)


def _quickest(
    cell: Cell, reference: Reference, paths: pf.ShortestPaths, seconds: float
) -> tuple[pf.ShortestPaths, float]:
    """Return the quickest of a few runs of a short search: its trace has times."""
    spent = seconds
    for _ in range(_TRACES - 1):
        if spent > _TRACING:
            break
        again = _search(cell, reference, reference.graph)
        spent += again[1]
        if again[1] < seconds:
            paths, seconds = again
    return paths, seconds


def once(cell: Cell, reference: Reference) -> float:
    """Run a search again and return its seconds; the answer is verified."""
    if cell.run.method == "one_pass":
        return _one_pass(reference)
    if cell.run.method.startswith("peer:"):
        return _of_peer(cell, reference).seconds
    return _search(cell, reference, reference.graph)[1]


def _search(cell: Cell, reference: Reference, graph: pf.Graph) -> tuple[pf.ShortestPaths, float]:
    arguments = _arguments(cell, reference)
    try:
        started = time.perf_counter()
        paths = pf.shortest_paths(graph, pf.index(reference.source), **arguments)
        seconds = time.perf_counter() - started
    except (PathfrontError, MemoryError) as error:
        raise SearchFailedError(_worded(error)) from None
    if paths.distance.tobytes() != reference.distance.astype(paths.distance.dtype).tobytes():
        raise SearchFailedError("the answer is wrong: its distances are not Dijkstra's")
    return paths, seconds


def _arguments(cell: Cell, reference: Reference) -> dict[str, Any]:
    run, names = cell.run, {**reference.names, **cell.names}
    arguments: dict[str, Any] = {
        "method": run.method,
        "device": cell.device,
        "parents": run.parents,
        "trace": run.trace,
        "time_limit": reference.time_limit,
        **{name: names.get(value[1:], value) if _is_name(value) else value for name, value in run.options.items()},
    }
    if cell.device == "cpu":
        arguments["threads"] = _threads(run)
    if (delta := delta_of(run, names)) is not None:
        arguments["delta"] = delta
    return arguments


def _is_name(value: object) -> bool:
    """Return whether an option's value stands for a variable: "$name"."""
    return isinstance(value, str) and value.startswith("$")


def delta_of(run: Run, names: dict[str, Any]) -> float | None:
    """Return the width that a run asks for, if any."""
    if run.delta is None or not isinstance(run.delta, str):
        return run.delta
    value = Expression(run.delta)(names)
    if not isinstance(value, int | float) or value <= 0:
        raise SearchFailedError(f"delta is {run.delta!r}, which is {value!r} for this graph")
    return float(value)


def _threads(run: Run) -> int:
    if run.threads == "all":
        return 1 if run.counted else available_cores()
    return run.threads


def _fresh(cell: Cell, reference: Reference) -> float:
    """Return the seconds of the first search on a graph of which nothing has been prepared."""
    if cell.device != "cpu":  # kernels are compiled once for all graphs: that is not part of it
        small = pf.generate.random(64, 256, seed=1)
        if reference.graph.weights is not None:
            small = small.with_weights(np.asarray(small.weights).astype(reference.graph.weights.dtype))
        pf.shortest_paths(small, 0, **{**_arguments(cell, reference), "time_limit": None})
    return _search(cell, reference, graphs.copied(reference.graph))[1]


def _of_peer(cell: Cell, reference: Reference) -> First:
    name = cell.run.method.partition(":")[2]
    if name not in peers.installed():
        raise SearchFailedError(
            f"{name} is not installed; pip install pathfront[bench] has all packages to compare with"
        )
    expected = _as_float(reference.distance)
    try:
        seconds = peers.timed(name, reference.graph, reference.source, expected, rounds=1, seconds=0.0)
    except peers.PeerFailedError as error:
        raise SearchFailedError(str(error)) from None
    return First(seconds, {"method": cell.run.method})


def _as_float(distance: Array) -> Array:
    marker = np.inf if distance.dtype.kind == "f" else np.iinfo(distance.dtype).max
    return np.where(distance == marker, np.inf, distance).astype(np.float64)


def _one_pass(reference: Reference) -> float:
    """Return the seconds of relaxing every arc once, in the final order: what no search in order can beat."""
    from pathfront import _core

    distance = reference.distance
    marker = np.inf if distance.dtype.kind == "f" else np.iinfo(distance.dtype).max
    reached = np.flatnonzero(distance != marker)
    order = reached[np.argsort(distance[reached], kind="stable")].astype(np.uint32)
    found = np.empty_like(distance)
    started = time.perf_counter()
    _core.one_pass(reference.graph.native, order, found, False)
    seconds = time.perf_counter() - started
    if not np.array_equal(found, distance):
        raise SearchFailedError("the one-pass limit does not reproduce the distances")
    return seconds


def _worded(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _totals(trace: Array | None) -> dict[str, float]:
    """Return the sums of the columns that add up, as total_NAME, and the largest values of queues, as peak_NAME."""
    if trace is None or len(trace) == 0:
        return {}
    names = trace.dtype.names or ()
    sums = {f"total_{name}": float(trace[name].sum()) for name in names if name in _ADD_UP}
    return sums | {f"peak_{name}": float(trace[name].max()) for name in names if name in _PEAKS}


def _thinned(trace: Array | None) -> dict[str, Any] | None:
    """Return a trace with at most some hundred rows: of each range of rows the sums of what adds up."""
    if trace is None or len(trace) == 0:
        return None
    assert trace.dtype.names is not None
    step = -(-len(trace) // _ROWS)
    starts = np.arange(0, len(trace), step)
    columns: dict[str, Any] = {"rows_in_one": step, "rows": len(trace)}
    for name in trace.dtype.names:
        values = trace[name].astype(np.float64)
        if name in _ADD_UP:
            columns[name] = np.add.reduceat(values, starts)
        elif name in _LARGEST:
            columns[name] = np.maximum.reduceat(values, starts)
        else:
            columns[name] = values[np.minimum(starts + step, len(trace)) - 1]
    kept = {
        name: [_rounded(each) for each in value.tolist()] for name, value in columns.items() if hasattr(value, "tolist")
    }
    return kept | {"rows": [len(trace)], "rows_in_one": [step]}


_ADD_UP = ("edges_relaxed", "discarded", "launched", "working", "idle_warps")
_LARGEST = ("frontier", "near", "far", "distance_high", "assigned_items", "assigned_workers")


_PEAKS = ("frontier", "near", "far")


def _rounded(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < 2**53 else float(f"{value:.6g}")
