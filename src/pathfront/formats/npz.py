"""scipy's sparse matrices (`.npz`, `scipy.sparse.save_npz`): a zip archive of numpy arrays.

Compressed rows (csr), compressed columns (csc) and triples (coo) are read, through numpy and without pickles; scipy's
own loader is not used, because it passes columns to native code unchecked. An archive may claim any size for its
contents, so sizes are compared, from the archive's directory down to the arrays' shapes, before one is allocated, and
must not exceed `max_bytes` together.

A graph without weights is stored with truth values. A matrix has one entry per pair of vertices, so
parallel arcs cannot be held. Matrices do not say whether they mean an undirected graph: they do if they are symmetric;
`directed=True` reads them as directed all the same, and `directed=False` requires them to be symmetric.
"""

from __future__ import annotations

import math
import zipfile
import zlib
from typing import IO, Any

import numpy as np

from pathfront.formats.direction import as_directed, with_direction
from pathfront.formats.files import Sink, Source
from pathfront.formats.format import ARCS, Format, Part
from pathfront.graph import Graph, interop
from pathfront.validation import MOST_VERTICES, Array

_KINDS = {"csr": ("indptr", "indices"), "csc": ("indptr", "indices"), "coo": ("row", "col")}
_MOST_DEFLATED = 1032  # deflate packs no better than this


def read(source: Source, directed: bool | None = None) -> Graph:
    """Read a graph."""
    directed = as_directed(directed)
    with source.parsed_by("numpy"), zipfile.ZipFile(source.stream()) as archive:
        source.require_memory(sum(info.file_size for info in archive.infolist()), "the arrays in it")
        kind = _kind(source, archive)
        shape = _member(source, archive, "shape")
        first, second, values = (_member(source, archive, name) for name in (*_KINDS[kind], "data"))
    if shape.shape != (2,) or shape.dtype.kind not in "iu" or shape[0] != shape[1]:
        raise source.error(f"the matrix has shape {tuple(shape.ravel().tolist())}, but a graph needs a square one.")
    n = int(shape[0])
    if not 0 <= n <= MOST_VERTICES:
        raise source.error(f"the matrix has {n} rows, but {MOST_VERTICES} vertices are the most possible.")
    weights = None if values.dtype == bool else values
    with source.naming_file():
        if kind == "coo":
            source.require_plausible(n)
            return with_direction(source, Graph.from_edges(first, second, weights, n=n), directed)
        if first.size != n + 1:
            raise source.error(f"the matrix has {n} rows, but indptr has {first.size} entries.")
        graph = Graph.from_csr(first, second, weights, copy=False)
        return with_direction(source, graph if kind == "csr" else graph.reverse(), directed)


def _kind(source: Source, archive: zipfile.ZipFile) -> str:
    if "format.npy" not in archive.namelist():
        raise source.error("it holds numpy arrays, but no sparse matrix as scipy.sparse.save_npz writes them.")
    kind: Any = _member(source, archive, "format").item()
    kind = kind.decode("latin-1") if isinstance(kind, bytes) else kind
    if kind not in _KINDS:
        raise source.error(f"the matrix is stored as {kind!r}; save it as csr: matrix.tocsr().")
    return str(kind)


def _member(source: Source, archive: zipfile.ZipFile, name: str) -> Array:
    """Return one array, after checking that the archive is large enough for the size it claims."""
    try:
        info = archive.getinfo(f"{name}.npy")
    except KeyError:
        raise source.error(f"the archive has no array {name!r}; is it cut short?") from None
    packed = {zipfile.ZIP_STORED: 1, zipfile.ZIP_DEFLATED: _MOST_DEFLATED}.get(info.compress_type)
    if packed is None:
        raise source.error(f"array {name!r} is packed by a method that numpy does not use.")
    if info.compress_size > len(source) or info.file_size > packed * info.compress_size:
        raise source.error(f"array {name!r} claims {info.file_size} bytes, more than the archive can hold.")
    with archive.open(info) as member:
        claimed = _claimed_bytes(source, member, name)
        if claimed != info.file_size:
            raise source.error(f"array {name!r} claims {claimed} bytes, but the archive holds {info.file_size}.")
    with archive.open(info) as member:
        try:
            return np.asarray(np.lib.format.read_array(member, allow_pickle=False))
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise source.error(f"array {name!r} is damaged: {error}.") from error


def _claimed_bytes(source: Source, member: IO[bytes], name: str) -> int:
    """Return how long the array's file must be according to its own header."""
    version = np.lib.format.read_magic(member)
    if version not in ((1, 0), (2, 0)):
        raise source.error(f"array {name!r} is of a version of numpy's format that is not known.")
    reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = reader(member)
    if dtype.hasobject:
        raise source.error(f"array {name!r} holds Python objects, which are not read from files.")
    return member.tell() + math.prod(shape) * dtype.itemsize


def write(graph: Graph, sink: Sink) -> None:
    """Write the graph as a csr matrix, truth values in place of weights where it has none."""
    import scipy.sparse

    matrix = interop.to_scipy(graph)
    if graph.weights is None:
        matrix.data = np.ones(graph.m, dtype=bool)
    scipy.sparse.save_npz(sink.stream, matrix)


FORMAT = Format(
    name="npz",
    summary="scipy sparse matrices (save_npz)",
    suffixes=(".npz",),
    sniff=lambda head: head[:4] in (b"PK\x03\x04", b"PK\x05\x06"),
    read=read,
    write=write,
    holds=ARCS - {Part.PARALLEL},
    read_options=("directed",),
)
