"""Graphs of NetworKit: ids of removed vertices stay unused, and edges have ids after `indexEdges()` only."""

from __future__ import annotations

from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError
from pathfront.graph.graph import Graph
from pathfront.graph.libraries.reading import DEFAULT_WEIGHT, PAIR, made, require_name, require_of
from pathfront.validation import Array, as_weights
from pathfront.wording import shown

_WEIGHTED = np.dtype([*PAIR.descr, ("weight", np.float64)])


def from_networkit(graph: Any, weight: str | None) -> Graph:
    """See `Graph.from_networkit`."""
    require_of(graph, "networkit", "Graph")
    require_name(weight)
    count = graph.numberOfEdges()
    own = weight == DEFAULT_WEIGHT and graph.isWeighted()
    ids, weights = np.arange(count), None
    if graph.hasEdgeIds():
        ends, ids = _by_id(graph, count)
    elif own:
        ends = np.fromiter(graph.iterEdgesWeights(), _WEIGHTED, count)
    else:
        ends = np.fromiter(graph.iterEdges(), PAIR, count)
    if own:
        weights = np.ascontiguousarray(ends["weight"])
    elif weight is not None and weight != DEFAULT_WEIGHT:
        weights = _attribute(graph, weight, ids)
    vertices = np.fromiter(graph.iterNodes(), np.int64, graph.numberOfNodes())
    return made(ends["tail"], ends["head"], weights, vertices, directed=graph.isDirected(), edge_ids=ids)


def _by_id(graph: Any, count: int) -> tuple[Array, Array]:
    """Return edges with their weights and ids; only callbacks get the ids."""
    found: list[tuple[int, int, float]] = []
    ids: list[int] = []

    def take(tail: int, head: int, weight: float, edge: int) -> None:
        found.append((tail, head, weight))
        ids.append(edge)

    graph.forEdges(take)
    return np.fromiter(found, _WEIGHTED, count), np.fromiter(ids, np.int64, count)


def _attribute(graph: Any, name: str, ids: Array) -> Array | None:
    """Return the values of an edge attribute; their type must be known to open it, and missing ones are left out."""
    if not graph.hasEdgeIds():
        raise ArgumentError(f"weight is {shown(name)}, but the edges have no attributes before graph.indexEdges().")
    for kind in (float, int):
        try:
            values = dict(graph.getEdgeAttribute(name, kind))
        except RuntimeError:  # another type, or no such attribute
            continue
        missing = next((edge for edge in ids.tolist() if edge not in values), None)
        if missing is not None:
            raise ArgumentError(f"edge {missing} has no value of {name!r}; give it one, or pass weight=None.")
        return as_weights([values[edge] for edge in ids.tolist()], f"attribute {name!r}")
    raise ArgumentError(
        f"weight is {shown(name)}, but no attribute of the edges has this name and holds numbers; "
        "leave weight out for NetworKit's own weights, or pass weight=None to count hops."
    )
