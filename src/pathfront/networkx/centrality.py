"""networkx.algorithms.centrality, distance_measures and voronoi; ego_graph.

Where NetworkX's own answer depends on more than distances, its code runs on the converted graph: with weights of zero,
where its numbers of paths depend on the order of adjacency, with negative ones, and with functions as weights that it
calls on reversed edges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

from pathfront import _core, centrality
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import DistanceOverflowError, NoPathError, PathCountError
from pathfront.graph import NO_VERTEX, Graph, index
from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.networkx.registry import implements
from pathfront.networkx.search import Settled, search
from pathfront.networkx.weighted import require_node
from pathfront.validation import Array

Values = dict[Any, Any]


def _theirs(name: str, G: BackendGraph, *arguments: Any, **options: Any) -> Any:
    """Return what NetworkX's own code does."""
    return nx.utils.backends._registered_algorithms[name].orig_func(G.to_networkx(), *arguments, **options)


def _measured(measure: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    try:
        return measure(*arguments, **options)
    except (DistanceOverflowError, PathCountError) as error:
        raise NotImplementedError(str(error)) from error


def _is_odd(arcs: Graph, *, zero: bool) -> bool:
    """Return whether some weight is negative, or 0 unless `zero`."""
    lightest = arcs.weight_summary().lightest if arcs.m else 1
    return lightest < 0 or (lightest == 0 and not zero)


def _places(positions: Array) -> list[Any]:
    return [index(int(v)) for v in positions]


def _sampled(G: BackendGraph, k: int | None, seed: Any) -> list[Any] | None:
    """Return the sources as NetworkX draws them, from the same generator; None for all."""
    if k is None:
        return None
    return _places(G.positions(nx.utils.create_py_random_state(seed).sample(list(G), k)))


def _halved(values: Array, G: BackendGraph, arcs: Graph, normalized: bool) -> Array:
    """Return sums that count each pair of an undirected graph once, also where its arcs had to be a directed one."""
    return values / 2 if arcs.directed and not G.is_directed() and not normalized else values


@implements
def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Weight = None,
    endpoints: bool = False,
    seed: Any = None,
) -> Values:
    """Return {node: betweenness}."""
    arcs = G.weighed(weight)
    if _is_odd(arcs, zero=False) or k == 0 or arcs.m != G.hops.m:
        return dict(_theirs("betweenness_centrality", G, k, normalized, weight, endpoints, seed))
    if k == len(G):
        k = None
    found = _measured(
        centrality.betweenness,
        arcs,
        sources=_sampled(G, k, seed),
        normalized=bool(normalized),
        endpoints=bool(endpoints),
    )
    return dict(zip(G, _halved(found, G, arcs, normalized).tolist(), strict=True))


@implements
def betweenness_centrality_subset(
    G: BackendGraph, sources: Any, targets: Any, normalized: bool = False, weight: Weight = None
) -> Values:
    """Return {node: betweenness between the nodes of two sets}."""
    arcs, starts, ends = G.weighed(weight), list(sources), set(targets)
    if _is_odd(arcs, zero=False) or arcs.m != G.hops.m or not starts or not all(node in G for node in starts):
        return dict(_theirs("betweenness_centrality_subset", G, starts, ends, normalized, weight))
    if len(set(starts)) < len(starts):
        return dict(_theirs("betweenness_centrality_subset", G, starts, ends, normalized, weight))
    found = _measured(
        centrality.betweenness,
        arcs,
        sources=_places(G.positions(starts)),
        targets=_places(G.positions([node for node in ends if node in G])),
        normalized=bool(normalized),
    )
    return dict(zip(G, _halved(found, G, arcs, normalized).tolist(), strict=True))


@implements
def edge_betweenness_centrality(
    G: BackendGraph, k: int | None = None, normalized: bool = True, weight: Weight = None, seed: Any = None
) -> Values:
    """Return {edge: betweenness}."""
    arcs = G.weighed(weight)
    if G.is_multigraph():
        raise NotImplementedError("edges between the same two nodes are one arc in pathfront, and have no keys.")
    if _is_odd(arcs, zero=False) or k == 0 or arcs.directed != G.is_directed() or arcs.m != G.hops.m:
        return dict(_theirs("edge_betweenness_centrality", G, k, normalized, weight, seed))
    found = _measured(centrality.edge_betweenness, arcs, sources=_sampled(G, k, seed), normalized=bool(normalized))
    tails, heads = arcs.tails(), arcs.heads
    if not G.is_directed():
        once = tails <= heads  # in the order of G.edges
        tails, heads, found = tails[once], heads[once], found[once]
    names = G.names
    ends = ((names[u], names[v]) for u, v in zip(tails.tolist(), heads.tolist(), strict=True))
    return dict(zip(ends, found.tolist(), strict=True))


@implements
def closeness_centrality(G: BackendGraph, u: Any = None, distance: Weight = None, wf_improved: bool = True) -> Any:
    """Return {node: closeness}, or that of one node."""
    arcs = G.weighed(distance)
    if u is not None:
        require_node(G, u, f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph")
    if _is_odd(arcs, zero=True) or arcs.directed != G.is_directed() or callable(distance):
        return _theirs("closeness_centrality", G, u, distance, wf_improved)
    chosen = None if u is None else _places(G.positions([u]))
    found = _measured(centrality.closeness, arcs, chosen, wf_improved=bool(wf_improved)).tolist()
    return found[0] if u is not None else dict(zip(G, found, strict=True))


@implements
def harmonic_centrality(G: BackendGraph, nbunch: Any = None, distance: Weight = None, sources: Any = None) -> Values:
    """Return {node: the sum of 1 / distance from the sources}."""
    chosen = set(G if nbunch is None else _bunch(G, nbunch))
    starts = set(G if sources is None else _bunch(G, sources))
    arcs = G.weighed(distance)
    if _is_odd(arcs, zero=True) or callable(distance):
        return dict(_theirs("harmonic_centrality", G, chosen, distance, starts))
    nodes = list(chosen)
    if not nodes or not starts:
        return dict.fromkeys(nodes, 0)
    found = _measured(centrality.harmonic, arcs, _places(G.positions(nodes)), sources=_places(G.positions(starts)))
    return {node: value or 0 for node, value in zip(nodes, found.tolist(), strict=True)}


class _Nodes:
    """What `nbunch_iter` of NetworkX's graphs uses of a graph."""

    def __init__(self, G: BackendGraph) -> None:
        self._adj = G.adjacency.vertices

    def __contains__(self, node: object) -> bool:
        try:
            return node in self._adj
        except TypeError:
            return False


def _bunch(G: BackendGraph, nodes: Any) -> list[Any]:
    """Return a node, or nodes, as NetworkX reads such an argument."""
    return list(nx.Graph.nbunch_iter(_Nodes(G), nodes))


def _not_connected(G: BackendGraph) -> nx.NetworkXError:
    if G.is_directed():
        return nx.NetworkXError("Found infinite path length because the digraph is not strongly connected")
    return nx.NetworkXError("Found infinite path length because the graph is not connected")


@implements
def eccentricity(G: BackendGraph, v: Any = None, sp: Any = None, weight: Weight = None) -> Any:
    """Return {node: the largest distance from it}, or that of one node."""
    arcs = G.weighed(weight)
    if sp is not None or _is_odd(arcs, zero=True):
        return _theirs("eccentricity", G, v, sp, weight)
    nodes = _bunch(G, v)
    found = _measured(centrality.eccentricity, arcs, _places(G.positions(nodes)))
    if found.size and found.max() == unreached_marker(found.dtype):
        raise _not_connected(G)
    values = {node: value or 0 for node, value in zip(nodes, found.tolist(), strict=True)}
    return values[v] if v in G else values


def _extreme(
    name: str, measure: Callable[[Graph], Any], G: BackendGraph, e: Any, usebounds: bool, weight: Weight
) -> Any:
    """Return a property of all eccentricities."""
    arcs = None if e is not None else G.weighed(weight)
    if arcs is None or _is_odd(arcs, zero=True) or arcs.directed != G.is_directed() or len(G) == 0:
        return _theirs(name, G, e, usebounds, weight)
    try:
        return _measured(measure, arcs)
    except NoPathError:
        if usebounds is True and not G.is_directed():
            raise nx.NetworkXError("Cannot compute metric because graph is not connected.") from None
        raise _not_connected(G) from None


@implements
def diameter(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Weight = None) -> Any:
    """Return the largest eccentricity."""
    return _extreme("diameter", centrality.diameter, G, e, usebounds, weight) or 0


@implements
def radius(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Weight = None) -> Any:
    """Return the smallest eccentricity."""
    return _extreme("radius", centrality.radius, G, e, usebounds, weight) or 0


@implements
def periphery(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Weight = None) -> list[Any]:
    """Return the nodes whose eccentricity is the diameter."""
    return _nodes(G, _extreme("periphery", centrality.periphery, G, e, usebounds, weight))


@implements
def center(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Weight = None) -> list[Any]:
    """Return the nodes whose eccentricity is the radius."""
    if e is None and weight is None and not G.is_directed() and G.hops.m <= 2 * (len(G) - 1):
        return list(_theirs("center", G, e, usebounds, weight))  # perhaps a tree, for which it has a linear method
    return _nodes(G, _extreme("center", centrality.center, G, e, usebounds, weight))


def _nodes(G: BackendGraph, found: Any) -> list[Any]:
    return [G.names[v] for v in found.tolist()] if isinstance(found, np.ndarray) else list(found)


@implements
def voronoi_cells(G: BackendGraph, center_nodes: Any, weight: Weight = "weight") -> dict[Any, set[Any]]:
    """Return {center: the nodes that are closer to it than to other centers}."""
    if not center_nodes:
        raise ValueError("sources must not be empty")
    for node in center_nodes:
        require_node(G, node, f"Node {node} not found in graph")
    found = search(G, list(dict.fromkeys(center_nodes)), weight)
    cells: dict[Any, set[Any]] = {}
    if isinstance(found, Settled):
        names, order = G.names, found.order
        parent = found.parent
        roots = np.full(parent.size, NO_VERTEX, np.uint32)
        roots[found.sources] = found.sources
        _core.roots(parent, roots)
        for v, root in zip(order.tolist(), roots[order].tolist(), strict=True):
            cells.setdefault(names[root], set()).add(names[v])
    else:
        for node, path in found.paths().items():
            cells.setdefault(path[0], set()).add(node)
    near = sum(map(len, cells.values()))
    if near < len(G):
        cells["unreachable"] = set(G).difference(*cells.values())
    return cells


@implements
def ego_graph(
    G: BackendGraph,
    n: Any,
    radius: Any = 1,
    center: bool = True,
    undirected: bool = False,
    distance: Weight = None,
) -> Any:
    """Return the part of the graph that is at most this far from a node."""
    if undirected and G.is_directed():
        return _theirs("ego_graph", G, n, radius, center, undirected, distance)
    require_node(G, n, f"Source {n} is not in G" if distance is None else f"Node {n} not found in graph")
    near = search(G, [n], distance, cutoff=radius).distances()
    part = G.part(near)
    if not center:
        part.remove_node(n)
    return part
