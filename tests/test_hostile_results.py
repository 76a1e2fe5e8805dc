"""Result files and suites that are wrong on purpose: a sentence and the rest of the page, never an error of Python."""

from __future__ import annotations

import json

import pytest

from pathfront.cli import run as command
from pathfront.exceptions import ArgumentError, FormatError
from pathfront.experiments import page, results
from pathfront.experiments.expressions import Expression
from pathfront.experiments.toml import from_mapping, parse
from pathfront.report.html import to_html
from pathfront.report.numbers import text_of
from tiny_suite import SUITE, measure, problems_of

_HUGE = 10**400


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "tiny.jsonl"
    measure(parse(SUITE, "tiny.toml"), path)
    return path.read_text().splitlines()


def _written(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("search", "seconds", _HUGE),
        ("search", "seconds", float("nan")),
        ("search", "seconds", -1),
        ("search", "seconds", True),
        ("search", "values", {"edges": _HUGE}),
        ("search", "values", {"edges": float("inf")}),
        ("search", "values", {"edges": [1]}),
        ("search", "error", "\ud800"),
        ("search", "trace", {"frontier": [1, "x"]}),
        ("search", "trace", {"frontier": [1, 2], "iteration": [1]}),
        ("graph", "values", {"n": {"a": 1}}),
        ("graph", "values", ["n"]),
    ],
)
def test_a_line_with_wrong_values_is_left_out(lines, tmp_path, kind, key, value):
    number = next(i for i, line in enumerate(lines) if json.loads(line)["type"] == kind)
    wrong = json.dumps({**json.loads(lines[number]), key: value})
    read = results.read(_written(tmp_path / "r.jsonl", [*lines[:number], wrong, *lines[number + 1 :]]))
    assert any(f"line {number + 1}: it is damaged" in problem for problem in read.problems)
    made = page.of([read])
    assert any("it is damaged" in text for text in problems_of(made))
    to_html(made).encode()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("machine", []),
        ("machine", {"packages": "numpy"}),
        ("machine", {"packages": {"numpy": [1]}}),
        ("own_graphs", 3),
        ("own_graphs", [1]),
        ("quick", None),
        ("device", 1),
        ("suite", None),
    ],
)
def test_a_first_line_with_wrong_values_is_no_result(lines, tmp_path, key, value):
    path = _written(tmp_path / "r.jsonl", [json.dumps({**json.loads(lines[0]), key: value}), *lines[1:]])
    with pytest.raises(FormatError, match="holds no results"):
        results.read(path)


@pytest.mark.parametrize("line", [b"\xff\xfe", b"[" * 100_000, b'{"type":"search","key":"\xed\xa0\x80"}', b"1" * 5000])
def test_a_line_that_is_no_json_is_left_out(lines, tmp_path, line):
    path = tmp_path / "r.jsonl"
    path.write_bytes("\n".join(lines).encode() + b"\n" + line + b"\n" + lines[-1].encode() + b"\n")
    assert len(results.read(path).problems) == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ('arguments = { rows = 9, columns = 8, "self" = 1 }', "argument is 'self'"),
        ("arguments = { rows = 9, columns = 8 }\nvary = { seed = [[1]] }", "seed varies over"),
        (
            f"arguments = {{ rows = 9 }}\nvary = {{ seed = {list(range(200))}, columns = {list(range(200))} }}",
            "make 40,000 combinations",
        ),
        ('arguments = { rows = 9, columns = 8 }\nsource = "x"', "source is 'x'"),
    ],
)
def test_a_graph_that_cannot_be_made_is_refused(change, why):
    with pytest.raises(FormatError, match=why):
        parse(SUITE.replace("arguments = { rows = 9, columns = 8 }", change), "tiny.toml")


def _with_show(**fields):
    raw = parse(SUITE, "tiny.toml").raw
    experiment = dict(raw["experiments"][0])
    experiment["shows"] = [{"title": "T", "id": "t", **fields}]
    return from_mapping({**raw, "experiments": [experiment]}, "tiny.toml")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"kind": "pivot", "value": "edges", "format": "999999999d"}, "format is '999999999d'"),
        ({"kind": "distribution", "value": "edges"}, "bounds are"),
        ({"kind": "trace", "series": [{"name": "x"}]}, "column is missing"),
        ({"kind": "chart", "x": "n", "y": "edges", "marks": [{"label": "m", "x": 1}]}, "x is 1, but it must be text"),
        ({"kind": "chart", "x": "n", "y": "edges", "published": [{"series": "s", "x": [1], "y": []}]}, "0 values y"),
        ({"kind": "chart", "x": "n", "y": "edges", "published": [{"series": "s", "x": 1, "y": []}]}, "must be a list"),
    ],
)
def test_a_show_that_cannot_be_drawn_is_refused(fields, why):
    with pytest.raises(FormatError, match=why):
        _with_show(**fields)


def test_an_argument_of_every_search_is_no_option():
    with pytest.raises(FormatError, match="source is an argument"):
        parse(SUITE.replace('method = "dijkstra"', 'method = "dijkstra"\noptions = { source = 1 }', 1), "tiny.toml")


def test_values_of_expressions_are_finite_numbers():
    assert Expression("(0 - 8) ** 0.5")({}) is None
    assert Expression("*".join(["n"] * 100))({"n": 10**300}) is None
    assert text_of(2.5, ",d") == text_of(2.5, ",.0f")


def test_two_runs_do_not_write_to_one_file(tmp_path):
    path = tmp_path / "tiny.jsonl"
    suite = parse(SUITE, "tiny.toml")
    with results.Writer(path), pytest.raises(ArgumentError, match="written by another run"):
        measure(suite, path)
    measure(suite, path)


def test_a_full_disk_is_named(tmp_path, capsys):
    (tmp_path / "tiny.toml").write_text(SUITE)
    (tmp_path / "tiny.jsonl").symlink_to("/dev/full")
    assert command(["bench", str(tmp_path / "tiny.toml"), "--output", str(tmp_path / "tiny.jsonl")]) == 2
    assert "tiny.jsonl: No space left on device" in capsys.readouterr().err
