"""The CPU device: schedules become programs of a native machine, `cpp/engines/schedule/machine.hpp`.

A program owns its buffers, so it serves one search at a time; those that rest are kept with their graph, and a search
that finds none records another. Nothing is locked, and threads are lent for a search only: callers may be many, and a
forked process goes on with the programs that rested when it was made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from pathfront import _core
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
from pathfront.graph import Graph
from pathfront.graph.dense import DenseGraph
from pathfront.graph.measures import has_low_degree
from pathfront.problem import Outcome, Problem, arguments, cycle_through, outcome

_KEPT = 8
"""Programs that may rest with a graph: their buffers can be as large as its vertices."""

share_from: int | None = None
"""From how many vertices on threads work together; None for what was measured. For tests, whose graphs are small."""


class CpuDevice(Recorder):
    """Records a schedule."""

    busy_from = 256

    def __init__(self, negative: bool) -> None:
        super().__init__()
        self.program = _core.Program()
        self._negative = negative
        self.shares: list[int] = []
        """The arcs that each thread relaxed in the last run."""
        self._open_when: int | None = None

    def scalar(self, value: float) -> Scalar:
        """See `Device`."""
        self.values.append(value)
        return Scalar(len(self.values) - 1)

    def start(self, into: Queue) -> None:
        """See `Device`."""
        self._add("start", [into])

    @contextmanager
    def repeat(self, *queues: Queue) -> Iterator[None]:
        """See `Device`."""
        begin = self._add("repeat", queues)
        yield
        self.program.set_jump(self._add("again"), begin)
        self.program.set_jump(begin, self.program.size())

    @contextmanager
    def when(self, queue: Queue, *, at_least: int) -> Iterator[None]:
        """See `Device`."""
        begin = self._add("when", [queue], number=at_least)
        yield
        self.program.set_jump(begin, self.program.size())
        self._open_when = begin

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """See `Device`."""
        if self._open_when is None:
            raise ScheduleError("otherwise must follow a when at once.")
        begin = self._open_when
        over = self._add("jump")
        self.program.set_jump(begin, self.program.size())
        yield
        self.program.set_jump(over, self.program.size())

    def settled(self, *, up_to: Scalar | None = None, below: Scalar | None = None) -> None:
        """See `Device`."""
        assert (up_to is None) != (below is None)
        self._add("settled", scalars=[up_to if below is None else below], number=int(below is not None))

    def stop_at_cycle(self) -> None:
        """See `Device`."""
        if self._negative:
            self._add("cycle")

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
        bags, limits = as_list(into), as_list(up_to)
        if beyond is not None:
            bags.append(beyond)
        assert len(bags) == len(limits) + 1
        self._add("relax", [queue, *bags], limits, _NATIVE_TRAVERSALS.index(traversal))

    def relax_edges(self, changed: Flag) -> None:
        """See `Device`."""
        self._add("relax_edges", [changed])

    def pull(self, queue: Queue, *, into: Queue) -> None:
        """See `Device`."""
        self.pulls = True
        self._add("pull", [queue, into])

    def unique(self, queue: Queue) -> None:
        """See `Device`."""
        self._add("unique", [queue, queue])

    def split(self, queue: Queue, *, into: Queues, up_to: Scalars, ordered: bool = False) -> None:
        """See `Device`."""
        self._add("split", [queue, *as_list(into), queue], as_list(up_to), int(ordered))

    def sort(self, queue: Queue) -> None:
        """See `Device`."""
        self._add("sort", [queue])

    def merge(self, queue: Queue, *, into: Queue) -> None:
        """See `Device`."""
        self._add("merge", [queue, into])

    def lowest(self, queue: Queue, *, plus_lightest: bool = False) -> Scalar:
        """See `Device`."""
        found = self.scalar(0)
        self.weighs_lightest |= plus_lightest
        self._add("lowest", [queue, queue], [found], int(plus_lightest))
        return found

    def raise_(self, limit: Scalar, *, to: Scalar, by: Scalar) -> None:
        """See `Device`."""
        self._add("raise", scalars=[limit, to, by])

    def trace(self, *, up_to: Scalar | None = None, threads: bool = False, **columns: Queue | Scalar) -> None:
        """See `Device`."""
        queues, given = self.note_columns(threads, columns)
        limits = [] if up_to is None else [up_to]
        self._add("trace", queues, [*limits, *given], len(limits))

    def _add(self, op: str, queues: Any = (), scalars: Any = (), number: int = 0) -> int:
        self._open_when = None
        return self.program.add(op, _numbers(queues), _numbers(scalars), number)


_NATIVE_TRAVERSALS = ("cooperative_blocks", "cta_warp_scan", "load_balanced")  # as in cpp/engines/schedule/program.hpp


def _numbers(handles: Any) -> list[int]:
    assert all(isinstance(handle, Handle) for handle in handles)
    return [handle.number for handle in handles]


_resting: Resting[CpuDevice] = Resting(_KEPT)


def run(problem: Problem, schedule: Schedule, *, matrix: bool = False, **settings: Any) -> Outcome:
    """Run a schedule, recorded with these settings, on a problem; with `matrix` a dense graph is used as it is."""
    graph, summary = problem.graph, problem.graph.weight_summary()
    negative = summary.first_negative >= 0
    if negative and problem.parent is None:  # a cycle is found among the parents
        problem = replace(problem, parent=np.empty(graph.n, np.uint32))
    key = (schedule, tuple(sorted(settings.items())))
    device = _resting.take(graph, key) or _recorded(schedule, settings, negative)
    device.shares.clear()
    answer = _core.run_program(
        device.program,
        **_arguments(problem, device, matrix),
        scalars=[typed(value, problem.distance.dtype) for value in device.values],
        heaviest=summary.heaviest,
        negative=negative,
        swaps=problem.parent is not None and _may_stand_still(graph),
        threads=problem.threads,
        share_from=share_from,
        edges_by_thread=device.shares,
    )
    _resting.give(graph, key, device)
    return outcome(
        answer,
        threads=problem.threads,
        trace=None if answer.trace is None else rows(np.asarray(answer.trace), device.columns, device.threads_traced),
        cycle=cycle_through(np.asarray(problem.parent), answer.on_cycle) if answer.on_cycle >= 0 else None,
    )


def bellman_ford(problem: Problem) -> Outcome:
    """Run the native Bellman-Ford, which names a negative cycle; a GPU only notices that there is one."""
    parent = np.empty(problem.graph.n, np.uint32) if problem.parent is None else problem.parent
    answer = _core.bellman_ford(**(arguments(problem) | {"parent": parent}))
    return outcome(answer, cycle=cycle_through(parent, answer.on_cycle) if answer.on_cycle >= 0 else None)


def _may_stand_still(graph: Graph) -> bool:
    """Tell whether an arc may lead to a distance that is not larger; a float's sum may be what it was before."""
    return graph.weight_summary().lightest <= 0 or graph.distance_dtype.kind == "f"


def _arguments(problem: Problem, device: CpuDevice, matrix: bool) -> dict[str, Any]:
    """Return what a program is run with: the graph, and what else it needs of it."""
    graph = problem.graph
    if matrix and isinstance(graph, DenseGraph):
        given = arguments(replace(problem, graph=graph.without_arcs())) | {"dense": graph.matrix.ravel()}
        if device.pulls:
            given["dense_in"] = graph.reverse_matrix().ravel()
    else:
        given = arguments(problem)
        if device.pulls:
            back = graph.reverse()
            given |= {"in_offsets": back.offsets, "in_heads": back.heads, "in_weights": back.weights}
    if device.weighs_lightest:
        given["lightest_out"] = graph.lightest_out()
    return given


def _recorded(schedule: Schedule, settings: dict[str, Any], negative: bool) -> CpuDevice:
    device = CpuDevice(negative)
    schedule(device, **settings)
    return device


def delta_factor(problem: Problem) -> float:
    """Return what mean weight over mean degree is multiplied by where no delta is given: what was fastest in near_far.

    On roads, grids and triangulations each range holds few vertices, and more are worth some work done twice: 8 took 15
    to 25% less time than 2, with one thread and with two. On random and Kronecker graphs 2 to 4 made little difference.
    """
    return 8.0 if has_low_degree(problem.graph) else 2.5
