"""Conversion from and to NetworkX's graphs."""

from __future__ import annotations

from typing import Any

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
