"""The check of a page before it is written: what cannot be drawn is an error that names the element, never a gap."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pathfront.exceptions import ArgumentError
from pathfront.report.elements import Axis, Chart, Page, Panels, Race, Series, Table
from pathfront.report.numbers import charts_of, points_of, races_of, slug, tables_of
from pathfront.wording import shown


def check(page: Page) -> None:
    """Raise an error that names the first element that cannot be written."""
    panels = [element for section in page.sections for element in section.elements if isinstance(element, Panels)]
    charts, tables, races = charts_of(page), tables_of(page), races_of(page)
    _check_ids([*page.sections, *panels, *charts, *tables, *races])
    for group in panels:
        if not group.charts:
            raise ArgumentError(f"panels {shown(group.id)} have no charts; leave them out, or say why in a note.")
    for chart in charts:
        _check_chart(chart)
    for table in tables:
        _check_table(table)
    for race in races:
        _check_race(race)


def _check_ids(elements: Iterable[object]) -> None:
    seen: dict[str, str] = {}
    for element in elements:
        id = str(getattr(element, "id", ""))
        name = slug(id).lower()
        if name in seen:
            others = "" if seen[name] == id else f", too similar to {shown(seen[name])}"
            raise ArgumentError(f"the page has two elements with the id {shown(id)}{others}; ids must be unique.")
        seen[name] = id


def _check_chart(chart: Chart) -> None:
    for series in chart.series:
        _check_series(chart, series)
    if not any(points_of(chart, series) for series in chart.series):
        log = " above 0, which logarithmic axes need" if chart.x.log or chart.y.log else ""
        raise ArgumentError(f"chart {shown(chart.id)} has no values{log}; leave it out, or say why in a note.")


def _check_series(chart: Chart, series: Series) -> None:
    where = f"series {shown(series.name)} of chart {shown(chart.id)}"
    size = len(series.x)
    for name in ("y", "labels", "low", "high"):
        count = len(getattr(series, name))
        if count != size and (count or name == "y"):
            raise ArgumentError(f"{where} has {count} values {name}, but {size} values x; give as many.")
    for letter, axis, values in (("x", chart.x, series.x), ("y", chart.y, series.y)):
        _check_places(where, letter, axis, values)


def _check_places(where: str, letter: str, axis: Axis, values: Iterable[float | str | None]) -> None:
    known = set(axis.categories)
    for value in values:
        if isinstance(value, str) and value not in known:
            raise ArgumentError(f"{where} has {letter}={shown(value)}, which is not in the axis' categories.")
        if known and value is not None and not isinstance(value, str):
            raise ArgumentError(f"{where} has {letter}={shown(value)}, but that axis has categories; give their names.")


def _check_table(table: Table) -> None:
    if not table.rows or not table.columns:
        raise ArgumentError(f"table {shown(table.id)} has no rows; leave it out, or say why in a note.")
    columns = len(table.columns)
    for i, row in enumerate(table.rows):
        if len(row) != columns:
            where = f"row {i} of table {shown(table.id)}"
            raise ArgumentError(f"{where} has {len(row)} entries, but there are {columns} columns.")
    unknown = {*table.formats, *table.published_columns} - set(table.columns)
    if unknown:
        raise ArgumentError(f"table {shown(table.id)} has no column {shown(min(unknown))}, which it describes.")


def _check_race(race: Race) -> None:
    size = len(race.x)
    if not race.runners or not size:
        raise ArgumentError(f"race {shown(race.id)} has no runners or no vertices; leave it out, or say why in a note.")
    if len(race.y) != size:
        raise ArgumentError(f"race {shown(race.id)} has {len(race.y)} values y, but {size} values x; give as many.")
    if not (np.isfinite(race.x).all() and np.isfinite(race.y).all()):
        raise ArgumentError(f"race {shown(race.id)} has coordinates that are not finite.")
    for runner in race.runners:
        settled = np.asarray(runner.settled, dtype=np.float64)
        where = f"runner {shown(runner.name)} of race {shown(race.id)}"
        if len(settled) != size:
            raise ArgumentError(f"{where} has {len(settled)} moments, but there are {size} vertices.")
        if not np.isfinite(settled).any() or (settled < 0).any():
            raise ArgumentError(f"{where} needs at least one settled vertex and no moment below 0.")
