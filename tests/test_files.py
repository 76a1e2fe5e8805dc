"""Files: compression, pipes, progress, and what happens when they cannot be read or written."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
import zstandard

import pathfront as pf
from format_cases import GRAPHS, arcs, packed
from pathfront import distances
from pathfront.formats import compression, files

GRAPH = GRAPHS["floats"]()
COMPRESS = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}
MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\0", ".zst": b"\x28\xb5\x2f\xfd"}


# ---- compression ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("format", [name for name in pf.formats.names() if name not in ("pace", "metis")])
def test_every_format_in_every_compression(format, ending, tmp_path):
    suffix = pf.formats.get(format).suffixes[0]
    path = tmp_path / f"graph{suffix}{ending}"
    options = {"weights": "float64"} if format == "galois" else {}
    pf.write(GRAPH, path, **options)
    assert path.read_bytes().startswith(MAGIC[ending])
    assert arcs(pf.read(path, **options)) == arcs(GRAPH)


@pytest.mark.parametrize("ending", COMPRESS)
def test_compression_is_told_by_contents_not_by_name(ending, tmp_path):
    path = tmp_path / "graph.gr"
    path.write_bytes(COMPRESS[ending](packed(GRAPH, "dimacs")))
    assert arcs(pf.read(path)) == arcs(GRAPH)
    plain = tmp_path / f"plain.gr{ending}"
    plain.write_bytes(packed(GRAPH, "dimacs"))
    assert arcs(pf.read(plain)) == arcs(GRAPH)


@pytest.mark.parametrize("ending", COMPRESS)
def test_several_members_are_one_file(ending, monkeypatch):
    contents = packed(GRAPH, "dimacs")
    members = [contents[i : i + 20] for i in range(0, len(contents), 20)]
    joined = b"".join(COMPRESS[ending](member) for member in members)
    assert arcs(pf.read(io.BytesIO(joined))) == arcs(GRAPH)
    monkeypatch.setattr(compression, "PIECE", 7)  # so that members end in the middle of pieces
    assert arcs(pf.read(io.BytesIO(joined))) == arcs(GRAPH)
    if ending != ".zst":
        assert arcs(pf.read(io.BytesIO(joined + bytes(512)))) == arcs(GRAPH)


@pytest.mark.parametrize("ending", COMPRESS)
def test_a_compressed_file_cut_short_is_an_error(ending):
    whole = COMPRESS[ending](packed(GRAPH, "dimacs"))
    for length in range(6, len(whole)):
        with pytest.raises(pf.FormatError, match="damaged or cut short"):
            pf.read(io.BytesIO(whole[:length]))


@pytest.mark.parametrize("ending", COMPRESS)
def test_rubbish_behind_a_compressed_file_is_an_error(ending):
    whole = COMPRESS[ending](packed(GRAPH, "dimacs"))
    with pytest.raises(pf.FormatError, match="damaged or cut short"):
        pf.read(io.BytesIO(whole + b"rubbish"))


def test_xz_may_not_ask_for_any_amount_of_memory(monkeypatch):
    monkeypatch.setattr(compression, "_XZ_MEMORY", 1 << 20)
    packed_xz = lzma.compress(packed(GRAPH, "dimacs"), preset=9)
    with pytest.raises(pf.FormatError, match=r"[Mm]emory"):
        pf.read(io.BytesIO(packed_xz))


def test_a_compressed_pfg_needs_no_mapping(tmp_path):
    pf.write(GRAPH, tmp_path / "a.pfg.zst")
    graph = pf.read(tmp_path / "a.pfg.zst")
    graph.check()
    assert arcs(graph) == arcs(GRAPH)


# ---- streams and pipes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["dimacs", "pfg", "npz", "matrix_market", "parquet"])
def test_standard_input_and_output(format):
    script = f"import pathfront as pf; pf.write(pf.read('-'), '-', format={format!r})"
    run = subprocess.run(
        [sys.executable, "-c", script], input=gzip.compress(packed(GRAPH, "dimacs")), capture_output=True, check=True
    )
    assert run.stderr == b""
    found = pf.read(io.BytesIO(run.stdout))
    assert arcs(found) == arcs(GRAPH)
    assert found.first_id == (0 if format == "npz" else 1)  # in other formats as in the DIMACS file


def test_a_named_pipe_is_read_and_written(tmp_path):
    os.mkfifo(tmp_path / "pipe.gr")
    writer = threading.Thread(target=pf.write, args=(GRAPH, tmp_path / "pipe.gr"))
    writer.start()
    assert arcs(pf.read(tmp_path / "pipe.gr")) == arcs(GRAPH)
    writer.join()


def test_an_unbuffered_file_object(tmp_path):
    with open(tmp_path / "a.gr", "wb", buffering=0) as file:
        pf.write(GRAPH, file, format="dimacs")
        assert not file.closed
    with open(tmp_path / "a.gr", "rb", buffering=0) as file:
        assert arcs(pf.read(file)) == arcs(GRAPH)


@pytest.mark.parametrize("wrong", [io.StringIO("p sp 1 0\n"), 7, None, ["a"]])
def test_what_is_no_file(wrong):
    with pytest.raises(pf.ArgumentTypeError, match="path is"):
        pf.read(wrong)
    if not isinstance(wrong, io.StringIO):
        with pytest.raises(pf.ArgumentTypeError, match="path is"):
            pf.write(GRAPH, wrong, format="dimacs")


def test_a_text_stream_is_not_written():
    with pytest.raises(pf.ArgumentTypeError, match="open it in binary mode"):
        pf.write(GRAPH, io.StringIO(), format="edge_list")


@pytest.mark.parametrize(
    "text",
    [
        b"p sp 2 1\na 1 2 5\n",
        b"0 1 5\n",
        b"tail,head,weight\n0,1,5\n",
        b"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 5\n",
    ],
    ids=["dimacs", "edge_list", "csv", "matrix_market"],
)
def test_the_mark_of_utf_8_is_no_part_of_the_text(text, tmp_path):
    path = tmp_path / "from_windows"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    for file in (path, io.BytesIO(path.read_bytes()), io.BytesIO(gzip.compress(path.read_bytes()))):
        assert arcs(pf.read(file)) == [(0, 1, 5)]


def test_progress_is_shown_on_a_terminal_only(tmp_path):
    script = """
import pathfront as pf, sys
from pathfront import distances
from pathfront.formats import compression, files
files.LONG_READ = 1
pf.read(sys.argv[1])
"""
    pf.write(pf.generate.grid(100, 100), tmp_path / "a.el.gz", lossy=True)
    parent, child = os.openpty()
    command = [sys.executable, "-c", script, tmp_path / "a.el.gz"]
    subprocess.run(command, stderr=child, check=True, env=os.environ | {"TERM": "xterm"})
    os.close(child)
    assert b"unpacking" in os.read(parent, 1 << 16)
    os.close(parent)
    assert subprocess.run(command, capture_output=True, check=True).stderr == b""


# ---- what cannot be read -------------------------------------------------------------------------------------------


def test_missing_directory_and_empty_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.gr"):
        pf.read(tmp_path / "none.gr")
    with pytest.raises(IsADirectoryError):
        pf.read(tmp_path)
    (tmp_path / "empty.gr").touch()
    with pytest.raises(pf.FormatError, match=r"empty\.gr: the file is empty"):
        pf.read(tmp_path / "empty.gr")
    with pytest.raises(pf.FormatError, match="no line 'p sp"):
        pf.read(tmp_path / "empty.gr", format="dimacs")


def run_unprivileged(script: str, *arguments: object) -> str:
    """Run a script as a user for whom permissions count."""
    prelude = "import os, sys\nimport pathfront as pf, pathfront.formats\nimport pathfront.generate\n"
    if os.getuid() == 0:
        prelude += "os.setgid(65534); os.setuid(65534)\n"
    command = [sys.executable, "-c", prelude + script, *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture
def shared_folder():
    """Return a folder that other users can reach."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        os.chmod(folder, 0o755)


def test_no_permission_to_read(shared_folder):
    path = shared_folder / "secret.gr"
    pf.write(GRAPH, path)
    path.chmod(0)
    found = run_unprivileged("try: pf.read(sys.argv[1])\nexcept PermissionError as error: print(error)", path)
    assert "secret.gr" in found


# ---- what cannot be written ----------------------------------------------------------------------------------------


def assert_untouched(path):
    assert path.read_bytes() == b"the old file"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "old.gr"
    path.write_bytes(b"the old file")
    return path


def test_a_graph_that_is_refused_leaves_the_old_file(old):
    with pytest.raises(pf.ArgumentError, match="no weights"):
        pf.write(GRAPHS["no_weights"](), old)
    assert_untouched(old)


@pytest.mark.parametrize("ending", ["", *COMPRESS])
@pytest.mark.parametrize("format", ["dimacs", "pfg", "npz", "matrix_market", "parquet", "csv"])
def test_a_full_disk_leaves_the_old_file(format, ending, tmp_path, monkeypatch):
    path = tmp_path / f"old{ending}"
    path.write_bytes(b"the old file")
    real = os.fdopen

    def full(descriptor, *arguments):
        handle = real(descriptor, *arguments)

        class Full(io.RawIOBase):
            def writable(self):
                return True

            def write(self, piece):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            def fileno(self):
                return handle.fileno()

            def close(self):
                handle.close()
                super().close()

        return io.BufferedWriter(Full())

    monkeypatch.setattr(files.os, "fdopen", full)
    with pytest.raises(OSError, match="No space left") as caught:
        pf.write(GRAPH, path, format=format)
    assert caught.value.errno == errno.ENOSPC
    assert str(path) in str(caught.value)
    monkeypatch.undo()
    assert_untouched(path)


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder of 1 MB, where this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("name", ["a.gr", "a.pfg", "a.mtx", "a.npz", "a.parquet", "a.gr.gz"])
def test_a_disk_that_is_really_full(name, small_disk):
    path = small_disk / name
    path.write_bytes(b"the old file")
    with pytest.raises(OSError, match="No space left"):
        pf.write(pf.generate.grid(500, 500), path, lossy=True)
    assert_untouched(path)


def test_output_that_cannot_be_written(tmp_path, old):
    with pytest.raises(FileNotFoundError, match=r"directory does not exist.*none/a\.gr"):
        pf.write(GRAPH, tmp_path / "none" / "a.gr")
    with pytest.raises(NotADirectoryError, match="directory does not exist"):
        pf.write(GRAPH, old / "a.gr")
    with pytest.raises(IsADirectoryError):
        pf.write(GRAPH, tmp_path, format="dimacs")
    assert_untouched(old)


def test_no_permission_to_write(shared_folder):
    shared_folder.chmod(0o555)
    script = (
        "try: pf.write(pf.generate.grid(2, 2), sys.argv[1], lossy=True)\nexcept PermissionError as error: print(error)"
    )
    found = run_unprivileged(script, shared_folder / "a.gr")
    assert "cannot write in that directory" in found
    assert list(shared_folder.iterdir()) == []


def test_a_write_that_is_interrupted_leaves_the_old_file(old, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathfront.formats.dimacs.write_arcs", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pf.write(GRAPH, old)
    assert_untouched(old)


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    (tmp_path / "real.gr").write_bytes(b"")
    (tmp_path / "real.gr").chmod(0o640)
    (tmp_path / "link.gr").symlink_to("real.gr")
    pf.write(GRAPH, tmp_path / "link.gr")
    assert (tmp_path / "link.gr").is_symlink()
    assert arcs(pf.read(tmp_path / "real.gr")) == arcs(GRAPH)
    assert (tmp_path / "real.gr").stat().st_mode & 0o777 == 0o640


def test_a_graph_outlives_the_file_that_it_was_opened_from(tmp_path):
    pf.write(GRAPH, tmp_path / "a.pfg")
    graph = pf.read(tmp_path / "a.pfg")
    pf.write(GRAPHS["loop"](), tmp_path / "a.pfg")
    graph.check()
    assert arcs(graph) == arcs(GRAPH)
    (tmp_path / "a.pfg").unlink()
    assert arcs(graph) == arcs(GRAPH)


# ---- replacing -----------------------------------------------------------------------------------------------------


def test_the_umask_is_never_changed(tmp_path, monkeypatch):
    """It belongs to the whole process: a file that another thread makes meanwhile would get too wide a mode."""

    def fail(_):
        raise AssertionError("umask was called")

    monkeypatch.setattr(os, "umask", fail)
    pf.write(GRAPH, tmp_path / "graph.gr")


def test_a_new_file_gets_the_mode_of_the_umask_and_an_old_one_keeps_its_own(tmp_path):
    code = f"""
import os, pathfront as pf
os.umask(0o027)
graph = pf.generate.grid(2, 2)
pf.write(graph, {str(tmp_path / "new.gr")!r}, lossy=True)
pf.write(graph, {str(tmp_path / "old.gr")!r}, lossy=True)
"""
    (tmp_path / "old.gr").write_bytes(b"")
    (tmp_path / "old.gr").chmod(0o604)
    subprocess.run([sys.executable, "-c", code], check=True)
    assert (tmp_path / "new.gr").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "old.gr").stat().st_mode & 0o777 == 0o604


def test_the_folder_is_synchronised_after_the_rename(tmp_path, monkeypatch):
    synchronised, fsync = [], os.fsync

    def record(descriptor):
        synchronised.append((os.path.isdir(f"/proc/self/fd/{descriptor}"), (tmp_path / "graph.gr").exists()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", record)
    pf.write(GRAPH, tmp_path / "graph.gr")
    assert synchronised == [(False, False), (True, True)]


def test_files_left_behind_by_killed_writers_are_removed(tmp_path):
    code = f"""
import os, signal, pathlib
from pathfront.formats.replacing import replacing
with replacing(pathlib.Path({str(tmp_path / "graph.gr")!r})) as handle:
    handle.write(b"half")
    handle.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    (left,) = tmp_path.iterdir()
    pf.write(GRAPH, tmp_path / "graph.gr")
    assert left.exists()  # too new: its writer might not have locked it yet
    os.utime(left, (0, 0))
    other = tmp_path / ".other.gr.01234567.part"
    other.write_bytes(b"")
    os.utime(other, (0, 0))
    with files.replacing(tmp_path / "graph.gr") as handle:
        (writing,) = {path for path in tmp_path.glob(".graph.gr.*") if path != left}
        os.utime(writing, (0, 0))
        pf.write(GRAPH, tmp_path / "graph.gr")
        assert not left.exists()
        assert writing.exists()  # locked
        assert other.exists()  # of another file
        handle.write(b"p sp 1 0\n")
    assert pf.read(tmp_path / "graph.gr").n == 1


# ---- files that change while they are read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "module", "function", "read"),
    [
        ("graph.gr", "pathfront._core", "parse_dimacs", "pf.read"),
        ("graph.gr.gz", "pathfront.formats.compression", "unpack", "pf.read"),
        ("graph.mtx", "pathfront._core", "parse_matrix_entries", "pf.read"),
        ("graph.pfd", "pathfront.distances", "from_source", "distances.read"),
        ("graph.pfg", "pathfront.formats.pfg", "_read_header", "partial(pf.read, mmap=False)"),
    ],
)
def test_a_file_that_is_truncated_while_it_is_read_does_no_harm(tmp_path, name, module, function, read):
    """Its pages would be gone if it were mapped, and the system would kill the process."""
    graph, path = pf.generate.grid(300, 300), tmp_path / name
    paths = pf.shortest_paths(graph, 0)
    distances.write(paths, path) if name.endswith(".pfd") else pf.write(graph, path, lossy=True)
    code = f"""
import importlib, os
from functools import partial
import pathfront as pf
from pathfront import distances
module = importlib.import_module({module!r})
kept = getattr(module, {function!r})
def truncating(*args, **more):
    os.truncate({str(path)!r}, 0)
    return kept(*args, **more)
setattr(module, {function!r}, truncating)
found = {read}({str(path)!r})
if isinstance(found, pf.Graph):
    found.check()
    assert found.n == {graph.n}
assert os.stat({str(path)!r}).st_size == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["graph.gr", "graph.pfg", "graph.npz", "graph.mtx"])
def test_large_files_are_written_in_parts(tmp_path, monkeypatch, name):
    """Ctrl-C is noticed only between two writes, and compressing megabytes takes seconds."""
    sizes = []

    class Recorder(io.BytesIO):
        def write(self, piece):
            sizes.append(memoryview(piece).nbytes)
            return super().write(piece)

    recorder = Recorder()
    graph = pf.generate.grid(200, 200)
    pf.write(graph, recorder, format=pf.formats._by_name(name).name, lossy=True)
    assert max(sizes) <= 1 << 17 < sum(sizes)
    again = pf.read(io.BytesIO(recorder.getvalue()))
    assert (again.n, again.m) == (graph.n, graph.m)
