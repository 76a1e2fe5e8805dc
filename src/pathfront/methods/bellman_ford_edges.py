"""Bellman-Ford over all edges at once: every pass relaxes every arc, in parallel, until a pass changes nothing.

The simplest parallel method. The arcs are divided into runs of consecutive arcs, whose length follows from the size of
the graph. A worker takes a run, relaxes its arcs in place, and sets its flag if a distance changed. After a pass the
workers' flags are combined into one, which decides whether there is another pass. Every pass relaxes all arcs, even
those whose tail has not changed, so the work of the other methods is measured against this one.

It takes negative weights; a negative cycle is an error that names the cycle.
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
        device.trace()
        device.relax_edges(changed)
        device.stop_at_cycle()


METHOD = Method(
    name="bellman_ford_edges",
    summary="Relax all arcs in parallel, pass after pass, until nothing changes; takes negative weights.",
    run=partial(schedules.run, schedule=schedule),
    paper="R. Bellman, On a routing problem, Quarterly of Applied Mathematics 16, 1958",
    limits="negative cycles are an error that names the cycle",
    options=(SYNCHRONOUS,),
    negative_weights=True,
)
