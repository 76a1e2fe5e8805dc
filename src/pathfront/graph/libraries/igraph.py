"""Graphs of igraph: consecutive vertex ids, named by the vertex attribute "name" as in igraph's own calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from pathfront.graph.graph import Graph
from pathfront.graph.labels import name_array
from pathfront.graph.libraries.reading import (
    DEFAULT_WEIGHT,
    PAIR,
    made,
    named,
    require_attribute,
    require_name,
    require_of,
    weights_of,
)

DEFAULT_NAME = "name"


def from_igraph(graph: Any, weight: str | None, *, name: str | None) -> Graph:
    """See `Graph.from_igraph`."""
    require_of(graph, "igraph", "Graph")
    require_name(weight)
    attributes = graph.es.attributes()
    weights = None
    if weight is not None and (weight in attributes or weight != DEFAULT_WEIGHT):
        require_attribute("weight", weight, attributes, "pass weight=None to count hops")
        weights = weights_of(graph.es[weight], weight, lambda i: f"edge {i}, {graph.es[i].tuple},")
    labels = None
    if name is not None and (name in graph.vs.attributes() or name != DEFAULT_NAME):
        require_attribute("name", name, graph.vs.attributes(), "pass name=None for positions", "vertices")
        cure = "pass name=None to give vertices by position"
        labels = named(name_array(graph.vs[name]), graph.vcount(), f"attribute {name!r}", cure)
    ends = np.fromiter(graph.get_edgelist(), PAIR, graph.ecount())
    return made(
        ends["tail"],
        ends["head"],
        weights,
        np.arange(graph.vcount()),
        directed=graph.is_directed(),
        labels=labels,
        edge_ids=np.arange(graph.ecount()),
    )
