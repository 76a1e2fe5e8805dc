"""Each chart as a picture for papers and slides, PNG or SVG, by matplotlib: the same looks as on the page, in print."""

from __future__ import annotations

import math
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pathfront.exceptions import ArgumentError, MissingExtraError
from pathfront.report.checking import check
from pathfront.report.drawing import LIGHT, Style, colours_of, drawn_points, styles_of
from pathfront.report.elements import Axis, Chart, Mark, Page, Race, Series
from pathfront.report.numbers import charts_of, legend_of, marks_of, name_of, races_of, shown, slug, tick_text
from pathfront.wording import shown as quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")

_INK, _QUIET, _HAIRLINE = "#1b1e23", "#5a616c", "#e2e3df"
_MARKERS = ("o", "s", "D", "^", "v", "p", "P", "*")
_DASHES = ("-", (0, (5, 2)), (0, (1, 2)), (0, (6, 2, 1, 2)))
_PUBLISHED = (0, (4, 3))
_FEW = 40
"""Values of a line up to which each has a marker."""

_LOOKS: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": _INK,
    "axes.edgecolor": "#8c929b",
    "axes.labelcolor": _QUIET,
    "axes.titlelocation": "left",
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": _HAIRLINE,
    "grid.linewidth": 0.8,
    "xtick.color": _QUIET,
    "ytick.color": _QUIET,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.7,
    "lines.markersize": 4.5,
    "savefig.dpi": 200,
    "svg.hashsalt": "pathfront",  # the same file for the same chart
    "text.parse_math": False,  # names may have dollars
}


def save_images(page: Page, folder: str | Path, formats: Sequence[str] = ("svg", "png")) -> list[Path]:
    """Write a picture of each chart and race of a page in each format into a folder; return the files."""
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ArgumentError(f"formats has {quoted(unknown[0])}; choose from {', '.join(FORMATS)}.")
    check(page)
    matplotlib = _matplotlib()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    colours = colours_of(page)
    written: list[Path] = []
    with matplotlib.rc_context(_LOOKS):
        for chart in charts_of(page):
            written += _save(figure_of(chart, colours), folder, chart.id, formats)
        for race in races_of(page):
            written += _save(_race_figure(race), folder, race.id, formats)
    return written


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError("pictures need matplotlib; pip install 'pathfront[plot]'.") from error
    return matplotlib


def _save(figure: Figure, folder: Path, id: str, formats: Sequence[str]) -> list[Path]:
    paths = [folder / f"{slug(id)}.{name}" for name in formats]
    for path in paths:
        metadata = (
            {"Date": None} if path.suffix == ".svg" else {"CreationDate": None} if path.suffix == ".pdf" else None
        )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)  # names in other scripts
            figure.savefig(path, metadata=metadata)
    return paths


def figure_of(chart: Chart, colours: Mapping[str, int] | None = None) -> Figure:
    """Return a chart as a figure of matplotlib; `colours` are those that names have elsewhere on the page."""
    matplotlib = _matplotlib()
    from matplotlib.figure import Figure

    if colours is None:
        colours = {name: i % len(LIGHT) for i, name in enumerate(dict.fromkeys(s.name for s in chart.series))}
    places = len(chart.y.categories)
    with matplotlib.rc_context(_LOOKS):
        figure = Figure(figsize=(6.4, max(3.6, 1.2 + 0.24 * places)), layout="constrained")
        axes = figure.add_subplot()
        _prepare(axes, chart)
        bars = [series for series in chart.series if series.kind == "bars"]
        for series, style in zip(chart.series, styles_of(chart, colours), strict=True):
            _draw(axes, chart, series, style, bars)
        for mark in marks_of(chart):
            _mark(axes, mark)
        rows = _legend(axes, chart)
        axes.set_title("\n".join(textwrap.wrap(chart.title, 74)[:3]), pad=8 + 15 * rows)
    return figure


def _legend(axes: Axes, chart: Chart) -> int:
    """Name the series above the axes, and return how many lines that takes."""
    if len(chart.series) == 1 and not chart.series[0].published:
        return 0
    columns = max(1, min(4, 92 // (8 + max(len(_short(legend_of(series))) for series in chart.series))))
    axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=columns, columnspacing=1.4, borderpad=0.2)
    return -(-len(chart.series) // columns)


def _short(text: str, most: int = 60) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _prepare(axes: Axes, chart: Chart) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    for letter, axis in (("x", chart.x), ("y", chart.y)):
        getattr(axes, f"set_{letter}label")(_short(name_of(axis)))
        if axis.categories:
            turned = letter == "x" and sum(map(len, axis.categories)) > 60
            ticks: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if turned else {}
            getattr(axes, f"set_{letter}ticks")(
                range(len(axis.categories)), [_short(name, 28) for name in axis.categories], **ticks
            )
            axes.grid(False, axis="x" if letter == "x" else "y")
            getattr(axes, f"set_{letter}lim")(-0.6, len(axis.categories) - 0.4)
        elif axis.log:
            getattr(axes, f"set_{letter}scale")("log")
        if not axis.categories:
            ticks_of = getattr(axes, f"{letter}axis")
            ticks_of.set_major_formatter(lambda value, _, axis=axis: tick_text(value, axis))
            if axis.log:
                ticks_of.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=8))
                ticks_of.set_minor_formatter(NullFormatter())
    if chart.y.categories:
        axes.invert_yaxis()


def _places(axis: Axis, values: Sequence[float | str | None]) -> np.ndarray[Any, np.dtype[np.float64]]:
    index = {name: i for i, name in enumerate(axis.categories)}
    return np.array(
        [index[v] if isinstance(v, str) else v if shown(v, axis) else math.nan for v in values], dtype=float
    )


def _draw(axes: Axes, chart: Chart, series: Series, style: Style, bars: Sequence[Series]) -> None:
    points = drawn_points(chart, series)
    x, y = _places(chart.x, [series.x[i] for i in points]), _places(chart.y, [series.y[i] for i in points])
    colour, name = LIGHT[style.colour], _short(legend_of(series))
    flat = bool(chart.y.categories)
    if series.kind == "bars":
        x, y = _draw_bars(axes, series, x, y, colour, flat, [one is series for one in bars].index(True), len(bars))
    else:
        dashes = _PUBLISHED if series.published else _DASHES[style.turn % len(_DASHES)]
        marked = series.kind == "points" or len(points) <= _FEW
        axes.plot(
            x,
            y,
            color=colour,
            label=name,
            linestyle="none" if series.kind == "points" else dashes,
            marker=_MARKERS[style.colour] if marked else "",
            markerfacecolor="white" if series.published else colour,
            drawstyle="steps-post" if series.kind == "step" else "default",
        )
        if series.kind == "area":
            axes.fill_between(x, y, 0 if not chart.y.log else np.nanmin(y) / 1.5, color=colour, alpha=0.14, linewidth=0)
    _draw_ranges(axes, chart, series, points, x, y, _INK if series.kind == "bars" else colour)


def _draw_bars(
    axes: Axes, series: Series, x: Any, y: Any, colour: str, flat: bool, place: int, count: int
) -> tuple[Any, Any]:
    along = y if flat else x
    gaps = np.diff(np.unique(along[np.isfinite(along)]))
    width = 0.8 * (float(gaps.min()) if len(gaps) else 1.0) / count
    along = along + (place - (count - 1) / 2) * width
    looks: dict[str, Any] = {
        "label": _short(legend_of(series)),
        "edgecolor": colour,
        "facecolor": colour,
        "linewidth": 1,
    }
    if series.published:
        looks |= {"facecolor": f"{colour}1a", "linestyle": _PUBLISHED}
    if flat:
        axes.barh(along, x, height=width * 0.94, **looks)
        return x, along
    axes.bar(along, y, width=width * 0.94, **looks)
    return along, y


def _draw_ranges(axes: Axes, chart: Chart, series: Series, points: Sequence[int], x: Any, y: Any, colour: str) -> None:
    if not (len(series.low) or len(series.high)):
        return
    flat = bool(chart.y.categories)
    value = x if flat else y
    axis = chart.x if flat else chart.y
    ends = []
    for values in (series.low, series.high):
        end = _places(axis, [values[i] for i in points]) if len(values) else value
        ends.append(np.where(np.isfinite(end), end, value))
    draw = axes.hlines if flat else axes.vlines
    draw(y if flat else x, ends[0], ends[1], color=colour, linewidth=1.1, alpha=0.6)


def _mark(axes: Axes, mark: Mark) -> None:
    looks: dict[str, Any] = {"color": _QUIET, "linestyle": (0, (1, 3)), "linewidth": 1.1}
    words: dict[str, Any] = {"color": _QUIET, "style": "italic", "size": 8, "textcoords": "offset points"}
    if mark.x is not None:
        axes.axvline(mark.x, **looks)
        axes.annotate(_short(mark.label), (mark.x, 1), (4, -9), xycoords=("data", "axes fraction"), **words)
    elif mark.y is not None:
        axes.axhline(mark.y, **looks)
        axes.annotate(_short(mark.label), (1, mark.y), (-3, 4), xycoords=("axes fraction", "data"), ha="right", **words)
    elif mark.diagonal:
        limits = axes.get_xlim(), axes.get_ylim()
        low, high = (choose(ends) for choose, ends in zip((max, min), zip(*limits, strict=True), strict=True))
        axes.plot([low, high], [low, high], scalex=False, scaley=False, **looks)
        axes.annotate(_short(mark.label), (1, 1), (-3, -9), xycoords="axes fraction", ha="right", **words)


def _race_figure(race: Race) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(3.2 * len(race.runners), 3.6), layout="constrained")
    figure.suptitle(_short(race.title, 70), x=0.01, ha="left", weight="bold", size=10.5)
    for i, runner in enumerate(race.runners):
        axes = figure.add_subplot(1, len(race.runners), i + 1)
        settled = np.asarray(runner.settled, dtype=np.float64)
        order = np.argsort(-settled)  # the first ones on top; what was never settled is drawn beneath
        size = min(9.0, 30000 / len(settled))
        never = ~np.isfinite(settled)
        x, y = np.asarray(race.x, dtype=np.float64), np.asarray(race.y, dtype=np.float64)
        axes.scatter(x[never], y[never], s=size, c=_HAIRLINE, linewidths=0, rasterized=True)
        order = order[~never[order]]
        drawn = axes.scatter(
            x[order], y[order], s=size, c=settled[order], cmap="viridis", linewidths=0, rasterized=True
        )
        axes.set_aspect("equal")
        axes.set_axis_off()
        axes.set_title(_short(runner.name, 30), size=9.5)
        figure.colorbar(
            drawn,
            ax=axes,
            orientation="horizontal",
            shrink=0.7,
            label=_short(name_of(race.axis), 40),
            ticks=MaxNLocator(3),
        )
    return figure
