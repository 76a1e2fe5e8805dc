"""Martin's method: Dijkstra's, but all vertices at the lowest distance are settled at once.

Of the vertices that are reached and not settled, those at the lowest distance are final. An iteration takes them all,
relaxes their arcs, and finds the next lowest. Where weights are small whole numbers many vertices share a distance and
there are few iterations; where all distances differ this is Dijkstra's method with a linear search for the minimum.

`direction` says which end of an arc does the work. With "successors" the vertices just settled push along their
out-arcs. With "predecessors" every vertex that is not settled looks for them among its in-arcs: many look in vain, but
each writes only its own distance.

On a device with a thread for each vertex most threads find nothing to do; the trace counts those launched and those
that work.
"""

from __future__ import annotations

from pathfront.devices import schedules
from pathfront.devices.protocol import Device, Queue
from pathfront.exceptions import ArgumentError
from pathfront.methods.method import Method, Option
from pathfront.problem import Outcome, Problem

DIRECTIONS = ("successors", "predecessors")


def schedule(device: Device, direction: str) -> None:
    """Record the method."""
    front, waiting = device.queue(), device.queue()

    device.start(waiting)
    with device.repeat(waiting):
        lowest = device.lowest(waiting)
        device.settled(below=lowest)  # not up to it: over arcs of weight zero there may be more
        device.split(waiting, into=front, up_to=lowest)
        device.trace(up_to=lowest, threads=True, waiting=waiting)
        relax_towards(device, front, waiting, direction)


def relax_towards(device: Device, front: Queue, waiting: Queue, direction: str) -> None:
    """Relax the arcs of settled vertices, from either end."""
    if direction == "successors":
        device.relax(front, into=waiting)
    else:
        device.pull(front, into=waiting)


def check_direction(problem: Problem) -> str:
    """Return the problem's direction, which must be one that there is."""
    wanted = problem.options["direction"]
    if wanted not in DIRECTIONS:
        raise ArgumentError(f"direction is {wanted!r}, but it must be one of {', '.join(DIRECTIONS)}.")
    return str(wanted)


def run(problem: Problem) -> Outcome:
    """Run the schedule."""
    return schedules.run(problem, schedule, matrix=True, direction=check_direction(problem))


DIRECTION = Option("direction", "successors", f"which end of an arc does the work: {' or '.join(DIRECTIONS)}")

METHOD = Method(
    name="martin",
    summary="Settle all vertices at the lowest distance at once.",
    run=run,
    paper="P. Martín, R. Torres, A. Gavilanes, CUDA solutions for the SSSP problem, ICCS 2009",
    limits="weights >= 0; slow where few distances are equal",
    options=(DIRECTION,),
    devices=schedules.EVERYWHERE,
    parallel=True,
)
