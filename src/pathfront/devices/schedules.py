"""Runs schedules on the device that a problem names, and chooses their default delta."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pathfront.devices.protocol import Schedule
from pathfront.devices.recording import typed
from pathfront.graph.measures import weight_per_degree
from pathfront.problem import Outcome, Problem


def run(problem: Problem, schedule: Schedule, *, matrix: bool = False, **settings: Any) -> Outcome:
    """Run a schedule with the problem's options and these settings; with `matrix` a dense graph stays a matrix."""
    answer: Outcome = _device(problem).run(problem, schedule, matrix=matrix, **problem.options, **settings)
    return answer


def run_with_delta(problem: Problem, schedule: Schedule, *, finer: float = 1) -> Outcome:
    """Run a schedule with the problem's delta, or the default for its graph and device, divided by `finer`.

    A given delta is rounded down to a whole number where distances are whole, so that all buckets are equally wide.
    """
    dtype, delta = problem.distance.dtype, problem.delta
    if delta is None:
        delta = _device(problem).delta_factor(problem) / finer * weight_per_degree(problem.graph)
    else:
        delta = typed(delta, dtype)
    return replace(run(problem, schedule, delta=delta), delta=float(typed(delta, dtype)))


def _device(problem: Problem) -> Any:
    """Return the module of a problem's device; that of GPUs is imported only if needed, because it needs Warp."""
    if problem.device == "cpu":
        from pathfront.devices import cpu

        return cpu
    from pathfront.devices.gpu import schedules

    return schedules
