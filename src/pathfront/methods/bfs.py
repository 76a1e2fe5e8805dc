"""Breadth-first search: level by level, for graphs without weights or with all weights 1.

While the frontier is small, its out-arcs are followed (top-down). When it holds a large part of the remaining arcs,
every unreached vertex searches its in-arcs for a vertex of the frontier instead, and stops at the first (bottom-up): on
social networks most arcs are never read. Bottom-up steps need the in-arcs, so on a directed graph they are used only if
`graph.reverse()` has been called before. The engine is `cpp/engines/bfs.hpp`.

A row of the trace is a level. A vertex is found once, at its final distance, and waits for the next level only: `near`
is the frontier, `far` and `discarded` are 0, and all that is `labelled` is `final`.

On GPUs it is a schedule that always goes top-down: a level is a queue, and its arcs are divided evenly among threads.
"""

from __future__ import annotations

from pathfront import _core
from pathfront.devices import schedules
from pathfront.devices.protocol import Device
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem, outcome, request


def schedule(device: Device) -> None:
    """Record the method for devices without an engine."""
    level = device.queue()
    depth, one = device.scalar(0), device.scalar(1)

    device.start(level)
    with device.repeat(level):
        device.trace(near=level, up_to=depth)
        device.relax(level, into=level)
        device.raise_(depth, to=depth, by=one)
        device.settled(up_to=depth)


def run(problem: Problem) -> Outcome:
    """Run the native engine, or the schedule."""
    if problem.device != "cpu":
        return schedules.run(problem, schedule)
    back = problem.graph.reverse_at_hand()
    return outcome(_core.bfs(request(problem), None if back is None else back.native))


METHOD = Method(
    name="bfs",
    summary="Level by level, top-down or bottom-up, whichever reads fewer arcs; any number of threads.",
    run=run,
    paper="S. Beamer, K. Asanovic, D. Patterson, Direction-optimizing breadth-first search, SC 2012",
    limits="weights all 1, or none",
    unit_weights=True,
)
