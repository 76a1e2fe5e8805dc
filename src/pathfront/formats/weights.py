"""Weights read from files, in the smallest of the graph's types that holds them all."""

from __future__ import annotations

import numpy as np

from pathfront import _core
from pathfront.formats.files import Source
from pathfront.validation import Array, available_cores


def as_read(source: Source, weights: Array) -> Array:
    """Refuse weights that are not finite; return integers as the first of uint32, int32 and int64 that holds all."""
    if weights.size == 0:
        return weights if weights.dtype.kind == "f" else weights.astype(np.uint32)
    lightest, heaviest, _, _, not_finite = _core.weight_summary(weights, available_cores())
    if not_finite >= 0:
        raise source.error(f"arc {not_finite + 1} has weight {weights[not_finite]}, but weights must be finite.")
    if weights.dtype.kind == "f":
        return weights
    for narrow in (np.uint32, np.int32, np.int64):
        if np.iinfo(narrow).min <= lightest and heaviest <= np.iinfo(narrow).max:
            return weights.astype(narrow, copy=False)
    return weights
