"""`explain`: what a graph looks like, which method `auto` takes on it and why, and how the alternatives fare."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pathfront import methods
from pathfront.api import require_weights, shortest_paths
from pathfront.devices.names import as_device, family
from pathfront.exceptions import ArgumentError, WeightError
from pathfront.graph import Graph, as_graph
from pathfront.graph.labels import Index, index
from pathfront.methods import auto
from pathfront.methods.method import Method
from pathfront.paths import ShortestPaths
from pathfront.problem import Problem
from pathfront.progress import Progress
from pathfront.studies.timing import Timed, in_turns, named, reference
from pathfront.validation import as_count, as_flag, as_positive, as_threads
from pathfront.wording import checks_names

if TYPE_CHECKING:
    from pathfront.measuring import Measures

_LAST = ("bellman_ford_edges", "bellman_ford_vertices", "martin", "crauser", "bellman_ford", "workfront_sweep")
"""Methods that may take long where others do not, in the order of how long."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A method on this graph: how it fared, or why it was not tried."""

    method: str
    summary: str
    timed: Timed | None
    """None if it was not timed."""
    why_not: str = ""
    """Why it does not apply; empty if it does."""

    def to_dict(self) -> dict[str, Any]:
        """Return the alternative as one flat record."""
        timed = self.timed or Timed()
        stats = timed.stats
        return {
            "method": self.method,
            "summary": self.summary,
            "applies": not self.why_not,
            "why_not": self.why_not,
            "seconds": timed.best,
            "repetitions": list(timed.seconds),
            "mteps": timed.mteps,
            "delta": None if stats is None else stats.delta,
            "threads": None if stats is None else stats.threads,
            "iterations": None if stats is None else stats.iterations,
            "vertices_processed": None if stats is None else stats.vertices_processed,
            "edges_relaxed": None if stats is None else stats.edges_relaxed,
            "verified": timed.verified,
            "failure": timed.failure,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `explain` found.

    >>> import pathfront as pf
    >>> found = pf.explain(pf.generate.grid(30, 30, seed=1), 0, quick=True)
    >>> found.method, found.reason
    ('dijkstra', 'fewer than 4096 arcs')
    """

    source: Hashable
    device: str
    measures: Measures
    method: str
    """The method that `auto` takes."""
    engine: str
    """The engine of the method, where it has several."""
    threads: int
    """The most threads that it uses."""
    reason: str
    """Why."""
    alternatives: tuple[Alternative, ...]
    """The methods of the registry: first those that were timed, the fastest first, then those that do not apply."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dictionaries, lists, text and numbers."""
        plain = ("device", "method", "engine", "threads", "reason")
        return {
            "source": self.source,
            **{name: getattr(self, name) for name in plain},
            "measures": asdict(self.measures),
            "alternatives": [each.to_dict() for each in self.alternatives],
        }


@checks_names
def explain(
    graph: object,
    source: object = None,
    *,
    device: str = "cpu",
    threads: int | None = None,
    quick: bool = False,
    rounds: int = 3,
    seconds: float = 20.0,
    progress: Progress | None = None,
) -> Explanation:
    """Say what a graph looks like, which method `auto` takes on it and why, and how the other methods fare.

    The source is by default the vertex of most out-arcs. Every method that applies is tried, its answer compared with
    that of Dijkstra's method, and those that are right are timed in turns, up to `rounds` times, for about `seconds`
    in all; `quick=True` leaves that out.

    >>> import pathfront as pf
    >>> found = pf.explain(pf.generate.grid(30, 30, seed=1), 0, seconds=5)
    >>> all(each.timed.verified for each in found.alternatives if not each.why_not)
    True
    """
    from pathfront.measuring import measure

    graph = as_graph(graph)
    graph.check()
    rounds, seconds = as_count(rounds, "rounds", least=0), as_positive(seconds, "seconds")
    start = _source(graph, source)
    place = as_device(device)
    unused = np.empty(graph.n, graph.distance_dtype)
    problem = Problem(graph, start, unused, None, threads=as_threads(threads), device=place)
    choice = auto.choose(problem)
    tried = [methods.get(name) for name in methods.names() if name != "auto"]
    reasons = {each.name: _why_not(each, graph, place) for each in tried}
    timed: dict[Hashable, Timed] = {}
    if not as_flag(quick, "quick"):
        fitting = [each.name for each in tried if not reasons[each.name]]
        fitting.sort(key=lambda name: (name != choice.method.name, _LAST[::-1].index(name) if name in _LAST else -1))
        run = partial(shortest_paths, graph, start, device=device, threads=threads, parents=False)
        searches = named(fitting, lambda name, limit: _search(run, name, choice.method.name, limit))
        timed = in_turns(searches, reference(graph, start), seconds=seconds, rounds=rounds, progress=progress)
    alternatives = [Alternative(each.name, each.summary, timed.get(each.name), reasons[each.name]) for each in tried]
    alternatives.sort(key=_rank)
    return Explanation(
        source=graph.name_of(start),
        device=place,
        measures=measure(graph, source=start),
        method=choice.method.name,
        engine=choice.engine,
        threads=choice.threads if choice.method.parallel else 1,
        reason=choice.why,
        alternatives=tuple(alternatives),
    )


def _search(run: partial[ShortestPaths], name: str, chosen: str, limit: float) -> ShortestPaths:
    """Search by a method, by that which `auto` takes as `auto` would: with its engine and its threads."""
    return run(method="auto" if name == chosen else name, time_limit=limit)


def _source(graph: Graph, source: object) -> Index:
    if graph.n == 0:
        raise ArgumentError("the graph has no vertices, so there is nothing to explain; give another one.")
    if source is None:
        return index(int(np.argmax(np.diff(graph.offsets))))
    return index(graph.vertex(source, "source"))


def _why_not(method: Method, graph: Graph, device: str) -> str:
    """Return why a method does not apply, or nothing."""
    if family(device) not in method.devices:
        return f"it runs on {', '.join(method.devices)} only"
    try:
        require_weights(graph, method, None, None)
    except WeightError as error:
        return "it counts arcs, so all weights must be 1" if method.unit_weights else str(error).partition(";")[0]
    return ""


def _rank(alternative: Alternative) -> tuple[bool, bool, float]:
    best = None if alternative.timed is None else alternative.timed.best
    return bool(alternative.why_not), best is None, best or 0.0
