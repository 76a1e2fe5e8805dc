"""The work and the speed of ADDS, in the form of its paper's tables (Wang, Fussell, Lin, PPoPP 2021).

Table 4: the vertices that ADDS processes over those of other methods, as a distribution over graphs. Table 5: its speed
and that of its ablations, without adapting delta and with two buckets only, over Near-Far. And its speed over
delta-stepping on three graphs. These are sections of the suite `work`. Every answer is compared with
Dijkstra's, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from statistics import geometric_mean
from typing import Any

import numpy as np

import pathfront as pf
from pathfront.bench import graphs, work_graphs
from pathfront.bench.figures import Figure, best_of, require_exact
from pathfront.validation import available_cores

WORK_CLASSES = (0.25, 0.5, 0.75, 1.0, 1.5, 3.0)
"""The bounds of Table 4: vertices processed, times those of another method."""

SPEED_CLASSES = (0.9, 1.1, 1.5, 2.0, 3.0, 5.0)
"""The bounds of Table 5: times as fast as another method."""

BASELINES = ("near_far", "bellman_ford_frontier", "delta_stepping", "dijkstra")

ABLATIONS: dict[str, dict[str, Any]] = {
    "adds": {},
    "static delta": {"adaptive": False},
    "two buckets": {"adaptive": False, "buckets": 2},
}


def tables(quick: bool) -> Iterator[Figure]:
    """Tables 4 and 5, over the same graphs."""
    work: dict[tuple[str, str], list[float]] = {}
    times: dict[tuple[str, str], list[float]] = {}
    for name, graph in work_graphs.every(quick):
        source = graphs.hub(graph)
        solve = partial(pf.shortest_paths, graph, source, parents=False)
        delta = {"delta": solve(method="near_far").stats.delta}  # the paper's ablations have Near-Far's width
        ablated = {each: options | (delta if "adaptive" in options else {}) for each, options in ABLATIONS.items()}
        jobs = {each: partial(solve, method="adds", **options) for each, options in ablated.items()}
        jobs |= {each: partial(solve, method=each) for each in BASELINES}
        counted = {}
        for each, job in jobs.items():
            counted[each] = max(require_exact(job(), f"{each} on {name}").stats.vertices_processed, 1)
        timed = dict(zip(jobs, best_of(2 if quick else 3, *jobs.values()), strict=True))
        for ours in ABLATIONS:
            for theirs in [each for each in (*BASELINES, "adds") if each != ours]:
                work.setdefault((ours, theirs), []).append(counted[ours] / counted[theirs])
                times.setdefault((ours, theirs), []).append(timed[theirs] / timed[ours])
    for (ours, theirs), ratios in work.items():
        detail = distribution(ratios, WORK_CLASSES)
        yield Figure(
            f"{ours}: vertices processed over {theirs}", geometric_mean(ratios), "times", None, "lower", detail
        )
    for (ours, theirs), ratios in times.items():
        detail = distribution(ratios, SPEED_CLASSES)
        yield Figure(f"{ours}: speed over {theirs}", geometric_mean(ratios), "times", None, "higher", detail)


def speed(quick: bool) -> Iterator[Figure]:
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


def distribution(ratios: list[float], bounds: tuple[float, ...]) -> str:
    """Return how many of some ratios lie between bounds, as the paper's tables do.

    >>> from pathfront.bench.work_adds import distribution
    >>> distribution([0.1, 0.6, 1.2, 9.0], (0.5, 1.0, 3.0))
    '4 graphs: <0.5: 1, 0.5-1: 1, 1-3: 1, >=3: 1'
    """
    counts = np.bincount(np.searchsorted(bounds, ratios, side="right"), minlength=len(bounds) + 1)
    names = [f"<{bounds[0]:g}", *(f"{a:g}-{b:g}" for a, b in pairwise(bounds)), f">={bounds[-1]:g}"]
    listed = ", ".join(f"{name}: {count}" for name, count in zip(names, counts.tolist(), strict=True))
    return f"{len(ratios)} graphs: {listed}"
