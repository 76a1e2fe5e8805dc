"""The readers of all formats under atheris: the first byte chooses a reader, the rest is the file.

A graph that is read must be sound, and only errors of the package may come out, as in `fuzz/files.py`.

    python -m fuzz.parsers.readers CORPUS -max_total_time=60
"""

from __future__ import annotations

import sys
from pathlib import Path

try:
    import atheris
except ImportError:
    sys.exit("fuzzing the readers needs atheris: .venv/bin/python -m pip install atheris")

with atheris.instrument_imports(include=["pathfront.formats", "pathfront.distances", "zipfile", "numpy.lib"]):
    import pathfront as pf
    from pathfront import distances as distances
    from pathfront import formats as formats

from fuzz.files import READERS, check, whole_files
from fuzz.finding import Case
from fuzz.mutate import PACKERS, with_pfd_checksums, with_pfg_checksums


def try_reader(data: bytes) -> None:
    """Read a file; raise for a finding."""
    if not data:
        return
    reader, contents = READERS[data[0] % len(READERS)], data[1:]
    if reader == "pfg":
        contents = with_pfg_checksums(contents)
    elif reader == "pfd":
        contents = with_pfd_checksums(contents)
    named = reader in pf.formats.names() and data[0] < 128
    case: Case = {"reader": reader, "format": reader if named else None, "options": {}, "solved": False}
    finding = check(case | {"contents": contents.decode("latin-1")})
    if finding is not None:
        raise AssertionError(f"{reader}: {finding}")


def main(arguments: list[str]) -> None:
    """Write the seeds to the corpus, and begin; or try a single file."""
    corpus = Path(next(argument for argument in arguments[1:] if not argument.startswith("-")))
    if not corpus.is_file():
        write_seeds(corpus)
    atheris.Setup(arguments, try_reader)
    atheris.Fuzz()


def write_seeds(corpus: Path) -> None:
    """Write valid files, each behind the byte that chooses its reader."""
    corpus.mkdir(parents=True, exist_ok=True)
    for i, reader in enumerate(READERS):
        plain = whole_files("dimacs" if reader in PACKERS else reader)
        for j, contents in enumerate(plain):
            packed = PACKERS[reader](contents) if reader in PACKERS else contents
            (corpus / f"seed-{reader}-{j}").write_bytes(bytes([i]) + packed)


if __name__ == "__main__":
    main(sys.argv)
