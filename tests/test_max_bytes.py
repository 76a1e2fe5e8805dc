"""`max_bytes`: no file, however small, takes more memory than that before it is refused."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse
import zstandard

import pathfront as pf
from format_cases import arcs, packed
from pathfront import distances
from pathfront.formats import memory

MB = 1 << 20
PACKERS = {
    "gz": gzip.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
    "zst": zstandard.ZstdCompressor().compress,
}


def bomb(kind: str) -> bytes:
    """Return a small file that would take 40 MB or more."""
    if kind in PACKERS:
        return PACKERS[kind](b"p sp 1 0\n" + bytes(64 * MB))
    if kind == "members":
        return gzip.compress(b"p sp 1 0\n") + gzip.compress(b"\n" * (2 * MB)) * 32
    file = io.BytesIO()
    if kind == "parquet":
        same = pyarrow.array(np.zeros(8 * MB, np.int64))
        pyarrow.parquet.write_table(pyarrow.table({"tail": same, "head": same}), file)
    elif kind == "parquet_strings":
        name = pyarrow.DictionaryArray.from_arrays(np.zeros(200_000, np.int32), ["x" * 2000])
        pyarrow.parquet.write_table(pyarrow.table({"tail": name, "head": name}), file)
    elif kind == "npz":
        indices = np.zeros(8 * MB, np.int32)
        matrix = scipy.sparse.csr_array((indices.astype(bool), indices, [0, indices.size]), shape=(1, 1))
        scipy.sparse.save_npz(file, matrix)
    elif kind == "vertices":
        file.write(b"p sp 20000000 1\na 1 2 3\n" + b"c\n" * 400_000)
    elif kind == "pfd":
        file.write(gzip.compress(distances.MAGIC + bytes(64 * MB)))
    return file.getvalue()


BOMBS = ["gz", "xz", "zst", "members", "parquet", "npz", "vertices", "pfd"]

PEAK = """
import resource, sys
import numpy, zipfile, pyarrow.parquet, zstandard
import pathfront as pf
from pathfront import distances
from pathfront.formats import memory
read = distances.read if sys.argv[1].endswith("pfd") else pf.read
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read(sys.argv[1], max_bytes=int(sys.argv[2]))
except pf.FormatError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


@pytest.mark.parametrize("kind", BOMBS)
def test_memory_does_not_grow_beyond_the_limit(kind, tmp_path):
    """The limit is 8 MB; that the file itself and what is in flight come on top of it is a matter of a few more."""
    path = tmp_path / f"bomb.{kind}"
    path.write_bytes(bomb(kind))
    assert path.stat().st_size < 4 * MB
    run = subprocess.run([sys.executable, "-c", PEAK, path, str(8 * MB)], capture_output=True, text=True, check=True)
    grown, message = run.stdout.split(maxsplit=1)
    assert int(grown) * 1024 < 32 * MB
    assert f"{path}: " in message
    assert f"but max_bytes is {8 * MB}; pass a larger max_bytes=" in message


def test_a_dictionary_of_long_strings_is_not_expanded():
    """200,000 rows of the same 2,000 bytes: 800 MB if every row had a string of its own."""
    graph = pf.read(io.BytesIO(bomb("parquet_strings")), max_bytes=16 * MB)
    assert (graph.n, graph.m, graph.labels.tolist()) == (1, 200_000, ["x" * 2000])


@pytest.mark.parametrize("device", ["/dev/zero", "stream", "pipe"])
def test_what_does_not_end_is_refused(device):
    script = (
        "import sys, pathfront as pf\n"
        f"file = {{'stream': open('/dev/zero', 'rb'), 'pipe': '-'}}.get({device!r}, {device!r})\n"
        "try: pf.read(file, max_bytes=10**7)\n"
        "except pf.FormatError as error: print(error)"
    )
    with open("/dev/zero", "rb") as zeros:
        run = subprocess.run([sys.executable, "-c", script], stdin=zeros, capture_output=True, text=True, check=True)
    assert "there are more than 10000000 bytes, but max_bytes is 10000000" in run.stdout


def test_the_limit_is_inclusive_and_counts_packed_and_unpacked(tmp_path):
    contents = packed(pf.generate.grid(20, 20), "dimacs", lossy=True)
    path, wrapped = tmp_path / "graph.gr", gzip.compress(contents)
    path.write_bytes(contents)
    for file, size in (
        (lambda: path, len(contents)),
        (lambda: io.BytesIO(contents), len(contents)),
        (lambda: io.BytesIO(wrapped), len(wrapped) + len(contents)),
    ):
        assert pf.read(file(), max_bytes=size).m == 1520
        with pytest.raises(pf.FormatError, match="max_bytes"):
            pf.read(file(), max_bytes=size - 1)


def test_a_large_file_is_refused_by_its_size_before_it_is_read(tmp_path):
    path = tmp_path / "graph.gr"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(pf.FormatError, match=r"graph\.gr: the file has 1099511627776 bytes, but max_bytes is"):
        pf.read(path)


def test_a_mapped_file_is_not_limited(tmp_path):
    graph = pf.generate.grid(20, 20)
    pf.write(graph, tmp_path / "graph.pfg")
    assert arcs(pf.read(tmp_path / "graph.pfg", max_bytes=100)) == arcs(graph)
    with pytest.raises(pf.FormatError, match="max_bytes is 100"):
        pf.read(tmp_path / "graph.pfg", max_bytes=100, mmap=False)


def test_coordinates_are_limited(tmp_path):
    (tmp_path / "graph.gr").write_bytes(b"p sp 1 0\n")
    (tmp_path / "graph.co").write_bytes(b"p aux sp co 1\nv 1 1 1\n" + b"c\n" * 100)
    with pytest.raises(pf.FormatError, match=r"graph\.co: .*max_bytes is 100"):
        pf.read(tmp_path / "graph.gr", coordinates=tmp_path / "graph.co", max_bytes=100)
    with pytest.raises(pf.FormatError, match=r"graph\.co: .*max_bytes is 100"):
        pf.read_coordinates(tmp_path / "graph.co", max_bytes=100)


@pytest.mark.parametrize(("value", "error"), [(0, pf.ArgumentError), (-5, pf.ArgumentError), ("1G", TypeError)])
def test_what_is_no_number_of_bytes(value, error):
    with pytest.raises(error, match="max_bytes is"):
        pf.read(io.BytesIO(b"p sp 1 0\n"), max_bytes=value)


def test_an_npz_whose_directory_and_arrays_lie_together():
    """2^40 entries in an array's header and in the zip directory, which agree."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("format", "shape", "indptr", "indices", "data"):
            archive.writestr(f"{name}.npy", bytes(100))
    contents = bytearray(file.getvalue())
    position = contents.index(b"PK\x01\x02")
    contents[position + 24 : position + 28] = struct.pack("<I", 2**32 - 2)
    with pytest.raises(pf.FormatError, match="the arrays in it take 4294967694 bytes"):
        pf.read(io.BytesIO(bytes(contents)), max_bytes=1 << 30)


# ---- the default ---------------------------------------------------------------------------------------------------


def test_the_default_follows_the_address_space(tmp_path):
    """Without an argument: under `ulimit -v` a bomb is refused and does not end in MemoryError."""
    (tmp_path / "bomb.gr.gz").write_bytes(bomb("gz"))
    script = f"""
import resource
import pathfront as pf
import pathfront.formats
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {32 * MB}, used + {32 * MB}))
try:
    pf.read({str(tmp_path / "bomb.gr.gz")!r})
except pf.FormatError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "max_bytes is" in run.stdout


def test_the_default_follows_the_cgroup(tmp_path, monkeypatch):
    whole = memory.as_max_bytes(None)
    assert 0 < whole < 1 << 50
    lines = memory.Path("/proc/self/cgroup").read_text().splitlines()
    own = next(line.split(":", 2) for line in lines if line.split(":", 2)[1] in ("", "memory"))
    for group, limit in ((own[2].strip("/"), 10 * MB), ("", 4 * MB)):  # that of the group above counts as well
        folder = tmp_path / own[1] / group
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ("memory.limit_in_bytes" if own[1] else "memory.max")).write_text(f"{limit}\n")
        monkeypatch.setattr(memory, "_CGROUPS", tmp_path)
        assert memory.as_max_bytes(None) == limit // 2


def test_the_command_line_names_its_own_option(tmp_path):
    (tmp_path / "graph.gr").write_bytes(b"p sp 1 0\n" + b"c\n" * 100)
    (tmp_path / "graph.npy").write_bytes(bytes(300))
    pf.write(pf.Graph.from_edges([], [], n=1), tmp_path / "small.pfg")
    for words in (["info", "graph.gr"], ["convert", "graph.gr", "a.pfg"], ["verify", "small.pfg", "graph.npy"]):
        command = [sys.executable, "-m", "pathfront", *words, "--max-bytes", "100"]
        run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert run.returncode == 2
        assert "but --max-bytes is 100; pass a larger --max-bytes if" in run.stderr
