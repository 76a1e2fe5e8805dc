"""The suite `work`: how fast the methods of the papers are on CPUs, against each other and with more threads.

The papers' own experiments, their tables and figures, are the suites `davidson2014`, `report2080`, `crauser2012` and
`adds2021`. Every answer is compared with Dijkstra's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pathfront as pf
from pathfront.bench import graphs, peers
from pathfront.bench.figures import Figure, Suite, best_of, require_exact
from pathfront.validation import available_cores


def run(quick: bool) -> Iterator[Figure]:
    """Measure all sections; `quick` uses smaller graphs and fewer rounds."""
    for section in SECTIONS:
        yield from section(quick)


def speed(quick: bool) -> Iterator[Figure]:
    """Against delta_stepping at equal threads, against scipy, and two threads against one."""
    scale, rounds = (17, 2) if quick else (20, 10)
    two = min(2, available_cores())
    for (name, graph), limit in ((graphs.kronecker(scale), 1.5), (graphs.random(scale), 1.5), (graphs.new_york(), 2.0)):
        source = graphs.hub(graph)
        road = graph is graphs.new_york()[1]
        jobs = {
            (method, threads): partial(pf.shortest_paths, graph, source, method=method, threads=threads, parents=False)
            for method in ("delta_stepping", "near_far", "workfront_sweep", "crauser")
            for threads in (1, two)
        }
        for (method, threads), job in jobs.items():
            require_exact(job(), f"{method} with {threads} threads on {name}")
        slow = peers.PEERS["scipy"](graph, source)
        *found, scipy = best_of(rounds, *jobs.values(), slow)
        times = dict(zip(jobs, found, strict=True))
        yield from _speed_lines(name, times, scipy, limit, two, road=road)


def _speed_lines(
    name: str, times: dict[tuple[str, int], float], scipy: float, limit: float, two: int, *, road: bool
) -> Iterator[Figure]:
    for threads in dict.fromkeys((1, two)):
        ours, theirs = times["near_far", threads], times["delta_stepping", threads]
        detail = f"{ours * 1e3:.1f} ms, {theirs * 1e3:.1f}"
        what = f"{name}: near_far over delta_stepping, {threads} threads"
        yield Figure(what, ours / theirs, "of time", limit, "lower", detail)
    ours = times["crauser", 1]
    detail = f"{ours * 1e3:.1f} ms, {scipy * 1e3:.1f}; one thread"
    yield Figure(f"{name}: crauser, faster than scipy's Dijkstra", scipy / ours, "x", 1.0, detail=detail)
    for method in ("workfront_sweep", "near_far"):
        one, both = times[method, 1], times[method, two]
        detail = f"{one * 1e3:.1f} ms, {both * 1e3:.1f}"
        yield Figure(f"{name}: {method}, {two} threads over 1", one / both, "x", 0.95 if road else 1.6, detail=detail)


def tiny_iterations(quick: bool) -> Iterator[Figure]:
    """The cost of an iteration with one vertex to relax: a chain, all of it."""
    n = 100_000 if quick else 1_000_000
    graph = pf.generate.chain(n, weights="unit", directed=True)
    for method in ("workfront_sweep", "near_far"):
        solve = partial(pf.shortest_paths, graph, 0, method=method, parents=False)
        require_exact(solve(), f"{method} on a chain")
        (seconds,) = best_of(3, solve)
        yield Figure(f"{method}: an iteration on one vertex", seconds / n * 1e6, "us", 1.0, "lower", f"chain of {n}")


def adds(quick: bool) -> Iterator[Figure]:
    """ADDS over delta-stepping with the same number of threads."""
    cases = [(graphs.kronecker, 1.5), (graphs.random, 1.5)]
    named = [(*make(15 if quick else 20), most) for make, most in cases]
    for name, graph, most in [*named, (*graphs.new_york(), 3.0)]:
        source = graphs.hub(graph)
        for threads in sorted({1, available_cores()}):
            solve = partial(pf.shortest_paths, graph, source, threads=threads, parents=False)
            jobs = [partial(solve, method=method) for method in ("adds", "delta_stepping")]
            for job in jobs:
                require_exact(job(), f"{job.keywords['method']} with {threads} threads on {name}")
            ours, theirs = best_of(3 if quick else 7, *jobs)
            detail = f"{ours * 1e3:.1f} ms, {theirs * 1e3:.1f} ms"
            what = f"{name}: adds over delta_stepping, threads={threads}"
            yield Figure(what, ours / theirs, "of time", most, "lower", detail)


SECTIONS: list[Callable[[bool], Iterator[Figure]]] = [speed, tiny_iterations, adds]
"""What the suite consists of, in order."""

SUITE = Suite("work", "the speed of the papers' methods against each other, and of two threads against one", run)
