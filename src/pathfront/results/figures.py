"""The trace of one search as a figure of matplotlib: `paths.plot()`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pathfront.exceptions import MissingExtraError
from pathfront.graph import Graph
from pathfront.report.elements import Chart, Panels
from pathfront.results import traces
from pathfront.validation import Array

_MOST_POINTS = 200_000
"""Vertices that are drawn on the map; of more, evenly chosen ones."""


def figure(graph: Graph, trace: Array, distance: Array, reached: Array, title: str) -> Any:
    """Return a figure: what the trace shows, and for a graph with coordinates the order of settling."""
    pyplot = _pyplot()
    arcs = int(np.diff(graph.offsets)[reached].sum())
    found = [part for each in traces.charts({"": trace}, arcs) for part in _charts_of(each)]
    has_map = graph.coordinates is not None and graph.coordinates.shape[1] >= 2
    count = len(found) + has_map
    rows = -(-count // 2)
    made = pyplot.figure(figsize=(11, 3.2 * rows), layout="constrained")
    made.suptitle(title)
    axes = made.subplots(rows, 2, squeeze=False).ravel()
    for chart, place in zip(found, axes, strict=False):
        _draw(chart, place)
    if has_map:
        _draw_map(made, axes[len(found)], graph, traces.settled_rows(trace, distance, reached))
    for place in axes[count:]:
        place.remove()
    return made


def _pyplot() -> Any:
    """Return what makes figures that notebooks and `pyplot.show()` know of."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtraError(
            "plot needs matplotlib, which is not installed; pip install 'pathfront[plot]'."
        ) from None
    return pyplot


def _charts_of(element: Chart | Panels) -> list[tuple[str, Chart]]:
    """Return the charts of an element with their titles; panels have one, for the one search."""
    if isinstance(element, Panels):
        return [(element.title, chart) for chart in element.charts]
    return [(element.title, element)]


def _draw(titled: tuple[str, Chart], axes: Any) -> None:
    title, chart = titled
    for series in chart.series:
        y = [np.nan if value is None else value for value in series.y]
        style = "steps-post" if series.kind == "step" else "default"
        (line,) = axes.plot(series.x, y, drawstyle=style, linewidth=1.2, label=series.name or None)
        if series.low:
            low, high = (np.array(values, np.float64) for values in (series.low, series.high))  # None becomes NaN
            axes.fill_between(series.x, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    for mark in chart.marks:
        axes.axhline(mark.y, color="grey", linestyle="--", linewidth=0.9, label=mark.label)
    axes.set_title(title, loc="left", fontsize="medium")
    axes.set_xlabel(" in ".join(filter(None, (chart.x.label, chart.x.unit))))
    axes.set_ylabel(chart.y.label)
    if chart.y.log:
        axes.set_yscale("log")
    axes.grid(alpha=0.25)
    if any(series.name for series in chart.series) or chart.marks:
        axes.legend(fontsize="small", framealpha=0.8)


def _draw_map(figure: Any, axes: Any, graph: Graph, rows: Array) -> None:
    points = graph.coordinates
    assert points is not None
    chosen = np.flatnonzero(rows >= 0)
    chosen = chosen[:: -(-chosen.size // _MOST_POINTS)]
    drawn = axes.scatter(points[chosen, 0], points[chosen, 1], c=rows[chosen], s=2, linewidths=0, rasterized=True)
    axes.set_title("The row after which each vertex is final", loc="left", fontsize="medium")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xticks([])
    axes.set_yticks([])
    figure.colorbar(drawn, ax=axes, label="row of the trace")
