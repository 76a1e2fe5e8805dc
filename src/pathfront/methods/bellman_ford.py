"""Bellman-Ford: relax every arc, pass after pass, until a pass changes nothing.

Serial, with at most n - 1 passes that change a distance and one that does not. It takes negative weights, as do
`bellman_ford_edges`, `bellman_ford_vertices`, `bellman_ford_frontier` and `workfront_sweep`; a negative cycle that the
source can reach is an error that names the cycle. Each pass goes over the arcs in the order of their tails and updates
distances in place, so arcs later in a pass already use the distances found in it. The engine is
`cpp/engines/bellman_ford.hpp`.

A row of the trace is a pass. Every vertex waits for each pass (`near`), and `frontier` counts those that had a distance
when their turn came. There is no queue, so nothing is `discarded`, and only the last pass shows that distances are
`final`.

With negative floating-point weights all methods that take them compute exact sums and round each distance once: see
`devices/exact.py`.
"""

from __future__ import annotations

from pathfront.devices import cpu
from pathfront.methods.method import Method

METHOD = Method(
    name="bellman_ford",
    summary="Relax all arcs, pass after pass, until nothing changes; takes negative weights.",
    run=cpu.bellman_ford,
    paper="R. Bellman, On a routing problem, Quarterly of Applied Mathematics 16, 1958",
    limits="one thread; negative cycles are an error that names the cycle",
    devices=("cpu",),
    parallel=False,
    negative_weights=True,
)
