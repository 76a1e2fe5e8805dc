"""Graphs of one plain shape."""

from __future__ import annotations

import numpy as np

from pathfront.build import from_checked_edges
from pathfront.checks import MOST_VERTICES, as_count, as_seed
from pathfront.generate.weights import weigh
from pathfront.graph import Graph


def chain(n: int, *, directed: bool = False, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return a path 0 - 1 - 2 - ... of n vertices: the largest diameter there is.

    >>> import pathfront as pf
    >>> pf.generate.chain(4).to_edges().heads.tolist()
    [1, 2, 3]
    """
    n, seed = as_count(n, "n", most=MOST_VERTICES), as_seed(seed)
    ids = np.arange(n, dtype=np.uint32)
    return weigh(from_checked_edges(ids[:-1], ids[1:], None, n=n, directed=directed), weights, seed=seed)
