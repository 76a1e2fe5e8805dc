"""The layers of the package and of the core: a module uses only what lies below it, function-level imports included.

Python, the lowest first:

    exceptions, forks < progress, workers < dtypes, wording < report/ < warp_runtime < validation < graph/ < problem
    < devices/ < methods/ < formats/, generate/ < datasets/ < results/ < paths < api < sources < local < pairs, tight
    < alternatives < many, matrix, closest, certificate, centrality/ < distances < studies/ < networkx/ < bench/ < cli/

and within devices/: names, protocol < recording < cpu < exact, gpu/ < schedules. The package itself only names
what is public; it imports a module when one of its names is first used.

C++: core/ < relax/, graph/, text/, generate/, verify/ < engines/ < engines/{delta,adds,schedule,centrality,local}/
< bindings/, where the folders of one layer do not include each other.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES, CPP = ROOT / "src" / "pathfront", ROOT / "cpp"

LAYERS = (
    ("_core", "exceptions", "forks"),
    ("progress", "workers"),
    ("dtypes", "wording"),
    ("report.elements",),
    ("report.numbers",),
    ("report.checking", "report.drawing"),
    ("report.race",),
    ("report.csv", "report.html", "report.images", "report.markdown"),
    ("report",),
    ("warp_runtime",),
    ("validation",),
    ("graph",),
    ("problem",),
    ("devices", "devices.names", "devices.protocol"),
    ("devices.recording",),
    ("devices.cpu",),
    ("devices.exact", "devices.gpu"),
    ("devices.schedules",),
    ("methods",),
    ("formats", "generate"),
    ("datasets",),
    ("results",),
    ("paths",),
    ("api",),
    ("sources",),
    ("local",),
    ("pairs", "tight"),
    ("alternatives",),
    ("many", "matrix", "closest", "certificate", "centrality"),
    ("distances", "measuring"),
    ("studies",),
    ("networkx",),
    ("csgraph.matrices", "csgraph.reduction"),
    ("csgraph.cache", "csgraph.rows"),
    ("csgraph.functions",),
    ("csgraph",),
    ("",),  # the package itself: only what lies above may use its public names
    ("bench",),
    ("experiments",),
    ("cli",),
    ("__main__",),
)
CPP_LAYERS = (
    ("core",),
    ("relax", "graph", "text", "generate", "verify"),
    ("engines",),
    ("engines/delta", "engines/adds", "engines/schedule", "engines/centrality", "engines/local"),
    ("bindings",),
)


def modules() -> dict[str, Path]:
    """Return all modules by their name within the package."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def place(name: str, layers: tuple[tuple[str, ...], ...], separator: str) -> tuple[int, str]:
    """Return the number of a module's layer, and the longest name in it that the module's begins with."""
    fitting = [
        (len(part), i, part)
        for i, layer in enumerate(layers)
        for part in layer
        if name == part or name.startswith(part + separator)
    ]
    assert fitting, f"{name} is in no layer"
    return max(fitting)[1:]


def imports(tree: ast.AST, known: set[str]) -> set[str]:
    """Return the modules of the package that a file imports anywhere."""
    wanted = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            wanted |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            wanted |= {f"{node.module}.{alias.name}" for alias in node.names}
    found = set()
    for name in wanted:
        if name == "pathfront" or name.startswith("pathfront."):
            inner = name.removeprefix("pathfront").removeprefix(".")
            while inner not in known:  # a name in a module
                inner = inner.rpartition(".")[0]
            found.add(inner)
    return found


def upward(uses: dict[str, set[str]], layers: tuple[tuple[str, ...], ...], separator: str) -> list[str]:
    """Return what uses something that does not lie below it."""
    wrong = []
    for user, used in uses.items():
        level, home = place(user, layers, separator)
        for name in used:
            other, part = place(name, layers, separator)
            if part != home and other >= level:
                wrong.append(f"{user} -> {name}")
    return wrong


def test_modules_import_only_what_lies_below():
    found = modules()
    known = {*found, "_core"}
    uses = {
        name: imports(ast.parse(path.read_text()), known)
        for name, path in found.items()
        if name != ""  # imports its public names when they are used
    }
    assert sum(len(used) for used in uses.values()) > 200
    assert upward(uses, LAYERS, ".") == []


def test_folders_include_only_what_lies_below():
    uses: dict[str, set[str]] = {}
    for path in sorted(CPP.rglob("*.[ch]pp")):
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(), re.MULTILINE):
            target = CPP / name if (CPP / name).exists() else (path.parent / name).resolve()
            assert target.is_file(), f"{path} includes {name}, which is not a file of cpp/"
            folder = target.parent.relative_to(CPP).as_posix()
            uses.setdefault(path.parent.relative_to(CPP).as_posix(), set()).add(folder)
    assert len(uses) >= 9
    assert upward(uses, CPP_LAYERS, "/") == []


IMPORTER = """
import os, sys, traceback
for name in ("numpy", "scipy.sparse", "typer", "rich.console", "warp", "pytest"):  # shared by all: this takes the time
    try:
        __import__(name)
    except ImportError:
        pass
assert not any(name.partition(".")[0] == "pathfront" for name in sys.modules)
for name in sys.stdin.read().split():
    child = os.fork()
    if child == 0:
        try:
            __import__(name)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        print(name)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process for each module is too slow without fork")
def test_every_module_can_be_imported_first():
    """A circular import fails only in a process that imports the wrong module first."""
    needs_warp = importlib.util.find_spec("warp") is None
    names = [
        f"pathfront.{name}".rstrip(".")
        for name in modules()
        if name != "__main__" and not (needs_warp and name.startswith("devices.gpu.kernels"))
    ]
    done = subprocess.run(
        [sys.executable, "-c", IMPORTER], input="\n".join(names), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [], done.stderr
