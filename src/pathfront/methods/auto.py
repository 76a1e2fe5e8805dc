"""The default method: it chooses one of the others by the graph, and the stats report which one and why."""

from __future__ import annotations

from dataclasses import replace

from pathfront.devices import schedules
from pathfront.exceptions import MethodError
from pathfront.graph.measures import has_low_degree
from pathfront.methods import bellman_ford, bellman_ford_frontier, bfs, delta_stepping, dijkstra, light_first, near_far
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem

_SMALL = 4096
"""With fewer arcs dijkstra is used: setting up another method takes longer than the search."""

_FEW_ARCS = 1 << 20
"""With fewer arcs a second thread gained nothing on any graph: a search takes a few milliseconds."""

_FEW_VERTICES = 1 << 19
"""With fewer vertices a second thread gained nothing on graphs of low degree: their levels are too small to share."""


def run(problem: Problem) -> Outcome:
    """Choose a method, run it, and record the reason."""
    chosen, reason = choose(problem) if problem.device == "cpu" else choose_on_gpu(problem)
    if chosen.options:
        problem = replace(problem, options={option.name: option.default for option in chosen.options})
    if chosen is delta_stepping.METHOD and problem.delta is None:
        fewer = choose_threads(problem)
        if fewer < problem.threads:
            problem = replace(problem, threads=fewer)
            reason = f"{reason}; small: one thread is as fast as two"
    outcome = chosen.run(problem)
    outcome.method, outcome.reason = chosen.name, reason
    return outcome


def choose(problem: Problem) -> tuple[Method, str]:
    """Return the method for a problem and the reason."""
    weights = problem.graph.weight_summary()
    if weights.first_negative >= 0:
        if problem.delta is not None:
            raise MethodError(
                f"delta is {problem.delta}, but weights are negative, and bellman_ford has no delta; leave delta out."
            )
        return bellman_ford.METHOD, "some weights are negative"
    if problem.delta is not None:
        return delta_stepping.METHOD, "delta is given"
    if weights.all_one:
        return bfs.METHOD, "every arc weighs 1"
    if problem.graph.m < _SMALL:
        return dijkstra.METHOD, f"fewer than {_SMALL} arcs"
    if light_first.pays(problem):
        return light_first.METHOD, "many arcs per vertex"
    return delta_stepping.METHOD, "no weight is negative"


def choose_on_gpu(problem: Problem) -> tuple[Method, str]:
    """Return the method for a problem on a device that is not the CPU, and the reason."""
    weights = problem.graph.weight_summary()
    if weights.first_negative >= 0:
        if problem.delta is not None:
            raise MethodError(
                f"delta is {problem.delta}, but no method for negative weights has a delta; leave it out."
            )
        return bellman_ford_frontier.METHOD, "some weights are negative"
    if problem.delta is None and weights.all_one:
        return bfs.METHOD, "every arc weighs 1"
    return near_far.METHOD, "no weight is negative"


def choose_threads(problem: Problem) -> int:
    """Return the number of threads to use: on a small graph two would mostly wait for each other."""
    graph = problem.graph
    small = graph.m < _FEW_ARCS or (graph.n < _FEW_VERTICES and has_low_degree(graph))
    if problem.threads <= 2 and small:
        return 1
    return problem.threads


METHOD = Method(
    name="auto",
    summary="Choose a method by the graph; the stats report which one and why.",
    run=run,
    devices=schedules.EVERYWHERE,
    parallel=True,
    negative_weights=True,
    has_delta=True,
)
