"""Statistics of a search, and its distances in a few numbers."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.validation import Array, as_real
from pathfront.wording import described, shown


@dataclass(frozen=True, slots=True)
class Stats:
    """Statistics of a search.

    >>> import pathfront as pf
    >>> pf.shortest_paths(pf.generate.chain(5), 0, method="dijkstra").stats.vertices_processed
    5
    """

    method: str
    """The method that ran; `auto` names its choice here."""
    device: str
    threads: int
    """CPU threads that relaxed an arc: a small search may need fewer than it was given; 1 on a GPU."""
    delta: float | None
    """The bucket width that was used, for methods that have one; where a given one was rounded, `reason` says so."""
    iterations: int
    vertices_processed: int
    edges_relaxed: int
    seconds: float
    reason: str
    """Why this method ran, and how its threads shared the work."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Counts that only this method has; its file in `pathfront/methods` defines them."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a search reached, in a few numbers.

    >>> import pathfront as pf
    >>> pf.shortest_paths(pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3], n=4), 0).summary()
    Summary(reached=3, unreached=1, radius=None, farthest=2, farthest_distance=7, mean=3.67)
    """

    reached: int
    """The number of vertices that have a distance, the source included."""
    unreached: int
    radius: int | float | None
    """The distance up to which the answers are complete; None: everything was explored."""
    farthest: Hashable
    """The name of the reached vertex with the largest distance, of several the one of the lowest position."""
    farthest_distance: int | float
    mean: float
    """The mean distance of the reached vertices, the source included."""

    def __repr__(self) -> str:
        return (
            f"Summary(reached={self.reached}, unreached={self.unreached}, radius={self.radius}, "
            f"farthest={self.farthest!r}, farthest_distance={self.farthest_distance}, mean={self.mean:.3g})"
        )


def type_beside(distances: Array, fill: object) -> np.dtype[Any]:
    """Return the type in which distances can stand beside another number."""
    dtype = distances.dtype
    if isinstance(fill, bool | np.bool_) or not isinstance(fill, int | float | np.integer | np.floating):
        raise ArgumentTypeError(f"fill is {described(fill)}; give a number.")
    if dtype.kind == "f":
        if isinstance(fill, float | np.floating) and not math.isfinite(fill):
            return dtype
        return dtype if abs(as_real(fill, "fill")) <= float(np.finfo(dtype).max) else np.dtype(np.float64)
    if isinstance(fill, float | np.floating):
        return np.dtype(np.float64)
    low, high = min(int(distances.min()), int(fill)), max(int(distances.max()), int(fill))
    for kind in (dtype, np.dtype(np.int64), np.dtype(np.uint64)):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return kind
    raise ArgumentError(f"fill is {shown(int(fill))}, which no integer type holds beside the distances; use a float.")


def mean_of(distances: Array) -> float:
    """Return the mean, also where the sum is beyond the range of floats."""
    with np.errstate(over="ignore"):
        mean = float(distances.mean(dtype=np.float64))
    if math.isfinite(mean):
        return mean
    most = float(np.abs(distances).max())  # the sum of all is too large for a float
    return float((distances / most).mean()) * most
