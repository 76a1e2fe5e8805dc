"""Bellman-Ford over all vertices at once: every pass relaxes the arcs of every reached vertex, a thread for each.

The form of the LonestarGPU library, and the baseline of Davidson et al.: one thread takes a vertex, reads its distance,
and relaxes its whole list of arcs. Vertices that have not changed are relaxed in every pass, too. The threads of
vertices that are not reached yet find nothing to do, and a thread with a long list keeps the others waiting, which is
what the methods of the paper avoid. `bellman_ford_edges` divides the same work evenly.

The trace counts the launched and the working threads, and warps without any. It takes negative weights; a negative
cycle is an error that names the cycle.
"""

from __future__ import annotations

from functools import partial

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import SYNCHRONOUS, Method


def schedule(device: Device) -> None:
    """Record the method."""
    changed = device.flag()

    device.start(changed)
    with device.repeat(changed):
        device.trace(threads=True)
        device.relax_vertices(changed)
        device.stop_at_cycle()


METHOD = Method(
    name="bellman_ford_vertices",
    summary="Relax the arcs of all reached vertices, a thread for each, until nothing changes; takes negative weights.",
    run=partial(schedules.run, schedule=schedule),
    paper="M. Burtscher, R. Nasre, K. Pingali, A quantitative study of irregular programs on GPUs, IISWC 2012",
    limits="negative cycles are an error that names the cycle",
    options=(SYNCHRONOUS,),
    negative_weights=True,
)
