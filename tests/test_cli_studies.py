"""The commands explain, sweep and trace: what they print, what they write, and how they fail."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

import pathfront as pf
from pathfront.cli import run
from pathfront.cli.sweep import as_widths
from pathfront.studies import timing


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that holds roads.gr and roads.co."""
    folder = tmp_path_factory.mktemp("roads")
    graph = pf.generate.road_like(1500, seed=1)
    points = (graph.coordinates * 1000).astype("int64")
    graph = graph.with_coordinates(points)
    pf.write(graph, folder / "roads.gr", coordinates=folder / "roads.co", lossy=True)
    return folder


@pytest.fixture
def call(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)

    def call(*arguments, code=0):
        assert run(list(arguments)) == code, capsys.readouterr()
        found = capsys.readouterr()
        if code == 2:
            assert found.out == ""
            assert found.err.count("\n") == 1
        return found

    return call


def test_explain_says_what_auto_takes_and_how_the_others_fare(call):
    out = call("explain", "roads.gr", "--seconds", "10", "--rounds", "1").out
    facts = dict(re.findall(r"^(\w[\w -]*?)  +(.*)$", out, re.MULTILINE))
    assert facts["auto takes"].startswith(pf.shortest_paths(pf.read("roads.gr"), 0).stats.method)
    assert facts["hop diameter"].startswith("at least")
    assert "taken by auto" in out
    assert re.search(r"^bfs .*counts arcs", out, re.MULTILINE)
    quick = call("explain", "roads.gr", "--quick").out
    assert re.search(r"^adds +yes +Asynchronous", quick, re.MULTILINE)
    assert "MTEPS" not in quick


def test_reasons_are_in_the_words_of_the_command_line(call, tmp_path):
    (tmp_path / "debts.txt").write_text("0 1 -4\n1 2 3\n")
    out = call("explain", str(tmp_path / "debts.txt"), "--quick").out
    (line,) = [line for line in out.splitlines() if line.startswith("adds")]
    assert re.search(r"no: weights\[0\] is -4, but --method adds needs weights >= 0", line)
    assert re.search(r"^auto takes +bellman_ford: some weights are negative", out, re.MULTILINE)


def test_explain_as_json_and_as_files(call):
    answer = json.loads(call("explain", "roads.gr", "-s", "7", "--quick", "--json").out)
    assert answer["source"] == 7
    assert answer["graph"]["n"] == answer["measures"]["n"]
    call("explain", "roads.gr", "--quick", "-o", "explain.html")
    assert "<!doctype html>" in Path("explain.html").read_text()
    call("explain", "roads.gr", "--seconds", "5", "--rounds", "0", "-o", "explain.csv")
    rows = {row["method"]: row for row in csv.DictReader(Path("explain.csv").read_text().splitlines())}
    assert float(rows["dijkstra"]["seconds"]) > 0
    assert rows["bfs"]["seconds"] == ""


def test_sweep_marks_the_default_and_the_best(call):
    out = call("sweep", "roads.gr", "-s", "1", "-m", "near_far", "--delta", "4:64:4", "--rounds", "1").out
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["delta", "used", "time"]
    assert len(lines) == 5
    assert sum("default" in line for line in lines) == 1
    assert any("best" in line for line in lines)


@pytest.mark.parametrize("kind", ["html", "json", "csv"])
def test_sweep_writes_files(call, kind):
    said = call(
        "sweep", "roads.gr", "-s", "1", "-m", "near_far", "--delta", "10,30", "--rounds", "1", "-o", f"s.{kind}"
    )
    assert f"wrote s.{kind}" in said.err
    text = Path(f"s.{kind}").read_text()
    if kind == "html":
        assert "near_far" in text
    elif kind == "json":
        assert sorted(each["delta"] for each in json.loads(text)["settings"] if not each["default"]) == [10, 30]
    else:
        rows = list(csv.DictReader(text.splitlines()))
        assert {row["verified"] for row in rows} == {"True"}


def test_options_of_the_method_are_passed_on(call):
    answer = json.loads(
        call("sweep", "roads.gr", "-s", "1", "-m", "adds", "--delta", "64", "--option", "adaptive=false", "--json").out
    )
    used = next(each for each in answer["settings"] if not each["default"])
    assert used["delta_used"] == 64


def test_a_wrong_answer_is_shown_and_ends_with_exit_code_1(call, monkeypatch):
    real = timing.shortest_paths

    def broken(*arguments, delta=None, **more):
        paths = real(*arguments, delta=delta, **more)
        if delta == 30:
            paths.distance[3] += 1
        return paths

    monkeypatch.setattr("pathfront.studies.sweeping.shortest_paths", broken)
    out = call("sweep", "roads.gr", "-s", "1", "-m", "near_far", "--delta", "10,30", "--rounds", "1", code=1).out
    (line,) = [line for line in out.splitlines() if line.startswith("30")]
    assert "WRONG" in line
    assert "ms" not in line


def test_trace_shows_totals_and_the_frontier(call):
    out = call("trace", "roads.gr", "-s", "1", "--methods", "near_far, dijkstra").out
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == ["method", "near_far", "dijkstra"]
    assert re.search("[▁▂▃▄▅▆▇█]", out)


def test_a_method_that_does_not_apply_is_told_in_the_words_of_the_command_line(call):
    out = call("trace", "roads.gr", "-s", "1", "--methods", "bfs,near_far").out
    (line,) = [line for line in out.splitlines() if line.startswith("bfs")]
    assert "--method bfs counts arcs" in line
    assert "graph.with_weights" not in line
    answer = json.loads(call("trace", "roads.gr", "-s", "1", "--methods", "bfs", "--json").out)
    assert answer["runs"][0]["stats"] is None
    call("trace", "roads.gr", "-s", "1", "--methods", "bfs", "-o", "none.html")
    assert "No method has a trace." in Path("none.html").read_text()


def test_trace_writes_the_rows(call):
    call("trace", "roads.gr", "-s", "1", "--methods", "near_far,workfront_sweep", "-o", "t.csv")
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    expected = pf.shortest_paths(pf.read("roads.gr"), 0, method="near_far", trace=True, threads=1).stats
    near_far = [row for row in rows if row["method"] == "near_far"]
    assert len(near_far) == pytest.approx(expected.iterations, rel=0.2)
    assert {row["method"] for row in rows} == {"near_far", "workfront_sweep"}
    call("trace", "roads.gr", "-s", "1", "--methods", "near_far", "-o", "t.json")
    (first,) = json.loads(Path("t.json").read_text())["runs"]
    assert sum(first["trace"]["edges_relaxed"]) == first["stats"]["edges_relaxed"]


def test_trace_with_coordinates_is_a_race(call):
    arguments = ("trace", "roads.gr", "-s", "1", "--methods", "near_far,dijkstra")
    call(*arguments, "--read-option", "coordinates=roads.co", "--by", "work", "-o", "race.html")
    text = Path("race.html").read_text()
    assert "A race by work" in text
    call(*arguments, "-o", "flat.html")
    assert "The graph has no coordinates" in Path("flat.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sweep", "roads.gr", "-s", "1", "-m", "dijkstra"), "--method dijkstra has no delta to sweep"),
        (("sweep", "roads.gr", "-s", "1", "--delta", "1:2:3:4"), "--delta is '1:2:3:4', but it must be FROM:TO:FACTOR"),
        (("sweep", "roads.gr", "-s", "1", "--delta", "a,b"), "--delta is 'a', but it must be a number"),
        (("sweep", "roads.gr", "-s", "1", "--delta", "1:8:1"), "--delta is '1:8:1': factor is 1, but"),
        (("sweep", "roads.gr", "-s", "1", "--delta", "-4"), r"--delta\[0\] is -4.0, but it must be greater than 0"),
        (("sweep", "roads.gr", "-s", "1", "-o", "s.txt"), "--output is 's.txt', but its name must end in one of"),
        (("sweep", "roads.gr"), "--source is missing"),
        (
            ("trace", "roads.gr", "-s", "1", "--methods", "near_fur"),
            r"--method is 'near_fur' \(did you mean 'near_far'",
        ),
        (("trace", "roads.gr", "-s", "1", "--by", "tiem"), r"--by is 'tiem' \(did you mean 'time'\?\); choose from"),
        (("trace", "roads.gr", "-s", "1", "-o", "t.npy"), "its name must end in one of .html, .json, .csv"),
        (("explain", "roads.gr", "-s", "9999"), "--source is 9999, but the graph's vertices are 1.."),
        (("explain", "roads.gr", "--seconds", "0"), "--seconds is 0"),
        (("explain", "nothing.gr"), "nothing.gr"),
    ],
)
def test_mistakes_are_one_line_without_python(call, arguments, said):
    assert re.search(said, call(*arguments, code=2).err)


def test_widths():
    assert as_widths("64:256:2") == [64, 128, 256]
    assert as_widths("64:256") == [64, 128, 256]
    assert as_widths("3, 7.5,1e3") == [3, 7.5, 1000]
