"""Light arcs first: delta-stepping that never looks at most arcs, where everything is near.

In a social network or a random graph a vertex has many arcs, and hardly any but the lightest of them are part of a
shortest path. When the first, light ones have been relaxed, nearly everything is settled, and an arc between two
settled vertices need not be looked at any more. So the light arcs are kept as rows of their own, made once for each
graph: those up to a weight which leaves a few to each vertex, told from a sample. The search goes on in stages. In one
stage it goes as far as the heaviest light arc weighs, along light arcs only: delta-stepping, but up to a horizon, which
no heavy arc leads back across. At the end of a stage the horizon moves on. As long as little is settled, that is
relaxed again along all of its arcs; once few arcs lead to anything else, the few vertices that are not settled look
back, along their arcs, for settled ones (`cpp/engines/stages.hpp`).

That is the distinction of light and heavy arcs by Meyer and Sanders, made once for many buckets instead of for each,
with what Beamer, Asanović and Patterson (SC 2012) do at the end of a breadth-first search: the vertices not reached
yet look for those that are. On a Kronecker graph with 30 arcs to a vertex a fifth of all arcs is looked at, and the
search takes a third of the time.

It can do without heavy arcs only where each has its opposite: a directed graph is searched by stages too, but all of
its arcs are relaxed, and nothing is gained. Neither is in a graph of large diameter: after a few stages that settle
little the search goes on as delta-stepping does. `auto` takes this method for large undirected graphs with many arcs to
a vertex.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from pathfront import _core
from pathfront.checks import Array, as_real
from pathfront.exceptions import ArgumentError
from pathfront.graph import Graph
from pathfront.methods import delta_stepping
from pathfront.methods.method import Knob, Method, Outcome, Problem
from pathfront.methods.native import outcome

_LIGHT = 5.0
"""Light arcs to a vertex. With three, a stage of a uniform random graph is too short to settle nearly everything; with
more, light arcs take longer than they save."""

_MANY = 12
"""Arcs to a vertex, of which five are light, so that there are many others not to look at."""

_LARGE = 1 << 20
"""Arcs: on smaller graphs a search takes a few milliseconds, and finding the light arcs is not repaid."""

_SAMPLED = 1 << 14


class LightArcs(NamedTuple):
    """Rows of light arcs."""

    offsets: Array
    heads: Array
    weights: Array
    heaviest: int | float
    """What they weigh at most."""


def run(problem: Problem) -> Outcome:
    """Run the native engine."""
    graph = problem.graph
    light = light_arcs(graph, problem.knobs["light"], problem.threads)
    extra: dict[str, Any] = {}
    more: dict[str, Any] = {}
    if light is not None:
        extra = {"light_arcs": light.heads.size, "heaviest_light": light.heaviest}
        more = {
            "light_offsets": light.offsets,
            "light_heads": light.heads,
            "light_weights": light.weights,
            "heaviest_light": light.heaviest,
            "undirected": not graph.directed,
        }
    answer = _core.delta_stepping(**delta_stepping.engine_arguments(problem), block_bits=0, **more)
    return outcome(answer, threads=problem.threads, delta=math.ldexp(1.0, answer.exponent), extra=extra)


def pays(problem: Problem) -> bool:
    """Whether it is likely to be faster than delta_stepping: a large undirected graph whose weights vary enough."""
    graph = problem.graph
    if graph.directed or graph.weights is None or graph.m < max(_MANY * graph.n, _LARGE):
        return False
    if problem.trace or problem.targets is not None or problem.cutoff is not None:
        return False  # it may be over before the light arcs are found
    if graph not in _few_are_light:
        heaviest, share = _heaviest_light(graph, _LIGHT)
        _few_are_light[graph] = heaviest > 0 and share < 0.5
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
    offsets = np.empty(graph.n + 1, np.int64)
    _core.count_light_arcs(graph.offsets, graph.heads, weights, heaviest, offsets, threads)
    heads, chosen = np.empty(offsets[-1], np.uint32), np.empty(offsets[-1], weights.dtype)
    _core.copy_light_arcs(graph.offsets, graph.heads, weights, heaviest, offsets, heads, chosen, threads)
    return LightArcs(offsets, heads, chosen, heaviest)


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
    knobs=(Knob("light", _LIGHT, "how many of its arcs are light, for a vertex of the mean degree", _as_light),),
    parallel=True,
    has_delta=True,
)
