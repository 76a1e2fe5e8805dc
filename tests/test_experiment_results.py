"""Results of experiments: kept across interruptions, damaged files, and failures that never become numbers."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import pathfront as pf
from pathfront.bench import peers
from pathfront.cli import run as command
from pathfront.exceptions import ArgumentError, FormatError
from pathfront.experiments import graphs, measuring, page, results
from pathfront.experiments.toml import from_mapping, parse
from pathfront.report.elements import Chart, Table
from pathfront.report.html import to_html
from tiny_suite import SEARCHES, SUITE, elements_of, lines_of, measure, problems_of, table_of


@pytest.fixture
def suite():
    return parse(SUITE, "tiny.toml")


# ---- results -------------------------------------------------------------------------------------------------------


def test_what_is_measured_becomes_a_page(suite, tmp_path):
    path = tmp_path / "tiny.jsonl"
    done = measure(suite, path)
    assert (done.measured, done.known, done.failed, done.left) == (SEARCHES, 0, {}, 0)
    made = page.of([results.read(path)])
    assert problems_of(made) == []
    table = table_of(made, "Work")
    assert table.columns[1:] == ["Dijkstra", "Near-Far"]
    assert all(row[1] == 1 and row[2] >= 1 for row in table.rows)
    [claim] = table_of(made, "What the paper observes").rows
    assert claim[1] == "1.5"
    assert claim[3] == "at least 1"
    assert claim[4] == "yes"
    assert "1 of 1 published observations" in made.summary
    assert "Tiny" in to_html(made)


def test_a_page_of_own_graphs_says_so_and_has_no_remarks_about_others(suite, tmp_path):
    pf.write(pf.generate.random(30, 90, seed=1), tmp_path / "mine.gr")
    own = graphs.with_own(suite, [str(tmp_path / "mine.gr")])
    measure(own, tmp_path / "own.jsonl")
    made = page.of([results.read(tmp_path / "own.jsonl")])
    assert "of graphs of one's own" in made.summary
    assert "remark" not in table_of(made, "What the paper observes").columns
    assert "but mine.gr, so what the paper observes need not hold" in to_html(made)


def test_searches_that_fail_are_named_with_their_variables_and_by_reason(tmp_path):
    done = measure(parse(SUITE.replace("c * weight", "0 * c"), "tiny.toml"), tmp_path / "tiny.jsonl")
    [searches] = done.failed.values()
    assert {each.partition(" on ")[0] for each in searches} == {"Near-Far c=1", "Near-Far c=32"}


def test_a_limit_of_minutes_is_positive(tmp_path, capsys):
    (tmp_path / "tiny.toml").write_text(SUITE)
    assert command(["bench", str(tmp_path / "tiny.toml"), "--minutes", "0"]) == 2
    assert "--minutes is 0, but it must be greater than 0" in capsys.readouterr().err


def test_the_page_is_written_before_what_may_fail(suite, tmp_path, monkeypatch, capsys):
    measure(suite, tmp_path / "tiny.jsonl")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    written = ["-o", str(tmp_path / "page.html"), "--images", str(tmp_path / "images")]
    assert command(["report", str(tmp_path / "tiny.jsonl"), *written]) == 2
    assert "pip install" in capsys.readouterr().err
    assert "Tiny" in (tmp_path / "page.html").read_text()


def test_a_report_without_results_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert command(["report"]) == 2
    assert "run 'pathfront bench" in capsys.readouterr().err
    assert command(["report", "page.md"]) == 2
    assert "--output page.md" in capsys.readouterr().err


def test_a_second_run_measures_nothing_again(suite, tmp_path, monkeypatch):
    path = tmp_path / "tiny.jsonl"
    measure(suite, path)
    before = path.read_bytes()
    monkeypatch.setattr(measuring, "_search", lambda *_: pytest.fail("a finished search ran again"))
    done = measure(suite, path)
    assert (done.measured, done.known) == (0, SEARCHES)
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize("stop_at", [0, 1, 4, 10])
def test_an_interrupted_run_goes_on_without_repeating_anything(suite, tmp_path, monkeypatch, stop_at):
    """`stop_at` counts all searches, first runs and repetitions."""
    path = tmp_path / "tiny.jsonl"
    ran = []
    search = measuring._search

    def counted(cell, reference, graph):
        if len(ran) == stop_at:
            ran.append(None)  # only once
            raise KeyboardInterrupt
        found = search(cell, reference, graph)
        ran.append(cell.key)
        return found

    monkeypatch.setattr(measuring, "_search", counted)
    with pytest.raises(KeyboardInterrupt):
        measure(suite, path)
    kept = len(lines_of(path, "search")) + len(lines_of(path, "timing"))
    assert kept == stop_at
    done = measure(suite, path)
    assert done.left == 0
    assert len(ran) - 1 == 2 * SEARCHES, "each search runs twice, whether interrupted or not"
    assert len({entry["key"] for entry in lines_of(path, "search")}) == len(lines_of(path, "search")) == SEARCHES
    assert all(len(each.seconds) == 2 for each in results.read(path).searches.values())


def test_a_trace_with_times_is_that_of_the_quickest_of_a_few_runs(tmp_path, monkeypatch):
    ran = []
    search = measuring._search

    def timed(cell, reference, graph):
        paths, _ = search(cell, reference, graph)
        ran.append(cell.key)
        return paths, [0.05, 0.02, 0.04, 0.03, 0.06][(len(ran) - 1) % 5]

    monkeypatch.setattr(measuring, "_search", timed)
    path = tmp_path / "tiny.jsonl"
    traced = parse(SUITE.replace('method = "near_far"', 'method = "near_far"\ntrace = true'), "tiny.toml")
    first = replace(traced, experiments=(replace(traced.experiments[0], runs=traced.experiments[0].runs[1:]),))
    measure(first, path)
    assert all(ran.count(key) == 5 for key in ran)
    assert {entry["seconds"] for entry in lines_of(path, "search")} == {0.02}


def test_no_search_begins_after_the_time(suite, tmp_path):
    path = tmp_path / "tiny.jsonl"
    done = measure(suite, path, minutes=0)
    assert (done.measured, done.left) == (0, SEARCHES)
    assert measure(suite, path).measured == SEARCHES


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda suite: from_mapping({**suite.raw, "title": "Another"}, "tiny.toml"), "another version of the suite"),
        (lambda suite: from_mapping({**suite.raw, "name": "other"}, "tiny.toml"), "suite 'tiny'"),
    ],
    ids=["definition", "name"],
)
def test_a_file_of_another_suite_is_not_continued(suite, tmp_path, change, said):
    path = tmp_path / "tiny.jsonl"
    measure(suite, path)
    with pytest.raises(ArgumentError, match=said):
        measure(change(suite), path)
    assert measure(change(suite), path, fresh=True).measured == SEARCHES


def test_a_wrong_answer_is_never_a_number(suite, tmp_path, monkeypatch):
    def wrong(graph, source, **options):
        paths = right(graph, source, **options)
        if options["method"] == "near_far":
            paths.distance[-1] += 1
        return paths

    right = pf.shortest_paths
    monkeypatch.setattr(pf, "shortest_paths", wrong)
    path = tmp_path / "tiny.jsonl"
    done = measure(suite, path)
    assert sum(map(len, done.failed.values())) == 6
    assert "the answer is wrong" in next(iter(done.failed))
    assert all("seconds" not in entry for entry in lines_of(path, "search") if entry["name"] == "Near-Far")
    _shows_failure(path, "the answer is wrong")


def test_a_wrong_answer_of_a_repetition_is_no_number_either(suite, tmp_path, monkeypatch):
    calls = []

    def once(cell, reference):
        calls.append(cell)
        if cell.run.name == "Near-Far":
            raise measuring.SearchFailedError("the answer is wrong: its distances are not Dijkstra's")
        return 0.001

    monkeypatch.setattr(measuring, "once", once)
    path = tmp_path / "tiny.jsonl"
    assert sum(map(len, measure(suite, path).failed.values())) == 6
    _shows_failure(path, "the answer is wrong")


def _shows_failure(path, why):
    made = page.of([results.read(path)])
    [note] = problems_of(made)
    assert "Near-Far on random n=50" in note
    assert why in note
    table = table_of(made, "Work")
    assert all(cell is None for row in table.rows for cell in row[2:])
    assert table_of(made, "What the paper observes").rows[0][2:5] == [None, "at least 1", "not measured"]
    drawn = [series.name for each in elements_of(made) if isinstance(each, Chart) for series in each.series]
    assert drawn == ["Dijkstra"]


def test_a_peer_that_crashes_and_a_search_that_fails_appear_as_such(tmp_path, monkeypatch):
    def crash(*_, **__):
        raise peers.PeerFailedError("scipy ended with signal 11")

    monkeypatch.setattr(peers, "installed", lambda: ["scipy"])
    monkeypatch.setattr(peers, "timed", crash)
    text = SUITE.replace('method = "near_far"\ndelta = "c * weight / degree"', 'method = "peer:scipy"')
    text = text.replace('method = "dijkstra"', 'method = "dijkstra"\noptions = { nonsense = 3 }')
    path = tmp_path / "tiny.jsonl"
    done = measure(parse(text, "tiny.toml"), path)
    assert done.measured == 0
    assert sum(map(len, done.failed.values())) == SEARCHES
    made = page.of([results.read(path)])
    said = " ".join(problems_of(made))
    assert "scipy ended with signal 11" in said
    assert "nonsense" in said
    assert "Work: nothing was measured that it could show" in said
    assert not any(isinstance(each, Chart) for each in elements_of(made))
    to_html(made)


# ---- damaged files -------------------------------------------------------------------------------------------------


@pytest.fixture
def written(suite, tmp_path):
    path = tmp_path / "tiny.jsonl"
    measure(suite, path)
    return path


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [*lines[:4], lines[4][: len(lines[4]) // 2], *lines[5:]], "line 5: it is damaged"),
        (lambda lines: [*lines[:-1], lines[-1][:-9]], "it is cut off: the run was interrupted there"),
        (lambda lines: [*lines[:3], b'{"type": "poem"}', *lines[3:]], "line 4: 'poem' is no type of line"),
        (lambda lines: [*lines[:3], b"[1, 2]", *lines[3:]], "line 4: it is damaged"),
        (lambda lines: [*lines[:3], b'{"type": "search"}', *lines[3:]], "line 4: it is damaged"),
        (
            lambda lines: [*lines[:3], b'{"type": "timing", "key": "x", "seconds": 1}', *lines[3:]],
            "line 4: it is damaged",
        ),
        (lambda lines: [*lines[:3], b"\xff\xfe{", *lines[3:]], "line 4: it is damaged"),
        (lambda lines: [*lines[:3], b"[" * 100_000, *lines[3:]], "line 4: it is damaged"),
        (lambda lines: [lines[1], *lines], "line 1: it comes before the line that describes the run"),
    ],
    ids=["half", "cut", "unknown", "list", "empty", "stray", "bytes", "deep", "early"],
)
def test_a_damaged_line_gets_a_message_and_the_rest_a_page(written, damage, said):
    written.write_bytes(b"\n".join(damage(written.read_bytes().rstrip(b"\n").split(b"\n"))))
    found = results.read(written)
    assert said in found.problems[0]
    assert len(found.problems) <= 2  # a timing may be that of a search that is lost
    made = page.of([found])
    assert any(said in text for text in problems_of(made))
    assert any(isinstance(each, Table) and each.title == "Work" for each in elements_of(made))


def test_a_run_goes_on_behind_a_line_that_was_cut_off(suite, written):
    whole = written.read_bytes()
    written.write_bytes(whole[: whole.rindex(b'"type":"timing"') + 30])
    done = measure(suite, written)
    assert (done.measured, done.left) == (0, 0)
    assert all(len(each.seconds) == 2 for each in results.read(written).searches.values())


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (b'{"type":"run","version":99,"suite":"tiny","machine":{}}', "update pathfront"),
        (b'{"type":"run","version":"new","suite":"tiny","machine":{}}', "update pathfront"),
        (b"", "holds no results"),
        (b"hello\n", "holds no results"),
    ],
    ids=["newer", "no number", "empty", "text"],
)
def test_a_file_of_which_nothing_can_be_used_is_an_error(tmp_path, first, said):
    (tmp_path / "new.jsonl").write_bytes(first)
    with pytest.raises(FormatError, match=said):
        results.read(tmp_path / "new.jsonl")


def test_lines_of_older_files_without_later_fields_are_read(written):
    """Fields that were added later are missing in older files; what they do have is shown."""
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    for entry in lines:
        entry.pop("trace", None)
        if entry["type"] == "graph":
            entry["values"].pop("origin", None)
    written.write_text("\n".join(json.dumps(entry) for entry in lines))
    made = page.of([results.read(written)])
    assert problems_of(made) == []


# ---- the command line ----------------------------------------------------------------------------------------------


def test_bench_and_report_on_own_graphs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(SUITE)
    pf.write(pf.generate.random(60, 300, seed=1), "mine.gr")
    own = ("--graphs", "mine.gr", "-o", "own.jsonl")
    assert command(["bench", "tiny.toml", *own, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measured"] == 3
    [graph] = lines_of(Path("own.jsonl"), "graph")
    assert graph["values"]["n"] == 60
    assert command(["bench", "tiny.toml", *own, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "results": "own.jsonl",
        "measured": 0,
        "known": 3,
        "failed": 0,
        "left": 0,
    }
    assert command(["report", "own.jsonl", "-o", "own.html"]) == 0
    assert "mine.gr" in Path("own.html").read_text()
    capsys.readouterr()
    assert command(["bench", "tiny.toml", "-o", "own.jsonl"]) == 2
    assert "other graphs" in capsys.readouterr().err
    assert command(["bench", "tiny.toml", "--graphs", "yours.gr"]) != 0
