"""The parts of the fuzzer: how their cases are made, checked, reduced and counted."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fuzz import answers, calls, files, searches, shrink, trips
from fuzz.finding import Case, Finding


@dataclass(frozen=True, slots=True)
class Part:
    """A sort of cases."""

    name: str
    share: float
    """Of the time, if all parts run."""
    make: Callable[[random.Random], Iterator[Case]]
    """Returns the cases of a round."""
    check: Callable[[Case], Finding | None]
    smaller: Callable[[Case], Iterator[Case]]
    """Returns simpler cases than a given one, the simplest first."""
    tags: Callable[[Case], Iterator[str]]
    """Returns what is counted about a case."""
    patience: float = 60.0
    """Seconds after which a case counts as hung."""

    def cases(self, seed: int) -> Iterator[Case]:
        """Return the cases of a round, the same ones every time."""
        return self.make(random.Random(f"{self.name}:{seed}"))


PARTS = {
    part.name: part
    for part in (
        Part("searches", 0.55, searches.make, searches.check, shrink.smaller_search, searches.tags),
        Part("answers", 0.1, answers.make, answers.check, shrink.smaller_graph, answers.tags),
        Part("trips", 0.08, trips.make, trips.check, shrink.smaller_graph, trips.tags),
        Part("files", 0.17, files.make, files.check, shrink.smaller_file, files.tags),
        Part("calls", 0.05, calls.make, calls.check, shrink.smaller_call, calls.tags),
        Part(
            *("emulated", 0.05, searches.make_emulated, searches.check, shrink.smaller_search, searches.tags),
            patience=600,  # kernels are compiled when they are first used
        ),
    )
}


def available() -> list[str]:
    """Return the parts that can run here: the emulated device needs Warp."""
    return [name for name in PARTS if name != "emulated" or importlib.util.find_spec("warp") is not None]
