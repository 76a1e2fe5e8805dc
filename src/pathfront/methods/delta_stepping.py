"""Delta-stepping: vertices wait in buckets of width delta, and the lowest bucket is emptied until it stays empty.

Within a bucket the order does not matter, so its vertices can be relaxed by many threads at once; a wide bucket has
more of them, and more vertices that are relaxed again because a shorter way is found in the same bucket. The engines
are `cpp/engines/delta_stepping.hpp` for one thread, `territories.hpp` for several where neighbours have near numbers,
as in most road networks and grids, so that each thread can own a part of the vertices, and `delta_stepping_team.hpp`
for several elsewhere; what they share, and why it is fast, is in `relaxing.hpp`. Dead ends, such as the last house of a
road, are given a distance and never queued.

Delta is rounded to a power of two. Where none is given it is a little less than the lightest arc of a vertex usually
weighs, as a sample tells: hardly any arc then leads back into the bucket it came from, so hardly anything is relaxed
twice, and the buckets are as wide as that allows. The mean weight over the mean degree would do as well where weights
are uniform, but says nothing where a few are enormous. A width chosen so may change during the run, when buckets turn
out far too full or too empty (see `cpp/engines/width.hpp`); the stats tell the last one. A width that was asked for
stays.

On a GPU the search is one persistent kernel (`devices/gpu/kernels/delta_stepping.py`), as wide as asked, or by default
as Davidson et al. (IPDPS 2014) have it for their piles: a warp's 32 lanes times the mean weight over the mean degree;
half of that where it is emulated.
"""

from __future__ import annotations

import math
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pathfront import _core
from pathfront.devices.schedules import EVERYWHERE
from pathfront.graph import Graph
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem, arguments, outcome
from pathfront.validation import Array

_SHARE = 0.8
"""Of the lightest arc of a vertex: the best fixed share over roads, meshes, random and Kronecker graphs."""

_FEW = 16
"""One dead end in so many vertices is worth looking for: without any, a search on a grid took 7% longer."""

LOW_DEGREE = 8
"""Arcs per vertex below which levels are small: roads, grids, triangulations."""


def run(problem: Problem) -> Outcome:
    """Run the native engine, or the kernel of a GPU."""
    if problem.device != "cpu":
        from pathfront.devices.gpu import delta_stepping

        return delta_stepping.solve(problem)
    answer = _core.delta_stepping(**engine_arguments(problem), block_bits=block_bits(problem))
    return outcome(answer, threads=problem.threads, delta=math.ldexp(1.0, answer.exponent))


def engine_arguments(problem: Problem) -> dict[str, Any]:
    """Return what the engine is asked, but for what several threads own."""
    return {
        **arguments(problem),
        "heaviest": problem.graph.weight_summary().heaviest,
        "exponent": width_exponent(problem.graph, problem.delta, problem.threads),
        "adaptive": problem.delta is None,
        "threads": problem.threads,
        "dead_ends": None if problem.trace or problem.targets is not None else dead_ends(problem.graph),
    }


def block_bits(problem: Problem) -> int:
    """Return how large the blocks are that a thread owns, as a power of two; 0 where threads had better own nothing.

    Threads that own vertices do not keep step, so that there are no levels to trace, and none after which a target
    is final.
    """
    if problem.threads == 1 or problem.trace or problem.targets is not None:
        return 0
    return int(_core.block_bits(problem.graph.offsets, problem.graph.heads, problem.threads))


_dead_ends: WeakKeyDictionary[Graph, Array | None] = WeakKeyDictionary()


def dead_ends(graph: Graph) -> Array | None:
    """Return a bit for each vertex from which a search need not go on, made once for each graph; None if few are set.

    They are given their distances like all others, and never queued; so the levels that a trace shows, and those after
    which targets are final, would not be the ones they are in.
    """
    if graph not in _dead_ends:
        words = np.empty(-(-graph.n // 64), np.uint64)
        least = -(-graph.n // _FEW)
        count = _core.mark_dead_ends(graph.offsets, graph.heads, not graph.directed, least, words)
        _dead_ends[graph] = words if count >= least else None
    return _dead_ends[graph]


def width_exponent(graph: Graph, delta: float | None, threads: int = 1) -> int:
    """Return the power of two that is nearest to delta, or to what suits the graph where delta is None."""
    if delta is None:
        weights = graph.weight_summary()
        degree = max(graph.m / max(graph.n, 1), 1.0)
        delta = _SHARE * weights.step
        if delta == 0:  # many arcs weigh nothing, and say nothing of the others
            mean = weights.mean if math.isfinite(weights.mean) else float(weights.heaviest)  # the sum may be too large
            delta = mean / degree
        if threads > 1 and degree < LOW_DEGREE:
            delta *= 2  # buckets hold few vertices; with more there is something to share
    if delta <= 0:  # all weights are zero: one bucket holds everything
        return 0
    smallest, largest = exponents(graph)
    return min(max(round(math.log2(delta)), smallest), largest) if math.isfinite(delta) else largest


def exponents(graph: Graph) -> tuple[int, int]:
    """Return the powers of two that delta may be: whole where distances are, and with room to spare for floats."""
    whole = graph.weights is None or graph.weights.dtype.kind != "f"
    return (0, 62) if whole else (-1000, 1000)


METHOD = Method(
    name="delta_stepping",
    summary="Empty buckets of width delta, lowest first, by any number of threads.",
    run=run,
    paper="U. Meyer, P. Sanders, Delta-stepping: a parallelizable shortest path algorithm, J. Algorithms 49, 2003",
    limits="weights >= 0",
    devices=EVERYWHERE,
    parallel=True,
    has_delta=True,
)
