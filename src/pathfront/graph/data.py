"""The data of a graph: the arrays of its arcs, labels and coordinates of its vertices, and values derived from them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, ArgumentTypeError, VertexError
from pathfront.graph.csr import Csr
from pathfront.graph.derived import Derived, Value
from pathfront.graph.edge_ids import EdgeIds
from pathfront.graph.labels import Index, Labels
from pathfront.graph.summary import DegreeSummary, WeightSummary, summarise_degrees, summarise_weights
from pathfront.validation import Array, as_array, as_vertex_index, available_cores
from pathfront.wording import shown


class GraphData:
    """The data of a Graph, read-only; `Graph` adds construction, transformation and exchange."""

    _csr: Csr
    _directed: bool
    _labels: Labels | None
    _coordinates: Array | None
    _default_source: int | None
    _first_id: int = 0
    _edge_ids: EdgeIds | None = None
    _derived: Derived
    _unchecked: Callable[[], AbstractContextManager[None]] | None = None
    _reverse_of: weakref.ref[Any] | None = None
    """The graph whose reverse this one is; weak, so that dropping that graph frees both."""

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self._csr.n

    @property
    def m(self) -> int:
        """The number of arcs; an undirected edge is two."""
        return self._csr.heads.size

    @property
    def directed(self) -> bool:
        """Whether arcs go one way only; if not, every arc has its opposite."""
        return self._directed

    @property
    def offsets(self) -> Array:
        """Where each vertex's arcs start: n + 1 entries, read-only."""
        return self._csr.offsets.view()

    @property
    def heads(self) -> Array:
        """The vertex that each arc leads to: m entries, read-only."""
        return self._csr.heads.view()

    @property
    def weights(self) -> Array | None:
        """The weight of each arc: m entries, read-only; None for a graph without weights."""
        return None if self._csr.weights is None else self._csr.weights.view()

    @property
    def native(self) -> _core.Arcs:
        """The arrays as native functions take them."""
        return self._csr.native

    @property
    def distance_dtype(self) -> np.dtype[Any]:
        """The type that distances have unless one does not fit: that of the weights, uint32 for hops."""
        return np.dtype(np.uint32) if self._csr.weights is None else self._csr.weights.dtype

    @property
    def labels(self) -> Array | None:
        """The names of the vertices in their order, or None if vertices are named by their positions, 0..n-1.

        Where there are labels, vertices are given and named by them, also by integers. `pf.index` and
        `Graph.unlabelled` address vertices by position.
        """
        return None if self._labels is None else self._labels.names

    @property
    def first_id(self) -> int:
        """The number that the graph's file gives to vertex 0: 1 in DIMACS, METIS, Matrix Market and PACE files, else 0.

        In Python positions count from 0 in any case.

        >>> import io, pathfront as pf
        >>> pf.read(io.BytesIO(b"p sp 2 1\\na 1 2 7\\n")).first_id
        1
        """
        return self._first_id

    @property
    def edge_ids(self) -> Array | None:
        """The edge that each arc was made of: m entries, read-only; None where the graph does not keep them.

        An id is the edge's position in the arrays, the table or the edges of the networkx graph that this graph was
        made of, or the number that igraph, NetworKit, rustworkx or graph-tool give it. Both arcs of an undirected edge
        have the same one, except in graphs made by `from_csr` or `from_scipy`, which number the arcs. `from_edges`
        keeps them if asked to. Files do not hold them.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([2, 0, 1], [0, 1, 2], edge_ids=True).edge_ids.tolist()
        [1, 2, 0]
        """
        return None if self._edge_ids is None else self._edge_ids.all()

    @property
    def coordinates(self) -> Array | None:
        """Coordinates of the vertices, n rows of 2 or 3 numbers, or None."""
        return None if self._coordinates is None else self._coordinates.view()

    @property
    def default_source(self) -> Hashable | None:
        """The source vertex that the graph's file names, or None."""
        return None if self._default_source is None else self.name_of(self._default_source)

    @property
    def nbytes(self) -> int:
        """The memory of the graph's arrays."""
        ids = 0 if self._edge_ids is None else self._edge_ids.nbytes
        return sum(array.nbytes for array in self._csr if array is not None) + ids

    def index_of(self, name: object) -> int:
        """Return the position of the vertex with this name: its label, or without labels the position itself.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0], [1], labels=["Rome", "Ostia"]).index_of("Ostia")
        1
        """
        if self._labels is None and not hasattr(name, "__index__"):
            raise VertexError(f"no vertex is named {shown(name)}: this graph has no labels.")
        return self.vertex(name, "name")

    def name_of(self, index: int) -> Hashable:
        """Return the name of the vertex at a position: its label, or without labels the position itself.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0], [1], labels=["Rome", "Ostia"]).name_of(1)
        'Ostia'
        """
        vertex = as_vertex_index(index, "index", self.n)
        return vertex if self._labels is None else self._labels.name_of(vertex)

    def has_label(self, name: Hashable) -> bool:
        """Return whether some vertex has this label."""
        return self._labels is not None and self._labels.has(name)

    @property
    def numbers(self) -> range | None:
        """The names of the vertices, if they are known to be consecutive integers."""
        return range(self.n) if self._labels is None else self._labels.numbers

    def names_of(self, indices: Array) -> Array:
        """Return the names of the vertices at some positions, an array: the positions themselves without labels."""
        return indices if self._labels is None else self._labels.of(indices)

    def described(self, index: int) -> str:
        """Return a vertex as messages name it."""
        return f"vertex {shown(self.name_of(index))}"

    def vertex(self, vertex: object, name: str = "vertex") -> int:
        """Return the position of a vertex, given by its label; by its position without labels, or as `pf.index`.

        `name` is what errors call the argument.

        >>> import pathfront as pf
        >>> graph = pf.Graph.from_edges([0], [1], labels=["Rome", "Ostia"])
        >>> graph.vertex("Rome"), graph.vertex(pf.index(1))
        (0, 1)
        """
        if self._labels is None or isinstance(vertex, Index):
            return as_vertex_index(vertex, name, self.n)
        return self._labels.index_of(vertex, name)

    # ---- derived values ------------------------------------------------------------------------------------------

    def derived(self, key: Hashable, make: Callable[[], Value], variant: Hashable = None) -> Value:
        """Return a value that depends on the graph alone: made by the first caller, cached as long as the graph exists.

        A value of another variant replaces the one before.
        """
        return self._derived.get(key, make, variant)

    def degree_summary(self) -> DegreeSummary:
        """Return the largest and the mean out-degree."""
        self.check()
        return self.derived("degree_summary", lambda: summarise_degrees(self._csr))

    def weight_summary(self) -> WeightSummary:
        """Return the lightest and the heaviest weight, the mean, and the typical weight of a vertex's lightest arc."""
        self.check()
        return self.derived("weight_summary", self._summarise_weights)

    def _summarise_weights(self) -> WeightSummary:
        return summarise_weights(self._csr)

    def lightest_out(self) -> Array:
        """Return the weight of the lightest arc that leaves each vertex; the unreached marker where none does."""
        return self.derived("lightest_out", self._find_lightest_out)

    def _find_lightest_out(self) -> Array:
        made = np.empty(self.n, self.distance_dtype)
        _core.lightest_out(self.native, made, available_cores())
        return made

    def check(self) -> None:
        """Check the arrays, once; only those of a graph opened from a `.pfg` file have not been checked before.

        >>> import pathfront as pf
        >>> pf.generate.grid(3, 3).check()
        """
        if self._unchecked is not None:
            self.derived("checked", self._check_contents)

    def _check_contents(self) -> bool:
        if self._unchecked is not None:
            with self._unchecked():
                self._require_sound()
                if not self._directed:
                    self._csr.require_symmetric()
            self._unchecked = None
        return True

    def _require_sound(self) -> None:
        self._csr.require_sound()
        self.derived("weight_summary", self._summarise_weights)


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
        raise ArgumentError("coordinates holds NaN or infinite numbers; every vertex needs a position.")
    wide = np.float64 if array.dtype.kind == "f" else np.int64
    return np.array(array, dtype=wide, order="C")
