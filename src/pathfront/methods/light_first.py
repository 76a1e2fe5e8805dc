"""Light arcs first: delta-stepping that leaves most arcs unrelaxed in graphs of small diameter.

In a social network or a random graph a vertex has many arcs, and hardly any but the lightest are part of a shortest
path. Once the light arcs have been relaxed, nearly every vertex is settled, and an arc between two settled vertices
need not be relaxed. So the light arcs are copied into rows of their own, once per graph: the arcs up to a weight that
leaves a few per vertex, estimated from a sample. If integers are small, head and weight share one word. The search
proceeds in stages. A stage is delta-stepping along light arcs only, up to a horizon: as far as the heaviest light arc
weighs, so that no heavy arc leads to a vertex within it. At the end of a stage the horizon moves on. While few vertices
are settled, these are relaxed again along all of their arcs. Once few arcs lead to unsettled vertices, those vertices
search their own arcs for settled neighbours. In a directed graph they have no in-arcs to search; there the heads of all
arcs are read, and the arcs to unsettled vertices are relaxed (`cpp/engines/delta/stages.hpp`).

This is Meyer and Sanders' distinction of light and heavy arcs, made once for many buckets instead of for each bucket,
combined with the bottom-up step of Beamer, Asanović and Patterson (SC 2012): unreached vertices search for reached
ones. On a Kronecker graph with 30 arcs per vertex a fifth of all arcs is relaxed, and the search takes two fifths of
the time.

In a graph of large diameter nothing is gained: after a few stages that settle little the search continues as
delta-stepping. `auto` uses this method for large graphs with many arcs per vertex.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.graph import Graph
from pathfront.graph.csr import Csr
from pathfront.methods import delta_stepping
from pathfront.methods.method import Method, Option
from pathfront.problem import Outcome, Problem
from pathfront.validation import as_positive

LIGHT = 5.5
"""Light arcs per vertex. With three, a stage of a uniform random graph is too short to settle nearly all vertices; with
more, relaxing light arcs takes longer than it saves."""

_MANY = 12
"""`auto` needs a mean degree of at least this: five or six arcs are light, so there are as many others."""

_LARGE = 1 << 20
"""`auto` needs at least as many arcs: a smaller graph takes a few milliseconds, less than finding its light arcs."""

_MEMORY = 0.25
"""`auto` needs the light arcs to take less than this share of the graph's memory."""

_SAMPLED = 1 << 14
"""Weights in the sample, about."""


class LightArcs(NamedTuple):
    """Rows of light arcs."""

    arc_count: int
    heaviest: int | float
    """The largest weight of a light arc."""
    rows: Csr
    """Without weights: each of `heads` is a head and, above it, the weight."""

    def settings(self) -> dict[str, Any]:
        """Return the engine's settings."""
        packed = {"packed_offsets": self.rows.offsets, "packed_arcs": self.rows.heads}
        rows = packed if self.rows.weights is None else {"light_arcs": self.rows.native}
        return {**rows, "heaviest_light": self.heaviest}


def run(problem: Problem) -> Outcome:
    """Run the native engine."""
    light = light_arcs(problem.graph, problem.options["light"], problem.threads)
    if light is None:
        return delta_stepping.run_native(problem)
    extra = {"light_arcs": light.arc_count, "heaviest_light": light.heaviest}
    return delta_stepping.run_native(problem, light.settings(), extra=extra)


def pays(problem: Problem) -> bool:
    """Return whether it is likely to be faster than delta_stepping: a large, dense graph whose weights vary."""
    graph = problem.graph
    if graph.weights is None or graph.m < max(_MANY * graph.n, _LARGE):
        return False
    if problem.trace or problem.targets is not None or problem.cutoff is not None:
        return False  # the search may take less time than finding the light arcs
    return graph.derived("few_are_light", lambda: _few_are_light(graph))


def _few_are_light(graph: Graph) -> bool:
    heaviest, share = _heaviest_light(graph, LIGHT)
    return heaviest > 0 and share < 0.5 and _memory(graph, heaviest, share) < _MEMORY


def light_arcs(graph: Graph, light: float, threads: int) -> LightArcs | None:
    """Return the arcs of which there are about `light` to a vertex; None if only arcs that weigh nothing are light.

    Those of the last `light` are cached with the graph.
    """
    return graph.derived("light_arcs", lambda: _find(graph, light, threads), variant=light)


def _heaviest_light(graph: Graph, light: float) -> tuple[int | float, float]:
    """Return the largest weight of a light arc, 0 if none is light, and their share of all arcs, from a sample."""
    weights = graph.weights
    if weights is None or weights.size == 0:
        return 0, 0.0
    sample = np.sort(weights[:: weights.size // _SAMPLED | 1])  # odd: every column of rows of equal length
    share = min(light * graph.n / graph.m, 1.0)
    heaviest = sample[min(int(share * sample.size), sample.size - 1)]
    return heaviest.item(), np.searchsorted(sample, heaviest, side="right") / sample.size


def _find(graph: Graph, light: float, threads: int) -> LightArcs | None:
    weights = graph.weights
    heaviest, _ = _heaviest_light(graph, light)
    if weights is None or heaviest <= 0:
        return None
    offsets = np.empty(graph.n + 1, np.int64)
    _core.count_light_arcs(graph.native, heaviest, offsets, threads)
    count = int(offsets[-1])
    if _packs(graph, heaviest) and count < 1 << 32:
        starts, words = offsets.astype(np.uint32), np.empty(count, np.uint32)
        _core.pack_light_arcs(graph.native, heaviest, starts, words, threads)
        return LightArcs(count, heaviest, Csr(starts, words, None))
    heads, chosen = np.empty(count, np.uint32), np.empty(count, weights.dtype)
    _core.copy_light_arcs(graph.native, heaviest, offsets, heads, chosen, threads)
    return LightArcs(count, heaviest, Csr(offsets, heads, chosen))


def _packs(graph: Graph, heaviest: int | float) -> bool:
    """Return whether head and weight of a light arc fit one word."""
    return isinstance(heaviest, int) and (graph.n - 1).bit_length() + heaviest.bit_length() <= 32


def _memory(graph: Graph, heaviest: int | float, share: float) -> float:
    """Return the memory of the light arcs, which are a given share of all arcs, as a share of the graph's memory."""
    arc = graph.heads.itemsize + (0 if graph.weights is None else graph.weights.itemsize)
    row = graph.offsets.itemsize
    light_row, light_arc = (4, 4) if _packs(graph, heaviest) else (row, arc)
    return (light_row * graph.n + light_arc * share * graph.m) / (row * graph.n + arc * graph.m)


METHOD = Method(
    name="light_first",
    summary="Delta-stepping along light arcs; heavy arcs are relaxed only if they may still improve a vertex.",
    run=run,
    paper="after U. Meyer, P. Sanders, Delta-stepping: a parallelizable shortest path algorithm, J. Algorithms 49, 2003"
    "; S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012",
    limits="weights >= 0",
    options=(Option("light", LIGHT, "light arcs per vertex, on average; greater than 0", as_positive),),
    devices=("cpu",),
    has_delta=True,
)
