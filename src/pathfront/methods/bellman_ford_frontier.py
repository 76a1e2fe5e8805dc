"""Bellman-Ford over a frontier: a pass relaxes only the arcs of the vertices whose distance fell in the last one.

The frontier's degrees are summed up, so that every arc of it has a number; the numbers are shared out evenly, and the
vertex that an arc leaves is found by a binary search in the sums. So the work is balanced however degrees differ: a hub
is shared by many, small vertices are packed. The next frontier is every vertex whose distance fell.

This is Workfront Sweep with one way of sharing arcs and without a step that removes duplicates: an entry whose vertex
has been improved again is met, and left, while the sums are made. It takes negative weights, and names a negative
cycle.
"""

from __future__ import annotations

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem


def schedule(device: Device) -> None:
    """Record the method."""
    frontier = device.queue()

    device.start(frontier)
    with device.repeat(frontier):
        device.trace(queued=frontier)
        device.relax(frontier, into=frontier, traversal="load_balanced")
        device.stop_at_cycle()


def run(problem: Problem) -> Outcome:
    """Run the schedule."""
    return schedules.run(problem, schedule)


METHOD = Method(
    name="bellman_ford_frontier",
    summary="Relax the arcs of vertices that have changed, shared evenly, until none changes; takes negative weights.",
    run=run,
    paper="R. Bellman, On a routing problem, Quarterly of Applied Mathematics 16, 1958",
    limits="negative cycles are an error that names the cycle",
    devices=schedules.EVERYWHERE,
    parallel=True,
    negative_weights=True,
)
