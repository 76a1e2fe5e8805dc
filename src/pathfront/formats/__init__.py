"""Reading and writing graphs. One file of this folder per format defines `FORMAT`.

`read` reads and decompresses the file (`files.py`), detects the format from the contents, or from the name if they fit
several (plain columns of numbers), and calls that format's reader, which parses text natively (`cpp/text/`) and
builds the graph. Compression (.gz, .xz, .zst) is detected from the contents too, and chosen by name when writing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from pathfront.exceptions import ArgumentError, FormatError
from pathfront.formats import csv, dimacs, edge_list, galois, matrix_market, metis, npz, pace, parquet, pfg
from pathfront.formats.compression import without_compression
from pathfront.formats.dimacs import read_coordinates
from pathfront.formats.files import Source, open_sink, open_source
from pathfront.formats.format import Format, Part
from pathfront.formats.losses import fitted
from pathfront.graph import Graph, as_graph
from pathfront.validation import as_flag
from pathfront.wording import choice_message, option_message, shown

__all__ = ["Format", "Part", "get", "names", "read", "read_coordinates", "recognise", "write"]

# In the order in which contents are tried.
_FORMATS: tuple[Format, ...] = (
    pfg.FORMAT,
    dimacs.FORMAT,
    pace.FORMAT,
    matrix_market.FORMAT,
    galois.FORMAT,
    npz.FORMAT,
    parquet.FORMAT,
    edge_list.FORMAT,
    metis.FORMAT,
    csv.FORMAT,
)


def names() -> list[str]:
    """Return the names of all formats.

    >>> import pathfront as pf
    >>> "dimacs" in pf.formats.names()
    True
    """
    return [format.name for format in _FORMATS]


def get(name: str) -> Format:
    """Return a format by name.

    >>> import pathfront as pf
    >>> pf.formats.get("dimacs").suffixes
    ('.gr',)
    """
    for format in _FORMATS:
        if type(name) is str and format.name == name:
            return format
    raise ArgumentError(choice_message("format", name, names()))


def read(
    path: str | os.PathLike[str] | IO[bytes],
    format: str | None = None,
    *,
    max_bytes: int | None = None,
    **options: Any,
) -> Graph:
    """Read a graph from a file, from standard input (`-`) or from a binary file object.

    In Python vertices are 0..n-1, also if the file counts from 1 as DIMACS, METIS, Matrix Market and PACE files do:
    vertex v of the graph is `v + graph.first_id` in the file. Where the file has names, or ids with gaps or not from 0,
    these are the graph's labels, and vertices are given by them: see `Graph.labels`.

    Where the format does not say whether the graph is directed, as DIMACS and edge lists, it is read as undirected if
    every arc has its opposite of the same weight; `directed=True` keeps it directed.

    `options` are those of the format: see the module of its name in `pathfront.formats`. `max_bytes` limits the bytes
    that the contents of the file may have, unpacked: a small file may claim, or unpack to, more than the memory
    holds. It is half of the memory that this process may use unless given (of the machine's, of the container's, of
    `ulimit -v`). A `.pfg` file that is mapped takes no memory of its own and is not limited.

    >>> import io, pathfront as pf
    >>> pf.read(io.BytesIO(b"p sp 2 1\\na 1 2 7\\n")).weights.tolist()
    [7]
    """
    known, source = open_graph(path, format, options, max_bytes)
    return known.read(source, **options)


def open_graph(
    path: str | os.PathLike[str] | IO[bytes], format: str | None, options: dict[str, Any], max_bytes: int | None = None
) -> tuple[Format, Source]:
    """Open a file to be read with these options; return its format and its contents."""
    known = get(format) if format is not None else None
    mapped = as_flag(options.get("mmap", True), "mmap")
    source = open_source(path, mapped=pfg.MAGIC if mapped else None, max_bytes=max_bytes)
    if known is None:
        if len(source) == 0:
            raise FormatError(f"{source.name}: the file is empty.")
        known = recognise(source)
    _require_options(options, known.read_options, known.name)
    return known, source


def write(
    graph: object,
    path: str | os.PathLike[str] | IO[bytes],
    format: str | None = None,
    *,
    lossy: bool = False,
    **options: Any,
) -> None:
    """Write a graph to a file, to standard output (`-`) or to a binary file object.

    The format follows from the name unless given. The file is replaced only when the new one is complete. A graph with
    labels, coordinates or anything else that the format cannot hold (`pf.formats.get(name).cannot_hold`) is refused;
    with `lossy=True` it is written without. `.pfg` holds everything.

    >>> import io, pathfront as pf
    >>> file = io.BytesIO()
    >>> pf.write(pf.Graph.from_edges([0], [1], [7]), file, format="dimacs")
    >>> file.getvalue()
    b'p sp 2 1\\na 1 2 7\\n'
    """
    graph = as_graph(graph)
    known = format_of(path, format)
    _require_options(options, known.write_options, known.name)
    graph = fitted(graph, known, options, lossy=as_flag(lossy, "lossy"))
    with open_sink(path) as sink:
        known.write(graph, sink, **options)


def format_of(path: object, format: str | None = None) -> Format:
    """Return the format to write: the given one, or that of the file's name."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
    known = get(format) if format is not None else _by_name(str(name))
    if known is None:
        raise ArgumentError(
            f"the name {shown(name)} does not end like any format; pass format=, one of {', '.join(names())}."
        )
    return known


def recognise(source: Source) -> Format:
    """Detect a format: by contents that only it can have, else by the name, else by contents that it may have."""
    head = source.head
    for format in _FORMATS:
        if format.sniff(head):
            return format
    if dimacs.has_coordinates(head):
        raise source.error(
            "it holds coordinates, not a graph; use pf.read(GRAPH, coordinates=FILE) or pf.read_coordinates(FILE)."
        )
    by_name = _by_name(source.name)
    if by_name is not None:
        return by_name
    for format in _FORMATS:
        if format.resembles(head):
            return format
    raise source.error(f"not a graph file of a known format; pass format=, one of {', '.join(names())}.")


def _by_name(name: str) -> Format | None:
    bare = without_compression(Path(name).name.lower())
    # The longest ending wins: .galois.gr before .gr.
    fitting = [(len(s), f) for f in _FORMATS for s in f.suffixes if bare.endswith(s)]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def _require_options(options: dict[str, Any], known: tuple[str, ...], format: str) -> None:
    for name in options:
        if name not in known:
            raise ArgumentError(option_message(name, f"format {format!r}", known))
