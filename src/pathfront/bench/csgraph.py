"""The suite `csgraph`: `pathfront.csgraph` against `scipy.sparse.csgraph`, the same calls on the same matrices.

Both are called as users call them: conversion, checks and the allocation of results are part of the time. The matrix is
the same object in each call, except where the first call is measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse.csgraph

import pathfront as pf
from pathfront.bench import graphs
from pathfront.bench.figures import Figure, Suite, best_of, require
from pathfront.validation import available_cores

_INDICES = 64


def run(quick: bool) -> Iterator[Figure]:
    """Measure every figure; `quick` takes fewer rounds."""
    rounds = 3 if quick else 10
    name, graph = graphs.new_york()
    matrix = graph.to_scipy().astype(np.float64)  # what scipy would otherwise make in each call
    one = {"indices": graphs.hub(graph)}
    some = {"indices": np.linspace(0, graph.n - 1, _INDICES).astype(np.int64)}
    cores = f"{available_cores()} cores"
    for what, options, target, turns, detail in (
        ("dijkstra from one index", one, 4.0, rounds, "one thread"),
        ("dijkstra from one index, predecessors", one | {"return_predecessors": True}, None, rounds, "one thread"),
        ("dijkstra from one index, undirected", one | {"directed": False}, None, rounds, "one thread"),
        ("dijkstra, min_only of 64", some | {"min_only": True}, None, rounds, "one thread"),
        ("dijkstra within 5000", one | {"limit": 5000.0}, None, rounds, "one thread"),
        (f"dijkstra from {_INDICES} indices", some, 10.0, 1 if quick else 3, cores),
    ):
        yield _compared(f"{name}: {what}", "dijkstra", matrix, options, target, turns, detail)
    yield Figure(f"{name}: dijkstra from one index, first call", _first_call(matrix, one, rounds), "x", 2.0)
    order = {"i_start": one["indices"]}
    yield _compared(f"{name}: breadth_first_order", "breadth_first_order", matrix, order, None, rounds, "one thread")
    dense = np.random.default_rng(1).integers(1, 1000, (300, 300)).astype(np.float64)
    yield _compared("300 nodes, dense: shortest_path", "shortest_path", dense, {}, None, rounds, cores)


def _compared(
    what: str, name: str, matrix: Any, options: dict[str, Any], target: float | None, rounds: int, detail: str
) -> Figure:
    """Return how many times faster a call is than scipy's."""
    ours, theirs = _calls(name, matrix, options)
    _require_equal(ours(), theirs(), what)
    fast, slow = best_of(rounds, ours, theirs)
    return Figure(what, slow / fast, "x", target, detail=f"{fast * 1e3:.1f} ms, {slow * 1e3:.1f}; {detail}")


def _calls(name: str, matrix: Any, options: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[], Any]]:
    ours, theirs = (getattr(module, name) for module in (pf.csgraph, scipy.sparse.csgraph))
    return partial(ours, matrix, **options), partial(theirs, matrix, **options)


def _require_equal(found: Any, expected: Any, what: str) -> None:
    """Raise an error unless distances are equal, or in an order of vertices everything is; trees may differ."""
    if isinstance(found, tuple):
        require(len(found) == len(expected), f"{what}: another number of results")
        found, expected = found[0], expected[0]
    require(np.allclose(found, expected, rtol=1e-12), f"{what} is wrong")


def _first_call(matrix: Any, options: dict[str, Any], rounds: int) -> float:
    """Return how many times faster the first call with a matrix is; the copies are made outside the timing."""
    _, theirs = _calls("dijkstra", matrix, options)
    fresh: list[Any] = []

    def first() -> None:
        pf.csgraph.dijkstra(fresh.pop(), **options)

    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        fresh.append(matrix.copy())
        best = [min(pair) for pair in zip(best, (_once(first), _once(theirs)), strict=True)]
    return best[1] / best[0]


def _once(job: Callable[[], Any]) -> float:
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


SUITE = Suite("csgraph", "pathfront.csgraph against scipy.sparse.csgraph, call by call", run)
