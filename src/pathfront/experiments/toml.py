"""Reading suites from TOML: every name is checked, and errors say where in the file.

The package's own suites are in `suites/`; users write others in the same form (`docs/experiments.md`).
"""

from __future__ import annotations

import dataclasses
import tomllib
import types
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pathfront.exceptions import ArgumentError, FormatError
from pathfront.experiments.checking import check
from pathfront.experiments.suite import GraphSpec, Suite
from pathfront.wording import choice_message, shown

T = TypeVar("T")


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
    check(suite, name)
    return suite


def with_only(suite: Suite, ids: Sequence[str] | None) -> Suite:
    """Return a suite with some of its experiments, or with all if none is named.

    >>> from pathfront.experiments import builtin
    >>> from pathfront.experiments.toml import with_only
    >>> [experiment.id for experiment in with_only(builtin("davidson2014"), ["fig7"]).experiments]
    ['fig7']
    """
    if not ids:
        return suite
    known = [experiment.id for experiment in suite.experiments]
    for id in ids:
        if id not in known:
            raise ArgumentError(choice_message("only", id, known))
    raw = {**suite.raw, "experiments": [each for each in suite.raw["experiments"] if each["id"] in ids]}
    return replace(suite, experiments=tuple(each for each in suite.experiments if each.id in ids), raw=raw)


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


__all__ = ["builtin", "builtin_names", "from_mapping", "parse", "read"]
