"""What suites of experiments may ask of charts, tables and graphs, on records that are made here."""

from __future__ import annotations

import numpy as np
import pytest

import pathfront as pf
from pathfront.bench import suites as figures
from pathfront.bench.figures import Figure
from pathfront.cli import run as command
from pathfront.experiments import cells, charts, graphs, measuring, tables, toml
from pathfront.experiments.records import Record
from pathfront.experiments.suite import Column, GraphSpec, Show

HEAD = 'name = "x"\ntitle = "X"\nsummary = "A suite."\n'
GRAPH = '[graphs.g]\nkind = "random"\narguments = { n = 50, m = 200 }\n'
EXPERIMENT = '[[experiments]]\nid = "e"\ntitle = "E"\ngraphs = ["g"]\nruns = [{ name = "a", method = "dijkstra" }]\n'


def records(trace: dict[str, list[float]] | None = None) -> list[Record]:
    """Return searches `a` and `b` on one graph, with three values of a variable each."""
    return [
        Record(
            "place",
            {"run": run, "graph": "g", "C": c, "seconds": slow * c, "edges": 10, "degree": 3},
            {"C": c},
            None,
            trace,
        )
        for run, slow in (("a", 1.0), ("b", 2.0))
        for c in (4, 2, 8)
    ]


def test_several_values_make_a_series_each():
    values = ({"name": "time", "y": "seconds"}, {"name": "arcs", "y": "edges"})
    (chart,) = charts.chart(Show("chart", "T", "t", x="C", series=values), records(), "id")
    assert [each.name for each in chart.series] == ["a, time", "a, arcs", "b, time", "b, arcs"]
    assert chart.series[0].y == [2, 4, 8]
    assert chart.series[3].y == [10, 10, 10]


def test_relative_series_are_divided_by_their_least_value():
    (chart,) = charts.chart(Show("chart", "T", "t", x="C", y="seconds", relative=True), records(), "id")
    assert [each.y for each in chart.series] == [[1, 2, 4], [1, 2, 4]]


def test_a_column_of_a_trace_may_be_of_one_run_and_multiplied():
    show = Show(
        "trace",
        "T",
        "t",
        x="seconds",
        series=({"column": "frontier", "run": "a", "times": "degree"}, {"column": "near", "run": "b"}),
    )
    found = records({"seconds": [0.0, 1.0], "frontier": [5, 6], "near": [7, 8]})
    (chart,) = charts.trace(show, [found[0], found[3]], "id")
    assert [(each.name, list(each.y)) for each in chart.series] == [("a", [15, 18]), ("b", [7, 8])]


def test_a_distribution_has_both_means_and_the_published_one():
    show = Show(
        "distribution", "T", "t", value="seconds", bounds=(3,), published=({"row": "p", "counts": [1, 3], "mean": 2.9},)
    )
    bars, table = tables.distribution(show, records(), "id")
    assert table.columns[-3:] == ["mean", "geometric mean", "graphs"]
    assert table.rows[0][1:] == ["1 (33%)", "2 (67%)", pytest.approx(14 / 3), pytest.approx(4), 3]
    assert table.rows[-1][-3:] == [2.9, None, 4]
    assert table.published == {2}
    assert [each.name for each in bars.series][:2] == ["a", "b"]


def test_published_rows_of_no_run_stand_last_in_a_summary():
    column = {"title": "seconds", "value": "seconds"}
    suite = toml.parse(
        f'{HEAD}{GRAPH}{EXPERIMENT}shows = [{{ kind = "summary", id = "s", title = "S", columns = [{_inline(column)}], '
        'published = [{ row = "another code", seconds = 7 }] }]\n',
        "x.toml",
    )
    (table,) = tables.summary(suite.experiments[0].shows[0], records(), "id")
    assert [row[0] for row in table.rows] == ["a", "b", "another code"]
    assert table.published == {2}


def test_a_run_without_results_leaves_its_published_row():
    show = Show(
        "summary", "T", "t", columns=(Column("s", "seconds"),), published=({"row": "b", "s": 9.0, "label": "2014"},)
    )
    failed = [Record("place", each.names, {}, "it crashed") if each.run == "b" else each for each in records()]
    (table,) = tables.summary(show, failed, "id")
    assert [row[0] for row in table.rows] == ["a", "b, 2014"]
    assert table.published == {1}


def test_what_is_about_certain_graphs_is_left_out_for_own_ones(tmp_path, monkeypatch):
    from pathfront.experiments import page, results

    monkeypatch.chdir(tmp_path)
    pf.write(pf.generate.grid(4, 4), "mine.pfg")
    shows = (
        'shows = [{ kind = "pivot", id = "all", title = "All", value = "n" }, '
        '{ kind = "pivot", id = "some", title = "Some", value = "n", graphs = ["g"] }]\n'
        'claims = [{ text = "few", value = "n", published = "9", graphs = ["g"], at_least = 1 }]\n'
    )
    (tmp_path / "s.toml").write_text(f"{HEAD}{GRAPH}{EXPERIMENT}{shows}")
    assert command(["bench", "s.toml", "--graphs", "mine.pfg", "-o", "s.jsonl"]) == 0
    made = page.of([results.read(tmp_path / "s.jsonl")])
    elements = [element for section in made.sections for element in section.elements]
    assert [each.title for each in elements if hasattr(each, "title")] == ["All"]
    assert not any(getattr(each, "tone", "") == "problem" for each in elements)


def test_a_search_that_failed_is_not_called_verified(tmp_path):
    from pathfront.experiments import page
    from pathfront.experiments.results import Measured, Results

    machine = {"processor": "P", "cores": 1, "device": "cpu"}
    run = {"suite": "x", "definition": None, "machine": machine, "quick": False, "device": "cpu"}
    found = Results("x.jsonl", run)
    found.searches = {
        "1": Measured("1", "p", {}, None, [1.0]),
        "2": Measured("2", "p", {}, "it crashed", []),
    }
    assert page.of([found]).summary.startswith("1 verified search on")


def _inline(table: dict[str, str]) -> str:
    return "{ " + ", ".join(f'{key} = "{value}"' for key, value in table.items()) + " }"


def test_graphs_may_be_left_out_by_quick():
    suite = toml.parse(f"{HEAD}{GRAPH}full_only = true\n{EXPERIMENT}", "x.toml")
    assert [len(cells.places(suite, suite.experiments[0], quick=quick)) for quick in (False, True)] == [1, 0]


def test_a_graph_keeps_no_parallel_arcs_if_it_is_simplified():
    arguments = {"n": 20, "m": 400}
    found = [
        graphs.make(cells.Place(GraphSpec("g", kind="random", arguments=arguments, simplified=on), "g", {}))[0].m
        for on in (False, True)
    ]
    assert found[0] == 400
    assert found[1] < 400


def test_weights_of_a_file_may_have_a_type(tmp_path):
    file = tmp_path / "g.pfg"
    pf.write(pf.generate.grid(3, 3, weights="unit"), file)
    spec = GraphSpec("g", file=str(file), weights="lognormal:5:1", dtype="uint32")
    assert graphs.make(cells.Place(spec, "g", {}))[0].weights.dtype == np.uint32


@pytest.mark.parametrize("option", [{"simplified": True}, {"dtype": "uint32"}])
def test_what_changes_a_graph_changes_its_key(option):
    plain = cells.Place(GraphSpec("g", kind="random"), "g", {})
    assert plain.key != cells.Place(GraphSpec("g", kind="random", **option), "g", {}).key


def test_a_trace_is_summed_up_where_it_adds_up():
    trace = pf.shortest_paths(pf.generate.degree_k(200, 7, seed=1), 0, method="crauser", trace=True).trace
    found = measuring._totals(trace)
    assert found["total_launched"] == trace["launched"].sum()
    assert found["total_working"] < found["total_launched"]
    assert found["total_idle_warps"] <= found["total_launched"] / 32
    assert "total_distance_low" not in found


@pytest.mark.parametrize("name", ["adds2021", "cpu", "crauser2012"])
def test_every_search_of_a_suite_is_planned_once(name):
    from pathfront.experiments import builtin, running

    for quick in (True, False):
        jobs = running.plan(builtin(name), "cpu", quick=quick)
        keys = [cell.key for job in jobs for cell in job.cells]
        assert len(set(keys)) == len(keys)
        assert len({job.place.key for job in jobs}) == len(jobs)


def test_adds2021_has_graphs_of_all_classes():
    from pathfront.experiments import builtin

    suite = builtin("adds2021")
    places = cells.places(suite, suite.experiments[0], quick=True)
    assert len(places) >= 60
    assert len({place.spec.group for place in places}) >= 8


def test_a_suite_that_cannot_begin_leaves_earlier_results_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "pathfront-results" / "broken-cpu.jsonl"
    kept.parent.mkdir()
    kept.write_text("before")

    def run(quick: bool):
        raise pf.ArgumentError("nothing to measure.")
        yield Figure("x", 1.0, "s")

    broken = figures.get("costs").__class__("broken", "never begins", run)
    monkeypatch.setitem(figures._SUITES, "broken", broken)
    assert command(["bench", "broken"]) != 0
    assert kept.read_text() == "before"
