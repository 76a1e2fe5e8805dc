"""Tables of docs/ from the registries: `python docs/tables.py` rewrites them, a test checks them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pathfront as pf
from pathfront.networkx import interface
from pathfront.networkx.deviations import DEVIATIONS

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


PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    ROOT / "docs" / "methods.md": {"methods": methods},
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
