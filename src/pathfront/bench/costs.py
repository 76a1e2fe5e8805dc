"""The suite `costs`: what options, types and sizes cost on CPUs; against other packages it is the suite `cpu`.

The one-pass limit, which the suite `cpu` compares with too, relaxes every arc of the reached vertices once, in their
final order, serially. It is measured here in two forms: with a branch, as a search needs it, since it must queue
improved vertices, and without one, which no search can reach. Every timed answer is verified.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import geometric_mean
from typing import Any, TypeVar

import numpy as np

import pathfront as pf
from pathfront import _core
from pathfront.bench import graphs
from pathfront.bench.figures import Figure, Suite, best_of, dijkstra, printed_by, require, require_exact
from pathfront.methods.delta_stepping import width_exponent
from pathfront.progress import progress_bar
from pathfront.validation import available_cores

T = TypeVar("T")


def run(quick: bool) -> Iterator[Figure]:
    """Measure everything; `quick` uses smaller graphs and fewer rounds."""
    rounds, seconds = (2, 0.0) if quick else (5, 2.0)
    made = _watched("graphs", graphs.cpu_suite(quick))
    suite = [(name, graph, graphs.hub(graph)) for name, graph in made]
    yield from parents_and_branches(suite, rounds, seconds)
    yield from light(suite, rounds)
    yield from widths(suite, rounds, seconds)
    yield from types(suite[0], rounds, seconds)
    yield from matrix(quick)
    yield from small_calls()
    yield from memory(quick)
    yield from large(quick)


Case = tuple[str, pf.Graph, int]


def _watched(what: str, jobs: Sequence[Callable[[], T]]) -> list[T]:
    """Run jobs that print no figure, with a progress bar on a terminal."""
    results = []
    with progress_bar(what, shown=True) as progress:
        for job in jobs:
            results.append(job())
            if progress is not None:
                progress(len(results) / len(jobs))
    return results


def parents_and_branches(suite: list[Case], rounds: int, seconds: float) -> Iterator[Figure]:
    """The cost of parents, and `auto` over the limit without branches; means over the graphs."""
    jobs = [partial(best_of, rounds, *_limits_and_searches(case), seconds=5 * seconds) for case in suite]
    cores = available_cores()
    limits, no_branches, ones, manys, with_parents = np.array(_watched("the limit", jobs)).T
    for what, ratios, unit, target in (
        ("the limit without branches over the limit", no_branches / limits, "of limit", None),
        ("auto at 1 over the limit without branches", ones / no_branches, "of limit", None),
        (f"auto at {cores} over the limit without branches", manys / no_branches, "of limit", None),
        ("with parents over without", with_parents / ones, "of time", 1.20),
    ):
        yield Figure(f"mean: {what}", geometric_mean(ratios), unit, target, "lower")


def _limits_and_searches(case: Case) -> list[Callable[[], Any]]:
    """Return the limit's two forms, and searches by one thread, by all, and by one with parents; verified."""
    name, graph, source = case
    cores = available_cores()
    for threads in (1, cores):
        what = f"auto with {threads} threads on {name}"
        paths = require_exact(pf.shortest_paths(graph, source, threads=threads), what)
        require(pf.verify(graph, paths), f"{what} has wrong parents")
    expected = dijkstra(graph, source)
    return [
        _limit(graph, expected, always_write=False),
        _limit(graph, expected, always_write=True),
        partial(pf.shortest_paths, graph, source, parents=False, threads=1),
        partial(pf.shortest_paths, graph, source, parents=False, threads=cores),
        partial(pf.shortest_paths, graph, source, threads=1),
    ]


def _limit(graph: pf.Graph, expected: Any, *, always_write: bool) -> Callable[[], Any]:
    reached = np.flatnonzero(expected != np.iinfo(expected.dtype).max)
    order = reached[np.argsort(expected[reached], kind="stable")].astype(np.uint32)
    dist = np.empty_like(expected)
    job = partial(_core.one_pass, graph.native, order, dist, always_write)
    job()
    require(np.array_equal(dist, expected), "the one-pass limit does not reproduce the distances")
    return job


def light(suite: list[Case], rounds: int) -> Iterator[Figure]:
    """`light_first` over `delta_stepping`, where `auto` uses it."""
    for name, graph, source in suite:
        solve = partial(pf.shortest_paths, graph, source, parents=False)
        stats = solve().stats
        if stats.method != "light_first":
            continue
        ours, plain = best_of(rounds, solve, partial(solve, method="delta_stepping"))
        detail = f"{stats.edges_relaxed / graph.m:.0%} of the arcs are relaxed"
        yield Figure(f"{name}: light_first over delta_stepping", ours / plain, "of time", None, "lower", detail)


def widths(suite: list[Case], rounds: int, seconds: float) -> Iterator[Figure]:
    """The automatic delta against the best power of two."""
    for name, graph, source in suite:
        middle = width_exponent(graph, None)
        exponents = [e for e in range(middle - 3, middle + 5) if e >= 0]
        solve = partial(pf.shortest_paths, graph, source, method="delta_stepping", threads=1, parents=False)
        for exponent in exponents:
            require_exact(solve(delta=2.0**exponent), f"delta_stepping with delta {2**exponent} on {name}")
        times = dict(zip(exponents, best_of(rounds, *(partial(solve, delta=2.0**e) for e in exponents)), strict=True))
        best = min(times, key=lambda e: times[e])
        ours = theirs = times[best]
        if best != middle:  # the best of many may be so by chance: measure it again
            ours, theirs = best_of(rounds, *(partial(solve, delta=2.0**e) for e in (middle, best)), seconds=seconds)
        detail = f"{2**middle}, {2**best}"
        yield Figure(f"{name}: automatic delta over the best", ours / theirs, "of time", 1.10, "lower", detail)


def types(case: Case, rounds: int, seconds: float) -> Iterator[Figure]:
    """The cost of other weight types."""
    name, graph, source = case
    kinds = {"float32": 1.2, "float64": 1.6, "int64": 1.6}
    weights = np.asarray(graph.weights)
    others = [graph.with_weights(weights.astype(kind)) for kind in kinds]
    jobs = [partial(pf.shortest_paths, g, source, threads=1, parents=False) for g in (graph, *others)]
    for other, job in zip((graph, *others), jobs, strict=True):
        require(pf.verify(other, job()), f"auto is wrong on {name} with {other.distance_dtype} weights")
    base, *times = best_of(2 * rounds, *jobs, seconds=seconds)
    for (kind, target), took in zip(kinds.items(), times, strict=True):
        yield Figure(f"{name}: {kind} over uint32", took / base, "of time", target, "lower")


def matrix(quick: bool) -> Iterator[Figure]:
    """Throughput of a distance matrix with two threads over one."""
    name, graph = graphs.new_york()
    sources = np.linspace(0, graph.n - 1, 16 if quick else 64).astype(int)
    for row, source in zip(pf.distance_matrix(graph, sources, threads=2), sources, strict=True):
        right = pf.verify(graph, row, source=source)
        require(right, f"distance_matrix is wrong on {name} from vertex {source}")
    jobs = [partial(pf.distance_matrix, graph, sources, threads=t) for t in (1, 2)]
    one, two = best_of(2 if quick else 5, *jobs, seconds=0.0 if quick else 10.0)
    yield Figure(f"{name}: distance_matrix at 2 threads over 1", one / two, "x", 1.85, detail=f"{len(sources)} sources")


def small_calls() -> Iterator[Figure]:
    """What a call on a graph of a hundred vertices costs beyond the search itself."""
    code = """
import timeit
import numpy as np, pathfront as pf
from pathfront import _core
graph = pf.generate.random(100, 300, seed=1)
assert pf.verify(graph, pf.shortest_paths(graph, 0, parents=False))
dist = np.empty(graph.n, np.uint32)
def engine(): return _core.dijkstra(_core.Request(
    arcs=graph.native, heaviest=graph.weight_summary().heaviest,
    source=0, dist=dist, threads=1, trace=False,
))
def call(): return pf.shortest_paths(graph, 0, parents=False)
print(*(min(timeit.repeat(job, number=1000, repeat=7)) * 1e3 for job in (call, engine)))
"""
    call, engine = map(float, printed_by(code))
    detail = f"{call:.1f} in all, {engine:.1f} in the engine"
    yield Figure("a call on 100 vertices, beyond the search", call - engine, "us", 20, "lower", detail)


def memory(quick: bool) -> Iterator[Figure]:
    """The peak memory of a solve beyond the graph and the result, as a share of the graph; Linux only."""
    if not sys.platform.startswith("linux"):
        return
    code = """
import pathfront as pf
from pathfront.bench import graphs
from pathfront.bench.figures import peak_memory
name, graph = graphs.cpu_suite({quick})[{index}]()
graph.weight_summary()
pf.shortest_paths(pf.generate.grid(3, 3), 0)  # imports, once
peak = peak_memory(lambda: pf.shortest_paths(graph, graphs.hub(graph), parents=False))
print(name, (peak - graph.n * graph.distance_dtype.itemsize) / graph.nbytes)
"""
    for index in range(len(graphs.cpu_suite(quick))):
        name, share = printed_by(code.format(quick=quick, index=index))
        yield Figure(f"{name}: peak memory of a solve", float(share), "of graph", 0.40, "lower")


def large(quick: bool) -> Iterator[Figure]:
    """A Kronecker graph of eight times the size: its time per arc over the smaller one's."""
    scales = (17, 20) if quick else (20, 23)
    per_arc = []
    for scale in scales:
        graph = pf.generate.kronecker(scale, 16, seed=1)
        source = graphs.hub(graph)
        solve = partial(pf.shortest_paths, graph, source, parents=False)
        require(pf.verify(graph, solve()), f"auto is wrong on kronecker-{scale}")
        (seconds,) = best_of(3, solve)
        per_arc.append(seconds / graph.m)
    detail = f"{per_arc[0] * 1e9:.2f} and {per_arc[1] * 1e9:.2f} ns per arc"
    ratio = per_arc[1] / per_arc[0]
    yield Figure(f"kronecker-{scales[1]} over kronecker-{scales[0]}, per arc", ratio, "of time", 2.0, "lower", detail)


SUITE = Suite("costs", "what parents, widths, types, matrices, small calls, memory and large graphs cost on CPUs", run)
