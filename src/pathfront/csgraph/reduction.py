"""Johnson's reduction (1977): a graph with weights >= 0 that has the same shortest paths as one with negative weights.

The potential of a vertex is its distance from some vertices together. An arc's weight plus its tail's potential minus
its head's is not negative, and every path between two vertices changes by the same amount. All of this is done in
integers; floating-point weights become multiples of their lowest bit first, as in `pathfront.devices.exact`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pathfront.devices import exact
from pathfront.dtypes import unreached_marker
from pathfront.graph import Graph
from pathfront.methods import bellman_ford
from pathfront.problem import Problem
from pathfront.validation import Array

MOST = 2**53
"""Integers up to this are exact as float64."""


class Reduced(NamedTuple):
    """A graph with reduced weights."""

    graph: Graph
    potential: Array
    """float64, whole numbers; 0 for vertices that the sources do not reach."""
    exponent: int
    """Distances are multiples of 2 to the power of this."""


def reduced(graph: Graph, sources: Array) -> Reduced | list[int] | None:
    """Return the graph reduced by the distances from all sources together, or a negative cycle that they reach.

    None if some number needs more than 53 bits. What the sources do not reach has weight 0.
    """
    scaled = exact.scaled(graph) if graph.distance_dtype.kind == "f" else exact.Scaled(_with_int64(graph), 0)
    if scaled is None:
        return None
    whole = scaled.graph
    problem = Problem(
        graph=whole,
        source=int(sources[0]),
        others=sources[1:],
        distance=np.empty(graph.n, np.int64),
        parent=np.empty(graph.n, np.uint32),
    )
    outcome = bellman_ford.METHOD.run(problem)
    if outcome.cycle is not None:
        return outcome.cycle
    assert whole.weights is not None
    if outcome.overflow or int(np.abs(whole.weights).max()) >= MOST:
        return None
    reached = problem.distance != unreached_marker(problem.distance.dtype)
    potential = np.where(reached, problem.distance, 0)
    if int(np.abs(potential).max()) >= MOST:
        return None
    tails = whole.tails()
    weights = np.where(reached[tails], whole.weights + potential[tails] - potential[whole.heads], 0)
    narrow = weights.astype(np.uint32) if int(weights.max()) < 2**32 else weights
    made = Graph._make(whole.offsets, whole.heads, narrow, directed=True)
    return Reduced(made, potential.astype(np.float64), scaled.exponent)


def _with_int64(graph: Graph) -> Graph:
    if graph.distance_dtype == np.int64:
        return graph
    assert graph.weights is not None
    return graph.with_weights(graph.weights.astype(np.int64))
