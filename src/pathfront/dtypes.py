"""The types that weights and distances have, and what follows from a type alone.

The command line lists the types before it needs numpy, which is therefore imported where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHT_TYPES = ("uint32", "int32", "uint64", "int64", "float32", "float64")
"""Distances have the type of the weights, or the wider one of its kind."""

_WIDER = {"uint32": "uint64", "int32": "int64", "float32": "float64"}


def wider(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """Return the type that distances get when one does not fit; None if there is none."""
    import numpy as np

    return np.dtype(_WIDER[dtype.name]) if dtype.name in _WIDER else None


def unreached_marker(dtype: np.dtype[Any]) -> int | float:
    """Return what stands for "no path" in distances of a type: infinity, or an integer type's largest value."""
    import numpy as np

    return float("inf") if dtype.kind == "f" else int(np.iinfo(dtype).max)


def converted(distances: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return distances in another type, the unreached marker included."""
    import numpy as np

    with np.errstate(invalid="ignore", over="ignore"):
        made = distances.astype(dtype)
    made[distances == unreached_marker(distances.dtype)] = unreached_marker(dtype)
    return made


def largest_distance(dtype: np.dtype[Any]) -> int | float:
    """Return the largest distance of a type: the unreached marker is none."""
    import numpy as np

    return float(np.finfo(dtype).max) if dtype.kind == "f" else int(np.iinfo(dtype).max) - 1
