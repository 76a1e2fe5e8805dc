"""Runs schedules on the device that a problem names, and chooses their default delta."""

from __future__ import annotations

from typing import Any

from pathfront.devices.protocol import Schedule
from pathfront.graph.measures import weight_per_degree
from pathfront.problem import Outcome, Problem

EVERYWHERE = ("cpu", "cuda", "emulated")
"""All devices, for methods that run on each."""


def run(problem: Problem, schedule: Schedule, *, matrix: bool = False, **settings: Any) -> Outcome:
    """Run a schedule, recorded with these settings, on a problem; with `matrix` a dense graph stays a matrix."""
    return _device(problem).run(problem, schedule, matrix=matrix, **settings)  # type: ignore[no-any-return]


def choose_delta(problem: Problem, finer: float = 1) -> float:
    """Return the problem's delta, or the default for its graph and device, divided by `finer`."""
    if problem.delta is not None:
        return problem.delta
    factor: float = _device(problem).delta_factor(problem)
    return factor / finer * weight_per_degree(problem.graph)


def _device(problem: Problem) -> Any:
    """Return the module of a problem's device; that of GPUs is imported only if needed, because it needs Warp."""
    if problem.device == "cpu":
        from pathfront.devices import cpu

        return cpu
    from pathfront.devices.gpu import schedules

    return schedules
