"""The answer of a search as a file, `.pfp`: everything that `ShortestPaths` says, with the tree, but not the graph.

    at      bytes      what (little-endian, no gaps)
    0       8          magic: 89 50 46 50 0D 0A 1A 0A, which text mode and 7-bit transfers both damage visibly
    8       4          version, 1
    12      4          L, the length of the description
    16      8          XXH3-64 of the 16 bytes above and the description
    24      L          the description, JSON in ASCII
    24 + L  ...        the arrays, one after the other in the order of the description

The description is an object: `n`, `source` (a position), `first_id`, `radius`, `stats`, `graph` (the fingerprint of
the graph, in hexadecimal), `numbers` (the first of the vertices' names, where these are consecutive numbers), `trace`
(names and types of its columns), and `arrays`, a list of (name, type, bytes, XXH3-64 in hexadecimal). What JSON lacks
is written as `results/values.py` says. The arrays are

    distance   n numbers; the unreached marker is infinity, or the type's largest value
    parent     n of uint32, 2^32 - 1 for none; absent where the search computed none
    weight     for each vertex that has a parent, in their order, the weight of the arc that reaches it
    edge_id    likewise, the original edge of that arc; absent where the graph does not keep them
    names      n names of vertices, of one type of numbers, text or times; or, with the type "json", a list of any
    trace      rows of a structured array

Absent parts are absent arrays. The reader checks the description against its checksum, every field, every array's type
and size against n and against the length of the file before anything is allocated, each array against its checksum,
that the parents form a tree from the source to all reached vertices, and that names differ. There is no pickle in it.
Files are written through `formats.files`, so they may be compressed (`.pfp.zst`) and appear only when complete.
"""

from __future__ import annotations

import json
import math
import os
import re
import struct
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import xxhash

from pathfront import _core
from pathfront.dtypes import WEIGHT_TYPES, unreached_marker
from pathfront.exceptions import ArgumentError
from pathfront.formats.files import Source, checksum_of, open_sink, open_source
from pathfront.graph import NO_VERTEX, Graph
from pathfront.graph.build import from_edges
from pathfront.results.values import decoded, encoded
from pathfront.validation import MOST_VERTICES, Array
from pathfront.wording import shown

MAGIC = b"\x89PFP\r\n\x1a\n"
VERSION = 1
_START = struct.Struct("<8sIIQ")
_MOST_DESCRIPTION = 1 << 24
_PIECE = 1 << 26
_SAFE_TYPE = re.compile(r"<[iuf][1248]|\|[iub]1|<U\d{1,9}|\|S\d{1,9}|<[mM]8(\[\d{0,9}[A-Za-z]{1,2}\])?")
"""Types of names and columns that reading may make: numbers, truth values, text, bytes and times."""
_STATS = {
    "method": str,
    "device": str,
    "threads": int,
    "delta": float | int | None,
    "iterations": int,
    "vertices_processed": int,
    "edges_relaxed": int,
    "seconds": float | int,
    "reason": str,
    "extra": dict,
}

File = str | os.PathLike[str] | IO[bytes]


@dataclass(frozen=True, slots=True)
class Saved:
    """What a file holds."""

    n: int
    source: int
    distance: Array
    parent: Array | None
    weight: Array | None
    """Of the arc to each vertex that has a parent; None for hops or without parents."""
    edge_id: Array | None
    names: Array | range | None
    first_id: int
    radius: int | float | None
    stats: dict[str, Any]
    trace: Array | None
    graph: str
    """The fingerprint of the graph."""


def fingerprint(graph: Graph) -> str:
    """Return a checksum of a graph's arcs and directedness: equal graphs have the same one."""
    graph.check()
    kind = "" if graph.weights is None else graph.weights.dtype.name
    made = xxhash.xxh3_64(f"{graph.n} {graph.m} {graph.directed} {kind}".encode())
    for array in (graph.offsets, graph.heads, graph.weights):
        flat = np.empty(0, np.uint8) if array is None else np.ascontiguousarray(array).view(np.uint8)
        for at in range(0, flat.size, _PIECE):  # Ctrl-C is noticed between two pieces
            made.update(flat[at : at + _PIECE].data)
    return str(made.hexdigest())


def tree_of(saved: Saved) -> Graph:
    """Return a graph of the same vertices and the arcs of the tree of shortest paths."""
    heads = np.empty(0, np.uint32)
    if saved.parent is not None:
        heads = np.flatnonzero(saved.parent != NO_VERTEX).astype(np.uint32)
    tails = heads if saved.parent is None else saved.parent[heads]
    graph = from_edges(
        tails,
        heads,
        saved.weight,
        n=saved.n,
        directed=True,
        labels=saved.names,
        coordinates=None,
        edge_ids=saved.edge_id if saved.edge_id is not None else False,
    )
    return graph.counting_from(saved.first_id)


def require_same(saved: Saved, graph: Graph) -> None:
    """Raise unless a graph is the one that was searched, by the same names."""
    names = None if graph._labels is None else graph._labels.stored
    same = type(names) is type(saved.names) and (
        names.tolist() == saved.names.tolist()
        if isinstance(names, np.ndarray) and isinstance(saved.names, np.ndarray)
        else names == saved.names
    )
    what = "other arcs" if saved.n != graph.n or fingerprint(graph) != saved.graph else "" if same else "other names"
    if what:
        raise ArgumentError(f"graph has {what} than the one that was searched; leave it out, or give that one.")


def write(saved: Saved, file: File) -> None:
    """Write an answer to a path, to `-` or to a binary file object; a path is replaced only when complete."""
    arrays: dict[str, tuple[str, Array]] = {}
    for name in ("distance", "parent", "weight", "edge_id"):
        array = getattr(saved, name)
        if array is not None:
            arrays[name] = _plain(array)
    if isinstance(saved.names, np.ndarray):
        arrays["names"] = _names(saved.names)
    columns = None
    if saved.trace is not None:
        columns = [[name, saved.trace.dtype[name].newbyteorder("<").str] for name in saved.trace.dtype.names or ()]
        rows = saved.trace.astype(np.dtype([(name, kind) for name, kind in columns]))
        arrays["trace"] = "rows", np.ascontiguousarray(rows).view(np.uint8).reshape(-1)
    described = {
        "n": saved.n,
        "source": saved.source,
        "first_id": saved.first_id,
        "radius": saved.radius,
        "stats": encoded(saved.stats),
        "graph": saved.graph,
        "numbers": saved.names.start if isinstance(saved.names, range) else None,
        "trace": columns,
        "arrays": [[name, kind, array.nbytes, f"{checksum_of(array):016x}"] for name, (kind, array) in arrays.items()],
    }
    text = json.dumps(described, separators=(",", ":")).encode("ascii")
    begin = MAGIC + struct.pack("<II", VERSION, len(text))
    with open_sink(file) as sink:
        sink.write(begin + struct.pack("<Q", checksum_of(begin + text)) + text)
        for _, array in arrays.values():
            sink.write(array)


def _plain(array: Array) -> tuple[str, Array]:
    """Return a type's name in the file, and the array as bytes."""
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return little.dtype.str, little.view(np.uint8).reshape(-1) if little.nbytes else np.empty(0, np.uint8)


def _names(names: Array) -> tuple[str, Array]:
    if names.dtype != object:
        kind, array = _plain(names)
        if not _SAFE_TYPE.fullmatch(kind):
            raise ArgumentError(
                f"labels of type {names.dtype} cannot be saved; give other ones with graph.with_labels."
            )
        return kind, array
    listed = []
    for name in names.tolist():
        try:
            listed.append(encoded(name))
        except (TypeError, RecursionError) as error:
            raise ArgumentError(
                f"the label {shown(name)} cannot be saved, because of {error}; labels of files are numbers, text, "
                "bytes, None, and tuples and frozen sets of these: give other ones with graph.with_labels."
            ) from None
    return "json", np.frombuffer(json.dumps(listed, separators=(",", ":")).encode("ascii"), np.uint8)


def read(file: File, *, max_bytes: int | None = None) -> tuple[Saved, Source]:
    """Read an answer from a path, from `-` or from a binary file object; FormatError if it is damaged."""
    source = open_source(file, max_bytes=max_bytes)
    described, at = _description(source)
    n, start = described["n"], described["source"]
    sections = _sections(source, described["arrays"], at, n)
    distance, parent = sections.pop("distance"), sections.pop("parent", None)
    _require_tree(source, distance, parent, start)
    reached = 0 if parent is None else int(np.count_nonzero(parent != NO_VERTEX))
    for name in ("weight", "edge_id"):
        if name in sections and sections[name].size != reached:
            raise source.error(f"{sections[name].size} entries of {name} do not fit {reached} arcs of the tree.")
    names = _names_of(source, described["numbers"], sections.pop("names", None), n)
    return (
        Saved(
            n=n,
            source=start,
            distance=distance,
            parent=parent,
            weight=sections.get("weight"),
            edge_id=sections.get("edge_id"),
            names=names,
            first_id=described["first_id"],
            radius=described["radius"],
            stats=described["stats"],
            trace=_trace(source, described["trace"], sections.get("trace")),
            graph=described["graph"],
        ),
        source,
    )


def _description(source: Source) -> tuple[dict[str, Any], int]:
    """Return the description, checked, and where the arrays begin."""
    contents = source.bytes if len(source) else np.empty(0, np.uint8)
    head = bytes(contents[: _START.size])
    if head[: len(MAGIC)] != MAGIC:
        raise source.error("not a .pfp file.")
    if len(head) < _START.size:
        raise source.error(f"cut short: the header has {_START.size} bytes, the file {len(source)}.")
    _, version, length, checksum = _START.unpack(head)
    if version != VERSION:
        raise source.error(f"version {version} of .pfp, but this pathfront reads version {VERSION}.")
    end = _START.size + length
    if length > _MOST_DESCRIPTION or end > len(source):
        raise source.error(f"cut short: the description claims {length} bytes, the file has {len(source)}.")
    text = bytes(contents[_START.size : end])
    if checksum_of(head[:16] + text) != checksum:
        raise source.error("damaged: the description does not have its checksum.")
    try:
        described = json.loads(text)
        described["stats"] = decoded(described["stats"])
        _require_fields(described)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise source.error(f"the description is not one of a search: {shown(str(error))}.") from None
    return described, end


def _require_fields(described: dict[str, Any]) -> None:
    """Raise ValueError for a field that no search has."""
    n, start, radius = described["n"], described["source"], described["radius"]
    integers = {name: described[name] for name in ("n", "source", "first_id")}
    for name, value in integers.items():
        if type(value) is not int:
            raise ValueError(f"{name} is {value!r}")
    if not 0 <= start < n <= MOST_VERTICES or not 0 <= described["first_id"] < 2**32:
        raise ValueError(f"{n} vertices and source {start}")
    if radius is not None and (type(radius) not in (int, float) or not 0 <= radius < math.inf):
        raise ValueError(f"radius {radius!r}")
    if not isinstance(described["graph"], str) or not re.fullmatch("[0-9a-f]{16}", described["graph"]):
        raise ValueError("the graph's fingerprint")
    numbers = described["numbers"]
    if numbers is not None and (type(numbers) is not int or not -(2**63) <= numbers <= 2**63 - n):
        raise ValueError(f"numbers from {numbers!r} on")
    stats = described["stats"]
    if set(stats) != set(_STATS):
        raise ValueError(f"statistics of {sorted(stats)}")
    for name, kind in _STATS.items():
        if not isinstance(stats[name], kind) or isinstance(stats[name], bool):
            raise ValueError(f"{name} is {stats[name]!r}")


def _sections(source: Source, listed: Any, at: int, n: int) -> dict[str, Array]:
    """Return the arrays, after checking that they are those that a file may have and fill it."""
    allowed = {
        "distance": [np.dtype(kind).newbyteorder("<").str for kind in WEIGHT_TYPES],
        "parent": ["<u4"],
        "weight": [np.dtype(kind).newbyteorder("<").str for kind in WEIGHT_TYPES],
        "edge_id": ["<i8", "<u4"],
        "trace": ["rows"],
    }
    found: dict[str, Array] = {}
    try:
        for name, kind, size, checksum in listed:
            known = kind in allowed[name] if name != "names" else kind == "json" or bool(_SAFE_TYPE.fullmatch(kind))
            if not known or name in found or type(size) is not int or not 0 <= size <= len(source) - at:
                raise source.error(f"the array {name} of type {kind} and {size} bytes cannot be in this file.")
            stored = source.bytes[at : at + size]
            dtype = np.dtype(np.uint8) if kind in ("json", "rows") else np.dtype(kind)
            counted = name in ("distance", "parent") or (name == "names" and kind != "json")
            if size != n * dtype.itemsize if counted else dtype.itemsize == 0 or size % dtype.itemsize:
                raise source.error(f"{size} bytes of {name} do not fit {n} vertices.")
            if f"{checksum_of(stored):016x}" != checksum:
                raise source.error(f"damaged: {name} does not have its checksum.")
            if kind[:2] == "<U" and size and int(stored.view("<u4").max()) > 0x10FFFF:
                raise source.error(f"{name} are not text.")
            # copies, which can be changed; JSON stays bytes
            found[name] = stored.copy() if dtype == np.uint8 else stored.view(dtype).astype(dtype.newbyteorder("="))
            at += size
    except (ValueError, TypeError, KeyError) as error:
        raise source.error(f"the list of arrays is damaged: {shown(str(error))}.") from None
    if "distance" not in found:
        raise source.error("the distances are missing.")
    if at != len(source):
        raise source.error(f"the arrays end at byte {at}, but the file has {len(source)}.")
    return found


def _require_tree(source: Source, distance: Array, parent: Array | None, start: int) -> None:
    """Raise unless the parents lead from the vertices that have a distance, and from no others, to the source."""
    reached = distance != unreached_marker(distance.dtype)
    if not reached[start] or (distance.dtype.kind == "f" and bool(np.isnan(distance).any())):
        raise source.error("the distances are not those of a search.")
    if parent is None:
        return
    n = distance.size
    roots = np.full(n, NO_VERTEX, np.uint32)
    roots[start] = start
    valid = parent[start] == NO_VERTEX and bool((parent[parent != NO_VERTEX] < n).all())
    if valid:
        _core.roots(parent, roots)
    if not valid or not np.array_equal(roots == start, reached):
        raise source.error("the parents do not form a tree from the source to the reached vertices.")


def _names_of(source: Source, numbers: int | None, stored: Array | None, n: int) -> Array | range | None:
    if numbers is not None:
        if stored is not None:
            raise source.error("the names are given twice.")
        return range(numbers, numbers + n)
    if stored is None or stored.dtype != np.uint8:
        return stored
    try:
        listed = decoded(json.loads(stored.tobytes()))
    except (ValueError, TypeError, RecursionError) as error:
        raise source.error(f"the names cannot be read: {shown(str(error))}.") from None
    if not isinstance(listed, list) or len(listed) != n:
        raise source.error(f"the names are not a list of {n}.")
    return np.fromiter(listed, object, n)


def _trace(source: Source, columns: Any, stored: Array | None) -> Array | None:
    if (columns is None) != (stored is None):
        raise source.error("the trace and its columns are not both there.")
    if columns is None or stored is None:
        return None
    try:
        known = all(isinstance(name, str) and re.fullmatch("<[iuf][48]", kind) for name, kind in columns)
        row = np.dtype([(name, kind) for name, kind in columns]) if known and columns else None
    except (ValueError, TypeError) as error:
        raise source.error(f"the trace's columns cannot be read: {shown(str(error))}.") from None
    if row is None or stored.size % row.itemsize:
        raise source.error("the trace does not fit its columns.")
    return stored.view(row).astype(row.newbyteorder("="))
