"""Compressed rows as plain arrays: checked, turned round, thinned. What a Graph is made of, without the rest of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pathfront import _core
from pathfront.checks import Array, available_cores
from pathfront.exceptions import ArgumentError, VertexError


class Rows(NamedTuple):
    """The arcs that leave u are heads[offsets[u]:offsets[u + 1]], their weights lie in the same places."""

    offsets: Array
    heads: Array
    weights: Array | None

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.offsets.size - 1


def require_rows(rows: Rows) -> None:
    """Raise for the first offset or head that is out of place."""
    threads, m = available_cores(), rows.heads.size
    place = _core.bad_offset(rows.offsets, m, threads)
    if place >= 0:
        raise ArgumentError(
            f"offsets[{place}] is {rows.offsets[place]}, but offsets must start at 0, "
            f"never fall and end at the number of heads, {m}."
        )
    place = _core.bad_head(rows.heads, rows.n, threads)
    if place >= 0:
        raise VertexError(f"heads[{place}] is {rows.heads[place]}, but the vertices are 0..{rows.n - 1}.")


def transposed(rows: Rows) -> Rows:
    """Return every arc turned round; the arcs of a vertex come in the order of the vertices they lead to."""
    out = Rows(
        np.empty_like(rows.offsets),
        np.empty_like(rows.heads),
        None if rows.weights is None else np.empty_like(rows.weights),
    )
    _core.reverse(*rows, *out, available_cores())
    return out


def require_symmetric(rows: Rows) -> None:
    """Raise unless every arc has its opposite, of the same weight."""
    back = transposed(rows)
    there = transposed(back)  # the same arcs as `rows`, in the order that `back` has, too
    same = np.array_equal(there.offsets, back.offsets) and np.array_equal(there.heads, back.heads)
    if same and there.weights is not None and back.weights is not None:
        same = np.array_equal(there.weights, back.weights)
        if not same:  # parallel edges may come in another order
            tails = np.repeat(np.arange(rows.n), np.diff(there.offsets))
            same = np.array_equal(
                there.weights[np.lexsort((there.weights, there.heads, tails))],
                back.weights[np.lexsort((back.weights, back.heads, tails))],
            )
    if not same:
        raise ArgumentError(
            "directed is False, but some arc has no opposite of the same weight; "
            "use Graph.from_edges(..., directed=False) to add the opposites, or directed=True."
        )


def thinned(rows: Rows) -> Rows:
    """Return the rows sorted by head, without loops, with the lightest of parallel arcs. The arrays are overwritten."""
    threads, lengths = available_cores(), np.zeros(rows.n, np.int64)
    _core.thin(*rows, lengths, threads)
    offsets = np.zeros(rows.n + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])

    def packed(values: Array) -> Array:
        out = np.empty(int(offsets[-1]), values.dtype)
        _core.pack(rows.offsets, offsets, values, out, threads)
        return out

    return Rows(offsets, packed(rows.heads), None if rows.weights is None else packed(rows.weights))
