"""Grids."""

from __future__ import annotations

import numpy as np

from pathfront.generate.weights import weigh
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import MOST_VERTICES, as_count, as_seed
from pathfront.wording import checks_names


@checks_names
def grid(rows: int, columns: int, *, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return a grid, each vertex joined to its neighbours left, right, above and below.

    Vertex `row * columns + column` lies at coordinates (column, row).

    >>> import pathfront as pf
    >>> pf.generate.grid(3, 4)
    Graph(n=12, m=34, undirected, uint32 weights, coordinates)
    """
    rows, columns = as_count(rows, "rows", least=1), as_count(columns, "columns", least=1)
    as_count(rows * columns, "rows * columns", most=MOST_VERTICES)
    seed = as_seed(seed)
    ids = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    tails = np.concatenate([ids[:, :-1].ravel(), ids[:-1, :].ravel()])
    heads = np.concatenate([ids[:, 1:].ravel(), ids[1:, :].ravel()])
    points = np.stack([np.tile(np.arange(columns), rows), np.repeat(np.arange(rows), columns)], axis=1)
    graph = from_checked_edges(tails, heads, None, n=ids.size, directed=False, coordinates=points)
    return weigh(graph, weights, seed=seed)
