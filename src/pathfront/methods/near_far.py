"""Near-Far: vertices up to a distance limit are relaxed first, and those beyond it wait in a far queue.

The queue of Workfront Sweep is split at a distance. Vertices up to the limit are near, and are relaxed until none is
left; improved vertices beyond it are appended to the far queue. Then everything up to the limit is final, the limit is
raised to delta beyond the lowest distance in the far queue, and the far queue is split again. Entries whose vertex has
been improved since they were queued are stale, and are dropped at that point instead of being relaxed.

A small delta makes the method Dijkstra's: hardly any arc is relaxed twice, and hardly any two at the same time. A large
one makes it Workfront Sweep. The default depends on the device: the near queue should keep it busy.
"""

from __future__ import annotations

from functools import partial

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import SYNCHRONOUS, Method
from pathfront.methods.workfront_sweep import TRAVERSAL


def schedule(device: Device, delta: float, traversal: str) -> None:
    """Record the method."""
    near, far = device.queue(), device.queue()
    step, limit = device.scalar(delta), device.scalar(delta)

    device.start(near)
    with device.repeat(near, far):
        with device.repeat(near):
            device.trace(near=near, far=far, up_to=limit, delta=step)
            device.relax(near, into=near, up_to=limit, beyond=far, traversal=traversal)
        device.settled(up_to=limit)
        lowest = device.lowest(far)
        device.raise_(limit, to=lowest, by=step)
        device.split(far, into=near, up_to=limit)


METHOD = Method(
    name="near_far",
    summary="Relax the vertices up to a distance limit until none is left; the others wait in a far queue.",
    run=partial(schedules.run_with_delta, schedule=schedule),
    paper="A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for SSSP, IPDPS 2014",
    limits="weights >= 0",
    options=(TRAVERSAL, SYNCHRONOUS),
    has_delta=True,
)
