"""The native module is hardened: it parses untrusted files."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from pathfront import _core

LOAD, DYNAMIC, STACK, RELRO = 1, 2, 0x6474E551, 0x6474E552  # types of segments
FLAGS, FLAGS_1 = 30, 0x6FFFFFFB  # entries of the dynamic section
BIND_NOW, NOW = 8, 1
EXECUTABLE, WRITABLE = 1, 2

pytestmark = pytest.mark.skipif(sys.platform != "linux" or sys.maxsize < 2**32, reason="reads 64-bit ELF")


@pytest.fixture(scope="module")
def image() -> bytes:
    data = Path(_core.__file__).read_bytes()
    assert data[:6] == b"\x7fELF\x02\x01"
    return data


def segments(image: bytes) -> dict[int, tuple[int, int, int]]:
    """Return flags, offset and size in the file of one segment of each type."""
    (begin,) = struct.unpack_from("<Q", image, 32)
    size, count = struct.unpack_from("<HH", image, 54)
    found = {}
    for i in range(count):
        kind, flags, offset, _, _, length = struct.unpack_from("<IIQQQQ", image, begin + i * size)
        found[kind] = (flags, offset, length)
        assert kind != LOAD or flags & (EXECUTABLE | WRITABLE) != EXECUTABLE | WRITABLE
    return found


def test_the_stack_is_not_executable_and_relocations_are_read_only(image):
    found = segments(image)
    assert not found[STACK][0] & EXECUTABLE
    assert RELRO in found
    _, offset, size = found[DYNAMIC]
    entries = dict(struct.iter_unpack("<QQ", image[offset : offset + size]))
    assert entries.get(FLAGS, 0) & BIND_NOW or entries.get(FLAGS_1, 0) & NOW  # else some stay writable


def test_functions_with_arrays_check_their_stack(image):
    assert b"__stack_chk_fail\0" in image
