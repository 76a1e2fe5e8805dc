"""Searches from many sources: each runs on one thread, and as many run at once as there are threads.

With more sources than cores this is faster than several threads per search: the searches share only the graph. The
threads are Python's; searches release the interpreter lock.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.api import (
    as_targets,
    distance_overflow,
    is_one_vertex,
    negative_cycle,
    require_nonnegative_for,
    run,
    shortest_paths,
)
from pathfront.dtypes import converted, unreached_marker, wider
from pathfront.exceptions import ArgumentError, ArgumentTypeError, DistanceOverflowError
from pathfront.graph import NO_VERTEX, Graph, as_graph, index
from pathfront.methods import auto
from pathfront.paths import ShortestPaths
from pathfront.problem import Problem
from pathfront.progress import progress_bar
from pathfront.validation import Array, as_array, as_cutoff, as_threads, is_foreign_array
from pathfront.wording import checks_names, described, shown
from pathfront.workers import Workers

if TYPE_CHECKING:
    import scipy.sparse

_SHOWN_FROM = 200_000_000
"""Arcs of all searches together from which on a progress bar is shown: a second or more."""


class _StoppedError(Exception):
    """Another search failed or was interrupted, so this one is stopped."""


@checks_names
def distance_matrix(
    graph: object,
    sources: object,
    targets: object = None,
    *,
    dtype: object = None,
    out: Array | None = None,
    cutoff: float | None = None,
    threads: int | None = None,
) -> Any:
    """Return the distances from each source to each target (default: to every vertex), a row for each source.

    The type is that of the weights, wider if a distance does not fit; with `dtype` (or an array `out`, which may be
    memory-mapped) it is that type, or an error if a distance does not fit. Float types hold infinity where there is no
    path, integer types their largest value. With `cutoff` and no `out` the result is a scipy `csr_array` that holds
    the distances up to the cutoff only, zeros included.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [4, 3, 1])
    >>> pf.distance_matrix(graph, [0, 2]).tolist()
    [[0, 4, 7], [1, 5, 0]]
    >>> pf.distance_matrix(graph, [0, 2], cutoff=4).nnz
    4
    """
    graph = as_graph(graph)
    starts = _as_sources(graph, sources)
    ends = as_targets(targets, graph)
    workers = min(as_threads(threads), max(len(starts), 1))
    require_nonnegative_for(graph, cutoff=cutoff)
    shape = (len(starts), graph.n if ends is None else ends.size)
    natural = graph.distance_dtype
    wanted = _as_wanted(dtype, out, shape, natural)
    wide = None if graph.weights is None else wider(natural)
    # numpy takes None for float64 in comparisons of types
    searching = wide if wide is not None and wanted is not None and wanted == wide else natural
    while True:
        rows = _Rows(graph, starts, ends, as_cutoff(cutoff, searching), searching)
        try:
            if cutoff is not None and out is None:
                return rows.sparse(workers, wanted or searching)
            found = out if out is not None else np.empty(shape, wanted or searching)
            rows.fill(found, workers)
            return found
        except DistanceOverflowError:
            wide = wider(searching)
            if wide is None or (wanted is not None and wanted.name != "float64"):
                raise
            searching = wide


class Nearest(NamedTuple):
    """For each vertex, in their order, the distance to its closest source, and that source.

    Where there is no path the source is `pf.NO_VERTEX`. If the graph has labels, the sources are labels, a masked array
    that hides the vertices without a path.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0], [1], [7], n=3)
    >>> pf.nearest(graph, [0]).source.tolist() == [0, 0, pf.NO_VERTEX]
    True
    >>> pf.nearest(graph.with_labels(["Rome", "Ostia", "Elba"]), ["Rome"]).source.tolist()
    ['Rome', 'Rome', None]
    """

    distance: Array
    source: Array


@checks_names
def nearest(graph: object, sources: object, *, cutoff: float | None = None) -> Nearest:
    """Find for each vertex the closest of several sources, in one search from all of them at once.

    Of several equally close sources it is always the same one. A vertex without a path from a source, or with none
    within the cutoff, has the distance infinity or the type's largest value, as in `shortest_paths`.

    >>> import pathfront as pf
    >>> found = pf.nearest(pf.generate.chain(6, weights="unit"), [0, 4])
    >>> found.distance.tolist(), found.source.tolist()
    ([0, 1, 2, 1, 0, 1], [0, 0, 0, 4, 4, 4])
    """
    graph = as_graph(graph)
    starts = list(dict.fromkeys(_as_sources(graph, sources)))
    if not starts:
        raise ArgumentError("sources is empty; give at least one vertex.")
    require_nonnegative_for(graph, cutoff=cutoff)
    parent = np.empty(graph.n, np.uint32)
    problem, _ = run(
        auto.METHOD,
        graph,
        cutoff,
        source=starts[0],
        others=np.array(starts[1:], np.uint32),
        parent=parent,
        threads=1,  # with more, the winner of two equally close sources would depend on timing
    )
    roots = np.full(graph.n, NO_VERTEX, np.uint32)
    for start in starts:
        if parent[start] == NO_VERTEX:  # else, with negative weights, another source is closer than itself
            roots[start] = start
    _core.roots(parent, roots)
    return Nearest(problem.distance, roots if graph.labels is None else graph.masked_names(roots))


def shortest_paths_many(graph: object, sources: object, **options: Any) -> Iterator[ShortestPaths]:
    """Yield the shortest paths from each source, in order, with the options of `shortest_paths`.

    On the CPU `threads` searches run at a time, at most that many ahead of the last result taken: memory does not grow
    with the number of sources. On a GPU the searches run one after the other. `progress` is called for each search.

    >>> import pathfront as pf
    >>> graph = pf.generate.grid(5, 5, weights="unit")
    >>> [int(paths.distance.max()) for paths in pf.shortest_paths_many(graph, [0, 12])]
    [8, 4]
    """
    made = as_graph(graph)
    starts = _as_sources(made, sources)
    device = options.get("device", "cpu")
    on_cpu = isinstance(device, str) and device == "cpu"
    threads = options.pop("threads", None)
    workers = min(as_threads(threads), max(len(starts), 1)) if on_cpu else 1
    progress = options.pop("progress", None)
    stop = threading.Event()

    def check(fraction: float) -> None:
        if stop.is_set():
            raise _StoppedError
        if progress is not None:
            progress(fraction)

    def one(start: int) -> ShortestPaths:
        return shortest_paths(made, index(start), threads=1 if on_cpu else threads, progress=check, **options)

    return _run_ahead(one, starts, workers, stop)


def _run_ahead(
    one: Callable[[int], ShortestPaths], starts: Iterable[int], workers: int, stop: threading.Event
) -> Iterator[ShortestPaths]:
    pending: deque[Future[ShortestPaths]] = deque()
    with Workers(workers) as pool:
        try:
            for start in starts:
                pending.append(pool.submit(one, start))
                if len(pending) > workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            stop.set()  # the results of the searches that still run are not wanted


@dataclass(slots=True)
class _Rows:
    """The rows of one matrix, each a search."""

    _graph: Graph
    _starts: list[int]
    _ends: Array | None
    _cutoff: int | float | None
    _dtype: np.dtype[Any]
    _stop: threading.Event = field(default_factory=threading.Event)
    _local: threading.local = field(default_factory=threading.local)

    def fill(self, out: Array, workers: int) -> None:
        """Write the rows to an array."""

        def write(i: int) -> None:
            straight = self._ends is None and out.dtype == self._dtype and out[i].flags.c_contiguous
            row = self._search(self._starts[i], out[i] if straight else self._buffer())
            if not straight:
                out[i] = converted(row, out.dtype)

        self._each(write, workers)

    def sparse(self, workers: int, dtype: np.dtype[Any]) -> scipy.sparse.csr_array:
        """Return the distances of reached vertices as a sparse matrix."""
        import scipy.sparse

        parts: list[tuple[Array, Array]] = [(np.empty(0), np.empty(0))] * len(self._starts)

        def collect(i: int) -> None:
            row = self._search(self._starts[i], self._buffer())
            columns = np.flatnonzero(row != unreached_marker(row.dtype))
            parts[i] = columns, row[columns].astype(dtype)

        self._each(collect, workers)
        offsets = np.concatenate([[0], np.cumsum([columns.size for columns, _ in parts])]).astype(np.int64)
        width = self._graph.n if self._ends is None else self._ends.size
        columns = np.concatenate([c for c, _ in parts] or [np.empty(0)]).astype(np.int64)
        values = np.concatenate([v for _, v in parts] or [np.empty(0)]).astype(dtype)
        return scipy.sparse.csr_array((values, columns, offsets), shape=(len(self._starts), width))

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

    def _search(self, start: int, distance: Array) -> Array:
        """Return the distances of the targets from one source; those of all vertices are written to `distance`."""
        problem = Problem(
            graph=self._graph,
            source=start,
            distance=distance,
            parent=None,
            cutoff=self._cutoff,
            targets=self._ends if self._graph.weight_summary().first_negative < 0 else None,
            progress=self._check,
        )
        outcome = auto.solve(problem)
        if outcome.cycle is not None:
            raise negative_cycle(self._graph, outcome.cycle)
        if outcome.overflow:
            raise distance_overflow(self._graph.described(start), distance.dtype)
        return distance if self._ends is None else distance[self._ends]

    def _check(self, _: float) -> None:
        if self._stop.is_set():
            raise _StoppedError

    def _buffer(self) -> Array:
        if not hasattr(self._local, "buffer"):
            self._local.buffer = np.empty(self._graph.n, self._dtype)
        buffer: Array = self._local.buffer
        return buffer


def _as_sources(graph: Graph, sources: object) -> list[int]:
    if is_foreign_array(sources):
        sources = as_array(sources, "sources")
    single = isinstance(sources, np.ndarray) and sources.ndim == 0
    if single or not isinstance(sources, Iterable) or is_one_vertex(sources, graph):
        raise ArgumentTypeError(f"sources is {shown(sources)}; give a list of vertices.")
    graph.check()
    return [graph.vertex(source, f"sources[{i}]") for i, source in enumerate(sources)]


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
