"""A pairwise cover of a grid: every two values of two axes meet in some row, in far fewer rows than the product has.

Faults need the meeting of two values (a type and a graph, a method and a thread count) far more often than of three.
`make test` runs such a cover of each large grid, `make test-all` (`pytest --full`) the whole product.
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Hashable, Iterable, Sequence


def pairs(row: Sequence[Hashable]) -> set[tuple]:
    return set(itertools.combinations(enumerate(row), 2))


def cover(rows: Iterable[Sequence[Hashable]]) -> list[int]:
    """Return the positions of rows that have together all pairs that all rows have; the same ones every time.

    Greedy, lazily: the gain of a row only shrinks, so the row with the largest gain on record is counted again, and
    taken if its gain is still that large.
    """
    every = [pairs(row) for row in rows]
    missing = set().union(*every)
    gains = [(-len(found), i) for i, found in enumerate(every)]
    heapq.heapify(gains)
    chosen = []
    while missing:
        recorded, best = heapq.heappop(gains)
        gain = len(every[best] & missing)
        if gain == -recorded:
            chosen.append(best)
            missing -= every[best]
        else:
            heapq.heappush(gains, (-gain, best))
    return sorted(chosen)


@functools.cache
def cells(*axes: tuple[Hashable, ...], full: bool) -> list[tuple]:
    """Return the product of the axes, or a pairwise cover of it."""
    product = list(itertools.product(*axes))
    return product if full else [product[i] for i in cover(product)]


def cells_of(start: tuple, *axes: tuple[Hashable, ...], full: bool) -> list[tuple]:
    """Return the rest of those cells that begin with `start`."""
    return [cell[len(start) :] for cell in cells(*axes, full=full) if cell[: len(start)] == start]
