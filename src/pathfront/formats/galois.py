"""Galois binary graphs (`.gr`, `.sgr`): compressed sparse rows (CSR) as in memory, little-endian.

Version 1: four 64-bit numbers (version, bytes per weight, n, m), then n 64-bit row ends, m 32-bit heads, four bytes
of padding if m is odd, then m weights. Version 2 has 64-bit heads and so no padding. The file holds the width of
its weights but not their type, which is `uint32` or `uint64` unless `read(..., weights="float32")` says otherwise.
Every size follows from the header, so the file's length must match to the byte before anything is allocated.

The format does not say whether the graph is directed: it is undirected if every arc has its opposite of the same
weight. `directed=True` keeps it directed, and `directed=False` requires it to be symmetric.

The arrays are copied out of the file: a graph must not change when the file is overwritten.
"""

from __future__ import annotations

import struct

import numpy as np

from pathfront.dtypes import WEIGHT_TYPES
from pathfront.exceptions import ArgumentError
from pathfront.formats.direction import as_directed, with_direction
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format
from pathfront.graph import Graph
from pathfront.validation import Array, as_count

_HEADER = struct.Struct("<4Q")
_DEFAULT_TYPES = {4: "uint32", 8: "uint64"}


def read(source: Source, weights: str | None = None, directed: bool | None = None) -> Graph:
    """Read a graph; `weights` is the type of its weights."""
    directed = as_directed(directed)
    if weights is not None and weights not in WEIGHT_TYPES:
        raise ArgumentError(f"weights is {weights!r}, but it must be one of {', '.join(WEIGHT_TYPES)}.")
    version, width, n, m = _read_header(source)
    if weights is not None and np.dtype(weights).itemsize != width:
        raise source.error(f"weights is {weights!r}, but the file's weights have {width} bytes each.")
    head_width = 4 * version
    padding = 4 if version == 1 and m % 2 else 0
    size = _HEADER.size + 8 * n + head_width * m + (padding + width * m if width else 0)
    # Galois itself pads files without weights in some releases, so the padding may then be there or not.
    if len(source) not in (size, size + (padding if width == 0 else 0)):
        raise source.error(
            f"the header promises {n} vertices and {m} arcs, {size} bytes, but the file has {len(source)}; "
            "is it cut short?"
        )
    contents = source.bytes
    at_heads = _HEADER.size + 8 * n
    at_weights = at_heads + head_width * m + padding
    offsets = np.zeros(n + 1, np.int64)
    offsets[1:] = contents[_HEADER.size : at_heads].view("<i8")
    heads = contents[at_heads : at_heads + head_width * m].view(f"<u{head_width}")
    values: Array | None = None
    if width:
        values = contents[at_weights:].view(np.dtype(weights or _DEFAULT_TYPES[width]))
    with source.naming_file():
        graph = Graph.from_csr(offsets, heads, values)
    return with_direction(source, graph, directed)


def _read_header(source: Source) -> tuple[int, int, int, int]:
    if len(source) < _HEADER.size:
        raise source.error(
            f"a Galois graph begins with {_HEADER.size} bytes of header, but the file has {len(source)}."
        )
    version, width, n, m = _HEADER.unpack(source.head[: _HEADER.size])
    if version not in (1, 2):
        raise source.error(f"byte 0: the version is {version}, but only Galois versions 1 and 2 are known.")
    if width not in (0, 4, 8):
        raise source.error(f"byte 8: weights have {width} bytes each, but only 0, 4 and 8 are supported.")
    return version, width, n, m


def write(graph: Graph, sink: Sink, version: int = 1, weights: str | None = None) -> None:
    """Write every arc; `version` 2 has 64-bit heads, for programs that want them.

    The file does not record that weights are signed or floats: its readers must know, so `weights` must name their
    type when writing, too.
    """
    _require_type_known(graph, weights)
    if as_count(version, "version") not in (1, 2):
        raise ArgumentError(f"version is {version}, but it must be 1 or 2.")
    graph.check()
    width = 0 if graph.weights is None else graph.weights.itemsize
    sink.write(_HEADER.pack(version, width, graph.n, graph.m))
    sink.write(graph.offsets[1:].view(np.uint8))
    for start in range(0, graph.m, 1 << 20):
        piece = graph.heads[start : start + (1 << 20)]
        sink.write(piece.astype(f"<u{4 * version}", copy=False).view(np.uint8))
    if graph.weights is not None:
        sink.write(bytes(4) if version == 1 and graph.m % 2 else b"")
        sink.write(graph.weights.view(np.uint8))


def _require_type_known(graph: Graph, weights: str | None) -> None:
    if graph.weights is None:
        return
    actual = graph.weights.dtype
    if weights is None and (actual.kind == "f" or graph.weight_summary().first_negative >= 0):
        raise ArgumentError(
            f"the weights are {actual}, which a Galois file does not record; "
            f"pass weights={actual.name!r} now, and again when reading it."
        )
    if weights is not None and weights != actual.name:
        raise ArgumentError(f"weights is {weights!r}, but the graph's weights are {actual}.")


def _is_galois(head: bytes) -> bool:
    fields = _HEADER.unpack_from(head) if len(head) >= _HEADER.size else (0, 0)
    return fields[0] in (1, 2) and fields[1] in (0, 4, 8)


FORMAT = Format(
    name="galois",
    summary="Galois binary compressed rows, versions 1 and 2",
    suffixes=(".galois.gr", ".sgr"),
    sniff=_is_galois,
    read=read,
    write=write,
    holds=ARCS,
    read_options=("weights", "directed"),
    write_options=("version", "weights"),
)
