"""Reading suites from TOML: every name is checked, and errors say where in the file.

The package's own suites are in `suites/`; users write others in the same form (`docs/experiments.md`).
"""

from __future__ import annotations

import dataclasses
import tomllib
import types
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pathfront import methods
from pathfront.bench.peers import PEERS
from pathfront.exceptions import ArgumentError, FormatError
from pathfront.experiments.expressions import Expression
from pathfront.experiments.suite import Claim, Experiment, GraphSpec, Show, Suite
from pathfront.generate import KINDS
from pathfront.wording import choice_message, shown

T = TypeVar("T")

_SPECIAL = ("one_pass",)
"""Methods of a suite that are no methods of the package."""

AGGREGATES = ("", "mean", "geomean", "median", "min", "max", "share", "sum", "growth")


def builtin_names() -> list[str]:
    """Return the names of the package's own suites.

    >>> from pathfront import experiments
    >>> "davidson2014" in experiments.builtin_names()
    True
    """
    found = resources.files("pathfront.experiments") / "suites"
    return sorted(each.name.removesuffix(".toml") for each in found.iterdir() if each.name.endswith(".toml"))


def builtin(name: str) -> Suite:
    """Return one of the package's own suites.

    >>> from pathfront import experiments
    >>> experiments.builtin("davidson2014").experiments[0].title
    'Table II: the graphs'
    """
    if name not in builtin_names():
        raise ArgumentError(choice_message("suite", name, builtin_names()))
    text = (resources.files("pathfront.experiments") / "suites" / f"{name}.toml").read_text(encoding="utf-8")
    return parse(text, f"{name}.toml")


def read(path: str | Path) -> Suite:
    """Return the suite in a file.

    >>> from pathfront import experiments
    >>> experiments.read("mine.toml")  # doctest: +SKIP
    """
    path = Path(path)
    try:
        return parse(path.read_text(encoding="utf-8"), path.name)
    except UnicodeDecodeError as error:
        raise FormatError(f"{path.name} is not text in UTF-8: byte {error.start} is not.") from None


def parse(text: str, name: str) -> Suite:
    """Return the suite in a text; `name` is that of its file."""
    try:
        return from_mapping(tomllib.loads(text), name)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{name} is not TOML: {error}.") from None


def from_mapping(raw: Mapping[str, Any], name: str) -> Suite:
    """Return the suite that a mapping describes."""
    given = dict(raw)
    graphs = given.pop("graphs", {})
    if not isinstance(graphs, Mapping):
        raise FormatError(f"{name}: graphs is {shown(graphs)}; write a table [graphs.NAME] for each.")
    named = {key: {"name": key, **_as_table(value, f"{name}: graphs.{key}")} for key, value in graphs.items()}
    made = {key: _make(GraphSpec, value, f"{name}: graphs.{key}") for key, value in named.items()}
    suite = _make(Suite, {**given, "graphs": made, "raw": raw}, name)
    _check(suite, name)
    return suite


def _as_table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormatError(f"{where} is {shown(value)}, but it must be a table.")
    return value


def _make(kind: type[T], given: Mapping[str, Any], where: str) -> T:
    """Return a dataclass made of a table; every key must be one of its fields and have its type."""
    fields = {each.name: each for each in dataclasses.fields(kind)}  # type: ignore[arg-type]
    choices = sorted(set(fields) - {"raw"})  # what the suite was read from is no key of it
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key not in fields:
            raise FormatError(f"{where}: {choice_message('key', key, choices)}")
        nested = next(iter(get_args(hints[key])), None)
        if dataclasses.is_dataclass(nested) and key != "graphs":
            tables = _as_tables(value, f"{where}: {key}")
            values[key] = tuple(
                _make(cast(type[Any], nested), each, f"{where}: {key}[{i}]") for i, each in enumerate(tables)
            )
        else:
            values[key] = _typed(value, hints[key], f"{where}: {key}")
    missing = dataclasses.MISSING
    for key, each in fields.items():
        if key not in values and each.default is missing and each.default_factory is missing:
            raise FormatError(f"{where}: {key} is missing.")
    return kind(**values)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


def _as_tables(value: Any, where: str) -> list[Mapping[str, Any]]:
    if not _is_tables(value):
        raise FormatError(f"{where} is {shown(value)}, but it must be a list of tables.")
    return value  # type: ignore[no-any-return]


def _typed(value: Any, hint: Any, where: str) -> Any:
    """Return a value if it has the type of a field; lists become tuples where the field is one."""
    if _fits(value, hint):
        return tuple(value) if get_origin(hint) is tuple else value
    raise FormatError(f"{where} is {shown(value)}, but it must be {_worded(hint)}.")


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, types.UnionType):
        return any(_fits(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if origin is tuple:
        return isinstance(value, list | tuple) and all(_fits(each, inner[0]) for each in value)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_fits(each, inner[1]) for each in value.values())
    if origin is not None and issubclass(origin, Sequence):
        return isinstance(value, list | tuple)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _worded(hint: Any) -> str:
    words = {str: "text", int: "a whole number", float: "a number", bool: "true or false", types.NoneType: "left out"}
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(_worded(each) for each in inner if each is not types.NoneType)
    if origin is Literal:
        return " or ".join(f'"{each}"' for each in inner)
    if origin is tuple:
        return f"a list, each of it {_worded(inner[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return "a table"
    return words.get(hint, "a list")


def _check(suite: Suite, name: str) -> None:
    """Check what names refer to."""
    if not suite.experiments:
        raise FormatError(f"{name}: a suite needs at least one table [[experiments]].")
    for graph in suite.graphs.values():
        where = f"{name}: graphs.{graph.name}"
        if graph.kind is not None and graph.kind not in KINDS:
            raise FormatError(f"{where}: {choice_message('kind', graph.kind, sorted(KINDS))}")
        if graph.kind is None and graph.file is None and graph.dataset is None:
            raise FormatError(f"{where}: give it a kind, a file or a dataset.")
        for text in (*graph.arguments.values(), *graph.quick.values()):
            if isinstance(text, str) and text.startswith("="):
                _expression(text[1:], where)
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
        texts = [show.value, show.where]
        if isinstance(show, Show):
            texts += [show.x, show.y, *(column.value for column in show.columns)]
            texts += [each[key] for each in show.series for key in ("y", "times") if key in each]
        for text in filter(None, texts):
            expression = _expression(text, what)
            if expression.uses_base and show.base is None:
                raise FormatError(f"{what}: {text!r} speaks of a base, but there is none; give base the name of a run.")


def _expression(text: str, where: str) -> Expression:
    try:
        return Expression(text)
    except ArgumentError as error:
        raise FormatError(f"{where}: {error}") from None


__all__ = ["builtin", "builtin_names", "from_mapping", "parse", "read"]
