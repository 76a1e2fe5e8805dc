"""Every interleaving of a few small threads, each step of which is one access to shared memory.

A model is a class with `initial()`, a state that can be hashed, and `steps(state)`, which yields every state that some
thread can make of it by its next step. It raises WrongError where a step breaks a promise. `explore` goes through all
states, and also finds those from which the end cannot be reached any more: a hang.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Protocol


class WrongError(AssertionError):
    """A promise was broken."""


class Model(Protocol):
    """What can be explored."""

    def initial(self) -> Hashable: ...
    def steps(self, state: Any) -> Iterator[Hashable]: ...
    def is_end(self, state: Any) -> bool: ...


def explore(model: Model, most: int = 2_000_000) -> int:
    """Return the number of states, or raise WrongError."""
    start = model.initial()
    before: dict[Hashable, list[Hashable]] = {start: []}
    ends = []
    todo = [start]
    while todo:
        state = todo.pop()
        if model.is_end(state):
            ends.append(state)
        for after in model.steps(state):
            if after not in before:
                if len(before) >= most:
                    raise RuntimeError(f"more than {most} states: make the model smaller")
                before[after] = []
                todo.append(after)
            before[after].append(state)
    hopeful = set(ends)
    while ends:
        for state in before[ends.pop()]:
            if state not in hopeful:
                hopeful.add(state)
                ends.append(state)
    if len(hopeful) < len(before):
        raise WrongError(f"a hang: {len(before) - len(hopeful)} of {len(before)} states never come to an end")
    return len(before)
