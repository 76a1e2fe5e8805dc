"""Compression: gzip, xz and zstd, recognised by the first bytes in reading and chosen by the name in writing."""

from __future__ import annotations

import gzip
import lzma
import sys
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from pathfront.progress import Progress

PIECE = 1 << 20
_XZ_MEMORY = 1 << 30  # a forged header may ask for any amount

Unpacker = Callable[[], Any]


def without_compression(name: str) -> str:
    """Return a file's name without the ending of a compression."""
    for ending in (".gz", ".xz", ".zst"):
        name = name.removesuffix(ending)
    return name


def unpack(data: Any, unpacker: Unpacker, progress: Progress | None) -> bytes:
    """Return the contents, decompressed; damaged contents raise EOFError."""
    try:
        return _unpacked(memoryview(data), unpacker, progress)
    except (zlib.error, lzma.LZMAError, _zstd_error()) as error:
        raise EOFError(str(error)) from error


def unpacker_for(head: bytes) -> Unpacker | None:
    """Return a function that makes a decompressor for files that begin like this, or None if not compressed."""
    if head[:2] == b"\x1f\x8b":
        return lambda: zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    if head == b"\xfd7zXZ\x00":
        return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    if head[:4] == b"\x28\xb5\x2f\xfd":
        import zstandard

        return lambda: zstandard.ZstdDecompressor().decompressobj()
    return None


def _zstd_error() -> type[Exception]:
    # imported only where it is needed already
    module = sys.modules.get("zstandard")
    return module.ZstdError if module is not None else zlib.error


def _unpacked(packed: memoryview, unpacker: Unpacker, progress: Progress | None) -> bytes:
    """Unpack all members of a file; all three compressions allow several, one after the other, and zeros between."""
    pieces: list[bytes] = []
    member: Any = None
    for start in range(0, len(packed), PIECE):
        piece: Any = packed[start : start + PIECE]
        while piece:
            if member is None:
                piece = bytes(piece).lstrip(b"\0") if pieces else piece
                if not piece:
                    break
                member = unpacker()
            pieces.append(member.decompress(piece))
            if not member.eof:
                break
            piece, member = member.unused_data, None
        if progress is not None:
            progress(min(1.0, (start + PIECE) / len(packed)))
    if member is not None:
        raise EOFError("it ends in the middle")
    return b"".join(pieces)


def packing(handle: IO[bytes], path: Path) -> AbstractContextManager[Any]:
    """Return a file object that compresses into `handle` according to the name's ending."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile(filename="", mode="wb", fileobj=handle, mtime=0, compresslevel=6)
    if suffix == ".xz":
        return lzma.LZMAFile(handle, "wb")
    if suffix == ".zst":
        import zstandard

        return zstandard.ZstdCompressor(level=6).stream_writer(handle, closefd=False)
    return nullcontext(handle)
