"""networkx.algorithms.shortest_paths.generic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from pathfront.dtypes import unreached_marker
from pathfront.networkx import bellman_ford, search, unweighted, weighted
from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.networkx.registry import implements
from pathfront.networkx.weighted import Paths, require_node


def _method(weight: Weight, method: str) -> str:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


@implements
def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    """Return whether there is a path."""
    require_node(G, source, f"Source {source} is not in G")
    require_node(G, target, f"Target {target} is not in G")
    return search.search(G, [source], None, target=target).distance_to(target) is not None


@implements
def shortest_path(
    G: BackendGraph, source: Any = None, target: Any = None, weight: Weight = None, method: str = "dijkstra"
) -> Any:
    """Return the path of one pair, {node: path} from a source or to a target, or an iterator over all sources."""
    method = _method(weight, method)
    if source is None and target is None:
        if method == "unweighted":
            return unweighted.all_pairs_shortest_path(G)
        if method == "dijkstra":
            return weighted.all_pairs_dijkstra_path(G, weight=weight)
        return bellman_ford.all_pairs_bellman_ford_path(G, weight)
    if source is None:
        return _backward(G, target, weight, method).paths(turned=True)
    if target is None:
        if method == "unweighted":
            return unweighted.single_source_shortest_path(G, source)
        if method == "dijkstra":
            return weighted.single_source_dijkstra_path(G, source, weight=weight)
        return bellman_ford.single_source_bellman_ford_path(G, source, weight)
    if method == "unweighted":
        return unweighted.bidirectional_shortest_path(G, source, target)
    if method == "dijkstra":
        return weighted.bidirectional_dijkstra(G, source, target, weight)[1]
    return bellman_ford.bellman_ford_path(G, source, target, weight)


@implements
def shortest_path_length(
    G: BackendGraph, source: Any = None, target: Any = None, weight: Weight = None, method: str = "dijkstra"
) -> Any:
    """Return the distance of one pair, {node: distance} from a source or to a target, or an iterator."""
    method = _method(weight, method)
    if source is None and target is None:
        if method == "unweighted":
            return unweighted.all_pairs_shortest_path_length(G)
        if method == "dijkstra":
            return weighted.all_pairs_dijkstra_path_length(G, weight=weight)
        return bellman_ford.all_pairs_bellman_ford_path_length(G, weight)
    if source is None:
        return _backward(G, target, weight, method).distances()
    if target is None:
        if method == "unweighted":
            return unweighted.single_source_shortest_path_length(G, source)
        if method == "dijkstra":
            return weighted.single_source_dijkstra_path_length(G, source, weight=weight)
        return bellman_ford.single_source_bellman_ford_path_length(G, source, weight)
    if method == "unweighted":
        return len(unweighted.bidirectional_shortest_path(G, source, target)) - 1
    if method == "dijkstra":
        return weighted.dijkstra_path_length(G, source, target, weight)
    return bellman_ford.bellman_ford_path_length(G, source, target, weight)


def _backward(G: BackendGraph, target: Any, weight: Weight, method: str) -> search.Answer:
    what = {"unweighted": f"Source {target} not in G", "dijkstra": f"Node {target} not found in graph"}
    require_node(G, target, what.get(method, f"Source {target} not in G"))
    if method == "bellman-ford":
        return search.bellman_ford(G, target, weight, backward=True)
    return search.search(G, [target], weight, backward=True)


@implements
def average_shortest_path_length(G: BackendGraph, weight: Weight = None, method: str | None = None) -> float:
    """Return the mean distance over all pairs."""
    if method is None:
        method = "unweighted" if weight is None else "dijkstra"
    if method not in ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    _require_connected(G)
    arcs = G.hops if method == "unweighted" else search.complete(G, weight)
    if method == "dijkstra" and search.is_negative(arcs):
        raise NotImplementedError("some weight is negative, and Dijkstra's method does not take such.")
    total: Any = 0
    for node in G:
        if search.is_negative(arcs):
            distance = search.bellman_ford(G, node, weight).distance
        else:
            distance = search.solve(arcs, G.positions([node])).distance
        total += _sum(distance)
    return float(total / (n * (n - 1)))


def _sum(distance: np.ndarray[Any, Any]) -> Any:
    """Return the sum of distances, exact for integers."""
    if distance.dtype.kind == "f" or distance.dtype.itemsize == 4:
        return distance.sum().item()
    return sum(distance.tolist())


def _require_connected(G: BackendGraph) -> None:
    """Raise unless the first node reaches every other, and every other reaches it."""
    for arcs in {id(arcs): arcs for arcs in (G.hops, G.hops.reverse())}.values():
        distance = search.solve(arcs, np.zeros(1, np.uint32)).distance
        if (distance == unreached_marker(distance.dtype)).any():
            kind = "strongly connected" if G.is_directed() else "connected"
            raise nx.NetworkXError(f"Graph is not {kind}.")


@implements
def all_shortest_paths(
    G: BackendGraph, source: Any, target: Any, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    """Yield all shortest paths of one pair."""
    return _paths_along({source}, target, _predecessors(G, source, weight, method, target))


@implements
def single_source_all_shortest_paths(
    G: BackendGraph, source: Any, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, list[list[Any]]]]:
    """Yield (node, all shortest paths to it)."""
    before = _predecessors(G, source, weight, method)
    return ((node, list(_paths_along({source}, node, before))) for node in before)


@implements
def all_pairs_all_shortest_paths(
    G: BackendGraph, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    """Yield (source, {node: all shortest paths}) for every source."""
    G.weighed(weight)
    return ((node, dict(single_source_all_shortest_paths(G, node, weight, method))) for node in G)


def _predecessors(G: BackendGraph, source: Any, weight: Weight, method: str, target: Any = None) -> Paths:
    if weight is None:
        require_node(G, source, f"Source {source} not in G")
        return search.search(G, [source], None, target=target).predecessors()
    if method == "dijkstra":
        require_node(G, source, f"Node {source} is not found in the graph")
        return search.search(G, [source], weight, target=target).predecessors()
    if method == "bellman-ford":
        return bellman_ford.bellman_ford_predecessor_and_distance(G, source, weight=weight)[0]
    raise ValueError(f"method not supported: {method}")


def _paths_along(sources: set[Any], target: Any, before: Paths) -> Iterator[list[Any]]:
    """Yield the paths to a node along predecessors, depth first; no path visits a node twice."""
    if target not in before:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    path, left = [target], [iter(before[target])]
    on_path = {target}
    if target in sources:
        yield [target]
    while path:
        node = next((node for node in left[-1] if node not in on_path), None)
        if node is None:
            on_path.discard(path.pop())
            left.pop()
            continue
        path.append(node)
        on_path.add(node)
        left.append(iter(before[node]))
        if node in sources:
            yield path[::-1]
