"""Compressed rows as plain arrays: checked, turned round, thinned. What a Graph is made of, without the rest of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, VertexError
from pathfront.validation import Array, available_cores


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
    if _core.looks_symmetric(*rows, available_cores()):
        return
    back = transposed(rows)
    there = transposed(back)  # the same arcs as `rows`, in the order that `back` has, too
    if all(a is None or b is None or np.array_equal(a, b) for a, b in zip(there, back, strict=True)):
        return
    lonely = _first_only_in_one(there, back)  # parallel edges may come in another order
    if lonely is not None:
        tail, head, weight = lonely
        of_weight = "" if rows.weights is None else f" of weight {weight}"
        raise ArgumentError(
            f"directed is False, but the arc {tail} -> {head}{of_weight} has no opposite of the same weight; "
            "use Graph.from_edges(..., directed=False) to add the opposites, or directed=True."
        )


def _first_only_in_one(there: Rows, back: Rows) -> tuple[int, int, int | float] | None:
    """Return an arc of `there` whose opposite is missing; `back` holds the opposites of all."""

    def columns(rows: Rows) -> list[Array]:
        weights = np.zeros(rows.heads.size, np.uint8) if rows.weights is None else rows.weights
        tails = np.repeat(np.arange(rows.n), np.diff(rows.offsets))
        order = np.lexsort((weights, rows.heads, tails))
        return [column[order] for column in (tails, rows.heads, weights)]

    one, other = columns(there), columns(back)
    differ = np.any([a != b for a, b in zip(one, other, strict=True)], axis=0)
    if not differ.any():
        return None
    place = int(np.argmax(differ))
    arc, opposite = (tuple(column[place].item() for column in columns) for columns in (one, other))
    # both are sorted, so the smaller of the two is in one list only
    return arc if arc < opposite else (opposite[1], opposite[0], opposite[2])


def thinned(rows: Rows) -> Rows:
    """Return the rows sorted by head, without loops, with the lightest of parallel arcs. The arrays are overwritten."""
    threads, lengths = available_cores(), np.zeros(rows.n, np.int64)
    _core.simplify(*rows, lengths, threads)
    offsets = np.zeros(rows.n + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])

    def packed(values: Array) -> Array:
        out = np.empty(int(offsets[-1]), values.dtype)
        _core.pack(rows.offsets, offsets, values, out, threads)
        return out

    return Rows(offsets, packed(rows.heads), None if rows.weights is None else packed(rows.weights))
