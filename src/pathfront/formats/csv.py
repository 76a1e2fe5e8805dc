"""Comma-separated columns (`.csv`): a row per arc. Reading needs pyarrow (`pip install "pathfront[tables]"`).

The columns are those named `tail`, `head` and `weight`, or `source` and `target`, `from` and `to`, `src` and `dst`, `u`
and `v` (a single column behind these is the weight, whatever its name; others without one named `weight` are an
error), and otherwise the first two and, if there is one, the third; the options `tail=`, `head=` and `weight=` name
others, and `weight=False` reads none. Ids may be whole numbers or names; `graph.labels` keeps them.

The first line names the columns if it has such names, or if it is text above columns of numbers. If one of its fields
is a number, it is an arc. Where neither holds, as in a list of pairs of names, it cannot be told: `header=True` or
`False` must say it. No row is left out.

The format does not say whether the graph is directed: it is undirected if every arc has its opposite of the same
weight. `directed=True` keeps it directed; `directed=False` makes every row an undirected edge.

Without labels the ids that are written count from `graph.first_id`.

Weights are floats if one of them has a point or an exponent, and are written so. Names that look like numbers, or have
line breaks, are not written: they would be read as something else.
"""

from __future__ import annotations

import csv
import re
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.formats.direction import as_directed
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format, Part, first_refused
from pathfront.formats.pieces import write_arcs, write_labelled_arcs
from pathfront.formats.tables import Columns, Weight, arrow, choose_columns, name_ends, require_values, to_graph
from pathfront.formats.weights import as_read
from pathfront.graph import Graph
from pathfront.validation import Array, as_flag

_NUMBER = re.compile(r"\s*[+-]?(0x[\da-f]+|(\d+\.?\d*|\.\d+|inf(inity)?|nan)(e[+-]?\d+)?)\s*", re.IGNORECASE)
_MISSING = frozenset({"", "#n/a", "#n/a n/a", "#na", "-1.#ind", "-1.#qnan", "1.#ind", "1.#qnan", "n/a", "na", "null"})
_UNWRITABLE = re.compile(r"[\r\n\0\ud800-\udfff]")
_FIRST_LINE = re.compile(rb"[^\r\n\x00-\x08\x0e-\x1f]*")


def read(
    source: Source,
    tail: str | None = None,
    head: str | None = None,
    weight: Weight = None,
    directed: bool | None = None,
    header: bool | None = None,
) -> Graph:
    """Read a graph."""
    directed = as_directed(directed)
    first = _first_fields(source)
    named = None if header is None else as_flag(header, "header")
    if named is None:
        named = _names_columns(first, chosen=tail is not None or head is not None or weight is not None)
    if named is not False and _is_one_line(source):
        if named is None:
            raise _undecided(source, first)
        columns = choose_columns(source, first, tail, head, weight)
        return Graph.from_edges([], [], None if columns[2] is None else np.empty(0, np.uint32))
    with source.parsed_by("pyarrow"):
        table, columns = _table(source, named is not False, tail, head, weight)
    require_values(source, table, columns)
    if named is None and not _is_number(table, columns):
        raise _undecided(source, first)
    frame: dict[str, Any] = {name: table.column(name) for name in columns[:2]}
    if columns[2] is not None:
        frame[columns[2]] = _weights(source, table.column(columns[2]), columns[2])
    return to_graph(source, frame, columns, directed)


def _names_columns(first: list[str], *, chosen: bool) -> bool | None:
    """Return whether the first line names the columns; None if that depends on the lines below."""
    if chosen or name_ends(first):
        return True
    return False if any(_NUMBER.fullmatch(field) for field in first) else None


def _is_number(table: Any, columns: Columns) -> bool:
    """Return whether a column has numbers only, so that text above it is a name."""
    return columns[2] is not None or any(_is_numeric(table, name) for name in columns[:2])


def _undecided(source: Source, first: list[str]) -> Exception:
    line = ",".join(first)
    return source.error(
        f"line 1: {line[:60]!r} may name the columns or be an arc; pass header=True or header=False to say which."
    )


def _table(source: Source, named: bool, tail: str | None, head: str | None, weight: Weight) -> tuple[Any, Columns]:
    """Read the file: weights as text, ids as integers if all are, otherwise as text."""
    reader, lib = arrow("csv"), arrow()
    naming = reader.ReadOptions(autogenerate_column_names=not named)

    def options(types: dict[str, Any]) -> dict[str, Any]:
        # an empty field is no name, unless it is quoted; NA is one
        missing = {"null_values": [""], "strings_can_be_null": True, "quoted_strings_can_be_null": False}
        converting = reader.ConvertOptions(column_types=types, **missing) if types else None
        return {"read_options": naming, "convert_options": converting}

    def read(types: dict[str, Any]) -> Any:
        return reader.read_csv(lib.BufferReader(source.bytes), **options(types))

    with reader.open_csv(lib.BufferReader(source.bytes), **options({})) as beginning:
        columns = choose_columns(source, beginning.schema.names, tail, head, weight)
    types = {} if columns[2] is None else {columns[2]: lib.large_string()}
    table = read(types)
    if not all(_is_numeric(table, name) for name in columns[:2]):
        # read both as text, or the name 7 in one column would not be the name 7 in the other
        return read(types | dict.fromkeys(columns[:2], lib.string())), columns
    for name in columns[:2]:
        if str(table.schema.field(name).type) == "double":  # as pyarrow reads whole numbers beyond int64
            try:
                read(types | {name: lib.uint64()})
            except lib.ArrowInvalid:
                continue
            types[name] = lib.uint64()
            table = read(types)
    return table, columns


def _is_numeric(table: Any, name: str) -> bool:
    return str(table.schema.field(name).type).startswith(("int", "uint", "double", "float"))


def _weights(source: Source, column: Any, name: str) -> Array:
    """Return a column of text as weights, by the rules of the other text formats."""
    cells = column.combine_chunks()
    _, starts, text = cells.buffers()
    ends = np.frombuffer(starts, np.int64)[cells.offset : cells.offset + len(cells) + 1]
    try:
        found: Array = _core.parse_weights(np.frombuffer(text or b"", np.uint8), ends)  # type: ignore[assignment]
        return as_read(source, found)
    except _core.ParseError as error:
        raise source.error(f"column {name!r} is not a column of numbers: {error}.") from None


def _first_line(head: bytes) -> str:
    match = _FIRST_LINE.match(head)
    return match[0].decode("utf-8", errors="replace").strip("\ufeff") if match else ""


def _first_fields(source: Source) -> list[str]:
    try:
        return next(csv.reader([_first_line(source.head)]), [])
    except csv.Error as error:
        raise source.error(f"line 1: {error}.") from None


def _is_one_line(source: Source) -> bool:
    head = source.head
    match = _FIRST_LINE.match(head)
    line, below = head[: match.end() if match else 0], head[match.end() if match else 0 :]
    return bool(line.strip()) and not below.strip() and len(source) == len(head)


def write(graph: Graph, sink: Sink) -> None:
    """Write one row per arc, below a line that names the columns."""
    graph.check()
    sink.write(b"tail,head,weight\n" if graph.weights is not None else b"tail,head\n")
    if graph.labels is None:
        write_arcs(graph, sink, separator=",", base=graph.first_id)
    else:
        write_labelled_arcs(graph, sink, _as_fields(graph.labels), separator=",")


def _refuses(labels: Array) -> str | None:
    if labels.dtype.kind in "iu":
        return None
    if labels.size and all(type(name) is str and _looks_like_number(name) for name in labels.tolist()):
        return " (all of them look like numbers, as which they would be read)"
    kept = "all whole numbers, or all names without line breaks"
    return first_refused(labels, lambda name: type(name) is str and _UNWRITABLE.search(name) is None, kept)


def _as_fields(labels: Array) -> Array:
    """Return labels as they are written: whole numbers, or names in quotation marks."""
    if labels.dtype.kind in "iu":
        return labels
    return np.array(['"' + name.replace('"', '""') + '"' for name in labels.tolist()], object)


def _looks_like_number(name: str) -> bool:
    return _NUMBER.fullmatch(name) is not None or name.strip().lower() in _MISSING


def _resembles(head: bytes) -> bool:
    line = _first_line(head)
    ended = head[len(line.encode("utf-8", errors="replace")) :][:1] in (b"", b"\n", b"\r")
    return ended and "," in line and not all(_NUMBER.fullmatch(field) for field in line.split(","))


FORMAT = Format(
    name="csv",
    summary="comma-separated columns tail, head, weight (reading needs pathfront[tables])",
    suffixes=(".csv",),
    sniff=lambda head: False,
    resembles=_resembles,
    read=read,
    write=write,
    holds=ARCS - {Part.ISOLATED} | {Part.LABELS},
    refuses_labels=_refuses,
    read_options=("tail", "head", "weight", "directed", "header"),
)
