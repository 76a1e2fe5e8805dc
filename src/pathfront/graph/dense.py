"""Graphs stored as matrices, made by `Graph.from_dense(..., keep_dense=True)`.

Most entries of a dense graph are edges, so compressed sparse rows would only add the heads to the matrix. The methods
that take matrices (`martin`, `crauser`) relax its rows as they are, many entries per instruction. All others need
compressed sparse rows; those are made once, when first needed, and take the memory that was saved.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from pathfront.dtypes import unreached_marker
from pathfront.exceptions import ArgumentError
from pathfront.graph.csr import Csr
from pathfront.graph.derived import Derived
from pathfront.graph.graph import Graph
from pathfront.graph.labels import Labels
from pathfront.graph.summary import WeightSummary
from pathfront.validation import Array, as_weights


class DenseGraph(Graph):
    """A graph stored as a matrix; its compressed sparse rows are made when first needed.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_dense([[0, 4], [2, 0]], no_edge=0, keep_dense=True)
    >>> graph, pf.shortest_paths(graph, 0, method="crauser").distance.tolist()
    (DenseGraph(n=2, m=2, directed, int64 weights), [0, 4])
    """

    _matrix: Array
    _arcs: int

    @classmethod
    def of(cls, entries: Array, edges: Array, *, directed: bool) -> DenseGraph:
        """Return a graph of the entries of a square matrix that are edges."""
        zeroed = np.where(edges, entries, entries.dtype.type(0))
        entries = np.asarray(as_weights(zeroed.ravel(), "matrix")).reshape(edges.shape)
        marker = entries.dtype.type(unreached_marker(entries.dtype))
        if bool((entries[edges] == marker).any()):
            raise ArgumentError(
                f"matrix has edges of weight {marker}, which stands for no edge in a matrix of {entries.dtype}; "
                "use keep_dense=False, or a wider type."
            )
        graph: DenseGraph = object.__new__(cls)
        graph._matrix = np.where(edges, entries + entries.dtype.type(0), marker)  # + 0: there is no -0.0
        graph._matrix.flags.writeable = False
        graph._arcs = int(edges.sum())
        graph._directed = directed
        graph._labels = graph._coordinates = graph._default_source = None
        graph._derived = Derived()
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
        made: Csr | None = self._derived.peek("csr")
        return int(self._matrix.nbytes) + sum(array.nbytes for array in made or () if array is not None)

    @property
    def distance_dtype(self) -> np.dtype[Any]:
        """The type that distances have unless one does not fit: that of the weights."""
        return self._matrix.dtype

    def _make_reverse(self) -> Graph:
        graph = self._copy()
        graph._derived = Derived()
        graph._matrix = self.reverse_matrix()
        graph._derived.get("transposed", lambda: self._matrix)
        graph._reverse_of = weakref.ref(self)
        return graph

    def _copy(self) -> DenseGraph:
        graph: DenseGraph = object.__new__(DenseGraph)
        graph.__dict__.update(self.__dict__)
        graph._derived = self._derived.only("csr", "transposed", "lightest_out", "weight_summary")
        graph._reverse_of = None
        return graph

    def reverse_matrix(self) -> Array:
        """Return the transposed matrix; it is made once and cached."""
        return self.derived("transposed", self._transpose) if self._directed else self._matrix

    def _transpose(self) -> Array:
        made = np.ascontiguousarray(self._matrix.T)
        made.flags.writeable = False
        return made

    def _find_lightest_out(self) -> Array:
        lightest: Array = self._matrix.min(axis=1)
        return lightest

    def without_arcs(self) -> Graph:
        """Return a graph of the same vertices and no arcs, with weights of the same type."""
        offsets, heads = np.zeros(self.n + 1, np.int64), np.empty(0, np.uint32)
        return Graph._make(offsets, heads, np.empty(0, self._matrix.dtype), directed=True)

    def _summarise_weights(self) -> WeightSummary:
        edges = self._matrix[self._matrix != unreached_marker(self._matrix.dtype)]
        if edges.size == 0:
            return WeightSummary()
        negative = edges < 0 if edges.dtype.kind != "u" else np.zeros(1, bool)
        first = int(np.argmax(negative)) if negative.any() else -1
        lightest = self.lightest_out()
        step = float(lightest[lightest != unreached_marker(edges.dtype)].mean(dtype=np.float64))
        return WeightSummary(edges.min().item(), edges.max().item(), float(edges.mean(dtype=np.float64)), first, step)

    @property
    def _csr(self) -> Csr:  # type: ignore[override]
        return self.derived("csr", self._compress)

    def _compress(self) -> Csr:
        edges = self._matrix != unreached_marker(self._matrix.dtype)
        tails, heads = np.nonzero(edges)
        offsets = np.concatenate([[0], np.cumsum(edges.sum(axis=1))]).astype(np.int64)
        return Csr(offsets, heads.astype(np.uint32), self._matrix[tails, heads]).freeze()

    def __repr__(self) -> str:
        kind = "directed" if self._directed else "undirected"
        return f"DenseGraph(n={self.n}, m={self.m}, {kind}, {self._matrix.dtype} weights)"

    def __reduce__(self) -> tuple[Any, ...]:
        names = None if self._labels is None else self._labels.stored
        return _unpickled, (self._matrix, self._directed, names, self._coordinates)


def _unpickled(matrix: Array, directed: bool, names: Array | range | None, coordinates: Array | None) -> DenseGraph:
    graph = DenseGraph.of(matrix, matrix != unreached_marker(matrix.dtype), directed=directed)
    graph._labels = None if names is None else Labels(names)
    graph._coordinates = coordinates
    return graph
