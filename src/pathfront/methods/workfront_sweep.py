"""Workfront Sweep: relax the arcs of those vertices only whose distance has just fallen, all of them at once.

Bellman-Ford relaxes every arc in every pass, though most of them leave vertices that have not changed. Here a queue,
the workfront, holds the vertices whose distance fell in the last iteration, starting with the source; an iteration
relaxes their arcs, and those whose distance falls are the next workfront. A vertex may be improved several times in an
iteration and then is queued several times, so duplicates are removed before the next: each entry has left its mark at
its vertex (its distance, which is lower than the ones before), and only the entry that finds its own mark stays.

There is no order by distance, so much of the work is done too early and again; in return an iteration has all the
parallelism there is, and there are no more of them than vertices on the longest shortest path. It takes negative
weights, and names a negative cycle.
"""

from __future__ import annotations

from pathfront.devices import schedules
from pathfront.devices.protocol import TRAVERSALS, Device
from pathfront.methods.method import Method, Option
from pathfront.problem import Outcome, Problem


def schedule(device: Device, traversal: str) -> None:
    """Record the method."""
    front = device.queue()

    device.start(front)
    with device.repeat(front):
        device.trace()
        device.relax(front, into=front, traversal=traversal)
        device.unique(front)
        device.stop_at_cycle()


def run(problem: Problem) -> Outcome:
    """Run the schedule."""
    return schedules.run(problem, schedule, traversal=schedules.check_traversal(problem))


TRAVERSAL = Option("traversal", TRAVERSALS[0], f"how arcs are shared by the threads: {', '.join(TRAVERSALS)}")

METHOD = Method(
    name="workfront_sweep",
    summary="Relax the arcs of all vertices whose distance has just fallen, until none falls; takes negative weights.",
    run=run,
    paper="A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for SSSP, IPDPS 2014",
    limits="negative cycles are an error that names the cycle",
    options=(TRAVERSAL,),
    devices=schedules.EVERYWHERE,
    parallel=True,
    negative_weights=True,
)
