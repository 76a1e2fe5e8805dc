"""An explanation in words, and as a page."""

from __future__ import annotations

from pathfront.report.elements import Axis, Cell, Chart, Element, Note, Page, Section, Series, Table
from pathfront.studies.explaining import Alternative, Explanation
from pathfront.studies.pages import HOW, Facts


def words(found: Explanation) -> Facts:
    """Return what a graph looks like, and what `auto` takes on it, as names and values."""
    seen = found.measures
    spread = f"{seen.smallest_degree:,} to {seen.largest_degree:,}, mean {seen.mean_degree:.3g}"
    weights = "none: arcs count as hops"
    if seen.weights is not None:
        weights = seen.weights
        if seen.m and seen.mean_weight is not None:
            weights += f", {seen.lightest} to {seen.heaviest}, mean {seen.mean_weight:.6g}"
    diameter = f"{seen.hop_diameter:,} arcs" if seen.hop_diameter_is_exact else f"at least {seen.hop_diameter:,} arcs"
    parts = f"{seen.weak_components:,}, the largest with {seen.largest_weak_share:.1%} of the vertices"
    many = "1 thread" if found.threads == 1 else f"up to {found.threads} threads"
    return [
        ("out-degrees", spread),
        ("weights", weights),
        ("hop diameter", diameter),
        ("components", parts),
        ("source", f"{found.source}, reaches {seen.reached:,} of {seen.n:,} vertices ({seen.reached_share:.1%})"),
        ("auto takes", f"{found.method}: {found.reason}"),
        ("on", f"{found.device}, {many}" + (f", engine {found.engine}" if found.engine else "")),
    ]


def explain_page(found: Explanation, name: str, facts: Facts) -> Page:
    """Return the page of an explanation."""
    timed = [each for each in found.alternatives if each.timed is not None and each.timed.best is not None]
    sections = [Section("graph", "The graph", [Table("facts", "What it looks like", ("what", "value"), words(found))])]
    lead = _times(timed) if timed else None
    elements: list[Element] = [_table(found)]
    elements += [
        Note(f"{each.method}: {each.timed.failure}", "problem")
        for each in found.alternatives
        if each.timed is not None and each.timed.failure
    ]
    elements += [Note(f"{each.method} does not apply: {each.why_not}.") for each in found.alternatives if each.why_not]
    sections.append(Section("methods", "The methods", elements, text=HOW if timed else "Nothing was timed."))
    return Page(f"{name}, explained", _said(found, timed), sections, lead=lead, measured=facts)


def _said(found: Explanation, timed: list[Alternative]) -> str:
    start = f"On this graph auto takes {found.method} ({found.reason})"
    if not timed:
        return f"{start}."
    best = timed[0]
    if best.method == found.method:
        return f"{start}, which is the fastest of the {len(timed)} methods tried."
    mine = next((each for each in timed if each.method == found.method), None)
    if mine is None:
        return f"{start}, which failed here; {best.method} is the fastest of {len(timed)}."
    assert best.timed is not None
    assert mine.timed is not None
    ratio = (mine.timed.best or 0.0) / (best.timed.best or 1.0)
    others = f"{best.method} is the fastest of the {len(timed)} methods tried"
    return f"{start}; {others}, auto takes {ratio:.2f} times as long."


def _times(timed: list[Alternative]) -> Chart:
    names = [each.method for each in timed]
    best = [1e3 * min(each.timed.seconds) for each in timed if each.timed is not None]
    most = [1e3 * max(each.timed.seconds) for each in timed if each.timed is not None]
    x, y = Axis("method", categories=names), Axis("time", "ms", log=True)
    series = [Series("best repetition", names, best, "points", low=best, high=most)]
    return Chart("times", "Time of each method", x, y, series, caption="The best and the worst repetition.")


def _table(found: Explanation) -> Table:
    columns = ("method", "ms", "MTEPS", "iterations", "vertices", "arcs", "delta", "")
    rows: list[list[Cell]] = []
    for each in found.alternatives:
        timed, stats = each.timed, None if each.timed is None else each.timed.stats
        best = None if timed is None or timed.best is None else 1e3 * timed.best
        note = "taken by auto" if each.method == found.method else "does not apply" if each.why_not else ""
        rows.append(
            [
                each.method,
                best,
                None if timed is None else timed.mteps,
                None if stats is None else stats.iterations,
                None if stats is None else stats.vertices_processed,
                None if stats is None else stats.edges_relaxed,
                None if stats is None else stats.delta,
                note,
            ]
        )
    return Table("alternatives", "How they fare", columns, rows)
