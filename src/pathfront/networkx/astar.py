"""networkx.algorithms.shortest_paths.astar, without a heuristic: see `interface.can_run`."""

from __future__ import annotations

from typing import Any

import networkx as nx

from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.networkx.registry import implements
from pathfront.networkx.search import search
from pathfront.networkx.weighted import require_node


@implements
def astar_path(
    G: BackendGraph, source: Any, target: Any, heuristic: Any = None, weight: Weight = "weight", *, cutoff: Any = None
) -> list[Any]:
    """Return a shortest path."""
    require_node(G, source, f"Source {source} is not in G")
    require_node(G, target, f"Target {target} is not in G")
    return _found(G, source, target, heuristic, weight, cutoff)[1]


@implements
def astar_path_length(
    G: BackendGraph, source: Any, target: Any, heuristic: Any = None, weight: Weight = "weight", *, cutoff: Any = None
) -> Any:
    """Return the distance between two nodes."""
    if source not in G or target not in G:
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    return _found(G, source, target, heuristic, weight, cutoff)[0]


def _found(
    G: BackendGraph, source: Any, target: Any, heuristic: Any, weight: Weight, cutoff: Any
) -> tuple[Any, list[Any]]:
    if heuristic is not None:
        raise NotImplementedError("a heuristic is a function of Python, called for every node that is seen.")
    found = search(G, [source], weight, cutoff=cutoff or None, target=target).to(target)
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found
