"""networkx.algorithms.shortest_paths.weighted: Dijkstra's method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx

from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.networkx.registry import implements
from pathfront.networkx.search import Answer, is_negative, pair, search, settle

Distances = dict[Any, Any]
Paths = dict[Any, list[Any]]


def require_node(G: BackendGraph, node: object, message: str) -> None:
    """Raise NetworkX's error unless a node is in the graph."""
    if node not in G:
        raise nx.NodeNotFound(message)


def _from_sources(G: BackendGraph, sources: Any, weight: Weight, cutoff: Any = None, target: Any = None) -> Answer:
    if not sources:
        raise ValueError("sources must not be empty")
    for node in sources:
        require_node(G, node, f"Node {node} not found in graph")
    return search(G, list(dict.fromkeys(sources)), weight, cutoff=cutoff, target=target)


@implements
def dijkstra_path(G: BackendGraph, source: Any, target: Any, weight: Weight = "weight") -> list[Any]:
    """Return a shortest path."""
    path: list[Any] = single_source_dijkstra(G, source, target, weight=weight)[1]
    return path


@implements
def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: Weight = "weight") -> Any:
    """Return the distance between two nodes."""
    require_node(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    found = search(G, [source], weight, target=target).distance_to(target)
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found


@implements
def single_source_dijkstra_path(G: BackendGraph, source: Any, cutoff: Any = None, weight: Weight = "weight") -> Paths:
    """Return {node: path}."""
    return _from_sources(G, [source], weight, cutoff).paths()


@implements
def single_source_dijkstra_path_length(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Weight = "weight"
) -> Distances:
    """Return {node: distance}."""
    return _from_sources(G, [source], weight, cutoff).distances()


@implements
def single_source_dijkstra(
    G: BackendGraph, source: Any, target: Any = None, cutoff: Any = None, weight: Weight = "weight"
) -> tuple[Any, Any]:
    """Return ({node: distance}, {node: path}), or these of one target."""
    return multi_source_dijkstra(G, [source], target, cutoff, weight)


@implements
def multi_source_dijkstra_path(G: BackendGraph, sources: Any, cutoff: Any = None, weight: Weight = "weight") -> Paths:
    """Return {node: path from the closest source}."""
    return _from_sources(G, sources, weight, cutoff).paths()


@implements
def multi_source_dijkstra_path_length(
    G: BackendGraph, sources: Any, cutoff: Any = None, weight: Weight = "weight"
) -> Distances:
    """Return {node: distance from the closest source}."""
    return _from_sources(G, sources, weight, cutoff).distances()


@implements
def multi_source_dijkstra(
    G: BackendGraph, sources: Any, target: Any = None, cutoff: Any = None, weight: Weight = "weight"
) -> tuple[Any, Any]:
    """Return ({node: distance}, {node: path}) from the closest source, or these of one target."""
    found = _from_sources(G, sources, weight, cutoff, target)
    if target in sources:
        return 0, [target]
    if target is None:
        return found.distances(), found.paths()
    reached = found.to(target)
    if reached is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return reached


@implements
def dijkstra_predecessor_and_distance(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Weight = "weight"
) -> tuple[Paths, Distances]:
    """Return ({node: all predecessors on shortest paths}, {node: distance})."""
    require_node(G, source, f"Node {source} is not found in the graph")
    found = search(G, [source], weight, cutoff=cutoff)
    return found.predecessors(), found.distances()


@implements
def all_pairs_dijkstra(
    G: BackendGraph, cutoff: Any = None, weight: Weight = "weight"
) -> Iterator[tuple[Any, tuple[Distances, Paths]]]:
    """Yield (node, (distances, paths)) for every node."""
    return _each(G, weight, cutoff, lambda found: (found.distances(), found.paths()))


@implements
def all_pairs_dijkstra_path_length(
    G: BackendGraph, cutoff: Any = None, weight: Weight = "weight"
) -> Iterator[tuple[Any, Distances]]:
    """Yield (node, distances) for every node."""
    return _each(G, weight, cutoff, lambda found: found.distances())


@implements
def all_pairs_dijkstra_path(
    G: BackendGraph, cutoff: Any = None, weight: Weight = "weight"
) -> Iterator[tuple[Any, Paths]]:
    """Yield (node, paths) for every node."""
    return _each(G, weight, cutoff, lambda found: found.paths())


def _each(G: BackendGraph, weight: Weight, cutoff: Any, taken: Callable[[Answer], Any]) -> Iterator[Any]:
    arcs = G.weighed(weight)  # now: an error raised by the first step of a generator comes too late for a fallback
    if is_negative(arcs):
        return ((node, taken(search(G, [node], weight, cutoff=cutoff))) for node in G)
    return ((node, taken(settle(G, arcs, G.positions([node]), cutoff=cutoff))) for node in G)


@implements
def bidirectional_dijkstra(
    G: BackendGraph, source: Any, target: Any, weight: Weight = "weight"
) -> tuple[Any, list[Any]]:
    """Return the distance between two nodes, and a shortest path."""
    require_node(G, source, f"Source {source} is not in G")
    require_node(G, target, f"Target {target} is not in G")
    if source == target:
        return 0, [source]
    found = pair(G, source, target, weight)
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found
