"""The choice of a method for someone who did not make one; the stats say what was chosen and why."""

from __future__ import annotations

from dataclasses import replace

from pathfront.exceptions import MethodError
from pathfront.methods import bellman_ford, delta_stepping, dijkstra
from pathfront.methods.method import Method, Outcome, Problem

_SMALL = 4096
"""Arcs below which a search is over before anything else has been set up."""

_FEW = 1 << 19
"""Vertices of a graph of low degree below which a second thread was not worth having: its levels are too small."""


def run(problem: Problem) -> Outcome:
    """Choose, run the chosen method, and say why."""
    chosen, reason = choose(problem)
    if chosen is delta_stepping.METHOD and problem.delta is None:
        fewer = choose_threads(problem)
        if fewer < problem.threads:
            problem, reason = (
                replace(problem, threads=fewer),
                f"{reason}; small and of low degree: one thread is as fast as two",
            )
    return replace(chosen.run(problem), method=chosen.name, reason=reason)


def choose(problem: Problem) -> tuple[Method, str]:
    """Return the method for a problem and the reason."""
    if problem.graph.weight_summary().first_negative >= 0:
        if problem.delta is not None:
            raise MethodError(f"delta is {problem.delta}, but weights are negative, and bellman_ford has no delta.")
        return bellman_ford.METHOD, "some weights are negative"
    if problem.delta is not None:
        return delta_stepping.METHOD, "delta is given"
    if problem.graph.m < _SMALL:
        return dijkstra.METHOD, f"fewer than {_SMALL} arcs"
    return delta_stepping.METHOD, "no weight is negative"


def choose_threads(problem: Problem) -> int:
    """Return how many threads pay: two on a small graph of low degree mostly wait for each other."""
    graph = problem.graph
    small = graph.n < _FEW and graph.m < delta_stepping.LOW_DEGREE * graph.n
    return 1 if problem.threads <= 2 and small else problem.threads


METHOD = Method(
    name="auto",
    summary="Choose a method by the graph; the stats say which and why.",
    run=run,
    parallel=True,
    negative_weights=True,
    has_delta=True,
)
