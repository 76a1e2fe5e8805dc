"""The examples of the documentation, run."""

from __future__ import annotations

import ast
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


def test_tables_are_those_of_the_registries():
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    for page in tables.PAGES:
        assert tables.rewritten(page) == page.read_text(), "run: make tables"


def test_the_suite_of_the_page_on_experiments_runs_and_fills_its_page(tmp_path):
    from pathfront.experiments import page, results, running
    from pathfront.experiments.toml import parse
    from pathfront.report.elements import Chart, Note

    [text] = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "experiments.md").read_text(), re.DOTALL)
    path = tmp_path / "roads.jsonl"
    options = {"quick": False, "fresh": False, "minutes": 5.0}
    done = running.run(parse(text, "roads.toml"), path, "cpu", **options, report=lambda _: None)
    assert done.failed == {}
    made = page.of([results.read(path)])
    elements = [each for section in made.sections for each in section.elements]
    assert not any(isinstance(each, Note) and each.tone == "problem" for each in elements)
    [chart] = [each for each in elements if isinstance(each, Chart)]
    assert [len(series.x) for series in chart.series] == [3, 3, 3]
    assert "1 of 1 published observations" in made.summary


PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def blocks_of(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def missing_packages(block: str) -> list[str]:
    """Return what a block imports and is not installed."""
    wanted = set()
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Import):
            wanted |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            wanted.add(str(node.module).partition(".")[0])
    return sorted(name for name in wanted if importlib.util.find_spec(name) is None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_and_prints_what_it_says(page):
    """The blocks of a page share their names; a package that is missing skips the rest of the page."""
    names: dict[str, object] = {}
    for block in blocks_of(page):
        if missing := missing_packages(block):
            pytest.skip(f"{', '.join(missing)} is not installed")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, page.name, "exec"), names)
        said = [line.split("  # ", 1)[1] for line in block.splitlines() if line.startswith("print(")]
        assert printed.getvalue().splitlines() == said


def test_there_is_code_on_pages():
    assert sum(len(blocks_of(page)) for page in PAGES) >= 10
    assert missing_packages("import no_such_package.part\nfrom numpy import array") == ["no_such_package"]


def test_the_index_of_the_documentation_names_every_page():
    index = (ROOT / "docs" / "README.md").read_text()
    linked = set(re.findall(r"\]\(([\w./-]+\.md)\)", index))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"} <= linked
    assert all((ROOT / "docs" / name).is_file() for name in linked)


def test_readme_shows_every_command_of_a_clone():
    readme = (ROOT / "README.md").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^(?: {4})?make (\w+)", readme + (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
