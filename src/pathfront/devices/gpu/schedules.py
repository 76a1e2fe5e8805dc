"""The GPU device: schedules become graphs of kernels, which run from the first to the last without the host.

A schedule is first recorded as a tree of operations, loops and branches. The tree is then executed once while Warp
captures its launches, and the capture is cached with the graph it is for, as a `Program`, with all its memory; a search
only fills in its sources, limits and targets. On a GPU loops are CUDA's conditional nodes, which need a driver for CUDA
12.4 or later; with older ones the tree is executed in every search, and the host reads the conditions. On device
"emulated" Warp replays the capture in native code.

Every loop checks one flag, STOP: final targets, negative cycles, Ctrl-C and errors end a search by setting it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pathfront.devices import cpu
from pathfront.devices.gpu.launching import exclusively, grid
from pathfront.devices.gpu.overflow import truly_overflowed
from pathfront.devices.gpu.program import FIRST_SCALAR, Needs, Program, Search, Shape
from pathfront.devices.gpu.resident import release_caches, resident
from pathfront.devices.protocol import (
    TRAVERSALS,
    Flag,
    Handle,
    Queue,
    Queues,
    Scalar,
    Scalars,
    Schedule,
    ScheduleError,
    as_list,
)
from pathfront.devices.recording import Recorder, Resting, rows, typed
from pathfront.dtypes import largest_distance, unreached_marker
from pathfront.graph.dense import DenseGraph
from pathfront.problem import Outcome, Problem
from pathfront.validation import Array

_KEPT = 2
"""Programs cached per graph: each has memory for several queues of all vertices."""

_ROWS = 4096
"""Rows of a trace at first; where they are too few, the search is run again with more."""


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation of a program, by name, or a loop or branch with its body."""

    name: str
    arguments: tuple[Any, ...]
    body: list[_Step] = field(default_factory=list)
    otherwise: list[_Step] = field(default_factory=list)


class GpuDevice(Recorder):
    """Records a schedule."""

    busy_from = 4096

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[_Step] = []
        self._conditions = 0
        self._lists: set[tuple[int, ...]] = set()
        self._open_when: _Step | None = None

    def needs(self) -> Needs:
        """Return the resources of the schedule."""
        return Needs(
            queues=self.queues,
            scalars=len(self.values),
            conditions=self._conditions,
            columns=len(self.columns or ()),
            lists=frozenset(self._lists),
            pulls=self.pulls,
            weighs_lightest=self.weighs_lightest,
        )

    def play(self, program: Program, steps: list[_Step]) -> None:
        """Launch the kernels of some steps."""

        def playing(inside: list[_Step]) -> Callable[[], None] | None:
            return (lambda: self.play(program, inside)) if inside else None

        for step in steps:
            bodies = [playing(step.body)] if step.name == "repeat" else []
            if step.name == "when":
                bodies = [playing(step.body), playing(step.otherwise)]
            getattr(program, step.name)(*step.arguments, *bodies)

    # ---- the operations of schedules -------------------------------------------------------------------------------

    def scalar(self, value: float) -> Scalar:
        """See `Device`."""
        self.values.append(value)
        return Scalar(FIRST_SCALAR + len(self.values) - 1)

    def start(self, into: Queue) -> None:
        """See `Device`."""
        self._add("start", into.number)

    @contextmanager
    def repeat(self, *queues: Queue) -> Iterator[None]:
        """See `Device`."""
        with self._inside(self._add("repeat", self._condition(), self._list(queues)).body):
            yield

    @contextmanager
    def when(self, queue: Queue, *, at_least: int) -> Iterator[None]:
        """See `Device`."""
        step = self._add("when", self._condition(), self._list([queue])[0], at_least)
        with self._inside(step.body):
            yield
        self._open_when = step

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """See `Device`."""
        if self._open_when is None:
            raise ScheduleError("otherwise must follow a when at once.")
        with self._inside(self._open_when.otherwise):
            yield
        self._open_when = None

    def settled(self, *, up_to: Scalar | None = None, below: Scalar | None = None) -> None:
        """See `Device`."""
        limit = up_to if below is None else below
        assert limit is not None
        self._add("settled", limit.number, below is not None)

    def stop_at_cycle(self) -> None:
        """See `Device`."""
        self._add("stop_at_cycle", self._condition())

    def relax(
        self,
        queue: Queue,
        *,
        into: Queues,
        up_to: Scalars = (),
        beyond: Queue | None = None,
        traversal: str = TRAVERSALS[0],
    ) -> None:
        """See `Device`."""
        queues = as_list(into) + ([] if beyond is None else [beyond])
        limits = as_list(up_to)
        assert len(queues) == len(limits) + 1
        self._add("relax", queue.number, self._list(queues), self._list(limits), traversal)

    def relax_edges(self, changed: Flag) -> None:
        """See `Device`."""
        self._add("relax_edges", changed.number)

    def pull(self, queue: Queue, *, into: Queue) -> None:
        """See `Device`."""
        self.pulls = True
        self._add("pull", queue.number, into.number)

    def unique(self, queue: Queue) -> None:
        """See `Device`."""
        self._add("unique", queue.number)

    def split(self, queue: Queue, *, into: Queues, up_to: Scalars, ordered: bool = False) -> None:
        """See `Device`."""
        if ordered:
            self._add("split_sorted", queue.number, as_list(into)[0].number, as_list(up_to)[0].number)
        else:
            self._add("split", queue.number, self._list([*as_list(into), queue]), self._list(as_list(up_to)))

    def sort(self, queue: Queue) -> None:
        """See `Device`."""
        self._add("sort", self._condition(), queue.number)

    def merge(self, queue: Queue, *, into: Queue) -> None:
        """See `Device`."""
        self._add("merge", self._condition(), queue.number, into.number)

    def lowest(self, queue: Queue, *, plus_lightest: bool = False) -> Scalar:
        """See `Device`."""
        found = self.scalar(0)
        self.weighs_lightest |= plus_lightest
        self._add("lowest", queue.number, found.number, plus_lightest)
        return found

    def raise_(self, limit: Scalar, *, to: Scalar, by: Scalar) -> None:
        """See `Device`."""
        self._add("raise_", limit.number, to.number, by.number)

    def trace(self, *, up_to: Scalar | None = None, threads: bool = False, **columns: Queue | Scalar) -> None:
        """See `Device`."""
        queues, scalars = self.note_columns(threads, columns)
        limit = -1 if up_to is None else up_to.number
        self._add("trace", limit, self._list(queues), self._list(scalars))

    # ---- recording -------------------------------------------------------------------------------------------------

    def _add(self, name: str, *arguments: Any) -> _Step:
        self._open_when = None
        step = _Step(name, arguments)
        self.steps.append(step)
        return step

    @contextmanager
    def _inside(self, body: list[_Step]) -> Iterator[None]:
        outside, self.steps = self.steps, body
        yield
        self.steps = outside

    def _condition(self) -> int:
        self._conditions += 1
        return self._conditions - 1

    def _list(self, handles: Any) -> tuple[int, ...]:
        assert all(isinstance(handle, Handle) for handle in handles)
        numbers = tuple(handle.number for handle in handles)
        self._lists.add(numbers)
        return numbers


_resting: Resting[tuple[GpuDevice, Program]] = Resting(_KEPT)
release_caches.append(_resting.clear)


def run(problem: Problem, schedule: Schedule, *, matrix: bool = False, **settings: Any) -> Outcome:
    """Run a schedule, recorded with these settings, on a problem; with `matrix` a dense graph is used as it is."""
    max_rows = _ROWS if problem.trace else 0
    while True:
        shape = _shape(problem, max_rows, matrix and isinstance(problem.graph, DenseGraph))
        key = (schedule, tuple(sorted(settings.items())), grid(problem.device), shape)
        device, program = _resting.take(problem.graph, key) or _made(problem, schedule, settings, shape)
        flags, counts = program.run(_search(problem, device))
        if not problem.trace or counts[_count("ROWS")] <= max_rows:
            break
        max_rows = 2 * int(counts[_count("ROWS")])
        del device, program  # its memory is needed
    done = _answer(problem, device, program, flags, counts)
    _resting.give(problem.graph, key, (device, program))
    return done


def delta_factor(_: Problem) -> float:
    """Return the factor of mean weight over mean degree where no delta is given, about what keeps a GPU busy.

    Davidson et al. 2014: the lanes of a warp.
    """
    return 32.0


def _count(name: str) -> int:
    from pathfront.devices.gpu.kernels import state

    return int(getattr(state, name))


def _shape(problem: Problem, max_rows: int, matrix: bool) -> Shape:
    negative = problem.graph.weight_summary().first_negative >= 0
    small = problem.distance.dtype.itemsize == 4
    wants = problem.parent is not None
    return Shape(
        dtype=problem.distance.dtype.name,
        packed=small and (wants or negative),  # a negative cycle is found among the parents
        negative=negative,
        tree=wants and not small,
        max_sources=_padded(_sources(problem)),
        max_targets=0 if problem.targets is None else _padded(problem.targets),
        max_rows=max_rows,
        matrix=matrix,
    )


def _sources(problem: Problem) -> Array:
    others = np.empty(0, np.int32) if problem.others is None else problem.others
    return np.concatenate([[problem.source], others]).astype(np.int32)


def _padded(listed: Array) -> int:
    """Return a size that lists of similar length share, so that they can use the same program."""
    return max(16, 1 << (len(listed) - 1).bit_length())


def _search(problem: Problem, device: GpuDevice) -> Search:
    dtype = problem.distance.dtype
    return Search(
        sources=_sources(problem),
        targets=np.empty(0, np.int32) if problem.targets is None else problem.targets.astype(np.int32),
        cutoff=largest_distance(dtype) if problem.cutoff is None else problem.cutoff,
        scalars=[typed(value, dtype) for value in device.values],
        progress=problem.progress,
    )


def _made(problem: Problem, schedule: Schedule, settings: dict[str, Any], shape: Shape) -> tuple[GpuDevice, Program]:
    device = GpuDevice()
    schedule(device, **settings)
    width = grid(problem.device)
    with exclusively(width):
        on_device = resident(problem.graph, problem.device, problem.distance.dtype, matrix=shape.matrix)
        program = Program(on_device, width, shape, device.needs())
        program.capture(lambda: device.play(program, device.steps))
    return device, program


def _answer(problem: Problem, device: GpuDevice, program: Program, flags: Array, counts: Array) -> Outcome:
    """Copy the results of a search from the device."""
    if flags[_count("CYCLE")]:  # the native method names the cycle; or knows better, where parents were hints
        done = cpu.bellman_ford(replace(problem, device="cpu"))
        return replace(done, method="bellman_ford", reason="parents closed a cycle: checked on the CPU")
    known, unreached = problem.cutoff, unreached_marker(problem.distance.dtype)
    program.write_answers(unreached)
    if problem.targets is not None:
        farthest = program.to_host(program.dist)[problem.targets].max()
        if farthest != unreached:
            program.write_answers(farthest)
            known = farthest.item()
    if problem.parent is not None:
        program.find_tree(problem.progress)
    kept = None
    if problem.stays:
        kept = program.copy(program.dist), None if problem.parent is None else program.copy(program.parent)
    else:
        problem.distance[:] = program.to_host(program.dist)
        if problem.parent is not None:
            problem.parent[:] = program.to_host(program.parent)
    overflow = bool(flags[_count("OVERFLOW")]) and known is None
    rows_made = program.to_host(program.rows)[: int(counts[_count("ROWS")])]
    return Outcome(
        iterations=int(counts[_count("ITERATIONS")]),
        vertices_processed=int(counts[_count("VERTICES")]),
        edges_relaxed=int(counts[_count("EDGES")]),
        overflow=overflow and truly_overflowed(problem.graph, program.to_host(program.dist)),
        radius=known,
        kept=kept,
        trace=rows(rows_made, device.columns, device.threads_traced) if problem.trace else None,
    )
