"""Plain edge lists, as SNAP and many others publish them: `TAIL HEAD [WEIGHT]` on each line.

Columns are separated by blanks, tabs or commas; `#` and `%` start comments. A first line of known names of columns, as
in `source target weight`, is skipped. Ids are whole numbers, and where they have gaps the vertices that occur are
numbered in increasing order, and `graph.labels` holds the ids; `compact=False` keeps ids as they are, unused ones as
isolated vertices. If one of the first line's ids is no number, all ids are names; `names=True` or `False` decides
otherwise.

Some programs put a line `N M SOURCE` first. It looks like an edge, and is taken for a header only if exactly M > 0
lines follow, all ids are below N, SOURCE is, and no comment above says `# Nodes:`, as SNAP's and those of `pf.write`
do; `header=True` or `False` decides otherwise. With a header ids are the vertices themselves, and its source is
`graph.default_source`.

The format does not say whether the graph is directed: it is undirected if every arc has its opposite of the same
weight. `directed=True` keeps it directed; `directed=False` makes each line an undirected edge. An undirected graph is
written as both of its arcs, labels as ids; without labels ids count from `graph.first_id`, below a header from 0. A
plain list cannot hold vertices without arcs: a file with a header can,
`write(..., header=True, source=0)`.

Weights are floats if one of them has a point or an exponent, and are written so. A weight that would be rounded to 0
or infinity is an error, and so is a whole number beside floats that no float64 holds exactly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, FormatError
from pathfront.formats.direction import as_directed, with_direction
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format, Part, first_refused
from pathfront.formats.pieces import write_arcs, write_labelled_arcs
from pathfront.formats.tables import name_ends
from pathfront.formats.weights import as_read
from pathfront.graph import Graph
from pathfront.graph.build import from_checked_edges
from pathfront.graph.labels import as_labels, name_array, number_names
from pathfront.validation import MOST_VERTICES, Array, as_flag

_PLAIN = ARCS - {Part.ISOLATED} | {Part.LABELS}
_WEIGHT = rb"[+-]?[0-9][0-9.eE+-]*"
_FIRST_LINE = re.compile(
    rb"(?:[ \t]*(?:[#%][^\n]*)?\r?\n)*+[ \t]*[0-9]+(?:[ \t]*,[ \t]*|[ \t]+)[0-9]+"
    rb"(?:(?:[ \t]*,[ \t]*|[ \t]+)" + _WEIGHT + rb")?[ \t]*\r?(?:\n|$)"
)
_LINE = re.compile(rb"(?:[ \t\r]*+(?:[#%][^\n]*+)?\n)*+([^\n]*+)\n?")
_LONGEST = 4096
"""More bytes than the ids of an edge have."""
_COUNTS = re.compile(rb"^[ \t]*#[ \t]*Nodes:", re.MULTILINE)
_WORD = re.compile(r"[^\x00-\x20\x7f,;#%\ud800-\udfff\ufeff][^\x00-\x20\x7f,;\ud800-\udfff]*")
_SEPARATORS = re.compile(r"[ \t\r,;]+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def read(
    source: Source,
    header: bool | None = None,
    directed: bool | None = None,
    compact: bool = True,
    names: bool | None = None,
) -> Graph:
    """Read a graph."""
    header = None if header is None else as_flag(header, "header")
    directed, compact = as_directed(directed), as_flag(compact, "compact")
    start = _read_start(source)
    named = start.is_named if names is None else as_flag(names, "names")
    if named and (header or not compact):
        raise ArgumentError("the ids are names, so header=True and compact=False mean nothing; leave them out.")
    if named:
        graph = _read_names(source, start, sure=names is not None, directed=directed is not False)
    else:
        graph = _read_numbers(source, start, header, directed is not False, compact)
    return graph if directed is False else with_direction(source, graph, directed)


class _Start(NamedTuple):
    """What the lines up to the first edge say."""

    begin: int
    """Where the edges begin: behind the names of columns, if the file has some."""
    line: int
    first: str
    """The line of the first edge."""
    is_named: bool
    """Whether its ids are names."""
    is_counted: bool
    """Whether a comment has the number of vertices, so that there is no line N M SOURCE."""


def _read_start(source: Source) -> _Start:
    at, end, words = _first_words(source, 0)
    is_counted = _COUNTS.search(source.bytes[:at].tobytes()) is not None
    begin = 0
    if name_ends(words[:2]):
        begin = end
        at, _, words = _first_words(source, begin)
    is_named = len(words) > 1 and any(_NUMBER.fullmatch(word) is None for word in words[:2])
    line = source.bytes[:at].tobytes().count(b"\n") + 1
    return _Start(begin, line, " ".join(words), is_named, is_counted)


def _first_words(source: Source, begin: int) -> tuple[int, int, list[str]]:
    """Return where the first line after `begin` that is no comment starts, where the next one starts, and its words."""
    match = _LINE.match(source.contents, begin)
    assert match is not None  # all of it is optional
    at, end = match.span(1)
    line = source.bytes[at : min(end, at + _LONGEST)].tobytes().decode("utf-8", errors="replace").strip()
    return at, match.end(), [] if line[:1] in ("", "#", "%") else _SEPARATORS.split(line)


def _read_names(source: Source, start: _Start, *, sure: bool, directed: bool) -> Graph:
    with source.parsing() as progress:
        tails, heads, weights, text, ends = _core.parse_named_edges(source.bytes, start.begin, progress)
    contents = text.tobytes()
    try:
        names = [contents[begin:end].decode() for begin, end in pairwise(ends.tolist())]
    except UnicodeDecodeError as error:
        raise source.error(f"the names are not UTF-8: {error}.") from None
    below = names[1 if tails.size and tails[0] == heads[0] else 2 :]
    if not sure and below and all(name.isdigit() for name in below):
        raise source.error(
            f"line {start.line}: {start.first[:60]!r} may name the columns, because all other ids are numbers; "
            "put # before the line if it does, or pass names=True."
        )
    values = None if weights is None else as_read(source, weights)
    labels = as_labels(name_array(names), len(names))
    return from_checked_edges(tails, heads, values, n=len(names), directed=directed, labels=labels)


def _read_numbers(source: Source, start: _Start, header: bool | None, directed: bool, compact: bool) -> Graph:
    try:
        with source.parsing() as progress:
            tails, heads, weights = _core.parse_edge_list(source.bytes, start.begin, progress)
    except FormatError as error:
        if "a vertex id expected" not in str(error):
            raise
        raise FormatError(f"{error}; pass names=True if ids are names, for negative ones use format='csv'.") from None
    if header or (header is None and not start.is_counted and _has_header(tails, heads, weights)):
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
    source.require_memory(8 * (n + 1), f"the {n} vertices up to the largest id")
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
    sink.write(f"# Nodes: {graph.n} Edges: {graph.m}\n".encode())
    if graph.labels is None:
        write_arcs(graph, sink, separator="\t", base=graph.first_id)
    else:
        write_labelled_arcs(graph, sink, graph.labels, separator="\t")


def _refuses(labels: Array) -> str | None:
    if labels.dtype.kind in "iu" and labels.min(initial=0) >= 0:
        return None
    kept = "all whole numbers from 0, or all names without blanks, commas and semicolons that are no numbers"
    return first_refused(labels, _is_word, kept)


def _is_word(name: object) -> bool:
    return type(name) is str and _WORD.fullmatch(name) is not None and _NUMBER.fullmatch(name) is None


def _held(options: Mapping[str, Any]) -> frozenset[Part]:
    if options.get("header") is True:
        return ARCS | {Part.SOURCE}
    return _PLAIN


def _write_below_header(graph: Graph, sink: Sink, source: object) -> None:
    if graph.weights is None:
        raise ArgumentError("the graph has no weights, but arcs below a header need them; use graph.with_weights(...).")
    if graph.n == 0:
        raise ArgumentError("the graph has no vertices, so the header could name no source; use format='pfg'.")
    if graph.m == 0:
        raise ArgumentError("the graph has no arcs, so the header would be read as one; use format='pfg'.")
    given = graph.default_source if source is None else source
    start = 0 if given is None else graph.vertex(given, "source")
    sink.write(f"{graph.n} {graph.m} {start}\n".encode())
    write_arcs(graph, sink)


FORMAT = Format(
    name="edge_list",
    summary="plain edge lists (SNAP and others), with or without a line N M SOURCE",
    suffixes=(".txt", ".el", ".wel", ".edges", ".edgelist", ".tsv"),
    sniff=lambda head: False,
    resembles=lambda head: _FIRST_LINE.match(head) is not None,
    read=read,
    write=write,
    holds=_PLAIN,
    holds_with=_held,
    cures={Part.ISOLATED: "header=True keeps vertices without arcs;"},
    refuses_labels=_refuses,
    needs_weights=lambda options: options.get("header") is True,
    read_options=("header", "directed", "compact", "names"),
    write_options=("header", "source"),
)
