"""Tables of experiments: records as rows, a value against two names, means over graphs, distributions over classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from pathfront.experiments.records import Record, aggregated, chosen, evaluator, numbers
from pathfront.experiments.suite import Show
from pathfront.report.elements import Axis, Cell, Chart, Element, Series, Table

_PUBLISHED = "published"


def of_rows(show: Show, records: Sequence[Record], id: str) -> list[Element]:
    """Return a table with a row for each record."""
    value = evaluator(records, show)
    rows: list[Sequence[Cell]] = []
    for record in chosen(records, show):
        row = [_label(value(column.value, record)) for column in show.columns]
        if any(cell is not None for cell in row[1:]):
            rows.append(row)
    published = []
    for given in show.published:
        published.append(len(rows))
        rows.append([_label(given.get(column.published or column.title)) for column in show.columns])
    if len(rows) == len(published):
        return []
    titles = [column.title for column in show.columns]
    formats = {column.title: column.format for column in show.columns if column.format}
    return [Table(id, show.title, titles, rows, show.caption, frozenset(published), formats)]


def pivot(show: Show, records: Sequence[Record], id: str) -> list[Element]:
    """Return a table of one value: what `rows` names down, what `across` names to the right."""
    value = evaluator(records, show)
    found: dict[str, dict[str, list[Any]]] = {}
    across: dict[str, None] = {}
    for record in chosen(records, show):
        down, right = str(record.names.get(show.rows)), str(record.names.get(show.across))
        across[right] = None
        found.setdefault(down, {}).setdefault(right, []).append(value(show.value, record))
    cells = {row: {c: aggregated(each.get(c, []), show.aggregate) for c in across} for row, each in found.items()}
    cells = {row: each for row, each in cells.items() if any(cell is not None for cell in each.values())}
    if not cells:
        return []
    rows: list[Sequence[Cell]] = [[row, *(each[c] for c in across)] for row, each in cells.items()]
    if show.aggregate and len(rows) > 1:
        total = [
            aggregated([cell for each in found.values() for cell in each.get(c, [])], show.aggregate) for c in across
        ]
        rows.append([_AGGREGATE_WORDS[show.aggregate], *total])
    published = range(len(rows), len(rows) + len(show.published))
    for given in show.published:
        rows.append([str(given.get("row", _PUBLISHED)), *(_label(given.get(c)) for c in across)])
    formats = dict.fromkeys(across, show.format) if show.format else {}
    return [Table(id, show.title, [_title(show.rows), *across], rows, show.caption, frozenset(published), formats)]


_AGGREGATE_WORDS = {
    "mean": "mean",
    "geomean": "geometric mean",
    "median": "median",
    "min": "least",
    "max": "most",
    "sum": "in all",
    "share": "share",
    "growth": "last over first",
}


def summary(show: Show, records: Sequence[Record], id: str) -> list[Element]:
    """Return a table with a row for each run, whose columns are means over graphs; published rows below theirs."""
    value = evaluator(records, show)
    groups: dict[str, list[Record]] = {}
    for record in chosen(records, show):
        groups.setdefault(str(record.names.get(show.across)), []).append(record)
    rows: list[Sequence[Cell]] = []
    published, shown = set(), set()
    for name, group in groups.items():
        cells = [aggregated((value(c.value, record) for record in group), show.aggregate) for c in show.columns]
        if all(cell is None for cell in cells):
            continue
        rows.append([name, *cells])
        shown.add(name)
        for given in show.published:
            if given.get("row") == name:
                published.add(len(rows))
                rows.append(_published_row(given, show))
    if not rows:
        return []
    for given in (given for given in show.published if given.get("row") not in shown):
        published.add(len(rows))
        rows.append(_published_row(given, show))
    titles = [_title(show.across), *(column.title for column in show.columns)]
    formats = {column.title: column.format for column in show.columns if column.format}
    return [Table(id, show.title, titles, rows, show.caption, frozenset(published), formats)]


def _published_row(given: Mapping[str, Any], show: Show) -> list[Cell]:
    """Return the row of a summary that a paper has; pages mark it as published."""
    label = f"{given.get('row')}, {given['label']}" if "label" in given else str(given.get("row"))
    return [label, *(_label(given.get(column.published or column.title)) for column in show.columns)]


def distribution(show: Show, records: Sequence[Record], id: str) -> list[Element]:
    """Return how many graphs have a value in each class, as a table and as bars."""
    value = evaluator(records, show)
    groups: dict[str, list[float]] = {}
    for record in chosen(records, show):
        if number := numbers([value(show.value, record)]):
            groups.setdefault(str(record.names.get(show.across) or "graphs"), []).extend(number)
    if not groups:
        return []
    classes = class_names(show.bounds)
    rows: list[Sequence[Cell]] = []
    series = []
    for name, found in groups.items():
        counts = np.bincount(np.searchsorted(show.bounds, found, side="right"), minlength=len(classes)).tolist()
        shares = [100 * count / len(found) for count in counts]
        words = [f"{count} ({share:.0f}%)" for count, share in zip(counts, shares, strict=True)]
        rows.append([name, *words, aggregated(found, "mean"), aggregated(found, "geomean"), len(found)])
        series.append(Series(name, classes, shares, "bars"))
    published = []
    for given in show.published:
        shares = _shares(given)
        if len(shares) != len(classes):
            continue
        published.append(len(rows))
        counts = given.get("counts", [])
        words = [f"{count} ({share:.0f}%)" for count, share in zip(counts, shares, strict=True)]
        label = f"{given['row']}, {_PUBLISHED}"
        means = (_label(given.get("mean")), _label(given.get("geomean")))
        rows.append([str(given["row"]), *words, *means, sum(counts)])
        if given.get("of", given["row"]) in groups:
            series.append(Series(label, classes, shares, "bars", published=True))
    titles = [_title(show.across), *classes, "mean", "geometric mean", "graphs"]
    table = Table(id, show.title, titles, rows, show.caption, frozenset(published))
    chart = Chart(f"{id}-bars", show.title, Axis(show.x_label, categories=classes), Axis("graphs", "%"), series)
    return [chart, table]


def _shares(given: Mapping[str, Any]) -> list[float]:
    counts = numbers(given.get("counts", []))
    total = sum(counts)
    return [100 * count / total for count in counts] if total else []


def class_names(bounds: Sequence[float]) -> list[str]:
    """Return the names of the classes between bounds.

    >>> from pathfront.experiments.tables import class_names
    >>> class_names([0.5, 1, 3])
    ['< 0.5', '0.5 to 1', '1 to 3', '3 or more']
    """
    return [f"< {bounds[0]:g}", *(f"{a:g} to {b:g}" for a, b in pairwise(bounds)), f"{bounds[-1]:g} or more"]


def _title(name: str) -> str:
    return {"run": "method", "n": "vertices", "m": "arcs", "group": "type"}.get(name, name)


def _label(value: Any) -> Cell:
    return value if isinstance(value, str | int | float | bool | None) else str(value)
