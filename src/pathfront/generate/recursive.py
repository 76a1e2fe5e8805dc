"""Recursive-matrix graphs: a few vertices with very many arcs, small diameter, communities within communities."""

from __future__ import annotations

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError
from pathfront.generate.weights import weigh
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges, simple_from_checked_edges
from pathfront.validation import MOST_EDGES, Array, as_count, as_flag, as_fraction, as_seed, available_cores
from pathfront.wording import checks_names

_MOST_SCALE = 31  # a power of two of 32-bit vertices


@checks_names
def rmat(
    scale: int,
    edge_factor: int = 16,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    *,
    n: int | None = None,
    m: int | None = None,
    directed: bool = True,
    weights: str = "int:1:255",
    seed: int = 0,
) -> Graph:
    """Return 2^scale vertices and edge_factor times as many edges, as drawn: loops and parallel edges are kept.

    The adjacency matrix is quartered again and again, an edge falling into the quarters with probabilities a, b, c and
    what is left of 1 (Chakrabarti, Zhan and Faloutsos 2004), rounded to multiples of 2^-16. Vertices are numbered at
    random. `n` asks for fewer than 2^scale vertices (more than half as many): edges that end beyond are drawn again.
    `m` replaces edge_factor.

    >>> import pathfront as pf
    >>> pf.generate.rmat(10)
    Graph(n=1024, m=16384, directed, uint32 weights)
    >>> pf.generate.rmat(10, n=1000, m=5000)
    Graph(n=1000, m=5000, directed, uint32 weights)
    """
    scale, seed = as_count(scale, "scale", most=_MOST_SCALE), as_seed(seed)
    n = 2**scale if n is None else as_count(n, "n", least=2**scale // 2 + 1, most=2**scale)
    m = _edges(edge_factor, scale) if m is None else as_count(m, "m", most=MOST_EDGES)
    tails, heads = _draw(scale, n, m, (a, b, c), seed)
    return weigh(
        from_checked_edges(tails, heads, None, n=n, directed=as_flag(directed, "directed")), weights, seed=seed
    )


@checks_names
def kronecker(
    scale: int,
    edge_factor: int = 16,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    *,
    weights: str = "int:1:255",
    seed: int = 0,
) -> Graph:
    """Return the recursive-matrix graph of the Graph500 and GAP benchmarks: undirected, no loops, no parallel edges.

    edge_factor * 2^scale edges are drawn as for `rmat`, and those that are loops or were drawn before are dropped: a
    third of them at scale 10, 6 percent at scale 20. Vertices that are left without any stay in the graph.

    >>> import pathfront as pf
    >>> pf.generate.kronecker(10)
    Graph(n=1024, m=21196, undirected, uint32 weights)
    """
    scale, seed = as_count(scale, "scale", most=_MOST_SCALE), as_seed(seed)
    tails, heads = _draw(scale, 2**scale, _edges(edge_factor, scale), (a, b, c), seed)
    return weigh(simple_from_checked_edges(tails, heads, n=2**scale), weights, seed=seed)


def _edges(edge_factor: int, scale: int) -> int:
    return as_count(as_count(edge_factor, "edge_factor") * 2**scale, "edge_factor * 2^scale", most=MOST_EDGES)


def _draw(scale: int, n: int, m: int, quarters: tuple[object, object, object], seed: int) -> tuple[Array, Array]:
    a, b, c = (as_fraction(share, name) for share, name in zip(quarters, "abc", strict=True))
    if a + b + c > 1 + 1e-9:
        raise ArgumentError(f"a + b + c is {a + b + c}, but it must be at most 1: the rest is for the fourth quarter.")
    tails, heads = np.empty(m, np.uint32), np.empty(m, np.uint32)
    if m:
        _core.rmat(scale, n, a, b, c, seed, tails, heads, available_cores())
    return tails, heads
