"""Writes the files that coverage-guided fuzzing begins with: `python -m fuzz.parsers.seeds FOLDER`."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from fuzz.files import whole_files

_NUMBERS = {"dimacs": (0,), "pace": (1,), "edge_list": (2, 5), "metis": (3,), "coordinates": (4,)}
"""The first byte of an input of `parsers.cpp`, which chooses the parser."""


def main(folder: Path) -> None:
    """Write valid files, each behind the byte that chooses its parser."""
    folder.mkdir(parents=True, exist_ok=True)
    for format, numbers in _NUMBERS.items():
        for contents in whole_files(format):
            for number in numbers:
                _write(folder, bytes([number]) + contents)
    for contents in whole_files("matrix_market"):
        entries = contents.split(b"\n", 2)[-1]
        for number in range(6, 26):
            _write(folder, bytes([number]) + entries)


def _write(folder: Path, contents: bytes) -> None:
    (folder / hashlib.sha256(contents).hexdigest()[:16]).write_bytes(contents)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
