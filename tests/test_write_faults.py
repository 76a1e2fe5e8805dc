"""Faults while files are written: each system call fails once, or is the last one before SIGKILL.

The old file stays whole until the new one is, the error names the file, nothing is left behind, and the next write
works.
"""

from __future__ import annotations

import errno
import io
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pathfront as pf
from pathfront import distances
from pathfront.formats import dimacs, files, replacing

GRAPH = pf.generate.random(60, 400, seed=1, directed=False).simplified()
OLD = b"p sp 2 1\na 1 2 7\n"
NAMES = [
    *("a.gr", "a.el", "a.mtx", "a.sgr", "a.npz", "a.parquet", "a.csv", "a.graph", "a.pfg", "a.pfd", "a.co"),
    *("a.gr.gz", "a.pfg.xz", "a.csv.zst", "a.npz.gz", "a.pfd.zst"),
]


def write(path: Path) -> None:
    if ".pfd" in path.name:
        distances.write(pf.shortest_paths(GRAPH, 0), path)
    elif path.name.endswith(".co"):
        dimacs.write_coordinates(GRAPH.with_coordinates([[i, -i] for i in range(GRAPH.n)]), path)
    else:
        pf.write(GRAPH, path)


def expected(name: str, folder: Path) -> bytes:
    write(folder / name)
    return (folder / name).read_bytes()


class Faults:
    """Counts the calls that make a file, and lets the one of a given number fail."""

    def __init__(self, monkeypatch, fail):
        self.count, self.at, self._fail = 0, -1, fail
        for name in ("fsync", "replace", "fchmod"):
            monkeypatch.setattr(replacing.os, name, self._failing(getattr(os, name)))
        write = files.Sink.write
        monkeypatch.setattr(files.Sink, "write", self._failing(write))

    def _failing(self, real):
        def call(*args, **more):
            self.count += 1
            if self.count - 1 == self.at:
                self._fail()
            return real(*args, **more)

        return call


@pytest.mark.parametrize("name", NAMES)
def test_every_call_fails_once(name, tmp_path, monkeypatch):
    whole = expected(name, tmp_path)
    path = tmp_path / name

    def fail():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    faults = Faults(monkeypatch, fail)
    write(path)
    calls, harmless = faults.count, 0
    assert calls >= 4
    for at in range(calls):
        path.write_bytes(OLD)
        faults.count, faults.at = 0, at
        failure = None
        try:
            write(path)
        except OSError as error:
            failure = error
        if failure is None:  # the folder could not be synchronised: the file is there
            harmless += 1
            assert path.read_bytes() == whole
        else:
            assert (failure.errno, failure.filename) == (errno.ENOSPC, str(path))
            assert path.read_bytes() == OLD
        assert [each.name for each in tmp_path.iterdir()] == [name]
    assert harmless == 1
    faults.at = -1
    write(path)
    assert path.read_bytes() == whole


@pytest.mark.serial
@pytest.mark.parametrize("name", ["a.gr", "a.mtx", "a.npz", "a.parquet", "a.csv.zst", "a.pfg.xz", "a.pfd"])
def test_a_file_size_limit(name, tmp_path):
    """What the system writes is cut short in the middle of a call."""
    whole = expected(name, tmp_path)
    path = tmp_path / name
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (0, len(whole) // 2, len(whole) - 1):
        path.write_bytes(OLD)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, kept[1]))
            with pytest.raises(OSError, match=r"File too large.*a\."):
                write(path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, kept)
        assert path.read_bytes() == OLD
        assert [each.name for each in tmp_path.iterdir()] == [name]
    write(path)
    assert path.read_bytes() == whole


KILLED = """
import os, signal, sys
from pathlib import Path
import test_write_faults
class Patch:
    setattr = staticmethod(setattr)
faults = test_write_faults.Faults(Patch, lambda: os.kill(os.getpid(), signal.SIGKILL))
path = Path(sys.argv[1])
test_write_faults.write(path)
calls = faults.count
for at in range(calls):
    path.write_bytes(test_write_faults.OLD)
    child = os.fork()
    if child == 0:
        faults.count, faults.at = 0, at
        test_write_faults.write(path)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    print(len(path.read_bytes()), flush=True)
"""


@pytest.mark.serial
@pytest.mark.parametrize("name", ["a.gr", "a.pfg.xz", "a.pfd"])
def test_a_writer_that_is_killed_leaves_the_old_file_or_the_new_one(name, tmp_path):
    whole = expected(name, tmp_path)
    path = tmp_path / name
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{here.parent}"}
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], capture_output=True, text=True, check=True, env=environment
    )
    sizes = [int(line) for line in done.stdout.split()]
    assert set(sizes[:-1]) == {len(OLD)}  # the last call synchronises the folder: the new file is there
    assert sizes[-1] == len(whole)
    for left in tmp_path.glob(".a.*.part"):
        os.utime(left, (0, 0))
    write(path)
    assert path.read_bytes() == whole
    assert not list(tmp_path.glob(".a.*.part"))


class ShortWriter(io.RawIOBase):
    """A file that takes a few bytes at a time, as pipes and sockets may."""

    def __init__(self):
        self.taken = bytearray()

    def writable(self):
        return True

    def write(self, piece):
        few = bytes(memoryview(piece).cast("B")[: 1 + len(self.taken) % 7])
        self.taken += few
        return len(few)


@pytest.mark.parametrize("name", ["dimacs", "pfg", "npz", "parquet", "csv", "matrix_market", "galois"])
def test_short_writes(name):
    file, whole = ShortWriter(), io.BytesIO()
    pf.write(GRAPH, file, format=name)
    pf.write(GRAPH, whole, format=name)
    assert bytes(file.taken) == whole.getvalue()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize("format", ["dimacs", "pfg", "npz", "parquet", "csv", "matrix_market"])
def test_a_full_device(format):
    with pytest.raises(OSError, match="No space left on device"):
        pf.write(GRAPH, "/dev/full", format=format)


@pytest.mark.serial
@pytest.mark.parametrize("mmap", [True, False])
def test_a_pfg_file_that_is_truncated_while_it_is_in_use(mmap, tmp_path):
    """Mapped, the system ends the process with SIGBUS, as documented; read into memory, nothing happens."""
    path = tmp_path / "a.pfg"
    pf.write(pf.generate.grid(100, 100), path)
    code = f"""
import os, pathfront as pf
graph = pf.read({str(path)!r}, mmap={mmap})
os.truncate({str(path)!r}, 4096)
print(pf.shortest_paths(graph, 0).reached.sum())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == ((-signal.SIGBUS, "") if mmap else (0, "10000"))


def test_a_pfg_file_that_was_truncated_before(tmp_path):
    path = tmp_path / "a.pfg"
    pf.write(GRAPH, path)
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(pf.FormatError):
            pf.read(path).check()
