"""PACE treewidth graphs: `p tw N M`, then `U V` for each undirected edge, vertices from 1, no weights."""

from __future__ import annotations

import re

from pathfront import _core
from pathfront.formats.dimacs import COMMENTS
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format, Part
from pathfront.formats.pieces import write_arcs
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges

_HEADER = re.compile(COMMENTS + rb"p[ \t]+tw[ \t]")


def read(source: Source) -> Graph:
    """Read a graph."""
    with source.parsing() as progress:
        n, tails, heads, _ = _core.parse_dimacs(source.bytes, False, progress)
    source.require_plausible(n)
    return from_checked_edges(tails, heads, None, n=n, directed=False, first_id=1)


def write(graph: Graph, sink: Sink) -> None:
    """Write each undirected edge once."""
    sink.write(f"p tw {graph.n} {graph.to_edges().tails.size}\n".encode())
    write_arcs(graph, sink, base=1, once=True)


FORMAT = Format(
    name="pace",
    summary="PACE treewidth text (p tw, U V), undirected, no weights",
    suffixes=(".tw",),
    sniff=lambda head: _HEADER.match(head) is not None,
    read=read,
    write=write,
    holds=ARCS - {Part.WEIGHTS, Part.DIRECTED},
)
