"""Suites of experiments: what they may say, what their keys know, and that the package's own fill every figure.

The package's own suites are parsed, and run with their graphs made tiny. What is kept and what happens when something
fails: `test_experiment_results.py`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import pathfront as pf
from pathfront.exceptions import ArgumentError, FormatError
from pathfront.experiments import builtin, builtin_names, cells, graphs, measuring, page, records, results
from pathfront.experiments.expressions import Expression
from pathfront.experiments.suite import GraphSpec
from pathfront.experiments.toml import parse
from pathfront.report.elements import Chart, Table
from tiny_suite import PAPERS, SEARCHES, SUITE, elements_of, measure, problems_of, tiny_results


@pytest.fixture
def suite():
    return parse(SUITE, "tiny.toml")


# ---- suites --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", builtin_names())
def test_the_expressions_of_a_built_in_suite_speak_of_values_that_exist(name):
    suite = builtin(name)
    known = {"graph", "run", "group", "seconds", "repetitions", *_measured_names()}
    known |= {name for spec in suite.graphs.values() for name in (*spec.vary, *spec.quick_vary)}
    for experiment in suite.experiments:
        variables = {name for run in experiment.runs for name in (*run.vary, *run.quick_vary)}
        texts = [run.delta for run in experiment.runs if isinstance(run.delta, str)]
        for show in (*experiment.shows, *experiment.claims):
            texts += [show.value, show.where]
        for show in experiment.shows:
            texts += [column.value for column in show.columns]
            texts += [show.x, show.y] if show.kind == "chart" else []
        for text in filter(None, texts):
            unknown = Expression(text).names - known - variables
            assert all(name.startswith(("extra_", "total_", "peak_")) for name in unknown), text


def _measured_names():
    suite = parse(SUITE, "tiny.toml")
    place = cells.places(suite, suite.experiments[0], quick=False)[0]
    cell = next(cells.cells(suite, suite.experiments[0], "cpu", quick=False))
    graph = pf.generate.grid(3, 3)
    described = graphs.described(graph, place, 0, measured=True)
    return {*described, *measuring.first(cell, measuring.prepare(graph, 0, described, 5.0)).values}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('method = "near_far"', 'method = "near_fra"', "did you mean 'near_far'"),
        ('kind = "grid"', 'kind = "gird"', "did you mean 'grid'"),
        ('base = "Dijkstra"', 'base = "Dijkstr"', "did you mean 'Dijkstra'"),
        ('graphs = ["random", "grid"]', 'graphs = ["random", "gird"]', "did you mean 'grid'"),
        ("repeat = 2", 'repeat = "two"', "repeat is 'two', but it must be a whole number"),
        ("repeat = 2", "repaet = 2", "did you mean 'repeat'"),
        ('y = "seconds"', 'y = "secnds"', "did you mean 'seconds'"),
        ('method = "near_far"', 'method = "peer:scpy"', "did you mean 'scipy'"),
        ('x = "n"', 'x = "n +"', "is no expression"),
        ('x = "n"', 'x = "base.n"', "there is none; give base"),
        ('"= 4 * n"', '"= 4 * "', "is no expression"),
        ("at_least = 1", 'at_least = 1\ngraphs = ["mesh"]', "graph"),
        ("at_least = 1", 'where = "import os"', "is no expression"),
        ('id = "work"', "", "id is missing"),
        ("[graphs.grid]", "[graphs", "is not TOML"),
    ],
)
def test_a_suite_that_is_wrong_gets_a_sentence(old, new, said):
    with pytest.raises(FormatError, match=r"tiny\.toml") as failed:
        parse(SUITE.replace(old, new), "tiny.toml")
    assert said in str(failed.value)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__.__bases__",
        "base.names.x",
        "edges.__class__",
        "(lambda: 1)()",
        "[x for x in (1,)]",
        "f'{edges}'",
        "edges if 1 else 2",
        "open('x')",
        "max(*edges)",
        "edges[0]",
        "x := 3",
        "1" * 301,
        "",
    ],
)
def test_an_expression_is_arithmetic_and_nothing_else(text):
    with pytest.raises(ArgumentError):
        Expression(text)


@pytest.mark.parametrize(
    "text", ["9 ** 9 ** 9 ** 9", "'a' * 1000000000", "1 / 0", "sqrt(0 - 1)", "nothing + 1", "'a' + 1"]
)
def test_an_expression_without_a_value_is_none(text):
    assert Expression(text)({}) is None


def test_keys_know_what_is_measured_and_nothing_else(suite):
    def keys(suite, **options):
        return [cell.key for cell in cells.cells(suite, suite.experiments[0], "cpu", quick=False, **options)]

    before = keys(suite)
    assert len(set(before)) == SEARCHES
    experiment = suite.experiments[0]
    renamed = replace(experiment, id="other", title="Other", shows=(), claims=(), repeat=7)
    renamed = replace(renamed, runs=tuple(replace(run, name=f"{run.name}!") for run in experiment.runs))
    assert keys(replace(suite, experiments=(renamed,))) == before
    traced = replace(experiment, runs=tuple(replace(run, trace=True) for run in experiment.runs))
    assert not set(keys(replace(suite, experiments=(traced,)))) & set(before)
    moved = {name: replace(graph, source=1) for name, graph in suite.graphs.items()}
    assert not set(keys(replace(suite, graphs=moved))) & set(before)


def test_sizes_may_be_expressions_and_generated_graphs_stand_in_for_absent_files(suite, monkeypatch, tmp_path):
    monkeypatch.setenv("PATHFRONT_DATA", str(tmp_path))
    found = {place.label: graphs.make(place)[0].m for place in cells.places(suite, suite.experiments[0], quick=False)}
    assert found["random n=50"] == 200
    assert found["random n=100"] == 400
    spec = GraphSpec("road", file="road.gr", kind="road_like", arguments={"n": 100})
    assert graphs.make(cells.Place(spec, "road", {}))[0].n == 100
    pf.write(pf.generate.chain(7), tmp_path / "road.gr")
    assert graphs.make(cells.Place(spec, "road", {}))[0].n == 7
    with pytest.raises(graphs.GraphMissingError, match="PATHFRONT_DATA"):
        graphs.make(cells.Place(replace(spec, file="rail.gr", kind=None), "rail", {}))


# ---- claims --------------------------------------------------------------------------------------------------------


def _judged(claim, tmp_path, *, quick=False):
    """Return a claim's row of the page: what is here, reproduced if, reproduced."""
    text = SUITE[: SUITE.index("[[experiments.claims]]")] + f'[[experiments.claims]]\npublished = "?"\n{claim}'
    path = tmp_path / "claims.jsonl"
    measure(parse(text, "tiny.toml"), path, quick=quick)
    tables = elements_of(page.of([results.read(path)]))
    [row] = next(each for each in tables if isinstance(each, Table) and each.title == "What the paper observes").rows
    return row[2:5]


@pytest.mark.parametrize(
    ("claim", "row"),
    [
        ('value = "n"\nat_least = 50\nat_most = 100', ["74", "50 to 100", "yes"]),
        ('value = "n"\nat_least = 75', ["74", "at least 75", "no"]),
        ('value = "n"\nat_most = 74', ["74", "at most 74", "yes"]),
        ('value = "n"', ["74", "", ""]),
        ('value = "n"\nwhere = "n > 60"\naggregate = "min"\nat_least = 70', ["72", "at least 70", "yes"]),
        ('value = "n"\nwhere = "n > 1000"\nat_least = 70', [None, "at least 70", "not measured"]),
        ('value = "n"\ngraphs = ["random"]\naggregate = "growth"\nat_least = 2', ["2", "at least 2", "yes"]),
        ('value = "n >= 72"\naggregate = "share"\nat_least = 0.6', ["0.667", "at least 0.6", "yes"]),
        ('value = "extra_nothing"\nat_least = 1', [None, "at least 1", "not measured"]),
    ],
    ids=["within", "below", "at", "no bounds", "where", "nowhere", "growth", "share", "unknown"],
)
def test_a_claim_is_judged_by_its_bounds(claim, row, tmp_path):
    assert _judged(f'text = "A claim"\nruns = ["Dijkstra"]\n{claim}\n', tmp_path) == row


def test_a_claim_about_full_sizes_is_shown_but_not_judged_with_quick(tmp_path):
    claim = 'text = "A claim"\nruns = ["Dijkstra"]\nvalue = "n"\nat_least = 75\nfull_only = true\n'
    assert _judged(claim, tmp_path, quick=True) == ["74", "at least 75", "not judged with --quick"]


def test_a_generated_graph_is_not_called_by_the_name_of_the_file_it_stands_in_for(tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFRONT_DATA", str(tmp_path))
    text = SUITE.replace('kind = "grid"', 'kind = "grid"\nfile = "streets.gr"')
    suite = parse(text, "tiny.toml")
    measure(suite, tmp_path / "tiny.jsonl")
    graph = {
        each.graph for each in records.of_graphs(results.read(tmp_path / "tiny.jsonl"), suite, suite.experiments[0])
    }
    assert graph == {"random n=50", "random n=100", "grid (generated)"}


# ---- the package's own suites, tiny ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", PAPERS)
def test_every_table_and_figure_of_a_suite_is_filled(name):
    done, found = tiny_results(name)
    assert done.failed == {}
    assert done.missing == {}
    assert done.left == 0
    made = page.of([found])
    assert problems_of(made) == []
    for each in elements_of(made):
        if isinstance(each, Table):
            assert len(each.rows) > len(each.published), each.title
        elif isinstance(each, Chart):
            assert all(any(y is not None for y in series.y) for series in each.series), each.title
            assert any(not series.published for series in each.series), each.title


def test_growth_is_the_last_value_over_the_first():
    assert records.aggregated([2.0, 4.0, 6.0], "growth") == 3.0
    assert records.aggregated([2.0], "growth") is None
    assert records.aggregated([0.0, 4.0], "growth") is None
