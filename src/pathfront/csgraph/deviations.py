"""The k shortest paths without loops (Yen 1971), each next one a deviation from those before.

A deviation leaves a path at a spur: it may neither return to the vertices before the spur nor take an arc that a found
path with the same beginning takes there. Such arcs become loops for the time of a search, which no shortest path uses,
so the rows of the graph stay as they are. As Lawler (1972) noted, spurs before the one at which a path itself left
another give nothing new.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pathfront import _core
from pathfront.csgraph import rows
from pathfront.graph import NO_VERTEX, Graph


class Found(NamedTuple):
    """A path and its length; compared by the length first."""

    length: float
    vertices: tuple[int, ...]
    spur: int
    """The index of the vertex at which it leaves another path."""


def shortest(graph: Graph, source: int, sink: int) -> Iterator[Found]:
    """Yield the paths from source to sink, the shortest first. Weights are not negative."""
    heads = np.array(graph.heads)
    cut = Graph._make(graph.offsets, heads.view(), graph.weights, directed=True)
    first = _path(cut, (), source, sink)
    waiting = [] if first is None else [Found(_length(graph, first), first, 0)]
    found: list[tuple[int, ...]] = []
    while waiting:
        best = heapq.heappop(waiting)
        yield best
        found.append(best.vertices)
        for spur in range(best.spur, len(best.vertices) - 1):
            root = best.vertices[: spur + 1]
            closed = [np.arange(graph.offsets[v], graph.offsets[v + 1]) for v in root[:-1]]
            taken = {path[spur + 1] for path in found if path[: spur + 1] == root}
            row = np.arange(graph.offsets[root[-1]], graph.offsets[root[-1] + 1])
            arcs = np.concatenate([*closed, row[np.isin(graph.heads[row], list(taken))]])
            heads[arcs] = np.repeat(root, [*map(len, closed), arcs.size - sum(map(len, closed))])
            path = _path(cut, root[:-1], root[-1], sink)
            heads[arcs] = graph.heads[arcs]
            if path is not None:
                heapq.heappush(waiting, Found(_length(graph, path), path, spur))


def _path(graph: Graph, root: tuple[int, ...], spur: int, sink: int) -> tuple[int, ...] | None:
    """Return the root followed by the shortest path from the spur, or None if there is none."""
    _, parent = rows.search(graph, spur, targets=np.array([sink], np.uint32))
    if parent[sink] == NO_VERTEX and sink != spur:
        return None
    return (*root, *np.asarray(_core.path_to(parent, sink)).tolist())


def _length(graph: Graph, path: tuple[int, ...]) -> float:
    """Return the sum of a path's weights: exact for integers, for floats rounded after each arc."""
    if graph.weights is None or len(path) == 1:
        return len(path) - 1
    weights = rows.weights_along(graph, path)
    return float(np.add.accumulate(weights)[-1]) if weights.dtype.kind == "f" else sum(weights.tolist())
