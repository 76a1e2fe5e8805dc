"""How charts look, on pages and as images alike: colours, markers, and the numbers that are drawn.

Eight colours, each in a light and a dark form with a contrast of at least 3 to its background. They were chosen so that
any two differ also for those who see no red, no green or no blue (a distance of 9 and more in OKLab, times 100, after
the simulation by Machado, Oliveira and Fernandes, 2009), and each has a marker of its own. A name keeps its colour on
the whole page as far as eight colours allow.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pathfront.report.elements import Axis, Chart, Page, Series
from pathfront.report.numbers import charts_of, legend_of, marks_of, points_of, shown

LIGHT = ("#013689", "#c97916", "#21a180", "#aa3066", "#626301", "#1d6996", "#23323e", "#9664f6")
DARK = ("#83aaf4", "#d35b13", "#60f7b1", "#b47aaf", "#e3c417", "#39d3d3", "#d5e7fe", "#816de9")
MARKERS = ("circle", "square", "diamond", "triangle", "down", "pentagon", "cross", "star")

MOST_POINTS = 1500
"""Values of a series that are drawn; of longer ones the first, least and greatest of each run of values."""


@dataclass(frozen=True, slots=True)
class Style:
    """The looks of a series."""

    colour: int
    """The index of a colour and of a marker."""
    turn: int
    """How often the colours were used up before: a series of a later turn is dashed differently."""


def colours_of(page: Page) -> dict[str, int]:
    """Return the preferred colour of each name on a page: the most frequent ones choose first.

    A name avoids the colours of those that share a chart with it, then, if it is in several charts itself, the colours
    of others that are.
    """
    charts = [list(dict.fromkeys(_key(series) for series in chart.series)) for chart in charts_of(page)]
    uses = Counter(name for names in charts for name in names)
    preferred: dict[str, int] = {}
    for name, _ in uses.most_common():
        beside = Counter(preferred[other] for names in charts if name in names for other in names if other in preferred)
        anywhere = Counter(preferred[other] for other in preferred if uses[name] > 1)
        preferred[name] = min((beside[i], anywhere[i], i) for i in range(len(LIGHT)))[2]
    return preferred


def _key(series: Series) -> str:
    """Return the name by which a series has its colour: published values have that of the measured ones."""
    return (
        re.sub(r"[,\s(]+(?:published|paper)\)?$", "", series.name) or series.name if series.published else series.name
    )


def styles_of(chart: Chart, preferred: Mapping[str, int]) -> list[Style]:
    """Return the looks of a chart's series: the preferred colours, and where two names share one, the next free one."""
    taken: dict[str, Style] = {}
    for key in map(_key, chart.series):
        if key in taken:
            continue
        turn = len(taken) // len(LIGHT)
        used = {style.colour for style in taken.values() if style.turn == turn}
        colour = preferred.get(key, 0)
        while colour in used:
            colour = (colour + 1) % len(LIGHT)
        taken[key] = Style(colour, turn)
    return [taken[_key(series)] for series in chart.series]


def drawn_points(chart: Chart, series: Series) -> list[int]:
    """Return the indices of the values to draw, at most about MOST_POINTS; a missing value stays: it interrupts a line.

    >>> chart = Chart("a", "A", Axis("x"), Axis("y"), [])
    >>> drawn_points(chart, Series("s", [1, 2, 3], [1.0, None, 2.0])), drawn_points(
    ...     chart, Series("s", [1, 2, 3], [1.0, None, 2.0], "points"))
    ([0, 1, 2], [0, 2])
    """
    points = points_of(chart, series)
    if points and series.kind in ("line", "step", "area"):
        keep = set(points)
        points = [i for i in range(points[0], points[-1] + 1) if i in keep or shown(series.x[i], chart.x)]
    if len(points) <= MOST_POINTS:
        return points

    def height(i: int) -> float:
        y = series.y[i]
        return float(y) if isinstance(y, int | float) and math.isfinite(y) else 0.0

    run = math.ceil(3 * len(points) / MOST_POINTS)
    kept = {points[-1]}
    for start in range(0, len(points), run):
        part = points[start : start + run]
        kept |= {part[0], min(part, key=height), max(part, key=height)}
    return sorted(kept)


def compact(value: float | None) -> float | None:
    """Return a number as it is kept in a page: seven significant digits, whole numbers exactly.

    >>> compact(1 / 3), compact(264346.0), compact(float("nan"))
    (0.3333333, 264346, None)
    """
    if value is None or not math.isfinite(value):
        return None
    whole = float(value).is_integer() and abs(value) < 2**53
    return int(value) if whole else float(f"{value:.7g}")


def chart_data(chart: Chart, preferred: Mapping[str, int]) -> dict[str, Any]:
    """Return a chart as the page's script draws it; places on axes with categories are their indices."""
    series = [
        _series_data(chart, series, style)
        for series, style in zip(chart.series, styles_of(chart, preferred), strict=True)
    ]
    marks = [
        {"label": mark.label, "x": _number(mark.x), "y": _number(mark.y), "diagonal": mark.diagonal}
        for mark in marks_of(chart)
    ]
    return {"title": chart.title, "x": _axis(chart.x), "y": _axis(chart.y), "series": series, "marks": marks}


def _number(value: float | None) -> float | None:
    return None if value is None else compact(value)


def _axis(axis: Axis) -> dict[str, Any]:
    return {"label": axis.label, "unit": axis.unit, "log": axis.log, "categories": list(axis.categories)}


def _series_data(chart: Chart, series: Series, style: Style) -> dict[str, Any]:
    points = drawn_points(chart, series)
    data: dict[str, Any] = {
        "name": legend_of(series),
        "kind": series.kind,
        "published": series.published,
        "colour": style.colour,
        "turn": style.turn,
        "x": _places(chart.x, [series.x[i] for i in points]),
        "y": _places(chart.y, [series.y[i] for i in points]),
    }
    measured = chart.x if chart.y.categories else chart.y
    for name in ("low", "high"):
        values = getattr(series, name)
        if len(values):
            data[name] = _places(measured, [values[i] for i in points])
    if len(series.labels):
        data["labels"] = [series.labels[i] for i in points]
    if len(points) < len(points_of(chart, series)):
        data["of"] = len(series.x)
    return data


def _places(axis: Axis, values: Sequence[float | str | None]) -> list[float | None]:
    index = {name: i for i, name in enumerate(axis.categories)}
    return [
        index[value] if isinstance(value, str) else compact(value) if shown(value, axis) else None for value in values
    ]
