"""Simple graphs from any: short rows, long rows, vertices of every number of digits."""

from __future__ import annotations

import numpy as np
import pytest

import pathfront as pf


@pytest.mark.parametrize("n", [300, 5000, 3_000_000, 5_000_000], ids=["one_digit", "two", "two_full", "three_digits"])
@pytest.mark.parametrize("weighted", [False, True], ids=["hops", "weights"])
def test_rows_of_any_length(n, weighted):
    random = np.random.default_rng(n)
    lengths = [0, 1, 2, 255, 256, 257, 3000, 20_000]
    tails = np.repeat(np.arange(len(lengths)), lengths)
    heads = random.integers(0, n, tails.size)
    heads[::3] = random.integers(n - 20, n, heads[::3].size)  # many parallel arcs
    heads[::7] = tails[::7]  # and loops
    weights = random.integers(0, 100, tails.size) if weighted else None
    graph = pf.Graph.from_edges(tails, heads, weights, n=n).simplified()
    lightest: dict[tuple[int, int], int] = {}
    for tail, head, weight in zip(tails.tolist(), heads.tolist(), (weights if weighted else tails * 0), strict=True):
        if tail != head:
            lightest[tail, head] = min(weight, lightest.get((tail, head), 100))
    expected = sorted(lightest)
    assert graph.tails().tolist() == [tail for tail, _ in expected]
    assert graph.heads.tolist() == [head for _, head in expected]
    if weighted:
        assert graph.weights.tolist() == [lightest[arc] for arc in expected]
