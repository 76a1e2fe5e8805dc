"""The choice of a method for someone who did not make one; the stats say what was chosen and why."""

from __future__ import annotations

from dataclasses import replace

from pathfront.methods import bellman_ford, dijkstra
from pathfront.methods.method import Method, Outcome, Problem


def run(problem: Problem) -> Outcome:
    """Choose, run the chosen method, and say why."""
    chosen, reason = choose(problem)
    return replace(chosen.run(problem), method=chosen.name, reason=reason)


def choose(problem: Problem) -> tuple[Method, str]:
    """Return the method for a problem and the reason."""
    if problem.graph.weight_summary().first_negative >= 0:
        return bellman_ford.METHOD, "some weights are negative"
    return dijkstra.METHOD, "no weight is negative"


METHOD = Method(
    name="auto",
    summary="Choose a method by the graph; the stats say which and why.",
    run=run,
    negative_weights=True,
)
