"""Checking suites: what their names refer to, their expressions, formats and variables, before anything is measured.

Suites may come from anywhere, and results carry the one they were measured by, so what passes here can be run and shown
without an error of Python.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pathfront import methods
from pathfront.api import shortest_paths
from pathfront.bench.peers import PEERS
from pathfront.exceptions import ArgumentError, FormatError
from pathfront.experiments.expressions import Expression
from pathfront.experiments.suite import Claim, Experiment, GraphSpec, Run, Show, Suite, Vary
from pathfront.generate import KINDS
from pathfront.wording import choice_message, shown

_SPECIAL = ("one_pass",)
"""Methods of a suite that are no methods of the package."""

_FORMAT = re.compile(r",?(\.[0-9]{1,2})?[efg%]|,?d")
"""Formats of numbers; Python's `format` would also take a width, as large as memory."""

_MOST = 10_000
"""Combinations of the values of variables."""

_ARGUMENTS = frozenset(inspect.signature(shortest_paths).parameters)
"""Names that options of a run may not have: they are given by the run itself."""

_OF_GRAPHS = "graph group origin n m degree max_degree weight lightest heaviest source"
_MEASURED = "diameter diameter_exact reached components largest_component"
_OF_SEARCHES = "run method device threads delta iterations vertices edges seconds first_seconds repetitions reason"
_NAMES = frozenset(f"{_OF_GRAPHS} {_MEASURED} {_OF_SEARCHES}".split())
"""What expressions may name, beside variables: `graphs.described` and `measuring.first` give the values."""
_PREFIXES = ("extra_", "total_", "peak_")

AGGREGATES = ("", "mean", "geomean", "median", "min", "max", "share", "sum", "growth")


def check(suite: Suite, name: str) -> None:
    """Check what names refer to."""
    if not suite.experiments:
        raise FormatError(f"{name}: a suite needs at least one table [[experiments]].")
    for graph in suite.graphs.values():
        where = f"{name}: graphs.{graph.name}"
        if graph.kind is not None and graph.kind not in KINDS:
            raise FormatError(f"{where}: {choice_message('kind', graph.kind, sorted(KINDS))}")
        if graph.kind is None and graph.file is None and graph.dataset is None:
            raise FormatError(f"{where}: give it a kind, a file or a dataset.")
        _check_graph(graph, where)
    tags = {tag for graph in suite.graphs.values() for tag in graph.tags}
    ids: set[str] = set()
    for experiment in suite.experiments:
        where = f"{name}: experiment {experiment.id}"
        if experiment.id in ids:
            raise FormatError(f"{where}: there are two of this id.")
        ids.add(experiment.id)
        for graph_name in experiment.graphs:
            if graph_name not in suite.graphs and graph_name not in tags:
                raise FormatError(f"{where}: {choice_message('graph', graph_name, sorted({*suite.graphs, *tags}))}")
        _check_runs(experiment, where)
        _check_shows(experiment, _graphs_of(suite, experiment), where)
        _check_names(suite, experiment, where)


def _check_graph(graph: GraphSpec, where: str) -> None:
    """Check the arguments of a generator, and the variables."""
    if isinstance(graph.source, str) and graph.source != "hub":
        raise FormatError(f'{where}: source is {shown(graph.source)}; write an index, or "hub".')
    for vary in (graph.vary, graph.quick_vary):
        _check_vary(vary, where)
    given = {**graph.arguments, **graph.quick, **graph.vary, **graph.quick_vary}
    known = () if graph.kind is None else list(inspect.signature(KINDS[graph.kind]).parameters)
    for key, text in given.items():
        if key not in known and (key in graph.arguments or key in graph.quick or graph.kind is not None):
            raise FormatError(f"{where}: {choice_message('argument', key, known)}")
        if isinstance(text, str) and text.startswith("="):
            _expression(text[1:], where)


def _check_vary(vary: Vary, where: str) -> None:
    """Check that the values of variables are numbers or words, and that their combinations can be listed."""
    for key, values in vary.items():
        for value in values:
            if not isinstance(value, int | float | str):
                raise FormatError(f"{where}: {key} varies over {shown(value)}; give numbers or words.")
    if (count := math.prod(len(values) for values in vary.values())) > _MOST:
        raise FormatError(f"{where}: the values of its variables make {count:,} combinations; at most {_MOST:,} do.")


def _graphs_of(suite: Suite, experiment: Experiment) -> list[str]:
    """Return the names of an experiment's graphs."""
    wanted = set(experiment.graphs)
    return [name for name, graph in suite.graphs.items() if name in wanted or wanted & set(graph.tags)]


def _check_runs(experiment: Experiment, where: str) -> None:
    names = [run.name for run in experiment.runs]
    if len(set(names)) < len(names):
        raise FormatError(f"{where}: two runs have the same name.")
    for run in experiment.runs:
        of_peer, _, peer = run.method.partition("peer:")
        if not of_peer and peer:
            if peer not in PEERS:
                raise FormatError(f"{where}: run {run.name}: {choice_message('peer', peer, sorted(PEERS))}")
        elif run.method not in (*methods.names(), *_SPECIAL):
            raise FormatError(f"{where}: run {run.name}: {choice_message('method', run.method, methods.names())}")
        for delta in (run.delta, run.device_delta):
            if isinstance(delta, str):
                _expression(delta, f"{where}: run {run.name}: delta")
        for vary in (run.vary, run.quick_vary):
            _check_vary(vary, f"{where}: run {run.name}")
        for key in run.options:  # a method that does not have an option says so when it runs
            if key in _ARGUMENTS:
                raise FormatError(f"{where}: run {run.name}: {key} is an argument of each search, and no option.")


def _check_shows(experiment: Experiment, graphs: list[str], where: str) -> None:
    names = [run.name for run in experiment.runs]
    every: list[Show | Claim] = [*experiment.shows, *experiment.claims]
    for show in every:
        what = f"{where}: {show.title if isinstance(show, Show) else show.text}"
        for run in (*show.runs, *([show.base] if show.base else [])):
            if run not in names:
                raise FormatError(f"{what}: {choice_message('run', run, names)}")
        for graph in show.graphs:
            if graph not in graphs:
                raise FormatError(f"{what}: {choice_message('graph', graph, graphs)}")
        if show.aggregate not in AGGREGATES:
            raise FormatError(f"{what}: {choice_message('aggregate', show.aggregate, AGGREGATES[1:])}")
        texts, formats = [show.value, show.where], [show.format]
        if isinstance(show, Show):
            _check_show(show, what)
            texts += [show.x, show.y, *(column.value for column in show.columns)]
            texts += [each[key] for each in show.series for key in ("y", "times") if key in each]
            texts += [mark[key] for mark in show.marks for key in ("x", "y") if key in mark]
            formats += [column.format for column in show.columns]
        for spec in filter(None, formats):
            if not _FORMAT.fullmatch(spec):
                raise FormatError(f"{what}: format is {shown(spec)}; write one such as '.3g' or ',d'.")
        for text in filter(None, texts):
            expression = _expression(text, what)
            if expression.uses_base and show.base is None:
                raise FormatError(f"{what}: {text!r} speaks of a base, but there is none; give base the name of a run.")


def _check_show(show: Show, what: str) -> None:
    """Check what is not of one type for all kinds: the classes, series, marks and published values."""
    if show.kind == "distribution" and (not show.bounds or list(show.bounds) != sorted(set(show.bounds))):
        raise FormatError(f"{what}: bounds are {shown(show.bounds)}; a distribution needs them in ascending order.")
    needed = {"trace": ("column",), "chart": ("name", "y")}.get(show.kind, ())
    for each in show.series:
        _require(each, needed, str, f"{what}: series")
    for mark in show.marks:
        _require(mark, ("label", *(key for key in ("x", "y") if key in mark)), str, f"{what}: marks")
    for given in show.published:
        where = f"{what}: published"
        if show.kind in ("chart", "trace"):
            _require(given, ("x", "y"), list, where)
            _require(given, ("series",), str, where)
            if len(given["x"]) != len(given["y"]):
                raise FormatError(f"{where}: there are {len(given['x'])} values x and {len(given['y'])} values y.")
        if show.kind == "distribution":
            _require(given, ("counts",), list, where)
            _require(given, ("row",), str, where)


def _require(given: Mapping[str, Any], keys: Sequence[str], kind: type, where: str) -> None:
    """Check that a table has some keys, whose values are texts, or lists of numbers and texts."""
    for key in keys:
        if key not in given:
            raise FormatError(f"{where}: {key} is missing.")
        value = given[key]
        fits = isinstance(value, kind)
        if not fits or (isinstance(value, list) and not all(_is_entry(each) for each in value)):
            wanted = "text" if kind is str else "a list of numbers or words"
            raise FormatError(f"{where}: {key} is {shown(value)}, but it must be {wanted}.")


def _is_entry(value: object) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool)


def _check_names(suite: Suite, experiment: Experiment, where: str) -> None:
    """Check that expressions name what exists: a value that never is would leave its table or chart empty."""
    varied: list[GraphSpec | Run] = [*suite.graphs.values(), *experiment.runs]
    known = {*_NAMES, *(name for one in varied for name in (*one.vary, *one.quick_vary))}
    texts = [run.delta for run in experiment.runs if isinstance(run.delta, str)]
    every: list[Show | Claim] = [*experiment.shows, *experiment.claims]
    for each in every:
        texts += [each.value or "", each.where or ""]
    for show in experiment.shows:
        texts += [column.value for column in show.columns]
        if show.kind == "chart":
            texts += [show.x or "", show.y or "", *(part.get("y", "") for part in show.series)]
    for text in filter(None, texts):
        for name in sorted(_expression(text, where).names - known):
            if not name.startswith(_PREFIXES):
                raise FormatError(f"{where}: in {text!r} {choice_message('name', name, sorted(known))}")


def _expression(text: str, where: str) -> Expression:
    try:
        return Expression(text)
    except ArgumentError as error:
        raise FormatError(f"{where}: {error}") from None
