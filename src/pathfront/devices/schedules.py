"""Schedules on whatever device a problem names, and what all methods that have one choose alike."""

from __future__ import annotations

from typing import Any

from pathfront.devices.protocol import TRAVERSALS, Schedule
from pathfront.exceptions import ArgumentError
from pathfront.graph.measures import weight_per_degree
from pathfront.problem import Outcome, Problem

EVERYWHERE = ("cpu", "cuda", "emulated")
"""Where a schedule runs."""


def run(problem: Problem, schedule: Schedule, *, matrix: bool = False, **settings: Any) -> Outcome:
    """Run a schedule, recorded with these settings, on a problem; with `matrix` a dense graph is used as it is."""
    return _device(problem).run(problem, schedule, matrix=matrix, **settings)  # type: ignore[no-any-return]


def choose_delta(problem: Problem, finer: float = 1) -> float:
    """Return the problem's delta, or what suits the graph and the device, divided by `finer`."""
    if problem.delta is not None:
        return problem.delta
    factor: float = _device(problem).delta_factor(problem)
    return factor / finer * weight_per_degree(problem.graph)


def check_traversal(problem: Problem) -> str:
    """Return the problem's traversal strategy, which must be one that there is."""
    wanted = problem.options["traversal"]
    if wanted not in TRAVERSALS:
        raise ArgumentError(f"traversal is {wanted!r}, but there are only {', '.join(TRAVERSALS)}.")
    return str(wanted)


def _device(problem: Problem) -> Any:
    """Return the module of a problem's device: that of GPUs needs a package that others may do without."""
    if problem.device == "cpu":
        from pathfront.devices import cpu

        return cpu
    from pathfront.devices.gpu import schedules

    return schedules
