"""Names of vertices (labels): stored in vertex order, found by name.

Where a graph has labels, a vertex is given by its label, whatever the type of that is; where it has none, by its
position, 0..n-1. Names that are the positions are no labels. Consecutive integers, as in files that count from 1, are
kept as a range.
"""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError, ArgumentTypeError, VertexError
from pathfront.validation import MOST_VERTICES, Array, as_array, as_count, is_foreign_array
from pathfront.wording import described, for_several, shown
from pathfront.workers import interruptible

_PIECE = 1 << 16
"""Names that are handled in one call of Python or numpy, which Ctrl-C waits for."""
_WASTE = 4
"""Names of very different lengths are stored as objects: an array of strings gives each the longest one's memory."""


class Index(int):
    """A vertex by its position, made by `pf.index`."""

    def __repr__(self) -> str:
        return f"pf.index({int(self)})"


def index(position: int) -> Index:
    """Return an integer that means the vertex at this position, counted from 0, also where vertices have labels.

    Everything that takes a vertex takes it; for many positions use `graph.unlabelled()`.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3], labels=[3, 1, 2])
    >>> paths = pf.shortest_paths(graph, pf.index(0))
    >>> paths.source, paths.distance_to(2), paths.distance_to(pf.index(1))
    (3, 7, 4)
    """
    return Index(as_count(position, "position", most=MOST_VERTICES))


class Labels:
    """The names of a graph's vertices, all different: an array, a range, or a function that makes the array."""

    def __init__(self, names: Array | range | Callable[[], Array]) -> None:
        self.numbers = names if isinstance(names, range) else None
        """The names as a range, where they are known to be one."""
        self._make = names if callable(names) else None
        self._names = names if isinstance(names, np.ndarray) else None
        self._finder: Callable[[Any], int | None] | None = None
        self._lock = threading.Lock()

    @property
    def names(self) -> Array:
        """The names in vertex order, read-only."""
        names = self._names
        if names is None:
            with self._lock:
                names = self._names
                if names is None:
                    names = self._names = self._made()
        names.flags.writeable = False
        return names

    def _made(self) -> Array:
        if self.numbers is not None:
            return np.arange(self.numbers.start, self.numbers.stop, dtype=np.int64)
        assert self._make is not None
        return self._make()

    @property
    def stored(self) -> Array | range:
        """The names in their smallest form, of which `Labels` makes the same ones."""
        return self.names if self.numbers is None else self.numbers

    def of(self, vertices: Array) -> Array:
        """Return the names of vertices."""
        if self.numbers is not None:
            return vertices.astype(np.int64) + self.numbers.start
        named: Array = self.names[vertices]
        return named

    def name_of(self, vertex: int) -> Hashable:
        """Return the name of a vertex, as an object of Python."""
        name: Hashable = self.of(np.array([vertex])).tolist()[0]
        return name

    @property
    def _find(self) -> Callable[[Any], int | None]:
        if self._finder is None:
            self._finder = _finder(self)
        return self._finder

    def has(self, name: Hashable) -> bool:
        """Return whether some vertex has this name."""
        find = self._find
        try:
            return find(name) is not None
        except (TypeError, ValueError):  # as in index_of
            return False

    def index_of(self, name: object, argument: str = "name") -> int:
        """Return the vertex of the name that an argument gives."""
        find = self._find  # reads the names, which may raise an error of the file
        try:
            vertex = find(name)
        except (TypeError, ValueError):  # numpy's spans of time without a unit
            if getattr(name, "ndim", None) != 0:
                values = name.tolist() if isinstance(name, np.ndarray) else name
                cure = ""
                if isinstance(values, list) and self.has(tuple(values)):
                    cure = f"; the tuple {shown(tuple(values))} is one"
                raise ArgumentTypeError(
                    f"{argument} is {shown(name)}, which is not hashable, so no name of a vertex"
                    f"{cure or for_several(argument, name)}."
                ) from None
            vertex = None
        if isinstance(name, bool | np.bool_) and self._are_integers():
            raise ArgumentTypeError(f"{argument} is {name}, a truth value, but the vertices have integers as names.")
        if vertex is not None:
            return vertex
        plain = _plain(name)
        if plain is not name and not isinstance(name, np.generic):
            return self.index_of(plain, argument)
        raise VertexError(f"{argument}: no vertex is named {shown(plain)}; {self._cure(plain)}.")

    def _are_integers(self) -> bool:
        return self.numbers is not None or self.names.dtype.kind in "iu"

    def _cure(self, name: Any) -> str:
        """Return what may have been meant: the same name as another type, or a position."""
        for kind in (int, float) if isinstance(name, str) else (str,):
            with suppress(ValueError):  # no number, or one of too many digits
                if self._find(other := kind(name)) is not None:
                    return f"the name is {other!r}, {_KINDS[kind]}"
        if not (self.names.size if self.numbers is None else len(self.numbers)):
            known = "the graph has no vertices"
        elif self.numbers is not None:
            known = f"the names are {self.numbers[0]}..{self.numbers[-1]}"
        else:
            known = "graph.labels holds the names"
        count = self.names.size if self.numbers is None else len(self.numbers)
        if isinstance(name, int) and not isinstance(name, bool) and 0 <= name < count:
            known += f"; use pf.index({name}) for the vertex at this position"
        return known


_KINDS = {int: "an integer", float: "a float", str: "a string"}


def _plain(value: object) -> Any:
    """Return a scalar of numpy, or an array without dimensions of any library, as an object of Python."""
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def _finder(labels: Labels) -> Callable[[Any], int | None]:
    """Return a function from a name to its vertex, or to None."""
    numbers = labels.numbers
    if numbers is not None:

        def counted(name: Hashable) -> int | None:
            whole = _as_integer(name)
            return numbers.index(whole) if whole is not None and whole in numbers else None

        return counted
    names = labels.names
    if not _increasing(names):
        return {name: vertex for vertex, name in enumerate(names.tolist())}.get

    def bisected(name: Hashable) -> int | None:
        whole = _as_integer(name)
        if whole is None:
            return None
        index = bisect.bisect_left(names, whole)
        return index if index < names.size and names[index] == whole else None

    return bisected  # a dictionary would take more memory than the graph


def _as_integer(name: Hashable) -> int | None:
    """Return the integer that equals a name, as in the lookup of a dictionary."""
    hash(name)  # raises TypeError, as that lookup does
    if isinstance(name, int | np.integer):
        return int(name)
    return int(name) if isinstance(name, float | np.floating) and name.is_integer() else None


def _increasing(names: Array) -> bool:
    """Whether the names are integers in increasing order, as those of files with gaps in their ids are."""
    return names.dtype.kind in "iu" and bool(np.all(names[1:] > names[:-1]))


def as_labels(names: object, n: int) -> Labels | None:
    """Return labels for n vertices, checked to be different; None if each vertex is named by its position."""
    if names is None:
        return None
    if is_foreign_array(names):
        names = as_array(names, "labels")
    if not isinstance(names, Iterable):
        raise ArgumentTypeError(f"labels is {described(names)}; give one name per vertex.")
    if isinstance(names, range):
        size = max(0, -((names.start - names.stop) // names.step))  # len() fails from 2**63 on
        if size != n:
            raise ArgumentError(f"labels has {shown(size)} entries, but the graph has {n} vertices.")
        if names.step == 1 and names.start >= -(2**63) and names.stop <= 2**63:
            return _consecutive(names)
    array = names if isinstance(names, np.ndarray) else name_array(names)
    if array.shape != (n,):
        raise ArgumentError(f"labels has {array.size} entries, but the graph has {n} vertices.")
    if n == 0:
        return None
    if array.dtype.kind in "iu":
        array = array.astype(np.uint64 if array.dtype == np.uint64 else np.int64)
        increasing = _increasing(array)
        if increasing and int(array[-1]) - int(array[0]) == n - 1 and int(array[-1]) < 2**63:
            return _consecutive(range(int(array[0]), int(array[-1]) + 1))
        distinct = n if increasing else interruptible(lambda: np.unique(array)).size
    else:
        array = array.copy()
        try:
            distinct = len({name for piece in _pieces(array) for name in piece.tolist()})
        except TypeError as error:
            raise ArgumentTypeError(f"labels cannot be looked up ({error}); use strings, integers or tuples.") from None
        _require_no_nan(array)
    if distinct != n:
        raise ArgumentError(f"labels has {n - distinct} repeated names; every vertex needs its own.")
    return Labels(array)


def _require_no_nan(names: Array) -> None:
    """Raise for a name that is NaN, since it could not be found: it does not equal itself."""
    first = 0
    for piece in _pieces(names):
        if names.dtype.kind in "fcO":
            for i, name in enumerate(piece.tolist()):
                if isinstance(name, float | complex) and name != name:
                    raise ArgumentError(
                        f"labels[{first + i}] is {name}, which equals no name; give the vertex another."
                    )
        first += piece.size


def _consecutive(numbers: range) -> Labels | None:
    return None if numbers.start == 0 else Labels(numbers)


def name_array(names: Iterable[Hashable]) -> Array:
    """Return names as an array: integers or strings where all are such, objects otherwise."""
    listed = list(names)
    if listed and all(type(name) is int or isinstance(name, np.integer) for name in listed):
        try:
            return np.array(listed, dtype=np.int64)
        except OverflowError:
            pass
    if listed and all(type(name) is str and not name.endswith("\0") for name in listed):
        lengths = [len(name) for name in listed]  # type: ignore[arg-type]
        if max(lengths) * len(listed) <= _WASTE * sum(lengths) + 4096:
            return _filled(np.empty(len(listed), f"U{max(1, max(lengths))}"), listed)
    return _filled(np.empty(len(listed), object), listed)


def _pieces(values: Sequence[Any] | Array) -> Iterator[Any]:
    return (values[start : start + _PIECE] for start in range(0, len(values), _PIECE))


def _filled(array: Array, names: list[Hashable]) -> Array:
    for piece, values in zip(_pieces(array), _pieces(names), strict=True):
        piece[:] = values if array.dtype.kind == "U" else np.fromiter(values, object, len(values))
    return array


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
    both = np.concatenate([tails, heads])
    names, inverse = interruptible(lambda: np.unique(both, return_inverse=True))
    inverse = inverse.astype(np.uint32)
    return inverse[: tails.size], inverse[tails.size :], names
