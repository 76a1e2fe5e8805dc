"""Graphs written as text, in pieces of bounded size, for the formats that consist of lines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pathfront import _core
from pathfront.formats.files import Sink
from pathfront.graph import Graph
from pathfront.validation import Array

ARCS_PER_PIECE = 1 << 18


def named(graph: Graph, vertex: int) -> str:
    """Return a vertex for a message, also by the number that the graph's file gave it."""
    also = graph.labels is None and graph.first_id != 0
    return graph.described(vertex) + (f" ({int(vertex) + graph.first_id} in the graph's file)" if also else "")


def write_arcs(
    graph: Graph, sink: Sink, *, prefix: str = "", separator: str = " ", base: int = 0, once: bool = False
) -> None:
    """Write one line per arc; with `once` only the first arc of each undirected edge."""
    graph.check()
    for begin, end in _vertex_ranges(graph):
        sink.write(_core.arcs_as_text(graph.native, begin, end, prefix, separator, base, once))


def write_labelled_arcs(graph: Graph, sink: Sink, labels: Array, *, separator: str) -> None:
    """Write one line per arc as `write_arcs` does, with labels in place of numbers."""
    for begin, end in _vertex_ranges(graph):
        low, high = int(graph.offsets[begin]), int(graph.offsets[end])
        tails = np.repeat(labels[begin:end], np.diff(graph.offsets[begin : end + 1])).tolist()
        heads = labels[graph.heads[low:high]].tolist()
        if graph.weights is None:
            lines = [f"{tail}{separator}{head}\n" for tail, head in zip(tails, heads, strict=True)]
        else:
            weights = graph.weights[low:high].tolist()  # of float32 the doubles they equal, like the core
            rows = zip(tails, heads, weights, strict=True)
            lines = [f"{tail}{separator}{head}{separator}{weight}\n" for tail, head, weight in rows]
        sink.write("".join(lines).encode())


def write_rows(graph: Graph, sink: Sink) -> None:
    """Write one line per vertex, its neighbours with their weights."""
    graph.check()
    for begin, end in _vertex_ranges(graph):
        sink.write(_core.rows_as_text(graph.native, begin, end))


def _vertex_ranges(graph: Graph) -> Iterator[tuple[int, int]]:
    """Divide the vertices into pieces of about ARCS_PER_PIECE arcs."""
    marks = np.arange(0, graph.m, ARCS_PER_PIECE)
    cuts = np.unique(np.concatenate([[0], np.searchsorted(graph.offsets, marks, side="right"), [graph.n]]))
    cuts = cuts[cuts <= graph.n]
    yield from zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
