"""Random numbers by position: the i-th number of a stream depends on (seed, stream, i) alone.

A graph uses several streams. 0 is for recursive-matrix edges, 1 for weights; the generators' own start at 10.
"""

from __future__ import annotations

import numpy as np

from pathfront import _core
from pathfront.validation import Array, available_cores


def integers(count: int, low: int, high: int, *, seed: int, stream: int) -> Array:
    """Return `count` vertices or other small integers, uniform in low..high inclusive, as uint32."""
    out = np.empty(count, np.uint32)
    if count:
        _core.random_integers(out, seed, stream, low, high - low + 1, available_cores())
    return out


def below(bounds: Array, *, seed: int, stream: int) -> Array:
    """Return one int64 for each bound (at least 1), uniform in 0..bound-1."""
    bounds = np.ascontiguousarray(bounds, np.int64)
    out = np.empty(bounds.size, np.int64)
    _core.random_below(bounds, out, seed, stream, available_cores())
    return out


def floats(count: int, *, seed: int, stream: int) -> Array:
    """Return `count` numbers, uniform in [0, 1)."""
    out = np.empty(count, np.float64)
    _core.random_floats(out, seed, stream, available_cores())
    return out
