"""The cover that replaces whole grids must miss no pair, and must be small and the same every time."""

from __future__ import annotations

import itertools

from pairwise import cells, cells_of, cover, pairs

AXES = (tuple("abcdefgh"), tuple(range(7)), tuple("xyz"), (False, True))


def test_every_pair_meets():
    product = list(itertools.product(*AXES))
    chosen = [product[i] for i in cover(product)]
    assert set().union(*map(pairs, chosen)) == set().union(*map(pairs, product))
    assert len(chosen) <= 2 * 8 * 7  # 56 is the least, the product has 336


def test_rows_that_are_not_there_are_not_asked_for():
    rows = [("dijkstra", "cpu"), ("near_far", "cpu"), ("near_far", "emulated")]
    assert cover(rows) == [0, 1, 2]


def test_parts_add_up_to_the_whole():
    for full in (False, True):
        parts = [(a, b, *rest) for a in AXES[0] for b in AXES[1] for rest in cells_of((a, b), *AXES, full=full)]
        assert parts == cells(*AXES, full=full)
    assert len(cells(*AXES, full=True)) == 8 * 7 * 3 * 2
