"""Sweeps and traced methods as pages of charts and tables."""

from __future__ import annotations

import numpy as np

from pathfront.graph import Graph
from pathfront.report.elements import Axis, Cell, Chart, Element, Mark, Note, Page, Race, Runner, Section, Series, Table
from pathfront.results import traces
from pathfront.studies.racing import UNITS, By, Run, Traced
from pathfront.studies.sweeping import Sweep
from pathfront.validation import Array

_DEGREES = 1e-6
"""The unit of whole-numbered coordinates of longitude and latitude, as in the DIMACS files."""

_NAMED = 3
"""Methods that a title names; of more it has the number."""

HOW = "Every answer was compared with that of Dijkstra's method, bit for bit; what failed has no numbers."

Facts = list[tuple[str, str]]
"""How something was measured: names and values."""


def sweep_page(found: Sweep, name: str, facts: Facts) -> Page:
    """Return the page of a sweep."""
    best, default = found.best, found.default
    if best is None or best.best is None:
        summary = f"{found.method} failed with every width of its buckets."
    elif default.best is None:
        summary = f"{found.method} is fastest with buckets of width {best.delta:g}; its default width failed."
    elif best.is_default:
        summary = f"The default width of {found.method}, {default.delta:g}, is the fastest of those tried."
    else:
        summary = (
            f"{found.method} is fastest with buckets of width {best.delta:g}; its default, {default.delta:g}, takes "
            f"{default.best / best.best:.3g} times as long."
        )
    made = sweep_charts(found)
    charts: list[Element] = [*made[1:], sweep_table(found)]
    charts += [Note(f"delta {each.delta:g}: {each.failure}", "problem") for each in found.settings if each.failure]
    sections = [Section("widths", "The sweep", charts, text=HOW)]
    return Page(f"{found.method} on {name}", summary, sections, lead=made[0] if made else None, measured=facts)


def sweep_charts(found: Sweep) -> list[Chart]:
    """Return time, iterations and work over the width; nothing if no width has a time."""
    good = [each for each in found.settings if each.best is not None and each.stats is not None]
    if not good:
        return []
    x = Axis("delta", log=True)
    places = [each.stats.delta or each.delta or 0.0 for each in good]  # type: ignore[union-attr]
    marks = [Mark("default", x=each.stats.delta or each.delta) for each in good if each.is_default and each.stats]
    best = [1e3 * (each.best or 0.0) for each in good]
    most = [1e3 * max(each.seconds) for each in good]
    reached = [each.stats.vertices_processed for each in good]  # type: ignore[union-attr]
    arcs = [each.stats.edges_relaxed for each in good]  # type: ignore[union-attr]
    rounds = [each.stats.iterations for each in good]  # type: ignore[union-attr]
    work = [Series("vertices processed", places, reached), Series("arcs relaxed", places, arcs)]
    time = [Series(found.method, places, best, low=best, high=most)]
    return [
        Chart("sweep-time", "Time", x, Axis("time", "ms", log=True), time, marks, "The best and the worst repetition."),
        Chart(
            "sweep-iterations",
            "Iterations",
            x,
            Axis("iterations", log=True),
            [Series(found.method, places, rounds)],
            marks,
        ),
        Chart("sweep-work", "Work", x, Axis("count", log=True), work, marks),
    ]


def sweep_table(found: Sweep) -> Table:
    """Return the numbers of a sweep."""
    columns = ("delta", "used", "", "ms", "iterations", "vertices", "arcs", "MTEPS")
    rows: list[list[Cell]] = []
    for each in found.settings:
        stats = each.stats
        words = ", ".join(word for word, holds in (("default", each.is_default), ("best", each.is_best)) if holds)
        rows.append(
            [
                each.delta,
                None if stats is None else stats.delta,
                words or ("failed" if each.failure else ""),
                None if each.best is None else 1e3 * each.best,
                None if stats is None else stats.iterations,
                None if stats is None else stats.vertices_processed,
                None if stats is None else stats.edges_relaxed,
                each.mteps,
            ]
        )
    return Table("sweep-table", "The numbers", columns, rows)


def trace_page(found: Traced, name: str, facts: Facts, by: By) -> Page:
    """Return the page of traced methods: totals, charts, and the race where vertices have coordinates."""
    good = [run for run in found.runs if run.stats is not None and run.trace is not None]
    elements: list[Element] = [_totals(good, found.arcs)] if good else []
    elements += [Note(f"{run.name}: {run.failure}", "problem") for run in found.runs if run.failure]
    sections = [Section("fared", "How they fared", elements, text=HOW)]
    if found.traces():
        sections.append(Section("rows", "Row by row", traces.charts(found.traces(), found.arcs)))
    running = race(found, good, by)
    if running is not None:
        sections.insert(0, Section("settling", "The order of settling", [running], text=SETTLED))
    elif good:
        sections.append(Section("settling", "The order of settling", [Note(NO_MAP, "remark")]))
    names = [run.name for run in found.runs]
    who = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} methods"
    return Page(f"{who} on {name}", _said(good, found.arcs), sections, measured=facts)


SETTLED = (
    "A vertex is drawn once it is settled: from the first row of the trace after which nothing is processed that is at "
    "most as far from the source as it is, so that its distance cannot change any more. A label-setting method knows "
    "this at that time; of others it is seen in hindsight."
)
NO_MAP = (
    "The graph has no coordinates, so the order in which vertices are settled cannot be drawn on a map. A .pfg file "
    "keeps them; those of a DIMACS graph are read by --read-option coordinates=FILE."
)


def race(found: Traced, good: list[Run], by: By) -> Race | None:
    """Return the race of methods on the map, or None without coordinates of two dimensions."""
    points = found.graph.coordinates
    good = [run for run in good if run.rows]
    if points is None or points.shape[1] < 2 or not good:
        return None
    x, y = flat(points)
    runners = [Runner(run.name, found.moments(run, by), f"{run.rows:,} rows") for run in good]
    title = {"time": "A race by time", "rows": "A race by rows", "work": "A race by work"}[by]
    return Race("race", title, x, y, runners, Axis(*UNITS[by]))


def flat(points: Array) -> tuple[Array, Array]:
    """Return coordinates as they are drawn: degrees of longitude are shorter than those of latitude.

    Only whole numbers beyond a million, and within the range of millionths of a degree, are taken for degrees.

    >>> flat(np.array([[-73_500_000, 60_000_000], [-73_400_000, 60_000_000]]))[0].round(3).tolist()
    [-36.75, -36.7]
    """
    x, y = points[:, 0].astype(np.float64), points[:, 1].astype(np.float64)
    most_x, most_y = (float(np.abs(each).max(initial=0)) for each in (x, y))
    if points.dtype.kind == "i" and max(most_x, most_y) > 1e6 and most_x <= 180e6 and most_y <= 90e6:
        x, y = x * _DEGREES, y * _DEGREES
        x = x * np.cos(np.radians(y.mean()))
    return x, y


def _totals(good: list[Run], arcs: int) -> Table:
    columns = ("method", "ms", "rows", "largest frontier", "vertices", "arcs", "arcs over reached", "delta")
    rows: list[list[Cell]] = []
    for run in good:
        assert run.stats is not None
        assert run.trace is not None
        total = traces.summary(run.trace)
        rows.append(
            [
                run.name,
                1e3 * run.stats.seconds,
                total["rows"],
                total["largest_frontier"],
                run.stats.vertices_processed,
                run.stats.edges_relaxed,
                run.stats.edges_relaxed / arcs if arcs else None,
                run.stats.delta,
            ]
        )
    caption = "Times are of searches that record a trace, which takes time itself; compare them by 'pathfront explain'."
    return Table("totals", "Totals", columns, rows, caption)


def _said(good: list[Run], arcs: int) -> str:
    stats = [(run.name, run.stats) for run in good if run.stats is not None]
    if not stats:
        return "No method has a trace."
    least = min(stats, key=lambda each: each[1].edges_relaxed)
    few = min(stats, key=lambda each: each[1].iterations)
    share = f"{least[1].edges_relaxed / arcs:.2f} times the arcs of the reached vertices" if arcs else "no arcs"
    if len(stats) == 1:
        many = "1 iteration" if few[1].iterations == 1 else f"{few[1].iterations:,} iterations"
        return f"{least[0]} relaxed {share} in {many}."
    return f"Of {len(stats)} methods {least[0]} did the least work, {share}, and {few[0]} had the fewest iterations."


def graph_facts(graph: Graph, file: str, source: object) -> Facts:
    """Return a graph and a source as facts of a page."""
    return [("graph", file), ("vertices", f"{graph.n:,}"), ("arcs", f"{graph.m:,}"), ("source", str(source))]
