"""Numbers and charts in words: what tables, tooltips, Markdown and text alternatives say.

`text_of` in `page/scales.js` is the same function for tooltips, and a test compares the two.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from pathfront.report.elements import Axis, Cell, Chart, Mark, Page, Panels, Race, Series, Table

NOTHING = "–"
"""What stands for a value that is not there."""


def plain(cell: Cell) -> Cell:
    """Return a table's entry as a value of Python; numbers of numpy are no `int`, or are written with their type."""
    item = getattr(cell, "item", None)
    return item() if item else cell


def text_of(value: Cell, spec: str = "") -> str:
    """Return a table's entry as text: numbers with four significant digits, or in the format `spec`.

    >>> text_of(264346), text_of(0.0123456), text_of(1234567.8), text_of(1e-7), text_of(None), text_of(True)
    ('264,346', '0.01235', '1,234,568', '1e-7', '–', 'yes')
    >>> text_of(12.5, ".0%")
    '1250%'
    """
    value = plain(value)
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return NOTHING if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if isinstance(value, float):
        spec = spec.replace("d", ".0f")  # a mean of whole numbers
    text = format(value, spec) if spec else ""
    if text and not ("e+" in text and spec.endswith("g") and abs(value) < 1e15):  # 1440, not 1.44e+03
        return text.replace("-", "−", 1 if value < 0 else 0)
    return ("−" if value < 0 else "") + _plain(abs(value))


def _plain(size: float) -> str:
    if size == 0:
        return "0"
    if size >= 1e15 or size < 1e-4:
        return _power(size)
    if size >= 999.95 or float(size).is_integer():
        return f"{_rounded(size, 0):,}"
    text = f"{_rounded(size, math.floor(math.log10(size)) - 3):f}"
    return text.rstrip("0").rstrip(".")


def _power(size: float) -> str:
    exponent = Decimal(size).adjusted()
    mantissa = _rounded(size, exponent - 3).scaleb(-exponent)
    if mantissa >= 10:
        mantissa, exponent = mantissa.scaleb(-1), exponent + 1
    return f"{f'{mantissa:f}'.rstrip('0').rstrip('.')}e{exponent}"


def _rounded(size: float, place: int) -> Decimal:
    """Return a number rounded to a power of ten, as JavaScript does it: half of it upwards."""
    return Decimal(size).quantize(Decimal(1).scaleb(place), ROUND_HALF_UP)


_LARGE = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def tick_text(value: float, axis: Axis) -> str:
    """Return the text of a tick, as `tickText` in `page/scales.js`: short, with a prefix or a smaller unit of time.

    >>> tick_text(20000, Axis("arcs")), tick_text(0.002, Axis("time", "s")), tick_text(0.5, Axis("share"))
    ('20k', '2 ms', '0.5')
    """
    size = abs(value)
    sign = "−" if value < 0 else ""
    if size == 0:
        return "0"
    if axis.unit == "s" and size < 0.9995:
        factor, unit = next((pair for pair in _TIMES if size >= pair[0] * 0.9995), _TIMES[-1])
        return f"{sign}{size / factor:.3g} {unit}"
    if size >= 1e15 or size < 1e-4:
        return sign + _power(size)
    factor, prefix = next(pair for pair in _LARGE if size >= pair[0] * 0.9995) if size >= 1e4 else (1, "")
    return f"{sign}{float(f'{size / factor:.4g}'):g}{prefix}"


def slug(text: str) -> str:
    """Return a part of addresses and names of files: letters, digits, `_` and `-`.

    >>> slug("Fig. 3: road <NY>")
    'Fig-3-road-NY'
    """
    return re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-")[:80] or "x"


def name_of(axis: Axis) -> str:
    """Return an axis' label with its unit."""
    return f"{axis.label} ({axis.unit})" if axis.unit else axis.label


def shown(value: float | str | None, axis: Axis) -> bool:
    """Tell whether a value has a place on an axis."""
    if isinstance(value, str) or value is None:
        return value is not None and bool(axis.categories)
    return math.isfinite(value) and not (axis.log and value <= 0)


def points_of(chart: Chart, series: Series) -> list[int]:
    """Return the indices of a series' values that can be drawn."""
    pairs = zip(series.x, series.y, strict=True)
    return [i for i, (x, y) in enumerate(pairs) if shown(x, chart.x) and shown(y, chart.y)]


def marks_of(chart: Chart) -> list[Mark]:
    """Return the marks that can be drawn; one without a place on its axis is left out, as values are."""
    found = []
    for mark in chart.marks:
        places = [(value, axis) for value, axis in ((mark.x, chart.x), (mark.y, chart.y)) if value is not None]
        if len(places) + mark.diagonal == 1 and all(shown(value, axis) for value, axis in places):
            found.append(mark)
    return found


def legend_of(series: Series) -> str:
    """Return a series' name; that of the paper's says so."""
    return f"{series.name} (published)" if series.published and "published" not in series.name else series.name


def _range(values: Iterable[float | str | None], axis: Axis) -> str:
    found = [value for value in values if shown(value, axis)]
    if axis.categories:
        places = [name for name in axis.categories if name in set(found)]
        return ", ".join(places[:12]) + (f" and {len(places) - 12} more" if len(places) > 12 else "")
    numbers = [float(value) for value in found if value is not None]
    if min(numbers) == max(numbers):
        return text_of(numbers[0])
    return f"{text_of(min(numbers))} to {text_of(max(numbers))}"


def alt_of(chart: Chart) -> str:
    """Return what a chart shows in words: its own `alt`, or its title, axes and ranges.

    >>> line = Series("near_far", [1, 2], [3.0, 0.5])
    >>> alt_of(Chart("a", "Speed", Axis("delta"), Axis("time", "s"), [line]))
    'Speed. Horizontal: delta, 1 to 2. Vertical: time (s), 0.5 to 3. near_far: 2 values, 0.5 to 3.'
    """
    if chart.alt:
        return chart.alt
    drawn = [(series, points_of(chart, series)) for series in chart.series]
    drawn = [(series, points) for series, points in drawn if points]
    xs = [series.x[i] for series, points in drawn for i in points]
    ys = [series.y[i] for series, points in drawn for i in points]
    parts = [f"{chart.title.rstrip('.')}.", *_axis("Horizontal", chart.x, xs), *_axis("Vertical", chart.y, ys)]
    for series, points in drawn[:12]:
        values = "1 value" if len(points) == 1 else f"{len(points)} values"
        parts.append(f"{legend_of(series)}: {values}, {_range([series.y[i] for i in points], chart.y)}.")
    if len(drawn) > 12:
        parts.append(f"And {len(drawn) - 12} more series.")
    return " ".join(parts)


def _axis(where: str, axis: Axis, values: Iterable[float | str | None]) -> list[str]:
    parts = [name_of(axis), "logarithmic" if axis.log else "", _range(values, axis)]
    return [f"{where}: {', '.join(part for part in parts if part)}."]


def charts_of(page: Page) -> list[Chart]:
    """Return all charts of a page in their order."""
    found = [page.lead] if page.lead else []
    for section in page.sections:
        for element in section.elements:
            if isinstance(element, Chart):
                found.append(element)
            elif isinstance(element, Panels):
                found += element.charts
    return found


def tables_of(page: Page) -> list[Table]:
    """Return all tables of a page in their order."""
    return [element for section in page.sections for element in section.elements if isinstance(element, Table)]


def races_of(page: Page) -> list[Race]:
    """Return all races of a page in their order."""
    return [element for section in page.sections for element in section.elements if isinstance(element, Race)]
