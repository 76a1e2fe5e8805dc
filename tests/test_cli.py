"""The command line: each command's answer, each way to fail, and what it leaves on standard output."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import pathfront as pf
from pathfront import certificate, distances, generate
from pathfront.cli import app, run
from pathfront.methods import Option

SMALL = b"p sp 6 7\na 1 2 7\na 1 3 2\na 2 4 1\na 3 2 3\na 3 4 8\na 4 5 2\na 5 5 0\n"
BIG = 2**53 + 1  # the first whole number that a float64 cannot hold
OUTPUTS = (".npy", ".csv", ".csv.gz", ".parquet", ".pfd", ".pfd.zst")


@dataclass
class Ended:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    def facts(self):
        return dict(re.findall(r"^(\w.*?)  +(.*)$", self.out, re.MULTILINE))


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder that holds small.gr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.gr").write_bytes(SMALL)

    def call(*arguments, code=0):
        found = run([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert found == code, captured
        if code == 2:
            assert captured.out == ""
            assert re.fullmatch(r"pathfront: .+[^.]\n", captured.err)
        return Ended(found, captured.out, captured.err)

    return call


def lines(file):
    return Path(file).read_text().splitlines()


@pytest.fixture(autouse=True)
def buffered(monkeypatch):
    """Let processes keep what they print until they end, as they do for users: errors may come that late."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


def process(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "pathfront", *arguments], capture_output=True, timeout=60, **options)


@pytest.fixture
def holding(monkeypatch):
    """Return a function that makes every graph file hold this graph."""

    def hold(graph):
        held = SimpleNamespace(name="held", read=lambda _: graph)
        monkeypatch.setattr(pf.formats, "open_graph", lambda *_: (held, None))

    return hold


# ---- solve ---------------------------------------------------------------------------------------------------------


def test_solve_tells_what_it_found(call):
    facts = call("solve", "small.gr", "--source", 1, "--path-to", 5, "--verify").facts()
    assert facts["graph"] == "small.gr: 6 vertices, 7 arcs, directed, uint32 weights"
    assert facts["method"] == "dijkstra (chosen: fewer than 4096 arcs)"
    assert facts["reached"] == "5 of 6 vertices (83.3%)"
    assert facts["farthest"] == "vertex 5 at distance 8, mean 4.2"
    assert facts["path"] == "1 -> 3 -> 2 -> 4 -> 5"
    assert facts["verified"] == "yes"


def test_solve_as_json(call):
    answer = call("solve", "small.gr", "-s", 1, "--path-to", 5, "--target", 5, "--target", 6, "--json").json
    assert answer["graph"] == {"file": "small.gr", "n": 6, "m": 7, "directed": True, "weights": "uint32"}
    assert answer["paths"] == [{"target": 5, "distance": 8, "vertices": [1, 3, 2, 4, 5]}]
    assert [target["distance"] for target in answer["targets"]] == [8, None]
    assert answer["source"] == {"vertex": 1, "index": 0, "distance": 0}
    assert answer["reached"] == 5
    assert answer["seconds"] > 0
    assert "verified" not in answer


def test_long_paths_are_abbreviated_for_people_and_whole_in_json(call, holding):
    holding(pf.generate.chain(50, weights="unit"))
    shown = call("solve", "x", "-s", 0, "--path-to", 49)
    assert shown.facts()["path"] == "0 -> 1 -> 2 -> 3 -> 4 -> ... 42 more ... -> 47 -> 48 -> 49"
    assert call("solve", "x", "-s", 0, "--path-to", 49, "--json").json["paths"][0]["vertices"] == list(range(50))


def test_a_cutoff_bounds_the_search_and_a_target_ends_it(call):
    cut = call("solve", "small.gr", "-s", 1, "--cutoff", 5.5, "--json").json
    assert (cut["reached"], cut["radius"]) == (3, 5)
    early = call("solve", "small.gr", "-s", 1, "--target", 3, "--json").json
    assert early["reached"] < 5
    assert early["targets"] == [{"vertex": 3, "index": 2, "distance": 2}]


def test_method_and_threads_are_honoured(call):
    answer = call("solve", "small.gr", "-s", 1, "--method", "bellman_ford", "--threads", 1, "--json").json
    assert (answer["method"], answer["reason"]) == ("bellman_ford", "as asked")


def test_the_file_may_name_the_source(call, holding):
    graph = pf.Graph.from_edges([0, 1], [1, 2])
    graph._default_source = 1
    holding(graph)
    assert call("solve", "x", "--json").json["source"]["vertex"] == 1


def test_labels_cannot_write_to_the_terminal(call, holding):
    holding(pf.Graph.from_edges([0], [1], labels=["\x1b[2J", "b\nc"]))
    shown = call("solve", "x", "-s", "\x1b[2J", "--path-to", "b\nc")
    assert "\x1b" not in shown.out
    assert shown.facts()["path"] == r"\x1b[2J -> b\nc"


def test_options_reach_the_method(call, monkeypatch):
    seen = {}

    def spy(problem):
        seen.update(problem.options)
        return pf.methods.get("dijkstra").run(problem)

    options = (Option("width", 4, "a number"), Option("order", "fifo", "a word"))
    spied = replace(pf.methods.get("dijkstra"), name="spied", run=spy, options=options)
    monkeypatch.setitem(pf.methods._REGISTRY, "spied", spied)
    call("solve", "small.gr", "-s", 1, "--method", "spied", "--option", "width=7")
    assert seen == {"width": 7, "order": "fifo"}
    for pair, words in (
        ("width=x", "a whole number"),
        ("order=7", "text"),
        ("depth=1", "its options are width, order"),
    ):
        assert words in call("solve", "small.gr", "-s", 1, "-m", "spied", "--option", pair, code=2).err


# ---- results as files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", OUTPUTS)
def test_distances_beyond_floats_survive_and_verify(call, tmp_path, ending):
    (tmp_path / "big.gr").write_bytes(f"p sp 4 2\na 1 2 {BIG}\na 2 3 2\n".encode())
    file = f"big{ending}"
    solved = call("solve", "big.gr", "-s", 1, "--output", file, "--path-to", 3, "--json").json
    assert solved["paths"][0]["distance"] == BIG + 2
    assert solved["output"] == file
    source = [] if ".pfd" in ending else ["--source", 1]
    assert call("verify", "big.gr", file, *source).out.startswith("verified")
    if ending == ".npy":
        assert np.load(file)[:3].tolist() == [0, BIG, BIG + 2]
    elif ending == ".csv":
        assert list(csv.reader(lines(file))) == [
            ["vertex", "distance", "parent"],
            ["1", "0", ""],
            ["2", str(BIG), "1"],
            ["3", str(BIG + 2), "2"],
            ["4", "", ""],
        ]
    elif ending == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        table = parquet.read_table(file).to_pydict()
        assert table == {"vertex": [1, 2, 3, 4], "distance": [0, BIG, BIG + 2, None], "parent": [None, 1, 2, None]}
    elif ending == ".pfd":
        assert distances.read(file).distance[:3].tolist() == [0, BIG, BIG + 2]


@pytest.mark.parametrize("ending", OUTPUTS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_keep_every_bit(call, holding, ending, dtype):
    holding(pf.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([0.1, 0.7, 1e-30], dtype)))
    call("solve", "x", "-s", 0, "-o", f"d{ending}")
    call("verify", "x", f"d{ending}", *([] if ".pfd" in ending else ["-s", 0]))


@pytest.mark.parametrize("ending", [".csv", ".npy"])
def test_a_trace_is_written(call, ending):
    call("solve", "small.gr", "-s", 1, "--trace", f"t{ending}")
    expected = pf.shortest_paths(pf.read("small.gr"), 0, trace=True).trace
    if ending == ".npy":
        found = np.load("t.npy")
        assert found.dtype == expected.dtype
        for name in set(found.dtype.names) - {"seconds"}:  # no two searches take the same time
            np.testing.assert_array_equal(found[name], expected[name])
    else:
        rows = list(csv.DictReader(lines("t.csv")))
        assert [int(row["frontier"]) for row in rows] == expected["frontier"].tolist()


@pytest.mark.parametrize("ending", [".npy", ".csv", ".parquet", ".pfd"])
def test_a_failed_write_leaves_the_old_file(call, monkeypatch, tmp_path, ending):
    from pathfront.formats import files

    file = tmp_path / f"old{ending}"
    file.write_bytes(b"old")
    monkeypatch.setattr(files.os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    said = call("solve", "small.gr", "-s", 1, "-o", file.name, code=2).err
    assert said == f"pathfront: {file.name}: No space left on device\n"
    assert file.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name, "small.gr"]


def test_parquet_without_pyarrow_names_the_extra(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pathfront[tables]" in call("solve", "small.gr", "-s", 1, "-o", "x.parquet", code=2).err


# ---- verify --------------------------------------------------------------------------------------------------------


def test_verify_refutes_wrong_distances(call):
    np.save("wrong.npy", np.array([0, 5, 2, 5, 8, 2**32 - 1], np.uint32))
    ended = call("verify", "small.gr", "wrong.npy", "-s", 1, code=1)
    assert ended.out.startswith("refuted, ")
    assert "would improve vertex 5 from 8 to 7" in ended.out
    report = call("verify", "small.gr", "wrong.npy", "-s", 1, "--most", 1, "--json", code=1).json
    assert (report["ok"], len(report["violations"])) == (False, 1)
    assert report["count"] > 1


def test_verify_knows_how_far_a_search_went(call):
    call("solve", "small.gr", "-s", 1, "--cutoff", 5, "-o", "cut.pfd")
    call("solve", "small.gr", "-s", 1, "--cutoff", 5, "-o", "cut.npy")
    call("verify", "small.gr", "cut.pfd")
    call("verify", "small.gr", "cut.npy", "-s", 1, code=1)
    call("verify", "small.gr", "cut.npy", "-s", 1, "--cutoff", 5.9)
    assert "leave it out" in call("verify", "small.gr", "cut.pfd", "-s", 1, code=2).err


def test_verify_checks_parents_where_there_are(call):
    call("solve", "small.gr", "-s", 1, "-o", "d.csv")
    Path("d.csv").write_text(Path("d.csv").read_text().replace("4,6,2", "4,6,3"))
    assert "no arc 3 -> 4 explains" in call("verify", "small.gr", "d.csv", "-s", 1, code=1).out


def test_csv_rows_may_come_in_any_order(call):
    call("solve", "small.gr", "-s", 1, "-o", "d.csv")
    header, *rows = lines("d.csv")
    Path("d.csv").write_text("\n".join([header, *reversed(rows)]) + "\n")
    call("verify", "small.gr", "d.csv", "-s", 1)


@pytest.mark.parametrize(
    ("name", "contents", "words"),
    [
        ("d.csv", b"", "'distance'"),
        ("d.csv", b"vertex,distance\n1,0\n1,1\n", "each of the graph's 6 vertices once"),
        ("d.csv", b"vertex,distance\n1,0\n2.0,1\n", "'2.0' in column 'vertex' is not a vertex"),
        ("d.csv", b"vertex,distance\n0,0\n1,1\n", "'0' in column 'vertex' is not a vertex"),
        ("d.csv", b"vertex,distance\n0\n", "line 2 has 1 columns"),
        ("d.csv", b"distance\nfar\n", "'far' in column 'distance' is not a number"),
        ("d.csv", b"distance\n" + b"9" * 30 + b"\n", "64 bits"),
        ("d.csv", b"distance,parent\n0,-4\n", "'-4' in column 'parent' is not a vertex"),
        ("d.csv", b"\xff\xfe", "not a .csv file"),
        ("d.npy", b"\x93NUMPY\x01\x00\x05\x00{{{{\n", "header is damaged"),
        ("d.npy", b"", "not a .npy file"),
        ("d.parquet", b"PAR1 nothing PAR1", "not a .parquet file"),
        ("d.pfd", b"", "not a .pfd file"),
        ("d.txt", b"", "must end in one of"),
    ],
)
def test_damaged_distances(call, tmp_path, name, contents, words):
    (tmp_path / name).write_bytes(contents)
    assert words in call("verify", "small.gr", name, "-s", 1, code=2).err


def test_a_forged_npy_header_allocates_nothing(call, tmp_path):
    header = b"{'descr': '<u4', 'fortran_order': False, 'shape': (1000000000000000000,), }".ljust(117) + b"\n"
    (tmp_path / "d.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(16))
    assert "but 16 bytes follow" in call("verify", "small.gr", "d.npy", "-s", 1, code=2).err


# ---- info, convert, generate, methods, formats, demo ---------------------------------------------------------------


def test_info(call):
    facts = call("info", "small.gr").facts()
    assert facts["format"] == "dimacs"
    assert facts["weights"] == "uint32, 0 to 8, mean 3.28571, standard deviation 2.81"
    found = call("info", "small.gr", "--json").json
    expected = {"n": 6, "m": 7, "directed": True, "zero_weights": 1, "negative_weights": 0, "loops": 1, "isolated": 1}
    assert expected.items() <= found.items()
    assert (found["smallest_degree"], found["largest_degree"]) == (0, 2)
    assert found["read_seconds"] > 0
    assert found["measure_seconds"] > 0
    assert facts["hop diameter"].startswith("at least ")
    assert call("info", "small.gr", "--exact").facts()["hop diameter"] == str(found["hop_diameter"])
    whole = pf.measure(pf.read("small.gr"), source=5, exact=True).to_dict()
    assert {**whole, "source": 6}.items() <= call("info", "small.gr", "-s", 6, "--exact", "--json").json.items()
    assert call("info", "small.gr", "-s", 5, "--by-index", "--json").json["source"] == 5
    assert "vertices are 1..6" in call("info", "small.gr", "-s", 7, code=2).err


def test_a_pipe_with_a_name_is_read_once(call):
    for command in (("info", "pipe", "--json"), ("solve", "pipe", "-s", "1", "--json")):
        os.mkfifo("pipe")
        writer = threading.Thread(target=Path("pipe").write_bytes, args=(SMALL,), daemon=True)
        writer.start()
        assert call(*command).json["reached" if command[0] == "solve" else "n"] > 0
        writer.join()
        os.unlink("pipe")


@pytest.mark.parametrize("graph", [pf.Graph.from_edges([], [], n=0), pf.Graph.from_edges([], [], [], n=1)])
def test_info_and_solve_of_next_to_nothing(call, holding, graph):
    holding(graph)
    assert call("info", "small.gr", "--json").json["n"] == graph.n
    ended = call("solve", "x", "-s", 0, code=0 if graph.n else 2)
    assert ended.out if graph.n else "it is empty" in ended.err


def test_convert_and_back(call):
    assert "wrote small.gr.zst: 6 vertices, 7 arcs" in call("convert", "small.gr", "small.gr.zst").out
    ended = call("convert", "small.gr.zst", "-", "--to", "dimacs")
    assert ended.out.encode() == SMALL
    assert ended.err == "wrote 6 vertices, 7 arcs, directed, uint32 weights\n"


def test_convert_changes_what_is_asked(call, tmp_path):
    (tmp_path / "points.co").write_bytes(
        b"p aux sp co 6\n" + b"".join(f"v {i} {i} {i * i}\n".encode() for i in range(1, 7))
    )
    call("convert", "small.gr", "out.gr", "--simplify", "--reverse")
    assert pf.read("out.gr").m == 6
    assert pf.read("out.gr").to_edges().heads.tolist() == [0, 2, 0, 1, 2, 3]
    call("convert", "small.gr", "out.gr", "--weights", "int:5:5", "--seed", 3)
    assert set(pf.read("out.gr").weights.tolist()) == {5}
    call("convert", "small.gr", "out.gr", "--coordinates", "points.co", "--write-option", "coordinates=out.co")
    assert pf.read_coordinates("out.co")[3].tolist() == [4, 16]
    assert "--weights SPEC" in call("convert", "small.gr", "out.gr", "--drop-weights", code=2).err


def test_generate_offers_every_kind(call, tmp_path):
    shown = call("generate", "--help").out
    for name in generate.KINDS:
        assert re.search(rf"^  {name} ", shown, re.MULTILINE)
        assert "--seed" in call("generate", name, "--help").out


def test_generate_makes_what_python_makes(call):
    call("generate", "grid", 3, 4, "--weights", "int:5:9", "--seed", 7, "-o", "grid.gr")
    expected = pf.generate.grid(3, 4, weights="int:5:9", seed=7)
    assert np.array_equal(pf.read("grid.gr").weights, expected.weights)
    call("generate", "random", 30, 60, "--no-directed", "-o", "random.gr")
    assert pf.read("random.gr").m == pf.generate.random(30, 60, directed=False).m
    call("generate", "chain", 30, "--weights", "float:0:1", "--dtype", "int64", "-o", "chain.gr")
    assert set(pf.read("chain.gr").weights.tolist()) == {1}


def test_generate_understands_any_typed_signature(call, monkeypatch):
    def odd_one(n: int, k: int = 2, *, skew: float = 0.5, hubs: int | None = None, seed: int = 0) -> pf.Graph:
        """Return an odd one.

        >>> never shown
        """
        seen.append((n, k, skew, hubs, seed))
        return pf.generate.chain(n)

    seen = []
    monkeypatch.setitem(generate.KINDS, "odd_one", odd_one)
    call("generate", "odd-one", 4, "--skew", 0.25, "-o", "x.gr")
    call("generate", "odd_one", 4, 3, "--hubs", 9, "--seed", 5, "-o", "x.gr")
    assert seen == [(4, 2, 0.25, None, 0), (4, 3, 0.5, 9, 5)]
    shown = call("generate", "odd_one", "--help").out
    assert "Make an odd one." in shown
    assert "never shown" not in shown


def test_methods_is_the_registry(call):
    listed = call("methods").out.splitlines()
    assert [line.split()[0] for line in listed[1:]] == pf.methods.names()
    assert [method["name"] for method in call("methods", "--json").json] == pf.methods.names()
    for name in pf.methods.names():
        method = pf.methods.get(name)
        assert method.summary in call("methods", name).out
        assert call("methods", name, "--json").json["paper"] == method.paper
        assert name in call("solve", "--help").out


def test_formats_is_the_registry(call):
    assert [line.split()[0] for line in call("formats").out.splitlines()[1:]] == pf.formats.names()
    assert [format["name"] for format in call("formats", "--json").json] == pf.formats.names()


@pytest.fixture
def grid_for_roads(monkeypatch):
    def road_like(n, seed=0):
        return pf.generate.grid(2, n // 2, seed=seed)

    monkeypatch.setitem(generate.KINDS, "road_like", road_like)


def test_demo(call, grid_for_roads):
    ended = call("demo", "--arcs", 2600, "--seed", 3, "--threads", 1)
    facts = ended.facts()
    assert facts["graph"].startswith("road_like(1000, seed=3): 1,000 vertices")
    assert facts["reached"] == "1,000 of 1,000 vertices (100.0%)"
    assert facts["verified"].startswith("yes")
    assert "more ..." in facts["path"]
    assert "Try next:" in ended.out
    answer = call("demo", "--arcs", 2600, "--json").json
    assert answer["verified"] is True
    assert answer["paths"][0]["target"] == answer["farthest"]["vertex"]


def test_demo_says_when_the_answer_is_wrong(call, grid_for_roads, monkeypatch):
    verify = certificate.verify

    def lie(graph, paths, **options):
        return verify(graph, np.where(paths.distance == 0, 1, paths.distance), source=paths.source)

    monkeypatch.setattr(certificate, "verify", lie)
    assert call("demo", "--arcs", 2600, code=1).facts()["verified"].startswith("NO")
    assert call("demo", "--arcs", 2600, "--json", code=1).json["verified"] is False


# ---- bad usage and bad input ---------------------------------------------------------------------------------------

SOLVE = ("solve", "small.gr", "-s", "1")
GRID = ("generate", "grid", "3", "4", "-o", "x.gr")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("frob",), "no such command 'frob'"),
        (("solve",), "missing argument 'GRAPH' (see pathfront solve --help)"),
        (("solve", "small.gr", "--frob"), "no such option: --frob"),
        (("solve", "small.gr", "extra", "-s", "1"), "extra"),
        (("solve", "small.gr", "-s"), "requires an argument"),
        (("solve", "small.gr"), "--source is missing"),
        (
            ("solve", "small.gr", "-s", "0"),
            "--source is 0, but the graph's vertices are 1..6; with --by-index they count",
        ),
        (("solve", "small.gr", "-s", "6", "--by-index"), "--source is 6, but the graph's vertices are 0..5"),
        (("solve", "small.gr", "-s", "-1"), "--source is -1"),
        (
            ("solve", "small.gr", "-s", "1.5"),
            "--source is '1.5', but the graph's vertices are numbers; give a whole number",
        ),
        ((*SOLVE, "--target", "9"), "--target is 9"),
        ((*SOLVE, "--path-to", "9"), "--path-to is 9"),
        ((*SOLVE, "--path-to", "6"), "vertex 6 cannot be reached from vertex 1"),
        ((*SOLVE, "--path-to", "4", "--no-parents"), "--no-parents"),
        ((*SOLVE, "--path-to", "4", "--cutoff", "1"), "farther than 1"),
        ((*SOLVE, "--method", "astar"), "choose from adds, auto, bellman_ford"),
        ((*SOLVE, "--device", "tpu"), "choose from cpu, cuda, cuda:1, emulated"),
        ((*SOLVE, "--threads", "0"), "threads is 0"),
        ((*SOLVE, "--threads", "two"), "--threads is 'two', but it must be a whole number"),
        ((*SOLVE, "--delta", "3", "--method", "dijkstra"), "--method dijkstra has no delta"),
        ((*SOLVE, "--cutoff", "far"), "--cutoff is 'far', but it must be a number"),
        ((*SOLVE, "--cutoff", "-1"), "cutoff is -1"),
        ((*SOLVE, "--cutoff", "nan"), "cutoff is nan"),
        ((*SOLVE, "--option", "x=1"), "x is not an option"),
        ((*SOLVE, "--option", "method=1"), "method is not an option"),
        ((*SOLVE, "--option", "x"), "must be NAME=VALUE"),
        ((*SOLVE, "--read-option", "x=1"), "x is not an option of format 'dimacs'"),
        ((*SOLVE, "--read-option", "format=1"), "cannot be set this way"),
        ((*SOLVE, "--read-option", "coordinates=1", "--read-option", "coordinates=2"), "given twice"),
        ((*SOLVE, "--read-option", "coordinates=1"), "path is 1"),
        ((*SOLVE, "--format", "frob"), "format is 'frob'"),
        ((*SOLVE, "--time-limit", "0"), "--time-limit is 0, but it must be greater than 0"),
        ((*SOLVE, "--output", "x.foo"), "must end in one of .npy, .csv, .parquet, .arrows, .pfd"),
        ((*SOLVE, "--trace", "x.pfd"), "must end in one of .csv, .npy"),
        ((*SOLVE, "--trace", "x.csv", "--output", "./x.csv"), "give each a file of its own"),
        ((*SOLVE, "--output", "no/such/x.npy"), "no/such/x.npy: cannot write there, the directory does not exist"),
        (("solve", "absent.gr", "-s", "1"), "absent.gr: No such file or directory"),
        (("solve", ".", "-s", "0"), ".: Is a directory"),
        (("info", "garbage"), "not a graph file of a known format; pass --format"),
        (("info", "empty"), "empty"),
        (("info", "cut.gr.gz"), "damaged or cut short"),
        (("info", "forged.gr"), "forged.gr"),
        (("solve", "negative.gr", "-s", "1", "-m", "dijkstra"), "use --method bellman_ford"),
        (("solve", "cycle.gr", "-s", "1"), "negative cycle, 1 -> 2 -> 1,"),
        (("convert", "small.gr", "x.foo"), "pass --to, one of"),
        (("convert", "garbage", "x.gr"), "pass --from, one of"),
        (("convert", "small.gr", "folder.gr"), "folder.gr: Is a directory"),
        (("convert", "small.gr", "x.gr", "--seed", "1"), "--seed is for new weights"),
        (("convert", "small.gr", "x.gr", "--weights", "unit", "--drop-weights"), "contradict"),
        (("convert", "small.gr", "x.gr", "--weights", "int:9:1"), "LOW must not be larger than HIGH"),
        (("convert", "small.gr", "x.gr", "--to", "frob"), "choose from"),
        (("generate",), "missing command (see pathfront generate --help)"),
        (("generate", "frob"), "no such kind of graph 'frob'"),
        (("generate", "grid", "3"), "missing argument 'COLUMNS'"),
        (("generate", "grid", "3", "4"), "missing option"),
        (("generate", "grid", "0", "4", "-o", "x.gr"), "rows is 0"),
        (("generate", "grid", "3", "x", "-o", "x.gr"), "COLUMNS is 'x', but it must be a whole number"),
        ((*GRID, "--dtype", "int3"), "--dtype is 'int3'"),
        (
            ("generate", "grid", "3", "4", "-o", "x.gr", "--dtype", "int32", "--weights", "int:0:3000000000"),
            "but the weights go from",
        ),
        (("verify", "small.gr"), "missing argument 'DISTANCES'"),
        (("verify", "small.gr", "absent.npy", "-s", "1"), "absent.npy: No such file or directory"),
        (("verify", "small.gr", "short.npy", "-s", "1"), "result has 2 distances"),
        (("verify", "small.gr", "short.npy"), "--source is missing"),
        (("methods", "astar"), "choose from"),
        (("demo", "--arcs", "1"), "--arcs is 1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_mistake_is_one_line(call, tmp_path, arguments, words):
    import gzip

    for name, contents in {
        "garbage": b"\x00\x01\x02garbage",
        "empty": b"",
        "cut.gr.gz": gzip.compress(SMALL)[:-9],
        "forged.gr": b"p sp 1000000000000000000 1000000000000000000\n",
        "negative.gr": b"p sp 2 1\na 1 2 -3\n",
        "cycle.gr": b"p sp 2 2\na 1 2 -3\na 2 1 1\n",
    }.items():
        (tmp_path / name).write_bytes(contents)
    np.save("short.npy", np.array([0, 1]))
    os.mkdir("folder.gr")
    before = set(os.listdir())
    assert words in call(*arguments, code=2).err
    assert set(os.listdir()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(call, tmp_path):
    (tmp_path / "small.gr").chmod(0)
    assert "small.gr: Permission denied" in call("info", "small.gr", code=2).err


def test_a_bug_is_not_blamed_on_the_user(monkeypatch, capsys):
    monkeypatch.setattr(pf.methods, "names", lambda: 1 / 0)
    assert run(["methods"]) == 70
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_too_little_memory_is_one_line(call, monkeypatch):
    def hungry(*_, **__):
        raise MemoryError

    monkeypatch.setattr(pf.formats, "read", hungry)
    assert call("solve", "x", "-s", 0, code=2).err == "pathfront: not enough memory\n"


# ---- help ----------------------------------------------------------------------------------------------------------

COMMANDS = (
    *(
        "solve",
        "path",
        "matrix",
        "nearest",
        "centrality",
        "info",
        "explain",
        "sweep",
        "trace",
        "convert",
        "verify",
        "methods",
        "formats",
        "demo",
        "bench",
        "report",
        "generate",
        "datasets",
    ),
)


def test_help_lists_every_command(call):
    shown = call("--help").out
    assert call().out == shown
    # Each with a sentence that is not cut off; Typer decides on the order.
    assert sorted(re.findall(r"^  (\w+)  +[A-Z].*[^.]\.$", shown, re.MULTILINE)) == sorted(COMMANDS)
    assert [info.name for info in app.registered_commands + app.registered_groups] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_tells_every_option_and_an_example(call, name):
    import typer

    shown = call(name, "--help").out
    command = typer.main.get_command(app).commands[name]
    for param in command.params:
        words = re.split(r"\s+", re.sub(r"\s+", " ", shown))
        for spelled in param.opts if param.param_type_name == "option" else [param.metavar]:
            assert any(spelled in word for word in words)
        assert param.help, param.name
    assert f"  pathfront {name}" in shown
    assert not re.search("[\u2500-\u257f\x1b]", shown)


def test_help_and_version_do_not_wait_for_numpy():
    heavy = "{'numpy', 'scipy', 'pathfront._core'}"
    code = f"import sys; from pathfront.cli import run; run(sys.argv[1:]); print(sorted({heavy} & set(sys.modules)))"
    for option, expected in (("--help", "Usage"), ("--version", f"pathfront {pf.__version__}")):
        out = subprocess.run([sys.executable, "-c", code, option], capture_output=True, text=True, check=True).stdout
        assert out.startswith(expected)
        assert out.endswith("[]\n")


def test_the_function_is_not_hidden_by_a_module():
    code = "import pathfront as pf; pf.Verdict; print(callable(pf.verify))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"


# ---- processes -----------------------------------------------------------------------------------------------------


def test_exit_codes_and_streams_of_a_process(call, tmp_path):
    good = process(*SOLVE, "--verify", "--json", cwd=tmp_path)
    assert (good.returncode, good.stderr) == (0, b"")
    assert json.loads(good.stdout)["verified"] is True
    bad = process("solve", "absent.gr", cwd=tmp_path)
    assert (bad.returncode, bad.stdout, bad.stderr) == (
        2,
        b"",
        b"pathfront: absent.gr: No such file or directory\n",
    )
    np.save("wrong.npy", np.zeros(6, np.uint32))
    refuted = process("verify", "small.gr", "wrong.npy", "-s", "1", cwd=tmp_path)
    assert (refuted.returncode, refuted.stderr) == (1, b"")


def test_standard_input_and_output(call, tmp_path):
    made = process("generate", "grid", "3", "4", "-o", "-", "--to", "dimacs")
    assert made.stderr == b"wrote 12 vertices, 34 arcs, undirected, uint32 weights, without coordinates\n"
    assert json.loads(process("solve", "-", "-s", "1", "--json", input=made.stdout).stdout)["reached"] == 12
    assert json.loads(process("info", "-", "--json", input=made.stdout).stdout)["format"] == "dimacs"
    plain = process("solve", "-", "-s", "1", input=made.stdout).stdout.decode()
    assert plain.isascii()
    assert "\x1b" not in plain


def test_a_closed_pipe_ends_quietly():
    line = f"{sys.executable} -m pathfront generate grid 300 300 -o - --to dimacs | head -1; echo ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert ended.stdout.splitlines() == ["p sp 90000 358800", "141"]
    assert ended.stderr == ""
    line = f"{sys.executable} -m pathfront methods | true; echo ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert (ended.stdout, ended.stderr) == ("141\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output(call, tmp_path):
    with open("/dev/full", "wb") as full:
        for arguments in (SOLVE, ("convert", "small.gr", "-", "--to", "dimacs")):
            ended = subprocess.run(
                [sys.executable, "-m", "pathfront", *arguments], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE
            )
            assert ended.returncode == 2
            assert ended.stderr == b"pathfront: standard output: No space left on device\n"


@pytest.mark.serial
def test_interruption():
    started = subprocess.Popen(
        [sys.executable, "-c", "from pathfront.cli import main; print('up', flush=True); main()", "info", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    started.stdout.readline()
    started.stdin.write(b"p sp 1 0\n")
    started.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        started.wait(1)  # it waits for the rest of its input
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=30)
    assert (started.returncode, err) == (130, b"pathfront: interrupted\n")


def test_a_table_on_a_terminal(call, tmp_path):
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    ended = subprocess.run(
        [sys.executable, "-m", "pathfront", "methods"], stdout=follower, stderr=subprocess.PIPE, env=environment
    )
    os.close(follower)
    shown = os.read(leader, 1 << 16).decode()
    os.close(leader)
    assert ended.returncode == 0
    assert "\x1b[" in shown
    assert "─" in shown


# ---- .pfd ----------------------------------------------------------------------------------------------------------


def pfd(result):
    file = io.BytesIO()
    distances.write(result, file)
    return file.getvalue()


@pytest.mark.parametrize("dtype", ["uint32", "int32", "uint64", "int64", "float32", "float64"])
@pytest.mark.parametrize("parents", [True, False])
@pytest.mark.parametrize("cutoff", [None, 9])
def test_pfd_round_trip(dtype, parents, cutoff):
    graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([4, 5, 6], dtype), n=5)
    paths = pf.shortest_paths(graph, 0, parents=parents, cutoff=cutoff)
    found = distances.read(io.BytesIO(pfd(paths)))
    assert found.distance.dtype == paths.distance.dtype
    assert np.array_equal(found.distance, paths.distance)
    assert (found.source, found.radius, type(found.radius)) == (0, paths.radius, type(paths.radius))
    assert (found.parent is not None) == parents
    assert not parents or np.array_equal(found.parent, paths.parent)
    assert pf.verify(graph, found.distance, source=found.source, parent=found.parent, cutoff=found.radius)


def test_every_damaged_byte_of_a_pfd_is_noticed():
    whole = pfd(pf.shortest_paths(pf.generate.grid(3, 3), 0))
    distances.read(io.BytesIO(whole))
    for position in range(len(whole)):
        for flip in (0x01, 0x80):
            damaged = bytearray(whole)
            damaged[position] ^= flip
            with pytest.raises(pf.FormatError):
                distances.read(io.BytesIO(bytes(damaged)))
    for length in range(len(whole)):
        with pytest.raises(pf.FormatError):
            distances.read(io.BytesIO(whole[:length]))
    with pytest.raises(pf.FormatError, match="but the file has"):
        distances.read(io.BytesIO(whole + b"\0"))


@pytest.mark.parametrize("n", [10**18, 2**32 - 2, 2**64 - 1, 0])
def test_a_forged_pfd_header_allocates_nothing(n):
    fields = distances._FIELDS.pack(distances.MAGIC, 1, 1, b"uint32", n, 0, bytes(8), 0, 0)
    forged = fields + distances._CHECKSUM.pack(distances.checksum_of(fields)) + bytes(64)
    with pytest.raises(pf.FormatError):
        distances.read(io.BytesIO(forged))


def test_pfd_of_another_version_is_refused():
    whole = bytearray(pfd(pf.shortest_paths(pf.generate.chain(3), 0)))
    whole[8] = 2
    with pytest.raises(pf.FormatError, match=r"version 2 of \.pfd, but this pathfront reads version 1"):
        distances.read(io.BytesIO(bytes(whole)))


def test_pfd_refuses_what_it_cannot_hold():
    whole = distances.Distances(np.zeros(3, np.uint32), source=0)
    for wrong in (
        replace(whole, source=None),
        replace(whole, source=3),
        replace(whole, radius=-1),
        replace(whole, radius=float("nan")),
        replace(whole, distance=np.zeros(3, np.int8)),
    ):
        with pytest.raises(pf.ArgumentError):
            pfd(wrong)
