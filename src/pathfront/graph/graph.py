"""The graph: compressed sparse rows (CSR) of arcs, immutable.

A graph of n vertices and m arcs is three arrays. The arcs that leave vertex u are `heads[offsets[u]:offsets[u + 1]]`,
and their weights have the same indices in `weights`; without weights every arc counts one hop. An undirected edge is
two arcs. Arcs of a vertex keep the order in which they were given; parallel arcs and loops are legal.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.graph.constructors import Constructors
from pathfront.graph.csr import Csr
from pathfront.graph.data import as_coordinates
from pathfront.graph.derived import Derived
from pathfront.graph.edge_ids import EdgeIds
from pathfront.graph.labels import Labels, as_labels
from pathfront.validation import Array, as_weights

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


class Graph(Constructors):
    """An immutable weighted graph. Make one with `from_edges` and its siblings, `pf.read` or `pf.generate`.

    >>> import pathfront as pf
    >>> pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3])
    Graph(n=3, m=3, directed, int64 weights)
    """

    def __init__(self) -> None:
        raise ArgumentTypeError("Graph() makes nothing; use Graph.from_edges, pf.read or pf.generate.")

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
        first_id: int = 0,
        edge_ids: EdgeIds | None = None,
        unchecked: Callable[[], AbstractContextManager[None]] | None = None,
    ) -> Graph:
        """Wrap arrays of the right types.

        With `unchecked` their contents are checked before first use, inside the context that it returns: the reader of
        a file compares checksums on entering it and turns errors into errors about the file.
        """
        graph = object.__new__(cls)
        graph._csr = Csr(offsets, heads, weights).freeze()
        if coordinates is not None:
            coordinates.flags.writeable = False
        graph._directed, graph._labels, graph._coordinates = directed, labels, coordinates
        graph._default_source, graph._first_id = default_source, first_id
        graph._edge_ids, graph._unchecked, graph._derived = edge_ids, unchecked, Derived()
        return graph

    # ---- transformation -------------------------------------------------------------------------------------------

    def reverse_at_hand(self) -> Graph | None:
        """Return `reverse()` if it takes no work: it was made before, or the graph is undirected; else None."""
        if not self._directed:
            return self
        original: Graph | None = None if self._reverse_of is None else self._reverse_of()
        made: Graph | None = self._derived.peek("reverse")
        return made if original is None else original

    def reverse(self) -> Graph:
        """Return the graph with every arc reversed, made once and cached; an undirected graph is its own reverse.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0, 0], [1, 2]).reverse().to_edges().tails.tolist()
        [1, 2]
        """
        found = self.reverse_at_hand()
        return self.derived("reverse", self._make_reverse) if found is None else found

    def _make_reverse(self) -> Graph:
        self.check()
        made = self._like(self._csr.reversed(), self._edge_ids and self._edge_ids.reversed(self._csr))
        made._reverse_of = weakref.ref(self)
        return made

    def with_weights(self, weights: object) -> Graph:
        """Return a graph of the same structure with other weights, one per arc, or None for hops.

        The structure is shared, not copied. For an undirected graph both arcs of an edge must get the same weight,
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
            graph._csr.require_symmetric()
        return graph

    def with_labels(self, labels: object) -> Graph:
        """Return the same graph with names for its vertices, or None for none: vertices are given by these from now on.

        Names are of any type that can be the key of a dictionary; `range(1, n + 1)` counts from 1, in no memory.

        >>> import pathfront as pf
        >>> graph = pf.generate.chain(3, weights="unit").with_labels(["Rome", "Ostia", "Anzio"])
        >>> pf.shortest_paths(graph, "Rome").path_to("Anzio").tolist()
        ['Rome', 'Ostia', 'Anzio']
        """
        graph = self._copy()
        graph._labels = as_labels(labels, self.n)
        return graph

    def unlabelled(self) -> Graph:
        """Return the same graph without labels, made once: there a vertex is given by its position, 0..n-1.

        The arrays are shared, not copied.

        >>> import pathfront as pf
        >>> graph = pf.Graph.from_edges([0, 1], [1, 2], labels=["Rome", "Ostia", "Anzio"])
        >>> pf.shortest_paths(graph.unlabelled(), 0).path_to(2).tolist()
        [0, 1, 2]
        """
        if self._labels is None:
            return self
        return self.derived("unlabelled", lambda: self.with_labels(None))

    def with_coordinates(self, coordinates: object) -> Graph:
        """Return the same graph with coordinates for its vertices, or None for none."""
        graph = self._copy()
        graph._coordinates = as_coordinates(coordinates, self.n)
        return graph

    def counting_from(self, first_id: int) -> Graph:
        """Return the same graph, read from a file that calls vertex 0 by this number."""
        graph = self._copy()
        graph._first_id = first_id
        return graph

    def _copy(self) -> Graph:
        graph = self._like(self._csr, self._edge_ids)
        graph._derived = self._derived.without("reverse", "unlabelled")  # these have names and coordinates
        return graph

    def _like(self, csr: Csr, edge_ids: EdgeIds | None) -> Graph:
        """Return a graph with other arcs, the same otherwise."""
        return Graph._make(
            *csr,
            directed=self._directed,
            labels=self._labels,
            coordinates=self._coordinates,
            default_source=self._default_source,
            first_id=self._first_id,
            edge_ids=edge_ids,
            unchecked=self._unchecked,
        )

    def _weighing(self, weights: Array | None) -> Graph:
        return self._like(self._csr._replace(weights=weights), self._edge_ids)

    def simplified(self) -> Graph:
        """Return the graph without loops and with only the lightest of parallel arcs, arcs sorted by head.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0, 0, 1], [1, 1, 1], [5, 3, 9]).simplified().weights.tolist()
        [3]
        """
        self.check()
        offsets, heads, weights = self._csr
        simple = Csr(offsets, heads.copy(), None if weights is None else weights.copy()).simplified()
        return self._like(simple, self._edge_ids and self._edge_ids.simplified(self._csr, simple))

    def masked_names(self, indices: Array) -> np.ma.MaskedArray[Any, Any]:
        """Return the names of the vertices at some positions, an array that hides those that are `NO_VERTEX`."""
        missing = indices == NO_VERTEX
        return np.ma.array(self.names_of(np.where(missing, 0, indices)), mask=missing)

    # ---- conversion -----------------------------------------------------------------------------------------------

    def tails(self) -> Array:
        """Return the position of the vertex that each arc leaves, in the order of `heads`: a new array of m entries."""
        self.check()
        return self._csr.tails()

    def to_edges(self) -> Edges:
        """Return the edges as arrays: every arc, or each undirected edge once. Vertices are positions, as in `heads`.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([2, 1], [1, 0], [7, 5], directed=False).to_edges().tails.tolist()
        [0, 1]
        """
        tails = self.tails()
        if self._directed:
            return Edges(tails, self.heads, self.weights)
        once = tails <= self.heads
        return Edges(tails[once], self.heads[once], None if self.weights is None else self.weights[once])

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Return the weights as a sparse matrix (ones for hops); parallel arcs are an error, as scipy would add them.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0], [1], [3]).to_scipy().toarray().tolist()
        [[0, 3], [0, 0]]
        """
        return interop.to_scipy(self)

    def to_networkx(self) -> networkx.Graph:
        """Return a networkx graph of the fitting kind, named by the labels, with edge attribute "weight".

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0], [1], [3]).to_networkx().edges[0, 1]
        {'weight': 3}
        """
        return interop.to_networkx(self)

    def __repr__(self) -> str:
        kind = "directed" if self._directed else "undirected"
        weights = "no weights" if self.weights is None else f"{self.weights.dtype} weights"
        said = (
            ("labels", self._labels is not None),
            ("coordinates", self._coordinates is not None),
            (f"first_id={self._first_id}", self._first_id != 0),
        )
        return f"Graph(n={self.n}, m={self.m}, {', '.join([kind, weights, *(word for word, has in said if has)])})"

    def __reduce__(self) -> tuple[Callable[..., Graph], tuple[Any, ...]]:
        self.check()
        csr, names = tuple(self._csr), None if self._labels is None else self._labels.stored
        ids = None if self._edge_ids is None else self._edge_ids.stored
        return _unpickled, (csr, self._directed, names, self._coordinates, self._default_source, self._first_id, ids)


def _unpickled(
    csr: tuple[Array, Array, Array | None],
    directed: bool,
    names: Array | range | None,
    coordinates: Array | None,
    default_source: int | None,
    first_id: int,
    edge_ids: Array | range | None,
) -> Graph:
    return Graph._make(
        *csr,
        directed=directed,
        labels=None if names is None else Labels(names),
        coordinates=coordinates,
        default_source=default_source,
        first_id=first_id,
        edge_ids=None if edge_ids is None else EdgeIds(edge_ids),
    )


# It makes graphs, so it can be imported only now that the class exists.
from pathfront.graph import interop  # noqa: E402
