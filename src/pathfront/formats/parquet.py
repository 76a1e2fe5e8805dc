"""Parquet (`.parquet`): a row per arc, in columns; needs pyarrow (`pip install "pathfront[tables]"`).

The columns are found as in CSV (`csv.py`): by the names `tail`, `head` and `weight` or their like, or by position; the
options `tail=`, `head=` and `weight=` name others. Ids may be whole numbers or names; `graph.labels` keeps them.

Written are the columns tail, head and weight, with labels where the graph has some, both arcs of an undirected
edge, and what a table of arcs cannot hold as metadata of the file, under the key `pathfront`: the number of vertices,
the vertices without arcs, and whether the graph is directed. A file without it is of an undirected graph if every arc
has its opposite of the same weight; `directed=True` keeps it directed, `directed=False` makes every row an undirected
edge.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import numpy as np

from pathfront.formats.direction import as_directed, with_direction
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format, Part, first_refused
from pathfront.formats.tables import Weight, arrow, as_names, choose_columns, require_values, to_graph
from pathfront.graph import Graph
from pathfront.graph.labels import number_names
from pathfront.validation import MOST_VERTICES, Array
from pathfront.workers import interruptible

_STRINGS = frozenset({"string", "large_string"})
_BATCH = 1 << 16
_ROW_GROUP = 1 << 17
"""Rows that are packed in one call, which takes less than 0.1 s."""
_KEY = b"pathfront"
_SURROGATE = re.compile("[\ud800-\udfff]")
_OURS = ("tail", "head")


def read(
    source: Source,
    tail: str | None = None,
    head: str | None = None,
    weight: Weight = None,
    directed: bool | None = None,
) -> Graph:
    """Read a graph."""
    directed = as_directed(directed)
    with source.parsed_by("pyarrow"):
        schema = parquet_schema(source)
        columns = choose_columns(source, schema.names, tail, head, weight)
        table = parquet_columns(source, [column for column in columns if column is not None])
        # reading leaves unchecked whether indices lie within their dictionary
        interruptible(lambda: table.validate(full=True))
    require_values(source, table, columns)
    frame = {name: as_names(table.column(name)) for name in columns if name is not None}
    extra = _extra(source, schema) if columns[:2] == _OURS else None
    if extra is None:
        return to_graph(source, frame, columns, directed)
    with source.parsed_by("pyarrow"), source.naming_file():
        graph = _complete_graph(source, frame, extra)
    return with_direction(source, graph, extra.directed or None if directed is None else directed)


class _Extra(NamedTuple):
    """What the file holds besides the table of arcs."""

    n: int
    directed: bool
    labels: bool
    """Whether the columns hold labels rather than the numbers of vertices."""
    first_id: int
    """The number of vertex 0, where they do not."""
    isolated: list[int | str]
    """The labels of the vertices without arcs."""


def _extra(source: Source, schema: Any) -> _Extra | None:
    text = (schema.metadata or {}).get(_KEY)
    if text is None:
        return None
    try:
        extra = _Extra(**json.loads(text))
    except (ValueError, TypeError, RecursionError):
        extra = None
    if (
        extra is None
        or [type(field) for field in extra] != [int, bool, bool, int, list]
        or not 0 <= extra.n <= MOST_VERTICES
        or not 0 <= extra.first_id <= MOST_VERTICES
        or not all(type(label) in (int, str) for label in extra.isolated)
    ):
        raise source.error("the metadata under the key 'pathfront' is damaged.")
    return extra


def _complete_graph(source: Source, frame: dict[str, Any], extra: _Extra) -> Graph:
    """Make the graph that was written, with its vertices without arcs."""
    tails, heads, *weights = (
        np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column) for column in frame.values()
    )
    values = weights[0] if weights else None
    if not extra.labels:
        source.require_memory(8 * (extra.n + 1), f"the {extra.n} vertices that the metadata claims")
        tails, heads = (column.astype(np.int64) - extra.first_id for column in (tails, heads))
        return Graph.from_edges(tails, heads, values, n=extra.n).counting_from(extra.first_id)
    alone = np.array(extra.isolated, tails.dtype)
    both = (np.concatenate([column, alone]) for column in (tails, heads))
    tails, heads, names = number_names(*both)
    m = tails.size - alone.size
    n = extra.n if names is None else len(names)
    return Graph.from_edges(tails[:m], heads[:m], values, n=n, labels=names)


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
    return arrow().Table.from_batches(batches, None if batches else file.schema_arrow).select(names)


def _parquet_file(source: Source, **options: Any) -> Any:
    return arrow("parquet").ParquetFile(arrow().py_buffer(source.bytes), **options)


def _width(type: Any) -> int:
    """Return the bytes of a value; for strings those of a reference to one."""
    try:
        return -(-int(type.bit_width) // 8)
    except ValueError:
        return 8


def write(graph: Graph, sink: Sink) -> None:
    """Write one row per arc."""
    graph.check()
    lib = arrow()
    tails, heads = graph.tails(), graph.heads
    isolated = np.ones(graph.n, bool)
    isolated[tails] = isolated[heads] = False
    alone: list[int | str] = []
    columns: dict[str, Any] = {"tail": tails, "head": heads}
    if graph.labels is not None:
        kind = None if graph.labels.dtype.kind in "iu" else lib.string()
        columns = {name: _named(graph.labels, vertices, kind) for name, vertices in columns.items()}
        alone = graph.labels[isolated].tolist()
    elif graph.first_id:
        columns = {name: vertices.astype(np.int64) + graph.first_id for name, vertices in columns.items()}
    if graph.weights is not None:
        columns["weight"] = graph.weights
    extra = _Extra(graph.n, graph.directed, graph.labels is not None, graph.first_id, alone)
    table = lib.Table.from_pydict(columns).replace_schema_metadata({_KEY: json.dumps(extra._asdict())})
    with arrow("parquet").ParquetWriter(lib.PythonFile(sink.stream, mode="w"), table.schema) as writer:
        for start in range(0, max(table.num_rows, 1), _ROW_GROUP):
            writer.write_table(table.slice(start, _ROW_GROUP))


def _named(labels: Array, vertices: Array, kind: Any) -> Any:
    """Return the labels of vertices as a column, made in pieces, between which Ctrl-C is noticed."""
    starts = range(0, max(vertices.size, 1), _BATCH)
    return arrow().chunked_array([arrow().array(labels[vertices[i : i + _BATCH]], kind) for i in starts])


def _refuses(labels: Array) -> str | None:
    if labels.dtype.kind in "iu":
        return None
    return first_refused(labels, _is_text, "all whole numbers or all strings")


def _is_text(name: object) -> bool:
    return type(name) is str and _SURROGATE.search(name) is None


FORMAT = Format(
    name="parquet",
    summary="Parquet columns tail, head, weight (needs pathfront[tables])",
    suffixes=(".parquet",),
    sniff=lambda head: head[:4] == b"PAR1",
    read=read,
    write=write,
    holds=ARCS | {Part.LABELS},
    refuses_labels=_refuses,
    read_options=("tail", "head", "weight", "directed"),
)
