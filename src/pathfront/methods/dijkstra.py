"""Dijkstra's algorithm: settle the closest unsettled vertex, relax its arcs, repeat.

Serial, and the reference for "work": it relaxes every arc of a reached vertex exactly once. Methods that order vertices
less strictly relax some arcs again; those that prove arcs useless relax fewer (`light_first`, `bfs`, and
`delta_stepping` at dead ends). The queue is a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990), which relies on the
fact that distances taken out never fall, and which takes floats as well as integers because non-negative IEEE numbers
are ordered like their bits. The engine is `cpp/engines/dijkstra.hpp`.
"""

from __future__ import annotations

from pathfront import _core
from pathfront.methods.method import Method
from pathfront.problem import Outcome, Problem, outcome, request


def run(problem: Problem) -> Outcome:
    """Run the native engine."""
    return outcome(_core.dijkstra(request(problem)))


METHOD = Method(
    name="dijkstra",
    summary="Settle the closest vertex, relax its arcs, repeat; serial, with a radix heap.",
    run=run,
    paper="E. W. Dijkstra, A note on two problems in connection with graphs, Numerische Mathematik 1, 1959",
    limits="weights >= 0; one thread",
    devices=("cpu",),
    parallel=False,
)
