"""Crauser's method: like Martin's, but every vertex that no arc can still improve is settled at once.

A reached vertex can only be improved through another unsettled vertex u, to no less than u's distance plus u's lightest
out-arc. So every vertex up to the lowest such sum is final. The general variant uses exactly that limit, and needs the
lightest out-arc of each vertex. The economic one uses the lowest distance plus the lightest arc of the whole graph: one
number instead of one per vertex, a lower limit, and therefore at least as many iterations. Martin's limit, the lowest
distance itself, is the lowest of the three.

Zero-weight arcs lower the limit to the lowest distance, never below it, so every iteration settles a vertex.
`direction` and the trace's counts are Martin's.
"""

from __future__ import annotations

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.martin import DIRECTION, relax_towards
from pathfront.methods.method import SYNCHRONOUS, Method, Option, one_of
from pathfront.problem import Outcome, Problem

VARIANTS = ("general", "economic")


def schedule(device: Device, variant: str, direction: str, lightest: float) -> None:
    """Record the method; `lightest` is the lightest arc of the graph."""
    frontier, waiting = device.queue(), device.queue()
    limit, base = device.scalar(0), device.scalar(lightest if variant == "economic" else 0)

    device.start(waiting)
    with device.repeat(waiting):
        lowest = device.lowest(waiting, plus_lightest=variant == "general")
        device.raise_(limit, to=lowest, by=base)
        device.settled(below=limit)  # vertices not queued yet are at least that far
        device.split(waiting, into=frontier, up_to=limit)
        device.trace(near=frontier, far=waiting, up_to=limit, threads=True)
        relax_towards(device, frontier, waiting, direction)


def run(problem: Problem) -> Outcome:
    """Run the schedule."""
    lightest = problem.graph.weight_summary().lightest
    return schedules.run(problem, schedule, matrix=True, lightest=lightest)


METHOD = Method(
    name="crauser",
    summary="Settle all vertices that no arc can still improve at once.",
    run=run,
    paper="A. Crauser, K. Mehlhorn, U. Meyer, P. Sanders, A parallelization of Dijkstra's algorithm, MFCS 1998",
    limits="weights >= 0",
    options=(
        Option("variant", "general", f"the limit that an iteration uses: {' or '.join(VARIANTS)}", one_of(*VARIANTS)),
        DIRECTION,
        SYNCHRONOUS,
    ),
)
