"""A suite on tiny graphs, its measurement, and what its page has: for the tests of experiments."""

from __future__ import annotations

import json

from pathfront.experiments import running
from pathfront.report.elements import Note, Panels, Table

SUITE = """
name = "tiny"
title = "Tiny"
summary = "A tiny suite."

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
