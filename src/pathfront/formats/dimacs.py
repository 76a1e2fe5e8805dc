"""DIMACS shortest-path graphs: `p sp N M`, then `a TAIL HEAD WEIGHT` for each arc, vertices from 1.

The format of the 9th DIMACS Implementation Challenge. Coordinates are in a second file, `p aux sp co N` and
`v ID X Y`, whole numbers (there: millionths of a degree); `read(..., coordinates=FILE)` attaches them.

An undirected graph is written as both of its arcs. The format does not say that it is one: a graph is read as
undirected if every arc has its opposite of the same weight; `directed=True` keeps it directed, and `directed=False`
requires it to be symmetric.

Weights are whole numbers in the challenge's files. Here they may be floats: they are if one of them has a point or
an exponent, and are written so. A weight that would be rounded to 0 or infinity is an error, and so is a whole number
beside floats that no float64 holds exactly.
"""

from __future__ import annotations

import os
import re
from typing import IO

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError
from pathfront.formats.direction import as_directed, with_direction
from pathfront.formats.files import Sink, Source, open_sink, open_source
from pathfront.formats.format import ARCS, Format, Part
from pathfront.formats.pieces import write_arcs
from pathfront.formats.weights import as_read
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.validation import Array

COMMENTS = rb"(?:[ \t\r]*+(?:c[^\n]*+)?\n)*+[ \t]*+"
_HEADER = re.compile(COMMENTS + rb"p[ \t]+sp[ \t]")
_COORDINATES = re.compile(COMMENTS + rb"p[ \t]+aux[ \t]+sp[ \t]+co[ \t]")

File = str | os.PathLike[str] | IO[bytes]


def read(source: Source, coordinates: File | None = None, directed: bool | None = None) -> Graph:
    """Read a graph, and its coordinates from a second file if given."""
    directed = as_directed(directed)
    with source.parsing() as progress:
        n, tails, heads, weights = _core.parse_dimacs(source.bytes, True, progress)
    source.require_plausible(n)
    graph = from_checked_edges(tails, heads, as_read(source, weights), n=n, directed=True, first_id=1)
    graph = with_direction(source, graph, directed)
    if coordinates is None:
        return graph
    points = read_coordinates(coordinates, max_bytes=source.max_bytes)
    if len(points) != n:
        raise source.error(f"the graph has {n} vertices, but the coordinates are for {len(points)}.")
    return graph.with_coordinates(points)


def has_coordinates(head: bytes) -> bool:
    """Return whether a file that begins like this holds coordinates."""
    return _COORDINATES.match(head) is not None


def read_coordinates(file: File, *, max_bytes: int | None = None) -> Array:
    """Read a DIMACS coordinate file (`.co`): an array of n rows of two whole numbers; `max_bytes` as in `pf.read`.

    >>> import io, pathfront as pf
    >>> pf.read_coordinates(io.BytesIO(b"p aux sp co 1\\nv 1 -73530767 41085396\\n")).tolist()
    [[-73530767, 41085396]]
    """
    source = open_source(file, max_bytes=max_bytes)
    with source.parsing() as progress:
        points = np.asarray(_core.parse_coordinates(source.bytes, progress))
    return points.reshape(-1, 2)


def write(graph: Graph, sink: Sink, coordinates: File | None = None) -> None:
    """Write every arc, and the coordinates if a second file is given."""
    if graph.weights is None:
        raise ArgumentError("the graph has no weights, but DIMACS arcs need them; use graph.with_weights(...).")
    if coordinates is not None:
        write_coordinates(graph, coordinates)
    sink.write(f"p sp {graph.n} {graph.m}\n".encode())
    write_arcs(graph, sink, prefix="a ", base=1)


def write_coordinates(graph: Graph, file: File) -> None:
    """Write the coordinates to a file of their own; they must be whole numbers."""
    points = graph.coordinates
    if points is None or points.dtype.kind != "i" or points.shape[1] != 2:
        raise ArgumentError("DIMACS coordinates are pairs of whole numbers, which this graph does not have.")
    with open_sink(file) as sink:
        sink.write(f"p aux sp co {graph.n}\n".encode())
        for start in range(0, graph.n, 1 << 16):
            rows = points[start : start + (1 << 16)].tolist()
            sink.write("".join(f"v {start + i + 1} {x} {y}\n" for i, (x, y) in enumerate(rows)).encode())


FORMAT = Format(
    name="dimacs",
    summary="DIMACS shortest-path text (p sp, a U V W)",
    suffixes=(".gr",),
    sniff=lambda head: _HEADER.match(head) is not None,
    read=read,
    write=write,
    holds=ARCS,
    holds_with=lambda options: ARCS | ({Part.COORDINATES} if options.get("coordinates") is not None else set()),
    cures={Part.COORDINATES: "coordinates=FILE writes them to a second file;"},
    needs_weights=lambda options: True,
    read_options=("coordinates", "directed"),
    write_options=("coordinates",),
)
