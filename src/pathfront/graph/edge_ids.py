"""What the edges of a graph were called where they come from, kept per arc.

An id is the position of the edge in the list that the graph was made of, or another library's number of it. A graph
whose arcs are in the order of the list stores a range, which takes no memory; others store 4 bytes per arc, 8 if an id
needs more than 32 bits. The ids of a reversed graph are computed when they are first asked for: most reversed graphs
serve searches, which do not need them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pathfront.graph.csr import Csr
from pathfront.validation import Array


class EdgeIds:
    """The id of each arc's edge: an array, a range, or a function that makes the array."""

    def __init__(self, ids: Array | range | Callable[[], Array]) -> None:
        if isinstance(ids, np.ndarray) and np.array_equal(ids, np.arange(ids.size)):
            ids = range(ids.size)
        self._ids = ids

    @property
    def stored(self) -> Array | range:
        """The ids in their smallest form, of which `EdgeIds` makes the same ones."""
        if callable(self._ids):
            self._ids = self._ids()
        return self._ids

    def all(self) -> Array:
        """Return the id of each arc, read-only."""
        ids = self.stored
        array = packed(np.arange(ids.stop)) if isinstance(ids, range) else ids.view()
        array.flags.writeable = False
        return array

    def of(self, arcs: Array) -> Array:
        """Return the ids of some arcs, which are given by int64."""
        ids = self.stored
        return arcs if isinstance(ids, range) else ids[arcs].astype(np.int64)

    def reversed(self, csr: Csr) -> EdgeIds:
        """Return the ids of the arcs of `csr.reversed()`."""

        def make() -> Array:
            ids = Csr(csr.offsets, csr.heads, self.all()).reversed().weights
            assert ids is not None
            return ids

        return EdgeIds(make)

    def simplified(self, csr: Csr, simple: Csr) -> EdgeIds:
        """Return the ids of the arcs of `csr.simplified()`: those of the lightest parallel arcs, the first of equal."""
        return EdgeIds(packed(self.of(csr.kept_arcs(simple))))

    @property
    def nbytes(self) -> int:
        """The memory that the ids take now."""
        return self._ids.nbytes if isinstance(self._ids, np.ndarray) else 0


def packed(ids: Array) -> Array:
    """Return ids in the smallest type that the core moves."""
    small = ids.size == 0 or (int(ids.min()) >= 0 and int(ids.max()) < 2**32)
    return ids.astype(np.uint32 if small else np.int64)
