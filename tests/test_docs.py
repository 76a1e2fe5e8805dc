"""The examples of the documentation, run."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import pkgutil
import re
from pathlib import Path

import pytest

import pathfront as pf

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(pf.__path__, "pathfront.")
    if ".cli" not in name and not name.endswith("_core")
]
ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["pathfront", *MODULES])
def test_docstring_examples(name):
    module = importlib.import_module(name)
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_every_public_name_has_an_example():
    missing = []
    for name in pf.__all__:
        thing = getattr(pf, name)
        if callable(thing) and ">>>" not in (thing.__doc__ or ""):
            missing.append(name)
    assert missing == []


def test_readme_tables_are_those_of_the_registries():
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    readme = (ROOT / "README.md").read_text()
    assert tables.rewritten(readme) == readme, "run: make tables"


def test_readme_code_runs_and_prints_what_it_says():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, "README.md", "exec"), names)
        said = [line.split("  # ", 1)[1] for line in block.splitlines() if line.startswith("print(")]
        assert printed.getvalue().splitlines() == said


def test_readme_shows_every_command_of_a_clone():
    readme = (ROOT / "README.md").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^(?: {4})?make (\w+)", readme + (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
