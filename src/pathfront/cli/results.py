"""Distances as files, by the ending of the name: what `solve --output` writes and `verify` reads.

    .npy      the distances, as they are, in the order of the vertices
    .csv      vertex, distance, parent (if computed), vertices by their names in the graph; empty where there is none
    .parquet  the same columns, null where there is none
    .arrows   the same columns as a stream of Apache Arrow, for other programs: only written
    .pfd      everything, see `pathfront.distances`

Whole numbers stay whole and floats keep every bit. Any of them may be compressed: .csv.gz.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from pathfront import distances
from pathfront.cli.errors import CommandLineError, naming_file
from pathfront.distances import Distances
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import MissingExtraError
from pathfront.formats.compression import without_compression
from pathfront.formats.files import Source, open_sink, open_source
from pathfront.formats.parquet import parquet_columns, parquet_schema
from pathfront.graph import NO_VERTEX
from pathfront.paths import ShortestPaths
from pathfront.validation import Array
from pathfront.wording import choice_message, shown

if TYPE_CHECKING:
    import pyarrow

    from pathfront.graph import Graph

_ROWS_PER_PIECE = 1 << 16
_LARGEST = 2**64 - 1
_OBJECT = 40
"""Bytes of a number as a Python object, and of the reference to it."""
_COLUMNS = ("vertex", "distance", "parent")
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,20}\s*")


def kind_of(path: str, option: str, kinds: Iterable[str]) -> str:
    """Return the ending that selects what to write, or raise an error before any work is done."""
    found = PurePath(without_compression(PurePath(path).name.lower())).suffix
    if found not in kinds:
        raise CommandLineError(f"{option} is {shown(path)}, but its name must end in one of {', '.join(kinds)}")
    _require_library(found)
    return found


def _require_library(kind: str) -> None:
    if kind in (".parquet", ".arrows"):
        _pyarrow(kind)


def writer_of(path: str, name: str | None) -> Callable[[ShortestPaths, str], None]:
    """Return the function that writes a kind of file, given by its name or else by the ending of the path."""
    if name is not None:
        if name not in _NAMES:
            raise CommandLineError(choice_message("--output-format", name, _NAMES).rstrip("."))
        _require_library(_NAMES[name])
        return WRITERS[_NAMES[name]]
    if path == "-":
        raise CommandLineError(f"--output is '-', which has no ending; add --output-format {' or '.join(_NAMES)}")
    return WRITERS[kind_of(path, "--output", WRITERS)]


def write(paths: ShortestPaths, file: str, kind: str | None = None) -> None:
    """Write the answer of a search; the file is replaced only when complete."""
    writer = writer_of(file, kind)
    with naming_file(file):
        writer(paths, file)


def read(file: str, graph: Graph, max_bytes: int | None = None) -> Distances:
    """Read distances on a graph that this or another program wrote."""
    kind = kind_of(file, "DISTANCES", READERS)
    with naming_file(file):
        return READERS[kind](open_source(file, max_bytes=max_bytes), graph)


def write_array(array: Array, file: str) -> None:
    """Write an array as .npy."""
    with open_sink(file) as sink:
        np.lib.format.write_array(sink.stream, array, allow_pickle=False)


def write_rows(columns: dict[str, Array], file: str) -> None:
    """Write arrays as columns of a .csv; masked entries are left empty."""
    write_pieces([columns], file)


def write_pieces(pieces: Iterable[dict[str, Array]], file: str) -> None:
    """Write pieces of a table, at least one, to a .csv."""
    with open_sink(file) as sink:
        for i, columns in enumerate(pieces):
            if i == 0:
                sink.write((",".join(columns) + "\n").encode())
            for start in range(0, len(next(iter(columns.values()))), _ROWS_PER_PIECE):
                text = io.StringIO()
                parts = [column[start : start + _ROWS_PER_PIECE].tolist() for column in columns.values()]
                csv.writer(text, lineterminator="\n").writerows(zip(*parts, strict=True))
                sink.write(text.getvalue().encode("utf-8", "surrogatepass"))


def _columns(paths: ShortestPaths) -> dict[str, Array]:
    graph, parent = paths.graph, paths._parent
    found: dict[str, Array] = {
        "vertex": graph.names_of(np.arange(graph.n, dtype=np.uint32)),
        "distance": paths.masked(),
    }
    if parent is not None:
        found["parent"] = graph.masked_names(parent)
    return found


def require_no_empty_name(graph: Graph, file: str, cure: str) -> None:
    """Raise an error if a name in a .csv could not be told from an empty cell."""
    if graph.has_label(""):
        what = "which .csv does not distinguish from no parent"
        raise CommandLineError(f"--output is {shown(file)}, but a vertex is named '', {what}; {cure}")


def _write_csv(paths: ShortestPaths, file: str) -> None:
    if paths._parent is not None:
        require_no_empty_name(paths.graph, file, "use .parquet or .pfd, or add --no-parents")
    write_rows(_columns(paths), file)


def arrow_table(given: dict[str, Array], file: str) -> Any:
    """Return arrays as a table of Apache Arrow; masked entries are null, and names that are no numbers text."""
    arrow, _ = _pyarrow()
    columns = {}
    for name, column in given.items():
        values = np.ma.getdata(column)
        if values.dtype.kind not in "iuf":
            values = np.array([str(value) for value in values.tolist()], object)
        try:
            columns[name] = arrow.array(values, mask=np.ma.getmaskarray(column))
        except UnicodeEncodeError as error:
            raise CommandLineError(
                f"--output is {shown(file)}, but {error.object!r} is not Unicode; use .csv"
            ) from None
    return arrow.table(columns)


def write_parquet(pieces: Iterable[dict[str, Array]], file: str) -> None:
    """Write pieces of a table, at least one, to a .parquet file."""
    _, parquet = _pyarrow()
    with open_sink(file) as sink, ExitStack() as opened:
        writer = None
        for piece in pieces:
            table = arrow_table(piece, file)
            if writer is None:
                writer = opened.enter_context(parquet.ParquetWriter(sink.stream, table.schema))
            writer.write_table(table)


def _write_arrow(paths: ShortestPaths, file: str) -> None:
    arrow, _ = _pyarrow(".arrows")
    table = arrow_table(_columns(paths), file)
    with open_sink(file) as sink, arrow.ipc.new_stream(sink.stream, table.schema) as stream:
        stream.write_table(table, max_chunksize=_ROWS_PER_PIECE)


def _read_npy(source: Source, graph: Graph) -> Distances:
    stream = source.stream()
    try:
        version = np.lib.format.read_magic(stream)
        header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, _, dtype = header(stream)
    except Exception as error:  # numpy evaluates the header as Python, which can fail in any way
        raise source.error("not a .npy file, or its header is damaged.") from error
    if len(shape) != 1 or dtype.kind not in "iuf":
        raise source.error(f"holds {dtype} of shape {shape}, but distances are one row of numbers.")
    start = stream.tell()
    if len(source) - start != shape[0] * dtype.itemsize:
        raise source.error(f"claims {shape[0]} distances of {dtype}, but {len(source) - start} bytes follow.")
    return Distances(source.bytes[start:].view(dtype).astype(dtype.newbyteorder("=")))


def _read_csv(source: Source, graph: Graph) -> Distances:
    try:
        text = bytes(source.bytes).decode("utf-8-sig", "surrogatepass") if len(source) else ""
        reader, rows = csv.reader(io.StringIO(text, newline="")), list[list[str]]()
        while piece := list(itertools.islice(reader, _ROWS_PER_PIECE)):  # Ctrl-C is noticed in between
            rows += piece
    except (UnicodeDecodeError, csv.Error) as error:
        raise source.error(f"not a .csv file: {error}.") from error
    header = [name.strip() for name in rows[0]] if rows else []
    if "distance" not in header:
        raise source.error("the first line must name the columns, one of them 'distance'.")
    for i, row in enumerate(rows):
        if len(row) != len(header):
            raise source.error(f"line {i + 1} has {len(row)} columns, but the first line has {len(header)}.")
    columns = {
        name: [row[i] if name == "vertex" else row[i] or None for row in rows[1:]] for i, name in enumerate(header)
    }
    return _from_columns(source, graph, columns)


def _read_parquet(source: Source, graph: Graph) -> Distances:
    arrow, _ = _pyarrow()
    try:
        names = [name for name in parquet_schema(source).names if name in _COLUMNS]
        table = parquet_columns(source, names, least=_OBJECT)
        columns = {name: table.column(name).to_pylist() for name in names}
    except (arrow.ArrowException, OSError) as error:
        raise source.error(f"not a .parquet file, or it is damaged: {str(error).splitlines()[0]}") from error
    if "distance" not in columns:
        raise source.error("has no column 'distance'.")
    return _from_columns(source, graph, columns)


def _from_columns(source: Source, graph: Graph, columns: dict[str, Any]) -> Distances:
    """Return distances in the order of the graph's vertices, which the column `vertex` names where there is one."""
    find = _finder(source, graph)
    distance = _as_array(source, [_number(source, cell) for cell in columns.get("distance", ())])
    parent = None
    if "parent" in columns:
        cells = columns["parent"]
        parent = np.array([NO_VERTEX if cell is None else find(cell, "parent") for cell in cells], np.uint32)
    if "vertex" in columns:
        vertices = np.array([find(cell, "vertex") for cell in columns["vertex"]], np.int64)
        order = np.argsort(vertices)
        if not np.array_equal(vertices[order], np.arange(graph.n)):
            raise source.error(f"the column 'vertex' must hold each of the graph's {graph.n} vertices once.")
        distance, parent = distance[order], None if parent is None else parent[order]
    return Distances(distance, parent)


def _finder(source: Source, graph: Graph) -> Callable[[Any, str], int]:
    """Return a function from a cell of a column to the position of the vertex that it names."""
    numbers = graph.numbers
    if numbers is None:
        known = {str(name): vertex for vertex, name in enumerate(graph.names_of(np.arange(graph.n)).tolist())}
        if len(known) < graph.n:
            raise source.error("several vertices of the graph have names that are written alike; use --by-index.")

    def find(cell: Any, column: str) -> int:
        vertex = None
        if numbers is None:
            vertex = known.get(str(cell))
        elif _is_integer(cell) and (whole := int(cell)) in numbers:
            vertex = numbers.index(whole)
        if vertex is None:
            raise source.error(f"{shown(cell)} in column '{column}' is not a vertex of the graph.")
        return vertex

    return find


def _is_integer(cell: Any) -> bool:
    return type(cell) is int or (isinstance(cell, str) and _INTEGER.fullmatch(cell) is not None)


def _number(source: Source, cell: Any) -> int | float | None:
    if cell is None:
        return None
    for kind in (int, float) if isinstance(cell, str) else ():
        with suppress(ValueError):
            return kind(cell)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return cell
    raise source.error(f"{shown(cell)} in column 'distance' is not a number.")


def _as_array(source: Source, values: list[int | float | None]) -> Array:
    known = [value for value in values if value is not None]
    if all(isinstance(value, int) for value in known):
        low, high = min(known, default=0), max(known, default=0)
        dtype: np.dtype[Any] = np.dtype(np.int64 if high < 2**63 - 1 else np.uint64)
        if low < np.iinfo(dtype).min or high >= _LARGEST:
            raise source.error("a distance does not fit 64 bits.")
    else:
        dtype = np.dtype(np.float64)
    marker = unreached_marker(dtype)
    try:
        array = np.array([marker if value is None else value for value in values], dtype)
    except OverflowError:
        raise source.error("a distance is too large for a number.") from None
    if dtype.kind == "f":
        # Text does not show which floats were added up, but sums of float64 rarely all fit float32.
        with np.errstate(over="ignore"):
            narrow = array.astype(np.float32)
        if np.array_equal(narrow, array, equal_nan=True):
            return narrow
    return array


def _pyarrow(ending: str = ".parquet") -> tuple[pyarrow, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(f"{ending} needs pyarrow: pip install 'pathfront[tables]'.") from error
    return pyarrow, pyarrow.parquet


WRITERS: dict[str, Callable[[ShortestPaths, str], None]] = {
    ".npy": lambda paths, file: write_array(paths.distance, file),
    ".csv": _write_csv,
    ".parquet": lambda paths, file: write_parquet([_columns(paths)], file),
    ".arrows": _write_arrow,
    ".pfd": distances.write,
}
_NAMES = {"arrow" if ending == ".arrows" else ending[1:]: ending for ending in WRITERS}
READERS: dict[str, Callable[[Source, Graph], Distances]] = {
    ".npy": _read_npy,
    ".csv": _read_csv,
    ".parquet": _read_parquet,
    ".pfd": lambda source, graph: distances.from_source(source),
}
