"""Breadth-first search: level by level, for graphs without weights or with all weights 1.

The frontier's arcs are followed as long as it is small. When it holds a good part of what is left of the graph, every
vertex that has not been seen looks backwards for a neighbour in the frontier instead, and stops at the first: on social
networks most arcs are never looked at. That needs the in-arcs, so on a directed graph it is done only where
`graph.reverse()` is at hand already. The engine is `cpp/engines/bfs.hpp`.

On GPUs it is a schedule that always goes downwards: a level is a queue, and its arcs are shared evenly.
"""

from __future__ import annotations

from pathfront import _core
from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem, arguments, outcome


def schedule(device: Device) -> None:
    """Record the method for devices without an engine."""
    level = device.queue()
    depth, one = device.scalar(0), device.scalar(1)

    device.start(level)
    with device.repeat(level):
        device.trace(up_to=depth)
        device.relax(level, into=level)
        device.raise_(depth, to=depth, by=one)
        device.settled(up_to=depth)


def run(problem: Problem) -> Outcome:
    """Run the native engine, or the schedule."""
    if problem.device != "cpu":
        return schedules.run(problem, schedule)
    backward = problem.graph.reverse_at_hand()
    answer = _core.bfs(
        **arguments(problem),
        backward_offsets=None if backward is None else backward.offsets,
        backward_heads=None if backward is None else backward.heads,
        threads=problem.threads,
    )
    return outcome(answer, threads=problem.threads)


METHOD = Method(
    name="bfs",
    summary="Level by level, downwards or upwards, whichever is shorter; by any number of threads.",
    run=run,
    paper="S. Beamer, K. Asanovic, D. Patterson, Direction-optimizing breadth-first search, SC 2012",
    limits="weights all 1, or none",
    devices=schedules.EVERYWHERE,
    parallel=True,
    unit_weights=True,
)
