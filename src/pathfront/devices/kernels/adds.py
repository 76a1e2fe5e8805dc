"""ADDS as one persistent kernel: the first block is the manager, all others are workers.

The parts: `adds_queue.py` (buckets and their memory), `adds_worker.py`, `adds_manager.py`. What they must keep to, so
that nothing is lost and nothing ends too early, are the `Rules`; they can be replaced, so that tests can break them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.kernels import adds_manager, adds_queue, adds_worker, numbers, together
from pathfront.devices.kernels.adds_manager import Delta, Report
from pathfront.devices.kernels.adds_queue import Queue
from pathfront.devices.kernels.adds_worker import Window, Workers


@dataclass(frozen=True)
class Rules:
    """What the protocol rests on, under a name."""

    name: str = "adds"
    reserve: Any = together.reserve_wide
    """Take a place for an item."""
    count_written: Any = together.count_written
    """Say that an item has been written."""
    written_up_to: Any = adds_queue.written_up_to
    """Tell what has been."""
    finished: Any = adds_queue.finished
    """Tell whether a bucket may be retired."""
    improve: Any = None
    """Lower a distance; None: as all kernels do."""
    quiet_sweeps: int = 2
    """Sweeps in a row that find nothing, and are the end."""


@cache
def of(name: str, packed: bool, rules: Rules = Rules()) -> SimpleNamespace:
    """Return the kernel for one type of distances, and the struct `Search` that it takes."""
    improve = rules.improve or numbers.of(name, packed).improve
    workers_of = adds_worker.of(name, packed, rules.reserve, rules.count_written, improve)
    serve, Search = workers_of.serve, workers_of.Search
    manage = adds_manager.of(
        name, packed, workers_of.push_ahead, rules.finished, rules.written_up_to, rules.quiet_sweeps
    )

    @wp.kernel(enable_backward=False, module=wp.get_module(f"pathfront_{rules.name}_{name}{'_packed' * packed}"))
    def adds(
        first: int,
        control: wp.array(dtype=wp.uint32),
        search: Search,
        queue: Queue,
        workers: Workers,
        report: Report,
        window: Window,
        delta: Delta,
        blocks: int,
    ):
        block, lane = wp.tid()
        if first + block == 0:
            manage(search, queue, workers, report, control, window, delta, blocks, lane)
        else:
            serve(search, queue, workers, control, first + block, lane)

    return SimpleNamespace(kernel=adds, Search=Search)


def modules() -> Iterator[Any]:
    """Yield the kernels' modules, one for each form."""
    for name, dtype in numbers.TYPES.items():
        for packed in (False, True)[: 2 if wp.types.type_size_in_bytes(dtype) == 4 else 1]:
            yield of(name, packed).kernel.module
