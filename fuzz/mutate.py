"""Damage to files: bits, bytes, numbers, lines, pieces of other files, forged fields behind right checksums."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import json
import lzma
import random
import struct
import zlib
from collections.abc import Callable

import xxhash
import zstandard

NUMBERS = (
    *(b"0", b"-1", b"1", b"1e999", b"nan", b"-inf", b"0.1", b"1e-320", b"1e-400", b"4294967294", b"4294967295"),
    *(b"2147483648", b"9223372036854775807", b"9223372036854775808", b"18446744073709551615", b"1" + b"0" * 18),
    *(b"9" * 20, b"9" * 400, b"0." + b"0" * 400 + b"1", b"0x10", b"1_000", b"+1", b"-0", b"00"),
)
WORDS = (
    *(b"\n", b"\r\n", b"\r", b"%", b"#", b",", b" ", b"\t", b";", b'"', b'""', b"\0", b"\xff", b"\xef\xbb\xbf"),
    *(b"p sp ", b"p tw ", b"p aux sp co ", b"a ", b"c ", b"v ", b"%%MatrixMarket matrix coordinate real general\n"),
    *(b"PAR1", b"PK\3\4", b"PK\5\6", b"PFGRAPH\0", b"\x1f\x8b", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"),
    *(b"symmetric", b"array", b"tail,head,weight\n", b"source", b"weight", b"NA", b"nan", b"null", b"pattern"),
)  # fmt: skip
FIELDS = (
    *(0, 1, 2, 3, 4, 8, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**40, 2**62, 2**63 - 1, 2**63),
    *(2**63 + 1, 2**64 - 1),
)
"""Values of binary numbers."""


def mutated(rng: random.Random, seeds: list[bytes]) -> bytes:
    """Return one of the files, damaged once or a few times."""
    contents = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        rng.choice(_DAMAGES)(rng, contents, seeds)
    return bytes(contents)


def _place(rng: random.Random, contents: bytearray) -> int:
    return rng.randint(0, len(contents))


def _flip(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    if contents:
        contents[rng.randrange(len(contents))] ^= 1 << rng.randrange(8)


def _overwrite(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    if contents:
        contents[rng.randrange(len(contents))] = rng.choice((0, 255, 128, 127, rng.randrange(256)))


def _insert(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    at = _place(rng, contents)
    contents[at:at] = rng.choice((rng.randbytes(rng.randint(1, 8)), rng.choice(WORDS), rng.choice(NUMBERS)))


def _delete(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    at = _place(rng, contents)
    del contents[at : at + rng.choice((1, 1, 2, 4, 8, 30))]


def _cut(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    del contents[_place(rng, contents) :]


def _repeat(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    at = _place(rng, contents)
    piece = contents[at : at + rng.randint(1, 60)]
    contents[at:at] = piece * rng.choice((1, 1, 2, 20))


def _splice(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    other = rng.choice(seeds)
    begin = rng.randint(0, len(other))
    at = _place(rng, contents)
    contents[at : at + rng.choice((0, 10, 100))] = other[begin : begin + rng.randint(1, 100)]


def _number(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    """Replace a number of a text by another."""
    digits = [i for i, c in enumerate(contents) if 48 <= c <= 57]
    if not digits:
        return
    begin = end = rng.choice(digits)
    while begin > 0 and 48 <= contents[begin - 1] <= 57:
        begin -= 1
    while end < len(contents) and 48 <= contents[end] <= 57:
        end += 1
    contents[begin:end] = rng.choice(NUMBERS)


def _line(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    """Leave out, repeat or move a line."""
    lines = bytes(contents).split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2))):
        lines.insert(rng.randint(0, len(lines)), line)
    contents[:] = b"\n".join(lines)


def _field(rng: random.Random, contents: bytearray, seeds: list[bytes]) -> None:
    """Replace a binary number, at a multiple of its size or anywhere."""
    size, form = rng.choice(((2, "<H"), (4, "<I"), (8, "<Q")))
    if len(contents) >= size:
        at = rng.randint(0, len(contents) - size)
        at -= at % size if rng.random() < 0.7 else 0
        contents[at : at + size] = struct.pack(form, rng.choice(FIELDS) % 2 ** (8 * size))


_DAMAGES: tuple[Callable[[random.Random, bytearray, list[bytes]], None], ...] = (
    *(_flip, _overwrite, _insert, _delete, _cut, _repeat, _splice, _number, _number, _line, _field, _field),
)


# ---- checksums made right again ------------------------------------------------------------------------------------

_PFG_HEADER, _PFG_SECTION = struct.Struct("<8sIIQQQII"), struct.Struct("<IIQQQ")


def _sum(contents: bytes) -> bytes:
    return struct.pack("<Q", xxhash.xxh3_64_intdigest(contents))


def with_pfg_checksums(contents: bytes) -> bytes:
    """Return a .pfg file whose checksums are right, as a hostile writer would make it."""
    if len(contents) < _PFG_HEADER.size:
        return contents
    made, count = bytearray(contents), _PFG_HEADER.unpack_from(contents)[6]
    end = _PFG_HEADER.size + _PFG_SECTION.size * count
    if count > 16 or len(contents) < end + 8:
        return contents
    for at in range(_PFG_HEADER.size, end, _PFG_SECTION.size):
        _, _, offset, length, _ = _PFG_SECTION.unpack_from(made, at)
        made[at + 24 : at + 32] = _sum(bytes(made[offset : offset + length]))
    made[end : end + 8] = _sum(bytes(made[:end]))
    return bytes(made)


def with_pfd_checksums(contents: bytes) -> bytes:
    """Return a .pfd file whose checksums are right."""
    if len(contents) < 72:
        return contents
    made = bytearray(contents)
    size = {b"3": 4, b"6": 8}.get(bytes(made[16:24]).rstrip(b"\0")[-2:-1], 8)
    end = 72 + min(struct.unpack_from("<Q", made, 24)[0], len(made)) * size
    made[48:56] = _sum(bytes(made[72:end]))
    made[56:64] = _sum(bytes(made[end:])) if made[12] & 1 else bytes(8)
    made[64:72] = _sum(bytes(made[:64]))
    return bytes(made)


def with_pfp_checksums(contents: bytes) -> bytes:
    """Return a .pfp file whose checksums are right; those of the arrays only if the description can be read."""
    if len(contents) < 24:
        return contents
    end = min(24 + struct.unpack_from("<I", contents, 12)[0], len(contents))
    text, rest = contents[24:end], contents[end:]
    with contextlib.suppress(ValueError, TypeError, KeyError, IndexError, RecursionError):
        described, at = json.loads(text), 0
        for entry in described["arrays"]:
            entry[3] = f"{xxhash.xxh3_64_intdigest(rest[at : at + entry[2]]):016x}"
            at += entry[2]
        text = json.dumps(described).encode()
    begin = contents[:12] + struct.pack("<I", len(text))
    return begin + _sum(begin + text) + text + rest


def with_checksums(format: str, contents: bytes) -> bytes:
    """Return a file of a format that has checksums with right ones; others as they are."""
    right = {"pfg": with_pfg_checksums, "pfd": with_pfd_checksums, "pfp": with_pfp_checksums}.get(format)
    return contents if right is None else right(contents)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda contents: gzip.compress(contents, 1),
    "xz": lambda contents: lzma.compress(contents, preset=0),
    "zst": zstandard.ZstdCompressor(level=1).compress,
}
"""The compressions that are read."""

OTHER_PACKERS: dict[str, Callable[[bytes], bytes]] = {"bz2": bz2.compress, "zlib": zlib.compress}
"""Others, which must be refused like anything unknown."""
