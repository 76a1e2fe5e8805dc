"""The certificate: a proof that distances are shortest, found in one pass over the arcs, without any search.

The source is at 0; no arc can improve its head (so no distance is too large); and every reached vertex is connected to
the source by tight arcs (so none is too small): its parent arc is tight and the parents form a tree, or, for distances
alone, a path of tight arcs leads to it.

With negative floating-point weights distances are exact sums, rounded once (`devices/exact.py`). There the parents take
the place of distances: they must form a tree, of whose exact path lengths no arc improves any and the distances are the
rounded ones. Distances alone are compared with those of an exact search, whose own tree is checked likewise.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.api import require_nonnegative_for
from pathfront.devices.exact import is_rounded_once, search
from pathfront.dtypes import converted, unreached_marker, wider
from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.graph import NO_VERTEX, Graph, as_graph
from pathfront.paths import ShortestPaths
from pathfront.problem import Problem
from pathfront.validation import Array, as_array, as_count, as_cutoff, as_threads
from pathfront.wording import checks_names, shown

_FLAWS = {
    "source_not_zero": "the source, vertex {vertex}, is at distance {at}, not 0",
    "not_a_distance": "vertex {vertex} has distance {at}",
    "improvable": "arc {vertex} -> {other} of weight {weight} would improve vertex {other} from {old} to {new}",
    "parent_not_vertex": "the parent of vertex {vertex} is {other}, which is no vertex",
    "parent_missing": "vertex {vertex} is reached at {at} but has no parent",
    "parent_needless": "vertex {vertex} needs no parent but has {other}",
    "parent_not_tight": "no arc {other} -> {vertex} explains the distance {at} of vertex {vertex}",
    "parent_cycle": "the parents of vertex {vertex} lead back to it",
    "unsupported": "no path from the source has the length {at} of vertex {vertex}",
    "beyond_radius": "vertex {vertex} at {at} is farther than the search went",
    "not_the_length": "the path of parents to vertex {vertex} has another length than {at}",
    "negative_cycle": "vertex {vertex} lies on a negative cycle, so shortest paths do not exist",
}
"""The message of each flaw; those of the core's `enum class Flaw` first, in its order."""

_IMPROVABLE_UNSEEN = "arc {vertex} -> {other} of weight {weight} improves the path to {other}, by less than {old} shows"
"""The message of "improvable" where rounding hides the improvement."""

_IMPROVABLE_BY_PATH = "the path by arc {vertex} -> {other} would improve vertex {other} from {old} to {new}"
"""The message of "improvable" where a search has found a shorter path."""

_MOST = 1_000_000
"""The most violations that can be described."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong: the flaw's name, the vertex by its name, and a sentence with the numbers."""

    flaw: str
    vertex: Hashable
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found. It is true when nothing is wrong.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3])
    >>> verdict = pf.verify(graph, [0, 4, 9], source=0)
    >>> bool(verdict), verdict.violations[0].message
    (False, 'arc 1 -> 2 of weight 3 would improve vertex 2 from 9 to 7')
    """

    count: int
    """How many violations there are in all."""
    violations: tuple[Violation, ...]
    """The first few."""

    @property
    def ok(self) -> bool:
        """Whether the distances are proved right."""
        return self.count == 0

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if self.ok:
            return "verified: the distances are shortest"
        lines = [f"{self.count} violation{'s' if self.count > 1 else ''}:"]
        lines += [f"  {violation.message}" for violation in self.violations]
        if self.count > len(self.violations):
            lines.append(f"  ... and {self.count - len(self.violations)} more")
        return "\n".join(lines)


@checks_names
def verify(
    graph: object,
    result: ShortestPaths | object,
    *,
    source: object = None,
    parent: object = None,
    cutoff: int | float | None = None,
    threads: int | None = None,
    most: int = 10,
) -> Verdict:
    """Prove or refute a result against a graph.

    `result` is what `shortest_paths` returned, or an array of distances with its `source` (and `parent`, and `cutoff`
    if the search had one). Arrays are in the order of the vertices, and `parent` holds positions. At most `most`
    violations are described. If some weight is a negative floating-point number, distances must be exact sums, rounded
    once, and parents those of exactly shortest paths.

    >>> import pathfront as pf
    >>> graph = pf.generate.grid(10, 10, seed=1)
    >>> print(pf.verify(graph, pf.shortest_paths(graph, 0)))
    verified: the distances are shortest
    """
    graph = as_graph(graph)
    workers, limit = as_threads(threads), as_count(most, "most", least=1, most=_MOST)
    if isinstance(result, ShortestPaths):
        if source is not None or parent is not None or cutoff is not None:
            raise ArgumentError("source, parent and cutoff belong to an array of distances; the result has its own.")
        start, dist, tree = result._source, _as_distances(result._distance, graph), result._parent
        radius = as_cutoff(result.radius, dist.dtype)
    else:
        if source is None:
            raise ArgumentError("source is missing: say which vertex the distances are from.")
        start = graph.vertex(source, "source")
        dist = _as_distances(result, graph)
        radius = as_cutoff(cutoff, dist.dtype)
        tree = None if parent is None else _as_parents(parent, graph)
    if start >= graph.n:
        raise ArgumentError(f"the result's source is {start}, but the graph has {graph.n} vertices.")
    graph.check()
    if not is_rounded_once(graph):
        count, first = _core.certify(graph.native, start, dist, tree, radius, workers, limit)
        return Verdict(count, tuple(_describe(graph, dist, *violation) for violation in first))
    require_nonnegative_for(graph, cutoff=radius)
    if tree is None:
        tree, verdict = _compare(graph, start, dist, limit)
        if not verdict:
            return verdict
    count, first = _core.certify_exactly(graph.native, start, dist, tree, workers, limit)
    return Verdict(count, tuple(_describe(graph, dist, *violation) for violation in first))


def _as_distances(values: object, graph: Graph) -> Array:
    """Return distances in a type that goes with the graph's weights, without changing any value."""
    array = as_array(values, "result")
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ArgumentTypeError(
            f"result is an array of {array.dtype} of shape {array.shape}; give one number per vertex."
        )
    if array.size != graph.n:
        raise ArgumentError(f"result has {array.size} distances, but the graph has {graph.n} vertices.")
    natural = graph.distance_dtype
    choices = [natural] if graph.weights is None else [natural, wider(natural) or natural]
    if array.dtype in choices:
        return np.ascontiguousarray(array)
    for choice in choices:
        made, reached = converted(array, choice), array != unreached_marker(array.dtype)
        if np.array_equal(made[reached], array[reached]):
            return made
    raise ArgumentError(f"result has distances of type {array.dtype}, which do not fit the graph's {natural} weights.")


def _as_parents(values: object, graph: Graph) -> Array:
    array = as_array(values, "parent")
    if array.shape != (graph.n,) or array.dtype.kind not in "iu":
        raise ArgumentTypeError(
            f"parent is an array of {array.dtype} of shape {array.shape}; give one vertex for each of {graph.n}."
        )
    if array.size and (array.min() < -1 or array.max() > NO_VERTEX):
        i = int(np.argmax((array < -1) | (array > NO_VERTEX)))
        raise ArgumentError(f"parent[{i}] is {array[i]}; give a vertex, or -1 or pf.NO_VERTEX where there is none.")
    return np.ascontiguousarray(array.astype(np.uint32))  # -1 becomes NO_VERTEX


def _compare(graph: Graph, source: int, dist: Array, most: int) -> tuple[Array, Verdict]:
    """Compare distances with those of an exact search; return its tree, too."""
    problem = Problem(graph, source, np.empty_like(dist), np.empty(graph.n, np.uint32))
    found = search(problem)
    right, parent = problem.distance, problem.parent
    assert parent is not None
    if found.cycle is not None:
        return parent, Verdict(1, (_violation(graph, "negative_cycle", found.cycle[0]),))
    wrong = np.flatnonzero(right != dist)
    first = [_differing(graph, v, dist[v], right[v], int(parent[v])) for v in wrong[:most].tolist()]
    return parent, Verdict(wrong.size, tuple(first))


def _differing(graph: Graph, vertex: int, at: Any, right: Any, parent: int) -> Violation:
    """Describe a distance that differs from the right one, which is that of a path by way of the parent."""
    if not at > right:
        return _violation(graph, "unsupported" if at > -np.inf else "not_a_distance", vertex, at=at)
    if parent == NO_VERTEX:
        return _violation(graph, "source_not_zero", vertex, at=at)
    old = "unreached" if at == np.inf else at
    return _violation(graph, "improvable", parent, vertex, message=_IMPROVABLE_BY_PATH, old=old, new=right)


def _describe(graph: Graph, dist: Array, code: int, vertex: int, other: int, arc: int) -> Violation:
    flaw = list(_FLAWS)[code]
    if flaw != "improvable":
        return _violation(graph, flaw, vertex, other, at=dist[vertex])
    weight = np.uint32(1) if graph.weights is None else graph.weights[arc]
    old, new = dist[other].item(), dist[vertex].item() + weight.item()
    if old == unreached_marker(dist.dtype):
        return _violation(graph, flaw, vertex, other, weight=weight, old="unreached", new=new)
    message = _FLAWS[flaw] if new < old else _IMPROVABLE_UNSEEN
    return _violation(graph, flaw, vertex, other, message=message, weight=weight, old=dist[other], new=new)


def _violation(
    graph: Graph, flaw: str, vertex: int, other: int = NO_VERTEX, *, message: str = "", **numbers: object
) -> Violation:
    name, of_other = graph.name_of(vertex), graph.name_of(other) if other < graph.n else other
    words = {"vertex": shown(name), "other": shown(of_other)}
    return Violation(flaw, name, (message or _FLAWS[flaw]).format(**words, **numbers))
