"""The functions: arguments are read as scipy reads them, and rejected with the same exceptions."""

from __future__ import annotations

import functools
import math
import operator
import warnings
from collections.abc import Callable
from itertools import islice
from typing import Any, ParamSpec

import numpy as np
import scipy.sparse.csgraph
from scipy.sparse.csgraph import NegativeCycleError

from pathfront import _core
from pathfront.alternatives import k_shortest_paths
from pathfront.csgraph import rows
from pathfront.csgraph.cache import graph_of
from pathfront.csgraph.matrices import Use, as_matrix, is_csc, is_sparse
from pathfront.csgraph.reduction import reduced
from pathfront.exceptions import DistanceOverflowError, NoPathError, WeightError
from pathfront.graph import NO_VERTEX, Graph, index
from pathfront.validation import Array
from pathfront.wording import checks_names

_P = ParamSpec("_P")

_NEGATIVE = (
    "Graph has negative weights: dijkstra will give inaccurate results if the graph contains negative cycles. "
    "Consider johnson or bellman_ford."
)


def _unless_rounded(function: Callable[_P, Any]) -> Callable[_P, Any]:
    """Let scipy decide about a cycle that may be negative because its weights were rounded, within its tolerance."""
    theirs = getattr(scipy.sparse.csgraph, function.__name__, None)

    @functools.wraps(function)
    def decided(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        try:
            return function(*args, **kwargs)
        except rows.RoundedCycleError as error:
            if theirs is None:
                raise NegativeCycleError(str(error)) from error.__cause__
            return theirs(*args, **kwargs)

    return decided


@checks_names
def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Return distances, and predecessors if wanted, as `scipy.sparse.csgraph.shortest_path` does.

    `method` decides, as there, what is an error (negative cycles that no index reaches, indices with "FW"), not how the
    paths are found.

    >>> from pathfront.csgraph import shortest_path
    >>> shortest_path([[0, 2, 0], [0, 0, 3], [0, 0, 0]], method="D").tolist()
    [[0.0, 2.0, 5.0], [inf, 0.0, 3.0], [inf, inf, 0.0]]
    """
    if method == "auto":
        method = _chosen(csgraph, directed, unweighted, indices)
    if method == "FW":
        if indices is not None:
            raise ValueError("Cannot specify indices with method == 'FW'.")
        return floyd_warshall(csgraph, directed, return_predecessors, unweighted, overwrite)
    for name, function in (("D", dijkstra), ("BF", bellman_ford), ("J", johnson)):
        if method == name:
            return function(csgraph, directed, indices, return_predecessors, unweighted)
    as_matrix(csgraph)  # scipy looks at the matrix first
    raise ValueError(f"unrecognized method '{method}'")


def _chosen(csgraph: Any, directed: bool, unweighted: bool, indices: Any) -> str:
    """Return the method that scipy chooses."""
    matrix = as_matrix(csgraph)
    n = matrix.shape[0]
    if indices is None:
        if is_sparse(matrix):
            count = matrix.nnz
        elif np.ma.isMaskedArray(matrix):
            count = matrix.count()
        else:
            count = np.count_nonzero(np.isfinite(matrix) & (matrix != 0))
        if count >= n * n / 4:
            return "FW"
    if unweighted or n == 0:
        return "D"
    return "J" if rows.has_negative(graph_of(csgraph, directed=bool(directed), use=Use.WEIGHTS)) else "D"


@checks_names
def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = math.inf,
    min_only: bool = False,
) -> Any:
    """Return distances, and predecessors if wanted, as `scipy.sparse.csgraph.dijkstra` does.

    >>> from pathfront.csgraph import dijkstra
    >>> dijkstra([[0, 2, 0], [0, 0, 3], [0, 0, 0]], indices=[0, 1], min_only=True).tolist()
    [0.0, 0.0, 3.0]
    """
    graph = _graph(csgraph, directed, unweighted)
    if rows.has_negative(graph) or (unweighted and _holds_negative(csgraph)):
        warnings.warn(_NEGATIVE, UserWarning, stacklevel=2)
    sources, shape = _sources(indices, graph.n)
    none_within = math.isnan(limit)
    limit = float(limit)
    if limit < 0:
        raise ValueError("limit must be >= 0")
    if none_within:  # no distance is at most NaN
        graph, limit = Graph.from_csr(np.zeros(graph.n + 1, np.int64), []), math.inf
    if min_only:
        return _nearest(graph, sources, limit, return_predecessors)
    return _rows(graph, sources, shape, return_predecessors, limit)


@checks_names
@_unless_rounded
def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Return distances, and predecessors if wanted, as `scipy.sparse.csgraph.bellman_ford` does.

    >>> from pathfront.csgraph import bellman_ford
    >>> bellman_ford([[0, 2, 0], [0, 0, -1], [0, 0, 0]], indices=0).tolist()
    [0.0, 2.0, 1.0]
    """
    graph = _graph(csgraph, directed, unweighted)
    sources, shape = _sources(indices, graph.n)
    return _rows(graph, sources, shape, return_predecessors)


@checks_names
@_unless_rounded
def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Return distances, and predecessors if wanted, as `scipy.sparse.csgraph.johnson` does.

    A negative cycle anywhere is an error, whether an index reaches it or not.

    >>> from pathfront.csgraph import johnson
    >>> johnson([[0, 2, 0], [0, 0, -1], [0, 0, 0]], indices=[0, 2]).tolist()
    [[0.0, 2.0, 1.0], [inf, inf, 0.0]]
    """
    if unweighted:
        return dijkstra(csgraph, directed, indices, return_predecessors, unweighted)
    graph = _graph(csgraph, directed, unweighted)
    sources, shape = _sources(indices, graph.n)
    rows.require_no_negative_cycle(graph)
    return _rows(graph, sources, shape, return_predecessors)


@checks_names
@_unless_rounded
def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
) -> Any:
    """Return all distances, and predecessors if wanted, as `scipy.sparse.csgraph.floyd_warshall` does.

    With `overwrite` the distances replace the contents of a dense float64 array. Negative loops are ignored, as there.

    >>> from pathfront.csgraph import floyd_warshall
    >>> floyd_warshall([[0, 2, 0], [0, 0, 3], [0, 0, 0]]).tolist()
    [[0.0, 2.0, 5.0], [inf, 0.0, 3.0], [inf, inf, 0.0]]
    """
    use = Use.DENSE_HOPS if unweighted else Use.DENSE_WEIGHTS
    graph = graph_of(csgraph, directed=bool(directed), use=use)
    out = _overwritten(csgraph) if overwrite else None
    sources = np.arange(graph.n, dtype=np.uint32)
    try:
        return _rows(graph, sources, (graph.n, graph.n), return_predecessors, out=out)
    except rows.RoundedCycleError:
        raise
    except NegativeCycleError as error:
        cause = error.__cause__
        nodes = np.array(sorted(getattr(cause, "cycle", [])))
        raise NegativeCycleError(f"Negative cycle in nodes {nodes}: {cause}") from cause


def _overwritten(csgraph: Any) -> Array | None:
    """Return the array that is to hold the result, if the matrix has one that can."""
    array = csgraph.data if np.ma.isMaskedArray(csgraph) else csgraph
    if not isinstance(array, np.ndarray) or array.dtype != np.float64:
        return None
    return np.asarray(array) if array.flags.c_contiguous and array.flags.writeable else None


@checks_names
def breadth_first_order(csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True) -> Any:
    """Return the nodes in breadth-first order, and predecessors, as `scipy.sparse.csgraph.breadth_first_order` does.

    The order is the same: that of the stored entries, without directions those of a node's row before its column's.

    >>> from pathfront.csgraph import breadth_first_order
    >>> order, predecessors = breadth_first_order([[0, 2, 1], [0, 0, 0], [0, 0, 0]], 0)
    >>> order.tolist(), predecessors.tolist()
    ([0, 1, 2], [-9999, 0, 0])
    """
    matrix = as_matrix(csgraph)
    # scipy, too, takes the rows of the transpose for granted
    rows_of = csgraph.T if not directed and is_csc(matrix) else csgraph
    graph = graph_of(rows_of, directed=True, use=Use.HOPS)
    start = math.trunc(i_start)  # scipy takes 1.5 for 1
    if start < 0:
        raise OverflowError(f"i_start is {start}, but it must not be negative.")  # as scipy: its nodes are unsigned
    if start >= graph.n:
        raise ValueError(f"i_start is {start}, but the nodes are 0..{graph.n - 1}.")
    order, predecessors = np.empty(graph.n, np.int32), np.full(graph.n, rows.NONE, np.int32)
    reverse = None if directed else graph.reverse().native
    found = _core.bfs_order(graph.native, reverse, start, order, predecessors)
    order = order[:found]
    return (order, predecessors) if return_predecessors else order


@checks_names
@_unless_rounded
def yen(
    csgraph: Any,
    source: int,
    sink: int,
    K: int,  # noqa: N803  # scipy's name
    *,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Return the lengths of the K shortest loopless paths, and predecessors, as `scipy.sparse.csgraph.yen` does.

    scipy has it since version 1.14.

    >>> from pathfront.csgraph import yen
    >>> yen([[0, 2, 6], [0, 0, 3], [0, 0, 0]], 0, 2, 3).tolist()
    [5.0, 6.0]
    """
    graph = _graph(csgraph, directed, unweighted)
    n, most = graph.n, operator.index(K)
    if not (0 <= source < n and 0 <= sink < n):
        raise ValueError(
            "For csgraph with shape (N, N), must have 0 <= source < N and 0 <= sink < N. "
            f"Got N={n}, source={source}, sink={sink}."
        )
    if most < 0:
        raise ValueError(f"K is {most}, but it must not be negative.")
    paths = _simple_paths(graph, int(source), int(sink), most)
    lengths = np.array([length for length, _ in paths], np.float64)
    if not return_predecessors:
        return lengths
    predecessors = np.full((len(paths), n), rows.NONE, np.int32)
    for row, (_, path) in zip(predecessors, paths, strict=True):
        row[path[1:]] = path[:-1]
    return lengths, predecessors


def _simple_paths(graph: Graph, source: int, sink: int, most: int) -> list[tuple[float, Array]]:
    """Return the lengths and vertices of the shortest loopless paths."""
    if not rows.has_negative(graph):
        return _shortest(graph, source, sink, most)
    made = reduced(graph, np.arange(graph.n, dtype=np.uint32))
    if isinstance(made, list):
        rows.raise_cycle(graph, made)
    if made is None:
        raise WeightError("some sum of weights needs more than 53 bits, which yen with negative weights does not have.")
    more = made.potential[sink] - made.potential[source]
    found = _shortest(made.graph, source, sink, most)
    return [(math.ldexp(length + more, made.exponent), path) for length, path in found]


def _shortest(graph: Graph, source: int, sink: int, most: int) -> list[tuple[float, Array]]:
    """Return the same for weights >= 0; with float64 sums, as in scipy, where one needs more than 64 bits."""
    try:
        found = list(islice(k_shortest_paths(graph, index(source), index(sink)), most))
    except NoPathError:
        return []
    except DistanceOverflowError:
        if graph.distance_dtype.kind == "f":
            raise
        return _shortest(rows.with_floats(graph), source, sink, most)
    return [(float(path.distance), path.indices) for path in found]


def _graph(csgraph: Any, directed: bool, unweighted: bool) -> Graph:
    return graph_of(csgraph, directed=bool(directed), use=Use.HOPS if unweighted else Use.WEIGHTS)


def _holds_negative(csgraph: Any) -> bool:
    """Return whether a matrix has a negative entry."""
    matrix = as_matrix(csgraph)
    if is_sparse(matrix):
        return bool(np.any(matrix.tocsr().data < 0))
    if np.ma.isMaskedArray(matrix):
        return bool(np.any(matrix.compressed() < 0))
    return bool(np.any((matrix < 0) & np.isfinite(matrix)))


def _sources(indices: Any, n: int) -> tuple[Array, tuple[int, ...]]:
    """Return the vertices that were asked for, and the shape of the answer."""
    if indices is None:
        return np.arange(n, dtype=np.uint32), (n, n)
    wanted = np.array(indices, dtype=np.int64, order="C")
    flat = wanted.reshape(-1)
    flat[flat < 0] += n
    if np.any(flat < 0) or np.any(flat >= n):
        raise ValueError("indices out of range 0...N")
    return flat.astype(np.uint32), (*wanted.shape, n)


def _rows(
    graph: Graph,
    sources: Array,
    shape: tuple[int, ...],
    return_predecessors: bool,
    limit: float = math.inf,
    out: Array | None = None,
) -> Any:
    flat = (sources.size, graph.n)
    dist = np.empty(flat, np.float64) if out is None else out
    parent = np.empty(flat, np.int32) if return_predecessors else None
    rows.fill(graph, sources, dist, parent, limit)
    if parent is None:
        return dist.reshape(shape)
    return dist.reshape(shape), parent.reshape(shape)


def _nearest(graph: Graph, sources: Array, limit: float, return_predecessors: bool) -> Any:
    """Return for each vertex the distance from the closest source, its predecessor and that source."""
    starts = np.array(list(dict.fromkeys(sources.tolist())), np.uint32)
    dist = np.full(graph.n, np.inf)
    before = source = np.full(graph.n, rows.NONE, np.int32)
    if starts.size:
        found, parent = rows.search(graph, int(starts[0]), starts[1:], limit)
        dist = rows.as_floats(found)
        dist[dist > limit] = np.inf
        before = rows.as_predecessors(parent, dist)
        if return_predecessors:
            roots = np.full(graph.n, NO_VERTEX, np.uint32)
            own = starts[parent[starts] == NO_VERTEX]
            roots[own] = own
            _core.roots(parent, roots)
            source = rows.as_predecessors(roots, dist)
    return (dist, before, source) if return_predecessors else dist
