"""Workfront Sweep: relax only the arcs of the vertices whose distance has just fallen, all of them at once.

Bellman-Ford relaxes every arc in every pass, though most of them leave vertices that have not changed. Here a queue,
the workfront, holds the vertices whose distance fell in the last iteration, starting with the source. An iteration
relaxes their arcs, and the vertices whose distance falls are the next workfront. A vertex that is improved several
times in an iteration is queued several times, so duplicates are removed before the next: every entry holds the distance
it was queued with, and only the entry with the vertex's present distance stays.

Vertices are not ordered by distance, so many are relaxed too early and again later. In return an iteration has all the
available parallelism, and the iterations are no more than the vertices on the longest shortest path. It takes negative
weights; a negative cycle is an error that names the cycle.
"""

from __future__ import annotations

from functools import partial

from pathfront.devices import schedules
from pathfront.devices.protocol import TRAVERSALS, Device
from pathfront.methods.method import SYNCHRONOUS, Method, Option, one_of


def schedule(device: Device, traversal: str) -> None:
    """Record the method."""
    frontier = device.queue()

    device.start(frontier)
    with device.repeat(frontier):
        device.trace(near=frontier)
        device.relax(frontier, into=frontier, traversal=traversal)
        device.unique(frontier)
        device.stop_at_cycle()


TRAVERSAL = Option(
    "traversal",
    TRAVERSALS[0],
    f"how the arcs are divided among threads: {', '.join(TRAVERSALS)}",
    one_of(*TRAVERSALS),
)

METHOD = Method(
    name="workfront_sweep",
    summary="Relax the arcs of all vertices whose distance has just fallen, until none falls; takes negative weights.",
    run=partial(schedules.run, schedule=schedule),
    paper="A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for SSSP, IPDPS 2014",
    limits="negative cycles are an error that names the cycle",
    options=(TRAVERSAL, SYNCHRONOUS),
    negative_weights=True,
)
