"""Hybrid: Workfront Sweep while there is too little to do, Near-Far while there is plenty.

Near-Far saves work by making vertices wait. At the beginning of a search, and at its end, when a handful of vertices
are all there is, waiting only leaves the machine idle: then everything that waits is relaxed at once, as Workfront
Sweep does it. As soon as enough vertices wait to keep the device busy, those within delta of the lowest are taken out
and relaxed until none is left in that range, as Near-Far does it. Davidson et al. name this as future work.

`switch_at` is the number of waiting vertices from which on order pays; by default what the device calls busy.
"""

from __future__ import annotations

from dataclasses import replace

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import Method, Option
from pathfront.methods.workfront_sweep import TRAVERSAL
from pathfront.problem import Outcome, Problem
from pathfront.validation import as_count


def schedule(device: Device, delta: float, switch_at: int | None, traversal: str) -> None:
    """Record the method."""
    near, waiting = device.queue(), device.queue()
    step, limit = device.scalar(delta), device.scalar(delta)

    device.start(waiting)
    with device.repeat(waiting):
        with device.when(waiting, at_least=switch_at or device.busy_from):
            lowest = device.lowest(waiting)
            device.raise_(limit, to=lowest, by=step)
            device.split(waiting, into=near, up_to=limit)
            with device.repeat(near):
                device.trace(up_to=limit, near=near, far=waiting, delta=step)
                device.relax(near, into=near, up_to=limit, beyond=waiting, traversal=traversal)
            device.settled(up_to=limit)
        with device.otherwise():
            device.trace(near=waiting, far=near, delta=step)
            device.relax(waiting, into=waiting, traversal=traversal)


def run(problem: Problem) -> Outcome:
    """Run the schedule."""
    switch_at = problem.options["switch_at"]
    delta, traversal = schedules.choose_delta(problem), schedules.check_traversal(problem)
    return replace(schedules.run(problem, schedule, delta=delta, switch_at=switch_at, traversal=traversal), delta=delta)


def _as_switch_at(value: object, name: str) -> int | None:
    return None if value is None else as_count(value, name, least=1)


METHOD = Method(
    name="hybrid",
    summary="Workfront Sweep while few vertices wait, Near-Far while many do.",
    run=run,
    paper="A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for SSSP, IPDPS 2014",
    limits="weights >= 0",
    options=(
        Option(
            "switch_at",
            None,
            "vertices that must wait before order pays; by default what keeps the device busy",
            _as_switch_at,
        ),
        TRAVERSAL,
    ),
    devices=schedules.EVERYWHERE,
    parallel=True,
    has_delta=True,
)
