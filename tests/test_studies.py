"""Studies of one graph: charts of traces, the order of settling, sweeps of delta, races of methods, `explain`."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

import pathfront as pf
from pathfront import methods
from pathfront.exceptions import DeviceError
from pathfront.graph import index
from pathfront.report.elements import Note, Panels, Race
from pathfront.report.html import to_html
from pathfront.results import traces
from pathfront.studies import explain_page, pages, timing
from pathfront.studies.explaining import explain
from pathfront.studies.racing import trace
from pathfront.studies.sweeping import geometric, sweep

GRID = pf.generate.grid(40, 40, weights="int:1:50", seed=3)
ROADS = pf.generate.road_like(2000, seed=1)
TRACED = [
    name
    for name in methods.names()
    if name != "auto" and "cpu" in methods.get(name).devices and not methods.get(name).unit_weights
]


# ---- what a trace shows --------------------------------------------------------------------------------------------


def settled_by_definition(low, busy, distance):
    """Return the first row after which nothing as near is processed, by looking at every later row."""
    for row in range(len(low)):
        if all(low[later] > distance for later in range(row + 1, len(low)) if busy[later]):
            return row
    raise AssertionError("after the last row nothing is processed")


def test_settled_rows_are_those_of_the_definition():
    random = np.random.default_rng(7)
    for _ in range(200):
        length = int(random.integers(1, 9))
        rows = np.zeros(length, [("frontier", np.uint64), ("distance_low", np.float64)])
        rows["frontier"] = random.integers(0, 3, length)
        rows["distance_low"] = random.integers(0, 6, length)
        rows["distance_low"][random.random(length) < 0.2] = np.nan
        low = np.nan_to_num(rows["distance_low"], nan=-np.inf)
        distance = random.integers(0, 7, 12).astype(np.uint32)
        reached = random.random(12) < 0.8
        found = traces.settled_rows(rows, distance, reached)
        for vertex in range(12):
            expected = settled_by_definition(low, rows["frontier"] > 0, distance[vertex]) if reached[vertex] else -1
            assert found[vertex] == expected


@pytest.mark.parametrize("method", TRACED)
def test_nothing_that_is_settled_changes_afterwards(method):
    """Nearer vertices are settled no later, and at the end everything is."""
    paths = pf.shortest_paths(GRID, 5, method=method, trace=True)
    rows = traces.settled_rows(paths.trace, paths.distance, paths.reached)
    assert (np.diff(rows[np.argsort(paths.distance, kind="stable")]) >= 0).all()
    assert rows.min() >= 0
    assert rows.max() <= len(paths.trace) - 1


def test_a_label_setting_method_settles_step_by_step():
    paths = pf.shortest_paths(GRID, 5, method="near_far", trace=True)
    rows = traces.settled_rows(paths.trace, paths.distance, paths.reached)
    assert np.unique(rows).size > 10
    assert rows[5] == 0 or paths.distance[rows == 0].max() < 50


def test_vertices_without_a_path_are_never_settled():
    graph = pf.Graph.from_edges([0, 2], [1, 3], [4, 5])
    paths = pf.shortest_paths(graph, 0, method="near_far", trace=True)
    rows = traces.settled_rows(paths.trace, paths.distance, paths.reached)
    assert rows.tolist()[2:] == [-1, -1]
    assert rows.min(initial=9, where=[True, True, False, False]) >= 0


def test_a_column_that_is_not_known_is_none():
    rows = np.zeros(3, [("frontier", np.uint64), ("delta", np.float64)])
    rows["delta"] = np.nan
    assert traces.column(rows, "delta") is None
    assert traces.column(rows, "far") is None
    assert traces.column(rows, "frontier").tolist() == [0, 0, 0]


def test_long_traces_are_drawn_in_groups_that_keep_the_extremes():
    rows = np.zeros(100_000, [("frontier", np.uint64), ("edges_relaxed", np.uint64)])
    rows["frontier"] = 2
    rows["frontier"][777] = 9000
    rows["edges_relaxed"] = 3
    made = traces.charts({"method": rows}, 5)
    frontier, work = (chart.series[0] for chart in made[:2])
    assert len(frontier.x) == traces.MOST_PLACES
    assert max(frontier.high) == 9000
    assert min(frontier.low) == 2
    assert work.y[-1] == 300_000
    assert frontier.x[-1] == 99_999


@pytest.mark.parametrize("method", TRACED)
def test_every_method_has_a_page(method):
    found = trace(ROADS, 0, [method])
    assert found.runs[0].failure == ""
    text = to_html(pages.trace_page(found, "roads", [("graph", "roads")], "work"))
    assert "The frontier" in text
    assert "arcs of the reached vertices" in text


def test_the_page_of_a_race_has_each_method_on_the_map():
    found = trace(ROADS, 0, ["near_far", "dijkstra"])
    page = pages.trace_page(found, "roads", [], "work")
    (race,) = [each for section in page.sections for each in section.elements if isinstance(each, Race)]
    assert [runner.name for runner in race.runners] == ["near_far", "dijkstra"]
    for run, runner in zip(found.runs, race.runners, strict=True):
        assert np.isnan(runner.settled).tolist() == (run.settled < 0).tolist()
        assert np.nanmax(runner.settled) <= run.stats.edges_relaxed
    assert any(isinstance(each, Panels) for section in page.sections for each in section.elements)


def test_moments_are_at_the_end_of_the_row():
    found = trace(ROADS, 0, ["near_far"])
    (run,) = found.runs
    last = run.settled.max()
    assert np.nanmax(found.moments(run, "rows")) == last + 1
    assert np.nanmax(found.moments(run, "work")) == run.trace["edges_relaxed"][: last + 1].sum()
    if found.has("time"):
        assert np.nanmax(found.moments(run, "time")) == pytest.approx(1e3 * run.trace["seconds"][: last + 1].max())


def test_without_coordinates_the_page_says_so():
    graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3])
    page = pages.trace_page(trace(graph, 0, ["near_far"]), "tiny", [], "work")
    notes = [each.text for section in page.sections for each in section.elements if isinstance(each, Note)]
    assert pages.NO_MAP in notes
    to_html(page)


def test_degrees_are_drawn_as_a_map():
    x, y = pages.flat(np.array([[-73_000_000, 60_000_000], [-72_000_000, 60_000_000]]))
    assert x[1] - x[0] == pytest.approx(0.5)
    assert y.tolist() == [60, 60]
    x, _ = pages.flat(np.array([[3, 4], [5, 6]]))
    assert x.tolist() == [3, 5]


def test_a_method_that_fails_or_is_wrong_has_no_numbers(monkeypatch):
    real = timing.shortest_paths

    def broken(graph, source, method="auto", **more):
        if method == "adds":
            raise DeviceError("the device is gone.")
        paths = real(graph, source, method=method, **more)
        if method == "near_far":
            paths.distance[3] += 1
        return paths

    monkeypatch.setattr("pathfront.studies.racing.shortest_paths", broken)
    found = trace(GRID, 0, ["adds", "near_far", "dijkstra"])
    assert [run.verified for run in found.runs] == [None, False, True]
    assert [run.trace is None for run in found.runs] == [True, True, False]
    assert found.runs[0].failure == "the device is gone."
    text = to_html(pages.trace_page(found, "grid", [], "work"))
    assert "WRONG: its distances are not those" in text
    assert "the device is gone." in text


@pytest.mark.parametrize("names", ["near_far", 7, [], ["near_fur"]])
def test_wrong_names_of_methods(names):
    with pytest.raises(pf.PathfrontError, match=r"names|method"):
        trace(GRID, 0, names)


# ---- paths.plot ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["near_far", "dijkstra", "adds"])
def test_plot_draws_the_trace_and_the_map(method):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib: pip install 'pathfront[plot]'")
    pyplot.switch_backend("agg")
    figure = pf.shortest_paths(ROADS, 0, method=method, trace=True).plot()
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[:2] == ["The frontier", "The work"]
    assert "The row after which each vertex is final" in titles
    assert method in figure.get_suptitle()
    plain = pf.shortest_paths(ROADS.with_coordinates(None), 0, method=method, trace=True).plot()
    assert "The row after which each vertex is final" not in [axes.get_title(loc="left") for axes in plain.axes]
    work = figure.axes[1].lines[0].get_ydata()
    assert work[-1] == pf.shortest_paths(ROADS, 0, method="dijkstra").stats.edges_relaxed or method != "dijkstra"
    pyplot.close("all")


def test_plot_needs_a_trace_and_matplotlib(monkeypatch):
    with pytest.raises(pf.ArgumentError, match="recorded no trace; run shortest_paths"):
        pf.shortest_paths(GRID, 0).plot()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(pf.MissingExtraError, match=r"pip install 'pathfront\[plot\]'"):
        pf.shortest_paths(GRID, 0, trace=True).plot()


# ---- sweeps --------------------------------------------------------------------------------------------------------


def test_a_sweep_has_every_width_and_the_default():
    found = sweep(GRID, 0, method="near_far", deltas=[400, 2, 20], rounds=1, seconds=20)
    assert [each.delta for each in found.settings if not each.is_default] == [2, 20, 400]
    assert sum(each.is_default for each in found.settings) == 1
    assert sum(each.is_best for each in found.settings) >= 1
    assert found.default.stats.delta == pf.shortest_paths(GRID, 0, method="near_far").stats.delta
    assert all(each.verified and each.best > 0 and each.mteps > 0 for each in found.settings)
    iterations = [each.stats.iterations for each in found.settings if not each.is_default]
    assert iterations == sorted(iterations, reverse=True)
    assert found.best.best == min(each.best for each in found.settings)


def test_without_widths_a_sweep_goes_around_the_default():
    found = sweep(GRID, 0, method="near_far", rounds=0, seconds=20)
    assert len(found.settings) == 11
    assert found.settings[5].is_default
    assert found.settings[0].delta == pytest.approx(found.default.delta / 32)


def test_a_sweep_of_a_graph_whose_weights_are_0_has_the_default_only():
    nothing = pf.Graph.from_edges([0, 1], [1, 2], [0, 0])
    [setting] = sweep(nothing, 0, method="near_far", rounds=0, seconds=20).settings
    assert setting.is_default
    assert setting.verified


def test_a_wrong_answer_in_a_sweep_has_no_time(monkeypatch):
    real = timing.shortest_paths

    def broken(*arguments, delta=None, **more):
        paths = real(*arguments, delta=delta, **more)
        if delta == 20:
            paths.distance[3] += 1
        return paths

    monkeypatch.setattr("pathfront.studies.sweeping.shortest_paths", broken)
    found = sweep(GRID, 0, method="near_far", deltas=[2, 20], rounds=1, seconds=20)
    (wrong,) = [each for each in found.settings if each.delta == 20]
    assert (wrong.verified, wrong.best, wrong.stats, wrong.mteps, wrong.is_best) == (False, None, None, None, False)
    text = to_html(pages.sweep_page(found, "grid", []))
    assert "delta 20: WRONG" in text


def test_the_page_of_a_sweep_marks_the_default():
    found = sweep(GRID, 0, method="near_far", deltas=[2, 20], rounds=1, seconds=20)
    page = pages.sweep_page(found, "grid", [("graph", "grid")])
    assert page.lead.marks[0].label == "default"
    assert page.lead.marks[0].x == found.default.stats.delta
    assert re.search(r"near_far|default width", page.summary)
    to_html(page)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"method": "dijkstra"}, "method='dijkstra' has no delta to sweep; methods with one: adds"),
        ({"deltas": []}, "deltas has 0 numbers"),
        ({"deltas": [1, -2]}, r"deltas\[1\] is -2, but it must be greater than 0"),
        ({"deltas": 7}, "deltas is 7, an int; give a list"),
        ({"seconds": 0}, "seconds is 0"),
        ({"rounds": -1}, "rounds is -1"),
        ({"method": "near_far", "bucket": 3}, "bucket is not an option"),
    ],
)
def test_wrong_sweeps(arguments, said):
    with pytest.raises(pf.PathfrontError, match=said):
        sweep(GRID, 0, **arguments)


def test_geometric_numbers():
    assert geometric(1, 8, 2) == [1, 2, 4, 8]
    assert geometric(1, 9, 2) == [1, 2, 4, 8]
    assert geometric(5, 5, 3) == [5]
    assert geometric(0.1, 0.1 * 1.1**50, 1.1)[-1] == pytest.approx(0.1 * 1.1**50)
    with pytest.raises(pf.ArgumentError, match="factor is 1, but it must be greater than 1"):
        geometric(1, 8, 1)
    with pytest.raises(pf.ArgumentError, match="more than 200 widths"):
        geometric(1, 2, 1.0001)


# ---- timing --------------------------------------------------------------------------------------------------------


def test_the_time_that_is_given_is_kept_and_shared():
    """A search that waits for ever takes its share; those after it are still tried."""
    right = timing.reference(GRID, index(0))
    limits = []

    def slow(limit):
        limits.append(limit)
        raise pf.TimeLimitError("the search took longer")

    found = timing.in_turns({"slow": slow, "good": lambda limit: right}, right, seconds=60.0, rounds=4)
    assert limits == [pytest.approx(30.0, abs=5)]
    assert found["slow"].failure.startswith("stopped after")
    assert found["slow"].best is None
    assert found["good"].best == right.stats.seconds
    assert len(found["good"].seconds) == 4


def test_a_search_that_fails_later_has_no_time():
    right = timing.reference(GRID, index(0))
    calls = []

    def fails_at_last(limit):
        calls.append(limit)
        if len(calls) == 3:
            raise pf.DeviceError("the device is gone.")
        return right

    found = timing.in_turns({"a": fails_at_last}, right, seconds=60.0, rounds=4)
    assert (found["a"].seconds, found["a"].failure) == ((), "the device is gone.")
    assert len(calls) == 3


# ---- explain -------------------------------------------------------------------------------------------------------


def test_explain_tries_every_method_that_applies():
    found = explain(GRID, 0, rounds=1, seconds=20)
    by_name = {each.method: each for each in found.alternatives}
    assert sorted(by_name) == [name for name in methods.names() if name != "auto"]
    assert by_name["bfs"].why_not == "it counts arcs, so all weights must be 1"
    assert by_name["bfs"].timed is None
    assert all(each.timed.verified for each in found.alternatives if not each.why_not)
    times = [each.timed.best for each in found.alternatives if not each.why_not]
    assert times == sorted(times)
    stats = pf.shortest_paths(GRID, 0).stats
    assert (found.method, found.reason) == (stats.method, stats.reason)
    assert found.measures.n == GRID.n


@pytest.mark.parametrize(
    ("graph", "method"),
    [
        (pf.generate.grid(100, 100, seed=1), "delta_stepping"),
        (pf.generate.grid(100, 100, weights="unit"), "bfs"),
        (pf.Graph.from_edges([0, 1], [1, 2], [-4, 3]), "bellman_ford"),
        (pf.generate.chain(9, weights="int:1:9"), "dijkstra"),
    ],
    ids=["grid", "hops", "negative", "small"],
)
def test_explain_names_what_auto_takes(graph, method):
    found = explain(graph, quick=True)
    assert found.method == method
    stats = pf.shortest_paths(graph, 0).stats
    assert (stats.method, stats.reason) == (found.method, found.reason)
    assert all(each.timed is None for each in found.alternatives)


def test_negative_weights_leave_the_methods_that_take_them():
    found = explain(pf.Graph.from_edges([0, 1], [1, 2], [-4, 3]), 0, rounds=0, seconds=10)
    fitting = {each.method for each in found.alternatives if not each.why_not}
    assert fitting == {name for name in methods.names() if methods.get(name).negative_weights} - {"auto"}
    assert all(each.timed.verified for each in found.alternatives if not each.why_not)


def test_explain_starts_at_the_vertex_of_most_arcs():
    assert explain(pf.generate.star(50), quick=True).source == 0
    labelled = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3], labels=["Rome", "Ostia", "Anzio"])
    assert explain(labelled, quick=True).source == "Rome"
    with pytest.raises(pf.ArgumentError, match="no vertices"):
        explain(pf.Graph.from_edges([], [], n=0))


def test_an_explanation_is_a_page_and_a_dictionary():
    found = explain(GRID, 0, rounds=1, seconds=20)
    text = to_html(explain_page.explain_page(found, "grid", [("graph", "grid")]))
    assert "taken by auto" in text
    assert found.reason in text
    record = found.to_dict()
    assert record["method"] == found.method
    assert {each["method"] for each in record["alternatives"]} == set(methods.names()) - {"auto"}
    to_html(explain_page.explain_page(explain(GRID, 0, quick=True), "grid", []))
