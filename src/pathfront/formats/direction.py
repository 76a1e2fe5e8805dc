"""Whether the graph in a file is directed, where the format does not say: by whether every arc has its opposite."""

from __future__ import annotations

from pathfront import _core
from pathfront.formats.files import Source
from pathfront.graph import Graph
from pathfront.validation import as_flag, available_cores


def as_directed(directed: object) -> bool | None:
    """Return the option `directed`: True, False, or None to look at the arcs."""
    return None if directed is None else as_flag(directed, "directed")


def with_direction(source: Source, graph: Graph, directed: bool | None) -> Graph:
    """Return a graph just read as what `directed` says; for None as undirected if every arc has its opposite.

    Opposites have the same weight. Looking for them is one pass over the arcs, a small part of the time to read them. A
    graph without arcs stays directed.
    """
    if not directed:
        symmetric = _core.looks_symmetric(graph.native, available_cores())
        if directed is False and not symmetric:
            raise source.error("directed is False, but the graph is not symmetric: some arc has no opposite.")
        graph._directed = directed is None and not (symmetric and graph.m > 0)  # nothing else refers to the graph yet
    return graph
