"""The default method: it chooses one of the others by the graph, and the stats report which one and why.

`choose` is the one place where the method, the engine and the number of threads of a search are decided, also if the
method is given: `delta_stepping` has three engines. An engine uses fewer threads if the system starts fewer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from pathfront.devices import exact
from pathfront.exceptions import MethodError
from pathfront.graph.measures import has_low_degree
from pathfront.methods import bellman_ford, bellman_ford_frontier, bfs, delta_stepping, dijkstra, light_first, near_far
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem

SMALL = 4096
"""With fewer arcs dijkstra is used: setting up another method takes longer than the search."""

_FEW_ARCS = 1 << 20
"""With fewer arcs a second thread gained nothing on any graph: a search takes a few milliseconds."""

_FEW_VERTICES = 1 << 19
"""With fewer vertices a second thread gained nothing on graphs of low degree: their levels are too small to share."""


class Choice(NamedTuple):
    """How a problem is solved."""

    method: Method
    engine: str
    """One of the method's engines, "" if it has only one."""
    threads: int
    why: str


def solve(problem: Problem, method: Method | None = None) -> Outcome:
    """Run a method, by default the one that suits the problem, and record the choice in the outcome."""
    choice = choose(problem, method)
    if choice.engine:
        problem = replace(problem, engine=choice.engine, threads=choice.threads)
    if choice.method is not method and choice.method.options:
        problem = replace(problem, options={option.name: option.default for option in choice.method.options})
    run = choice.method.run
    outcome = exact.run(problem, run) if choice.method.negative_weights else run(problem)
    outcome.method = outcome.method or choice.method.name  # a device may have turned to another method
    outcome.reason = outcome.reason or choice.why
    if problem.delta is not None and outcome.delta not in (None, problem.delta):
        outcome.reason += f"; the given delta of {problem.delta:g} was rounded to {outcome.delta:g}"
    return outcome


def choose(problem: Problem, method: Method | None = None) -> Choice:
    """Return the method for a problem, by default any that suits it, its engine, the number of threads, and why."""
    threads, why = problem.threads, "as asked"
    given = method is not None and method is not METHOD
    if not given:
        method, why = _choose_method(problem)
    assert method is not None
    if problem.device != "cpu" or method not in (delta_stepping.METHOD, light_first.METHOD):
        return Choice(method, "", threads, why)
    if not given and problem.delta is None and method is delta_stepping.METHOD and threads == 2 and _is_small(problem):
        threads, why = 1, f"{why}; small: one thread is as fast as two"
    if problem.options.get("light_heavy") and given:
        return Choice(method, "light_heavy", threads, f"{why}; heavy arcs wait until their bucket is empty")
    if threads == 1:
        return Choice(method, "serial", threads, why)
    if method is delta_stepping.METHOD and delta_stepping.block_bits(problem) > 0:
        return Choice(method, "owned", threads, f"{why}; neighbours have close numbers: each thread owns vertices")
    return Choice(method, "donating", threads, f"{why}; threads share each bucket")


def _choose_method(problem: Problem) -> tuple[Method, str]:
    weights, on_cpu = problem.graph.weight_summary(), problem.device == "cpu"
    if weights.first_negative >= 0:
        if problem.delta is not None:
            on_gpu = "no method for negative weights has a delta; leave it out"
            but = "weights are negative, and bellman_ford has no delta; leave delta out" if on_cpu else on_gpu
            raise MethodError(f"delta is {problem.delta:g}, but {but}.")
        return (bellman_ford if on_cpu else bellman_ford_frontier).METHOD, "some weights are negative"
    if problem.delta is None and weights.all_one:
        return bfs.METHOD, "every arc weighs 1"
    if not on_cpu:
        return near_far.METHOD, "no weight is negative"
    if problem.delta is not None:
        return delta_stepping.METHOD, "delta is given"
    if problem.graph.m < SMALL:
        return dijkstra.METHOD, f"fewer than {SMALL} arcs"
    if light_first.pays(problem):
        return light_first.METHOD, "many arcs per vertex"
    return delta_stepping.METHOD, "no weight is negative"


def _is_small(problem: Problem) -> bool:
    """Return whether two threads were no faster than one; more than two were not measured."""
    graph = problem.graph
    return graph.m < _FEW_ARCS or (graph.n < _FEW_VERTICES and has_low_degree(graph))


METHOD = Method(
    name="auto",
    summary="Choose a method by the graph; the stats report which one and why.",
    run=solve,
    negative_weights=True,
    has_delta=True,
)
