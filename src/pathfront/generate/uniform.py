"""Uniformly random graphs."""

from __future__ import annotations

import numpy as np

from pathfront.exceptions import ArgumentError
from pathfront.generate.numbers import integers
from pathfront.generate.weights import weigh
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import MOST_EDGES, MOST_VERTICES, as_count, as_flag, as_seed
from pathfront.wording import checks_names


@checks_names
def random(n: int, m: int, *, directed: bool = True, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return n vertices and m edges, both ends of each drawn uniformly; loops and parallel edges happen.

    >>> import pathfront as pf
    >>> pf.generate.random(100, 500, seed=7)
    Graph(n=100, m=500, directed, uint32 weights)
    """
    n, m = as_count(n, "n", most=MOST_VERTICES), as_count(m, "m", most=MOST_EDGES)
    seed = as_seed(seed)
    if m and not n:
        raise ArgumentError(f"m is {m}, but a graph of 0 vertices has no edges.")
    tails = integers(m, 0, n - 1, seed=seed, stream=10)
    heads = integers(m, 0, n - 1, seed=seed, stream=11)
    return weigh(
        from_checked_edges(tails, heads, None, n=n, directed=as_flag(directed, "directed")), weights, seed=seed
    )


@checks_names
def degree_k(n: int, k: int = 7, *, weights: str = "int:1:10", seed: int = 0) -> Graph:
    """Return a directed graph in which k different other vertices, drawn uniformly, lead to each vertex.

    The graphs on which Martin, Torres and Gavilanes (2009) measured, with k = 7 and weights 1 to 10.

    >>> import pathfront as pf
    >>> pf.generate.degree_k(1000)
    Graph(n=1000, m=7000, directed, uint32 weights)
    """
    n, seed = as_count(n, "n", most=MOST_VERTICES), as_seed(seed)
    k = as_count(k, "k", most=max(n - 1, 0))
    as_count(n * k, "n * k", most=MOST_EDGES)
    ids = np.arange(n, dtype=np.uint32)
    # Floyd's sampling without repetition, for all vertices at once: the j-th pick is one of the first
    # n - k + j others, or the last of these where that one is taken.
    picks = np.empty((k, n), np.uint32)
    for j in range(k):
        last = n - 1 - k + j
        picks[j] = integers(n, 0, last, seed=seed, stream=10 + j)
        picks[j, (picks[:j] == picks[j]).any(axis=0)] = last
    picks += picks >= ids  # numbers among the others become vertices
    graph = from_checked_edges(picks.T.ravel(), np.repeat(ids, k), None, n=n, directed=True)
    return weigh(graph, weights, seed=seed)
