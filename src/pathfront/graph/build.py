"""Graphs from arrays: every entry is checked, then the arcs are sorted by tail."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, VertexError
from pathfront.graph.data import as_coordinates
from pathfront.graph.edge_ids import EdgeIds, packed
from pathfront.graph.graph import Graph
from pathfront.graph.labels import Labels, as_labels
from pathfront.validation import (
    MOST_VERTICES,
    Array,
    as_count,
    as_flag,
    as_indices,
    as_weights,
    available_cores,
    require_finite,
)


def from_edges(
    tails: object,
    heads: object,
    weights: object,
    *,
    n: int | None,
    directed: bool,
    labels: object,
    coordinates: object,
    edge_ids: bool | Array = False,
) -> Graph:
    """See `Graph.from_edges`; `edge_ids` may also be what another library calls each edge."""
    tail_array, head_array = as_indices(tails, "tails"), as_indices(heads, "heads")
    weight_array = as_weights(weights)
    if tail_array.size != head_array.size:
        raise ArgumentError(f"tails has {tail_array.size} entries, but heads has {head_array.size}.")
    if weight_array is not None and weight_array.size != tail_array.size:
        raise ArgumentError(f"weights has {weight_array.size} entries, but tails has {tail_array.size}.")
    if tail_array.dtype != head_array.dtype:
        tail_array, head_array = _same_index_type(tail_array, head_array)
    size, directed = _count_vertices(tail_array, head_array, n), as_flag(directed, "directed")
    if not isinstance(edge_ids, np.ndarray):
        edge_ids = as_flag(edge_ids, "edge_ids") and np.arange(tail_array.size)
    if weight_array is not None:
        require_finite(weight_array, _core.weight_summary(weight_array, available_cores())[4])
    return from_checked_edges(
        tail_array,
        head_array,
        weight_array,
        n=size,
        directed=directed,
        labels=as_labels(labels, size),
        coordinates=as_coordinates(coordinates, size),
        edge_ids=None if edge_ids is False else packed(edge_ids),
    )


def from_csr(
    offsets: object,
    heads: object,
    weights: object,
    *,
    directed: bool,
    labels: object,
    coordinates: object,
    copy: bool,
) -> Graph:
    """See `Graph.from_csr`."""
    directed, copy = as_flag(directed, "directed"), as_flag(copy, "copy")
    offset_array = as_indices(offsets, "offsets")
    head_array = as_indices(heads, "heads")
    weight_array = as_weights(weights)
    if offset_array.size == 0:
        raise ArgumentError("offsets is empty, but it must hold n + 1 entries: [0] for an empty graph.")
    n = as_count(offset_array.size - 1, "the number of vertices", most=MOST_VERTICES)
    if weight_array is not None and weight_array.size != head_array.size:
        raise ArgumentError(f"weights has {weight_array.size} entries, but heads has {head_array.size}.")
    if head_array.size:
        _require_vertices(head_array, "heads", n)
    if offset_array.dtype == np.uint64 and offset_array.max() > np.uint64(2**63 - 1):
        raise ArgumentError(f"offsets must not be larger than the number of heads, {head_array.size}.")
    graph = Graph._make(
        np.array(offset_array, dtype=np.int64, copy=copy or None),
        np.array(head_array, dtype=np.uint32, copy=copy or None),
        None if weight_array is None else np.array(weight_array, copy=copy or None),
        directed=directed,
        labels=as_labels(labels, n),
        coordinates=as_coordinates(coordinates, n),
        edge_ids=EdgeIds(range(head_array.size)),
    )
    graph._require_sound()
    if not directed:
        graph._csr.require_symmetric()
    return graph


def from_checked_edges(
    tails: Array,
    heads: Array,
    weights: Array | None,
    *,
    n: int,
    directed: bool,
    labels: Labels | None = None,
    coordinates: Array | None = None,
    default_source: int | None = None,
    first_id: int = 0,
    edge_ids: Array | None = None,
    progress: Callable[[float], None] | None = None,
) -> Graph:
    """Build a graph from edges that the caller has validated: vertices are in 0..n-1, weights are finite.

    `edge_ids` are in a type of weights.
    """
    arcs = tails.size if directed else 2 * tails.size - _core.count_loops(tails, heads)
    offsets, out_heads = np.empty(n + 1, np.int64), np.empty(arcs, np.uint32)

    def build(values: Array | None) -> Array | None:
        out = None if values is None else np.empty(arcs, values.dtype)
        _core.build(tails, heads, values, not directed, offsets, out_heads, out, available_cores(), progress)
        return out

    out_ids = None
    if edge_ids is not None and not (directed and bool(np.all(tails[1:] >= tails[:-1]))):
        out_ids = build(edge_ids)
    elif edge_ids is not None:  # the arcs keep the order of the edges
        out_ids = edge_ids
    out_weights = build(weights)
    return Graph._make(
        offsets,
        out_heads,
        out_weights,
        directed=directed,
        labels=labels,
        coordinates=coordinates,
        default_source=default_source,
        first_id=first_id,
        edge_ids=None if out_ids is None else EdgeIds(out_ids),
    )


def simple_from_checked_edges(tails: Array, heads: Array, *, n: int, coordinates: Array | None = None) -> Graph:
    """Build an undirected graph without weights from validated edges, leaving out loops and duplicates."""
    graph = from_checked_edges(tails, heads, None, n=n, directed=False, coordinates=coordinates)
    graph._csr.heads.flags.writeable = True  # no other code has a reference to it, so no copy is needed
    return graph._like(graph._csr.simplified(), None)


def _same_index_type(tails: Array, heads: Array) -> tuple[Array, Array]:
    for name, array in (("tails", tails), ("heads", heads)):
        if array.size and array.dtype == np.uint64 and int(array.max()) > MOST_VERTICES:
            first = int(np.argmax(array > MOST_VERTICES))
            raise VertexError(f"{name}[{first}] is {array[first]}, but vertices are at most {MOST_VERTICES - 1}.")
    return tails.astype(np.int64, copy=False), heads.astype(np.int64, copy=False)


def _count_vertices(tails: Array, heads: Array, n: int | None) -> int:
    given = None if n is None else as_count(n, "n", most=MOST_VERTICES)
    if tails.size == 0:
        return given or 0
    largest = -1
    for name, array in (("tails", tails), ("heads", heads)):
        largest = max(largest, _require_vertices(array, name, given))
    return largest + 1 if given is None else given


def _require_vertices(array: Array, name: str, n: int | None) -> int:
    """Return the largest entry; raise unless all are vertices of a graph of n vertices (None: of any number)."""
    low, high = _core.index_extent(array, available_cores())
    most = (MOST_VERTICES if n is None else n) - 1
    if low < 0 or high > most:
        first = int(np.argmax((array < 0) | (array > most)))
        cure = f"n is {n}: raise it, or leave it out" if n is not None else f"vertices are 0..{most}"
        raise VertexError(f"{name}[{first}] is {array[first]}, but {cure}.")
    return high
