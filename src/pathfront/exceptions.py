"""The exceptions of pathfront, each a subclass of the builtin that fits it best."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


class PathfrontError(Exception):
    """The base class of every error that pathfront raises itself.

    >>> import pathfront as pf
    >>> issubclass(pf.FormatError, pf.PathfrontError)
    True
    """


class ArgumentError(PathfrontError, ValueError):
    """An argument has a value that cannot be used.

    >>> import pathfront as pf
    >>> pf.generate.grid(0, 5)
    Traceback (most recent call last):
    pathfront.exceptions.ArgumentError: rows is 0, but it must be at least 1.
    """


class ArgumentTypeError(PathfrontError, TypeError):
    """An argument is of a type that cannot be used.

    >>> import pathfront as pf
    >>> pf.shortest_paths(pf.generate.grid(2, 2), 1.5)
    Traceback (most recent call last):
    pathfront.exceptions.ArgumentTypeError: source is 1.5, a float; give a vertex as an integer.
    """


class VertexError(PathfrontError, IndexError):
    """A vertex is not in the graph.

    >>> import pathfront as pf
    >>> pf.shortest_paths(pf.generate.grid(2, 2), 4)
    Traceback (most recent call last):
    pathfront.exceptions.VertexError: source is 4, but the graph's vertices are 0..3.
    """


class WeightError(PathfrontError, ValueError):
    """A weight cannot be used: NaN, infinite, or negative where the method needs non-negative ones.

    >>> import pathfront as pf
    >>> pf.Graph.from_edges([0], [1], [float("nan")])
    Traceback (most recent call last):
    pathfront.exceptions.WeightError: weights[0] is nan; weights must be finite: leave out edges that do not exist.
    """


class MethodError(PathfrontError, ValueError):
    """There is no such method or option, or the method does not support the request.

    >>> import pathfront as pf
    >>> pf.methods.get("astar")
    Traceback (most recent call last):
    pathfront.exceptions.MethodError: method is 'astar'; choose from adds, auto, bellman_ford, ...
    """


class FormatError(PathfrontError, ValueError):
    """A file is malformed; the message names the file and the line or byte.

    >>> import io, pathfront as pf
    >>> pf.read(io.BytesIO(b"p sp 2 1\\na 1 3 5\\n"))
    Traceback (most recent call last):
    pathfront.exceptions.FormatError: <stream>: line 2: vertex 3 is not in 1..2
    """


class DownloadError(PathfrontError, ConnectionError):
    """A public graph cannot be downloaded, or is not the file that it was; the message says what to do instead.

    >>> import pathfront as pf
    >>> issubclass(pf.DownloadError, OSError)
    True
    """


class MissingExtraError(PathfrontError, ImportError):
    """A package that is needed is not installed; the message names the extra that provides it.

    >>> import pathfront as pf
    >>> issubclass(pf.MissingExtraError, ImportError)
    True
    """


class DeviceError(PathfrontError, RuntimeError):
    """A device does not exist, or stopped working; the message says what to use instead.

    >>> import pathfront as pf
    >>> issubclass(pf.DeviceError, RuntimeError)
    True
    """


class DeviceMemoryError(DeviceError, MemoryError):
    """A graph, or the memory that a method needs, does not fit a device; the message says how much it takes.

    >>> import pathfront as pf
    >>> issubclass(pf.DeviceMemoryError, MemoryError)
    True
    """


class TimeLimitError(PathfrontError, TimeoutError):
    """A search took longer than its `time_limit` and was stopped.

    >>> import pathfront as pf
    >>> issubclass(pf.TimeLimitError, TimeoutError)
    True
    """


class NoPathError(PathfrontError, LookupError):
    """There is no path to the vertex, or the search stopped before reaching it.

    >>> import pathfront as pf
    >>> pf.shortest_paths(pf.Graph.from_edges([0], [1], n=3), 0).path_to(2)
    Traceback (most recent call last):
    pathfront.exceptions.NoPathError: vertex 2 cannot be reached from vertex 0.
    """


class NegativeCycleError(PathfrontError, ValueError):
    """The source reaches a cycle of negative length, so shortest paths do not exist; `cycle` names its vertices.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 1], [1, -3, 2])
    >>> try:
    ...     pf.shortest_paths(graph, 0)
    ... except pf.NegativeCycleError as error:
    ...     print(error.cycle)
    [1, 2]
    """

    def __init__(self, message: str, cycle: Sequence[Hashable]) -> None:
        super().__init__(message)
        self.cycle = list(cycle)

    def __reduce__(self) -> tuple[type[NegativeCycleError], tuple[str, list[Hashable]]]:
        return type(self), (str(self), self.cycle)  # pickle passes only the message: needed by worker processes


class DistanceOverflowError(PathfrontError, OverflowError):
    """A distance does not fit the widest type of its kind.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62])
    >>> try:
    ...     pf.shortest_paths(graph, 0)
    ... except pf.DistanceOverflowError as error:
    ...     print(str(error)[:46])
    a distance from vertex 0 does not fit int64, t
    """


class PathCountError(PathfrontError, OverflowError):
    """There are more shortest paths between two vertices than a floating-point number can count.

    >>> import pathfront as pf
    >>> issubclass(pf.PathCountError, OverflowError)
    True
    """
