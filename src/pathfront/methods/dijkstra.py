"""Dijkstra's algorithm: settle the closest unsettled vertex, relax its arcs, repeat.

Serial, and the reference for "work": it relaxes every arc of a reached vertex exactly once. Methods that order vertices
less strictly relax some arcs again; those that prove arcs useless relax fewer (`light_first`, `bfs`, and
`delta_stepping` at dead ends). The queue is a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990), which relies on the
fact that distances taken out never fall, and which takes floats as well as integers because non-negative IEEE numbers
are ordered like their bits. The engine is `cpp/engines/dijkstra.hpp`.

With `heap="binary"` the queue is a binary heap, as in the serial baselines that papers compare with (Davidson et al.
2014, and Galois' in the ADDS paper). An improved vertex is pushed again and its old entry dropped when it comes to the
top: see `cpp/core/binary_heap.hpp` for why no entry is moved instead. Distances and counts are those of the radix heap;
only parents may differ, where several arcs are tight, as vertices of equal distance come in another order.

A trace has a row for each vertex, or, in graphs of 2048 vertices or more, for each block of n / 2048 + 1 vertices
settled one after the other. `near` is the closest vertex that waits, always one, and `far` counts the others: vertices
with a distance that is not final yet. `discarded` counts stale entries dropped from the queue, which the radix heap
drops later than the binary one.
"""

from __future__ import annotations

from pathfront import _core
from pathfront.methods.method import Method, Option, one_of
from pathfront.problem import Outcome, Problem, outcome, request


def run(problem: Problem) -> Outcome:
    """Run the native engine."""
    binary = problem.options.get("heap") == "binary"
    engine = _core.dijkstra_with_binary_heap if binary else _core.dijkstra
    return outcome(engine(request(problem)))


METHOD = Method(
    name="dijkstra",
    summary="Settle the closest vertex, relax its arcs, repeat; serial, with a radix or a binary heap.",
    run=run,
    paper="E. W. Dijkstra, A note on two problems in connection with graphs, Numerische Mathematik 1, 1959",
    limits="weights >= 0; one thread",
    options=(Option("heap", "radix", "the priority queue: radix or binary", one_of("radix", "binary")),),
    devices=("cpu",),
    parallel=False,
)
