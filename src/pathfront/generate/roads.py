"""Road-like graphs: the properties that make road networks hard for parallel methods, without a map.

Roads have few arcs per vertex (2.4 to 2.8 in the networks of the ninth DIMACS challenge), a diameter that grows like
the square root of their size, hardly any crossings without a vertex, and lengths that follow from coordinates. Here the
vertices are a grid whose points were moved at random by less than half a step, so that no two roads cross. A random
spanning tree of the grid's edges connects them, with detours, dead ends and vertices of degree two; a share of the
other edges closes cycles.
"""

from __future__ import annotations

import math

import numpy as np

from pathfront import _core
from pathfront.generate.numbers import floats, integers
from pathfront.generate.weights import weigh_located
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import Array, as_count, as_fraction, as_seed, available_cores
from pathfront.wording import checks_names

_STEP = 1000  # between grid points, in decimetres
_MOVE = 400  # at most, in both directions: less than half a step
_MOST_VERTICES = 2**31 - 1  # fewer than 2^32 grid edges


@checks_names
def road_like(n: int, *, extra: float = 0.3, weights: str = "coordinates", seed: int = 0) -> Graph:
    """Return a connected graph like a road network: low degree, high diameter, coordinates, no crossings.

    `extra` is the share of the grid's edges beyond a spanning tree that are roads too: a vertex has 2 + 2 * extra arcs
    on average. Coordinates are in decimetres, weights by default the rounded lengths of the roads, as uint32.

    >>> import pathfront as pf
    >>> graph = pf.generate.road_like(1000)
    >>> graph
    Graph(n=1000, m=2576, undirected, uint32 weights, coordinates)
    >>> bool(pf.shortest_paths(graph, 0).reached.all())
    True
    """
    n, seed = as_count(n, "n", most=_MOST_VERTICES), as_seed(seed)
    extra = as_fraction(extra, "extra")
    columns = max(1, math.isqrt(n))
    tails, heads = _grid_edges(n, columns)
    chosen = np.empty(tails.size, np.uint8)
    _core.random_spanning_tree(tails, heads, n, seed, 10, chosen, available_cores())
    roads = (chosen != 0) | (floats(tails.size, seed=seed, stream=11) < extra)
    rows, across = np.divmod(np.arange(n), columns)
    moves = integers(2 * n, 0, 2 * _MOVE, seed=seed, stream=12).reshape(n, 2)
    points = np.stack([across, rows], axis=1) * _STEP + moves
    graph = from_checked_edges(tails[roads], heads[roads], None, n=n, directed=False, coordinates=points)
    return weigh_located(graph, weights, seed=seed)


def _grid_edges(n: int, columns: int) -> tuple[Array, Array]:
    """Return the edges of a grid whose last row may be cut short: to the right and below of each vertex."""
    ids = np.arange(n, dtype=np.uint32)
    right = ids[: max(n - 1, 0)]
    right = right[right % columns != columns - 1]
    down = ids[: max(n - columns, 0)]
    return np.concatenate([right, down]), np.concatenate([right + np.uint32(1), down + np.uint32(columns)])
