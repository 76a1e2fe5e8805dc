"""networkx.algorithms.shortest_paths.dense: all pairs; the same distances, found by a search from each node."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np

from pathfront.exceptions import DistanceOverflowError, NegativeCycleError
from pathfront.graph import Graph
from pathfront.matrix import distance_matrix
from pathfront.networkx import search
from pathfront.networkx.graph import BackendGraph
from pathfront.networkx.registry import implements
from pathfront.validation import Array


def _arcs(G: BackendGraph, weight: Hashable) -> Graph:
    if weight is None or callable(weight):  # NetworkX looks for an attribute of this name, and finds none
        raise NotImplementedError(f"weight is {weight!r}, which names no attribute.")
    return search.complete(G, weight)


@implements
def floyd_warshall_numpy(G: BackendGraph, nodelist: Any = None, weight: Any = "weight") -> Array:
    """Return the matrix of distances, infinite where there is no path."""
    if nodelist is not None and not (len(nodelist) == len(G) == len(set(nodelist))):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    arcs = _arcs(G, weight)
    if nodelist is not None and not all(node in G for node in nodelist):
        raise nx.NetworkXError(f"Node {next(node for node in nodelist if node not in G)} in nodelist is not in G")
    order = np.arange(len(G), dtype=np.uint32) if nodelist is None else G.positions(nodelist)
    if order.size == 0:
        return np.zeros((0, 0))
    try:
        found: Array = distance_matrix(arcs, order, None if nodelist is None else order, dtype=np.float64)
    except (DistanceOverflowError, NegativeCycleError) as error:
        raise NotImplementedError(str(error)) from error
    return found


@implements
def floyd_warshall_predecessor_and_distance(
    G: BackendGraph, weight: Any = "weight"
) -> tuple[dict[Any, dict[Any, Any]], dict[Any, dict[Any, Any]]]:
    """Return ({source: {node: predecessor}}, {source: {node: distance}}); distances may be infinite."""
    arcs = _arcs(G, weight)
    loops = {G.names[v] for v in np.flatnonzero(np.bincount(arcs.heads[arcs.tails() == arcs.heads], minlength=1))}
    predecessors, distances = {}, {}
    for node in G:
        try:
            found = search.bellman_ford(G, node, weight)
        except nx.NetworkXUnbounded as error:
            raise NotImplementedError("the graph has a negative cycle.") from error
        before = {other: parent for other, parent in found.predecessor().items() if other != node}
        if node in loops:
            before[node] = node
        if before:
            predecessors[node] = before
        distances[node] = dict.fromkeys(G, math.inf) | found.distances()
    return predecessors, distances


@implements
def floyd_warshall(G: BackendGraph, weight: Any = "weight") -> dict[Any, dict[Any, Any]]:
    """Return {source: {node: distance}}; distances may be infinite."""
    return floyd_warshall_predecessor_and_distance(G, weight)[1]
