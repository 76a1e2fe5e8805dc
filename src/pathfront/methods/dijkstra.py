"""Dijkstra's algorithm: settle the closest unsettled vertex, relax its arcs, repeat.

Serial, and the reference for the others: no method can settle fewer vertices or relax fewer edges, so "work" is
measured against it. The queue is a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990), which uses that distances never
fall, and which takes floats as well as integers because non-negative IEEE numbers are ordered like their bits. The
engine is `cpp/engines/dijkstra.hpp`.
"""

from __future__ import annotations

from pathfront import _core
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem, arguments, outcome


def run(problem: Problem) -> Outcome:
    """Run the native engine."""
    heaviest = problem.graph.weight_summary().heaviest
    return outcome(_core.dijkstra(**arguments(problem), heaviest=heaviest))


METHOD = Method(
    name="dijkstra",
    summary="Settle the closest vertex, relax its arcs, repeat; serial, with a radix heap.",
    run=run,
    paper="E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1, 1959",
    limits="weights >= 0; one thread",
)
