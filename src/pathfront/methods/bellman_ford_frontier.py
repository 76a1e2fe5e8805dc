"""Bellman-Ford over a frontier: a pass relaxes only the arcs of the vertices whose distance fell in the last one.

A prefix sum over the frontier's degrees numbers the frontier's arcs. The numbers are divided evenly among the threads,
and a binary search in the sums finds the tail of an arc. So the work is balanced for any distribution of degrees:
several threads share a hub, a thread takes many small vertices. The next frontier is all vertices whose distance fell.

This is Workfront Sweep with one traversal strategy and without a step that removes duplicates: an entry whose vertex
has been improved again is dropped while the sums are computed. It takes negative weights; a negative cycle is an error
that names the cycle.
"""

from __future__ import annotations

from functools import partial

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import SYNCHRONOUS, Method


def schedule(device: Device) -> None:
    """Record the method."""
    frontier = device.queue()

    device.start(frontier)
    with device.repeat(frontier):
        device.trace(near=frontier)
        device.relax(frontier, into=frontier, traversal="load_balanced")
        device.stop_at_cycle()


METHOD = Method(
    name="bellman_ford_frontier",
    summary="Relax the arcs of vertices that have changed, shared evenly, until none changes; takes negative weights.",
    run=partial(schedules.run, schedule=schedule),
    paper="R. Bellman, On a routing problem, Quarterly of Applied Mathematics 16, 1958",
    limits="negative cycles are an error that names the cycle",
    options=(SYNCHRONOUS,),
    negative_weights=True,
)
