"""The command line speaks the numbers and names of the graph's file, in and out; with --by-index positions."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import pathfront as pf
from pathfront.cli import run

FORMATS = {
    "g.gr": (1, b"p sp 4 3\na 1 2 4\na 2 3 3\na 3 4 5\n"),
    "g.mtx": (1, b"%%MatrixMarket matrix coordinate integer general\n4 4 3\n1 2 4\n2 3 3\n3 4 5\n"),
    "g.graph": (1, b"4 3 001\n2 4\n1 4 3 3\n2 3 4 5\n3 5\n"),
    "g.tw": (1, b"p tw 4 3\n1 2\n2 3\n3 4\n"),
    "g.txt": (10, b"10 11 4\n11 12 3\n12 13 5\n"),
    "zero.txt": (0, b"0 1 4\n1 2 3\n2 3 5\n"),
}
TABLES = (".csv", ".csv.gz", ".parquet")


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder; return what it prints, or its error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments, code=0):
        found = run([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert found == code, captured
        return captured.err if code == 2 else captured.out

    return call


def facts(text):
    return dict(line.split("  ", 1) for line in text.splitlines() if "  " in line)


def rows(file):
    if ".parquet" in file:
        table = pytest.importorskip("pyarrow.parquet").read_table(file).to_pydict()
        return list(zip(table["vertex"], table["parent"], strict=True))
    import gzip

    text = gzip.decompress(Path(file).read_bytes()).decode() if file.endswith(".gz") else Path(file).read_text()
    return [(row["vertex"], row["parent"] or None) for row in csv.DictReader(text.splitlines())]


@pytest.mark.parametrize("name", FORMATS)
class TestNumbersOfTheFile:
    def test_in_and_out(self, call, tmp_path, name):
        first, contents = FORMATS[name]
        (tmp_path / name).write_bytes(contents)
        last = first + 3
        arguments = ("solve", name, "-s", first, "--target", last, "--path-to", last)
        answer = json.loads(call(*arguments, "--json"))
        assert answer["source"] == {"vertex": first, "index": 0, "distance": 0}
        assert (answer["farthest"]["vertex"], answer["farthest"]["index"]) == (last, 3)
        assert [target["vertex"] for target in answer["targets"]] == [last]
        assert answer["paths"][0]["vertices"] == list(range(first, last + 1))
        shown = call(*arguments)
        assert f"vertex {last} at distance" in shown
        assert " -> ".join(map(str, range(first, last + 1))) in shown

    def test_by_index(self, call, tmp_path, name):
        (tmp_path / name).write_bytes(FORMATS[name][1])
        answer = json.loads(call("solve", name, "-s", 0, "--path-to", 3, "--by-index", "--json"))
        assert (answer["source"]["vertex"], answer["paths"][0]["vertices"]) == (0, [0, 1, 2, 3])
        assert "vertices are 0..3" in call("solve", name, "-s", 4, "--by-index", code=2)

    @pytest.mark.parametrize("ending", TABLES)
    @pytest.mark.parametrize("by_index", [False, True])
    def test_tables_of_distances(self, call, tmp_path, name, ending, by_index):
        first, contents = FORMATS[name]
        (tmp_path / name).write_bytes(contents)
        first, more = (0, ["--by-index"]) if by_index else (first, [])
        call("solve", name, "-s", first, "-o", f"d{ending}", *more)
        kind = int if ending == ".parquet" else str
        expected = [kind(first + i) for i in range(4)]
        assert rows(f"d{ending}") == list(zip(expected, [None, *expected[:3]], strict=True))
        assert call("verify", name, f"d{ending}", "-s", first, *more).startswith("verified")

    def test_errors(self, call, tmp_path, name):
        first, contents = FORMATS[name]
        (tmp_path / name).write_bytes(contents)
        for option in ("--source", "--target", "--path-to"):
            start = () if option == "--source" else ("-s", first)
            said = call("solve", name, *start, option, first + 4, code=2)
            assert f"{option} is {first + 4}, but the graph's vertices are {first}..{first + 3}" in said
            assert ("--by-index" in said) == (first > 0)
        np.save("wrong.npy", np.zeros(4, np.uint32))
        report = json.loads(call("verify", name, "wrong.npy", "-s", first, "--json", code=1))
        assert report["source"] == first
        assert report["violations"][0]["vertex"] in range(first, first + 4)
        assert f"vertex {report['violations'][0]['vertex']}" in report["violations"][0]["message"]


def test_no_path_and_negative_cycles_are_told_by_the_file(call, tmp_path):
    (tmp_path / "g.gr").write_bytes(FORMATS["g.gr"][1])
    (tmp_path / "cycle.gr").write_bytes(b"p sp 3 3\na 1 2 1\na 2 3 -3\na 3 2 1\n")
    assert "vertex 1 cannot be reached from vertex 3" in call("solve", "g.gr", "-s", 3, "--path-to", 1, code=2)
    assert "negative cycle, 2 -> 3 -> 2," in call("solve", "cycle.gr", "-s", 1, code=2)


def test_pfg_keeps_the_numbers_of_its_first_file(call, tmp_path):
    (tmp_path / "g.gr").write_bytes(FORMATS["g.gr"][1])
    call("convert", "g.gr", "g.pfg")
    call("convert", "g.gr", "g.txt")
    for name in ("g.pfg", "g.txt"):
        assert json.loads(call("solve", name, "-s", 1, "--path-to", 4, "--json"))["paths"][0]["vertices"] == [
            1,
            2,
            3,
            4,
        ]
    assert facts(call("info", "g.pfg"))["vertices"].strip() == "4, numbered 1 to 4"
    assert json.loads(call("info", "g.pfg", "--json"))["first_id"] == 1


def test_the_answer_of_a_pfd_is_told_by_the_graph(call, tmp_path):
    (tmp_path / "g.gr").write_bytes(FORMATS["g.gr"][1])
    call("solve", "g.gr", "-s", 2, "-o", "d.pfd")
    assert json.loads(call("verify", "g.gr", "d.pfd", "--json"))["source"] == 2
    assert json.loads(call("verify", "g.gr", "d.pfd", "--by-index", "--json"))["source"] == 1


class TestNames:
    @pytest.fixture
    def names(self, tmp_path):
        graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 5], labels=["2", "Rome", 'a "b", c', "Elba"])
        pf.write(graph, tmp_path / "n.pfg")
        return graph.labels.tolist()

    def test_a_number_is_a_name_where_there_are_names(self, call, names):
        assert json.loads(call("solve", "n.pfg", "-s", 2, "--json"))["source"] == {
            "vertex": "2",
            "index": 0,
            "distance": 0,
        }
        assert call("solve", "n.pfg", "-s", 3, code=2) == (
            "pathfront: --source is '3', but no vertex has this name; with --by-index give a position from 0\n"
        )
        assert json.loads(call("solve", "n.pfg", "-s", 1, "--by-index", "--json"))["source"]["vertex"] == 1

    def test_paths(self, call, names):
        answer = json.loads(call("solve", "n.pfg", "-s", "Rome", "--path-to", "Elba", "--json"))
        assert answer["paths"][0]["vertices"] == names[1:]
        assert 'Rome -> a "b", c -> Elba' in call("solve", "n.pfg", "-s", "Rome", "--path-to", "Elba")

    @pytest.mark.parametrize("ending", TABLES)
    def test_tables(self, call, names, ending):
        call("solve", "n.pfg", "-s", "Rome", "-o", f"d{ending}")
        assert rows(f"d{ending}") == list(zip(names, [None, None, *names[1:3]], strict=True))
        assert call("verify", "n.pfg", f"d{ending}", "-s", "Rome").startswith("verified")

    def test_names_that_are_not_unicode(self, call, tmp_path):
        pf.write(pf.Graph.from_edges([0], [1], labels=["\udc80", "x"]), tmp_path / "s.pfg")
        call("solve", "s.pfg", "-s", "x", "-o", "d.csv")
        call("verify", "s.pfg", "d.csv", "-s", "x")
        assert r"'\udc80' is not Unicode; use .csv" in call("solve", "s.pfg", "-s", "x", "-o", "d.parquet", code=2)

    def test_numbers_with_gaps(self, call, tmp_path):
        (tmp_path / "w.txt").write_bytes(b"30 8297 4\n8297 1000 3\n")
        answer = json.loads(call("solve", "w.txt", "-s", 30, "--path-to", 1000, "-o", "d.csv", "--json"))
        assert answer["paths"][0]["vertices"] == [30, 8297, 1000]
        assert rows("d.csv") == [("30", None), ("1000", "8297"), ("8297", "30")]
        call("verify", "w.txt", "d.csv", "-s", 30)
        assert "'31'" in call("solve", "w.txt", "-s", 31, code=2)
        Path("d.csv").write_text(Path("d.csv").read_text().replace("1000,7,8297", "1001,7,8297"))
        assert "'1001' in column 'vertex' is not a vertex of the graph" in call(
            "verify", "w.txt", "d.csv", "-s", 30, code=2
        )

    def test_a_name_that_looks_like_no_parent(self, call, tmp_path):
        pf.write(pf.Graph.from_edges([0], [1], labels=["", "x"]), tmp_path / "e.pfg")
        assert "use .parquet or .pfd" in call("solve", "e.pfg", "-s", "", "-o", "d.csv", code=2)
        for ending, more in ((".csv", ["--no-parents"]), (".parquet", [])):
            call("solve", "e.pfg", "-s", "", "-o", f"d{ending}", *more)
            call("verify", "e.pfg", f"d{ending}", "-s", "")
