"""The suite `cpu`: `auto` against every installed peer and against the one-pass limit, and what options cost.

The one-pass limit relaxes every arc of the reached vertices once, in their final order, serially: no serial method can
do less, and two perfect threads would take half of it. Every timed answer is verified.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import pathfront as pf
from pathfront import _core
from pathfront.bench import graphs, peers
from pathfront.bench.figures import Figure, Suite, best_of
from pathfront.checks import available_cores
from pathfront.methods.delta_stepping import width_exponent


def run(quick: bool) -> Iterator[Figure]:
    """Measure everything; `quick` uses smaller graphs and fewer rounds."""
    rounds = 2 if quick else 5
    suite = [(name, graph, _hub(graph)) for name, graph in graphs.cpu_suite(quick)]
    yield from against_the_limit(suite, rounds)
    yield from against_peers(suite, rounds)
    yield from widths(suite, rounds)
    yield from types(suite[0], rounds)
    yield from matrix(quick)
    yield from small_calls()


Case = tuple[str, pf.Graph, int]


def against_the_limit(suite: list[Case], rounds: int) -> Iterator[Figure]:
    """`auto` at one and at all threads, parents off and on, over the one-pass limit."""
    cores = available_cores()
    ratios: dict[str, list[float]] = {"one": [], "all": [], "parents": []}
    for name, graph, source in suite:
        solve = partial(pf.shortest_paths, graph, source, parents=False)
        expected = pf.shortest_paths(graph, source, method="dijkstra").distance
        for threads in (1, cores):
            paths = pf.shortest_paths(graph, source, threads=threads)
            if not np.array_equal(paths.distance, expected) or not pf.verify(graph, paths):
                raise AssertionError(f"auto with {threads} threads is wrong on {name}")
        limit, one, many, kept = best_of(
            rounds,
            _limit(graph, expected),
            partial(solve, threads=1),
            partial(solve, threads=cores),
            partial(pf.shortest_paths, graph, source, threads=1),
        )
        detail = f"limit {limit * 1e3:.1f} ms, {one * 1e3:.1f} at 1, {many * 1e3:.1f} at {cores} threads"
        yield Figure(f"{name}: auto at {cores} threads over the limit", many / limit, "of limit", None, "lower", detail)
        yield Figure(f"{name}: {cores} threads over 1", many / one, "of 1 thread", 1.05, "lower")
        ratios["one"].append(one / limit)
        ratios["all"].append(many / limit)
        ratios["parents"].append(kept / one)
    yield Figure("mean: auto at 1 thread over the limit", _mean(ratios["one"]), "of limit", 1.15, "lower")
    yield Figure(f"mean: auto at {cores} threads over the limit", _mean(ratios["all"]), "of limit", 0.70, "lower")
    yield Figure("mean: with parents over without", _mean(ratios["parents"]), "of time", 1.20, "lower")


def _limit(graph: pf.Graph, expected: Any) -> Any:
    reached = np.flatnonzero(expected != np.iinfo(expected.dtype).max)
    order = reached[np.argsort(expected[reached], kind="stable")].astype(np.uint32)
    dist = np.empty_like(expected)
    job = partial(_core.one_pass, graph.offsets, graph.heads, graph.weights, order, dist)
    job()
    if not np.array_equal(dist, expected):
        raise AssertionError("the one-pass limit does not reproduce the distances")
    return job


def against_peers(suite: list[Case], rounds: int) -> Iterator[Figure]:
    """How many times faster `auto` is than each installed package, on each graph and in the mean."""
    targets = {"scipy": 10.0, "edsger": 7.0}
    ratios: dict[str, list[float]] = {name: [] for name in peers.installed()}
    for name, graph, source in suite:
        paths = pf.shortest_paths(graph, source, parents=False)
        (ours,) = best_of(rounds, partial(pf.shortest_paths, graph, source, parents=False))
        for peer, found in ratios.items():
            seconds = peers.measure(peer, graph, source, paths.as_float(), min(rounds, 3))
            if seconds is not None:
                found.append(seconds / ours)
                yield Figure(f"{name}: faster than {peer}", seconds / ours, "x", detail=f"{seconds * 1e3:.0f} ms")
    for peer, found in ratios.items():
        if len(found) == len(suite):
            yield Figure(f"mean: auto faster than {peer}", _mean(found), "x", targets.get(peer))


def widths(suite: list[Case], rounds: int) -> Iterator[Figure]:
    """The automatic delta against the best power of two."""
    for name, graph, source in suite:
        middle = width_exponent(graph, None)
        exponents = [e for e in range(middle - 3, middle + 5) if e >= 0]
        solve = partial(pf.shortest_paths, graph, source, method="delta_stepping", threads=1, parents=False)
        expected = pf.shortest_paths(graph, source, method="dijkstra", parents=False).distance
        for exponent in exponents:
            if not np.array_equal(solve(delta=2.0**exponent).distance, expected):
                raise AssertionError(f"delta_stepping with delta {2**exponent} is wrong on {name}")
        times = dict(zip(exponents, best_of(rounds, *(partial(solve, delta=2.0**e) for e in exponents)), strict=True))
        best = min(times, key=lambda e: times[e])
        ratio = times[middle] / times[best]
        yield Figure(
            f"{name}: automatic delta over the best", ratio, "of time", 1.10, "lower", f"{2**middle}, {2**best}"
        )


def types(case: Case, rounds: int) -> Iterator[Figure]:
    """What other weight types cost."""
    name, graph, source = case
    kinds = {"float32": 1.2, "float64": 1.6, "int64": 1.6}
    weights = np.asarray(graph.weights)
    others = [graph.with_weights(weights.astype(kind)) for kind in kinds]
    jobs = [partial(pf.shortest_paths, g, source, threads=1, parents=False) for g in (graph, *others)]
    for other, job in zip((graph, *others), jobs, strict=True):
        if not pf.verify(other, job()):
            raise AssertionError(f"auto is wrong on {name} with {other.weights.dtype} weights")  # type: ignore[union-attr]
    base, *times = best_of(2 * rounds, *jobs)
    for (kind, target), seconds in zip(kinds.items(), times, strict=True):
        yield Figure(f"{name}: {kind} over uint32", seconds / base, "of time", target, "lower")


def matrix(quick: bool) -> Iterator[Figure]:
    """Throughput of a distance matrix with two threads over one."""
    name, graph = graphs.new_york()
    sources = np.linspace(0, graph.n - 1, 16 if quick else 64).astype(int)
    for row, source in zip(pf.distance_matrix(graph, sources, threads=2), sources, strict=True):
        if not pf.verify(graph, row, source=source):
            raise AssertionError(f"distance_matrix is wrong on {name} from vertex {source}")
    one, two = best_of(2, *(partial(pf.distance_matrix, graph, sources, threads=t) for t in (1, 2)))
    yield Figure(f"{name}: distance_matrix at 2 threads over 1", one / two, "x", 1.85, detail=f"{len(sources)} sources")


def small_calls() -> Iterator[Figure]:
    """The cost of a call on a graph of a hundred vertices, all of it."""
    code = """
import timeit, pathfront as pf
graph = pf.generate.random(100, 300, seed=1)
assert pf.verify(graph, pf.shortest_paths(graph, 0, parents=False))
print(min(timeit.repeat(lambda: pf.shortest_paths(graph, 0, parents=False), number=1000, repeat=5)) * 1e3)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    yield Figure("a call on 100 vertices", float(done.stdout), "us", 20, "lower", "the search included")


def _hub(graph: pf.Graph) -> int:
    return int(np.argmax(np.diff(graph.offsets)))


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


SUITE = Suite("cpu", "auto against every installed package and against the one-pass limit", run)
