"""Eccentricity, the largest distance from a vertex, and what follows from it: diameter, radius, center, periphery.

In an undirected graph a search from one vertex bounds the eccentricities e of all: d(u, v) and e(u) - d(u, v) are at
most e(v), and e(v) is at most e(u) + d(u, v). Searches from vertices with an extreme bound soon leave few candidates
(Takes and Kosters, "Determining the diameter of small world networks", 2011). Where that does not help, and in directed
graphs, there is a search from every candidate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pathfront.api import shortest_paths
from pathfront.centrality.searches import as_vertices, distance_sums, limited, require_vertices, require_weights
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import NoPathError
from pathfront.graph import Graph, as_graph
from pathfront.progress import Progress
from pathfront.validation import Array
from pathfront.wording import checks_names

_EXACT = 2.0**52
"""Below this sums of two whole numbers are exact as floats."""
_ROUNDS = 32
"""Searches after which half of the candidates must be gone; otherwise all that are left are searched at once."""


@checks_names
def eccentricity(
    graph: Graph,
    vertices: object = None,
    *,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Array:
    """Return for each vertex the largest distance from it to any other.

    The type is that of distances, wider if one does not fit. Where some vertex cannot be reached the value is infinity,
    or the integer type's largest value. The values are those of `vertices`, in their order, by default of all.

    >>> import pathfront as pf
    >>> pf.eccentricity(pf.generate.chain(4, weights="unit")).tolist()
    [3, 2, 2, 3]
    """
    graph = as_graph(graph)
    chosen = as_vertices(graph, vertices, "vertices")
    return _by_searches(graph, chosen, threads=threads, time_limit=time_limit, progress=progress)


@checks_names
def diameter(
    graph: Graph, *, threads: int | None = None, time_limit: float | None = None, progress: Progress | None = None
) -> int | float:
    """Return the largest eccentricity: the largest distance between two vertices.

    A graph that is not (strongly) connected has none: an error.

    >>> import pathfront as pf
    >>> pf.diameter(pf.generate.grid(30, 40, weights="unit"))
    68
    """
    return _extreme(as_graph(graph), "diameter", True, False, threads, time_limit, progress).value


@checks_names
def radius(
    graph: Graph, *, threads: int | None = None, time_limit: float | None = None, progress: Progress | None = None
) -> int | float:
    """Return the smallest eccentricity. A graph that is not (strongly) connected has none: an error.

    >>> import pathfront as pf
    >>> pf.radius(pf.generate.grid(30, 40, weights="unit"))
    35
    """
    return _extreme(as_graph(graph), "radius", False, False, threads, time_limit, progress).value


@checks_names
def center(
    graph: Graph, *, threads: int | None = None, time_limit: float | None = None, progress: Progress | None = None
) -> Array:
    """Return the vertices whose eccentricity is the radius, by name where the graph has names.

    >>> import pathfront as pf
    >>> pf.center(pf.generate.chain(4, weights="unit")).tolist()
    [1, 2]
    """
    graph = as_graph(graph)
    return graph.names_of(_extreme(graph, "center", False, True, threads, time_limit, progress).vertices)


@checks_names
def periphery(
    graph: Graph, *, threads: int | None = None, time_limit: float | None = None, progress: Progress | None = None
) -> Array:
    """Return the vertices whose eccentricity is the diameter, by name where the graph has names.

    >>> import pathfront as pf
    >>> pf.periphery(pf.generate.chain(4, weights="unit")).tolist()
    [0, 3]
    """
    graph = as_graph(graph)
    return graph.names_of(_extreme(graph, "periphery", True, True, threads, time_limit, progress).vertices)


class _Extreme(NamedTuple):
    value: int | float
    vertices: Array
    """Those whose eccentricity is the value, in order; not all of them unless asked for."""


def _by_searches(
    graph: Graph, vertices: Array, *, threads: int | None, time_limit: float | None, progress: Progress | None
) -> Array:
    """Return the eccentricities of some vertices, by a search from each."""
    sums = distance_sums(
        graph,
        vertices,
        "eccentricity",
        wanted=("reached",),
        threads=threads,
        time_limit=time_limit,
        progress=progress,
    )
    found = sums.farthest
    found[sums.reached < graph.n] = unreached_marker(found.dtype)
    return found


def _extreme(
    graph: Graph,
    what: str,
    largest: bool,
    every: bool,
    threads: int | None,
    time_limit: float | None,
    progress: Progress | None,
) -> _Extreme:
    """Return the largest or the smallest eccentricity, with one vertex that has it or `every` one."""
    everyone = as_vertices(graph, None, "vertices")
    require_vertices(graph, what)
    require_weights(graph, what, zero=True)
    with limited(what, graph, graph.n, time_limit, progress) as callback:
        if graph.directed:
            known = dict(enumerate(_connected(graph, everyone, what, threads, callback)))
        else:
            known = _Bounds(graph.unlabelled(), largest, every).eccentricities(what, threads, callback)
    value = (max if largest else min)(known.values())
    return _Extreme(value, np.array(sorted(v for v, each in known.items() if each == value), np.uint32))


def _connected(
    graph: Graph, vertices: Array, what: str, threads: int | None, progress: Progress | None
) -> list[int | float]:
    """Return the eccentricities of some vertices, which must reach all."""
    found = _by_searches(graph, vertices, threads=threads, time_limit=None, progress=progress)
    apart = found == unreached_marker(found.dtype)
    if apart.any():
        raise _not_connected(graph, int(vertices[np.argmax(apart)]), what)
    return list(found.tolist())


def _not_connected(graph: Graph, vertex: int, what: str) -> NoPathError:
    connected = "strongly connected" if graph.directed else "connected"
    return NoPathError(
        f"{graph.described(vertex)} does not reach every vertex, so the graph has no {what}; "
        f"take a part that is {connected}, or the eccentricities of some vertices."
    )


class _Bounds:
    """Bounds of the eccentricities of an undirected graph, and the candidates for the extreme one."""

    def __init__(self, graph: Graph, largest: bool, every: bool) -> None:
        self._graph, self._largest, self._every = graph, largest, every
        self._lower, self._upper = np.zeros(graph.n), np.full(graph.n, np.inf)
        self._candidates = np.arange(graph.n)
        self._degrees = np.diff(graph.offsets)
        self._known: dict[int, int | float] = {}
        self._is_known = np.zeros(graph.n, np.bool_)

    def eccentricities(self, what: str, threads: int | None, progress: Progress | None) -> dict[int, int | float]:
        """Return the eccentricities of some vertices, among them those asked for."""
        left, rounds = self._candidates.size, 0
        while self._candidates.size:
            if rounds == _ROUNDS:
                if self._candidates.size > left // 2:
                    vertices = self._candidates.astype(np.uint32)
                    found = _connected(self._graph, vertices, what, threads, progress)
                    self._known.update(zip(vertices.tolist(), found, strict=True))
                    break
                left, rounds = self._candidates.size, 0
            self._search(self._next(rounds), what, threads, progress)
            rounds += 1
        return self._known

    def _next(self, rounds: int) -> int:
        """Return the candidate with the largest upper or the smallest lower bound, in turns; of these, with most arcs.

        The first is the vertex with most arcs.
        """
        candidates = self._candidates
        bounds = self._upper[candidates] if rounds % 2 else -self._lower[candidates]
        best = candidates[bounds == bounds.max()]
        return int(best[np.argmax(self._degrees[best])])

    def _search(self, vertex: int, what: str, threads: int | None, progress: Progress | None) -> None:
        """Search from a vertex, tighten the bounds, and drop the candidates that are decided."""
        paths = shortest_paths(self._graph, vertex, parents=False, threads=threads, progress=progress)
        if not paths.reached.all():
            raise _not_connected(self._graph, vertex, what)
        own = paths.distance.max()
        distance, far = paths.distance.astype(np.float64), float(own)
        kind = paths.distance.dtype
        whole = kind.kind != "f" and far <= _EXACT
        # distances between two vertices, found from either end, may differ by their rounding
        unit = float(np.finfo(kind if kind.kind == "f" else np.float64).eps)
        margin = 0.0 if whole else 4 * far * self._graph.n * unit
        np.maximum(self._lower, np.maximum(distance, far - distance) - margin, out=self._lower)
        np.minimum(self._upper, far + distance + margin, out=self._upper)
        self._lower[vertex] = self._upper[vertex] = far
        self._know(vertex, own.item())
        self._drop_decided(whole)

    def _know(self, vertex: int, value: int | float) -> None:
        self._known[vertex] = value
        self._is_known[vertex] = True

    def _drop_decided(self, whole: bool) -> None:
        candidates = self._candidates
        low, high = self._lower[candidates], self._upper[candidates]
        best = (max if self._largest else min)(self._known.values())
        if self._every and whole:
            for vertex in candidates[(low == best) & (high == best)].tolist():
                self._know(vertex, best)
        beaten = high < best if self._largest else low > best
        if not self._every:  # nor must it do as well
            beaten |= high == best if self._largest else low == best
        self._candidates = candidates[~(beaten | self._is_known[candidates])]
