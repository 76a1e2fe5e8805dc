"""Public graphs by name: where they are looked for, and downloads from a server that may do anything."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import io
import json
import re
import signal
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

import pytest

import pathfront as pf
from pathfront.cli import run
from pathfront.datasets import catalogue

pytest.importorskip("pooch", reason="downloads need pooch: pip install 'pathfront[datasets]'")

EDGES = b"# FromNodeId ToNodeId\n0 1\n1 2\n2 0\n2 3\n"
MATRIX = b"%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 2 7\n"


def archive(*names: str) -> bytes:
    """Return a .tar.gz that holds the matrix under each of these names."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as members:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = len(MATRIX)
            members.addfile(entry, io.BytesIO(MATRIX))
    return made.getvalue()


FILES = {
    "snap/web-Google.txt.gz": gzip.compress(EDGES * 50_000, 0),
    "snap/com-dblp.ungraph.txt.gz": gzip.compress(EDGES),
    "dimacs9/rome99.gr": b"p sp 2 1\na 1 2 7\n",
    "dimacs9/USA-road-d.BAY.gr.gz": gzip.compress(b"p sp 2 1\na 1 2 7\n"),
    "dimacs9/USA-road-d.BAY.co.gz": gzip.compress(b"p aux sp co 2\nv 1 -5 6\nv 2 7 8\n"),
    "suitesparse/ecology1.tar.gz": archive("ecology1/ecology1_coord.mtx", "ecology1/ecology1.mtx"),
    "suitesparse/ecology2.tar.gz": archive("../../ecology2.txt"),
}


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves FILES at /KIND/PATH, where KIND says what goes wrong."""

    def do_GET(self):
        kind, _, path = self.path[1:].partition("/")
        self.server.asked.append(self.path)
        if kind == "moved":
            self.send_response(302)
            self.send_header("Location", f"/well/{path}")
            self.end_headers()
            return
        content = FILES.get(path)
        if kind == "gone" or content is None:
            self.send_error(404)
            return
        if kind == "page":
            content = b"<html>please log in</html>"
        self.send_response(200)
        if kind != "endless":
            self.send_header("Content-Length", "many" if kind == "unlikely" else str(len(content)))
        if kind == "encoded":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if kind == "stalled":
            self.wfile.write(content[:1000])
            self.server.goes_on.wait(60)
            return
        self.wfile.write(content[: len(content) // 2] if kind in ("cut", "endless") else content)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked = []
    server.goes_on = threading.Event()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def mirror(server, tmp_path, monkeypatch):
    """Use a cache of its own, no other folder, and the server in a way that is chosen by a call."""
    monkeypatch.setenv("PATHFRONT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATHFRONT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server.asked.clear()

    def choose(kind):
        monkeypatch.setenv("PATHFRONT_MIRROR", f"http://127.0.0.1:{server.server_address[1]}/{kind}/")

    choose("well")
    return choose


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_graph_is_downloaded_once_and_its_checksum_recorded(mirror, server, tmp_path):
    shares = []
    path = pf.datasets.fetch("web-Google", progress=shares.append)
    assert path == tmp_path / "cache" / "snap" / "web-Google.txt.gz"
    assert path.read_bytes() == FILES["snap/web-Google.txt.gz"]
    assert len(shares) > 1
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    said = subprocess.run(["sha256sum", "--check", f"{path.name}.sha256"], cwd=path.parent, capture_output=True)
    assert said.returncode == 0
    assert pf.datasets.fetch("web-Google") == path
    assert len(server.asked) == 1
    assert pf.datasets.whereabouts("web-Google") == path
    assert pf.datasets.load("web-Google").n == 4


def test_edges_that_are_listed_once_are_undirected(mirror):
    graph = pf.datasets.load("com-dblp")
    assert not graph.directed
    assert graph.m == 8


def test_roads_come_with_their_coordinates(mirror):
    graph = pf.datasets.load("USA-road-d.BAY", coordinates=True)
    assert graph.coordinates.tolist() == [[-5, 6], [7, 8]]
    with pytest.raises(pf.ArgumentError, match="'web-Google' has none"):
        pf.datasets.fetch("web-Google", coordinates=True)


def test_of_an_archive_the_matrix_is_kept(mirror, tmp_path):
    path = pf.datasets.fetch("ecology1")
    assert files(tmp_path / "cache") == ["suitesparse/ecology1.mtx", "suitesparse/ecology1.mtx.sha256"]
    assert path.read_bytes() == MATRIX
    graph = pf.datasets.load("ecology1")
    assert (graph.n, graph.m, graph.directed) == (3, 4, False)


def test_an_archive_without_the_matrix_is_an_error_and_writes_nowhere_else(mirror, tmp_path):
    with pytest.raises(pf.DownloadError, match=r"holds no ecology2\.mtx"):
        pf.datasets.fetch("ecology2")
    assert not list(tmp_path.rglob("ecology2.txt"))
    assert pf.datasets.whereabouts("ecology2") is None


def test_a_redirection_is_followed(mirror, server):
    mirror("moved")
    assert pf.datasets.fetch("web-Google").read_bytes() == FILES["snap/web-Google.txt.gz"]
    assert [each.split("/")[1] for each in server.asked] == ["moved", "well"]


def test_what_a_server_calls_an_encoding_is_not_unpacked(mirror):
    mirror("encoded")
    assert pf.datasets.fetch("web-Google").read_bytes() == FILES["snap/web-Google.txt.gz"]


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        (
            "well",
            "rome99",
            r"'rome99' was not downloaded: what 127\.0\.0\.1 sent does not have the known SHA-256, cbc9",
        ),
        ("cut", "web-Google", r"the connection was cut in the middle of the file, of [\d,]+ bytes; try again"),
        ("cut", "rome99", "the connection was cut in the middle"),
        ("endless", "web-Google", "cut off or damaged"),
        ("endless", "rome99", "does not have the known SHA-256"),
        ("gone", "web-Google", r"127\.0\.0\.1 answered 404 for http://127.*web-Google\.txt\.gz; put web-Google"),
        ("page", "web-Google", "no gzip file: it begins with b'<html>"),
        ("page", "rome99", "the server sent a web page"),
        ("cut", "ecology1", "the connection was cut"),
        ("endless", "ecology1", "cut off or damaged"),
    ],
)
def test_nothing_is_left_of_a_download_that_fails(mirror, tmp_path, kind, name, said):
    mirror(kind)
    with pytest.raises(pf.DownloadError, match=said) as found:
        pf.datasets.fetch(name)
    assert "\n" not in str(found.value)
    assert f"into {tmp_path / 'cache'}" in str(found.value)
    assert files(tmp_path / "cache") == []
    mirror("well")
    if name != "rome99":
        assert pf.datasets.fetch(name).is_file()


def test_without_a_network_the_error_says_what_to_do(mirror, tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFRONT_MIRROR", "http://127.0.0.1:9")  # nothing listens there
    with pytest.raises(pf.DownloadError) as found:
        pf.datasets.fetch("web-Google")
    folder = tmp_path / "cache" / "snap"
    assert str(found.value) == (
        "'web-Google' was not downloaded: 127.0.0.1 cannot be reached (Connection refused); put web-Google.txt.gz into "
        f"{folder} by hand, or set PATHFRONT_MIRROR to a server that has it."
    )
    assert isinstance(found.value, OSError)
    monkeypatch.setenv("PATHFRONT_MIRROR", "http://no-such-host.invalid")
    with pytest.raises(pf.DownloadError, match=r"no-such-host\.invalid cannot be reached"):
        pf.datasets.fetch("web-Google")
    monkeypatch.setenv("PATHFRONT_MIRROR", "nonsense")
    with pytest.raises(pf.DownloadError, match="'web-Google' was not downloaded: nonsense"):
        pf.datasets.fetch("web-Google")
    assert files(tmp_path / "cache") == []


def test_a_file_that_changed_is_an_error_until_it_is_removed(mirror):
    path = pf.datasets.fetch("web-Google")
    path.write_bytes(gzip.compress(b"0 1\n"))
    with pytest.raises(pf.DownloadError, match=r"web-Google\.txt\.gz has the SHA-256 .*it was changed or damaged"):
        pf.datasets.load("web-Google")
    path.unlink()
    assert pf.datasets.load("web-Google").n == 4


def test_another_file_than_the_first_time_is_an_error(mirror, monkeypatch):
    path = pf.datasets.fetch("web-Google")
    path.unlink()
    monkeypatch.setitem(FILES, "snap/web-Google.txt.gz", gzip.compress(b"0 1\n"))
    with pytest.raises(pf.DownloadError, match="does not have the known SHA-256"):
        pf.datasets.fetch("web-Google")
    path.with_name(f"{path.name}.sha256").unlink()
    assert pf.datasets.load("web-Google").n == 2


def test_a_file_that_was_put_there_by_hand_is_used_and_recorded(mirror, server, tmp_path):
    path = tmp_path / "cache" / "snap" / "web-Google.txt.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(b"0 1\n"))
    assert pf.datasets.load("web-Google").n == 2
    assert path.with_name(f"{path.name}.sha256").is_file()
    wrong = tmp_path / "cache" / "dimacs9" / "rome99.gr"
    wrong.parent.mkdir()
    wrong.write_bytes(b"p sp 1 0\n")
    with pytest.raises(pf.DownloadError, match=r"not its cbc914"):
        pf.datasets.fetch("rome99")
    assert server.asked == []


@pytest.mark.parametrize("place", ["snap/web-Google.txt.gz", "web-Google.txt.gz"])
def test_the_folder_of_the_user_comes_first(mirror, server, tmp_path, place):
    path = tmp_path / "data" / place
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(b"5 6\n"))
    assert pf.datasets.fetch("web-Google") == path
    assert pf.datasets.load("web-Google").labels.tolist() == [5, 6]
    assert server.asked == []
    assert not (tmp_path / "cache").exists()


def test_files_of_the_real_graphs_have_the_known_checksums_and_sizes(data):
    for name in ("dimacs9/USA-road-d.NY.gr.gz", "dimacs9/rome99.gr", "snap/wiki-Vote.txt.gz"):
        path = data(name)
        dataset = next(each for each in catalogue.DATASETS.values() if each.path == name)
        assert hashlib.sha256(path.read_bytes()).hexdigest() == dataset.sha256
        assert path.stat().st_size == dataset.bytes
        graph = pf.read(path)
        assert (graph.n, graph.m) == (dataset.vertices, dataset.arcs)


def test_the_catalogue_is_sound():
    assert len(catalogue.DATASETS) > 75
    assert len({each.path for each in catalogue.DATASETS.values()}) == len(catalogue.DATASETS)
    for name, each in catalogue.DATASETS.items():
        assert each.name == name
        assert each.url.startswith("https://")
        assert each.file.endswith((".gr", ".gr.gz", ".txt.gz", ".mtx"))
        assert each.is_archive == (each.collection == "suitesparse")
        assert 0 < each.vertices <= each.arcs
    assert {each.file for each in catalogue.DATASETS.values() if each.sha256} | {"USA-road-d.NY.co.gz"} == set(
        catalogue._CHECKED
    )


def test_the_cache_is_where_the_platform_keeps_such_files(monkeypatch, tmp_path):
    monkeypatch.delenv("PATHFRONT_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert pf.datasets.folder() == tmp_path / "pathfront"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert pf.datasets.folder() == tmp_path / ".cache" / "pathfront"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert pf.datasets.folder() == tmp_path / "Library" / "Caches" / "pathfront"


def test_without_pooch_the_error_names_the_extra(mirror, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(pf.MissingExtraError, match=r"pip install 'pathfront\[datasets\]'"):
        pf.datasets.fetch("web-Google")


@pytest.mark.parametrize("name", ["rom99", 7, None, ["rome99"]])
def test_a_name_that_does_not_exist_is_an_error(name):
    with pytest.raises(pf.ArgumentError, match=r"is none of the \d+ graphs"):
        pf.datasets.describe(name)


# ---- the command line ----------------------------------------------------------------------------------------------


@pytest.fixture
def call(capsys):
    def call(*arguments, code=0):
        assert run(["datasets", *arguments]) == code
        return capsys.readouterr()

    return call


@pytest.mark.serial
def test_an_interrupted_download_leaves_nothing(mirror, server, tmp_path):
    mirror("stalled")
    command = [sys.executable, "-m", "pathfront", "datasets", "get", "web-Google"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 60
        while not files(tmp_path) or not server.asked:
            assert time.monotonic() < end
            time.sleep(0.05)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    server.goes_on.set()
    assert (process.returncode, out, err) == (130, "", "pathfront: interrupted\n")
    assert files(tmp_path) == []


def test_the_list_tells_what_is_here(mirror, call):
    first = call()
    assert "web-Google" in first.out
    assert len(first.out.splitlines()) == len(catalogue.DATASETS) + 1
    row = next(line for line in call("list", "--collection", "snap").out.splitlines() if line.startswith("web-Google "))
    assert row.split()[:3] == ["web-Google", "875,713", "5,105,039"]
    assert "~17 MB" in row
    assert "at first use" in row
    pf.datasets.fetch("web-Google")
    found = {each["name"]: each for each in json.loads(call("list", "--json").out)}
    assert found["web-Google"]["here"] == "cache"
    assert found["web-Google"]["checksum"] == "recorded"
    assert found["rome99"]["checksum"] == "known"


def test_get_prints_paths_that_other_commands_take(mirror, call, capsys):
    paths = call("get", "USA-road-d.BAY", "--coordinates").out.split()
    assert [Path(path).name for path in paths] == ["USA-road-d.BAY.gr.gz", "USA-road-d.BAY.co.gz"]
    assert run(["info", paths[0]]) == 0
    assert "vertices" in capsys.readouterr().out
    assert json.loads(call("get", "web-Google", "--json").out)[0]["name"] == "web-Google"


def test_show_and_where(mirror, call, tmp_path):
    assert call("where").out == f"{tmp_path / 'cache'}\n"
    assert json.loads(call("where", "--json").out) == {"cache": str(tmp_path / "cache"), "exists": False}
    before = call("show", "USA-road-d.BAY").out
    assert "not here; it will be" in before
    assert "recorded at the first use, none yet" in before
    pf.datasets.fetch("USA-road-d.BAY")
    after = json.loads(call("show", "USA-road-d.BAY", "--json").out)
    assert after["path"] == str(pf.datasets.fetch("USA-road-d.BAY"))
    assert len(after["sha256"]) == 64


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("get", "rom99"),
            r"NAME is 'rom99' \(did you mean 'rome99'\?\), which is none .*'pathfront datasets' lists",
        ),
        (("gat", "rome99"), r"no such command of datasets 'gat' \(did you mean 'get'\?\)"),
        (("list", "--collection", "snip"), r"--collection is 'snip' \(did you mean 'snap'\?\); choose from"),
        (("--collection", "snap", "where"), "--collection belongs behind where"),
        (("get",), "NAME"),
        (("get", "web-Google", "--coordinates"), "'web-Google' has none"),
    ],
)
def test_mistakes_are_one_line(mirror, call, arguments, said):
    found = call(*arguments, code=2)
    assert re.search(said, found.err), found.err
    assert found.err.count("\n") == 1
    assert "pf." not in found.err


def test_a_length_that_is_no_number_is_ignored(mirror):
    mirror("unlikely")
    assert pf.datasets.load("com-dblp").n == 4
