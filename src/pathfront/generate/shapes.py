"""Graphs of one plain shape."""

from __future__ import annotations

import numpy as np

from pathfront.generate.weights import weigh
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import MOST_VERTICES, as_count, as_flag, as_seed
from pathfront.wording import checks_names


@checks_names
def chain(n: int, *, directed: bool = False, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return a path of n vertices, 0 to 1 to 2 and so on: the largest possible diameter.

    >>> import pathfront as pf
    >>> pf.generate.chain(4).to_edges().heads.tolist()
    [1, 2, 3]
    """
    n, seed = as_count(n, "n", most=MOST_VERTICES), as_seed(seed)
    ids = np.arange(n, dtype=np.uint32)
    return weigh(
        from_checked_edges(ids[:-1], ids[1:], None, n=n, directed=as_flag(directed, "directed")), weights, seed=seed
    )


@checks_names
def star(n: int, *, directed: bool = False, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return a star of n vertices: vertex 0, the hub, joined to every other one (directed: with arcs to them).

    >>> import pathfront as pf
    >>> pf.generate.star(4, directed=True).to_edges().heads.tolist()
    [1, 2, 3]
    """
    n, seed = as_count(n, "n", most=MOST_VERTICES), as_seed(seed)
    heads = np.arange(1, max(n, 1), dtype=np.uint32)
    graph = from_checked_edges(np.zeros_like(heads), heads, None, n=n, directed=as_flag(directed, "directed"))
    return weigh(graph, weights, seed=seed)


@checks_names
def complete(n: int, *, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return n vertices, each joined to every other one.

    >>> import pathfront as pf
    >>> pf.generate.complete(4)
    Graph(n=4, m=12, undirected, uint32 weights)
    """
    n, seed = as_count(n, "n", most=2**16), as_seed(seed)
    others = np.arange(max(n - 1, 0), dtype=np.uint32)
    heads = others + (others >= np.arange(n, dtype=np.uint32)[:, None])  # numbers among the others become vertices
    offsets = np.arange(n + 1, dtype=np.int64) * others.size
    return weigh(Graph._make(offsets, heads.ravel(), None, directed=False), weights, seed=seed)
