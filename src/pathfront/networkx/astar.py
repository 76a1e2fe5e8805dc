"""networkx.algorithms.shortest_paths.astar."""

from __future__ import annotations

from typing import Any

import networkx as nx

from pathfront import _core
from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.networkx.registry import implements
from pathfront.networkx.search import as_limit, is_negative, search
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
    if heuristic is None and not is_negative(G.weighed(weight)):
        found = search(G, [source], weight, cutoff=cutoff or None, target=target).to(target)
    else:
        found = _guided(G, source, target, heuristic or (lambda u, v: 0), weight, as_limit(cutoff or None))
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found


def _guided(
    G: BackendGraph, source: Any, target: Any, heuristic: Any, weight: Weight, limit: int | float | None
) -> tuple[Any, list[Any]] | None:
    """Search in the order that a heuristic gives, which is called for every node that is seen."""
    start, end = G.position(source), G.position(target)
    most = None if limit is None else float(limit)
    try:
        found: Any = _core.astar_path(G.names, G.weighed(weight).native, start, end, heuristic, most)
    except OverflowError as error:
        raise NotImplementedError(str(error)) from error
    if found is None:
        return None
    path, distance = found
    return distance, [G.names[vertex] for vertex in path.tolist()]
