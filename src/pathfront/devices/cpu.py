"""The CPU device: schedules become programs of a native machine, `cpp/engines/schedule/machine.hpp`.

A program owns its buffers, so it serves one search at a time; unused programs are cached with their graph, and a search
that finds none records another. Nothing is locked, and threads are borrowed for a search only: callers may be many, and
a forked process goes on with the programs that were cached when it was made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.devices.protocol import Device, Schedule, Step
from pathfront.devices.recording import ProgramCache, rows, typed
from pathfront.graph import Graph
from pathfront.graph.dense import DenseGraph
from pathfront.graph.measures import has_low_degree
from pathfront.problem import Outcome, Problem, cycle_through, outcome, request

_BUSY_FROM = 256
"""Vertices that keep the threads busy."""

_SECONDS = ("relaxing_seconds", "organising_seconds")
"""How long a traced search took for relaxing arcs, and for queues alone."""

_CACHED = 8
"""Programs cached per graph: their buffers can be as large as its vertices."""

parallel_from: int | None = None
"""The size from which operations are parallel; None for the measured ones. For tests, whose graphs are small."""


class _Recorded:
    """A recorded schedule, and its native program."""

    def __init__(self, schedule: Schedule, settings: dict[str, Any], negative: bool) -> None:
        settings = dict(settings)
        self.device = Device(_BUSY_FROM, synchronous=settings.pop("synchronous", False))
        self.program = _core.Program()
        self.shares: list[int] = []
        """The arcs that each thread relaxed in the last run."""
        schedule(self.device, **settings)
        self._translate(self.device.steps, negative)

    def _translate(self, steps: list[Step], negative: bool) -> None:
        """Append steps to the program: loops and branches become jumps."""
        program = self.program
        for step in steps:
            if step.op == "cycle" and not negative:
                continue
            begin = program.add(step.op, step.queues, step.scalars, step.number)
            self._translate(step.body, negative)
            if step.op == "repeat":
                program.set_jump(program.add("again", (), (), 0), begin)
                program.set_jump(begin, program.size())
            elif step.op == "when":
                over = program.add("jump", (), (), 0) if step.otherwise else None
                program.set_jump(begin, program.size())
                self._translate(step.otherwise, negative)
                if over is not None:
                    program.set_jump(over, program.size())


_cache: ProgramCache[_Recorded] = ProgramCache(_CACHED)


def run(problem: Problem, schedule: Schedule, *, matrix: bool = False, **settings: Any) -> Outcome:
    """Run a schedule, recorded with these settings, on a problem; with `matrix` a dense graph is used as it is."""
    graph, summary = problem.graph, problem.graph.weight_summary()
    negative = summary.first_negative >= 0
    if negative and problem.parent is None:  # a cycle is found among the parents
        problem = replace(problem, parent=np.empty(graph.n, np.uint32))
    key = (schedule, tuple(sorted(settings.items())))
    recorded = _cache.take(graph, key) or _Recorded(schedule, settings, negative)
    device = recorded.device
    arcs = graph.without_arcs() if matrix and isinstance(graph, DenseGraph) else graph
    details = _core.ProgramSettings(
        scalars=[typed(value, problem.distance.dtype) for value in device.values],
        negative=negative,
        swaps=problem.parent is not None and _has_null_arcs(graph),
        parallel_from=parallel_from,
        lightest_out=graph.lightest_out() if device.weighs_lightest else None,
        **_adjacency(graph, device.pulls, matrix),
    )
    answer, recorded.shares, *seconds = _core.run_program(recorded.program, request(problem, arcs), details)
    _cache.put(graph, key, recorded)
    return outcome(
        answer,
        trace=None if answer.trace is None else rows(np.asarray(answer.trace), device),
        cycle=cycle_through(np.asarray(problem.parent), answer.on_cycle) if answer.on_cycle >= 0 else None,
        extra=dict(zip(_SECONDS, seconds, strict=False)) if problem.trace else {},
    )


def bellman_ford(problem: Problem) -> Outcome:
    """Run the native Bellman-Ford, which names a negative cycle; a GPU only notices that there is one."""
    return _run_with_parents(_core.bellman_ford, problem)


def exact_bellman_ford(problem: Problem) -> Outcome:
    """Run the native Bellman-Ford with numbers that are wide enough for every sum; only distances are rounded."""
    return _run_with_parents(_core.exact_bellman_ford, problem)


def _run_with_parents(engine: Callable[[_core.Request], _core.Answer], problem: Problem) -> Outcome:
    parent = np.empty(problem.graph.n, np.uint32) if problem.parent is None else problem.parent
    answer = engine(request(replace(problem, parent=parent)))
    return outcome(answer, cycle=cycle_through(parent, answer.on_cycle) if answer.on_cycle >= 0 else None)


def _has_null_arcs(graph: Graph) -> bool:
    """Return whether an arc may add nothing: it weighs 0 or less, or is too light to change a float.

    Then parents of vertices at the same distance could close a cycle, unless distances are lowered by compare-and-swap.
    """
    return graph.weight_summary().lightest <= 0 or graph.distance_dtype.kind == "f"


def _adjacency(graph: Graph, pulls: bool, matrix: bool) -> dict[str, Any]:
    """Return what a program needs besides the arcs: the matrix, and the reverse if it pulls."""
    if matrix and isinstance(graph, DenseGraph):
        return {"dense": graph.matrix.ravel(), "dense_in": graph.reverse_matrix().ravel() if pulls else None}
    return {"in_arcs": graph.reverse().native if pulls else None}


def delta_factor(problem: Problem) -> float:
    """Return the factor of mean weight over mean degree for the default delta: what was fastest in near_far.

    On roads, grids and triangulations each range holds few vertices, and wider ranges pay despite repeated work: 8 took
    15 to 25% less time than 2, with one thread and with two. On random and Kronecker graphs 2 to 4 were alike.
    """
    return 8.0 if has_low_degree(problem.graph) else 2.5
