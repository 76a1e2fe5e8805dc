"""Validation: arguments become values that the core may trust, or an error.

Every message names the argument, its value and the cure.
"""

from __future__ import annotations

import math
import operator
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfront.dtypes import WEIGHT_TYPES, unreached_marker
from pathfront.exceptions import ArgumentError, ArgumentTypeError, VertexError, WeightError
from pathfront.warp_runtime import to_host
from pathfront.wording import described, for_several, kind, shown

Array = NDArray[Any]

MOST_VERTICES = 2**32 - 2
"""Vertices are 32-bit and the largest value marks "no vertex"."""

MOST_EDGES = 2**40
"""The most edges that a generator makes: a larger size is a mistake."""


def as_count(value: object, name: str, *, least: int = 0, most: int = 2**63 - 1) -> int:
    """Return a whole number within bounds; the core's are of 64 bits."""
    if isinstance(value, bool | np.bool_):
        raise ArgumentTypeError(f"{name} is {value}, a truth value; give a whole number.")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(f"{name} is {described(value)}; give a whole number.") from None
    if number < least:
        raise ArgumentError(f"{name} is {shown(number)}, but it must be at least {least}.")
    if number > most:
        raise ArgumentError(f"{name} is {shown(number)}, but it must be at most {most}.")
    return number


def as_flag(value: object, name: str) -> bool:
    """Return a truth value."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentTypeError(f"{name} is {described(value)}; give True or False.")
    return bool(value)


def as_fraction(value: object, name: str) -> float:
    """Return a number in [0, 1]."""
    number = as_real(value, name)
    if not 0 <= number <= 1:
        raise ArgumentError(f"{name} is {shown(value)}, but it must be between 0 and 1.")
    return number


def as_real(value: object, name: str, *, least: float = -math.inf) -> float:
    """Return a finite number that is not too small."""
    if (
        isinstance(value, bool | np.bool_ | str | np.timedelta64)
        or not hasattr(value, "__float__")
        or value is np.ma.masked
    ):
        raise ArgumentTypeError(f"{name} is {described(value)}; give a number.")
    try:
        number = float(value)
    except OverflowError:
        raise ArgumentError(f"{name} is too large for a float; give a smaller number.") from None
    except (TypeError, ValueError):  # an array of several numbers, a signalling NaN
        raise ArgumentTypeError(f"{name} is {described(value)}; give a number.") from None
    if not math.isfinite(number):
        raise ArgumentError(f"{name} is {number}, but it must be finite.")
    if number < least:
        raise ArgumentError(f"{name} is {shown(value)}, but it must be at least {least}.")
    return number


def as_positive(value: object, name: str) -> float:
    """Return a finite number greater than 0."""
    number = as_real(value, name)
    if number <= 0:
        raise ArgumentError(f"{name} is {shown(value)}, but it must be greater than 0.")
    return number


def as_threads(threads: object) -> int:
    """Return the given number of threads, or that of the cores that this process may use."""
    if threads is not None:
        return as_count(threads, "threads", least=1, most=4096)
    return available_cores()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1


def as_cutoff(cutoff: object, dtype: np.dtype[Any]) -> int | float | None:
    """Return the cutoff in the distance type; whole distances are within 3.7 exactly when they are within 3."""
    if cutoff is None or (isinstance(cutoff, float | np.floating) and cutoff == math.inf):
        return None
    is_whole = isinstance(cutoff, int | np.integer) and not isinstance(cutoff, np.timedelta64)  # an integer to numpy
    exact: int | float = int(cutoff) if is_whole else as_real(cutoff, "cutoff")  # type: ignore[call-overload]
    if isinstance(cutoff, bool) or exact < 0:
        raise ArgumentError(f"cutoff is {shown(cutoff)}, but it must be a number that is not negative.")
    if dtype.kind != "f":
        whole = math.floor(exact)
        return whole if whole < unreached_marker(dtype) else None
    if exact > float(np.finfo(dtype).max):
        return None
    limit = dtype.type(exact)
    # Rounding to float32 must not let in what lies beyond the cutoff.
    return float(limit if float(limit) <= exact else np.nextafter(limit, dtype.type(0)))


def as_seed(seed: object) -> int:
    """Return a seed of 64 bits."""
    return as_count(seed, "seed", most=2**64 - 1)


def as_vertex_index(value: object, name: str, n: int) -> int:
    """Return a vertex given by its index."""
    if isinstance(value, float | np.floating | bool | np.bool_):
        kind = "float" if isinstance(value, float | np.floating) else "truth value"
        raise ArgumentTypeError(f"{name} is {value}, a {kind}; give a vertex as an integer.")
    try:
        vertex = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(
            f"{name} is {described(value)}, but this graph has no labels; give a vertex as an integer"
            f"{for_several(name, value)}."
        ) from None
    if not 0 <= vertex < n:
        where = f"are 0..{n - 1}" if n else "are none: it is empty"
        raise VertexError(f"{name} is {shown(vertex)}, but the graph's vertices {where}.")
    return vertex


def as_array(values: object, name: str) -> Array:
    """Return an array without masked entries."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ArgumentError(f"{name} has masked entries; take them out, with .compressed() or .filled(...).")
    if hasattr(values, "__cuda_array_interface__"):
        return to_host(values, name)
    if is_foreign_array(values):
        return _from_dlpack(values, name)
    try:
        return np.asarray(values)
    except ValueError:
        raise ArgumentTypeError(f"{name} is not rectangular; give an array of numbers.") from None


def is_foreign_array(values: object) -> bool:
    """Return whether values are an array of another library than numpy, of a CPU or of a GPU."""
    known = hasattr(values, "__dlpack__") or hasattr(values, "__cuda_array_interface__")
    return known and not isinstance(values, np.ndarray)


def _from_dlpack(values: Any, name: str) -> Array:
    """Return an array that another library lends, without a copy if it lies in the host's memory."""
    place = int(values.__dlpack_device__()[0])
    if place in _CUDA:
        return to_host(values, name)
    if place not in _HOST:
        raise ArgumentTypeError(
            f"{name} is {kind(values)} on {_PLACES.get(place, 'another device')}; copy it to the CPU first."
        )
    try:
        return np.from_dlpack(values)
    except Exception as error:  # each library has its own errors: for strings, missing values, gradients, ...
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    try:
        if hasattr(values, "__array__"):
            return np.asarray(values)
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".") or reason
    raise ArgumentTypeError(f"{name} is {kind(values)}, which cannot be read as an array: {reason}.")


_HOST = (1, 3, 11)  # the CPU's memory, also where CUDA or ROCm has pinned it
_CUDA = (2, 13)  # of a GPU, or managed
_PLACES = {4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm", 14: "oneAPI", 15: "WebGPU"}
"""The numbers of devices in DLPack, of those that torch, jax, cupy, mlx and others name."""


def as_vector(values: object, name: str) -> Array:
    """Return a one-dimensional array."""
    array = as_array(values, name)
    if array.ndim != 1:
        raise ArgumentError(f"{name} has {array.ndim} dimensions, but it must have one.")
    return array


def as_indices(values: object, name: str) -> Array:
    """Return vertex ids as a contiguous array of one of the index types the core reads."""
    array = as_vector(values, name)
    if array.size == 0:
        return np.empty(0, np.uint32)
    if array.dtype.kind not in "iu":
        raise ArgumentTypeError(
            f"{name} has elements of type {array.dtype}, but vertices are integers; "
            "convert them, or use Graph.from_dataframe for names."
        )
    family = "int" if array.dtype.kind == "i" else "uint"
    return np.ascontiguousarray(array, dtype=f"{family}{32 if array.dtype.itemsize <= 4 else 64}")


def as_weights(values: object, name: str = "weights") -> Array | None:
    """Return weights as a contiguous array of one of the six types; integers never become floats."""
    if values is None:
        return None
    array = as_vector(values, name)
    if array.size == 0 and not isinstance(values, np.ndarray):
        return np.empty(0, np.uint32)
    if array.dtype == np.float64 and isinstance(values, list | tuple):
        array = _exact_integers(values, array, name)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind not in "biuf" or (kind == "f" and size > 8):
        raise ArgumentTypeError(f"{name} has elements of type {array.dtype}; use one of {', '.join(WEIGHT_TYPES)}.")
    family = {"b": "uint", "u": "uint", "i": "int", "f": "float"}[kind]
    return np.ascontiguousarray(array, dtype=f"{family}{32 if size <= 4 else 64}")


def _exact_integers(values: list[Any] | tuple[Any, ...], array: Array, name: str) -> Array:
    """Return integers of which some need uint64 as such: numpy makes floats of them. Beside floats none is rounded."""
    if np.abs(array).max(initial=0) < 2**53:
        return array
    if not all(isinstance(value, int | np.integer) for value in values):
        for i, (value, made) in enumerate(zip(values, array.tolist(), strict=True)):
            if isinstance(value, int | np.integer) and made != int(value):
                raise ArgumentError(f"{name}[{i}] is {value}, which no float64 is; give integers only or floats only.")
        return array
    if array.min() < 0:
        raise ArgumentError(f"{name} holds integers below 0 and from 2**63 on, which no integer type holds together.")
    return np.array(values, np.uint64)


def as_weight_type(dtype: object) -> np.dtype[Any]:
    """Return one of the six types that weights may have."""
    types = [np.dtype(name) for name in WEIGHT_TYPES]
    try:
        return types[types.index(np.dtype(dtype))]  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ArgumentError(f"dtype is {shown(dtype)}, but weights are one of {', '.join(WEIGHT_TYPES)}.") from None


def require_finite(weights: Array, position: int, name: str = "weights") -> None:
    """Raise for the first weight that is NaN or infinite; position -1 means there is none."""
    if position >= 0:
        raise WeightError(
            f"{name}[{position}] is {weights[position]}; weights must be finite: leave out edges that do not exist."
        )
