"""Hybrid: Workfront Sweep while few vertices wait, Near-Far while many do.

Near-Far saves work by making vertices wait. At the beginning of a search, and at its end, only a few vertices are
queued, and waiting leaves the device idle: then all queued vertices are relaxed at once, as in Workfront Sweep. As soon
as enough vertices are queued to keep the device busy, those within delta of the lowest are taken out and relaxed until
none is left in that range, as in Near-Far. Davidson et al. name this as future work.

`switch_at` is the number of queued vertices from which on Near-Far is used; the default is the device's `busy_from`.
"""

from __future__ import annotations

from functools import partial

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import SYNCHRONOUS, Method, Option, optional
from pathfront.methods.workfront_sweep import TRAVERSAL
from pathfront.validation import as_count


def schedule(device: Device, delta: float, switch_at: int | None, traversal: str) -> None:
    """Record the method."""
    near, waiting = device.queue(), device.queue()
    step, limit = device.scalar(delta), device.scalar(delta)

    device.start(waiting)
    with device.repeat(waiting):
        if device.synchronous:
            device.unique(waiting)  # how many wait must not depend on the order in which they were improved
        with device.when(waiting, at_least=switch_at or device.busy_from):
            lowest = device.lowest(waiting)
            device.raise_(limit, to=lowest, by=step)
            device.split(waiting, into=near, up_to=limit)
            with device.repeat(near):
                device.trace(near=near, far=waiting, up_to=limit, delta=step)
                device.relax(near, into=near, up_to=limit, beyond=waiting, traversal=traversal)
            device.settled(up_to=limit)
        with device.otherwise():
            device.trace(near=waiting, far=near, delta=step)
            device.relax(waiting, into=waiting, traversal=traversal)


METHOD = Method(
    name="hybrid",
    summary="Workfront Sweep while few vertices wait, Near-Far while many do.",
    run=partial(schedules.run_with_delta, schedule=schedule),
    paper="A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for SSSP, IPDPS 2014",
    limits="weights >= 0",
    options=(
        Option(
            "switch_at",
            None,
            "queued vertices from which on Near-Far is used; by default as many as keep the device busy",
            optional(partial(as_count, least=1)),
        ),
        TRAVERSAL,
        SYNCHRONOUS,
    ),
    has_delta=True,
)
