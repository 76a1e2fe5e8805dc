"""Light arcs first: delta-stepping that never relaxes most arcs, where everything is near.

In a social network or a random graph a vertex has many arcs, and hardly any but the lightest of them are part of a
shortest path. When the first, light ones have been relaxed, nearly everything is settled, and an arc between two
settled vertices need not be relaxed any more. So the light arcs are kept as rows of their own, made once for each
graph: those up to a weight which leaves a few to each vertex, told from a sample. Where integers are small, head and
weight go into one word. The search goes on in stages. In one stage it goes as far as the heaviest light arc weighs,
along light arcs only: delta-stepping, but up to a horizon, which no heavy arc leads back across. At the end of a stage
the horizon moves on. As long as little is settled, that is relaxed again along all of its arcs; once few arcs lead to
anything else, the few vertices that are not settled look back, along their arcs, for settled ones. In a directed graph
they cannot see them; there all arcs are looked through for those that lead to a vertex which is not settled
(`cpp/engines/stages.hpp`).

That is the distinction of light and heavy arcs by Meyer and Sanders, made once for many buckets instead of for each,
with what Beamer, Asanović and Patterson (SC 2012) do at the end of a breadth-first search: the vertices not reached
yet look for those that are. On a Kronecker graph with 30 arcs to a vertex a fifth of all arcs is relaxed, and the
search takes two fifths of the time.

Nothing is gained in a graph of large diameter: after a few stages that settle little the search goes on as
delta-stepping does. `auto` takes this method for large graphs with many arcs to a vertex.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError
from pathfront.graph import Graph
from pathfront.methods import delta_stepping
from pathfront.methods.method import Method, Option
from pathfront.problem import Outcome, Problem, outcome
from pathfront.validation import Array, as_real

_LIGHT = 5.5
"""Light arcs to a vertex. With three, a stage of a uniform random graph is too short to settle nearly everything; with
more, light arcs take longer than they save."""

_MANY = 12
"""Arcs to a vertex, of which five or six are light, so that there are many others."""

_LARGE = 1 << 20
"""Arcs: on smaller graphs a search takes a few milliseconds, and finding the light arcs is not repaid."""

_MEMORY = 0.25
"""The most memory that light arcs may take, as a share of the graph's."""

_SAMPLED = 1 << 14


class LightArcs(NamedTuple):
    """Rows of light arcs."""

    arc_count: int
    heaviest: int | float
    """What they weigh at most."""
    rows: dict[str, Array]
    """As the engine takes them: in a word each, head and weight, or in two arrays."""


def run(problem: Problem) -> Outcome:
    """Run the native engine."""
    graph = problem.graph
    light = light_arcs(graph, problem.options["light"], problem.threads)
    extra: dict[str, Any] = {}
    more: dict[str, Any] = {}
    if light is not None:
        extra = {"light_arcs": light.arc_count, "heaviest_light": light.heaviest}
        more = {**light.rows, "heaviest_light": light.heaviest, "undirected": not graph.directed}
    answer = _core.delta_stepping(**delta_stepping.engine_arguments(problem), block_bits=0, **more)
    return outcome(answer, threads=problem.threads, delta=math.ldexp(1.0, answer.exponent), extra=extra)


def pays(problem: Problem) -> bool:
    """Whether it is likely to be faster than delta_stepping: a large graph whose weights vary enough."""
    graph = problem.graph
    if graph.weights is None or graph.m < max(_MANY * graph.n, _LARGE):
        return False
    if problem.trace or problem.targets is not None or problem.cutoff is not None:
        return False  # it may be over before the light arcs are found
    if graph not in _few_are_light:
        heaviest, share = _heaviest_light(graph, _LIGHT)
        _few_are_light[graph] = heaviest > 0 and share < 0.5 and _memory(graph, heaviest, share) < _MEMORY
    return _few_are_light[graph]


_few_are_light: WeakKeyDictionary[Graph, bool] = WeakKeyDictionary()
_kept: WeakKeyDictionary[Graph, dict[float, LightArcs | None]] = WeakKeyDictionary()


def light_arcs(graph: Graph, light: float, threads: int) -> LightArcs | None:
    """Return the arcs of which there are about `light` to a vertex; None if only arcs that weigh nothing are light.

    They are made once and kept as long as the graph.
    """
    kept = _kept.get(graph)
    if kept is None or light not in kept:
        kept = _kept[graph] = {light: _find(graph, light, threads)}
    return kept[light]


def _heaviest_light(graph: Graph, light: float) -> tuple[int | float, float]:
    """Return what light arcs weigh at most, 0 if none is light, and which share of all arcs they are, from a sample."""
    weights = graph.weights
    if weights is None or weights.size == 0:
        return 0, 0.0
    sample = np.sort(weights[:: weights.size // _SAMPLED | 1])  # odd: rows of equal length take turns
    share = min(light * graph.n / graph.m, 1.0)
    heaviest = sample[min(int(share * sample.size), sample.size - 1)]
    return heaviest.item(), np.searchsorted(sample, heaviest, side="right") / sample.size


def _find(graph: Graph, light: float, threads: int) -> LightArcs | None:
    weights = graph.weights
    heaviest, _ = _heaviest_light(graph, light)
    if weights is None or heaviest <= 0:
        return None
    arcs = graph.offsets, graph.heads, weights, heaviest
    offsets = np.empty(graph.n + 1, np.int64)
    _core.count_light_arcs(*arcs, offsets, threads)
    count = int(offsets[-1])
    if _packs(graph, heaviest) and count < 1 << 32:
        starts, words = offsets.astype(np.uint32), np.empty(count, np.uint32)
        _core.pack_light_arcs(*arcs, starts, words, threads)
        return LightArcs(count, heaviest, {"packed_offsets": starts, "packed_arcs": words})
    heads, chosen = np.empty(count, np.uint32), np.empty(count, weights.dtype)
    _core.copy_light_arcs(*arcs, offsets, heads, chosen, threads)
    return LightArcs(count, heaviest, {"light_offsets": offsets, "light_heads": heads, "light_weights": chosen})


def _packs(graph: Graph, heaviest: int | float) -> bool:
    """Whether the head of an arc and its weight, if that is light, go into one word."""
    return isinstance(heaviest, int) and (graph.n - 1).bit_length() + heaviest.bit_length() <= 32


def _memory(graph: Graph, heaviest: int | float, share: float) -> float:
    """Return how much memory the light arcs take, a share of all arcs, as a share of the graph's."""
    arc = graph.heads.itemsize + (0 if graph.weights is None else graph.weights.itemsize)
    row = graph.offsets.itemsize
    light_row, light_arc = (4, 4) if _packs(graph, heaviest) else (row, arc)
    return (light_row * graph.n + light_arc * share * graph.m) / (row * graph.n + arc * graph.m)


def _as_light(value: object, name: str) -> float:
    light = as_real(value, name)
    if light <= 0:
        raise ArgumentError(f"{name} is {value}, but it must be greater than 0.")
    return light


METHOD = Method(
    name="light_first",
    summary="Empty buckets of light arcs; look at heavy arcs only where they may still matter.",
    run=run,
    paper="after U. Meyer, P. Sanders, Delta-stepping: a parallelizable shortest path algorithm, J. Algorithms 49, 2003"
    "; S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012",
    limits="weights >= 0",
    options=(Option("light", _LIGHT, "how many of its arcs are light, for a vertex of the mean degree", _as_light),),
    parallel=True,
    has_delta=True,
)
