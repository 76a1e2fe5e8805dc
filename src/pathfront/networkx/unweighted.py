"""networkx.algorithms.shortest_paths.unweighted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx as nx

from pathfront.networkx.graph import BackendGraph
from pathfront.networkx.registry import implements
from pathfront.networkx.search import Settled, as_limit, pair, settle
from pathfront.networkx.weighted import Distances, Paths, require_node


def _levels(G: BackendGraph, source: Any, cutoff: Any = None, *, target: Any = None, backward: bool = False) -> Settled:
    """Search by hops; a level is explored if the one before is less than the cutoff."""
    limit = as_limit(cutoff)
    if limit is None and cutoff is not None:  # NaN is not greater than any level
        limit = 0
    if limit is not None and limit != math.inf:
        limit = max(math.ceil(limit), 0)
    arcs = G.hops.reverse() if backward else G.hops
    return settle(G, arcs, G.positions([source]), cutoff=limit)


@implements
def single_source_shortest_path_length(G: BackendGraph, source: Any, cutoff: Any = None) -> Distances:
    """Return {node: hops from the source}."""
    require_node(G, source, f"Source {source} is not in G")
    return _levels(G, source, cutoff).distances()


@implements
def single_target_shortest_path_length(G: BackendGraph, target: Any, cutoff: Any = None) -> Distances:
    """Return {node: hops to the target}."""
    require_node(G, target, f"Target {target} is not in G")
    return _levels(G, target, cutoff, backward=True).distances()


@implements
def all_pairs_shortest_path_length(G: BackendGraph, cutoff: Any = None) -> Iterator[tuple[Any, Distances]]:
    """Yield (node, {node: hops}) for every node."""
    as_limit(cutoff)
    return ((node, _levels(G, node, cutoff).distances()) for node in G)


@implements
def bidirectional_shortest_path(G: BackendGraph, source: Any, target: Any) -> list[Any]:
    """Return a path of the fewest hops."""
    require_node(G, source, f"Source {source} is not in G")
    require_node(G, target, f"Target {target} is not in G")
    found = pair(G, source, target, None)
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found[1]


@implements
def single_source_shortest_path(G: BackendGraph, source: Any, cutoff: Any = None) -> Paths:
    """Return {node: path from the source}."""
    require_node(G, source, f"Source {source} not in G")
    return _levels(G, source, cutoff).paths()


@implements
def single_target_shortest_path(G: BackendGraph, target: Any, cutoff: Any = None) -> Paths:
    """Return {node: path to the target}."""
    require_node(G, target, f"Target {target} not in G")
    return _levels(G, target, cutoff, backward=True).paths(turned=True)


@implements
def all_pairs_shortest_path(G: BackendGraph, cutoff: Any = None) -> Iterator[tuple[Any, Paths]]:
    """Yield (node, {node: path}) for every node."""
    as_limit(cutoff)
    return ((node, _levels(G, node, cutoff).paths()) for node in G)


@implements
def predecessor(G: BackendGraph, source: Any, target: Any = None, cutoff: Any = None, return_seen: Any = None) -> Any:
    """Return {node: predecessors}, or those of the target; with `return_seen` the hops, too."""
    require_node(G, source, f"Source {source} not in G")
    # NetworkX explores a level before it looks at the cutoff, and takes 0 and NaN for none.
    found = _levels(G, source, max(cutoff, 1) if cutoff and cutoff == cutoff else None)
    if target is None:
        return (found.predecessors(), found.distances()) if return_seen else found.predecessors()
    before, hops = found.predecessors().get(target, []), found.distance_to(target)
    return (before, -1 if hops is None else hops) if return_seen else before
