"""Conversion from and to NetworkX's graphs."""

from __future__ import annotations

from typing import Any

import networkx as nx

from pathfront.graph import adjacency
from pathfront.networkx.graph import BackendGraph


def convert(graph: Any) -> BackendGraph:
    """Return a NetworkX graph as the backend's, with all its attributes.

    NetworkX converts by itself, and keeps the result with the graph. This is for a graph that is to stay as it is now.

    >>> import networkx as nx
    >>> from pathfront.networkx import convert
    >>> nx.dijkstra_path_length(convert(nx.path_graph(4)), 0, 3)
    3
    """
    return convert_from_nx(graph, preserve_edge_attrs=True, preserve_node_attrs=True, preserve_graph_attrs=True)


def convert_from_nx(
    graph: Any,
    *,
    edge_attrs: dict[Any, Any] | None = None,
    node_attrs: dict[Any, Any] | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> BackendGraph:
    """Convert a graph with the attributes that a call needs; called by NetworkX."""
    origin = None if preserve_edge_attrs or preserve_node_attrs else _reversed_by(graph)
    if origin is not None:
        return _kept(origin, edge_attrs, node_attrs).reversed()
    found = adjacency.read(graph, parallel=False)
    if preserve_edge_attrs:
        found = found._replace(rows=adjacency.plain(found.rows, 3 if found.multigraph else 2))
    nodes: dict[Any, Any] = {}
    if preserve_node_attrs:
        nodes = {node: dict(data) for node, data in graph._node.items()}
    elif node_attrs:
        nodes = {node: {k: data.get(k, other) for k, other in node_attrs.items()} for node, data in graph._node.items()}
    made = BackendGraph(
        found,
        directed=graph.is_directed(),
        nodes=nodes,
        attributes=graph.graph if preserve_graph_attrs else {},
    )
    if not preserve_edge_attrs:
        for attribute, default in (edge_attrs or {}).items():
            made.keep(attribute, default)
        made.forget_rows()
    return made


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Return NetworkX's graph for a converted one; anything else as it is. Called by NetworkX."""
    if not isinstance(result, BackendGraph):
        return result
    return result.to_networkx()


def _reversed_by(view: Any) -> Any:
    """Return the graph of which this is a view that reverses every edge, if NetworkX keeps conversions with it."""
    graph = getattr(view, "_graph", None)
    if graph is None or not view.is_directed() or not graph.is_directed():
        return None
    turned = view._succ is graph._pred and view._pred is graph._succ
    keeps = nx.config.cache_converted_graphs and getattr(graph, "__networkx_cache__", None) is not None
    return graph if turned and keeps else None


def _kept(graph: Any, edge_attrs: dict[Any, Any] | None, node_attrs: dict[Any, Any] | None) -> BackendGraph:
    """Return the conversion that NetworkX keeps with a graph, or make it and let NetworkX keep it."""
    backends = nx.utils.backends
    cache = graph.__networkx_cache__.setdefault("backends", {}).setdefault("pathfront", {})
    key = backends._get_cache_key(
        edge_attrs=edge_attrs,
        node_attrs=node_attrs,
        preserve_edge_attrs=False,
        preserve_node_attrs=False,
        preserve_graph_attrs=False,
    )
    found = backends._get_from_cache(cache, key)[1]
    if isinstance(found, BackendGraph):
        return found
    made = convert_from_nx(graph, edge_attrs=edge_attrs, node_attrs=node_attrs, preserve_graph_attrs=True)
    backends._set_to_cache(cache, key, made)
    return made
