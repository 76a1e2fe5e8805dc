"""Searches that are compared: verified once, then timed in turns, within a given time.

On a shared machine only times that were taken in turns can be compared: a disturbance then affects all alike. The first
answer of each search is compared with that of Dijkstra's method, bit for bit (of Bellman-Ford where weights are
negative); a search whose answer differs, or that fails or takes too long, has no time, but a sentence that says so.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pathfront.api import shortest_paths
from pathfront.exceptions import NegativeCycleError, PathfrontError, TimeLimitError
from pathfront.graph import Graph
from pathfront.graph.labels import Index
from pathfront.paths import ShortestPaths, Stats
from pathfront.progress import Progress
from pathfront.validation import Array

_LEAST = 0.05
"""Seconds that a search may take in any case: less would stop those that only wait for the machine."""

Search = Callable[[float], ShortestPaths]
"""A search, given the seconds that it may take."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A search that was tried: its times, or why there are none."""

    seconds: tuple[float, ...] = ()
    """The time of each repetition; that of the first one, which also warms up, only if there was no other."""
    stats: Stats | None = None
    """The statistics of the fastest repetition."""
    mteps: float | None = None
    verified: bool | None = None
    """Whether the distances are right; None if there are none."""
    failure: str = ""
    """Why there is no time."""

    @property
    def best(self) -> float | None:
        """The least time."""
        return min(self.seconds, default=None)


@dataclass(slots=True)
class _Tried:
    """A search while it is repeated."""

    search: Search
    seconds: list[float] = field(default_factory=list)
    best: Stats | None = None
    verified: bool | None = None
    failure: str = ""

    def run(self, limit: float) -> Array | None:
        """Search once; return the distances unless it fails."""
        gc.collect()
        try:
            paths = self.search(limit)
        except TimeLimitError:
            self.failure = f"stopped after {limit:.2g} s"
            return None
        except NegativeCycleError:
            raise
        except PathfrontError as error:
            self.failure = " ".join(str(error).split())
            return None
        if self.best is None or paths.stats.seconds < self.best.seconds:
            self.best = paths.stats
        self.seconds.append(paths.stats.seconds)
        return paths.distance


def reference(graph: Graph, source: Index) -> ShortestPaths:
    """Return the answer with which all others are compared."""
    method = "bellman_ford" if graph.weight_summary().first_negative >= 0 else "dijkstra"
    return shortest_paths(graph, source, method=method, parents=False)


def arcs_reached(right: ShortestPaths) -> int:
    """Return the arcs of the vertices that a search reached, by which MTEPS are counted."""
    return int(np.diff(right.graph.offsets)[right.reached].sum())


def in_turns(
    searches: Mapping[Hashable, Search],
    right: ShortestPaths,
    *,
    seconds: float,
    rounds: int,
    progress: Progress | None = None,
) -> dict[Hashable, Timed]:
    """Try each search, compare its answer, and repeat those that are right in turns, for about as long as given.

    A search may take an equal share of the time that is left, so the fast ones should come first.
    """
    end = time.monotonic() + seconds
    expected = right.distance.tobytes()
    tried = {name: _Tried(search) for name, search in searches.items()}
    steps, done = len(tried) * (rounds + 1), 0

    def moved() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(min(done / steps, 1.0))

    for i, each in enumerate(tried.values()):
        found = each.run(max((end - time.monotonic()) / (len(tried) - i), _LEAST))
        if found is not None:
            each.verified = found.tobytes() == expected
            if not each.verified:
                each.failure = "WRONG: its distances are not those of Dijkstra's method"
        moved()
    good = [each for each in tried.values() if each.verified]
    for _ in range(rounds):
        if time.monotonic() + sum(each.seconds[-1] for each in good if not each.failure) > end:
            break
        for each in good:
            if not each.failure:
                each.run(max(10 * each.seconds[0], 10.0))
            moved()
    arcs = arcs_reached(right)
    return {name: _result(each, arcs) for name, each in tried.items()}


def _result(tried: _Tried, arcs: int) -> Timed:
    if not tried.verified or tried.failure:
        return Timed(verified=tried.verified, failure=tried.failure)
    kept = tuple(tried.seconds[1:] or tried.seconds)
    return Timed(kept, tried.best, arcs / max(min(kept), 1e-9) / 1e6, True)


def named(names: Sequence[str], search: Callable[[str, float], ShortestPaths]) -> dict[Hashable, Search]:
    """Return a search for each name."""

    def bound(name: str) -> Search:
        return lambda limit: search(name, limit)

    return {name: bound(name) for name in names}
