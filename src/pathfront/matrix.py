"""`distance_matrix`: the distances from each of many sources, a row for each.

On the CPU as many searches run at once as there are threads, each on one thread: with more sources than cores this is
faster than several threads per search. The threads are Python's; searches release the interpreter lock. On a GPU the
searches run one after the other.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import FIRST_EXCEPTION, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from pathfront import _core
from pathfront.api import as_choice, as_targets, distance_overflow, negative_cycle, require_weights
from pathfront.dtypes import converted, unreached_marker, wider
from pathfront.exceptions import ArgumentError, ArgumentTypeError, DistanceOverflowError, NoPathError
from pathfront.graph import NO_VERTEX, Graph, as_graph
from pathfront.local import rows_within
from pathfront.methods import auto
from pathfront.methods.method import Method
from pathfront.problem import Problem
from pathfront.progress import progress_bar
from pathfront.sources import as_sources, raise_if_stopped
from pathfront.validation import Array, as_cutoff, as_flag
from pathfront.wording import checks_names, described, shown
from pathfront.workers import Workers

if TYPE_CHECKING:
    import scipy.sparse

_SHOWN_FROM = 200_000_000
"""Arcs of all searches together from which on a progress bar is shown: a second or more."""


@dataclass(frozen=True, slots=True, eq=False)
class DistanceMatrix:
    """Distances from many sources with the trees of shortest paths, from `distance_matrix(..., parents=True)`.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [4, 3, 1], labels=["Rome", "Ostia", "Anzio"])
    >>> found = pf.distance_matrix(graph, ["Rome", "Anzio"], ["Ostia"], parents=True)
    >>> found.distances.tolist(), found.parents.tolist()
    ([[4], [5]], [[-1, 0, -1], [2, 0, -1]])
    >>> found.path("Anzio", "Ostia").tolist()
    ['Anzio', 'Rome', 'Ostia']
    """

    distances: Any
    """What `distance_matrix` returns without parents: a row per source, a column per target."""
    parents: Any
    """For each source (row) the position of the vertex before each vertex (column) on its shortest path, -1 for none:
    at the source, where there is no path, and beyond the cutoff or the farthest target. Sparse like `distances`."""
    graph: Graph = field(repr=False)
    _starts: list[int] = field(repr=False)

    def path(self, source: Hashable, target: Hashable) -> Array:
        """Return the vertices of a shortest path from one of the sources: labels where the graph has labels."""
        start, end = self.graph.vertex(source, "source"), self.graph.vertex(target, "target")
        if start not in self._starts:
            raise ArgumentError(f"source is {shown(source)}, which is none of the matrix's sources; give one of them.")
        path = np.asarray(_core.path_to(self._tree(self._starts.index(start)), end))
        if path.size == 0 or path[0] != start:
            ends = f"from {self.graph.described(start)} to {self.graph.described(end)}"
            raise NoPathError(f"there is no path {ends}, or none as near as the search went.")
        return self.graph.names_of(path)

    def _tree(self, row: int) -> Array:
        """Return the parents of a row, with the marker of the core for none."""
        parents = self.parents
        if isinstance(parents, np.ndarray):
            return np.ascontiguousarray(parents[row].astype(np.uint32))
        tree = np.full(self.graph.n, NO_VERTEX, np.uint32)
        part = slice(parents.indptr[row], parents.indptr[row + 1])
        tree[parents.indices[part]] = parents.data[part].astype(np.uint32)
        return tree


@checks_names
def distance_matrix(
    graph: object,
    sources: object,
    targets: object = None,
    *,
    method: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    delta: float | None = None,
    parents: bool = False,
    sparse: bool = False,
    dtype: object = None,
    out: Array | None = None,
    cutoff: float | None = None,
    **options: Any,
) -> Any:
    """Return the distances from each source to each target (default: to every vertex), a row for each source.

    The type is that of the weights, wider if a distance does not fit; with `dtype` (or an array `out`, which may be
    memory-mapped) it is that type, or an error if a distance does not fit. Float types hold infinity where there is no
    path or none within the `cutoff`, integer types their largest value. With `sparse` the result is a scipy `csr_array`
    that holds the distances of reached vertices only, zeros included.

    With `parents` the result is a `DistanceMatrix`: the distances, and the tree of shortest paths of every row.

    `method`, `device`, `delta` and further options are those of `shortest_paths`. On the CPU `threads` is the number of
    searches that run at once; on a GPU the searches run one after the other.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [4, 3, 1])
    >>> pf.distance_matrix(graph, [0, 2]).tolist()
    [[0, 4, 7], [1, 5, 0]]
    >>> pf.distance_matrix(graph, [0, 2], cutoff=4, sparse=True).nnz
    4
    """
    graph = as_graph(graph)
    starts = as_sources(graph, sources)
    ends = as_targets(targets, graph)
    chosen, how = as_choice(method, device, threads, delta, options, _ARGUMENTS)
    on_cpu = how["device"] == "cpu"
    workers = min(how["threads"], max(len(starts), 1)) if on_cpu else 1
    how["threads"] //= workers  # with fewer sources than threads a search has several
    with_parents = as_flag(parents, "parents")
    if as_flag(sparse, "sparse") and out is not None:
        raise ArgumentError("sparse is True, but out is an array, which is dense; leave one of the two out.")
    require_weights(graph, chosen, cutoff, None)
    shape = (len(starts), graph.n if ends is None else ends.size)
    natural = graph.distance_dtype
    wanted = _as_wanted(dtype, out, shape, natural)
    wide = None if graph.weights is None else wider(natural)
    # numpy takes None for float64 in comparisons of types
    searching = wide if wide is not None and wanted is not None and wanted == wide else natural
    if sparse and cutoff is not None and ends is None and on_cpu and chosen is auto.METHOD and not with_parents:
        near = _near(graph, starts, cutoff, workers, wanted)
        if near is not None:
            return near
    found: Any
    trees: Any
    while True:
        limit = as_cutoff(cutoff, searching)
        rows = _Rows(graph, starts, ends, limit, searching, chosen, how, with_parents)
        try:
            if sparse:
                found, trees = rows.sparse(workers, wanted or searching)
            else:
                found = out if out is not None else np.empty(shape, wanted or searching)
                trees = rows.fill(found, workers)
            return DistanceMatrix(found, trees, graph, starts) if with_parents else found
        except DistanceOverflowError:
            wide = wider(searching)
            if wide is None or (wanted is not None and wanted.name != "float64"):
                raise
            searching = wide


def _near(
    graph: Graph, starts: list[int], cutoff: float, threads: int, wanted: np.dtype[Any] | None
) -> scipy.sparse.csr_array | None:
    """Return the distances within a cutoff in time proportional to their number; None if they do not fit `wanted`."""
    import scipy.sparse

    offsets, columns, values = rows_within(graph, np.array(starts, np.uint32), cutoff, threads)
    if wanted is not None and wanted.name != "float64" and wanted.itemsize < values.dtype.itemsize:
        return None
    values = values if wanted is None else values.astype(wanted)
    made = scipy.sparse.csr_array((values, columns.astype(np.int64), offsets), shape=(len(starts), graph.n))
    made.sort_indices()
    return made


_ARGUMENTS = tuple(inspect.signature(distance_matrix).parameters)[1:-1]


@dataclass(slots=True)
class _Rows:
    """The rows of one matrix, each a search."""

    _graph: Graph
    _starts: list[int]
    _ends: Array | None
    _cutoff: int | float | None
    _dtype: np.dtype[Any]
    _method: Method
    _how: dict[str, Any]
    """Further fields of each problem."""
    _with_parents: bool
    _stop: threading.Event = field(default_factory=threading.Event)
    _local: threading.local = field(default_factory=threading.local)

    def fill(self, out: Array, workers: int) -> Array | None:
        """Write the rows to an array; return the parents, if they are wanted."""
        trees = np.empty((len(self._starts), self._graph.n), self._parent_type) if self._with_parents else None
        direct = trees is not None and trees.dtype.itemsize == 4

        def write(i: int) -> None:
            straight = self._ends is None and out.dtype == self._dtype and out[i].flags.c_contiguous
            # as int32 the marker for no vertex is -1
            tree = trees[i].view(np.uint32) if trees is not None and direct else self._tree_buffer()
            row = self._search(self._starts[i], out[i] if straight else self._buffer(), tree)
            if not straight:
                out[i] = converted(row, out.dtype)
            if trees is not None and not direct:
                trees[i] = _as_parents(tree, trees.dtype)

        self._each(write, workers)
        return trees

    def sparse(
        self, workers: int, dtype: np.dtype[Any]
    ) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array | None]:
        """Return the distances of reached vertices as a sparse matrix, and the parents, if they are wanted."""
        found: list[tuple[Array, Array]] = [(np.empty(0), np.empty(0))] * len(self._starts)
        trees = found.copy()

        def collect(i: int) -> None:
            tree = self._tree_buffer()
            row = self._search(self._starts[i], self._buffer(), tree)
            columns = np.flatnonzero(row != unreached_marker(row.dtype))
            found[i] = columns, row[columns].astype(dtype)
            if tree is not None:
                inside = tree != NO_VERTEX
                inside[self._starts[i]] = True
                columns = np.flatnonzero(inside)
                trees[i] = columns, _as_parents(tree[columns], self._parent_type)

        self._each(collect, workers)
        n = self._graph.n
        distances = _as_csr(found, dtype, n if self._ends is None else self._ends.size)
        return distances, _as_csr(trees, self._parent_type, n) if self._with_parents else None

    def _each(self, work: Callable[[int], None], workers: int) -> None:
        """Run work(i) for every row; the first failure, or Ctrl-C, stops the others."""
        count = len(self._starts)
        done = 0
        shown = count * self._graph.m >= _SHOWN_FROM
        with progress_bar("distances", shown=shown) as progress, Workers(workers) as pool:
            try:
                left = {pool.submit(work, i) for i in range(count)}
                while left:
                    finished, left = wait(left, timeout=0.1, return_when=FIRST_EXCEPTION)
                    for future in finished:
                        future.result()
                    done += len(finished)
                    if progress is not None:
                        progress(done / count)
            except BaseException:
                self._stop.set()
                raise

    def _search(self, start: int, distance: Array, parent: Array | None) -> Array:
        """Return the distances of the targets from one source; those of all vertices are written to `distance`."""
        problem = Problem(
            graph=self._graph,
            source=start,
            distance=distance,
            parent=parent,
            cutoff=self._cutoff,
            targets=self._ends if self._graph.weight_summary().first_negative < 0 else None,
            progress=self._check,
            **self._how,
        )
        outcome = auto.solve(problem, self._method)
        if outcome.cycle is not None:
            raise negative_cycle(self._graph, outcome.cycle)
        if outcome.overflow:
            raise distance_overflow(self._graph.described(start), distance.dtype)
        return distance if self._ends is None else distance[self._ends]

    def _check(self, _: float) -> None:
        raise_if_stopped(self._stop)

    def _buffer(self) -> Array:
        if not hasattr(self._local, "buffer"):
            self._local.buffer = np.empty(self._graph.n, self._dtype)
        buffer: Array = self._local.buffer
        return buffer

    def _tree_buffer(self) -> Array | None:
        if self._with_parents and not hasattr(self._local, "tree"):
            self._local.tree = np.empty(self._graph.n, np.uint32)
        return getattr(self._local, "tree", None)

    @property
    def _parent_type(self) -> np.dtype[Any]:
        return np.dtype(np.int32 if self._graph.n <= 2**31 else np.int64)


def _as_parents(tree: Array | None, dtype: np.dtype[Any]) -> Array:
    """Return the core's parents as signed integers, -1 for none."""
    assert tree is not None
    made = tree.astype(dtype)
    made[tree == NO_VERTEX] = -1
    return made


def _as_csr(rows: list[tuple[Array, Array]], dtype: np.dtype[Any], width: int) -> scipy.sparse.csr_array:
    """Return a sparse matrix of rows, each given by its columns and their values."""
    import scipy.sparse

    offsets = np.concatenate([[0], np.cumsum([columns.size for columns, _ in rows])]).astype(np.int64)
    columns = np.concatenate([c for c, _ in rows] or [np.empty(0)]).astype(np.int64)
    values = np.concatenate([v for _, v in rows] or [np.empty(0)]).astype(dtype)
    return scipy.sparse.csr_array((values, columns, offsets), shape=(len(rows), width))


def _as_wanted(dtype: object, out: object, shape: tuple[int, int], natural: np.dtype[Any]) -> np.dtype[Any] | None:
    """Return the type that the caller has chosen, or None."""
    wanted = None if dtype is None else _as_type(dtype)
    if out is not None:
        if not isinstance(out, np.ndarray) or out.shape != shape or not out.flags.writeable:
            what = f"an array of shape {out.shape}" if isinstance(out, np.ndarray) else described(out)
            raise ArgumentError(f"out is {what}, but it must be a writable array of shape {shape}.")
        if wanted is not None and wanted != out.dtype:
            raise ArgumentError(f"dtype is {wanted}, but out has {out.dtype}; give one of the two.")
        wanted = out.dtype
    if wanted is None:
        return None
    fitting = {natural, wider(natural) or natural, np.dtype(np.float64)}
    if wanted not in fitting:
        names = ", ".join(sorted(str(t) for t in fitting))
        raise ArgumentError(f"dtype is {wanted}, but distances of {natural} weights can be one of {names}.")
    return wanted


def _as_type(dtype: object) -> np.dtype[Any]:
    try:
        return np.dtype(dtype)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"dtype is {shown(dtype)}, which is no type of numbers; give one.") from None
