"""Matrices become graphs as in `scipy.sparse.csgraph`.

Which entries are arcs: all stored ones of a sparse matrix, zeros included; those of a dense array that are neither 0
nor infinite nor NaN; those of a masked array that are not masked. Several stored entries of one position are parallel
arcs. An infinite or NaN weight is that of no arc; where weights do not count, a stored entry is an arc whatever it is.

Weights keep their exact values: integers stay integers, and floats that are all whole numbers below 2^32 are searched
as integers, which is faster. The distances are the same, as sums of such floats are exact up to 2^53.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from pathfront import _core
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import Array, available_cores

_MOST_VERTICES = 2**31 - 1
"""Predecessors are int32."""


class Use(Enum):
    """What the entries of a matrix mean to a function."""

    WEIGHTS = "weights"
    HOPS = "hops"
    """Every entry is an arc of length 1."""
    DENSE_WEIGHTS = "dense weights"
    """As `floyd_warshall` takes them, which has a dense matrix in scipy: no loops, no zeros in masked arrays."""
    DENSE_HOPS = "dense hops"

    @property
    def is_dense(self) -> bool:
        """Whether the entries are those of a dense matrix."""
        return self in (Use.DENSE_WEIGHTS, Use.DENSE_HOPS)

    @property
    def counts_weights(self) -> bool:
        """Whether the values of entries are weights."""
        return self in (Use.WEIGHTS, Use.DENSE_WEIGHTS)


class _Entries(NamedTuple):
    """The entries of a matrix that may be arcs, row by row."""

    offsets: Array
    columns: Array
    values: Array


def is_sparse(matrix: Any) -> bool:
    """Return whether a matrix is one of scipy's sparse ones."""
    return bool(scipy.sparse.issparse(matrix))


def as_matrix(csgraph: Any) -> Any:
    """Return a sparse, masked or dense matrix of two dimensions, square, or raise as scipy does."""
    if hasattr(csgraph, "to_scipy_sparse"):  # of the package `sparse`
        csgraph = _from_pydata(csgraph)
    if is_sparse(csgraph):
        if csgraph.ndim != 2:
            raise ValueError("compressed-sparse graph must be 2-D")
        if csgraph.shape[0] != csgraph.shape[1]:
            raise ValueError("compressed-sparse graph must be shape (N, N)")
    else:
        if not np.ma.isMaskedArray(csgraph):
            csgraph = np.asarray(csgraph)
        if csgraph.ndim != 2:
            raise ValueError("graph should have two dimensions")
        if csgraph.shape[0] != csgraph.shape[1]:
            raise ValueError("graph should be a square array")
    if csgraph.shape[0] > _MOST_VERTICES:
        raise ValueError(
            f"csgraph has {csgraph.shape[0]} nodes, but predecessors are int32: give at most {_MOST_VERTICES}."
        )
    return csgraph


def _from_pydata(matrix: Any) -> Any:
    fills = [0, np.inf, np.nan]
    try:
        made = matrix.to_scipy_sparse(accept_fv=fills)
    except TypeError:  # before 0.15.4 it took no argument
        made = matrix.to_scipy_sparse()
    return made.tocsr()


def is_csc(matrix: Any) -> bool:
    """Return whether a matrix is in csc format."""
    return is_sparse(matrix) and matrix.format == "csc"


def made_from(matrix: Any, *, directed: bool, use: Use) -> Graph:
    """Return a matrix as a graph that shares no memory with it."""
    if not directed and is_csc(matrix):
        matrix = matrix.T  # the same edges, and already compressed by rows
    entries = _entries(matrix, use)
    n = entries.offsets.size - 1
    weights = _as_weights(entries.values) if use.counts_weights else None
    graph = Graph._make(
        np.array(entries.offsets, np.int64),
        np.array(entries.columns).astype(np.int32, copy=False).view(np.uint32)
        if entries.columns.dtype.itemsize <= 4
        else entries.columns.astype(np.uint32),
        weights,
        directed=True,
    )
    graph._require_sound()
    return graph if directed or n == 0 else _undirected(graph)


def _undirected(graph: Graph) -> Graph:
    """Return the graph in which every arc may be taken both ways."""
    if _core.looks_symmetric(graph.native, available_cores()):
        return Graph._make(*graph._csr, directed=False)
    both = from_checked_edges(graph.tails(), graph.heads, graph.weights, n=graph.n, directed=False)
    # a negative loop is a negative cycle, which simplified() would leave out
    return both if graph.weight_summary().first_negative >= 0 else both.simplified()


def _entries(matrix: Any, use: Use) -> _Entries:
    if is_sparse(matrix):
        if use.is_dense and matrix.format not in ("lil", "csr", "csc"):
            raise ValueError("csgraph must be lil, csr, or csc format")  # what scipy can make dense
        rows = matrix.tocsr()
        entries = _Entries(rows.indptr, rows.indices, rows.data)
        if use is Use.HOPS or rows.data.dtype.kind in "biu":
            return _without_loops(entries) if use.is_dense else entries
        finite = np.isfinite(_real(rows.data))
        if use.is_dense:
            return _without_loops(_selected(entries, finite))
        return entries if finite.all() else _selected(entries, finite)
    masked = np.ma.isMaskedArray(matrix)
    if masked:
        values = _real(np.asarray(matrix.data))
        wanted = ~np.ma.getmaskarray(matrix)
        if use.is_dense:
            wanted &= values != 0
    else:
        values = _real(matrix)
        wanted = values != 0
    if values.dtype.kind == "f" and not (masked and use is Use.HOPS):
        wanted &= np.isfinite(values)
    if use.is_dense:
        np.fill_diagonal(wanted, False)
    tails, heads = np.nonzero(wanted)
    offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(wanted, axis=1))]).astype(np.int64)
    return _Entries(offsets, heads, values[tails, heads])


def _selected(entries: _Entries, wanted: Array) -> _Entries:
    before = np.concatenate([[0], np.cumsum(wanted)])
    return _Entries(before[entries.offsets], entries.columns[wanted], entries.values[wanted])


def _without_loops(entries: _Entries) -> _Entries:
    tails = np.repeat(np.arange(entries.offsets.size - 1), np.diff(entries.offsets))
    return _selected(entries, tails != entries.columns)


def _real(values: Array) -> Array:
    """Return values as numbers whose type has exact sums or is scipy's; other types become float64 as they do there."""
    if values.dtype.kind in "biu" or values.dtype in (np.float32, np.float64):
        return values
    return values.astype(np.float64)


def _as_weights(values: Array) -> Array:
    """Return a copy of the values in the type in which they are searched."""
    values = _real(values)
    if values.dtype.kind == "f":
        values = values.astype(np.float64, copy=True)
        return _whole(values)
    if values.size == 0 or values.dtype.kind == "b":
        return values.astype(np.uint32)
    least, most = int(values.min()), int(values.max())
    if least < 0:
        return values.astype(np.int64)
    return values.astype(np.uint32 if most < 2**32 else np.uint64)


def _whole(values: Array) -> Array:
    """Return floats as uint32 if all are whole numbers of that range."""
    if values.size == 0 or not (values.min() >= 0 and values.max() < 2**32):
        return values
    whole = values.astype(np.uint32)
    return whole if np.array_equal(whole, values) else values
