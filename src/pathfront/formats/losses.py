"""What a format cannot hold of a graph: `pf.write` refuses to lose it, or leaves it out with `lossy=True`.

Each format declares what it holds (`Format.holds`). Nothing is made up: weights that a format needs, or that it
would round, are errors of its writer with or without `lossy`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError
from pathfront.formats.format import Format, Part
from pathfront.formats.pieces import named
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import Array, available_cores
from pathfront.workers import interruptible


def fitted(graph: Graph, known: Format, options: Mapping[str, Any], *, lossy: bool) -> Graph:
    """Return what the format can hold of a graph; raise if that is not all of it, unless `lossy`."""
    held = known.held(options)
    lost: dict[Part, str] = {}
    if graph.labels is not None:
        reason = known.refuses_labels(graph.labels) if Part.LABELS in held else ""
        if reason is not None:
            lost[Part.LABELS] = "the labels of the vertices" + reason
            graph = graph.with_labels(None)
    if graph.coordinates is not None and Part.COORDINATES not in held:
        lost[Part.COORDINATES] = "the coordinates of the vertices"
        graph = graph.with_coordinates(None)
    if graph.default_source is not None and Part.SOURCE not in held:
        lost[Part.SOURCE] = "the default source"
    if graph.weights is not None and Part.WEIGHTS not in held:
        lost[Part.WEIGHTS] = "the weights"
        graph = graph.with_weights(None)
    if Part.ISOLATED not in held and (missing := _isolated(graph)) is not None:
        lost[Part.ISOLATED] = missing
    graph = _without_arcs(graph, held, lost)
    if lost and not lossy:
        cures = "".join(f" {cure}" for part, cure in known.cures.items() if part not in held and part in lost)
        raise ArgumentError(
            f"the format {known.name} cannot hold {_listed([*lost.values()])};{cures} "
            f"pass lossy=True to leave that out{_other_format(known)}."
        )
    return graph


def _other_format(known: Format) -> str:
    if known.name == "pfg":
        return ""
    return ", or write a .pfg file, which keeps everything (labels if all are whole numbers or all are strings)"


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _isolated(graph: Graph) -> str | None:
    graph.check()
    seen = np.diff(graph.offsets) > 0
    seen[graph.heads] = True
    missing = np.flatnonzero(~seen)
    if missing.size == 0:
        return None
    others = f" and {missing.size - 1} others" if missing.size > 1 else ""
    return f"{named(graph, int(missing[0]))}{others}, which {'have' if others else 'has'} no arcs"


def _without_arcs(graph: Graph, held: frozenset[Part], lost: dict[Part, str]) -> Graph:
    """Return the graph without the arcs, or directions of arcs, that cannot be held; they are added to `lost`."""
    graph.check()
    if graph.directed and Part.DIRECTED not in held:
        symmetric = _core.looks_symmetric(graph.native, available_cores())
        if not symmetric:
            lost[Part.DIRECTED] = "the directions of the arcs (each would become an edge)"
        edges = graph.to_edges()
        keep = edges.tails <= edges.heads if symmetric else np.ones(graph.m, bool)
        graph = _of_edges(graph, edges.tails[keep], edges.heads[keep], _at(edges.weights, keep), directed=False)
    loops = np.flatnonzero(graph.tails() == graph.heads) if Part.LOOPS not in held else np.empty(0)
    if loops.size:
        lost[Part.LOOPS] = f"loops: {named(graph, graph.heads[loops[0]])} has a loop"
        edges = graph.to_edges()
        keep = edges.tails != edges.heads
        graph = _of_edges(
            graph, edges.tails[keep], edges.heads[keep], _at(edges.weights, keep), directed=graph.directed
        )
    if Part.PARALLEL not in held and _core.parallel_arc(graph.native) >= 0:
        lost[Part.PARALLEL] = "parallel arcs (the lightest of each would stay)"
        tails, heads, weights = graph.to_edges()
        keys = (heads, tails) if weights is None else (weights, heads, tails)
        order = interruptible(lambda: np.lexsort(keys))
        first = np.ones(order.size, bool)
        first[1:] = (np.diff(tails[order].astype(np.int64)) != 0) | (np.diff(heads[order].astype(np.int64)) != 0)
        keep = order[first]
        graph = _of_edges(graph, tails[keep], heads[keep], _at(weights, keep), directed=graph.directed)
    return graph


def _at(weights: Array | None, chosen: Array) -> Array | None:
    return None if weights is None else weights[chosen]


def _of_edges(graph: Graph, tails: Array, heads: Array, weights: Array | None, *, directed: bool) -> Graph:
    """Return a graph with these edges, the same otherwise."""
    made = from_checked_edges(
        tails, heads, weights, n=graph.n, directed=directed, labels=graph._labels, first_id=graph.first_id
    )
    return made.with_coordinates(graph.coordinates)
