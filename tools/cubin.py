"""The resources that compiled kernels use, read from the cubin itself: registers, shared memory, stack.

A cubin is an ELF file. The section `.nv.info` lists attributes of functions, each a format, a name and a value; for
those of interest the value is a symbol's number and a count. Shared memory of a fixed size is the size of a section
`.nv.shared.KERNEL`. Warp keeps tiles in shared memory whose size is given at the launch; how much that is stands in a
file beside the cubin.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_REGISTERS, _FRAME = 0x2F, 0x11  # EIATTR_REGCOUNT and EIATTR_FRAME_SIZE
_SIZED = 4  # the format of an attribute that says its own size
_KERNEL = re.compile(r"(?:\w+__locals__)?(\w+?)(?:_[0-9a-f]{8})?_cuda_kernel_forward")


@dataclass(frozen=True)
class Usage:
    """The resources of a kernel: registers per thread, bytes of shared memory per block, bytes of stack per thread."""

    kernel: str
    registers: int
    shared: int
    stack: int


def usage(path: Path) -> list[Usage]:
    """Return the resources of each kernel in a cubin, by name."""
    elf = _Elf(path.read_bytes())
    tiles = json.loads(_beside(path).read_text())
    shared = {name.removeprefix(".nv.shared."): section.size for name, section in elf.sections.items()}
    counts: dict[tuple[int, str], int] = {(key, elf.symbol(symbol)): count for key, symbol, count in elf.attributes()}
    found = []
    for key, function in sorted(counts):
        kernel = kernel_name(function)
        if key == _REGISTERS and kernel:
            asked = shared.get(function, 0) + int(tiles.get(f"{function}_smem_bytes", 0))
            found.append(Usage(kernel, counts[key, function], asked, counts.get((_FRAME, function), 0)))
    return found


def kernel_name(function: str) -> str:
    """Return the name of a kernel in Python, nothing for a function that is none.

    Warp's name has the function in which the kernel was made, and a hash of its code: of__locals__NAME_01234567_...
    """
    match = _KERNEL.fullmatch(function)
    return match[1] if match else ""


def _beside(path: Path) -> Path:
    """Return the file in which Warp notes the sizes of tiles: NAME.meta for NAME.sm75.cubin."""
    return path.with_suffix("").with_suffix(".meta")


class _Section(NamedTuple):
    start: int
    size: int
    link: int


class _Elf:
    """As much of an ELF file as is needed: 64 bits, little end first."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (first,) = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<HHH", data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQII", data, first + i * size) for i in range(count)]
        self.numbered = [_Section(start, length, link) for _, _, _, _, start, length, link, _ in headers]
        self.sections = {
            self._text(self.numbered[names], header[0]): section
            for header, section in zip(headers, self.numbered, strict=True)
        }

    def attributes(self) -> Iterator[tuple[int, int, int]]:
        """Go through the attributes of functions: which it is, the function's symbol, the value."""
        section = self.sections[".nv.info"]
        at, end = section.start, section.start + section.size
        while at < end:
            format, key, size = struct.unpack_from("<BBH", self.data, at)
            at += 4
            if format == _SIZED:
                if size == 8:
                    yield key, *struct.unpack_from("<II", self.data, at)
                at += size

    def symbol(self, number: int) -> str:
        """Return the name of a symbol."""
        table = self.sections[".symtab"]
        (at,) = struct.unpack_from("<I", self.data, table.start + 24 * number)
        return self._text(self.numbered[table.link], at)

    def _text(self, section: _Section, at: int) -> str:
        first = section.start + at
        return self.data[first : self.data.index(b"\0", first)].decode()
