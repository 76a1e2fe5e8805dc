"""Crauser's method: like Martin's, but everything is settled that no arc can still improve.

A vertex that is reached can only be improved over another one that is not settled, by at least that one's distance and
its lightest out-arc. So every vertex up to the lowest such sum is final. The general variant takes exactly that limit,
and needs the lightest out-arc of each vertex. The economic one takes the lowest distance plus the lightest arc of the
whole graph: one number instead of one for each vertex, a lower limit, and therefore at least as many iterations.
Martin's limit, the lowest distance itself, is the lowest of the three.

Zero-weight arcs lower the limit to the lowest distance, never below it, so an iteration always settles something.
`direction`, and what the trace counts, are Martin's.
"""

from __future__ import annotations

from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.exceptions import ArgumentError
from pathfront.methods.martin import DIRECTION, check_direction, relax_towards
from pathfront.methods.method import Method, Option
from pathfront.problem import Outcome, Problem

VARIANTS = ("general", "economic")


def schedule(device: Device, variant: str, direction: str, lightest: float) -> None:
    """Record the method; `lightest` is the lightest arc of the graph."""
    front, waiting = device.queue(), device.queue()
    limit, base = device.scalar(0), device.scalar(lightest if variant == "economic" else 0)

    device.start(waiting)
    with device.repeat(waiting):
        lowest = device.lowest(waiting, plus_lightest=variant == "general")
        device.raise_(limit, to=lowest, by=base)
        device.settled(below=limit)  # what is not waiting yet is at least that far
        device.split(waiting, into=front, up_to=limit)
        device.trace(up_to=limit, threads=True, waiting=waiting)
        relax_towards(device, front, waiting, direction)


def run(problem: Problem) -> Outcome:
    """Run the schedule."""
    variant = problem.options["variant"]
    if variant not in VARIANTS:
        raise ArgumentError(f"variant is {variant!r}, but it must be one of {', '.join(VARIANTS)}.")
    lightest = problem.graph.weight_summary().lightest
    direction = check_direction(problem)
    return schedules.run(problem, schedule, matrix=True, variant=variant, direction=direction, lightest=lightest)


METHOD = Method(
    name="crauser",
    summary="Settle all vertices at once that no arc can still improve.",
    run=run,
    paper="A. Crauser, K. Mehlhorn, U. Meyer, P. Sanders, A parallelization of Dijkstra's algorithm, MFCS 1998",
    limits="weights >= 0",
    options=(Option("variant", "general", f"how far an iteration reaches: {' or '.join(VARIANTS)}"), DIRECTION),
    devices=schedules.EVERYWHERE,
    parallel=True,
)
