"""networkx.algorithms.shortest_paths.weighted: what negative weights are allowed in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from pathfront.exceptions import NegativeCycleError
from pathfront.graph import Graph
from pathfront.networkx import search
from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.networkx.registry import implements
from pathfront.networkx.search import Settled, complete, is_negative
from pathfront.networkx.weighted import Distances, Paths, require_node


def _from(G: BackendGraph, source: Any, weight: Weight) -> Settled:
    require_node(G, source, f"Source {source} not in G")
    return search.bellman_ford(G, source, weight)


@implements
def bellman_ford_path(G: BackendGraph, source: Any, target: Any, weight: Weight = "weight") -> list[Any]:
    """Return a shortest path."""
    path: list[Any] = single_source_bellman_ford(G, source, target, weight)[1]
    return path


@implements
def bellman_ford_path_length(G: BackendGraph, source: Any, target: Any, weight: Weight = "weight") -> Any:
    """Return the distance between two nodes."""
    if source == target:
        require_node(G, source, f"Node {source} not found in graph")
        return 0
    found = _from(G, source, weight).distance_to(target)
    if found is None:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return found


@implements
def single_source_bellman_ford_path(G: BackendGraph, source: Any, weight: Weight = "weight") -> Paths:
    """Return {node: path}."""
    return _from(G, source, weight).paths()


@implements
def single_source_bellman_ford_path_length(G: BackendGraph, source: Any, weight: Weight = "weight") -> Distances:
    """Return {node: distance}."""
    return _from(G, source, weight).distances()


@implements
def single_source_bellman_ford(
    G: BackendGraph, source: Any, target: Any = None, weight: Weight = "weight"
) -> tuple[Any, Any]:
    """Return ({node: distance}, {node: path}), or these of one target."""
    if source == target:
        require_node(G, source, f"Node {source} is not found in the graph")
        return 0, [source]
    found = _from(G, source, weight)
    if target is None:
        return found.distances(), found.paths()
    reached = found.to(target)
    if reached is None:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return reached


@implements
def all_pairs_bellman_ford_path_length(G: BackendGraph, weight: Weight = "weight") -> Iterator[tuple[Any, Distances]]:
    """Yield (node, distances) for every node."""
    complete(G, weight)
    return ((node, single_source_bellman_ford_path_length(G, node, weight)) for node in G)


@implements
def all_pairs_bellman_ford_path(G: BackendGraph, weight: Weight = "weight") -> Iterator[tuple[Any, Paths]]:
    """Yield (node, paths) for every node."""
    complete(G, weight)
    return ((node, single_source_bellman_ford_path(G, node, weight)) for node in G)


@implements
def bellman_ford_predecessor_and_distance(
    G: BackendGraph, source: Any, target: Any = None, weight: Weight = "weight", heuristic: bool = False
) -> tuple[Paths, Distances]:
    """Return ({node: all predecessors on shortest paths}, {node: distance}).

    NetworkX takes `target` and ignores it; `heuristic` makes it detect negative cycles sooner, which is not needed.
    """
    require_node(G, source, f"Node {source} is not found in the graph")
    _require_loops(G, weight)
    if len(G) == 1:  # NetworkX does not look at its loop
        return {source: []}, {source: 0}
    found = search.bellman_ford(G, source, weight)
    return found.predecessors(), found.distances()


@implements
def goldberg_radzik(G: BackendGraph, source: Any, weight: Weight = "weight") -> tuple[dict[Any, Any], Distances]:
    """Return ({node: predecessor}, {node: distance})."""
    require_node(G, source, f"Node {source} is not found in the graph")
    _require_loops(G, weight)
    found = search.bellman_ford(G, source, weight)
    return found.predecessor(), found.distances()


def _require_loops(G: BackendGraph, weight: Weight) -> None:
    """Raise for a loop of negative weight, also where the source does not reach it: NetworkX does."""
    arcs = complete(G, weight)
    if is_negative(arcs):
        weights = arcs.weights
        assert weights is not None
        if bool(np.any(weights[arcs.tails() == arcs.heads] < 0)):
            raise nx.NetworkXUnbounded("Negative cycle detected.")


@implements
def negative_edge_cycle(G: BackendGraph, weight: Weight = "weight", heuristic: bool = True) -> bool:
    """Return whether some cycle is negative. `heuristic` makes NetworkX faster; it does not change the answer."""
    arcs = complete(G, weight)
    if not is_negative(arcs):
        return False
    try:
        _potentials(arcs)
    except NegativeCycleError:
        return True
    return False


def _potentials(arcs: Graph) -> np.ndarray[Any, Any]:
    """Return the distance of each vertex from the closest of all."""
    everywhere = np.arange(arcs.n, dtype=np.uint32)
    return search.solve(arcs, everywhere, parent=np.empty(arcs.n, np.uint32)).distance


@implements
def find_negative_cycle(G: BackendGraph, source: Any, weight: Weight = "weight") -> list[Any]:
    """Return a negative cycle that can be reached from a node; its first node is also the last."""
    require_node(G, source, f"Source {source} not in G")
    arcs = complete(G, weight)
    if is_negative(arcs):
        try:
            search.solve(arcs, G.positions([source]), parent=np.empty(arcs.n, np.uint32))
        except NegativeCycleError as error:
            positions: list[Any] = error.cycle
            cycle = [G.names[vertex] for vertex in positions]
            return [*cycle, cycle[0]]
    raise nx.NetworkXError("No negative cycles detected.")


@implements
def johnson(G: BackendGraph, weight: Weight = "weight") -> dict[Any, Paths]:
    """Return {source: {node: path}}."""
    arcs = complete(G, weight)
    if is_negative(arcs):
        weights = arcs.weights
        assert weights is not None
        if weights.dtype.kind == "f":  # reduced weights would be rounded, and some below 0
            return {node: search.bellman_ford(G, node, weight).paths() for node in G}
        try:
            potentials = _potentials(arcs)
        except NegativeCycleError as error:
            raise nx.NetworkXUnbounded("Negative cycle detected.") from error
        if int(np.abs(weights).max()) * (arcs.n + 1) >= 2**61:
            raise NotImplementedError("sums of these weights may need more than 64 bits.")
        arcs = arcs.with_weights(weights + potentials[arcs.tails()] - potentials[arcs.heads])
    return {node: search.settle(G, arcs, G.positions([node])).paths() for node in G}
