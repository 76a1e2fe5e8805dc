"""The random streams under the generators: even, within bounds, independent of each other."""

from __future__ import annotations

import numpy as np
import pytest

from pathfront.generate.numbers import below, floats, integers


def chi_square(values, cells: int) -> float:
    """Return how many standard deviations the cells' counts are from even ones."""
    counts = np.bincount(values, minlength=cells)
    expected = values.size / cells
    return float(((counts - expected) ** 2 / expected).sum() - (cells - 1)) / np.sqrt(2 * (cells - 1))


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
@pytest.mark.parametrize("stream", [0, 1, 10, 11])
def test_even(seed, stream):
    assert abs(chi_square(integers(200_000, 0, 999, seed=seed, stream=stream), 1000)) < 6
    numbers = floats(200_000, seed=seed, stream=stream)
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert abs(chi_square((numbers * 512).astype(int), 512)) < 6
    fine = (numbers * 2**53).astype(np.int64) & 255  # the last bits are as good as the first
    assert abs(chi_square(fine, 256)) < 6


def test_neighbours_are_independent():
    numbers = floats(200_000, seed=3, stream=10)
    for apart in (1, 2, 64, 4096):
        pairs = (numbers[:-apart] * 16).astype(int) * 16 + (numbers[apart:] * 16).astype(int)
        assert abs(chi_square(pairs, 256)) < 6


def test_streams_and_seeds_are_independent():
    ways = [(0, 10), (0, 11), (1, 10), (1, 11), (10, 0), (11, 0), (0, 2**63), (2**63, 0), (2**64 - 1, 1)]
    drawn = [floats(50_000, seed=seed, stream=stream) for seed, stream in ways]
    for i, one in enumerate(drawn):
        for other in drawn[i + 1 :]:
            assert abs(chi_square((one * 16).astype(int) * 16 + (other * 16).astype(int), 256)) < 6
            assert np.intersect1d(one, other).size < 3


def test_integers_include_both_ends():
    numbers = integers(1000, 3, 5, seed=0, stream=10)
    assert numbers.dtype == np.uint32
    assert set(numbers.tolist()) == {3, 4, 5}
    assert set(integers(100, 7, 7, seed=0, stream=10).tolist()) == {7}
    whole = integers(100_000, 0, 2**32 - 1, seed=0, stream=10)
    assert whole.max() > 2**32 - 2**18
    assert integers(0, 0, -1, seed=0, stream=10).size == 0


@pytest.mark.parametrize("bound", [1, 2, 3, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 3 * 2**50 + 1, 2**63 - 1])
def test_below_never_reaches_its_bound(bound):
    numbers = below(np.full(20_000, bound), seed=9, stream=10)
    assert numbers.min() >= 0
    assert numbers.max() < bound
    assert numbers.max() >= bound - 1 - bound // 500
    if bound > 100:
        assert abs(chi_square((numbers // (bound // 100 + 1)).astype(int), 100)) < 12


def test_below_is_a_128_bit_product():
    bound = 2**63 - 25
    words = [int(x) for x in below(np.full(50, 2**62), seed=1, stream=2)]  # the top 62 bits of each draw
    scaled = below(np.full(50, bound), seed=1, stream=2).tolist()
    for word, number in zip(words, scaled, strict=True):
        assert (word << 2) * bound >> 64 <= number <= ((word << 2) + 3) * bound >> 64


def test_each_number_has_its_own_bound():
    bounds = np.arange(1, 50_001)
    numbers = below(bounds, seed=4, stream=10)
    assert (numbers < bounds).all()
    assert np.mean(numbers / bounds) == pytest.approx(0.5, abs=0.01)
