"""ADDS as one persistent kernel: the first thread block is the manager, all others are workers.

The parts, from the bottom up: `adds_queue.py` (buckets and their memory), `adds_window.py` (which bucket a
distance belongs to), `adds_search.py` (what all blocks share), `adds_worker.py`, `adds_delta.py`, `adds_report.py`,
`adds_assign.py`, `adds_manager.py`. The `Rules` are the operations on which the
protocol rests: without them items are lost, the search ends too early, or the order of items is lost, and with it all
that the buckets save. Tests replace them to break the protocol.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import (
    adds_assign,
    adds_manager,
    adds_queue,
    adds_search,
    adds_window,
    adds_worker,
    answers,
    collectives,
    numbers,
)
from pathfront.devices.gpu.kernels.adds_delta import Delta
from pathfront.devices.gpu.kernels.adds_queue import Queue
from pathfront.devices.gpu.kernels.adds_report import Report
from pathfront.devices.gpu.kernels.adds_search import Workers
from pathfront.devices.gpu.kernels.adds_window import Window
from pathfront.devices.gpu.kernels.atomics import u64
from pathfront.devices.gpu.kernels.module import Kernels, Uints


@dataclass(frozen=True)
class Rules:
    """The operations on which the protocol rests, under a name."""

    name: str = "adds"
    reserve: Any = u64.reserve
    """Reserve a slot for an item."""
    count_written: Any = collectives.count_written
    """Add an item to the write-completed counter."""
    written_up_to: Any = adds_queue.written_up_to
    """Return how many items of a segment are readable."""
    finished: Any = adds_queue.finished
    """Return whether a bucket may be retired."""
    most_urgent: Any = adds_assign.most_urgent
    """Return how many of so many buckets may be assigned from at once."""
    is_early: Any = None
    """Return whether an item is put back; None: `is_early` of `adds_window.py`."""
    improve: Any = None
    """Lower a distance; None: `improve` of `numbers.py`."""
    quiet_sweeps: int = 2
    """Sweeps in a row that find every bucket finished, after which the search ends, or all but the last."""


RULES = Rules()
"""The rules of the real kernel."""


@cache
def of(name: str, packed: bool, rules: Rules = RULES) -> Kernels:
    """Return the kernels for one type of distances, and the struct `Search` that they take."""
    number, Search = numbers.of(name, packed), adds_search.search_of(name, packed)  # noqa: N806, a type
    is_early = rules.is_early or adds_window.of(name).is_early
    worker = adds_worker.of(name, packed, rules.reserve, rules.count_written, rules.improve or number.improve, is_early)
    serve = worker.serve
    reading = rules.finished, rules.written_up_to, rules.most_urgent, rules.quiet_sweeps
    manage = adds_manager.of(name, packed, worker.push_ahead, *reading)
    made = Kernels(f"pathfront_{rules.name}_{name}{'_with_parent' if packed else ''}")
    made.number, made.Search = number, Search
    made.write_answers = answers.of(name, packed, made.module.name).write_answers

    @made.add
    def adds(
        first: int,
        control: Uints,
        search: Search,
        queue: Queue,
        workers: Workers,
        report: Report,
        window: Window,
        delta: Delta,
    ):
        block, thread = wp.tid()
        if first + block == 0:
            manage(search, queue, workers, report, control, window, delta, thread)
        else:
            serve(search, queue, workers, control, first + block, thread)

    return made


def modules() -> Iterator[Any]:
    """Yield the kernels' modules, one for each form."""
    for name, packed in numbers.FORMS:
        yield of(name, packed).module
