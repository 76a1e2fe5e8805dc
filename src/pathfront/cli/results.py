"""Distances as files, by the ending of the name: what `solve --output` writes and `verify` reads.

    .npy      the distances, as they are
    .csv      vertex, label (where there are labels), distance, parent (if computed); empty where there is none
    .parquet  the same columns, null where there is none
    .pfd      everything, see `pathfront.distances`

Whole numbers stay whole and floats keep every bit. Any of them may be compressed: .csv.gz.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from contextlib import suppress
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
from pathfront.formats.tables import parquet_columns, parquet_schema
from pathfront.graph import NO_VERTEX
from pathfront.paths import ShortestPaths
from pathfront.validation import Array

if TYPE_CHECKING:
    import pyarrow

_ROWS_PER_PIECE = 1 << 16
_LARGEST = 2**64 - 1
_OBJECT = 40
"""Bytes of a number as a Python object, and of the reference to it."""


def kind_of(path: str, option: str, kinds: Iterable[str]) -> str:
    """Return the ending that selects what to write, or raise an error before any work is done."""
    found = PurePath(without_compression(PurePath(path).name.lower())).suffix
    if found not in kinds:
        raise CommandLineError(f"{option} is {path!r}, but its name must end in one of {', '.join(kinds)}")
    if found == ".parquet":
        _pyarrow()
    return found


def write(paths: ShortestPaths, file: str) -> None:
    """Write the answer of a search; the file is replaced only when complete."""
    kind = kind_of(file, "--output", WRITERS)
    with naming_file(file):
        WRITERS[kind](paths, file)


def read(file: str, max_bytes: int | None = None) -> Distances:
    """Read distances that this or another program wrote."""
    kind = kind_of(file, "DISTANCES", READERS)
    with naming_file(file):
        return READERS[kind](open_source(file, max_bytes=max_bytes))


def write_array(array: Array, file: str) -> None:
    """Write an array as .npy."""
    with open_sink(file) as sink:
        np.lib.format.write_array(sink.stream, array, allow_pickle=False)


def write_rows(columns: dict[str, Array], file: str) -> None:
    """Write arrays as columns of a .csv; masked entries are left empty."""
    with open_sink(file) as sink:
        sink.write((",".join(columns) + "\n").encode())
        for start in range(0, len(next(iter(columns.values()))), _ROWS_PER_PIECE):
            text = io.StringIO()
            parts = [column[start : start + _ROWS_PER_PIECE].tolist() for column in columns.values()]
            csv.writer(text, lineterminator="\n").writerows(zip(*parts, strict=True))
            sink.write(text.getvalue().encode("utf-8", "surrogatepass"))


def _columns(paths: ShortestPaths) -> dict[str, Array]:
    graph, parent = paths.graph, paths._parent
    found: dict[str, Array] = {"vertex": np.arange(graph.n, dtype=np.uint32)}
    if graph.labels is not None:
        found["label"] = graph.labels
    found["distance"] = np.ma.array(paths.distance, mask=~paths.reached)
    if parent is not None:
        found["parent"] = np.ma.array(parent, mask=parent == NO_VERTEX)
    return found


def _write_parquet(paths: ShortestPaths, file: str) -> None:
    arrow, parquet = _pyarrow()
    columns = {
        name: arrow.array(column.data, mask=np.ma.getmaskarray(column))
        if isinstance(column, np.ma.MaskedArray)
        else arrow.array(column.tolist() if name == "label" else column)
        for name, column in _columns(paths).items()
    }
    with open_sink(file) as sink:
        parquet.write_table(arrow.table(columns), sink.stream)


def _read_npy(source: Source) -> Distances:
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


def _read_csv(source: Source) -> Distances:
    try:
        rows = list(csv.reader(io.StringIO(bytes(source.bytes).decode("utf-8-sig"), newline=""))) if len(source) else []
    except (UnicodeDecodeError, csv.Error) as error:
        raise source.error(f"not a .csv file: {error}.") from error
    header = [name.strip() for name in rows[0]] if rows else []
    if "distance" not in header:
        raise source.error("the first line must name the columns, one of them 'distance'.")
    for i, row in enumerate(rows):
        if len(row) != len(header):
            raise source.error(f"line {i + 1} has {len(row)} columns, but the first line has {len(header)}.")
    return _from_columns(source, dict(zip(header, zip(*rows[1:], strict=True), strict=False)))


def _read_parquet(source: Source) -> Distances:
    arrow, _ = _pyarrow()
    try:
        names = [name for name in parquet_schema(source).names if name != "label"]
        table = parquet_columns(source, names, least=_OBJECT)
        columns = {name: table.column(name).to_pylist() for name in names}
    except (arrow.ArrowException, OSError) as error:
        raise source.error(f"not a .parquet file, or it is damaged: {str(error).splitlines()[0]}") from error
    if "distance" not in columns:
        raise source.error("has no column 'distance'.")
    return _from_columns(source, columns)


def _from_columns(source: Source, columns: dict[str, Any]) -> Distances:
    """Return distances in the order of the column `vertex`, where there is one."""
    dist = [_number(source, "distance", cell) for cell in columns.get("distance", ())]
    parent = [_number(source, "parent", cell) for cell in columns["parent"]] if "parent" in columns else None
    if "vertex" in columns:
        order = [_number(source, "vertex", cell) for cell in columns["vertex"]]
        if not all(isinstance(v, int) for v in order) or sorted(order) != list(range(len(dist))):  # type: ignore[type-var]
            raise source.error(f"the column 'vertex' must hold each of 0..{len(dist) - 1} once.")
        vertices = np.argsort(np.array(order, np.int64)).tolist()
        dist = [dist[i] for i in vertices]
        parent = None if parent is None else [parent[i] for i in vertices]
    return Distances(_as_array(source, dist), None if parent is None else _as_parents(source, parent))


def _number(source: Source, column: str, cell: Any) -> int | float | None:
    if cell is None or cell == "":
        return None
    for kind in (int, float) if isinstance(cell, str) else ():
        with suppress(ValueError):
            return kind(cell)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return cell
    raise source.error(f"{cell!r} in column '{column}' is not a number.")


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


def _as_parents(source: Source, values: list[int | float | None]) -> Array:
    if any(value is not None and (not isinstance(value, int) or not 0 <= value < NO_VERTEX) for value in values):
        raise source.error("the column 'parent' must hold vertices.")
    return np.array([NO_VERTEX if value is None else value for value in values], np.uint32)


def _pyarrow() -> tuple[pyarrow, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(".parquet needs pyarrow: pip install 'pathfront[tables]'.") from error
    return pyarrow, pyarrow.parquet


WRITERS: dict[str, Callable[[ShortestPaths, str], None]] = {
    ".npy": lambda paths, file: write_array(paths.distance, file),
    ".csv": lambda paths, file: write_rows(_columns(paths), file),
    ".parquet": _write_parquet,
    ".pfd": distances.write,
}
READERS: dict[str, Callable[[Source], Distances]] = {
    ".npy": _read_npy,
    ".csv": _read_csv,
    ".parquet": _read_parquet,
    ".pfd": distances.from_source,
}
