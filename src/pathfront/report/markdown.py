"""A page as Markdown: its text, its tables, and each chart as a picture or as a table of values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pathfront.report.checking import check
from pathfront.report.elements import Chart, Element, Page, Panels, Race, Section, Series, Table
from pathfront.report.numbers import alt_of, legend_of, name_of, plain, points_of, slug, text_of

_MOST_ROWS = 40
"""Rows of a chart's table; of more values some at equal distances are shown."""


def to_markdown(page: Page, *, images: str = "", suffix: str = ".svg") -> str:
    """Return a page as Markdown; `images` is the folder, as seen from the text, in which `save_images` put pictures.

    >>> from pathfront.report.elements import Note
    >>> print(to_markdown(Page("Measured", "ADDS is fast.", [Section("all", "All", [Note("That is *all*.")])])))
    # Measured
    <BLANKLINE>
    **ADDS is fast.**
    <BLANKLINE>
    ## All
    <BLANKLINE>
    That is \\*all\\*.
    <BLANKLINE>
    """
    check(page)
    folder = f"{images.rstrip('/')}/" if images else ""
    writer = _Writer(folder, suffix)
    blocks = [f"# {escaped(page.title)}", f"**{escaped(page.summary)}**"]
    if page.lead:
        blocks += writer.chart(page.lead, "##")
    for section in page.sections:
        blocks += writer.section(section)
    if page.measured:
        rows = [[name, fact] for name, fact in page.measured]
        blocks += ["## How it was measured", grid(["", ""], rows)]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    """Return text in which nothing means anything to Markdown or HTML, on one line.

    >>> escaped("a|b <i>"), escaped("near_far * 2")
    ('a\\\\|b &lt;i&gt;', 'near\\\\_far \\\\* 2')
    """
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_\[\]|~!])", r"\\\1", text)
    text = re.sub(r"^(?=[#+-])", r"\\", text)
    return re.sub(r"^(\d+)(?=[.)](\s|$))", r"\1\\", text)


def grid(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool] = ()) -> str:
    """Return a table of texts; `right` says which columns are numbers."""
    ends = [":" if i < len(right) and right[i] else "" for i in range(len(columns))]
    lines = [list(map(escaped, columns)), [f"---{end}" for end in ends], *(list(map(escaped, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


class _Writer:
    def __init__(self, images: str, suffix: str) -> None:
        self._images = images
        self._suffix = suffix

    def section(self, section: Section) -> Iterator[str]:
        yield f"#{'#' * section.level} {escaped(section.title)}"
        yield from _paragraphs(section.text)
        for element in section.elements:
            yield from self._element(element)

    def _element(self, element: Element) -> Iterator[str]:
        if isinstance(element, Chart):
            yield from self.chart(element, "###")
        elif isinstance(element, Table):
            yield from _table(element)
        elif isinstance(element, Panels):
            yield f"### {escaped(element.title)}"
            for chart in element.charts:
                yield from self.chart(chart, "####")
            yield from _paragraphs(element.caption)
        elif isinstance(element, Race):
            yield from self._race(element)
        else:
            sign = {"plain": "", "remark": "> ", "problem": "> **Problem:** "}[element.tone]
            yield from (sign + paragraph for paragraph in _paragraphs(element.text))

    def chart(self, chart: Chart, heading: str) -> Iterator[str]:
        yield f"{heading} {escaped(chart.title)}"
        if self._images:
            yield f"![{escaped(alt_of(chart))}]({self._images}{slug(chart.id)}{self._suffix})"
        else:
            yield values_of(chart)
        yield from _paragraphs(chart.caption)

    def _race(self, race: Race) -> Iterator[str]:
        yield f"### {escaped(race.title)}"
        if self._images:
            yield f"![{escaped(race.alt or race.title)}]({self._images}{slug(race.id)}{self._suffix})"
        yield from _paragraphs(race.caption)


def _paragraphs(text: str) -> Iterator[str]:
    return (escaped(part) for part in text.split("\n\n") if part.strip())


def _table(table: Table) -> Iterator[str]:
    yield f"### {escaped(table.title)}"
    yield cells_of(table)
    yield from _paragraphs(table.caption)


def cells_of(table: Table) -> str:
    """Return a table without its title."""
    columns = [name + _tag(name) if name in table.published_columns else name for name in table.columns]
    formats: Mapping[str, str] = table.formats
    rows = [
        [text_of(cell, formats.get(name, "")) for name, cell in zip(table.columns, row, strict=True)]
        for row in table.rows
    ]
    for i in table.published & set(range(len(rows))):
        rows[i][0] += _tag(rows[i][0])
    numeric = [any(isinstance(plain(row[j]), int | float) for row in table.rows) for j in range(len(table.columns))]
    return grid(columns, rows, numeric)


def _tag(name: str) -> str:
    return "" if "published" in name else " (published)"


def values_of(chart: Chart) -> str:
    """Return a table of a chart's values: a row for each place and a column for each series, if they share places."""
    drawn = [(series, _some(points_of(chart, series))) for series in chart.series]
    places = list(dict.fromkeys(series.x[i] for series, points in drawn for i in points))
    most = max(len(points) for _, points in drawn)
    shared = all(len({series.x[i] for i in points}) == len(points) for series, points in drawn)
    if shared and len(places) <= 1.5 * most:
        return _by_place(chart, drawn, places)
    rows = [
        [legend_of(series), text_of(series.x[i]), text_of(series.y[i])]
        for series, points in drawn
        for i in points[: max(3, _MOST_ROWS // len(drawn))]
    ]
    return grid(["series", name_of(chart.x), name_of(chart.y)], rows, [False, True, True])


def _by_place(chart: Chart, drawn: list[tuple[Series, list[int]]], places: list[float | str]) -> str:
    if not chart.x.categories:
        places.sort()
    found = [{series.x[i]: series.y[i] for i in points} for series, points in drawn]
    rows = [[text_of(place), *(text_of(values.get(place)) for values in found)] for place in places]
    columns = [name_of(chart.x), *(f"{legend_of(series)}, {name_of(chart.y)}" for series, _ in drawn)]
    return grid(columns, rows, [True] * len(columns))


def _some(points: list[int]) -> list[int]:
    step = -(-len(points) // _MOST_ROWS)
    return points if step <= 1 else points[::step]
