"""Random numbers by position: the i-th number of a stream depends on (seed, stream, i) alone."""

from __future__ import annotations

import numpy as np

from pathfront import _core
from pathfront.checks import Array, available_cores


def integers(count: int, low: int, high: int, *, seed: int, stream: int) -> Array:
    """Return `count` vertices or other small integers, uniform in low..high inclusive, as uint32."""
    out = np.empty(count, np.uint32)
    if count:
        _core.random_integers(out, seed, stream, low, high - low + 1, available_cores())
    return out


def floats(count: int, *, seed: int, stream: int) -> Array:
    """Return `count` numbers, uniform in [0, 1)."""
    out = np.empty(count, np.float64)
    _core.random_floats(out, seed, stream, available_cores())
    return out
