"""Measures of a graph: what papers tabulate of their graphs, and what says which method suits one.

Counts of arcs, summaries of degrees and weights, what a vertex reaches, components, and the hop diameter: the largest
number of arcs on a shortest path between any two vertices of which one reaches the other, every arc counted as one.

The exact diameter takes as many searches as there are vertices in the worst case. Without it there is a lower bound by
double sweeps (Magnien, Latapy, Habib, "Fast computation of empirically tight bounds for the diameter of massive
graphs", 2009): search from a vertex, then from the farthest one found, until the distance does not grow; then once more
from the middle of the path found (the "4-sweep" of Crescenzi et al., "On computing the diameter of real-world
undirected graphs", 2013). In directed graphs every second search follows the arcs backwards. On most graphs the bound
is the diameter or close to it.

The exact diameter of an undirected graph is found by `pathfront.diameter`, component by component, the largest first; a
component of k vertices cannot beat a path of k - 1 arcs. A directed graph has a search from every vertex.

All but what the source reaches is computed once per graph.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.api import shortest_paths
from pathfront.centrality.extremes import diameter
from pathfront.centrality.searches import distance_sums, limited
from pathfront.dtypes import unreached_marker
from pathfront.graph import Graph, as_graph
from pathfront.progress import Progress
from pathfront.validation import Array, available_cores
from pathfront.wording import checks_names

_MOST_SWEEPS = 8
"""Searches of one series of sweeps. Three or four are usual: the distance soon stops growing."""

_AT_ONCE = 1 << 20
"""Weights that are summed up at once: Ctrl-C is noticed in between, and no copy of all of them is made."""


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of a graph.

    >>> import pathfront as pf
    >>> found = pf.measure(pf.generate.grid(30, 40, seed=1))
    >>> found.n, found.m, found.largest_degree, found.hop_diameter
    (1200, 4660, 4, 68)
    """

    n: int
    m: int
    """Arcs; an undirected edge is two."""
    directed: bool
    smallest_degree: int
    """Degrees are numbers of out-arcs."""
    mean_degree: float
    largest_degree: int
    degree_deviation: float
    """The standard deviation of the degrees."""
    largest_in_degree: int
    isolated: int
    """Vertices that no arc leaves or enters."""
    loops: int
    parallel_arcs: int
    """Arcs beyond the first from one vertex to another."""
    weights: str | None
    """The type of the weights; None: there are none, arcs count as hops."""
    lightest: int | float | None
    heaviest: int | float | None
    mean_weight: float | None
    weight_deviation: float | None
    """The standard deviation of the weights."""
    zero_weights: int
    negative_weights: int
    source: Hashable
    """The name of the vertex whose reach was measured."""
    reached: int
    """Vertices that the source reaches, itself included."""
    source_hops: int
    """The number of arcs to the farthest of them, hops counted."""
    hop_diameter: int
    """The largest number of arcs on a shortest path, hops counted, between any two vertices, or a lower bound of it."""
    hop_diameter_is_exact: bool
    weak_components: int
    """Parts that are connected if arcs may be followed in both directions."""
    largest_weak_component: int
    """The number of its vertices."""
    strong_components: int
    """Parts whose vertices all reach each other."""
    largest_strong_component: int

    @property
    def reached_share(self) -> float:
        """The share of the vertices that the source reaches."""
        return self.reached / self.n if self.n else 0.0

    @property
    def largest_weak_share(self) -> float:
        """The share of the vertices that are in the largest weak component."""
        return self.largest_weak_component / self.n if self.n else 0.0

    @property
    def largest_strong_share(self) -> float:
        """The share of the vertices that are in the largest strong component."""
        return self.largest_strong_component / self.n if self.n else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return all measures by name, the shares among them.

        >>> import pathfront as pf
        >>> pf.measure(pf.generate.chain(4, weights="unit")).to_dict()["reached_share"]
        1.0
        """
        shares = ("reached_share", "largest_weak_share", "largest_strong_share")
        return {**asdict(self), **{name: getattr(self, name) for name in shares}}


@checks_names
def measure(
    graph: Graph,
    *,
    source: object = None,
    exact: bool = False,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Measures:
    """Measure a graph: degrees, weights, what a source reaches, components, and the hop diameter.

    By default the source is the vertex of most out-arcs, and the hop diameter is a lower bound by double sweeps, which
    takes seconds for 10^7 arcs. With `exact` it is the diameter: up to a search from every vertex.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 4], [5, 2, 2, 7])
    >>> found = pf.measure(graph, source=3, exact=True)
    >>> found.reached, found.hop_diameter, found.strong_components, found.heaviest
    (2, 2, 3, 7)
    """
    graph = as_graph(graph)
    graph.check()
    start = _source(graph, source)
    searches = graph.n if exact else 2 * _MOST_SWEEPS
    with limited("measure", graph, searches, time_limit, progress) as callback:
        work = _Work(graph, threads, callback)
        reached, hops = (0, 0) if start is None else work.reach(start)
        bound = graph.derived("hop_diameter_bound", work.sweep)
        diameters: dict[str, int] = graph.derived("hop_diameter", dict)
        if exact and "exact" not in diameters:
            diameters["exact"] = work.exact_diameter(bound)  # not under the graph's lock: it may take hours
        known = diameters.get("exact")
        parts = graph.derived("component_counts", work.component_counts)
        return Measures(
            n=graph.n,
            m=graph.m,
            directed=graph.directed,
            **graph.derived("arc_measures", lambda: _of_arcs(graph)),
            source=None if start is None else graph.name_of(start),
            reached=reached,
            source_hops=hops,
            hop_diameter=bound if known is None else known,
            hop_diameter_is_exact=known is not None or graph.n <= 1,
            **parts,
        )


def _source(graph: Graph, source: object) -> int | None:
    """Return a vertex's position, by default that of the vertex of most out-arcs; None if there are none."""
    if source is not None:
        return graph.vertex(source, "source")
    return int(np.argmax(np.diff(graph.offsets))) if graph.n else None


def _of_arcs(graph: Graph) -> dict[str, Any]:
    """Return the measures of degrees and weights, by name."""
    out = np.diff(graph.offsets)
    loops, parallel, isolated, entering = _core.tally(graph.native)
    weights = graph.weights if graph.m else None
    summary = None if weights is None else graph.weight_summary()
    spread = None if weights is None else _spread(weights)
    mean = None if summary is None or spread is None else summary.mean if math.isfinite(summary.mean) else spread.mean
    return {
        "smallest_degree": int(out.min()) if graph.n else 0,
        "mean_degree": graph.m / graph.n if graph.n else 0.0,
        "largest_degree": int(out.max()) if graph.n else 0,
        "degree_deviation": float(out.std()) if graph.n else 0.0,
        "largest_in_degree": entering,
        "isolated": isolated,
        "loops": loops,
        "parallel_arcs": parallel,
        "weights": None if graph.weights is None else graph.weights.dtype.name,
        "lightest": None if summary is None else summary.lightest,
        "heaviest": None if summary is None else summary.heaviest,
        "mean_weight": mean,
        "weight_deviation": None if spread is None else spread.deviation,
        "zero_weights": 0 if spread is None else spread.zeros,
        "negative_weights": 0 if spread is None else spread.negative,
    }


class _Spread(NamedTuple):
    mean: float
    deviation: float
    zeros: int
    negative: int


def _spread(weights: Array) -> _Spread:
    """Return what takes a pass over the weights; sums are of shares of the largest, so that they fit a float."""
    scale = max(abs(float(weights.min())), abs(float(weights.max()))) or 1.0
    count, mean, squares, zeros, negative = 0, 0.0, 0.0, 0, 0
    for first in range(0, weights.size, _AT_ONCE):
        part = weights[first : first + _AT_ONCE]
        zeros += part.size - int(np.count_nonzero(part))
        negative += int(np.count_nonzero(part < 0))
        shares = part.astype(np.float64) / scale
        own, total = float(shares.mean()), count + part.size
        squares += float(((shares - own) ** 2).sum()) + (own - mean) ** 2 * count * part.size / total
        mean += (own - mean) * part.size / total
        count = total
    return _Spread(mean * scale, math.sqrt(squares / count) * scale, zeros, negative)


class _Found(NamedTuple):
    """A search: the hops to each vertex, and the farthest one, of several one of fewest arcs."""

    distance: Array
    reached: int
    hops: int
    farthest: int


class _Work:
    """The searches of one call of `measure`: breadth-first ones in the graph without weights."""

    def __init__(self, graph: Graph, threads: int | None, progress: Progress | None) -> None:
        self._threads, self._progress = threads, progress
        self._graph = graph.unlabelled().with_weights(None)
        if graph.directed and _core.looks_symmetric(self._graph.native, available_cores()):
            self._graph = Graph._make(graph.offsets, graph.heads, None, directed=False)
        self._degrees = np.diff(graph.offsets)

    def reach(self, source: int) -> tuple[int, int]:
        """Return how many vertices a source reaches, and the hops to the farthest one."""
        found = self._search(self._graph, source)
        return found.reached, found.hops

    def component_counts(self) -> dict[str, Any]:
        """Return the numbers of components and the sizes of the largest ones, by name."""
        weak = self._components(strong=False)
        strong = self._components(strong=True) if self._graph.directed else weak
        found: dict[str, Any] = {}
        for kind, component in (("weak", weak), ("strong", strong)):
            sizes = np.bincount(component)
            found[f"{kind}_components"] = sizes.size
            found[f"largest_{kind}_component"] = int(sizes.max(initial=0))
        return found

    def sweep(self) -> int:
        """Return a lower bound of the hop diameter, by sweeps that begin in the largest weak component."""
        if self._graph.n == 0:
            return 0
        component = self._components(strong=False)
        inside = component == np.argmax(np.bincount(component))
        best, middle = self._sweep_from(int(np.argmax(np.where(inside, self._degrees, -1))))
        return best if middle is None else max(best, self._sweep_from(middle)[0])

    def exact_diameter(self, bound: int) -> int:
        """Return the hop diameter, which is not below a bound."""
        graph = self._graph
        if graph.directed:
            everyone = np.arange(graph.n, dtype=np.uint32)
            sums = distance_sums(
                graph, everyone, "hop diameter", wanted=("reached",), threads=self._threads, progress=self._progress
            )
            return int(sums.farthest.max(initial=0))
        component = self._components(strong=False)
        sizes = np.bincount(component)
        for i in np.argsort(-sizes, kind="stable"):
            if sizes[i] - 1 <= bound:
                break
            part = graph if sizes[i] == graph.n else _part(graph, component == i)
            bound = max(bound, int(diameter(part, threads=self._threads, progress=self._progress)))
        return bound

    def _sweep_from(self, vertex: int) -> tuple[int, int | None]:
        """Search from a vertex, then from the farthest one found, and so on, as long as the distance grows.

        Return the largest distance, and a vertex in the middle of such a path unless the series was cut off.
        """
        ways: list[Callable[[], Graph]] = [lambda: self._graph, self._graph.reverse]
        last: _Found | None = None
        for i in range(_MOST_SWEEPS):
            found = self._search(ways[i % 2](), vertex)
            if last is not None and found.hops == last.hops:  # the ends of a longest path, seen from each
                half = (last.distance == found.hops // 2) & (found.distance == found.hops - found.hops // 2)
                return found.hops, int(np.argmax(half))
            last, vertex = found, found.farthest
        assert last is not None
        return last.hops, None

    def _search(self, graph: Graph, vertex: int) -> _Found:
        paths = shortest_paths(
            graph, vertex, method="bfs", parents=False, threads=self._threads, progress=self._progress
        )
        distance = paths.distance
        reached = distance != unreached_marker(distance.dtype)
        hops = int(np.max(distance, where=reached, initial=0))
        ends = np.flatnonzero(distance == hops)
        return _Found(distance, int(np.count_nonzero(reached)), hops, int(ends[np.argmin(self._degrees[ends])]))

    def _components(self, *, strong: bool) -> Array:
        component = np.empty(self._graph.n, np.uint32)
        _core.components(self._graph.native, strong, component)
        return component


def _part(graph: Graph, inside: Array) -> Graph:
    """Return the part of a graph without weights that consists of some vertices, which no arcs leave."""
    degrees = np.diff(graph.offsets)
    offsets = np.concatenate([[0], np.cumsum(degrees[inside])])
    position = np.cumsum(inside, dtype=np.uint32) - np.uint32(1)
    heads = position[graph.heads[np.repeat(inside, degrees)]]
    return Graph._make(offsets.astype(np.int64), heads, None, directed=graph.directed)
