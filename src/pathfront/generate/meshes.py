"""Meshes of triangles and tetrahedra: even degrees, a diameter that grows like a root of the size."""

from __future__ import annotations

import itertools
import math

import numpy as np

from pathfront.generate.numbers import floats
from pathfront.generate.weights import weigh_located
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import MOST_VERTICES, Array, as_count, as_seed
from pathfront.wording import checks_names
from pathfront.workers import interruptible

_MOST_POINTS = 2**31 // 10  # Qhull counts with 32-bit integers


@checks_names
def delaunay(n: int, *, weights: str = "coordinates:1000", seed: int = 0) -> Graph:
    """Return the Delaunay triangulation of n points, uniform in a square of area n: close to 6 arcs per vertex.

    Lengths are rounded to whole numbers (uint32), by default in thousandths of the mean spacing.

    >>> import pathfront as pf
    >>> pf.generate.delaunay(1000)
    Graph(n=1000, m=5956, undirected, uint32 weights, coordinates)
    """
    n, seed = as_count(n, "n", most=_MOST_POINTS), as_seed(seed)
    points = floats(2 * n, seed=seed, stream=10).reshape(n, 2) * math.sqrt(n)
    offsets, heads = _triangulated(points)
    # Qhull finds the triangles in an order of its own; sorted rows do not depend on it.
    graph = Graph._make(offsets, heads, None, directed=False, coordinates=points).simplified()
    return weigh_located(graph, weights, seed=seed)


def _triangulated(points: Array) -> tuple[Array, Array]:
    if len(points) < 3:  # too few for a triangle; two are joined all the same
        two = len(points) == 2
        return np.arange(len(points) + 1) * two, np.array([1, 0][: 2 * two], np.uint32)
    from scipy.spatial import Delaunay

    offsets, heads = interruptible(lambda: Delaunay(points).vertex_neighbor_vertices)
    return offsets.astype(np.int64), heads.astype(np.uint32)


@checks_names
def mesh3d(x: int, y: int, z: int, *, weights: str = "coordinates:1000", seed: int = 0) -> Graph:
    """Return a mesh of tetrahedra: x * y * z points, each cube between them cut into six (Freudenthal 1942).

    An inner vertex is joined to 14 others. The points are moved at random, by less than half a step along each axis;
    vertex `(i * y + j) * z + k` lies near (i, j, k). Lengths are rounded to whole numbers (uint32), by default in
    thousandths of a step.

    >>> import pathfront as pf
    >>> pf.generate.mesh3d(10, 10, 10)
    Graph(n=1000, m=11718, undirected, uint32 weights, coordinates)
    """
    shape = tuple(as_count(side, name, least=1) for side, name in ((x, "x"), (y, "y"), (z, "z")))
    n = as_count(math.prod(shape), "x * y * z", most=MOST_VERTICES)
    seed = as_seed(seed)
    ids = np.arange(n, dtype=np.uint32).reshape(shape)
    tails, heads = [], []
    for steps in itertools.product((0, 1), repeat=3):
        if any(steps):
            tails.append(ids[tuple(slice(0, side - step) for side, step in zip(shape, steps, strict=True))].ravel())
            heads.append(ids[tuple(slice(step, None) for step in steps)].ravel())
    moves = floats(3 * n, seed=seed, stream=10).reshape(n, 3) * 0.5
    points = np.stack(np.unravel_index(np.arange(n), shape), axis=1) + moves
    ends = np.concatenate(tails), np.concatenate(heads)
    graph = from_checked_edges(*ends, None, n=n, directed=False, coordinates=points)
    return weigh_located(graph, weights, seed=seed)
