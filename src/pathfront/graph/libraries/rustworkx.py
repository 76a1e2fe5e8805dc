"""Graphs of rustworkx: an edge holds any object, and indices of removed vertices and edges stay unused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.graph.graph import Graph
from pathfront.graph.labels import name_array
from pathfront.graph.libraries.reading import (
    DEFAULT_WEIGHT,
    made,
    named,
    require_attribute,
    require_name,
    require_of,
    weights_of,
)
from pathfront.validation import Array, as_flag, as_weights
from pathfront.wording import kind, shown


def from_rustworkx(graph: Any, weight: str | None, *, names: bool) -> Graph:
    """See `Graph.from_rustworkx`."""
    require_of(graph, "rustworkx", "PyGraph", "PyDiGraph")
    require_name(weight)
    labels = None
    if as_flag(names, "names"):
        cure = "leave names out to give vertices by index"
        labels = named(name_array(graph.nodes()), graph.num_nodes(), "the nodes' data", cure)
    ends = np.asarray(graph.edge_list()).reshape(-1, 2).astype(np.int64)
    return made(
        ends[:, 0].copy(),
        ends[:, 1].copy(),
        None if weight is None else _weights(graph.edges(), weight, ends),
        np.asarray(graph.node_indices()).astype(np.int64),
        directed=is_directed(graph),
        labels=labels,
        edge_ids=np.asarray(graph.edge_indices()).astype(np.int64),
    )


def is_directed(graph: Any) -> bool:
    """Return whether a graph is one of the directed class, or of one derived from it."""
    return any(base.__name__ == "PyDiGraph" for base in type(graph).__mro__)


def _weights(data: Sequence[Any], name: str, ends: Array) -> Array | None:
    """Return the weights: what the edges hold if that is numbers, else their attribute of this name."""
    kinds = set(map(type, data))  # a few, so that no edge is looked at but in an error
    if kinds <= {type(None)}:
        if data and name != DEFAULT_WEIGHT:
            raise ArgumentError(f"weight is {shown(name)}, but the edges hold no data; pass weight=None to count hops.")
        return None

    def edge(i: int) -> str:
        return f"edge {tuple(ends[i].tolist())}"

    def require(kind_of: tuple[type, ...], cure: str) -> None:
        wrong = {each for each in kinds if not issubclass(each, kind_of)}
        if wrong:
            i = next(i for i, value in enumerate(data) if type(value) in wrong)
            raise ArgumentTypeError(f"{edge(i)} holds {kind(data[i])}{cure}")

    if any(issubclass(each, Mapping) for each in kinds):
        require((Mapping,), " while others hold dicts; give each one.")
        values = [value.get(name) for value in data]
        if all(value is None for value in values):
            if name != DEFAULT_WEIGHT:
                known = {key for value in data for key in value}
                require_attribute("weight", name, known, "pass weight=None to count hops")
            return None
        return weights_of(values, name, edge)
    cure = f"; weights are numbers, or dicts with an attribute {name!r}: pass weight=None to count hops."
    require((Number, np.generic), cure)
    if name != DEFAULT_WEIGHT:
        raise ArgumentError(f"weight is {shown(name)}, but the edges hold plain numbers; leave weight out to use them.")
    return as_weights(list(data), "the edges' data")
