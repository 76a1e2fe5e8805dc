"""Compression: gzip, xz and zstd, recognised by the first bytes in reading and chosen by the name in writing.

A few bytes may unpack to many: 4 bytes of zstd to 128 KB. The pieces that are unpacked at a time are small enough
that even then the limit is not exceeded by more than a little.
"""

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
_SMALLEST_PIECE = 64
_EXPANSION = 1 << 16
"""Twice the 2^15 bytes that a byte of zstd can unpack to, the most of the three; twice, for they are copied once."""
_XZ_MEMORY = 1 << 30  # a forged header may ask for any amount

Unpacker = Callable[[], Any]


def without_compression(name: str) -> str:
    """Return a file's name without the ending of a compression."""
    for ending in (".gz", ".xz", ".zst"):
        name = name.removesuffix(ending)
    return name


class TooLargeError(Exception):
    """The contents have more bytes than allowed."""


def unpack(data: Any, unpacker: Unpacker, most: int, progress: Progress | None) -> bytearray:
    """Return the contents, decompressed; damaged contents raise EOFError, more than `most` bytes TooLargeError."""
    try:
        return _unpacked(memoryview(data), unpacker, most, progress)
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


def _unpacked(packed: memoryview, unpacker: Unpacker, most: int, progress: Progress | None) -> bytearray:
    """Unpack all members of a file; all three compressions allow several, one after the other, and zeros between."""
    contents = bytearray()  # grows in place, where joining pieces would take twice the memory
    member: Any = None
    start, members = 0, 0
    while start < len(packed):
        end = start + min(PIECE, max(_SMALLEST_PIECE, (most - len(contents)) // _EXPANSION))
        piece: Any = packed[start:end]
        while piece:
            if member is None:
                piece = bytes(piece).lstrip(b"\0") if members else piece
                if not piece:
                    break
                member = unpacker()
                members += 1
            contents += member.decompress(piece)
            if len(contents) > most:
                raise TooLargeError
            if not member.eof:
                break
            piece, member = member.unused_data, None
        start = end
        if progress is not None:
            progress(min(1.0, start / len(packed)))
    if member is not None:
        raise EOFError("it ends in the middle")
    return contents


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
