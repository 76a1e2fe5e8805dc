"""A sweep of delta: one search for each width, verified and timed in turns, with the default width among them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pathfront import methods
from pathfront.api import shortest_paths
from pathfront.exceptions import ArgumentError, ArgumentTypeError, MethodError
from pathfront.graph import Graph, as_graph
from pathfront.graph.labels import index
from pathfront.paths import ShortestPaths, Stats
from pathfront.progress import Progress
from pathfront.studies.timing import Search, in_turns, reference
from pathfront.validation import as_count, as_positive
from pathfront.wording import checks_names, described

MOST_WIDTHS = 200
_AROUND = tuple(2.0**e for e in range(-5, 6))
"""Multiples of the default width that are tried where no widths are given."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One width of a sweep, and how the method fared with it."""

    delta: float | None
    """The width that was asked for; None for the default one of a search that failed."""
    is_default: bool
    """Whether nothing was asked for, so that the method chose."""
    is_best: bool
    """Whether no other width took less time."""
    seconds: tuple[float, ...]
    """The time of each repetition; empty if the search failed."""
    stats: Stats | None
    mteps: float | None
    verified: bool | None
    failure: str = ""

    @property
    def best(self) -> float | None:
        """The least time."""
        return min(self.seconds, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the setting as one flat record."""
        stats = self.stats
        return {
            "delta": self.delta,
            "delta_used": None if stats is None else stats.delta,
            "default": self.is_default,
            "best": self.is_best,
            "seconds": self.best,
            "repetitions": list(self.seconds),
            "iterations": None if stats is None else stats.iterations,
            "vertices_processed": None if stats is None else stats.vertices_processed,
            "edges_relaxed": None if stats is None else stats.edges_relaxed,
            "mteps": self.mteps,
            "verified": self.verified,
            "failure": self.failure,
        }


@dataclass(frozen=True, slots=True)
class Sweep:
    """A method with several widths on one graph."""

    graph: Graph
    source: Hashable
    method: str
    device: str
    settings: tuple[Setting, ...]
    """By width, the default among them."""

    @property
    def default(self) -> Setting:
        """The setting that the method chooses."""
        return next(each for each in self.settings if each.is_default)

    @property
    def best(self) -> Setting | None:
        """The fastest setting; None if all failed."""
        return next((each for each in self.settings if each.is_best), None)


@checks_names
def sweep(
    graph: object,
    source: object,
    *,
    method: str = "delta_stepping",
    deltas: Iterable[float] | None = None,
    device: str = "cpu",
    threads: int | None = None,
    rounds: int = 3,
    seconds: float = 60.0,
    progress: Progress | None = None,
    **options: Any,
) -> Sweep:
    """Run a method with several widths of its buckets, and with the one that it chooses itself.

    Without `deltas` these are the powers of two times the default, from 1/32 to 32. Every answer is compared with that
    of Dijkstra's method; those that are right are timed in turns, `rounds` times, for about `seconds` in all.

    >>> import pathfront as pf
    >>> found = sweep(pf.generate.grid(30, 30, seed=1), 0, method="near_far", deltas=[1, 64], seconds=5)
    >>> [setting.verified for setting in found.settings]
    [True, True, True]
    """
    graph = as_graph(graph)
    chosen = methods.get(method)
    if not chosen.has_delta:
        having = ", ".join(name for name in methods.names() if methods.get(name).has_delta)
        raise MethodError(f"method={method!r} has no delta to sweep; methods with one: {having}.")
    rounds, seconds = as_count(rounds, "rounds", least=0), as_positive(seconds, "seconds")
    start = index(graph.vertex(source, "source"))
    search = partial(
        shortest_paths, graph, start, method=method, device=device, threads=threads, parents=False, **options
    )
    first = search()  # raises what is wrong with the arguments, and tells the default
    widths = _around(first.stats.delta) if deltas is None else _as_widths(deltas)
    searches: dict[Hashable, Search] = {None: _limited(search, None)}
    searches |= {width: _limited(search, width) for width in widths}
    right = reference(graph, start)
    found = in_turns(searches, right, seconds=seconds, rounds=rounds, progress=progress)
    times = [each.best for each in found.values() if each.best is not None]
    settings = [
        Setting(
            delta=width if width is not None else first.stats.delta,  # type: ignore[arg-type]
            is_default=width is None,
            is_best=each.best is not None and each.best == min(times),
            seconds=each.seconds,
            stats=each.stats,
            mteps=each.mteps,
            verified=each.verified,
            failure=each.failure,
        )
        for width, each in found.items()
    ]
    settings.sort(key=lambda each: (each.delta or 0.0, not each.is_default))
    return Sweep(graph, graph.name_of(start), method, first.stats.device, tuple(settings))


def _limited(search: partial[ShortestPaths], delta: float | None) -> Search:
    return lambda limit: search(delta=delta, time_limit=limit)


def _around(delta: float | None) -> list[float]:
    if delta is None:
        raise ArgumentError("deltas is None, but this search tells no default width; give some.")
    return [delta * factor for factor in _AROUND if factor != 1 and delta > 0]  # it is 0 where all weights are


def _as_widths(deltas: Any) -> list[float]:
    if isinstance(deltas, str | bytes) or not hasattr(deltas, "__iter__"):
        raise ArgumentTypeError(f"deltas is {described(deltas)}; give a list of numbers.")
    widths = [as_positive(delta, f"deltas[{i}]") for i, delta in enumerate(deltas)]
    if not 0 < len(widths) <= MOST_WIDTHS:
        raise ArgumentError(f"deltas has {len(widths)} numbers; give 1 to {MOST_WIDTHS}.")
    return list(dict.fromkeys(widths))


def geometric(first: float, last: float, factor: float) -> list[float]:
    """Return the numbers from the first to the last, each `factor` times the one before.

    >>> geometric(1, 16, 4), geometric(8, 2, 2)
    ([1.0, 4.0, 16.0], [2.0, 4.0, 8.0])
    """
    low, high = sorted((as_positive(first, "first"), as_positive(last, "last")))
    if as_positive(factor, "factor") <= 1:
        raise ArgumentError(f"factor is {factor:g}, but it must be greater than 1.")
    found = [low]
    while found[-1] * factor <= high * (1 + 1e-9):
        if len(found) == MOST_WIDTHS:
            raise ArgumentError(
                f"there are more than {MOST_WIDTHS} widths from {low:g} to {high:g}; use a larger factor."
            )
        found.append(found[-1] * factor)
    return found
