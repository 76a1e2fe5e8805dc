"""METIS graphs (`.graph`): a line `N M [FMT]`, then the neighbours of each vertex on a line of its own, from 1.

Graphs are undirected: every edge is in the rows of both of its ends, which is checked. Weights, if FMT declares them,
follow each neighbour and are whole numbers above 0; sizes and weights of vertices are ignored.
The contents look like a plain edge list, so the name, or `format="metis"`, must identify the format.
"""

from __future__ import annotations

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format, Part
from pathfront.formats.pieces import write_rows
from pathfront.formats.weights import as_read
from pathfront.graph import Graph


def read(source: Source) -> Graph:
    """Read a graph."""
    with source.parsing() as progress:
        offsets, heads, weights = _core.parse_metis(source.bytes, progress)
    values = None if weights is None else as_read(source, weights)
    with source.naming_file():
        graph = Graph.from_csr(offsets, heads, values, copy=False)
        try:
            made = Graph.from_csr(graph.offsets, graph.heads, graph.weights, directed=False, copy=False)
            return made.counting_from(1)
        except ArgumentError:
            raise source.error(
                "some edge stands in the row of only one of its ends, or with two weights; METIS graphs are undirected."
            ) from None


def write(graph: Graph, sink: Sink) -> None:
    """Write the rows; weights must be whole and above 0."""
    _require_weights(graph)
    sink.write(f"{graph.n} {graph.m // 2}{'' if graph.weights is None else ' 001'}\n".encode())
    write_rows(graph, sink)


def _require_weights(graph: Graph) -> None:
    if graph.weights is None or graph.m == 0:
        return
    if graph.weights.dtype.kind == "f":
        raise ArgumentError(
            f"the weights are {graph.weights.dtype}, but METIS has whole numbers only; "
            "scale and round them with graph.with_weights(...), or use another format."
        )
    if graph.weight_summary().lightest <= 0:
        arc = int(np.argmax(graph.weights <= 0))
        raise ArgumentError(f"weights[{arc}] is {graph.weights[arc]}, but METIS weights must be above 0.")


FORMAT = Format(
    name="metis",
    summary="METIS text, one line of neighbours per vertex, undirected",
    suffixes=(".graph", ".metis"),
    sniff=lambda head: False,
    read=read,
    write=write,
    holds=ARCS - {Part.DIRECTED, Part.LOOPS},
)
