"""Names of vertices: an array in vertex order, and the lookup of a vertex by its name."""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable, Hashable, Iterable

import numpy as np

from pathfront.exceptions import ArgumentError, ArgumentTypeError, VertexError
from pathfront.validation import Array
from pathfront.wording import described

_WASTE = 4
"""Names of very different lengths are stored as objects: an array of strings gives each the longest one's memory."""


class Labels:
    """The names of a graph's vertices, all different; given as a function, they are made when first used."""

    def __init__(self, names: Array | Callable[[], Array]) -> None:
        self._make = None if isinstance(names, np.ndarray) else names
        self._names = names if isinstance(names, np.ndarray) else None
        self._find: Callable[[Hashable], int | None] | None = None
        self._lock = threading.Lock()

    @property
    def names(self) -> Array:
        """The names in vertex order, read-only."""
        names = self._names
        if names is None:
            with self._lock:
                names = self._names
                if names is None:
                    assert self._make is not None
                    names = self._names = self._make()
        names.flags.writeable = False
        return names

    def index_of(self, name: Hashable) -> int:
        """Return the vertex of a name."""
        if self._find is None:
            self._find = _finder(self.names)
        try:
            vertex = self._find(name)
        except TypeError:
            raise ArgumentTypeError(f"{name!r} cannot be a name: it is not hashable.") from None
        if vertex is None:
            raise VertexError(f"no vertex is named {name!r}; graph.labels holds the names.")
        return vertex


def _finder(names: Array) -> Callable[[Hashable], int | None]:
    """Return a function from a name to its vertex, or to None."""
    if not _increasing(names):
        return {name: vertex for vertex, name in enumerate(names.tolist())}.get

    def bisected(name: Hashable) -> int | None:
        hash(name)
        if not isinstance(name, int | np.integer):
            return None
        index = bisect.bisect_left(names, int(name))
        return index if index < names.size and names[index] == name else None

    return bisected  # a dictionary would take more memory than the graph


def _increasing(names: Array) -> bool:
    """Whether the names are integers in increasing order, as those of files with gaps in their ids are."""
    return names.dtype.kind in "iu" and bool(np.all(names[1:] > names[:-1]))


def as_labels(names: object, n: int) -> Labels | None:
    """Return labels for n vertices, checked to be different."""
    if names is None:
        return None
    if not isinstance(names, Iterable):
        raise ArgumentTypeError(f"labels is {described(names)}; give one name per vertex.")
    array = names if isinstance(names, np.ndarray) else name_array(names)
    if array.shape != (n,):
        raise ArgumentError(f"labels has {array.size} entries, but the graph has {n} vertices.")
    if array.dtype.kind in "iu":
        array = array.astype(np.uint64 if array.dtype == np.uint64 else np.int64)
        distinct = n if _increasing(array) else np.unique(array).size
    else:
        array = array.copy()
        try:
            distinct = len(set(array.tolist()))
        except TypeError as error:
            raise ArgumentTypeError(f"labels cannot be looked up ({error}); use strings, integers or tuples.") from None
    if distinct != n:
        raise ArgumentError(f"labels has {n - distinct} repeated names; every vertex needs its own.")
    return Labels(array)


def name_array(names: Iterable[Hashable]) -> Array:
    """Return names as an array: integers or strings where all are such, objects otherwise."""
    listed = list(names)
    if listed and all(type(name) is int for name in listed):
        try:
            return np.array(listed, dtype=np.int64)
        except OverflowError:
            pass
    if listed and all(type(name) is str and not name.endswith("\0") for name in listed):
        lengths = [len(name) for name in listed]  # type: ignore[arg-type]
        if max(lengths) * len(listed) <= _WASTE * sum(lengths) + 4096:
            return np.array(listed, dtype=np.str_)
    return np.fromiter(listed, object, len(listed))


def number_names(tails: Array, heads: Array) -> tuple[Array, Array, Array | None]:
    """Number the names that occur, and return both ends by number with the names, or None where name = number.

    Integers are numbered in increasing order, anything else in order of appearance.
    """
    if tails.dtype.kind in "iu" and heads.dtype.kind in "iu" and np.result_type(tails, heads).kind in "iu":
        return _number_integers(tails, heads)  # int64 beside uint64 goes on below: together they would be floats
    numbers: dict[Hashable, int] = {}
    both = [
        np.fromiter((numbers.setdefault(name, len(numbers)) for name in column.tolist()), np.uint32, column.size)
        for column in (tails, heads)
    ]
    return both[0], both[1], name_array(numbers)


def _number_integers(tails: Array, heads: Array) -> tuple[Array, Array, Array | None]:
    if tails.size == 0:
        return tails.astype(np.uint32), heads.astype(np.uint32), None
    largest = max(int(tails.max()), int(heads.max()))
    smallest = min(int(tails.min()), int(heads.min()))
    if smallest >= 0 and largest < 16 * tails.size + 1024:
        # Dense enough for one mark per possible id, which is far cheaper than sorting.
        marks = np.zeros(largest + 1, dtype=bool)
        marks[tails] = True
        marks[heads] = True
        names = np.flatnonzero(marks)
        if names.size == largest + 1:
            return tails.astype(np.uint32), heads.astype(np.uint32), None
        numbers = np.cumsum(marks, dtype=np.int64) - 1
        return numbers[tails].astype(np.uint32), numbers[heads].astype(np.uint32), names.astype(np.int64)
    names, inverse = np.unique(np.concatenate([tails, heads]), return_inverse=True)
    inverse = inverse.astype(np.uint32)
    return inverse[: tails.size], inverse[tails.size :], names
