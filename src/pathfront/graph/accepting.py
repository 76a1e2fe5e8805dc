"""`as_graph`: what the package's calls accept as a graph.

A graph of another library is converted by every call that is given it, and the result is not kept: such graphs can
change, and nothing says that they have. Who calls more than once converts first.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentTypeError
from pathfront.graph.graph import Graph
from pathfront.graph.libraries.reading import is_of
from pathfront.wording import kind

ACCEPTED = (
    "a pathfront.Graph, a sparse matrix of scipy, or a graph of networkx, igraph, NetworKit, rustworkx, graph-tool"
)


def as_graph(graph: object, name: str = "graph") -> Graph:
    """Return a graph as one of this package; `name` is what errors call the argument.

    Sparse matrices are directed graphs whose entries are the weights, stored zeros included. Of networkx's graphs the
    weights are the edge attribute "weight", and an edge without one weighs 1, as in networkx. Others are converted by
    `Graph.from_igraph`, `from_networkit`, `from_rustworkx` or `from_graph_tool` with their defaults.

    >>> import networkx
    >>> as_graph(networkx.Graph([("a", "b", {"weight": 2.5}), ("b", "c")])).weights.tolist()
    [2.5, 2.5, 1.0, 1.0]
    """
    if isinstance(graph, Graph):
        return graph
    convert = _converter(graph)
    if convert is None:
        raise ArgumentTypeError(f"{name} is {kind(graph)}; give {ACCEPTED}{_cure(graph)}.")
    return convert(graph)


def _converter(graph: object) -> Callable[[Any], Graph] | None:
    if hasattr(graph, "tocsr"):
        return Graph.from_scipy
    if hasattr(graph, "adj") and hasattr(graph, "is_multigraph"):  # by its methods: others derive from its interface
        from pathfront.graph.interop import from_networkx

        return lambda made: from_networkx(made, "weight", missing=1)
    for package, classes, convert in (
        ("igraph", ("Graph",), Graph.from_igraph),
        ("networkit", ("Graph",), Graph.from_networkit),
        ("rustworkx", ("PyGraph", "PyDiGraph"), Graph.from_rustworkx),
        ("graph_tool", ("Graph",), Graph.from_graph_tool),
    ):
        if is_of(graph, package, *classes):
            return convert
    return None


def _cure(graph: object) -> str:
    """Return what was probably meant, as the end of a message."""
    if isinstance(graph, str | os.PathLike):
        return "; pf.read reads a file"
    if isinstance(graph, np.ndarray) or hasattr(graph, "__dlpack__"):
        return "; for a dense matrix use Graph.from_dense, which asks what stands for no edge"
    if hasattr(graph, "columns") or hasattr(graph, "column_names"):
        return "; Graph.from_dataframe makes one of a table"
    if isinstance(graph, dict):
        return "; for a dict of dicts use networkx.from_dict_of_dicts"
    if isinstance(graph, list | tuple | set):
        return "; for edges use Graph.from_edges(tails, heads, weights)"
    return ""
