"""The graph: compressed rows of arcs, immutable, and the one place where arrays are checked.

A graph of n vertices and m arcs is three arrays. The arcs that leave vertex u are `heads[offsets[u]:offsets[u + 1]]`,
with their weights in the same places of `weights`; without weights every arc counts one hop. An undirected edge is
two arcs. Arcs of a vertex keep the order in which they were given; parallel arcs and loops are legal.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, ArgumentTypeError, VertexError
from pathfront.graph.csr import Rows, require_rows, require_symmetric, thinned, transposed
from pathfront.graph.labels import Labels, as_labels
from pathfront.validation import Array, as_array, as_vertex_index, as_weights, available_cores, require_finite

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

NO_VERTEX = 2**32 - 1
"""The marker for "no vertex" in arrays of parents."""


class Edges(NamedTuple):
    """Edges as three arrays of equal length; `weights` is None where the graph has none.

    >>> import pathfront as pf
    >>> pf.Graph.from_edges([0, 1], [1, 2], [5, 7]).to_edges().heads.tolist()
    [1, 2]
    """

    tails: Array
    heads: Array
    weights: Array | None


@dataclass(frozen=True, slots=True)
class DegreeSummary:
    """Out-degrees of a graph."""

    largest: int
    mean: float


@dataclass(frozen=True, slots=True)
class WeightSummary:
    """Weights of a graph; for a graph without weights all are 1."""

    lightest: int | float
    heaviest: int | float
    mean: float
    first_negative: int
    """The first arc of negative weight, or -1."""
    step: float
    """How heavy the lightest arc of a vertex usually is."""


class Graph:
    """An immutable weighted graph. Make one with `from_edges` and its siblings, `pf.read` or `pf.generate`.

    >>> import pathfront as pf
    >>> pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3])
    Graph(n=3, m=3, directed, int64 weights)
    """

    def __init__(self) -> None:
        raise ArgumentTypeError("Graph() makes nothing; use Graph.from_edges, pf.read or pf.generate.")

    _offsets: Array
    _heads: Array
    _weights: Array | None
    _directed: bool
    _labels: Labels | None
    _coordinates: Array | None
    _default_source: int | None
    _lock: threading.Lock
    _unchecked: Callable[[], AbstractContextManager[None]] | None
    _weight_summary: WeightSummary | None
    _reverse: Graph | weakref.ref[Graph] | None

    @classmethod
    def _make(
        cls,
        offsets: Array,
        heads: Array,
        weights: Array | None,
        *,
        directed: bool,
        labels: Labels | None = None,
        coordinates: Array | None = None,
        default_source: int | None = None,
        unchecked: Callable[[], AbstractContextManager[None]] | None = None,
    ) -> Graph:
        """Wrap arrays of the right types.

        With `unchecked` their contents are checked before first use, inside the context that it makes: a file's
        reader compares checksums on entering it and turns errors into errors about the file.
        """
        graph = object.__new__(cls)
        for array in (offsets, heads, weights, coordinates):
            if array is not None:
                array.flags.writeable = False
        graph._offsets, graph._heads, graph._weights = offsets, heads, weights
        graph._directed = directed
        graph._labels = labels
        graph._coordinates = coordinates
        graph._default_source = default_source
        graph._lock = threading.Lock()
        graph._unchecked = unchecked
        graph._weight_summary = None
        graph._reverse = None
        return graph

    # ---- making graphs -------------------------------------------------------------------------------------------

    @classmethod
    def from_edges(
        cls,
        tails: object,
        heads: object,
        weights: object = None,
        *,
        n: int | None = None,
        directed: bool = True,
        labels: object = None,
        coordinates: object = None,
    ) -> Graph:
        """Make a graph from a list of edges.

        `n` is one more than the largest vertex unless given. With `directed=False` each edge becomes two arcs.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0, 1], [1, 2], [1.5, 2.5], directed=False).to_scipy().toarray().tolist()
        [[0.0, 1.5, 0.0], [1.5, 0.0, 2.5], [0.0, 2.5, 0.0]]
        """
        from pathfront.graph import build

        return build.from_edges(tails, heads, weights, n=n, directed=directed, labels=labels, coordinates=coordinates)

    @classmethod
    def from_csr(
        cls,
        offsets: object,
        heads: object,
        weights: object = None,
        *,
        directed: bool = True,
        labels: object = None,
        coordinates: object = None,
        copy: bool = True,
    ) -> Graph:
        """Make a graph from compressed rows.

        With `copy=False` arrays of the right type (int64 offsets, uint32 heads) are used as they are and made
        read-only; whoever changes them afterwards through another view breaks the graph. With `directed=False` the
        rows must hold both arcs of every edge, which is checked.

        >>> import pathfront as pf
        >>> pf.Graph.from_csr([0, 2, 2], [0, 1]).m
        2
        """
        from pathfront.graph import build

        return build.from_csr(
            offsets, heads, weights, directed=directed, labels=labels, coordinates=coordinates, copy=copy
        )

    @classmethod
    def from_scipy(cls, matrix: scipy.sparse.sparray | scipy.sparse.spmatrix, *, directed: bool = True) -> Graph:
        """Make a graph from a sparse matrix: entry (u, v) is the weight of arc u -> v, stored zeros included.

        Several entries of one place are added up, as everywhere in scipy.

        >>> import pathfront as pf, scipy.sparse
        >>> pf.Graph.from_scipy(scipy.sparse.csr_array([[0, 2], [0, 0]])).to_edges().weights.tolist()
        [2]
        """
        from pathfront.graph import interop

        return interop.from_scipy(matrix, directed=directed)

    @classmethod
    def from_dense(cls, matrix: object, *, no_edge: object, directed: bool = True, keep_dense: bool = False) -> Graph:
        """Make a graph from a square matrix, where entries equal to `no_edge` are no edges (NaN and inf may be given).

        With `no_edge=None` every entry is an edge. With `keep_dense` the matrix stays a matrix: `martin` and `crauser`
        relax its rows as they are; whatever else needs compressed rows makes them when first asked.

        >>> import pathfront as pf
        >>> pf.Graph.from_dense([[-1, 0], [4, -1]], no_edge=-1).to_edges().weights.tolist()
        [0, 4]
        """
        from pathfront.graph import interop

        return interop.from_dense(matrix, no_edge=no_edge, directed=directed, keep_dense=keep_dense)

    @classmethod
    def from_networkx(cls, graph: networkx.Graph, weight: str | None = "weight") -> Graph:
        """Make a graph from a networkx graph of any kind; its nodes become the labels.

        Where no edge has the attribute `weight`, or with `weight=None`, edges count as hops.

        >>> import networkx, pathfront as pf
        >>> pf.Graph.from_networkx(networkx.path_graph(["a", "b", "c"])).labels.tolist()
        ['a', 'b', 'c']
        """
        from pathfront.graph import interop

        return interop.from_networkx(graph, weight)

    @classmethod
    def from_dataframe(
        cls, frame: Any, tail: str, head: str, weight: str | None = None, *, directed: bool = True
    ) -> Graph:
        """Make a graph from columns of a table (pandas, polars, pyarrow); ids may be names of any kind.

        >>> import pandas, pathfront as pf
        >>> frame = pandas.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "km": [3.5, 1.0]})
        >>> graph = pf.Graph.from_dataframe(frame, "from", "to", "km")
        >>> pf.shortest_paths(graph, "a").distance_to("c")
        4.5
        """
        from pathfront.graph import interop

        return interop.from_dataframe(frame, tail, head, weight, directed=directed)

    # ---- what a graph has ----------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self._offsets.size - 1

    @property
    def m(self) -> int:
        """The number of arcs; an undirected edge is two."""
        return self._heads.size

    @property
    def directed(self) -> bool:
        """Whether arcs go one way only; if not, every arc has its opposite."""
        return self._directed

    @property
    def offsets(self) -> Array:
        """Where each vertex's arcs start: n + 1 entries, read-only."""
        return self._offsets.view()

    @property
    def heads(self) -> Array:
        """The vertex that each arc leads to: m entries, read-only."""
        return self._heads.view()

    @property
    def weights(self) -> Array | None:
        """The weight of each arc: m entries, read-only; None for a graph without weights."""
        return None if self._weights is None else self._weights.view()

    @property
    def distance_dtype(self) -> np.dtype[Any]:
        """The type that distances have unless one does not fit: that of the weights, uint32 for hops."""
        return np.dtype(np.uint32) if self._weights is None else self._weights.dtype

    @property
    def labels(self) -> Array | None:
        """The vertices' names in the source they came from, or None where a vertex is just its number."""
        return None if self._labels is None else self._labels.names

    @property
    def coordinates(self) -> Array | None:
        """Places of the vertices, n rows of 2 or 3 numbers, or None."""
        return None if self._coordinates is None else self._coordinates.view()

    @property
    def default_source(self) -> int | None:
        """The source vertex that the file itself names, or None."""
        return self._default_source

    @property
    def nbytes(self) -> int:
        """The memory of the graph's arrays."""
        return sum(a.nbytes for a in (self._offsets, self._heads, self._weights) if a is not None)

    def index_of(self, name: Hashable) -> int:
        """Return the vertex with this label.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0], [1], labels=["Rome", "Ostia"]).index_of("Ostia")
        1
        """
        if self._labels is None:
            raise VertexError(f"no vertex is named {name!r}: this graph has no labels.")
        return self._labels.index_of(name)

    def vertex(self, vertex: object, name: str = "vertex") -> int:
        """Return a vertex given as its index (any integer) or as its label (anything else).

        >>> import pathfront as pf
        >>> graph = pf.Graph.from_edges([0], [1], labels=["Rome", "Ostia"])
        >>> graph.vertex(1), graph.vertex("Rome")
        (1, 0)
        """
        if self._labels is not None and not hasattr(vertex, "__index__") and not isinstance(vertex, float):
            return self._labels.index_of(vertex)
        try:
            return as_vertex_index(vertex, name, self.n)
        except VertexError as error:
            if self._labels is None:
                raise
            known = f"an integer is an index; for the vertex of that name use graph.index_of({vertex})"
            raise VertexError(f"{str(error).rstrip('.')}; {known}.") from None

    def degree_summary(self) -> DegreeSummary:
        """Return the largest and the mean out-degree."""
        self.check()
        largest = int(_core.max_degree(self._offsets, available_cores())) if self.n else 0
        return DegreeSummary(largest, self.m / self.n if self.n else 0.0)

    def weight_summary(self) -> WeightSummary:
        """Return what the weights are like: the lightest, the heaviest, the mean, and a typical step."""
        self.check()
        return self._summarise_weights()

    def _summarise_weights(self) -> WeightSummary:
        if self._weight_summary is None:
            if self._weights is None or self.m == 0:
                self._weight_summary = WeightSummary(1, 1, 1.0, -1, 1.0)
            else:
                found = _core.weight_summary(self._weights, available_cores())
                lightest, heaviest, total, first_negative, first_not_finite = found
                require_finite(self._weights, first_not_finite)
                step = _core.lightest_of_vertex(self._offsets, self._heads, self._weights)
                self._weight_summary = WeightSummary(lightest, heaviest, total / self.m, first_negative, step)
        return self._weight_summary

    def check(self) -> None:
        """Make sure that the arrays are sound. Only graphs opened from a file without reading it need this, once.

        >>> import pathfront as pf
        >>> pf.generate.grid(3, 3).check()
        """
        if self._unchecked is None:
            return
        with self._lock:
            if self._unchecked is not None:
                with self._unchecked():
                    self._require_rows()
                    if not self._directed:
                        require_symmetric(self._rows)
                self._unchecked = None

    def _require_rows(self) -> None:
        require_rows(self._rows)
        self._summarise_weights()

    @property
    def _rows(self) -> Rows:
        return Rows(self._offsets, self._heads, self._weights)

    # ---- other graphs from this one ------------------------------------------------------------------------------

    def reverse_at_hand(self) -> Graph | None:
        """Return `reverse()` if that costs nothing: it has been made before, or the graph is undirected."""
        if not self._directed:
            return self
        return self._reverse() if isinstance(self._reverse, weakref.ref) else self._reverse

    def reverse(self) -> Graph:
        """Return the graph with every arc turned round. It is made once and kept; an undirected graph is its own.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0, 0], [1, 2]).reverse().to_edges().tails.tolist()
        [1, 2]
        """
        if not self._directed:
            return self
        self.check()
        with self._lock:
            kept = self._reverse() if isinstance(self._reverse, weakref.ref) else self._reverse
            if kept is None:
                kept = self._like(transposed(self._rows))
                kept._reverse = weakref.ref(self)  # not a cycle: dropping this graph frees both
                self._reverse = kept
            return kept

    def with_weights(self, weights: object) -> Graph:
        """Return a graph of the same structure with other weights, one per arc, or None for hops.

        Nothing but the weights is made anew. For an undirected graph both arcs of an edge must get the same weight,
        which is checked.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0, 1], [1, 2], [5, 7]).with_weights([1, 1]).weights.tolist()
        [1, 1]
        """
        self.check()
        array = as_weights(weights)
        if array is not None and array.size != self.m:
            raise ArgumentError(f"weights has {array.size} entries, but the graph has {self.m} arcs.")
        graph = self._weighing(array.copy() if array is not None else None)
        graph.weight_summary()
        if not self._directed and array is not None:
            require_symmetric(graph._rows)
        return graph

    def with_labels(self, labels: object) -> Graph:
        """Return the same graph with names for its vertices, or None for none."""
        graph = self._like(self._rows)
        graph._labels = as_labels(labels, self.n)
        return graph

    def with_coordinates(self, coordinates: object) -> Graph:
        """Return the same graph with places for its vertices, or None for none."""
        graph = self._like(self._rows)
        graph._coordinates = as_coordinates(coordinates, self.n)
        return graph

    def _like(self, rows: Rows) -> Graph:
        """Return a graph of other rows, with everything else as it is here."""
        return Graph._make(
            *rows,
            directed=self._directed,
            labels=self._labels,
            coordinates=self._coordinates,
            default_source=self._default_source,
            unchecked=self._unchecked,
        )

    def _weighing(self, weights: Array | None) -> Graph:
        return self._like(Rows(self._offsets, self._heads, weights))

    def simplified(self) -> Graph:
        """Return the graph without loops and with only the lightest of parallel arcs, arcs sorted by head.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0, 0, 1], [1, 1, 1], [5, 3, 9]).simplified().weights.tolist()
        [3]
        """
        self.check()
        weights = None if self._weights is None else self._weights.copy()
        return self._like(thinned(Rows(self._offsets, self._heads.copy(), weights)))

    # ---- and back ------------------------------------------------------------------------------------------------

    def tails(self) -> Array:
        """Return the vertex that each arc leaves, in the order of `heads`: m entries, made anew."""
        self.check()
        return np.repeat(np.arange(self.n, dtype=np.uint32), np.diff(self._offsets))

    def to_edges(self) -> Edges:
        """Return the edges as arrays: every arc, or each undirected edge once.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([2, 1], [1, 0], [7, 5], directed=False).to_edges().tails.tolist()
        [0, 1]
        """
        tails = self.tails()
        if self._directed:
            return Edges(tails, self.heads, self.weights)
        once = tails <= self._heads
        return Edges(tails[once], self._heads[once], None if self._weights is None else self._weights[once])

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Return the weights as a sparse matrix (ones for hops); parallel arcs are an error, as scipy would add them.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0], [1], [3]).to_scipy().toarray().tolist()
        [[0, 3], [0, 0]]
        """
        from pathfront.graph import interop

        return interop.to_scipy(self)

    def to_networkx(self) -> networkx.Graph:
        """Return a networkx graph of the fitting kind, named by the labels, with edge attribute "weight".

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0], [1], [3]).to_networkx().edges[0, 1]
        {'weight': 3}
        """
        from pathfront.graph import interop

        return interop.to_networkx(self)

    def __repr__(self) -> str:
        kind = "directed" if self._directed else "undirected"
        weights = "no weights" if self._weights is None else f"{self._weights.dtype} weights"
        extras = [
            word for word, has in (("labels", self._labels), ("coordinates", self._coordinates)) if has is not None
        ]
        return f"Graph(n={self.n}, m={self.m}, {', '.join([kind, weights, *extras])})"

    def __reduce__(self) -> tuple[Callable[..., Graph], tuple[Any, ...]]:
        self.check()
        names = None if self._labels is None else self._labels.names
        parts = (self._offsets, self._heads, self._weights, self._directed, names)
        return _unpickled, (*parts, self._coordinates, self._default_source)


def _unpickled(
    offsets: Array,
    heads: Array,
    weights: Array | None,
    directed: bool,
    names: Array | None,
    coordinates: Array | None,
    default_source: int | None,
) -> Graph:
    return Graph._make(
        offsets,
        heads,
        weights,
        directed=directed,
        labels=None if names is None else Labels(names),
        coordinates=coordinates,
        default_source=default_source,
    )


def as_coordinates(values: object, n: int) -> Array | None:
    """Return coordinates for n vertices: a copy, n rows of 2 or 3 finite numbers."""
    if values is None:
        return None
    array = as_array(values, "coordinates")
    if array.ndim != 2 or array.shape[0] != n or array.shape[1] not in (2, 3):
        raise ArgumentError(f"coordinates has shape {array.shape}, but it must be ({n}, 2) or ({n}, 3).")
    if array.dtype.kind not in "iuf":
        raise ArgumentTypeError(f"coordinates has elements of type {array.dtype}; give numbers.")
    if not np.isfinite(array).all():
        raise ArgumentError("coordinates holds NaN or infinite numbers; every vertex needs a place.")
    wide = np.float64 if array.dtype.kind == "f" else np.int64
    return np.array(array, dtype=wide, order="C")
