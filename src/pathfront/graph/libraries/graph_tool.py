"""Graphs of graph-tool: property maps of any type, and filters that hide vertices and edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentTypeError
from pathfront.graph.graph import Graph
from pathfront.graph.labels import name_array
from pathfront.graph.libraries.reading import (
    DEFAULT_WEIGHT,
    made,
    named,
    require_attribute,
    require_name,
    require_of,
)
from pathfront.validation import Array, as_weights
from pathfront.wording import shown


def from_graph_tool(graph: Any, weight: Any, *, name: Any) -> Graph:
    """See `Graph.from_graph_tool`."""
    require_of(graph, "graph_tool", "Graph")
    edges = np.asarray(graph.get_edges([graph.edge_index])).reshape(-1, 3).astype(np.int64)
    vertices = np.asarray(graph.get_vertices()).astype(np.int64)
    ids = edges[:, 2].copy()
    labels = None
    if name is not None:
        found = _property(graph.vertex_properties, name, "name", "vertices")
        numbers = found.get_array()  # None for strings and other objects
        values = name_array(found[v] for v in vertices.tolist()) if numbers is None else np.array(numbers)[vertices]
        cure = "leave name out to give vertices by index"
        labels = named(values, vertices.size, f"property {shown(name)}", cure)
    return made(
        edges[:, 0].copy(),
        edges[:, 1].copy(),
        _weights(graph, weight, ids),
        vertices,
        directed=bool(graph.is_directed()),
        labels=labels,
        edge_ids=ids,
    )


def _property(known: Any, chosen: Any, argument: str, owner: str) -> Any:
    """Return a property map, given by itself or by the name of an internal one."""
    if hasattr(chosen, "get_array"):
        return chosen
    if argument == "weight":
        require_name(chosen)
    require_attribute(argument, chosen, known, f"pass {argument}=None to do without", owner)
    return known[chosen]


def _weights(graph: Any, weight: Any, ids: Array) -> Array | None:
    known = graph.edge_properties
    if weight is None or (isinstance(weight, str) and weight == DEFAULT_WEIGHT and weight not in known):
        return None
    found = _property(known, weight, "weight", "edges")
    values = found.get_array()
    if values is None:
        kind = found.value_type()
        raise ArgumentTypeError(f"weight is a property of {kind}; weights are numbers, or None to count hops.")
    return as_weights(np.array(values)[ids], f"property {shown(weight)}" if isinstance(weight, str) else "weight")
