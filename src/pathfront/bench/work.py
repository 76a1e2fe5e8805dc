"""The suite `work`: how much work each method does, in the form of the papers' tables, and how fast.

Work is counted, not timed: arcs relaxed, iterations, vertices per iteration. Counts are taken on one thread, where they
do not depend on timing. Every answer is compared with Dijkstra's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise, product
from statistics import fmean
from typing import Any

import numpy as np

import pathfront as pf
from pathfront.bench import graphs, peers, work_adds
from pathfront.bench.figures import Figure, Suite, best_of, require_exact
from pathfront.methods.bucketing import FINER
from pathfront.validation import available_cores

Case = tuple[str, pf.Graph, int]
_HIGH_DIAMETER = 100
"""Iterations of Workfront Sweep from which on a graph counts as one of high diameter."""


def run(quick: bool) -> Iterator[Figure]:
    """Measure all sections; `quick` uses smaller graphs and fewer rounds."""
    for section in SECTIONS:
        yield from section(quick)


# ---- Davidson et al. 2014 ----------------------------------------------------------------------------------------


@cache
def families(quick: bool) -> list[Case]:
    """Return eight graphs of the families of Table II, by falling diameter, each with a source."""
    size = 1 << (15 if quick else 17)
    side = round(size ** (1 / 3))
    cases = [
        (f"road_like({2 * size})", pf.generate.road_like(2 * size, seed=1)),
        graphs.new_york(),
        (f"delaunay({size})", pf.generate.delaunay(size, weights="int:1:1000", seed=1)),
        (f"mesh3d({side})", pf.generate.mesh3d(side, side, side, weights="int:1:1000", seed=1)),
        (f"small_world({size})", pf.generate.small_world(size, 6, 0.01, weights="int:1:1000", seed=1)),
        graphs.slashdot(),
        (f"rmat-{size.bit_length() - 1}", pf.generate.rmat(size.bit_length() - 1, 7, weights="int:1:1000", seed=1)),
        (f"scale_free({size})", pf.generate.scale_free(size, 6, weights="int:1:1000", seed=1)),
    ]
    return [(name, graph, graphs.hub(graph)) for name, graph in cases]


def papers_delta(graph: pf.Graph) -> float:
    """Return Davidson's choice: 32, the width of a warp, times mean weight over mean degree."""
    return 32 * graph.weight_summary().mean / graph.degree_summary().mean


def table_iii(quick: bool) -> Iterator[Figure]:
    """Work saved and iterations against Bellman-Ford over all edges, and average parallelism; means as in the paper."""
    saved: dict[str, list[float]] = {name: [] for name in ("workfront_sweep", "near_far", "bucketing")}
    steps: dict[str, list[float]] = {name: [] for name in saved}
    more_saved: list[float] = []
    for case in families(quick):
        base = _counted(case, "bellman_ford_edges")
        found = {name: _counted(case, name) for name in saved}
        sweeps = found["workfront_sweep"].iterations
        for name, stats in found.items():
            saved[name].append(base.edges_relaxed / stats.edges_relaxed)
            steps[name].append(stats.iterations / sweeps)
            synchronous = sweeps * case[1].m / stats.edges_relaxed
            detail = (
                f"{stats.iterations} iterations of {stats.vertices_processed / stats.iterations:.0f} vertices; "
                f"{base.iterations} passes in place, or {sweeps} a hop each, which would make it {synchronous:.3g}x"
            )
            yield Figure(f"{case[0]}: work saved by {name}", saved[name][-1], "x", detail=detail)
        ordered = sweeps <= found["near_far"].iterations <= found["bucketing"].iterations
        yield Figure(f"{case[0]}: iterations workfront <= near_far <= bucketing", float(ordered), "", 1)
        ratio = found["near_far"].edges_relaxed / found["bucketing"].edges_relaxed
        yield Figure(f"{case[0]}: work of near_far over bucketing", ratio, "x", 0.99)
        if sweeps >= _HIGH_DIAMETER:
            more_saved.append(saved["near_far"][-1] / saved["workfront_sweep"][-1])
    for name, target, paper in (("workfront_sweep", 2, 9.6), ("near_far", None, 260), ("bucketing", None, 353)):
        yield Figure(f"mean: work saved by {name}", fmean(saved[name]), "x", target, detail=f"paper: {paper}")
    yield Figure("high diameter: near_far saves more than workfront_sweep", fmean(more_saved), "x", 10)
    for name, ratio in (("near_far", 1.58), ("bucketing", 2.16)):
        what = f"mean: iterations of {name} over workfront_sweep"
        yield Figure(what, fmean(steps[name]), "x", detail=f"paper: {ratio}")


def _counted(case: Case, method: str, **options: Any) -> pf.Stats:
    name, graph, source = case
    if pf.methods.get(method).has_delta:
        finer = FINER if method == "bucketing" else 1
        options.setdefault("delta", papers_delta(graph) / finer)
    paths = pf.shortest_paths(graph, source, method=method, threads=1, parents=False, **options)
    return require_exact(paths, f"{method} on {name}").stats


def delta_sweep(quick: bool) -> Iterator[Figure]:
    """Fig. 7: as delta shrinks, work falls and iterations rise, from Workfront Sweep's to Dijkstra's."""
    road, mesh, rmat = (families(quick)[i] for i in (1, 2, 6))
    for case in (road, mesh, rmat):
        middle = papers_delta(case[1])
        swept = [_counted(case, "near_far", delta=middle * 4.0**power) for power in range(4, -5, -1)]
        work, steps = [s.edges_relaxed for s in swept], [s.iterations for s in swept]
        rises = max(b / a for a, b in pairwise(work))
        falls = min(b / a for a, b in pairwise(steps))
        detail = f"{work[0]} down to {work[-1]} arcs, delta {256 * middle:.3g} to {middle / 256:.3g}"
        yield Figure(f"{case[0]}: work as delta shrinks, largest rise", rises, "x", 1.02, "lower", detail)
        detail = f"{steps[0]} up to {steps[-1]}"
        yield Figure(f"{case[0]}: iterations as delta shrinks, largest fall", falls, "x", 0.99, detail=detail)


# ---- Crauser et al. and Martín et al. on GPUs --------------------------------------------------------------------


def crauser_iterations(quick: bool) -> Iterator[Figure]:
    """A lower limit never needs fewer iterations."""
    degree_7 = pf.generate.degree_k(1 << (14 if quick else 17), 7, seed=1)
    for case in [(f"degree-7 {degree_7.n}", degree_7, 0), *families(quick)[1:]]:
        found = [_counted(case, "crauser", variant=variant) for variant in ("general", "economic")]
        counts = [stats.iterations for stats in (*found, _counted(case, "martin"))]
        detail = "general {}, economic {}, martin {}".format(*counts)
        what = f"{case[0]}: iterations general <= economic <= martin"
        yield Figure(what, float(counts == sorted(counts)), "", 1, detail=detail)


def dummy_threads(quick: bool) -> Iterator[Figure]:
    """The share of idle threads, with one thread per vertex; the paper measured 42% to 96%.

    Graphs in which seven arcs lead to each vertex, and the same reversed; each share is the mean over some graphs.
    """
    sizes = {"lists": 1 << (14 if quick else 17), "matrix": 512 if quick else 2048}
    seeds = range(1, 3 if quick else 6)
    for kind, n in sizes.items():
        to_each = [pf.generate.degree_k(n, 7, seed=seed) for seed in seeds]
        for arcs, graphs_of_7 in (("to", to_each), ("from", [graph.reverse() for graph in to_each])):
            cases = [_as_matrix(graph) if kind == "matrix" else graph for graph in graphs_of_7]
            for method, direction in product(("crauser", "martin"), ("successors", "predecessors")):
                idle, iterations = np.mean([_idle_threads(graph, method, direction) for graph in cases], axis=0)
                yield Figure(
                    f"{method}, {direction}, {kind}, 7 arcs {arcs} each vertex: idle threads",
                    100 * float(idle),
                    "%",
                    _PAPER_IDLE.get((method, direction, kind, arcs)),
                    detail=f"{iterations:.0f} iterations, n = {n}",
                )


_PAPER_IDLE = {("crauser", "predecessors", "matrix", "from"): 42.0}
"""The lower end of the paper's range; its upper end is 96, for successors in lists."""


def _idle_threads(graph: pf.Graph, method: str, direction: str) -> tuple[float, int]:
    paths = pf.shortest_paths(graph, 0, method=method, direction=direction, trace=True, parents=False)
    require_exact(paths, f"{method} by {direction} on {graph!r}")
    return 1 - paths.trace["working"].sum() / paths.trace["launched"].sum(), len(paths.trace)


def _as_matrix(graph: pf.Graph) -> pf.Graph:
    matrix = np.zeros((graph.n, graph.n), np.uint32)
    matrix[graph.tails(), graph.heads] = np.asarray(graph.weights)
    return pf.Graph.from_dense(matrix, no_edge=0, keep_dense=True)


# ---- speed -------------------------------------------------------------------------------------------------------


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


SECTIONS: list[Callable[[bool], Iterator[Figure]]] = [
    table_iii,
    delta_sweep,
    crauser_iterations,
    dummy_threads,
    speed,
    tiny_iterations,
    work_adds.tables,
    work_adds.speed,
]
"""What the suite consists of, in order."""

SUITE = Suite("work", "every method's work, in the form of the papers' tables, and the methods' speed", run)
