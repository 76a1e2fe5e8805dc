"""Delta-stepping: vertices wait in buckets of width delta, and the lowest bucket is emptied until it stays empty.

Within a bucket the order does not matter, so many threads can relax its vertices at once. A wide bucket has more of
them, and more vertices that are relaxed again because a shorter path is found in the same bucket. There are three
engines in `cpp/engines/delta/`: `serial.hpp` for one thread; `owned.hpp` for several threads on graphs whose neighbours
have close numbers, as in most road networks and grids, where each thread owns a part of the vertices; `donating.hpp`
for several threads on other graphs. Their common inner loop, and what makes it fast, is in `cpp/relax/relax.hpp`. Dead
ends, such as the last vertex of a road, get a distance but are never queued.

A given delta is the width of the buckets; only where distances are whole numbers it is rounded down to one, at least 1,
and `stats.reason` says so. The default is a power of two a little less than a vertex's lightest arc typically weighs,
estimated from a sample: then hardly any arc leads back into the bucket of its tail, so hardly any vertex is relaxed
twice, and the buckets are as wide as that allows. With several threads and few arcs per vertex it is twice as much. The
mean weight over the mean degree would do as well for uniform weights, but not if a few are enormous. A default width
may change during the search, when buckets turn out far too full or too empty (see `cpp/engines/delta/width.hpp`); the
stats report the last one. A width given by the caller stays.

With `light_heavy=True` it is Meyer and Sanders' method to the letter: arcs heavier than delta lead out of the bucket of
their tail, so they are relaxed once, when that bucket is empty and its vertices are final. `stats.edges_relaxed` then
counts a heavy arc once, however often its tail was relaxed. The width stays the same, each row is read at least twice,
and phases end at barriers, so it takes longer; a fourth engine, `light_heavy.hpp`, is for studies.

On a GPU the search is one persistent kernel (`devices/gpu/kernels/delta_stepping.py`) with the given width, rounded
down to a whole number where distances are whole. The default is that of Davidson et al. (IPDPS 2014) for Near-Far: a
warp's 32 lanes times the mean weight over the mean degree; half of that on device "emulated".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError
from pathfront.graph import Graph
from pathfront.graph.measures import has_low_degree, weight_per_degree
from pathfront.methods.method import Method, Option
from pathfront.problem import Outcome, Problem, outcome, request
from pathfront.validation import Array, as_flag

_SHARE = 0.8
"""Delta over the weight of a lightest arc: the best fixed share over roads, meshes, random and Kronecker graphs."""

_FEW = 16
"""Dead ends are used if at least one vertex in so many is one: a grid has none, and the check took 7% of the time."""


def run(problem: Problem) -> Outcome:
    """Run the native engine, or the kernel of the problem's device."""
    if problem.device != "cpu":
        if problem.options.get("light_heavy"):
            raise ArgumentError(f"light_heavy is True, but device is {problem.device!r}; use device='cpu'.")
        from pathfront.devices.gpu import delta_stepping

        return delta_stepping.solve(problem)
    return run_native(problem)


def run_native(problem: Problem, light: Mapping[str, Any] | None = None, **more: Any) -> Outcome:
    """Run the problem's engine, with the rows of `light` arcs if there are any; `more` is added to the outcome."""
    answer = _core.delta_stepping(request(problem), settings(problem, light))
    return outcome(answer, delta=answer.width, **more)


def settings(problem: Problem, light: Mapping[str, Any] | None = None) -> _core.DeltaSettings:
    """Return the settings of the problem's engine."""
    return _core.DeltaSettings(
        engine=getattr(_core.DeltaEngine, problem.engine),
        block_bits=block_bits(problem) if problem.engine == "owned" else 0,
        width=width(problem.graph, problem.delta, problem.threads),
        adaptive=problem.delta is None,
        dead_ends=dead_ends(problem.graph) if _may_skip(problem) else None,
        undirected=not problem.graph.directed,
        **(light or {}),
    )


def _may_skip(problem: Problem) -> bool:
    """Return whether dead ends need not be queued: nothing depends on the vertices of a bucket."""
    return not (problem.trace or problem.targets is not None or problem.options.get("light_heavy"))


def block_bits(problem: Problem) -> int:
    """Return the exponent of the size of the blocks that a thread should own, or 0 if none should own any.

    Threads that own vertices are in different levels at the same time, so there are no levels to trace, and no level
    after which a target is final.
    """
    if problem.threads == 1 or problem.trace or problem.targets is not None:
        return 0
    graph, threads = problem.graph, problem.threads
    return graph.derived("block_bits", lambda: int(_core.block_bits(graph.native, threads)), variant=threads)


def dead_ends(graph: Graph) -> Array | None:
    """Return a bitmap of the vertices that a search need not relax, computed once per graph; None if there are few.

    They get their distances like all others, but are never queued: a trace would miss them, and so would the check that
    ends a search once its targets are final.
    """

    def make() -> Array | None:
        words = np.empty(-(-graph.n // 64), np.uint64)
        least = -(-graph.n // _FEW)
        count = _core.mark_dead_ends(graph.native, not graph.directed, least, words)
        return words if count >= least else None

    return graph.derived("dead_ends", make)


def width(graph: Graph, delta: float | None, threads: int = 1) -> float:
    """Return the given delta, or the default for the graph, a power of two."""
    return math.ldexp(1.0, width_exponent(graph, None, threads)) if delta is None else float(delta)


def width_exponent(graph: Graph, delta: float | None, threads: int = 1) -> int:
    """Return the exponent of the power of two nearest to delta, or to the default for the graph if delta is None."""
    if delta is None:
        delta = _SHARE * graph.weight_summary().step
        if delta == 0:  # many arcs have weight 0, which says nothing about the others
            delta = weight_per_degree(graph)
        if threads > 1 and has_low_degree(graph):
            delta *= 2  # buckets hold few vertices; wider ones give the threads more to share
    if delta <= 0:  # all weights are zero: one bucket holds everything
        return 0
    smallest, largest = exponents(graph)
    return min(max(round(math.log2(delta)), smallest), largest) if math.isfinite(delta) else largest


def exponents(graph: Graph) -> tuple[int, int]:
    """Return the least and the greatest exponent of delta: integer widths for integers, a safe range for floats.

    The least of floats is that of `cpp/core/level.hpp`.
    """
    return {"float32": (-149, 127), "float64": (-1000, 1000)}.get(graph.distance_dtype.name, (0, 62))


METHOD = Method(
    name="delta_stepping",
    summary="Empty buckets of width delta, lowest first; any number of threads.",
    run=run,
    paper="U. Meyer, P. Sanders, Delta-stepping: a parallelizable shortest path algorithm, J. Algorithms 49, 2003",
    limits="weights >= 0",
    options=(
        Option("light_heavy", False, "whether arcs heavier than delta wait until their bucket is empty (CPU)", as_flag),
    ),
    has_delta=True,
)
