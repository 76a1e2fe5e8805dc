"""Bellman-Ford over all edges at once: every pass relaxes every arc, in parallel, until a pass changes nothing.

The simplest parallel method there is. The arcs are cut into runs of consecutive ones, whose length follows from the
size of the graph; a worker takes a run, relaxes its arcs in place, and remembers whether it changed anything. After a
pass the workers' flags are folded into one, which says whether there is another. All work is done every time, whether
its tail has changed or not, which makes this the yardstick that other methods' work is measured by.

It takes negative weights, and names a negative cycle.
"""

from __future__ import annotations

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem


def schedule(device: Device) -> None:
    """Record the method."""
    changed = device.flag()

    device.start(changed)
    with device.repeat(changed):
        device.trace()
        device.relax_edges(changed)
        device.stop_at_cycle()


def run(problem: Problem) -> Outcome:
    """Run the schedule."""
    return schedules.run(problem, schedule)


METHOD = Method(
    name="bellman_ford_edges",
    summary="Relax all arcs in parallel, pass after pass, until nothing changes; takes negative weights.",
    run=run,
    paper="R. Bellman, On a routing problem, Quarterly of Applied Mathematics 16, 1958",
    limits="negative cycles are an error that names the cycle",
    devices=schedules.EVERYWHERE,
    parallel=True,
    negative_weights=True,
)
