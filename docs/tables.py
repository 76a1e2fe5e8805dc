"""The README's tables, made from the registries: `python docs/tables.py` rewrites them, a test checks them."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pathfront as pf

README = Path(__file__).parents[1] / "README.md"


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


def rewritten(text: str) -> str:
    """Return the README with every table as the registries have it."""
    for name, make in (("methods", methods), ("formats", formats), ("generators", generators)):
        table = f"<!-- {name} -->\n{make()}\n<!-- /{name} -->"
        text, count = re.subn(rf"<!-- {name} -->.*<!-- /{name} -->", lambda _, t=table: t, text, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"README.md must have one table of {name}")
    return text


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text()))
