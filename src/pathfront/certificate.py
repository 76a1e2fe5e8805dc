"""The certificate: a proof that distances are shortest, found in one pass over the arcs, without any search.

The source is at 0; no arc can improve its head (so no distance is too large); and every reached vertex is connected to
the source by tight arcs (so none is too small): its parent arc is tight and the parents form a tree, or, for distances
alone, a path of tight arcs leads to it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from pathfront import _core
from pathfront.dtypes import converted, unreached_marker, wider
from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.graph import NO_VERTEX, Graph, require_graph
from pathfront.paths import ShortestPaths
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
}
"""The message of each flaw, in the order of the core's `enum class Flaw`."""

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
    graph: Graph,
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
    violations are described.

    >>> import pathfront as pf
    >>> graph = pf.generate.grid(10, 10, seed=1)
    >>> print(pf.verify(graph, pf.shortest_paths(graph, 0)))
    verified: the distances are shortest
    """
    require_graph(graph)
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
    count, first = _core.certify(graph.native, start, dist, tree, radius, workers, limit)
    return Verdict(count, tuple(_describe(graph, dist, *violation) for violation in first))


def _as_distances(values: object, graph: Graph) -> Array:
    """Return distances in a type that goes with the graph's weights, without changing any value."""
    array = as_array(values, "result")
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ArgumentTypeError(f"result is not a one-dimensional array of numbers but {array.dtype} {array.shape}.")
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
        raise ArgumentTypeError(f"parent must be {graph.n} vertices, not {array.dtype} {array.shape}.")
    if array.size and (array.min() < -1 or array.max() > NO_VERTEX):
        i = int(np.argmax((array < -1) | (array > NO_VERTEX)))
        raise ArgumentError(f"parent[{i}] is {array[i]}; give a vertex, or -1 or pf.NO_VERTEX where there is none.")
    return np.ascontiguousarray(array.astype(np.uint32))  # -1 becomes NO_VERTEX


def _describe(graph: Graph, dist: Array, code: int, vertex: int, other: int, arc: int) -> Violation:
    flaw, message = list(_FLAWS.items())[code]
    name, of_other = graph.name_of(vertex), graph.name_of(other) if other < graph.n else other
    numbers: dict[str, object] = {"vertex": shown(name), "other": shown(of_other), "at": dist[vertex]}
    if flaw == "improvable":
        weight = np.uint32(1) if graph.weights is None else graph.weights[arc]
        old = "unreached" if dist[other] == unreached_marker(dist.dtype) else dist[other]
        numbers |= {"weight": weight, "old": old, "new": dist[vertex].item() + weight.item()}
    return Violation(flaw, name, message.format(**numbers))
