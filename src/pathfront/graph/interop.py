"""Graphs from and to the structures of other packages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, ArgumentTypeError, MissingExtraError
from pathfront.graph import adjacency
from pathfront.graph.build import from_checked_edges, from_edges
from pathfront.graph.dense import DenseGraph
from pathfront.graph.edge_ids import packed
from pathfront.graph.graph import Graph
from pathfront.graph.labels import as_labels, name_array, number_names
from pathfront.validation import Array, as_array, as_flag, as_weights, available_cores, require_finite
from pathfront.wording import described, kind, shown

if TYPE_CHECKING:
    import networkx
    import scipy.sparse


def from_scipy(matrix: Any, *, directed: bool) -> Graph:
    """See `Graph.from_scipy`."""
    if not hasattr(matrix, "tocsr"):
        raise ArgumentTypeError(
            f"matrix is {kind(matrix)}, not a scipy sparse matrix; use Graph.from_dense for arrays."
        )
    _require_square(matrix.shape)
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()  # what several entries of one position mean everywhere in scipy
    return Graph.from_csr(rows.indptr, rows.indices, _real(rows.data, "matrix"), directed=directed)


def from_dense(matrix: Any, *, no_edge: object, directed: bool, keep_dense: bool = False) -> Graph:
    """See `Graph.from_dense`."""
    entries = as_array(matrix, "matrix")
    if entries.size == 0 and entries.shape in ((0,), (0, 0)):
        return Graph.from_csr([0], [], directed=directed)
    _require_square(entries.shape)
    _real(entries.ravel(), "matrix")
    if no_edge is None:
        edges = np.ones(entries.shape, dtype=bool)
    elif isinstance(no_edge, int | float | np.number):
        try:
            edges = ~np.isnan(entries) if no_edge != no_edge else entries != no_edge
        except OverflowError:  # an integer beyond the range of floats
            raise ArgumentError(f"no_edge is {shown(no_edge)}, which no entry can be; give a smaller number.") from None
    else:
        raise ArgumentTypeError(
            f"no_edge is {described(no_edge)}; "
            "give the number that stands for a missing edge (0, inf, nan, -1, ...), or None."
        )
    tails, heads = np.nonzero(edges)
    weights = entries[tails, heads]
    if weights.dtype.kind == "f" and not np.isfinite(weights).all():
        first = int(np.argmax(~np.isfinite(weights)))
        raise ArgumentError(
            f"matrix[{tails[first]}, {heads[first]}] is {weights[first]}, but weights must be finite; "
            f"no_edge is {no_edge}: should it be {weights[first]}?"
        )
    if as_flag(keep_dense, "keep_dense"):
        return DenseGraph.of(entries, edges, directed=directed)
    offsets = np.concatenate([[0], np.cumsum(edges.sum(axis=1))])
    return Graph.from_csr(offsets, heads, weights, directed=directed)


def from_networkx(graph: Any, weight: str | None, missing: int | None = None) -> Graph:
    """See `Graph.from_networkx`; `missing` is the weight of edges that have none while others do."""
    if not all(hasattr(graph, name) for name in ("nodes", "adj", "is_directed", "is_multigraph")):
        raise ArgumentTypeError(f"graph is {kind(graph)}, not a networkx graph; give one.")
    if callable(weight):
        raise ArgumentTypeError("weight is a function; give the name of an edge attribute, or None to count hops.")
    found = adjacency.read(graph, parallel=True)
    tails = np.repeat(np.arange(len(found.names), dtype=np.uint32), np.diff(found.offsets))
    heads, weights = found.heads, None if weight is None else _edge_weights(found, weight, missing)
    if not graph.is_directed():  # an edge is in the rows of both its ends; networkx lists it where it comes first
        first = heads >= tails
        tails, heads, weights = tails[first], heads[first], None if weights is None else weights[first]
    return from_checked_edges(
        tails,
        heads,
        weights,
        n=len(found.names),
        directed=graph.is_directed(),
        labels=as_labels(name_array(found.names), len(found.names)),
        edge_ids=packed(np.arange(tails.size)),
    )


def _edge_weights(found: adjacency.Adjacency, weight: str, missing: int | None) -> Array | None:
    """Return the weights of all arcs, or None if no edge has the attribute."""
    numbers = found.attribute(weight)
    absent = numbers.missing + numbers.hidden.size
    if absent == numbers.values.size:
        if absent and weight != "weight":
            raise ArgumentError(
                f"weight is {shown(weight)}, but no edge has such an attribute; pass weight=None to count hops."
            )
        return None
    if absent and missing is None:
        firsts = [int(first) for first in (numbers.first_missing, *numbers.hidden[:1]) if first >= 0]
        tail, head, _ = found.at(min(firsts))
        raise ArgumentError(
            f"edge ({tail!r}, {head!r}) has no value of {weight!r} while others do; "
            "give it one, or pass weight=None to count hops."
        )
    if absent:
        numbers.values[numbers.hidden] = missing
    if numbers.odd < 0:
        integers = numbers.values.dtype.kind == "u"
        return numbers.values.astype(np.int64) if integers else numbers.values
    name = f"attribute {weight!r}"
    weights = as_weights(found.objects(weight, missing), name)
    assert weights is not None
    require_finite(weights, _core.weight_summary(weights, available_cores())[4], name)
    return weights


def from_dataframe(frame: Any, tail: str, head: str, weight: str | None, *, directed: bool) -> Graph:
    """See `Graph.from_dataframe`."""
    tails, heads = _column(frame, tail, "tail"), _column(frame, head, "head")
    for argument, name, column in (("tail", tail, tails), ("head", head, heads)):
        if column.dtype.kind == "f" and column.size:
            raise ArgumentTypeError(
                f"{argument}={name!r} is a column of floats; vertices are integers or names: "
                "convert it, and drop rows with missing ids."
            )
        if column.dtype.kind == "O":
            _require_names(column, f"{argument}={name!r}")
    numbered_tails, numbered_heads, names = number_names(tails, heads)
    weights = None if weight is None else _column(frame, weight, "weight")
    if weights is not None and weights.dtype.kind == "O":
        raise ArgumentTypeError(f"weight={weight!r} is not a column of numbers, or has missing values.")
    return from_edges(
        numbered_tails,
        numbered_heads,
        weights,
        n=None if names is None else len(names),
        directed=as_flag(directed, "directed"),
        labels=names,
        coordinates=None,
        edge_ids=True,
    )


def _column_names(frame: Any) -> Iterable[object]:
    dtype = getattr(frame, "dtype", None)
    for known in (getattr(frame, "column_names", None), getattr(frame, "columns", None), getattr(dtype, "names", None)):
        if isinstance(known, Iterable):
            return known
    if isinstance(frame, Mapping):
        return frame
    raise ArgumentTypeError(f"frame is {kind(frame)}; give a table of pandas, polars or pyarrow, or a dict of columns.")


def _require_names(column: Array, argument: str) -> None:
    for value in column:
        try:
            hash(value)
        except TypeError:  # also a signalling NaN
            raise ArgumentTypeError(
                f"{argument} holds {described(value)}, which is not hashable; use strings, integers or tuples."
            ) from None
        if _is_missing(value):
            raise ArgumentError(f"{argument} has missing values; drop those rows.")


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA will not be compared
        return True


def to_scipy(graph: Graph) -> scipy.sparse.csr_array:
    """See `Graph.to_scipy`."""
    import scipy.sparse

    graph.check()
    if _has_parallel_arcs(graph):
        raise ArgumentError("the graph has parallel arcs, which scipy would add up; use graph.simplified().to_scipy().")
    # a copy: scipy sorts and scales its matrices in place
    weights = graph.weights.copy() if graph.weights is not None else np.ones(graph.m, np.uint32)
    index = np.int32 if max(graph.n, graph.m) < 2**31 else np.int64
    return scipy.sparse.csr_array(
        (weights, graph.heads.astype(index), graph.offsets.astype(index)), shape=(graph.n, graph.n)
    )


def to_networkx(graph: Graph) -> networkx.Graph:
    """See `Graph.to_networkx`."""
    try:
        import networkx
    except ImportError:
        raise MissingExtraError("to_networkx needs networkx: pip install networkx.") from None
    kinds = {
        (True, False): networkx.DiGraph,
        (True, True): networkx.MultiDiGraph,
        (False, False): networkx.Graph,
        (False, True): networkx.MultiGraph,
    }
    made = kinds[graph.directed, _has_parallel_arcs(graph)]()
    names = graph.names_of(np.arange(graph.n)).tolist()
    made.add_nodes_from(names)
    edges = graph.to_edges()
    ends = ((names[u], names[v]) for u, v in zip(edges.tails.tolist(), edges.heads.tolist(), strict=True))
    if edges.weights is None:
        made.add_edges_from(ends)
    else:
        made.add_weighted_edges_from((u, v, w) for (u, v), w in zip(ends, edges.weights.tolist(), strict=True))
    return made


def _has_parallel_arcs(graph: Graph) -> bool:
    return _core.parallel_arc(graph.native) >= 0


def _require_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ArgumentError(
            f"matrix has shape {shape}, but a graph needs a square one; for a bipartite graph put it off the diagonal."
        )


def _real(entries: Array, name: str) -> Array:
    if entries.dtype.kind not in "biuf":
        raise ArgumentTypeError(f"{name} has entries of type {entries.dtype}; weights are real numbers.")
    return entries


def _column(frame: Any, name: str, argument: str) -> Array:
    """Return a column as an array, whichever kind of table it is in."""
    if hasattr(frame, "collect"):
        raise ArgumentTypeError(f"frame is {kind(frame)}, not yet a table; collect it first.")
    try:
        column = frame[name]
    except Exception as error:
        # polars has an error class of its own, which cannot be named without importing polars
        known = isinstance(error, KeyError | IndexError | ValueError | TypeError)
        if not known and type(error).__name__ != "ColumnNotFoundError":
            raise
        columns = ", ".join(map(str, _column_names(frame)))
        raise ArgumentError(f"{argument} is {shown(name)}, but the columns of frame are {columns}.") from error
    try:
        array = np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)
    except ValueError:
        raise ArgumentTypeError(f"{argument}={name!r} is not rectangular; give one value per row.") from None
    if array.ndim != 1:
        raise ArgumentTypeError(f"{argument}={name!r} is {kind(column)}, no column; give a list or an array.")
    return array.astype(object) if array.dtype.kind in "UST" else array
