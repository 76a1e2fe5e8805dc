"""networkx.algorithms.shortest_paths.weighted: Dijkstra's method."""

from __future__ import annotations

from typing import Any

import networkx as nx

from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.networkx.registry import implements
from pathfront.networkx.search import Settled, search


def require_node(G: BackendGraph, node: object, message: str) -> None:
    """Raise NetworkX's error unless a node is in the graph."""
    if node not in G:
        raise nx.NodeNotFound(message)


def _from_sources(
    G: BackendGraph, sources: Any, weight: Weight, cutoff: Any = None, target: int | None = None
) -> Settled:
    for node in sources:
        require_node(G, node, f"Node {node} not found in graph")
    return search(G, list(dict.fromkeys(sources)), weight, cutoff=cutoff, target=target)


def _require_sources(sources: Any) -> None:
    if not sources:
        raise ValueError("sources must not be empty")


@implements
def single_source_dijkstra_path_length(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Weight = "weight"
) -> dict[Any, Any]:
    """Return {node: distance}."""
    return _from_sources(G, [source], weight, cutoff).distances()
