"""Matrix Market (`.mtx`): entry (i, j) of a sparse square matrix is the weight of the arc i -> j, counted from 1.

`pattern` matrices give graphs without weights, `integer` ones keep whole numbers, `symmetric` ones are undirected
graphs. Several entries with the same indices are parallel arcs; a stored zero is an arc of weight zero.

Writing is scipy's. Reading is not, though its parser (fast_matrix_market) is a good one: it allocates whatever the
size line claims, and a damaged last line without an end crashes the process.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format
from pathfront.formats.weights import as_read
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges

_BANNER = b"%%matrixmarket"
_FIELDS = {"pattern": "pattern", "integer": "integer", "unsigned-integer": "integer", "real": "real", "double": "real"}
_SIZES = re.compile(rb"(?:[ \t\r]*+(?:%[^\n]*+)?\n)*+[ \t]*+([^\n]*+)")


_LONGEST = 80
"""More bytes than the line of sizes has."""


class _Header(NamedTuple):
    field: str
    """pattern, integer or real."""
    symmetric: bool
    n: int
    entries: int
    begin: int
    """The byte behind the size line."""


def read(source: Source) -> Graph:
    """Read a graph."""
    header = _read_header(source)
    with source.parsing() as progress:
        rows, columns, values = _core.parse_matrix_entries(
            source.bytes, header.begin, header.n, header.entries, header.field, progress
        )
    weights = None if values is None else as_read(source, values)
    return from_checked_edges(rows, columns, weights, n=header.n, directed=not header.symmetric, first_id=1)


def _read_header(source: Source) -> _Header:
    banner = source.head.partition(b"\n")[0]
    words = banner.decode("latin-1").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise source.error("line 1: '%%MatrixMarket matrix coordinate FIELD SYMMETRY' expected.")
    layout, field, symmetry = words[2:]
    if layout != "coordinate":
        raise source.error(
            f"line 1: the matrix is {layout!r}, every entry written out, which does not show what is an edge; "
            "read it with scipy.io.mmread and use Graph.from_dense(matrix, no_edge=...)."
        )
    if field not in _FIELDS:
        raise source.error(f"line 1: the entries are {field!r}, but weights must be {', '.join(_FIELDS)}.")
    if symmetry not in ("general", "symmetric"):
        raise source.error(
            f"line 1: the matrix is {symmetry!r}, but graphs are only made of general or symmetric ones."
        )
    match = _SIZES.match(source.contents, len(banner) + 1)
    sizes = match[1][:_LONGEST].split() if match else []
    if len(sizes) != 3 or not all(size.isdigit() and len(size) < 20 for size in sizes):
        raise source.error("the line 'ROWS COLUMNS ENTRIES' is missing below the banner.")
    n, columns, entries = map(int, sizes)
    if n != columns:
        raise source.error(f"the matrix is {n} x {columns}, but a graph needs a square one.")
    source.require_plausible(n)
    begin = match.end() if match else len(source)
    return _Header(_FIELDS[field], symmetry == "symmetric", n, entries, begin)


def write(graph: Graph, sink: Sink) -> None:
    """Write every arc; of an undirected graph each edge once, in the lower triangle."""
    import scipy.io
    import scipy.sparse

    tails, heads, weights = graph.to_edges()
    symmetry: Literal["general", "symmetric"] = "general" if graph.directed else "symmetric"
    if weights is None and tails.size == 0:  # scipy would call it a matrix of integers
        sink.write(f"%%MatrixMarket matrix coordinate pattern {symmetry}\n{graph.n} {graph.n} 0\n".encode())
        return
    rows, columns = (tails, heads) if graph.directed else (heads, tails)
    index = np.int32 if graph.n < 2**31 else np.int64
    field: Literal["pattern"] | None = None
    if weights is not None and weights.dtype == np.float32:
        weights = weights.astype(np.float64)  # as which they will be read
    if weights is None:
        field, weights = "pattern", np.ones(tails.size, np.int8)
    matrix = scipy.sparse.coo_array((weights, (rows.astype(index), columns.astype(index))), shape=(graph.n, graph.n))
    scipy.io.mmwrite(sink.stream, matrix, field=field, symmetry=symmetry)


FORMAT = Format(
    name="matrix_market",
    summary="Matrix Market coordinate text; pattern, integer or real; general or symmetric",
    suffixes=(".mtx",),
    sniff=lambda head: head[: len(_BANNER)].lower() == _BANNER,
    read=read,
    write=write,
    holds=ARCS,
)
