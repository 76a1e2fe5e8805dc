"""Uniformly random graphs."""

from __future__ import annotations

from pathfront.build import from_checked_edges
from pathfront.checks import MOST_VERTICES, as_count, as_seed
from pathfront.exceptions import ArgumentError
from pathfront.generate.numbers import integers
from pathfront.generate.weights import weigh
from pathfront.graph import Graph


def random(n: int, m: int, *, directed: bool = True, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return n vertices and m edges, both ends of each drawn uniformly; loops and parallel edges happen.

    >>> import pathfront as pf
    >>> pf.generate.random(100, 500, seed=7)
    Graph(n=100, m=500, directed, uint32 weights)
    """
    n, m, seed = as_count(n, "n", most=MOST_VERTICES), as_count(m, "m"), as_seed(seed)
    if m and not n:
        raise ArgumentError(f"m is {m}, but a graph of 0 vertices has no edges.")
    tails = integers(m, 0, n - 1, seed=seed, stream=10)
    heads = integers(m, 0, n - 1, seed=seed, stream=11)
    return weigh(from_checked_edges(tails, heads, None, n=n, directed=directed), weights, seed=seed)
