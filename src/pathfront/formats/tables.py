"""Columns of tables: Parquet and CSV, through pyarrow (`pip install "pathfront[tables]"`).

A row is an arc. Its columns are those named `tail`, `head` and `weight`, or `source` and `target`, or `from` and `to`
(a single column beside these is the weight, whatever its name), and otherwise the first two and, if there is one, the
third; the options `tail=`, `head=` and `weight=` name others.
Ids may be whole numbers or names; `graph.labels` keeps them. `directed=False` makes every row an undirected edge.

Written are the columns tail, head and weight, with labels where the graph has some (numbers that count from
`graph.first_id` otherwise), and both arcs of an undirected
edge. A table of arcs cannot hold vertices without arcs: such graphs are refused. CSV does not distinguish
numbers from names that look like numbers, so graphs with such names only are refused there.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError, MissingExtraError
from pathfront.formats.edge_list import require_no_isolated
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import Format
from pathfront.graph import Graph, interop
from pathfront.validation import as_flag

_ENDS = (("tail", "head"), ("source", "target"), ("from", "to"))
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+|inf(inity)?|nan)([eE][+-]?\d+)?\s*", re.IGNORECASE)
_MISSING = frozenset({"", "#n/a", "#n/a n/a", "#na", "-1.#ind", "-1.#qnan", "1.#ind", "1.#qnan", "n/a", "na", "null"})
_STRINGS = frozenset({"string", "large_string"})
_BATCH = 1 << 16
_FIRST_LINE = re.compile(rb"[^\n\x00-\x08\x0e-\x1f]*")


def _arrow(module: str) -> Any:
    try:
        return __import__(f"pyarrow.{module}", fromlist=["_"])
    except ImportError:
        raise MissingExtraError('Parquet and CSV need pyarrow: pip install "pathfront[tables]".') from None


def read_parquet(
    source: Source, tail: str | None = None, head: str | None = None, weight: str | None = None, directed: bool = True
) -> Graph:
    """Read a graph from a Parquet file."""
    directed = as_flag(directed, "directed")
    with source.parsed_by("pyarrow"):
        columns = _columns(source, parquet_schema(source).names, tail, head, weight)
        table = parquet_columns(source, [column for column in columns if column is not None])
    return _graph(source, table, columns, directed)


def parquet_schema(source: Source) -> Any:
    """Return the names and types of the columns in a Parquet file."""
    return _parquet_file(source).schema_arrow


def parquet_columns(source: Source, names: list[str], *, least: int = 1) -> Any:
    """Return columns of a Parquet file as a table, where a cell counts as `least` bytes at the least.

    Runs of equal values take no room in the file, so its size says nothing: the rows are counted before they are
    read, and the bytes of each batch after. Strings are read as a dictionary, in which every string is stored once.
    """
    schema = parquet_schema(source)
    types = {name: schema.field(name).type for name in names}
    file = _parquet_file(source, read_dictionary=[name for name, type in types.items() if str(type) in _STRINGS])
    row = sum(max(least, _width(type)) for type in types.values())
    source.require_memory(row * file.metadata.num_rows, f"the {file.metadata.num_rows} rows")
    batches: list[Any] = []
    taken = 0
    for batch in file.iter_batches(_BATCH, columns=names):
        taken += batch.nbytes
        source.require_memory(taken, f"{len(batches) + 1} batches of {_BATCH} rows")
        batches.append(batch)
    return _arrow("lib").Table.from_batches(batches, None if batches else file.schema_arrow).select(names)


def _parquet_file(source: Source, **options: Any) -> Any:
    return _arrow("parquet").ParquetFile(_arrow("lib").py_buffer(source.bytes), **options)


def _width(type: Any) -> int:
    """Return the bytes of a value; for strings those of a reference to one."""
    try:
        return -(-int(type.bit_width) // 8)
    except ValueError:
        return 8


def read_csv(
    source: Source, tail: str | None = None, head: str | None = None, weight: str | None = None, directed: bool = True
) -> Graph:
    """Read a graph from comma-separated columns; the first line names them unless it is all numbers."""
    csv, arrow = _arrow("csv"), _arrow("lib")
    directed = as_flag(directed, "directed")
    first = _first_line(source.head)
    naming = csv.ReadOptions(autogenerate_column_names=_all_numbers(first))

    def read(**types: Any) -> Any:
        # an empty field is no name, unless it is quoted; NA is one
        missing = {"null_values": [""], "strings_can_be_null": True, "quoted_strings_can_be_null": False}
        named = {name: kind for name, kind in types.items() if name}
        options = csv.ConvertOptions(column_types=named, **missing) if types else None
        return csv.read_csv(arrow.BufferReader(source.bytes), read_options=naming, convert_options=options)

    with source.parsed_by("pyarrow"):
        table = read()
        columns = _columns(source, table.column_names, tail, head, weight)
        types: dict[str, Any] = {}
        ends = [str(table.schema.field(name).type) for name in columns[:2]]
        if not all(kind.startswith(("int", "uint", "double", "float")) for kind in ends):
            # read both as text, or the name 7 in one column would not be the name 7 in the other
            types |= dict.fromkeys(columns[:2], arrow.string())
        if columns[2] is not None and str(table.schema.field(columns[2]).type) == "double":
            types |= _whole(read, arrow, columns[2])
        table = read(**types) if types else table
    return _graph(source, table, columns, directed)


def _whole(read: Any, arrow: Any, weight: str) -> dict[str, Any]:
    """Keep whole numbers beyond int64 whole; pyarrow would make them floats."""
    try:
        read(**{weight: arrow.uint64()})
    except arrow.ArrowInvalid:
        return {}
    return {weight: arrow.uint64()}


def _first_line(head: bytes) -> str:
    match = _FIRST_LINE.match(head)
    return match[0].decode("utf-8", errors="replace").strip("\r\ufeff") if match else ""


def _all_numbers(line: str) -> bool:
    return all(_NUMBER.fullmatch(field) for field in line.split(","))


def _columns(
    source: Source, names: list[str], tail: str | None, head: str | None, weight: str | None
) -> tuple[str, str, str | None]:
    """Choose the columns for tails, heads and weights."""
    for argument, name in (("tail", tail), ("head", head), ("weight", weight)):
        if name is not None and name not in names:
            raise source.error(f"{argument} is {name!r}, but the columns are {', '.join(names)}.")
    for name in names:
        if names.count(name) > 1:
            raise source.error(f"two columns are named {name!r}; every column needs its own name.")
    if (tail is None) != (head is None):
        raise ArgumentError("tail and head are both needed, or neither.")
    if tail is not None and head is not None:
        return tail, head, weight or ("weight" if "weight" in names else None)
    lower = {name.lower(): name for name in names}
    for one, other in _ENDS:
        if one in lower and other in lower:
            others = [name for name in names if name not in (lower[one], lower[other])]
            return lower[one], lower[other], weight or lower.get("weight") or (others[0] if len(others) == 1 else None)
    rest = [name for name in names if name != weight]
    if len(rest) < 2:
        raise source.error(f"two columns for the ends of arcs are needed, but there are only {', '.join(names)}.")
    return rest[0], rest[1], weight or (rest[2] if len(rest) > 2 else None)


def _graph(source: Source, table: Any, columns: tuple[str, str, str | None], directed: bool) -> Graph:
    for name in columns:
        if name is not None and table.column(name).null_count:
            row = table.column(name).is_null().index(True).as_py()
            raise source.error(f"column {name!r} has no value in row {row + 1}; fill it or drop the row.")
    with source.parsed_by("pyarrow"), source.naming_file():
        frame = {name: _shared(table.column(name)) for name in columns if name is not None}
        return interop.from_dataframe(frame, *columns, directed=directed)


def _shared(column: Any) -> Any:
    """Return a column read as a dictionary as references to its strings, each made once; any other as it is."""
    if not str(column.type).startswith("dictionary"):
        return column
    column = column.unify_dictionaries()
    if column.num_chunks == 0:
        return np.empty(0, object)
    names = np.array([*column.chunk(0).dictionary.to_pylist()], object)
    return names[np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks])]


def _table(graph: Graph) -> Any:
    arrow = _arrow("lib")
    graph.check()
    require_no_isolated(graph, "a table of arcs", "use format='pfg'")
    columns: dict[str, Any] = {"tail": graph.tails(), "head": graph.heads}
    if graph.labels is not None:
        columns = {name: graph.names_of(vertices) for name, vertices in columns.items()}
    elif graph.first_id:
        columns = {name: vertices.astype(np.int64) + graph.first_id for name, vertices in columns.items()}
    if graph.weights is not None:
        columns["weight"] = graph.weights
    try:
        return arrow.Table.from_pydict({name: arrow.array(column) for name, column in columns.items()})
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, arrow.ArrowNotImplementedError) as error:
        raise ArgumentError(
            f"the graph's labels do not fit a column: {error}; use graph.with_labels(None) to write numbers."
        ) from None


def write_parquet(graph: Graph, sink: Sink) -> None:
    """Write one row per arc."""
    _arrow("parquet").write_table(_table(graph), _arrow("lib").PythonFile(sink.stream, mode="w"))


def write_csv(graph: Graph, sink: Sink) -> None:
    """Write one row per arc, below a line that names the columns."""
    labels = graph.labels
    if labels is not None and labels.dtype.kind not in "iu" and all(_looks_like_number(name) for name in labels):
        raise ArgumentError(
            "the graph's labels are names that look like numbers, as which CSV would be read; use parquet."
        )
    if graph.weights is not None and graph.weights.dtype == np.float32:
        graph = graph.with_weights(graph.weights.astype(np.float64))  # as which they will be read
    _arrow("csv").write_csv(_table(graph), _arrow("lib").PythonFile(sink.stream, mode="w"))


def _looks_like_number(name: object) -> bool:
    return _NUMBER.fullmatch(str(name)) is not None or str(name).strip().lower() in _MISSING


def _resembles_csv(head: bytes) -> bool:
    line = _first_line(head)
    ended = head[len(line.encode("utf-8", errors="replace")) :][:1] in (b"", b"\n", b"\r")
    return ended and "," in line and not _all_numbers(line)


PARQUET = Format(
    name="parquet",
    summary="Parquet columns tail, head, weight (needs pathfront[tables])",
    suffixes=(".parquet",),
    sniff=lambda head: head[:4] == b"PAR1",
    read=read_parquet,
    write=write_parquet,
    read_options=("tail", "head", "weight", "directed"),
)
CSV = Format(
    name="csv",
    summary="comma-separated columns tail, head, weight (needs pathfront[tables])",
    suffixes=(".csv",),
    sniff=lambda head: False,
    resembles=_resembles_csv,
    read=read_csv,
    write=write_csv,
    read_options=("tail", "head", "weight", "directed"),
)
