"""`pathfront path`: pairs, alternatives, names and numbers of the file."""

from __future__ import annotations

import json

import pytest

from pathfront.cli import run

ROADS = b"p sp 5 6\na 1 2 4\na 2 3 3\na 1 3 9\na 1 4 3\na 4 3 4\na 3 1 1\n"


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    """Run a command in a folder that holds roads.gr; return what it prints, or its error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roads.gr").write_bytes(ROADS)
    (tmp_path / "towns.csv").write_text("tail,head,weight\nRome,Ostia,30.5\nOstia,Anzio,41.0\n")

    def call(*arguments, code=0):
        found = run([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert found == code, captured
        return captured.err if code == 2 else captured.out

    return call


def test_one_pair_in_the_numbers_of_the_file(call):
    lines = call("path", "roads.gr", "-s", 1, "-t", 2).splitlines()
    assert lines[1:] == ["path  1 -> 2", "      2 vertices, distance 4"]
    lines = call("path", "roads.gr", "-s", 0, "-t", 1, "--by-index").splitlines()
    assert lines[1:] == ["path  0 -> 1", "      2 vertices, distance 4"]


def test_pairs_and_none(call):
    said = json.loads(call("path", "roads.gr", "-s", 1, "-t", 3, "-s", 4, "-t", 2, "-s", 2, "-t", 5, "--json"))
    assert said["graph"]["n"] == 5
    one, other, none = said["pairs"]
    assert (one["source"], one["target"], one["paths"][0]["distance"]) == (1, 3, 7)
    assert other["paths"] == [{"distance": 9, "vertices": [4, 3, 1, 2]}]
    assert none == {"source": 2, "target": 5, "paths": []}
    assert "path  none from 2 to 5" in call("path", "roads.gr", "-s", 2, "-t", 5)


def test_one_source_with_several_targets(call):
    said = json.loads(call("path", "roads.gr", "-s", 2, "-t", 3, "-t", 1, "--json"))
    assert [pair["paths"][0]["vertices"] for pair in said["pairs"]] == [[2, 3], [2, 3, 1]]


def test_alternatives(call):
    said = json.loads(call("path", "roads.gr", "-s", 1, "-t", 3, "--k", 5, "--json"))
    assert [path["distance"] for path in said["pairs"][0]["paths"]] == [7, 7, 9]
    said = json.loads(call("path", "roads.gr", "-s", 1, "-t", 3, "--all", "--json"))
    assert sorted(path["vertices"] for path in said["pairs"][0]["paths"]) == [[1, 2, 3], [1, 4, 3]]
    said = json.loads(call("path", "roads.gr", "-s", 1, "-t", 3, "--all", "--k", 1, "--json"))
    assert len(said["pairs"][0]["paths"]) == 1
    assert "none" in call("path", "roads.gr", "-s", 1, "-t", 5, "--all")
    assert "none" in call("path", "roads.gr", "-s", 1, "-t", 5, "--k", 2)


def test_names(call):
    pytest.importorskip("pyarrow")
    said = json.loads(call("path", "towns.csv", "-s", "Rome", "-t", "Anzio", "--json"))
    assert said["pairs"][0]["paths"] == [{"distance": 71.5, "vertices": ["Rome", "Ostia", "Anzio"]}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-s", 1, "-s", 2, "-s", 3, "-t", 4, "-t", 1), "3 --source and 2 --target are given"),
        (("-s", 1), "--target"),
        (("-t", 1), "--source"),
        (("-s", 1, "-t", 9), "--target is 9, but the graph's vertices are 1..5"),
        (("-s", 1, "-t", 2, "--k", 0), "--k is 0, but it must be at least 1"),
        (("-s", 1, "-t", 2, "--k", "x"), "--k is 'x', but it must be a whole number"),
    ],
)
def test_mistakes(call, arguments, message):
    assert message in call("path", "roads.gr", *arguments, code=2)
