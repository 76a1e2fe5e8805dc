"""Graphs that are kept as matrices: what `Graph.from_dense(..., keep_dense=True)` makes.

Most entries of a dense graph are edges, so compressed rows would only add the heads to what the matrix says. The
methods that know matrices (`martin`, `crauser`) relax its rows as they are, many entries per instruction. All others
need compressed rows; those are made when first asked for, once, and take the memory that was saved.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError
from pathfront.graph import Graph, WeightSummary, as_coordinates
from pathfront.graph.csr import Rows
from pathfront.graph.labels import Labels, as_labels
from pathfront.paths import unreached_marker
from pathfront.validation import Array, as_weights


class DenseGraph(Graph):
    """A graph that is a matrix; everything else that a Graph has is made of it when asked for.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_dense([[0, 4], [2, 0]], no_edge=0, keep_dense=True)
    >>> graph, pf.shortest_paths(graph, 0, method="crauser").distance.tolist()
    (DenseGraph(n=2, m=2, directed, int64 weights), [0, 4])
    """

    _matrix: Array
    _arcs: int
    _made: Rows | None
    _transposed: Array | None
    _lightest: Array | None

    @classmethod
    def of(cls, entries: Array, edges: Array, *, directed: bool) -> DenseGraph:
        """Return a graph of the entries of a square matrix that are edges."""
        entries = np.asarray(as_weights(np.where(edges, entries, entries.dtype.type(0)).ravel(), "matrix")).reshape(
            edges.shape
        )
        marker = entries.dtype.type(unreached_marker(entries.dtype))
        if bool((entries[edges] == marker).any()):
            raise ArgumentError(
                f"matrix has edges of weight {marker}, which stands for none in a kept matrix of {entries.dtype}; "
                "use keep_dense=False, or a wider type."
            )
        graph: DenseGraph = object.__new__(cls)
        graph._matrix = np.where(edges, entries + entries.dtype.type(0), marker)  # + 0: there is no -0.0
        graph._matrix.flags.writeable = False
        graph._arcs = int(edges.sum())
        graph._directed = directed
        graph._labels = graph._coordinates = graph._default_source = None
        graph._lock = threading.Lock()
        graph._unchecked = graph._weight_summary = graph._reverse = None
        graph._made = graph._transposed = graph._lightest = None
        if not directed and not np.array_equal(graph._matrix, graph._matrix.T):
            tail, head = np.argwhere(graph._matrix != graph._matrix.T)[0].tolist()
            raise ArgumentError(
                f"matrix[{tail}, {head}] is not matrix[{head}, {tail}], but directed=False needs a symmetric matrix."
            )
        return graph

    @property
    def matrix(self) -> Array:
        """The weights, n rows of n, read-only; where there is no edge infinity, or an integer type's largest value."""
        return self._matrix.view()

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self._matrix)

    @property
    def m(self) -> int:
        """The number of arcs; an undirected edge is two."""
        return self._arcs

    @property
    def nbytes(self) -> int:
        """The memory of the graph's arrays."""
        made = 0 if self._made is None else sum(a.nbytes for a in self._made if a is not None)
        return int(self._matrix.nbytes) + made

    @property
    def distance_dtype(self) -> np.dtype[Any]:
        """The type that distances have unless one does not fit: that of the weights."""
        return self._matrix.dtype

    def with_labels(self, labels: object) -> Graph:
        """Return the same graph with names for its vertices, or None for none."""
        graph = self._copy()
        graph._labels = as_labels(labels, self.n)
        return graph

    def with_coordinates(self, coordinates: object) -> Graph:
        """Return the same graph with places for its vertices, or None for none."""
        graph = self._copy()
        graph._coordinates = as_coordinates(coordinates, self.n)
        return graph

    def reverse(self) -> Graph:
        """Return the graph with every arc turned round, a matrix, too."""
        if not self._directed:
            return self
        graph = self._copy()
        graph._matrix, graph._transposed = self.reverse_matrix(), self._matrix
        graph._made = graph._lightest = graph._weight_summary = None
        return graph

    def _copy(self) -> DenseGraph:
        graph: DenseGraph = object.__new__(DenseGraph)
        graph.__dict__.update(self.__dict__)
        graph._lock = threading.Lock()
        return graph

    def reverse_matrix(self) -> Array:
        """Return the matrix with every arc turned round; it is made once and kept."""
        if not self._directed:
            return self._matrix
        if self._transposed is None:
            self._transposed = np.ascontiguousarray(self._matrix.T)
            self._transposed.flags.writeable = False
        return self._transposed

    def lightest_out(self) -> Array:
        """Return the lightest arc that leaves each vertex, and where none does what stands for no edge."""
        if self._lightest is None:
            self._lightest = self._matrix.min(axis=1)
        return self._lightest

    def without_arcs(self) -> Graph:
        """Return a graph of as many vertices and no arcs, with weights of the same type."""
        offsets, heads = np.zeros(self.n + 1, np.int64), np.empty(0, np.uint32)
        return Graph._make(offsets, heads, np.empty(0, self._matrix.dtype), directed=True)

    def _summarise_weights(self) -> WeightSummary:
        if self._weight_summary is None:
            edges = self._matrix[self._matrix != unreached_marker(self._matrix.dtype)]
            if edges.size == 0:
                self._weight_summary = WeightSummary(1, 1, 1.0, -1, 1.0)
            else:
                negative = edges < 0 if edges.dtype.kind != "u" else np.zeros(1, bool)
                first = int(np.argmax(negative)) if negative.any() else -1
                mean = float(edges.mean(dtype=np.float64))
                lightest = self.lightest_out()
                step = float(lightest[lightest != unreached_marker(edges.dtype)].mean(dtype=np.float64))
                self._weight_summary = WeightSummary(edges.min().item(), edges.max().item(), mean, first, step)
        return self._weight_summary

    def _compressed(self) -> Rows:
        if self._made is None:
            with self._lock:
                if self._made is None:
                    edges = self._matrix != unreached_marker(self._matrix.dtype)
                    tails, heads = np.nonzero(edges)
                    offsets = np.concatenate([[0], np.cumsum(edges.sum(axis=1))]).astype(np.int64)
                    made = Rows(offsets, heads.astype(np.uint32), self._matrix[tails, heads])
                    for array in made:
                        if array is not None:
                            array.flags.writeable = False
                    self._made = made
        return self._made

    # What a Graph has as attributes is made here when asked for.

    @property
    def _offsets(self) -> Array:  # type: ignore[override]
        return self._compressed().offsets

    @property
    def _heads(self) -> Array:  # type: ignore[override]
        return self._compressed().heads

    @property
    def _weights(self) -> Array | None:  # type: ignore[override]
        return self._compressed().weights

    def __repr__(self) -> str:
        kind = "directed" if self._directed else "undirected"
        return f"DenseGraph(n={self.n}, m={self.m}, {kind}, {self._matrix.dtype} weights)"

    def __reduce__(self) -> tuple[Any, ...]:
        names = None if self._labels is None else self._labels.names
        return _unpickled, (self._matrix, self._directed, names, self._coordinates)


def _unpickled(matrix: Array, directed: bool, names: Array | None, coordinates: Array | None) -> DenseGraph:
    graph = DenseGraph.of(matrix, matrix != unreached_marker(matrix.dtype), directed=directed)
    graph._labels = None if names is None else Labels(names)
    graph._coordinates = coordinates
    return graph
