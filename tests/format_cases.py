"""Small graphs that are hard to store, each with a name, and the options with which a format keeps all of one."""

from __future__ import annotations

import io

import numpy as np

import pathfront as pf

GRAPHS = {
    "empty": lambda: pf.Graph.from_edges([], [], n=0),
    "one_vertex": lambda: pf.Graph.from_edges([], [], n=1),
    "loop": lambda: pf.Graph.from_edges([0, 1], [0, 0], [5, 1]),
    "parallel_arcs": lambda: pf.Graph.from_edges([0, 0, 0, 1], [1, 1, 1, 0], [4, 3, 4, 9]),
    "zero_weights": lambda: pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [0, 0, 0]),
    "negative_weights": lambda: pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [-3, 8, 2]),
    "floats": lambda: pf.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 1], [0.1, 1e-300, 1 / 3, 1.7e308]),
    "float32": lambda: pf.Graph.from_edges([0, 1], [1, 0], np.array([0.1, 3e38], np.float32)),
    "uint32": lambda: pf.Graph.from_edges([0, 1], [1, 0], np.array([0, 2**32 - 1], np.uint32)),
    "beyond_2_53": lambda: pf.Graph.from_edges([0, 1], [1, 0], [2**53 + 1, 2**62 + 1]),
    "uint64": lambda: pf.Graph.from_edges([0, 1], [1, 0], np.array([2**64 - 2, 1], np.uint64)),
    "no_weights": lambda: pf.Graph.from_edges([0, 1, 1], [1, 2, 0]),
    "undirected": lambda: pf.Graph.from_edges([0, 1, 2, 0], [1, 2, 0, 3], [5, 6, 7, 8], directed=False),
    "undirected_hops": lambda: pf.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False),
    "isolated": lambda: pf.Graph.from_edges([1, 3], [3, 5], [2, 2], n=6, directed=False),
    "names": lambda: pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, 5], labels=["Rome", "Ósť, \"ia\"", ""]),
    "numbers_as_labels": lambda: pf.Graph.from_edges([0, 1], [1, 2], [3, 4], labels=[7, 19, 2**40]),
    "coordinates": lambda: pf.Graph.from_edges([0], [1], [3], coordinates=[[0.5, -1.0], [2.0, 1e-9]]),
}  # fmt: skip

READ_OPTIONS = {"galois": lambda graph: {} if graph.weights is None else {"weights": graph.weights.dtype.name}}


def packed(graph: pf.Graph, format: str, **options: object) -> bytes:
    """Return the graph as a file's contents."""
    file = io.BytesIO()
    pf.write(graph, file, format=format, **options)
    return file.getvalue()


def unpacked(contents: bytes, format: str | None = None, **options: object) -> pf.Graph:
    """Read a graph from a file's contents."""
    return pf.read(io.BytesIO(contents), format=format, **options)


def arcs(graph: pf.Graph) -> list[tuple[object, ...]]:
    """Return all arcs by name, sorted, which is what every format must keep."""
    names = list(range(graph.n)) if graph.labels is None else graph.labels.tolist()
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    ends = zip(graph.tails().tolist(), graph.heads.tolist(), weights, strict=True)
    return sorted((names[u], names[v], w) for u, v, w in ends)
