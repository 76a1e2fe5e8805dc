"""A page as CSV: one file for each table and chart, with all values as they are, for other programs.

A chart's file has a row for each value: series, whether it is published, x, y, and where they are known the range and
the note. Numbers have all their digits. A race's file has a row for each vertex.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pathfront.report.checking import check
from pathfront.report.elements import Cell, Chart, Page, Race, Series, Table
from pathfront.report.numbers import charts_of, name_of, plain, races_of, slug, tables_of


def to_csv(page: Page, folder: str | Path) -> list[Path]:
    """Write a file for each table, chart and race of a page into a folder, which is made, and return the files.

    >>> import tempfile
    >>> from pathfront.report.elements import Section
    >>> table = Table("sizes", "Sizes", ["graph", "vertices"], [["rome99", 3353]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [file] = to_csv(Page("Measured", "", [Section("all", "All", [table])]), folder)
    ...     file.name, file.read_text()
    ('sizes.csv', 'graph,vertices\\nrome99,3353\\n')
    """
    check(page)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for table in tables_of(page):
        written.append(_write(folder, table.id, _table_rows(table)))
    for chart in charts_of(page):
        written.append(_write(folder, chart.id, _chart_rows(chart)))
    for race in races_of(page):
        written.append(_write(folder, race.id, _race_rows(race)))
    return written


def _write(folder: Path, id: str, rows: Iterable[Sequence[Cell]]) -> Path:
    path = folder / f"{slug(id)}.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([_entry(cell) for cell in row] for row in rows)
    return path


def _entry(cell: Cell) -> Cell:
    cell = plain(cell)
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell


def _table_rows(table: Table) -> Iterator[Sequence[Cell]]:
    """Yield the columns' names and the rows; a last column says which ones are published, if any is."""
    yield [*table.columns, "published"] if table.published else table.columns
    for i, row in enumerate(table.rows):
        yield [*row, "published" if i in table.published else ""] if table.published else row


def _chart_rows(chart: Chart) -> Iterator[Sequence[Cell]]:
    names = [name for name in ("low", "high", "labels") if any(len(getattr(series, name)) for series in chart.series)]
    yield ["series", "published", name_of(chart.x) or "x", name_of(chart.y) or "y", *names]
    for series in chart.series:
        for i in range(len(series.x)):
            more = [_at(series, name, i) for name in names]
            yield [series.name, "published" if series.published else "", series.x[i], series.y[i], *more]


def _at(series: Series, name: str, i: int) -> Cell:
    values: Sequence[Cell] = getattr(series, name)
    return values[i] if len(values) else None


def _race_rows(race: Race) -> Iterator[Sequence[Cell]]:
    yield ["x", "y", *(f"{runner.name}, {name_of(race.axis)}" for runner in race.runners)]
    columns = [np.asarray(values, dtype=np.float64) for values in (race.x, race.y, *(r.settled for r in race.runners))]
    for row in np.column_stack(columns):
        yield row.tolist()
