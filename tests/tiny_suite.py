"""A suite on tiny graphs, the package's own suites made tiny, and what their pages have."""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from pathlib import Path

from pathfront.experiments import builtin, results, running
from pathfront.experiments.toml import from_mapping
from pathfront.report.elements import Note, Panels, Table

SUITE = """
name = "tiny"
title = "Tiny"
summary = "A tiny suite."
paper = "A. Author: A paper, 2026."

[graphs.random]
kind = "random"
arguments = { m = "= 4 * n" }
vary = { n = [50, 100] }
source = 0

[graphs.grid]
kind = "grid"
arguments = { rows = 9, columns = 8 }

[[experiments]]
id = "work"
title = "Work"
graphs = ["random", "grid"]
repeat = 2

[[experiments.runs]]
name = "Dijkstra"
method = "dijkstra"

[[experiments.runs]]
name = "Near-Far"
method = "near_far"
delta = "c * weight / degree"
vary = { c = [1, 32] }

[[experiments.shows]]
kind = "pivot"
id = "saved"
title = "Work"
base = "Dijkstra"
value = "edges / base.edges"

[[experiments.shows]]
kind = "chart"
id = "seconds"
title = "Time"
x = "n"
y = "seconds"

[[experiments.claims]]
text = "Near-Far relaxes at least the arcs that Dijkstra does"
value = "edges / base.edges"
aggregate = "min"
base = "Dijkstra"
published = "1.5"
at_least = 1
"""
SEARCHES = 3 * (1 + 2)


def measure(suite, path, *, fresh=False, minutes=5.0, quick=False):
    said = []
    return running.run(suite, path, "cpu", quick=quick, fresh=fresh, minutes=minutes, report=said.append)


def lines_of(path, kind):
    return [entry for line in path.read_text().splitlines() if (entry := json.loads(line))["type"] == kind]


def elements_of(made):
    for section in made.sections:
        for element in section.elements:
            yield element
            if isinstance(element, Panels):
                yield from element.charts


def problems_of(made):
    return [each.text for each in elements_of(made) if isinstance(each, Note) and each.tone == "problem"]


def table_of(made, title):
    return next(each for each in elements_of(made) if isinstance(each, Table) and each.title == title)


# ---- the package's own suites, tiny ----------------------------------------------------------------------------------

PAPERS = ("davidson2014", "report2080", "crauser2012", "adds2021")

_SMALL = {"n": 600, "m": 3_000, "rows": 12, "columns": 12, "x": 8, "y": 8, "z": 8, "scale": 10, "clusters": 10}


def _tiny(values):
    """Return arguments or variables of generators with all sizes tiny, those of a sweep still different."""
    made = {}
    for name, value in values.items():
        least = _SMALL.get(name)
        if isinstance(value, list | tuple) and least is not None:
            made[name] = [least - 50 * i if least > 500 else least - i for i in range(len(value))][::-1]
        else:
            made[name] = min(value, least) if least is not None and isinstance(value, int) else value
    return made


def _tiny_suite(name):
    """Return a suite of the package with generated graphs only, all of them tiny."""
    raw = dict(builtin(name).raw)
    raw["graphs"] = {
        key: {
            **{field: value for field, value in graph.items() if field not in ("file", "dataset", "weights", "quick")},
            "arguments": _tiny({**graph.get("arguments", {}), **graph.get("quick", {})}),
            "vary": _tiny(graph.get("vary", {})),
            "quick_vary": _tiny(graph.get("quick_vary", {})),
        }
        for key, graph in raw["graphs"].items()
        if "kind" in graph
    }
    return from_mapping(raw, f"{name}.toml")


@functools.cache
def tiny_results(name):
    """Return what measuring a suite of the package on tiny graphs did, and its results."""
    path = Path(tempfile.mkdtemp()) / "results.jsonl"
    try:
        done = measure(_tiny_suite(name), path, quick=True)
        return done, results.read(path)
    finally:
        shutil.rmtree(path.parent)
