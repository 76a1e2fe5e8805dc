"""Whether a distance was lost because it left the range of its type: as `truly_overflowed` in C++.

A kernel that computes a sum that does not fit skips it and sets a flag. That matters only if the sum would have
been the head's distance: because the head was not reached otherwise, or because the sum fell below the lowest value. It
is rare, so the host decides it.
"""

from __future__ import annotations

import numpy as np

from pathfront.dtypes import unreached_marker
from pathfront.graph import Graph
from pathfront.validation import Array


def truly_overflowed(graph: Graph, distance: Array) -> bool:
    """Return whether distances of a wider type are needed."""
    dtype = distance.dtype
    there = distance[np.repeat(np.arange(graph.n), np.diff(graph.offsets))]
    weights = np.ones(graph.m, dtype) if graph.weights is None else graph.weights.astype(dtype)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            lost = ~np.isfinite(there + weights)
    else:
        bounds = np.iinfo(dtype)
        largest = dtype.type(bounds.max - 1)
        lost = (weights > 0) & (there > largest - np.minimum(weights, largest)) | (weights > largest)
        if dtype.kind == "i":
            lost |= (weights < 0) & (there < bounds.min - np.minimum(weights, 0))
    unreached = unreached_marker(dtype)
    matters = (distance[graph.heads] == unreached) | (there < 0)
    return bool((lost & (there != unreached) & matters).any())
