"""pathfront's own format (`.pfg`): the graph's arrays as in memory, ready to be mapped.

Opening costs the same for any size: a plain file is mapped, and only its header is read. Before the arrays are first
used they are checked once, at memory speed: first the checksum of every section, then that they form a graph, an
undirected one with both arcs of every edge. So a damaged or forged file gives a FormatError and nothing worse.

A mapped file must not be modified while a graph of it is in use: changed arcs could lead anywhere, and if it is
truncated, the system kills the process (SIGBUS). `pf.write` never modifies a file: it replaces it by a new one. Where
other programs may write to it, use `pf.read(path, mmap=False)`, which reads the whole file into memory first.

The layout, all little-endian:

    magic `PFGRAPH\\0`, version u32, flags u32 (1: directed), n u64, m u64, default source u64 (all ones: none),
    number of sections u32, first_id u32 (what the file that the graph was first read from called vertex 0), then for
    each section: kind u32, type u32, offset u64, length u64, checksum u64, and the checksum u64 of everything before it
    (all checksums are XXH3, 64 bits).

Sections start at multiples of 64 bytes: offsets (n + 1 of int64), heads (m of uint32), weights (m of one of six
types), labels (n of int64 or uint64; or names as UTF-8 one after the other, with a section of n + 1 ends),
coordinates (n rows of 2 or 3 of int64 or float64).
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable, Iterator
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pathfront.formats.files import Sink, Source, checksum_of
from pathfront.formats.format import Format, Part, first_refused
from pathfront.graph import Graph
from pathfront.graph.labels import Labels, as_labels, name_array
from pathfront.validation import MOST_VERTICES, Array, as_flag

MAGIC = b"PFGRAPH\0"
_VERSION = 1
_DIRECTED = 1
_NO_SOURCE = 2**64 - 1
_ALIGNED = 64
_MOST_SECTIONS = 16
_HEADER = struct.Struct("<8sIIQQQII")
_SECTION = struct.Struct("<IIQQQ")
_CHECKSUM = struct.Struct("<Q")
# A type's number in the file is its index in this list.
_TYPES = ("uint8", "uint32", "int32", "uint64", "int64", "float32", "float64")


class _Kind(IntEnum):
    OFFSETS = 1
    HEADS = 2
    WEIGHTS = 3
    LABELS = 4
    LABEL_ENDS = 5
    COORDINATES = 6


_ALLOWED: dict[_Kind, tuple[tuple[str, ...], Callable[[int, int], tuple[int, ...]]]] = {
    _Kind.OFFSETS: (("int64",), lambda n, m: (n + 1,)),
    _Kind.HEADS: (("uint32",), lambda n, m: (m,)),
    _Kind.WEIGHTS: (_TYPES[1:], lambda n, m: (m,)),
    _Kind.LABELS: (("int64", "uint64", "uint8"), lambda n, m: (n,)),
    _Kind.LABEL_ENDS: (("int64",), lambda n, m: (n + 1,)),
    _Kind.COORDINATES: (("int64", "float64"), lambda n, m: (2 * n, 3 * n)),
}
"""The types that a section may have, and its numbers of entries for n vertices and m arcs."""


class _Section(NamedTuple):
    type: str
    offset: int
    length: int
    checksum: int


class _Header(NamedTuple):
    directed: bool
    n: int
    m: int
    default_source: int | None
    first_id: int
    sections: dict[_Kind, _Section]


def read(source: Source, mmap: bool = True) -> Graph:
    """Open a graph; the source has been mapped or not, as `mmap` asks."""
    as_flag(mmap, "mmap")
    header = _read_header(source)
    sections, contents = header.sections, source.bytes

    def array(kind: _Kind) -> Array:
        section = sections[kind]
        return contents[section.offset : section.offset + section.length].view(section.type)

    coordinates = None
    if _Kind.COORDINATES in sections:
        flat = array(_Kind.COORDINATES)
        coordinates = flat.reshape(header.n, flat.size // header.n if header.n else 2)
    labels = None
    if _Kind.LABELS in sections:
        ends = array(_Kind.LABEL_ENDS) if _Kind.LABEL_ENDS in sections else None
        names = array(_Kind.LABELS)
        labels = Labels(lambda: _names(source, header, names, ends))
    return Graph._make(
        array(_Kind.OFFSETS),
        array(_Kind.HEADS),
        array(_Kind.WEIGHTS) if _Kind.WEIGHTS in sections else None,
        directed=header.directed,
        labels=labels,
        coordinates=coordinates,
        default_source=header.default_source,
        first_id=header.first_id,
        unchecked=lambda: _checking(source, header, coordinates),
    )


def _read_header(source: Source) -> _Header:
    head = source.head
    if len(head) < _HEADER.size:
        raise source.error(f"a .pfg file begins with {_HEADER.size} bytes of header, but this one has {len(head)}.")
    magic, version, flags, n, m, start, count, first_id = _HEADER.unpack(head[: _HEADER.size])
    if magic != MAGIC:
        raise source.error("byte 0: not a .pfg file, which begins with 'PFGRAPH'.")
    if version != _VERSION:
        raise source.error(f"byte 8: it is a .pfg file of version {version}, but this pathfront reads {_VERSION} only.")
    end = _HEADER.size + _SECTION.size * count
    if count > _MOST_SECTIONS or len(head) < end + _CHECKSUM.size:
        raise source.error("the header is damaged or cut short.")
    if checksum_of(head[:end]) != _CHECKSUM.unpack(head[end : end + _CHECKSUM.size])[0]:
        raise source.error("the header is damaged: its checksum is wrong.")
    if n > MOST_VERTICES:
        raise source.error(f"the header promises {n} vertices, but {MOST_VERTICES} are the most possible.")
    if start != _NO_SOURCE and start >= n:
        raise source.error(f"the default source is {start}, but the vertices are 0..{n - 1}.")
    sections: dict[_Kind, _Section] = {}
    for kind, type, offset, length, checksum in _SECTION.iter_unpack(head[_HEADER.size : end]):
        if kind in sections or kind not in list(_Kind) or type >= len(_TYPES):
            raise source.error(f"the header lists a section of kind {kind} and type {type}, which cannot be.")
        sections[_Kind(kind)] = _Section(_TYPES[type], offset, length, checksum)
    header = _Header(bool(flags & _DIRECTED), n, m, None if start == _NO_SOURCE else start, first_id, sections)
    _require_sizes(source, header)
    _require_positions(source, header, end + _CHECKSUM.size)
    return header


def _require_sizes(source: Source, header: _Header) -> None:
    """Refuse sections whose type or length does not fit n and m."""
    n, m, sections = header.n, header.m, header.sections
    for kind in (_Kind.OFFSETS, _Kind.HEADS):
        if kind not in sections:
            raise source.error(f"the section {kind.name.lower()} is missing.")
    text = _Kind.LABELS in sections and sections[_Kind.LABELS].type == "uint8"
    if text != (_Kind.LABEL_ENDS in sections):
        raise source.error("the sections of the labels do not match.")
    for kind, section in sections.items():
        types, counts = _ALLOWED[kind]
        if section.type not in types:
            raise source.error(f"the section {kind.name.lower()} is of type {section.type}, which cannot be.")
        width = np.dtype(section.type).itemsize
        if section.length not in [count * width for count in counts(n, m)] and not (text and kind == _Kind.LABELS):
            raise source.error(
                f"the section {kind.name.lower()} has {section.length} bytes, which does not fit "
                f"{n} vertices and {m} arcs."
            )


def _require_positions(source: Source, header: _Header, after: int) -> None:
    """Refuse sections that are misaligned, overlap, or lie outside the file."""
    for kind, section in sorted(header.sections.items(), key=lambda item: item[1].offset):
        if section.offset % _ALIGNED or section.offset < after:
            raise source.error(f"the section {kind.name.lower()} starts at byte {section.offset}, which cannot be.")
        after = section.offset + section.length
        if after > len(source):
            raise source.error(
                f"the section {kind.name.lower()} ends at byte {after}, but the file has {len(source)} bytes; "
                "is it cut short?"
            )


@contextlib.contextmanager
def _checking(source: Source, header: _Header, coordinates: Array | None) -> Iterator[None]:
    """Compare the checksums, then the rows; errors name the file."""
    for kind in header.sections:
        _require_sound(source, header, kind)
    if coordinates is not None and not np.isfinite(coordinates).all():
        raise source.error("the coordinates hold NaN or infinite numbers.")
    with source.naming_file():
        yield


def _require_sound(source: Source, header: _Header, kind: _Kind) -> None:
    section = header.sections[kind]
    if checksum_of(source.bytes[section.offset : section.offset + section.length]) != section.checksum:
        raise source.error(
            f"the section {kind.name.lower()} at byte {section.offset} is damaged: its checksum is wrong."
        )


def _names(source: Source, header: _Header, names: Array, ends: Array | None) -> Array:
    """Return the labels, checked; called on their first use."""
    _require_sound(source, header, _Kind.LABELS)
    if ends is not None:
        _require_sound(source, header, _Kind.LABEL_ENDS)
        if ends[0] != 0 or ends[-1] != names.size or bool(np.any(ends[1:] < ends[:-1])):
            raise source.error("the ends of the labels do not divide them up.")
        text, cuts = names.tobytes(), pairwise(ends.tolist())
        try:
            names = name_array(text[begin:end].decode(errors="surrogatepass") for begin, end in cuts)
        except UnicodeDecodeError as error:
            raise source.error(f"the labels are not UTF-8: {error}.") from None
    with source.naming_file():
        checked = as_labels(names, header.n)
    return names if checked is None else checked.names


def write(graph: Graph, sink: Sink) -> None:
    """Write everything that a graph has; labels must be whole numbers or strings."""
    graph.check()
    arrays: dict[_Kind, Array] = {_Kind.OFFSETS: graph.offsets, _Kind.HEADS: graph.heads}
    if graph.weights is not None:
        arrays[_Kind.WEIGHTS] = graph.weights
    if graph.labels is not None:
        arrays |= _label_arrays(graph.labels)
    if graph.coordinates is not None:
        arrays[_Kind.COORDINATES] = graph.coordinates.ravel()
    at = _HEADER.size + _SECTION.size * len(arrays) + _CHECKSUM.size
    table, written = b"", []
    for kind, array in arrays.items():
        start = -(-at // _ALIGNED) * _ALIGNED
        table += _SECTION.pack(kind, _TYPES.index(array.dtype.name), start, array.nbytes, checksum_of(array))
        written.append((start - at, array))
        at = start + array.nbytes
    source = _NO_SOURCE if graph._default_source is None else graph._default_source
    flags = _DIRECTED if graph.directed else 0
    header = _HEADER.pack(MAGIC, _VERSION, flags, graph.n, graph.m, source, len(arrays), graph.first_id) + table
    sink.write(header + _CHECKSUM.pack(checksum_of(header)))
    for gap, array in written:
        sink.write(bytes(gap))
        sink.write(array.view(np.uint8))


def _refuses(labels: Array) -> str | None:
    if labels.dtype.kind in "iu":
        return None
    return first_refused(labels, lambda name: type(name) is str, "all whole numbers or all strings")


def _label_arrays(labels: Array) -> dict[_Kind, Array]:
    if labels.dtype.kind in "iu":
        return {_Kind.LABELS: labels}
    encoded = [name.encode("utf-8", errors="surrogatepass") for name in labels.tolist()]
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(name) for name in encoded], out=ends[1:])
    return {_Kind.LABELS: np.frombuffer(b"".join(encoded), np.uint8), _Kind.LABEL_ENDS: ends}


FORMAT = Format(
    name="pfg",
    summary="pathfront's own: memory-mapped, checksummed, keeps everything",
    suffixes=(".pfg",),
    sniff=lambda head: head[: len(MAGIC)] == MAGIC,
    read=read,
    write=write,
    holds=frozenset(Part),
    refuses_labels=_refuses,
    read_options=("mmap",),
)
