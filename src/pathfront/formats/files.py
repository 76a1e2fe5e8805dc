"""Files for the formats: reading whole contents, writing pieces, with compression and progress.

Reading: a file is read whole, and unpacked if its first bytes, not its name, say that it is compressed; `-` is standard
input. No more than `max_bytes` are read and unpacked (`memory.py`). Only a file whose format asks for it is
memory-mapped: if a mapped file is truncated, the system kills the process. Writing goes to a new file beside the
target, which replaces it only when complete (`replacing.py`).
"""

from __future__ import annotations

import contextlib
import errno
import io
import mmap
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import xxhash

from pathfront import _core
from pathfront.exceptions import ArgumentError, ArgumentTypeError, FormatError, PathfrontError
from pathfront.formats import compression
from pathfront.formats.memory import as_max_bytes
from pathfront.formats.replacing import replacing
from pathfront.progress import Progress, progress_bar
from pathfront.validation import MOST_VERTICES, Array
from pathfront.wording import described, shown

SNIFFED = 1 << 16
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+]*://")
_COMMENTS = re.compile(rb"(?:[ \t\r]*+(?:[c#%][^\n]*+)?\n)*+")
"""Comments of all text formats, and blank lines."""
_MOST_COMMENTS = 16 << 20
"""Bytes of comments that are skipped to recognise a format; names that begin with c look like comments, too."""
_MARK = b"\xef\xbb\xbf"
"""The byte order mark that Windows programs put before UTF-8 text; it is not part of the text."""
_PART = 1 << 17
"""Bytes of one write: xz packs them in 0.1 seconds."""
LONG_READ = 32 << 20
"""Bytes from which a read shows its progress on a terminal."""
_READ = 1 << 20
"""Bytes of a read of a stream, at least."""


def checksum_of(data: Any) -> int:
    """Return the XXH3-64 hash that the package's own formats store."""
    return xxhash.xxh3_64_intdigest(data)


Contents = bytes | bytearray | mmap.mmap


class Source:
    """The contents of one file, decompressed."""

    _data: Contents | memoryview

    def __init__(self, name: str, data: Contents, max_bytes: int) -> None:
        self.name = name
        """For messages."""
        self.max_bytes = max_bytes
        """The most bytes that the contents may take, unpacked."""
        self._data = memoryview(data)[len(_MARK) :] if data[: len(_MARK)] == _MARK else data

    def __len__(self) -> int:
        return len(self._data)

    @property
    def head(self) -> bytes:
        """The first bytes, to recognise a format by: a few lines beyond the comments, however long these are."""
        end = _COMMENTS.match(self.contents, 0, _MOST_COMMENTS)
        return bytes(self._data[: SNIFFED + (end.end() if end else 0)])

    @property
    def bytes(self) -> Array:
        """The whole contents, without a copy."""
        return np.frombuffer(self._data, dtype=np.uint8)

    @property
    def contents(self) -> memoryview:
        """The whole contents, for regular expressions."""
        return memoryview(self._data)

    def stream(self) -> IO[Any]:
        """Return the contents as a file object, for the parsers of other packages."""
        return io.BytesIO(self._data)

    def error(self, message: str) -> FormatError:
        """Return an error about this file."""
        return FormatError(f"{self.name}: {message}")

    def require_memory(self, size: int, what: str) -> None:
        """Refuse contents that would take more than `max_bytes`, before they are unpacked."""
        if size > self.max_bytes:
            raise _too_large(self.name, f"{what} take {size} bytes", self.max_bytes)

    @property
    def plausible(self) -> int:
        """The most vertices that a file of this size may claim to have."""
        return (1 << 20) + 64 * len(self)

    def require_plausible(self, n: int) -> None:
        """Refuse a vertex count too large for a graph or for the file's size, before arrays of n entries are made."""
        if n > MOST_VERTICES:
            raise self.error(f"the header promises {n} vertices, but {MOST_VERTICES} are the most possible.")
        if n > self.plausible:
            raise self.error(f"the header claims {n} vertices, but the file has only {len(self)} bytes.")
        self.require_memory(8 * (n + 1), f"the {n} vertices that the header claims")

    @contextlib.contextmanager
    def parsing(self, what: str = "reading") -> Iterator[Progress | None]:
        """Turn the core's parse errors into errors about this file, and yield a progress callback for long reads."""
        with progress_bar(f"{what} {self.name}", shown=len(self) >= LONG_READ) as progress:
            try:
                yield progress
            except _core.ParseError as error:
                raise self.error(str(error)) from None

    @contextlib.contextmanager
    def naming_file(self) -> Iterator[None]:
        """Turn errors about arrays that came out of this file into errors about the file."""
        try:
            yield
        except FormatError:
            raise
        except PathfrontError as error:
            raise self.error(str(error)) from None

    @contextlib.contextmanager
    def parsed_by(self, package: str) -> Iterator[None]:
        """Turn any exception of another package's parser into an error about this file."""
        try:
            yield
        except (PathfrontError, MemoryError):
            raise
        except Exception as error:  # these parsers document no class of error
            reason = " ".join(str(error).split()) or type(error).__name__
            raise self.error(f"{package} cannot read it: {reason.rstrip('.')}.") from error


def _bytes_of(stream: Any, name: str) -> IO[bytes]:
    """Return the bytes below a standard stream."""
    if stream is None:
        raise ArgumentError(f"path is '-', but {name} is closed; give a file.")
    if not hasattr(stream, "buffer"):
        raise ArgumentError(f"path is '-', but {name} is {described(stream)}, which has no bytes; give a file.")
    found: IO[bytes] = stream.buffer
    return found


def _local(file: str | os.PathLike[str], cure: str) -> Path:
    """Return the path of a file; an address such as https://... is none."""
    try:
        path = Path(file)
    except TypeError:
        raise ArgumentTypeError(f"path is {described(file)}; give a path, '-' or a binary file object.") from None
    if _URL.match(str(file)):
        raise ArgumentError(f"path is {shown(file)}, but {cure}.")
    if "\0" in str(path):
        raise ArgumentError(f"path is {shown(file)}, but names of files have no null characters.")
    return path


def open_source(
    file: str | os.PathLike[str] | IO[bytes], *, mapped: bytes | None = None, max_bytes: int | None = None
) -> Source:
    """Read a file (path, `-`, or binary file object) whole; one that begins with the bytes `mapped` is mapped."""
    most = as_max_bytes(max_bytes)
    if hasattr(file, "read"):
        name = getattr(file, "name", None)
        name = name if isinstance(name, str) else "<stream>"
        return _unpacked(name, _read_stream(name, cast(IO[bytes], file), most), most)
    if isinstance(file, str) and file == "-":
        return _unpacked("<stdin>", _read_stream("<stdin>", _bytes_of(sys.stdin, "standard input"), most), most)
    path = _local(file, "files are read from this machine only; download it first")
    name = str(path)
    with open(path, "rb", buffering=0) as handle:
        status = os.fstat(handle.fileno())
        if mapped and stat.S_ISREG(status.st_mode):  # a pipe cannot be mapped
            head = handle.read(len(mapped))
            if head == mapped:
                return Source(name, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ), most)
            handle.seek(0)
        if status.st_size > most:
            raise _too_large(name, f"the file has {status.st_size} bytes", most)
        endless = status.st_size == 0  # a pipe, a device, or an empty file
        return _unpacked(name, _read_stream(name, handle, most) if endless else handle.read(), most)


def _too_large(name: str, what: str, most: int) -> FormatError:
    return FormatError(f"{name}: {what}, but max_bytes is {most}; pass a larger max_bytes= if the file can be trusted.")


def _read_stream(name: str, stream: IO[bytes], most: int) -> bytearray:
    """Read a stream, whose length is not known, to its end, but not much more than `most` bytes."""
    data = bytearray()
    while piece := stream.read(min(max(_READ, len(data) // 8), most + 1 - len(data))):
        if not isinstance(piece, bytes):
            raise ArgumentTypeError("path is a text stream; open it in binary mode.")
        data += piece
        if len(data) > most:
            raise _too_large(name, f"there are more than {most} bytes", most)
    return data


def _unpacked(name: str, data: bytes | bytearray, most: int) -> Source:
    """Return the contents of a file, decompressed; both together are limited."""
    unpacker = compression.unpacker_for(bytes(data[:6]))
    if unpacker is None:
        return Source(name, data, most)
    with progress_bar(f"unpacking {name}", shown=len(data) >= LONG_READ // 8) as progress:
        try:
            return Source(name, compression.unpack(data, unpacker, most - len(data), progress), most)
        except EOFError as error:
            raise FormatError(f"{name}: the compressed file is damaged or cut short: {error}.") from error
        except compression.TooLargeError:
            raise _too_large(name, f"the file and its unpacked contents take more than {most} bytes", most) from None


class Sink:
    """The file that a format writes its pieces to."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def write(self, piece: Any) -> int:
        """Write bytes, or the bytes of an array; in parts, because Ctrl-C is noticed only between two writes."""
        view = memoryview(piece)
        size = view.nbytes
        if size > 0:  # an empty array cannot be cast
            view = view.cast("B")
        for start in range(0, size, _PART):
            self._stream.write(view[start : start + _PART])
        return size

    @property
    def stream(self) -> Any:
        """A file object for the writers of other packages; it cannot seek, or they would."""
        return _OneWay(self)


class _OneWay(io.RawIOBase):
    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        return self._sink.write(piece)


@contextlib.contextmanager
def open_sink(file: str | os.PathLike[str] | IO[bytes]) -> Iterator[Sink]:
    """Write a file (path, `-`, or binary file object); compressed if its name ends in .gz, .xz or .zst."""
    if not isinstance(file, str | os.PathLike):
        if not hasattr(file, "write"):
            raise ArgumentTypeError(f"path is {described(file)}; give a path, '-' or a binary file object.")
        given: object = file  # callers need not obey the annotation
        if isinstance(given, io.TextIOBase):
            raise ArgumentTypeError("path is a text stream; open it in binary mode.")
        if isinstance(file, io.RawIOBase):  # write() may write less than it is given
            buffered = io.BufferedWriter(file)
            yield Sink(buffered)
            buffered.detach()
            return
        yield Sink(file)
        return
    if file == "-":
        out = _bytes_of(sys.stdout, "standard output")
        yield Sink(out)
        out.flush()
        return
    path = _local(file, "files are written on this machine only; give a path")
    if path.exists() and not path.is_file() and not path.is_dir():  # a device or a pipe is written as it is
        with open(path, "wb") as device, compression.packing(device, path) as packed:
            yield Sink(packed)
        return
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    with replacing(path) as handle, compression.packing(handle, path) as packed:
        yield Sink(packed)
