"""Martin's method: Dijkstra's, but all vertices at the lowest distance are settled at once.

Of the reached vertices that are not settled, those at the lowest distance are final. An iteration takes them all,
relaxes their arcs, and finds the next lowest distance. If weights are small integers, many vertices share a distance
and there are few iterations; if all distances differ, this is Dijkstra's method with a linear search for the minimum.

`direction` selects the end of an arc that does the work. With "successors" the vertices just settled push along their
out-arcs. With "predecessors" every unsettled vertex searches its in-arcs for vertices just settled: most find none, but
each writes only its own distance.

On a device with one thread per vertex most threads find nothing to do; the trace counts the launched and the working
threads.
"""

from __future__ import annotations

from functools import partial

from pathfront.devices import schedules
from pathfront.devices.protocol import Device, Queue
from pathfront.methods.method import SYNCHRONOUS, Method, Option, one_of

DIRECTIONS = ("successors", "predecessors")


def schedule(device: Device, direction: str) -> None:
    """Record the method."""
    frontier, waiting = device.queue(), device.queue()

    device.start(waiting)
    with device.repeat(waiting):
        lowest = device.lowest(waiting)
        device.settled(below=lowest)  # not up to it: arcs of weight 0 may reach more vertices at this distance
        device.split(waiting, into=frontier, up_to=lowest)
        device.trace(near=frontier, far=waiting, up_to=lowest, threads=True)
        relax_towards(device, frontier, waiting, direction)


def relax_towards(device: Device, frontier: Queue, waiting: Queue, direction: str) -> None:
    """Relax the arcs of the settled vertices in `frontier`, from either end."""
    if direction == "successors":
        device.relax(frontier, into=waiting)
    else:
        device.pull(frontier, into=waiting)


DIRECTION = Option(
    "direction", "successors", f"which end of an arc does the work: {' or '.join(DIRECTIONS)}", one_of(*DIRECTIONS)
)

METHOD = Method(
    name="martin",
    summary="Settle all vertices at the lowest distance at once.",
    run=partial(schedules.run, schedule=schedule, matrix=True),
    paper="P. Martín, R. Torres, A. Gavilanes, CUDA solutions for the SSSP problem, ICCS 2009",
    limits="weights >= 0; slow where few distances are equal",
    options=(DIRECTION, SYNCHRONOUS),
)
