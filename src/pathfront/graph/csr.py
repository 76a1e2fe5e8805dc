"""Compressed sparse rows (CSR) as arrays: checks, reversal, simplification. Engines read this part of a Graph."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, VertexError
from pathfront.validation import Array, available_cores


class _Arrays(NamedTuple):
    offsets: Array
    heads: Array
    weights: Array | None


class Csr(_Arrays):
    """The arcs that leave u are heads[offsets[u]:offsets[u + 1]]; their weights have the same indices."""

    @cached_property
    def native(self) -> _core.Arcs:
        """The arrays as native functions take them."""
        return _core.Arcs(*self)

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.offsets.size - 1

    def freeze(self) -> Csr:
        """Make the arrays read-only."""
        for array in self:
            if array is not None:
                array.flags.writeable = False
        return self

    def tails(self) -> Array:
        """Return the vertex that each arc leaves."""
        return np.repeat(np.arange(self.n, dtype=np.uint32), np.diff(self.offsets))

    def require_sound(self) -> None:
        """Raise for the first offset or head that is out of range."""
        threads, m = available_cores(), self.heads.size
        bad = _core.bad_offset(self.native, threads)
        if bad >= 0:
            raise ArgumentError(
                f"offsets[{bad}] is {self.offsets[bad]}, but offsets must start at 0, "
                f"never fall and end at the number of heads, {m}."
            )
        bad = _core.bad_head(self.native, threads)
        if bad >= 0:
            raise VertexError(f"heads[{bad}] is {self.heads[bad]}, but the vertices are 0..{self.n - 1}.")

    def require_symmetric(self) -> None:
        """Raise unless every arc has its opposite, of the same weight."""
        if _core.looks_symmetric(self.native, available_cores()):
            return
        back = self.reversed()
        forth = back.reversed()  # the same arcs as in self, in the order of `back`
        if all(a is None or b is None or np.array_equal(a, b) for a, b in zip(forth, back, strict=True)):
            return
        unmatched = _first_unmatched(forth, back)  # parallel arcs may differ in order only
        if unmatched is not None:
            tail, head, weight = unmatched
            of_weight = "" if self.weights is None else f" of weight {weight}"
            raise ArgumentError(
                f"directed is False, but the arc {tail} -> {head}{of_weight} has no opposite of the same weight; "
                "use Graph.from_edges(..., directed=False) to add the opposites, or directed=True."
            )

    def reversed(self) -> Csr:
        """Return every arc reversed, the arcs of a vertex sorted by head."""
        out = Csr(*(None if array is None else np.empty_like(array) for array in self))  # type: ignore[arg-type]
        _core.reverse(self.native, *out, available_cores())
        return out

    def simplified(self) -> Csr:
        """Return the arcs sorted by head, without loops, the lightest of parallel ones. The arrays are overwritten."""
        threads, lengths = available_cores(), np.zeros(self.n, np.int64)
        _core.simplify(*self, lengths, threads)
        offsets = np.zeros(self.n + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])

        def packed(values: Array) -> Array:
            out = np.empty(int(offsets[-1]), values.dtype)
            _core.pack(self.offsets, offsets, values, out, threads)
            return out

        return Csr(offsets, packed(self.heads), None if self.weights is None else packed(self.weights))

    def kept_arcs(self, simple: Csr) -> Array:
        """Return the arc that each one of the simplified graph is: the first of the lightest."""
        arcs = np.full(simple.heads.size, -1, np.int64)
        _core.kept_arcs(self.native, simple.offsets, simple.heads, arcs, available_cores())
        return arcs


def _first_unmatched(forth: Csr, back: Csr) -> tuple[int, int, int | float] | None:
    """Return an arc of `forth` whose opposite is missing; `back` holds the opposites of all."""

    def columns(csr: Csr) -> list[Array]:
        weights = np.zeros(csr.heads.size, np.uint8) if csr.weights is None else csr.weights
        tails = csr.tails()
        order = np.lexsort((weights, csr.heads, tails))
        return [column[order] for column in (tails, csr.heads, weights)]

    one, other = columns(forth), columns(back)
    differ = np.any([a != b for a, b in zip(one, other, strict=True)], axis=0)
    if not differ.any():
        return None
    first = int(np.argmax(differ))
    arc, opposite = (tuple(column[first].item() for column in columns) for columns in (one, other))
    # both are sorted, so the smaller of the two is in one list only
    return arc if arc < opposite else (opposite[1], opposite[0], opposite[2])
