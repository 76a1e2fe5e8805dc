"""The answer of a search as a file, `.pfd`: all that `verify` needs besides the graph.

    at      bytes      what (little-endian, no gaps)
    0       8          magic: 89 50 46 44 0D 0A 1A 0A, which text mode and 7-bit transfers both damage visibly
    8       4          version, 1
    12      4          flags: 1 has parents, 2 has a radius
    16      8          type of the distances in ASCII ("uint32", "float64", ...), padded with zeros
    24      8          n, the number of vertices
    32      8          source, by its position as all vertices here
    40      8          radius: uint64, int64 or float64, by the kind of the distances; 0 where there is none
    48      8          XXH3-64 of the distances
    56      8          XXH3-64 of the parents; 0 where there are none
    64      8          XXH3-64 of the 64 bytes above
    72      n * size   distances; the unreached marker is infinity, or the type's largest value
    ...     n * 4      parents, uint32; 2^32 - 1 for none

The reader checks everything: the header against its checksum, the sizes in it against the length of the file before
anything is allocated, and the arrays against their checksums. Other versions are refused. Files are written through
`formats.files`, so they may be compressed (`.pfd.zst`) and appear only when complete.
"""

from __future__ import annotations

import math
import os
import struct
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from pathfront.dtypes import WEIGHT_TYPES
from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.formats.files import Source, checksum_of, open_sink, open_source
from pathfront.graph import NO_VERTEX
from pathfront.paths import ShortestPaths
from pathfront.validation import MOST_VERTICES, Array, as_count, as_real, as_vector
from pathfront.warp_runtime import to_host
from pathfront.wording import described, shown

MAGIC = b"\x89PFD\r\n\x1a\n"
VERSION = 1
_FIELDS = struct.Struct("<8sII8sQQ8sQQ")
_CHECKSUM = struct.Struct("<Q")
_HEADER = _FIELDS.size + _CHECKSUM.size
_HAS_PARENTS, _HAS_RADIUS = 1, 2
_RADIUS = {"u": struct.Struct("<Q"), "i": struct.Struct("<q"), "f": struct.Struct("<d")}

File = str | os.PathLike[str] | IO[bytes]


@dataclass(frozen=True, slots=True)
class Distances:
    """The distances of a search without its graph.

    >>> import io, pathfront as pf
    >>> from pathfront import distances
    >>> file = io.BytesIO()
    >>> distances.write(pf.shortest_paths(pf.generate.chain(3, weights="unit"), 0), file)
    >>> distances.read(io.BytesIO(file.getvalue())).distance.tolist()
    [0, 1, 2]
    """

    distance: Array
    parent: Array | None = None
    source: int | None = None
    """The source's position; None if it was read from a file that does not record it."""
    radius: int | float | None = None
    """As in `ShortestPaths`: answers are complete up to this distance; None: everything was explored."""


def write(result: ShortestPaths | Distances, file: File) -> None:
    """Write an answer to a path, to `-` or to a binary file object; a path is replaced only when complete.

    >>> import io, pathfront as pf
    >>> from pathfront import distances
    >>> file = io.BytesIO()
    >>> distances.write(pf.shortest_paths(pf.generate.chain(3), 0, parents=False), file)
    >>> len(file.getvalue())
    84
    """
    if not isinstance(result, ShortestPaths | Distances):
        raise ArgumentTypeError(f"result is {described(result)}; give that of a search, or Distances.")
    given = result if isinstance(result, Distances) else _of_search(result)
    distance = _little(as_vector(given.distance, "distance"))
    parents = None if given.parent is None else _as_parents(given.parent, distance.size)
    source = None if given.source is None else as_count(given.source, "source")
    if source is None or source >= distance.size:
        raise ArgumentError(f"source is {shown(source)}, but a .pfd file needs one of the {distance.size} vertices.")
    fields = _FIELDS.pack(
        MAGIC,
        VERSION,
        (_HAS_PARENTS if parents is not None else 0) | (_HAS_RADIUS if given.radius is not None else 0),
        distance.dtype.name.encode(),
        distance.size,
        source,
        _as_radius(given.radius, distance.dtype),
        checksum_of(distance),
        0 if parents is None else checksum_of(parents),
    )
    with open_sink(file) as sink:
        sink.write(fields + _CHECKSUM.pack(checksum_of(fields)))
        sink.write(distance.data)
        if parents is not None:
            sink.write(parents.data)


def _of_search(paths: ShortestPaths) -> Distances:
    return Distances(to_host(paths.distance), paths._parent, paths._source, paths.radius)


def _as_parents(values: object, n: int) -> Array:
    """Return parents in the type of the file."""
    parents = as_vector(values, "parent")
    if parents.size != n:
        raise ArgumentError(f"parent has {parents.size} entries, but distance has {n}.")
    if parents.dtype.kind not in "iu" or (n and not 0 <= int(parents.min()) <= int(parents.max()) <= NO_VERTEX):
        raise ArgumentError(f"parent is {shown(parents.tolist())}, but parents are positions, or pf.NO_VERTEX.")
    return np.ascontiguousarray(parents, dtype="<u4")


def read(file: File, *, max_bytes: int | None = None) -> Distances:
    """Read an answer from a path, from `-` or from a binary file object; FormatError if it is damaged.

    `max_bytes` limits the bytes of the file, unpacked, as in `pf.read`.

    >>> import io
    >>> from pathfront import distances
    >>> distances.read(io.BytesIO(b"0,4,7"))
    Traceback (most recent call last):
    pathfront.exceptions.FormatError: <stream>: not a .pfd file.
    """
    return from_source(open_source(file, max_bytes=max_bytes))


def from_source(source: Source) -> Distances:
    """Read an answer from an open source."""
    header = bytes(source.bytes[:_HEADER]) if len(source) else b""
    if header[: len(MAGIC)] != MAGIC:
        raise source.error("not a .pfd file.")
    if len(header) < _HEADER:
        raise source.error(f"cut short: the header has {_HEADER} bytes, the file {len(source)}.")
    _, version, flags, type_name, n, start, radius, distance_sum, parent_sum = _FIELDS.unpack_from(header)
    if version != VERSION:
        raise source.error(f"version {version} of .pfd, but this pathfront reads version {VERSION}.")
    if _CHECKSUM.unpack_from(header, _FIELDS.size)[0] != checksum_of(header[: _FIELDS.size]):
        raise source.error("damaged: the header does not have its checksum.")
    kind = type_name.rstrip(b"\0").decode("ascii", "replace")
    if kind not in WEIGHT_TYPES:
        raise source.error(f"distances of type {kind!r}, which are none of {', '.join(WEIGHT_TYPES)}.")
    dtype = np.dtype(kind)
    has_parents, has_radius = bool(flags & _HAS_PARENTS), bool(flags & _HAS_RADIUS)
    if flags & ~(_HAS_PARENTS | _HAS_RADIUS) or not start < n <= MOST_VERTICES:
        raise source.error(f"flags {flags}, {n} vertices and source {start} contradict each other.")

    parents_at = _HEADER + n * dtype.itemsize
    end = parents_at + (n * 4 if has_parents else 0)
    if len(source) != end:
        raise source.error(f"{n} vertices take {end} bytes, but the file has {len(source)}.")
    return Distances(
        distance=_section(source, _HEADER, n, dtype, distance_sum, "distances"),
        parent=_section(source, parents_at, n, np.dtype(np.uint32), parent_sum, "parents") if has_parents else None,
        source=start,
        radius=_RADIUS[dtype.kind].unpack(radius)[0] if has_radius else None,
    )


def _section(source: Source, at: int, n: int, dtype: np.dtype[Any], checksum: int, what: str) -> Array:
    stored = source.bytes[at : at + n * dtype.itemsize]
    if checksum_of(stored) != checksum:
        raise source.error(f"damaged: the {what} do not have their checksum.")
    return stored.view(dtype.newbyteorder("<")).astype(dtype)  # a copy, which can be changed


def _as_radius(radius: int | float | None, dtype: np.dtype[Any]) -> bytes:
    if radius is None:
        return bytes(8)
    try:
        exact = radius if isinstance(radius, int) else as_real(radius, "radius")
        return _RADIUS[dtype.kind].pack(float(exact) if dtype.kind == "f" else math.floor(exact))
    except (struct.error, OverflowError):
        raise ArgumentError(f"radius is {shown(radius)}, which no {dtype} distance can be compared with.") from None


def _little(values: Array) -> Array:
    if values.dtype.name not in WEIGHT_TYPES:
        raise ArgumentError(f"distances of type {values.dtype} do not fit a .pfd file; use {', '.join(WEIGHT_TYPES)}.")
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
