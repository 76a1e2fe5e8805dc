"""Plain edge lists, as SNAP and many others publish them: `TAIL HEAD [WEIGHT]` on each line.

Columns are separated by blanks, tabs or commas; `#` and `%` start comments. Ids are whole numbers, and where they have
gaps the vertices that occur are numbered in increasing order, and `graph.labels` holds the ids; `compact=False` keeps
ids as they are, unused ones as isolated vertices.

Some programs put a line `N M SOURCE` first. It looks like an edge, and is taken for a header only if exactly M > 0
lines follow, all ids are below N, and SOURCE is; `header=True` or `False` decides otherwise. With a header ids are
the vertices themselves, and its source is `graph.default_source`.

Arcs are directed; with `directed=False` each line is an undirected edge. An undirected graph is written as
both of its arcs, integer labels as ids; without labels ids count from `graph.first_id`, below a header from 0. A plain
list cannot hold vertices without arcs, so these are refused unless a header is written:
`write(..., header=True, source=0)`.
"""

from __future__ import annotations

import re

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, FormatError
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import Format
from pathfront.formats.pieces import named, write_arcs, write_labelled_arcs
from pathfront.formats.weights import as_read
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.graph.labels import as_labels, number_names
from pathfront.validation import MOST_VERTICES, Array, as_flag

_NUMBER = rb"[+-]?[0-9][0-9.eE+-]*"
_FIRST_LINE = re.compile(
    rb"(?:[ \t]*(?:[#%][^\n]*)?\r?\n)*[ \t]*[0-9]+(?:[ \t]*,[ \t]*|[ \t]+)[0-9]+"
    rb"(?:(?:[ \t]*,[ \t]*|[ \t]+)" + _NUMBER + rb")?[ \t]*\r?(?:\n|$)"
)


def read(source: Source, header: bool | None = None, directed: bool = True, compact: bool = True) -> Graph:
    """Read a graph."""
    header = None if header is None else as_flag(header, "header")
    directed, compact = as_flag(directed, "directed"), as_flag(compact, "compact")
    try:
        with source.parsing() as progress:
            tails, heads, weights = _core.parse_edge_list(source.bytes, progress)
    except FormatError as error:
        if "a vertex id expected" not in str(error):
            raise
        raise FormatError(f"{error}; for names in place of numbers use format='csv'.") from None
    if header or (header is None and _has_header(tails, heads, weights)):
        return _read_below_header(source, tails, heads, weights, directed)
    values = None if weights is None else as_read(source, weights)
    if compact:
        numbered_tails, numbered_heads, names = number_names(tails, heads)
        n = len(names) if names is not None else _one_more(numbered_tails, numbered_heads)
        if n > MOST_VERTICES:
            raise source.error(f"there are {n} different ids, but {MOST_VERTICES} are the most possible.")
        if names is not None and names.dtype == np.uint64 and names[-1] <= np.iinfo(np.int64).max:
            names = names.astype(np.int64)
        return from_checked_edges(
            numbered_tails, numbered_heads, values, n=n, directed=directed, labels=as_labels(names, n)
        )
    n = _one_more(tails, heads)
    if n > MOST_VERTICES or n > source.plausible:
        raise source.error(f"with compact=False the id {n - 1} would make {n} vertices; leave compact=False out.")
    return from_checked_edges(tails, heads, values, n=n, directed=directed)


def _has_header(tails: Array, heads: Array, weights: Array | None) -> bool:
    if weights is None or tails.size < 2 or heads[0] != tails.size - 1:
        return False
    n, start = int(tails[0]), weights[0]
    return 0 <= start < n and start == int(start) and _one_more(tails[1:], heads[1:]) <= n


def _read_below_header(source: Source, tails: Array, heads: Array, weights: Array | None, directed: bool) -> Graph:
    if weights is None or tails.size == 0:
        raise source.error("header is True, but the file does not begin with a line 'N M SOURCE'.")
    n, m, start = int(tails[0]), int(heads[0]), weights[0]
    if tails.size - 1 != m:
        raise source.error(f"the header promises {m} arcs, but the file holds {tails.size - 1}.")
    if not (0 <= start < n and start == int(start)):
        raise source.error(f"the header's source is {start}, but the vertices are 0..{n - 1}.")
    tails, heads = tails[1:], heads[1:]
    largest = _one_more(tails, heads) - 1
    if largest >= n:
        raise source.error(f"vertex {largest} is not in 0..{n - 1}, the vertices that the header promises.")
    source.require_plausible(n)
    values = as_read(source, weights[1:])
    return from_checked_edges(tails, heads, values, n=n, directed=directed, default_source=int(start))


def _one_more(tails: Array, heads: Array) -> int:
    return max(int(tails.max()), int(heads.max())) + 1 if tails.size else 0


def write(graph: Graph, sink: Sink, header: bool = False, source: object = None) -> None:
    """Write every arc, below a comment with the counts; or below the line `N M SOURCE` with `header=True`."""
    graph.check()
    if as_flag(header, "header"):
        _write_below_header(graph, sink, source)
        return
    if source is not None:
        raise ArgumentError(f"source is {source!r}, but only a header can hold it; pass header=True.")
    labels = graph.labels
    if labels is not None and (labels.dtype.kind not in "iu" or labels.min(initial=0) < 0):
        raise ArgumentError(
            "the graph's labels are not whole numbers from 0; "
            "use format='csv', or graph.with_labels(None) to write vertices as numbers."
        )
    require_no_isolated(graph, "an edge list", "pass header=True" if labels is None else "use format='pfg'")
    sink.write(f"# Nodes: {graph.n} Edges: {graph.m}\n".encode())
    if labels is None:
        write_arcs(graph, sink, separator="\t", base=graph.first_id)
    else:
        write_labelled_arcs(graph, sink, labels)


def _write_below_header(graph: Graph, sink: Sink, source: object) -> None:
    if graph.weights is None:
        raise ArgumentError("the graph has no weights, but arcs below a header need them; use graph.with_weights(...).")
    if graph.labels is not None:
        raise ArgumentError("an edge list with a header cannot hold labels; use graph.with_labels(None) first.")
    if graph.n == 0:
        raise ArgumentError("the graph has no vertices, so the header could name no source; use format='pfg'.")
    given = graph.default_source if source is None else source
    start = 0 if given is None else graph.vertex(given, "source")
    sink.write(f"{graph.n} {graph.m} {start}\n".encode())
    write_arcs(graph, sink)


def require_no_isolated(graph: Graph, what: str, cure: str) -> None:
    """Refuse a graph with vertices that have no arcs, for formats that list only arcs."""
    seen = np.diff(graph.offsets) > 0
    seen[graph.heads] = True
    missing = np.flatnonzero(~seen)
    if missing.size:
        others = f" (nor have {missing.size - 1} others)" if missing.size > 1 else ""
        raise ArgumentError(f"{named(graph, int(missing[0]))} has no arcs{others}, so {what} would lose it; {cure}.")


FORMAT = Format(
    name="edge_list",
    summary="plain edge lists (SNAP and others), with or without a line N M SOURCE",
    suffixes=(".txt", ".el", ".wel", ".edges", ".edgelist", ".tsv"),
    sniff=lambda head: False,
    resembles=lambda head: _FIRST_LINE.match(head) is not None,
    read=read,
    write=write,
    needs_weights=lambda options: options.get("header") is True,
    read_options=("header", "directed", "compact"),
    write_options=("header", "source"),
)
