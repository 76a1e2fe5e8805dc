"""Charts of experiments: one value against another, a series for each run, a panel for each graph; and traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pathfront.experiments.records import Record, chosen, evaluator
from pathfront.experiments.suite import Show
from pathfront.report.elements import Axis, Chart, Element, Mark, Panels, Series


def chart(show: Show, records: Sequence[Record], id: str) -> list[Element]:
    """Return a chart of `y` against `x`, or one for each panel."""
    return _panels(show, records, id, _points)


def trace(show: Show, records: Sequence[Record], id: str) -> list[Element]:
    """Return charts of columns of traces: of each graph by default."""
    return _panels(show, records, id, _columns)


def _panels(show: Show, records: Sequence[Record], id: str, series_of: Any) -> list[Element]:
    by_panel: dict[str, list[Record]] = {}
    for record in chosen(records, show):
        if record.error is None and record.measured:
            by_panel.setdefault(str(record.names.get(show.panel)) if show.panel else "", []).append(record)
    charts = []
    for number, (panel, group) in enumerate(by_panel.items()):
        series = series_of(show, records, group)
        series = [each for each in series if any(y is not None for y in each.y)]
        if not series:
            continue
        series += _published(show, panel)
        x = Axis(show.x_label or show.x, log=show.x_log, categories=_categories(series))
        y = Axis(show.y_label or show.y, log=show.y_log)
        title = panel or show.title
        name = f"{id}-{number}" if show.panel else id
        charts.append(Chart(name, title, x, y, series, _marks(show, records, group), "" if panel else show.caption))
    if not charts:
        return []
    return [Panels(id, show.title, charts, show.caption)] if show.panel else [charts[0]]


def _points(show: Show, records: Sequence[Record], group: Sequence[Record]) -> list[Series]:
    several = [(f", {each['name']}", each["y"]) for each in show.series] or [("", show.y)]
    made = [_series(show, records, group, *named) for named in several]
    return [each for of_value in zip(*made, strict=True) for each in of_value] if len(made) > 1 else made[0]


def _series(show: Show, records: Sequence[Record], group: Sequence[Record], suffix: str, y_of: str) -> list[Series]:
    value = evaluator(records, show)
    found: dict[str, list[tuple[Any, Any, Record]]] = {}
    for record in group:
        points = found.setdefault(str(record.names.get(show.across)), [])
        x, y = value(show.x, record), value(y_of, record)
        if x is not None and isinstance(y, int | float):
            points.append((x, y, record))
    series = []
    for name, points in found.items():
        if all(isinstance(x, int | float) for x, _, _ in points) and show.style != "points":
            points.sort(key=lambda point: point[0])
        xs, ys = [x for x, _, _ in points], _scaled([y for _, y, _ in points], show)
        labels = [record.graph for _, _, record in points]
        series.append(Series(f"{name}{suffix}", xs, ys, show.style, labels=labels))
    return series


def _scaled(values: list[float], show: Show) -> list[float]:
    least = min(values, default=0)
    return [value / least for value in values] if show.relative and least > 0 else values


def _columns(show: Show, records: Sequence[Record], group: Sequence[Record]) -> list[Series]:
    value = evaluator(records, show)
    series = []
    for record in group:
        if record.trace is None:
            continue
        x = record.trace.get(show.x or "iteration")
        for each in show.series:
            y = record.trace.get(each["column"])
            if x is None or y is None or each.get("run", record.run) != record.run:
                continue
            if "times" in each and isinstance(factor := value(each["times"], record), int | float):
                y = [None if number is None else factor * number for number in y]
            name = each.get("name", "")
            name = f"{record.run}, {name}" if name and len(group) > 1 else name or record.run
            known = [(a, b) for a, b in zip(x, y, strict=False) if a is not None]
            series.append(Series(name, [a for a, _ in known], [b for _, b in known], show.style))
    return series


def _published(show: Show, panel: str) -> list[Series]:
    series = []
    for given in show.published:
        if panel and "panel" in given and given["panel"] != panel:
            continue
        series.append(
            Series(f"{given['series']}, published", list(given["x"]), list(given["y"]), show.style, published=True)
        )
    return series


def _categories(series: Sequence[Series]) -> list[str]:
    names: dict[str, None] = {}
    for each in series:
        for x in each.x:
            if isinstance(x, str):
                names[x] = None
    return list(names)


def _marks(show: Show, records: Sequence[Record], group: Sequence[Record]) -> list[Mark]:
    value = evaluator(records, show)
    return [mark for given in show.marks if (mark := _mark(given, value, group[0])) is not None]


def _mark(given: Mapping[str, Any], value: Any, record: Record) -> Mark | None:
    if given.get("diagonal"):
        return Mark(str(given["label"]), diagonal=True)
    x = value(given["x"], record) if "x" in given else None
    y = value(given["y"], record) if "y" in given else None
    if not isinstance(x, int | float) and not isinstance(y, int | float):
        return None
    return Mark(str(given["label"]), x, y)
