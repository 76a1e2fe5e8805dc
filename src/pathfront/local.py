"""Searches that cost what they touch: the vertices within a distance of each source.

Nothing here takes time proportional to the size of the graph for a source. One native call serves all sources; its
threads each have labels for all vertices, of which only those that a search reaches are ever written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.api import distance_overflow, require_nonnegative_for
from pathfront.dtypes import wider
from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.graph import Graph, as_graph
from pathfront.progress import Progress, time_limited
from pathfront.sources import as_sources
from pathfront.validation import Array, as_count, as_cutoff, as_positive, as_threads
from pathfront.wording import checks_names

if TYPE_CHECKING:
    import scipy.sparse


class Row(NamedTuple):
    """The vertices within the cutoff of one source, closest first."""

    source: Any
    vertices: Array
    distances: Array


class Within:
    """The vertices within a cutoff of several sources, a row for each source: see `pf.within`.

    Row i has the entries `offsets[i]` to `offsets[i + 1]` of `vertices` and `distances`. A row is in the order of
    distances, equal ones in the order of positions; it begins with its source unless an arc of weight 0 leaves it.

    >>> import pathfront as pf
    >>> found = pf.within(pf.generate.chain(6, weights="unit"), [0, 3], 1)
    >>> [row.vertices.tolist() for row in found], found.row(1).distances.tolist()
    ([[0, 1], [3, 2, 4]], [0, 1, 1])
    """

    def __init__(self, graph: Graph, starts: Array, offsets: Array, indices: Array, distances: Array) -> None:
        self.graph = graph
        self._starts = starts
        self.offsets = offsets
        """Where each row begins: one entry more than there are sources."""
        self.indices = indices
        """The vertices of all rows by position."""
        self.distances = distances

    @cached_property
    def sources(self) -> Array:
        """The sources: labels where the graph has labels, otherwise positions."""
        return self.graph.names_of(self._starts)

    @cached_property
    def vertices(self) -> Array:
        """The vertices of all rows: labels where the graph has labels, otherwise positions."""
        return self.graph.names_of(self.indices)

    def row(self, i: int) -> Row:
        """Return the row of the i-th source."""
        at = as_count(i, "i")
        if at >= len(self):
            raise ArgumentError(f"i is {at}, but there are {len(self)} rows, counted from 0.")
        return self._row(at)

    def _row(self, i: int) -> Row:
        part = slice(int(self.offsets[i]), int(self.offsets[i + 1]))
        vertices = self.graph.names_of(self.indices[part])
        return Row(self.graph.name_of(int(self._starts[i])), vertices, self.distances[part])

    def __len__(self) -> int:
        return self._starts.size

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, range(len(self)))

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Return the distances as a sparse matrix, a row for each source and a column for each vertex by position.

        Distances of 0 are stored. The arrays are shared, except that scipy wants columns as signed integers.
        """
        import scipy.sparse

        shape = (len(self), self.graph.n)
        return scipy.sparse.csr_array((self.distances, self.indices.astype(np.int64), self.offsets), shape=shape)

    def __repr__(self) -> str:
        return f"Within(sources={len(self)}, vertices={self.indices.size}, {self.distances.dtype} distances)"


@checks_names
def within(
    graph: object,
    sources: object,
    cutoff: float,
    *,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Within:
    """Find the vertices within a distance of each source, in time proportional to what is found.

    The result has a row for each source: its vertices, closest first, and their distances, in the type that
    `shortest_paths` gives them. Searches run side by side, on all cores unless `threads` says otherwise; the result
    does not depend on that. `time_limit` and `progress` are as in `shortest_paths`.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1], [1, 2], [30, 41], labels=["Rome", "Ostia", "Anzio"])
    >>> for source, vertices, distances in pf.within(graph, ["Rome", "Ostia"], 60):
    ...     print(source, vertices.tolist(), distances.tolist())
    Rome ['Rome', 'Ostia'] [0, 30]
    Ostia ['Ostia', 'Anzio'] [0, 41]
    """
    graph = as_graph(graph)
    starts = np.array(as_sources(graph, sources), np.uint32)
    if cutoff is None:
        raise ArgumentTypeError("cutoff is None; give a number, or math.inf for all vertices that can be reached.")
    workers = as_threads(threads)
    require_nonnegative_for(graph, cutoff=cutoff)
    limit = None if time_limit is None else as_positive(time_limit, "time_limit")
    with time_limited(limit, progress) as checked:
        return Within(graph, starts, *rows_within(graph, starts, cutoff, workers, checked))


def rows_within(
    graph: Graph, starts: Array, cutoff: object, threads: int, progress: Progress | None = None
) -> tuple[Array, Array, Array]:
    """Return offsets, vertices and distances of the rows from some positions, for weights >= 0."""

    def run(dtype: np.dtype[Any], wide: bool) -> tuple[Array, Array, Array, int]:
        limit = as_cutoff(cutoff, dtype)
        return _core.balls(graph.native, starts, limit, weight_bounds(graph), wide, threads, progress)

    return widening(graph, starts, run)


def weight_bounds(graph: Graph) -> _core.Bounds:
    """Return what native searches want to know of the weights."""
    known = graph.weight_summary()
    return _core.Bounds(lightest=known.lightest, heaviest=known.heaviest, mean=known.finite_mean)


def widening(
    graph: Graph, starts: Array, run: Callable[[np.dtype[Any], bool], tuple[Array, Array, Array, int]]
) -> tuple[Array, Array, Array]:
    """Return the answer of a native call that may find a distance too large for its type: then that of the next wider.

    `run` is given the type and whether it is the wider one; the last number that it returns is the position in `starts`
    of the first source with such a distance, -1 for none.
    """
    natural = graph.distance_dtype
    offsets, vertices, distances, overflow = run(natural, False)
    wide = wider(natural)
    if overflow >= 0 and wide is not None:
        offsets, vertices, distances, overflow = run(wide, True)
    if overflow >= 0:
        raise distance_overflow(graph.described(int(starts[overflow])), wide or natural)
    return offsets, vertices, distances
