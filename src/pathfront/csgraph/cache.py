"""Graphs made from matrices, kept as long as the matrices exist.

A matrix may be changed in place at any time, so being the same object proves nothing. A kept graph is used only if a
128-bit hash (XXH3) of everything in the matrix's arrays, taken in each call, is the one that it had when the graph was
made. Hashing reads the arrays once, at the speed of memory: far less than a search takes. The graph shares no memory
with the matrix, which may therefore change while other threads search. A matrix whose contents are not in arrays (lil,
dok, lists) is converted in each call.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xxhash

from pathfront.csgraph.matrices import Use, as_matrix, is_sparse, made_from
from pathfront.graph import Graph
from pathfront.validation import Array

_PARTS = {
    "csr": ("indptr", "indices", "data"),
    "csc": ("indptr", "indices", "data"),
    "bsr": ("indptr", "indices", "data"),
    "coo": ("row", "col", "data"),
    "dia": ("offsets", "data"),
}
"""The arrays that a sparse matrix of each format consists of."""


@dataclass(slots=True)
class _Kept:
    """What was made from a matrix."""

    matrix: weakref.ref[Any]
    contents: Hashable
    graphs: dict[tuple[bool, Use], Graph] = field(default_factory=dict)


_kept: dict[int, _Kept] = {}
"""By the matrix's id, which no other object has as long as the matrix exists."""


def graph_of(csgraph: Any, *, directed: bool, use: Use) -> Graph:
    """Return a matrix as a graph, made before if the matrix has not changed since."""
    matrix = as_matrix(csgraph)
    arrays = _arrays(matrix)
    if arrays is None:
        return made_from(matrix, directed=directed, use=use)
    contents = _contents(matrix, arrays)
    kept = _kept.get(id(csgraph))
    if kept is None or kept.matrix() is not csgraph or kept.contents != contents:
        kept = None
    graph = None if kept is None else kept.graphs.get((directed, use))
    if graph is None:
        graph = made_from(matrix, directed=directed, use=use)
        if _contents(matrix, arrays) == contents:  # else another thread has changed the matrix meanwhile
            _keep(csgraph, kept, contents, (directed, use), graph)
    return graph


def _keep(csgraph: Any, kept: _Kept | None, contents: Hashable, key: tuple[bool, Use], graph: Graph) -> None:
    if kept is None:
        number = id(csgraph)
        try:
            matrix = weakref.ref(csgraph, lambda gone: _forget(number, gone))
        except TypeError:  # a list
            return
        kept = _kept[number] = _Kept(matrix, contents)
    kept.graphs[key] = graph


def _forget(number: int, gone: weakref.ref[Any]) -> None:
    kept = _kept.get(number)
    if kept is not None and kept.matrix is gone:
        del _kept[number]


def _arrays(matrix: Any) -> list[Array] | None:
    """Return the arrays that hold everything in a matrix, or None if there are none."""
    if is_sparse(matrix):
        names = _PARTS.get(matrix.format)
        arrays = None if names is None else [getattr(matrix, name) for name in names]
    elif np.ma.isMaskedArray(matrix):
        arrays = [matrix.data, np.ma.getmaskarray(matrix)]
    else:
        arrays = [matrix]
    return None if arrays is None or any(array.dtype.hasobject for array in arrays) else arrays


def _contents(matrix: Any, arrays: list[Array]) -> Hashable:
    """Return a value that two matrices share only if all of their entries are equal, but for a chance of 2^-128."""
    hasher = xxhash.xxh3_128()
    described: list[Hashable] = [getattr(matrix, "format", None), matrix.shape]
    for array in arrays:
        by_columns = array.flags.f_contiguous and not array.flags.c_contiguous
        described.append((array.dtype.str, array.shape, by_columns))
        flat = np.ascontiguousarray(array.T if by_columns else array)
        hasher.update(flat.view(np.uint8).data if flat.size else b"")
    return (hasher.digest(), *described)
