"""Tables of docs/ from the registries: `python docs/tables.py` rewrites them, a test checks them."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pathfront as pf
from pathfront.experiments import page, results, suite
from pathfront.networkx import interface
from pathfront.networkx.deviations import DEVIATIONS
from pathfront.report import markdown
from pathfront.report.elements import Table

ROOT = Path(__file__).parents[1]


def methods() -> str:
    """Return the table of methods."""
    rows = ["| method | what it does | limits |", "|---|---|---|"]
    for name in pf.methods.names():
        method = pf.methods.get(name)
        rows.append(f"| `{name}` | {method.summary} | {method.limits or '–'} |")
    return "\n".join(rows)


def formats() -> str:
    """Return the table of formats."""
    rows = ["| format | what it is | by name | cannot hold |", "|---|---|---|---|"]
    for name in pf.formats.names():
        known = pf.formats.get(name)
        endings = ", ".join(f"`{suffix}`" for suffix in known.suffixes)
        lost = ", ".join(known.cannot_hold)
        rows.append(f"| `{name}` | {known.summary} | {endings or '–'} | {lost or '–'} |")
    return "\n".join(rows)


def generators() -> str:
    """Return the table of generators, with what the first line of each docstring says."""
    rows = ["| kind | what it makes |", "|---|---|"]
    for name, make in pf.generate.KINDS.items():
        first = inspect.cleandoc(make.__doc__ or "").splitlines()[0]
        rows.append(f"| `{name}` | {first.removeprefix('Return ')} |")
    return "\n".join(rows)


def functions() -> str:
    """Return the table of the functions of the NetworkX backend, by topic."""
    topics: dict[str, list[str]] = {}
    for name, function in sorted(interface.FUNCTIONS.items()):
        topics.setdefault(function.__module__.rpartition(".")[2], []).append(f"`{name}`")
    rows = ["| topic | functions |", "|---|---|"]
    return "\n".join(rows + [f"| {topic.replace('_', ' ')} | {', '.join(topics[topic])} |" for topic in sorted(topics)])


def deviations() -> str:
    """Return the list of differences to NetworkX."""
    rows = ["| what | why |", "|---|---|"]
    return "\n".join(rows + [f"| {deviation.what} | {deviation.why} |" for deviation in DEVIATIONS])


_TABLES = (
    ("the suite itself", suite.Suite),
    ("[graphs.NAME]", suite.GraphSpec),
    ("[[experiments]]", suite.Experiment),
    ("[[experiments.runs]]", suite.Run),
    ("[[experiments.shows]]", suite.Show),
    ("columns", suite.Column),
    ("[[experiments.claims]]", suite.Claim),
)
_UNWRITTEN = {("Suite", "raw"), ("GraphSpec", "own"), ("GraphSpec", "name")}
"""Fields that are no keys of a file."""


def suites() -> str:
    """Return the tables of the keys of suites, with what the fields' docstrings say."""
    parts = []
    for heading, kind in _TABLES:
        rows = [f"**{heading}**", "", "| key | by default | what it is |", "|---|---|---|"]
        said = _docstrings(kind)
        for each in dataclasses.fields(kind):
            if (kind.__name__, each.name) not in _UNWRITTEN:
                rows.append(f"| `{each.name}` | {_default(each)} | {said[each.name]} |")
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def _docstrings(kind: type) -> dict[str, str]:
    """Return the string behind each field of a dataclass."""
    [body] = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    found = {}
    for before, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(after, ast.Expr):
            assert isinstance(before.target, ast.Name)
            assert isinstance(after.value, ast.Constant)
            found[before.target.id] = " ".join(str(after.value.value).split()).replace("|", "\\|")
    return found


def _default(each: dataclasses.Field[object]) -> str:
    if each.default_factory is not dataclasses.MISSING or each.default in ((), "", None):
        return "–"
    if each.default is dataclasses.MISSING:
        return "required"
    if isinstance(each.default, bool):
        return f"`{str(each.default).lower()}`"
    return f'`"{each.default}"`' if isinstance(each.default, str) else f"`{each.default:g}`"


RESULTS = ROOT / "docs" / "results"
"""What was measured for docs/, as `pathfront bench` writes it; docs/README.md says how."""


def measured(id: str) -> str:
    """Return a table of docs/results, by its identity on the page that `pathfront report` makes of them."""
    for table in _measured_tables(id.partition("-")[0]):
        if table.id == id:
            return markdown.cells_of(table)
    raise ValueError(f"no table of docs/results has the identity {id!r}")


@cache
def _measured_tables(name: str) -> list[Table]:
    made = page.of([results.read(RESULTS / f"{name}.jsonl")])
    return [element for section in made.sections for element in section.elements if isinstance(element, Table)]


MEASURED = (
    "davidson2014-work-means",
    "davidson2014-work-saved",
    "davidson2014-work-iterations",
    "davidson2014-fig7-arcs-by-width",
    "davidson2014-fig7-iterations-by-width",
    "adds2021-tables-table4",
    "adds2021-tables-ablated-work",
    "adds2021-tables-table5",
    "cpu-light-relaxed",
    "crauser2012-variants-iterations",
    "crauser2012-idle-crauser",
    "crauser2012-idle-martin",
    "crauser2012-idle-warps",
)
"""The tables of docs/methods.md that were measured."""

PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    ROOT / "docs" / "methods.md": {"methods": methods, **{id: partial(measured, id) for id in MEASURED}},
    ROOT / "docs" / "experiments.md": {"suites": suites},
    ROOT / "docs" / "files.md": {"formats": formats, "generators": generators},
    ROOT / "docs" / "networkx.md": {"functions": functions, "deviations": deviations},
}
"""The pages with tables, and what makes each."""


def rewritten(page: Path) -> str:
    """Return a page with every table as the registries have it."""
    text = page.read_text()
    for name, make in PAGES[page].items():
        table = f"<!-- {name} -->\n{make()}\n<!-- /{name} -->"
        text, count = re.subn(rf"<!-- {name} -->.*<!-- /{name} -->", lambda _, t=table: t, text, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"{page.name} must have one table of {name}")
    return text


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(rewritten(each))
