"""A page as HTML: one file that works offline, with its styles, its scripts and all data inside.

Text, tables and the frames of figures are written here, so that a reader without JavaScript has them; `page/` holds the
styles and scripts, which draw the charts as SVG and races on canvases when they come near the visible part. Names come
from results, which are not to be trusted: everything is escaped, the data of figures is JSON without `<`, the scripts
set text only as text, and the page's content security policy allows these scripts, by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from pathfront.report.checking import check
from pathfront.report.drawing import DARK, LIGHT, chart_data, colours_of
from pathfront.report.elements import Cell, Chart, Element, Note, Page, Panels, Race, Section, Table
from pathfront.report.numbers import alt_of, plain, slug, text_of
from pathfront.report.race import race_data

STYLES = ("page.css", "figures.css")
SCRIPTS = ("scales.js", "shapes.js", "chart.js", "hover.js", "numbers.js", "race.js", "page.js")

_LONG = 40
"""Rows from which on a table scrolls inside its box."""

_WRAPPED, _WIDE = 22, 60
"""Characters from which on an entry of a table may be broken into lines, and from which on it has a wide column."""

_NUMBER = re.compile(r"[<>~≈≤≥−+-]?\s*\d")
"""How a text begins that is aligned as numbers are."""

_MANY_BARS, _MANY_PLACES = 28, 12
"""Bars, and places on an axis, from which on a chart is not put beside another one."""

_BAR_ROW = 22
"""The height of a place on a vertical axis with categories, in CSS pixels."""


def to_html(page: Page) -> str:
    """Return a page as one self-contained HTML document.

    >>> from pathfront.report.elements import Axis, Chart, Note, Page, Section, Series
    >>> chart = Chart("speed", "Speed", Axis("delta"), Axis("time", "s"), [Series("adds", [1, 2], [0.5, 0.3])])
    >>> text = to_html(Page("Measured", "ADDS is fast.", [Section("all", "All", [chart, Note("That is all.")])]))
    >>> text[:15], "https://" in text
    ('<!doctype html>', False)
    """
    check(page)
    colours = colours_of(page)
    style, script = _styles(), _scripts()
    policy = (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return "".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="referrer" content="no-referrer">\n<meta name="generator" content="pathfront">\n',
            '<link rel="icon" href="data:,">\n',
            f"<title>{escape(page.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n",
            '<a class="skip" href="#page--content">Skip to the content</a>\n',
            *_header(page),
            '<div class="columns">\n',
            *_contents(page),
            '<main id="page--content">\n',
            *_summary(page, colours),
            *(piece for section in page.sections for piece in _section(section, colours)),
            *_measured(page),
            "</main>\n</div>\n",
            '<div id="page--tooltip" role="status" aria-live="polite" hidden></div>\n',
            f"<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


@functools.cache
def _styles() -> str:
    light = " ".join(f"--s{i}: light-dark({a}, {b});" for i, (a, b) in enumerate(zip(LIGHT, DARK, strict=True)))
    return f":root {{ {light} }}\n" + "".join(_data(name) for name in STYLES)


@functools.cache
def _scripts() -> str:
    return '"use strict";\n(() => {\n' + "".join(_data(name) for name in SCRIPTS) + "})();\n"


def _data(name: str) -> str:
    return resources.files("pathfront.report").joinpath("page", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")


def _header(page: Page) -> Iterator[str]:
    yield f'<header class="top"><h1 class="name">{escape(page.title)}</h1>'
    yield '<button type="button" id="page--theme" hidden><span aria-hidden="true"></span>Dark</button></header>\n'


def _contents(page: Page) -> Iterator[str]:
    """Links to all sections, and below a section to those that belong to it, else to its figures and tables."""
    yield '<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ol>\n'
    yield '<li><a href="#page--summary">Summary</a></li>\n'
    parts: list[tuple[Section, list[tuple[str, str]]]] = []
    for section in page.sections:
        if section.level == 1 or not parts:
            parts.append((section, []))
        else:
            parts[-1][1].append((section.id, section.title))
    for section, below in parts:
        yield f'<li><a href="#{slug(section.id)}">{escape(section.title)}</a>'
        titled = [(each.id, each.title) for each in section.elements if not isinstance(each, Note)]
        links = [f'<li><a href="#{slug(id)}">{escape(title)}</a></li>' for id, title in below or titled]
        yield f"<ol>{''.join(links)}</ol>" if len(links) > 1 or below else ""
        yield "</li>\n"
    if page.measured:
        yield '<li><a href="#page--measured">How it was measured</a></li>\n'
    yield "</ol></details></nav>\n"


def _summary(page: Page, colours: Mapping[str, int]) -> Iterator[str]:
    yield '<section class="summary" id="page--summary" aria-label="Summary">\n'
    yield f'<p class="found">{escape(page.summary)}</p>\n'
    yield '<noscript><p class="note problem">The figures of this page are drawn by JavaScript.</p></noscript>\n'
    if page.lead:
        yield from _chart(page.lead, colours, "h2", "lead")
    yield "</section>\n"


def _section(section: Section, colours: Mapping[str, int]) -> Iterator[str]:
    id, heading = slug(section.id), f"h{section.level + 1}"
    below = f"h{section.level + 2}"  # the headings of its elements
    yield f'<section id="{id}" class="level{section.level}" aria-labelledby="{id}--title">'
    yield f'<{heading} id="{id}--title" class="heading">{escape(section.title)}</{heading}>\n'
    yield from _paragraphs(section.text, "text")
    charts: list[Chart] = []
    for element in section.elements:
        if isinstance(element, Chart):
            charts.append(element)
            continue
        yield from _pairs(charts, colours, below)
        charts = []
        yield from _element(element, colours, below)
    yield from _pairs(charts, colours, below)
    yield "</section>\n"


def _pairs(charts: Sequence[Chart], colours: Mapping[str, int], heading: str) -> Iterator[str]:
    """Yield charts, two side by side where there is room; one with many bars or places, or left over, has it alone."""
    kinds: list[str] = []
    waiting = False  # for a neighbour
    for chart in charts:
        bars = sum(len(series.x) for series in chart.series if series.kind == "bars")
        if bars > _MANY_BARS or len(chart.x.categories) > _MANY_PLACES or len(chart.y.categories) > _MANY_PLACES:
            if waiting:
                kinds[-1] = "wide"
            kinds.append("wide")
            waiting = False
        else:
            kinds.append("")
            waiting = not waiting
    if waiting:
        kinds[-1] = "wide"
    pieces = (
        piece for chart, kind in zip(charts, kinds, strict=True) for piece in _chart(chart, colours, heading, kind)
    )
    if kinds:
        yield f'<div class="pairs">\n{"".join(pieces)}</div>\n'


def _measured(page: Page) -> Iterator[str]:
    if page.measured:
        yield '<section id="page--measured" aria-labelledby="page--measured-title">'
        yield '<h2 id="page--measured-title" class="heading">How it was measured</h2>\n<dl>\n'
        for name, fact in page.measured:
            yield f"<div><dt>{escape(name)}</dt><dd>{escape(fact)}</dd></div>\n"
        yield "</dl></section>\n"


def _element(element: Element, colours: Mapping[str, int], heading: str) -> Iterator[str]:
    if isinstance(element, Chart):
        yield from _chart(element, colours, heading, "")
    elif isinstance(element, Table):
        yield from _table(element, heading)
    elif isinstance(element, Panels):
        yield from _panels(element, colours, heading)
    elif isinstance(element, Race):
        yield from _race(element, heading)
    else:
        yield from _paragraphs(element.text, f"note {element.tone}")


def _paragraphs(text: str, kind: str) -> Iterator[str]:
    for part in text.split("\n\n"):
        if part.strip():
            yield f'<p class="{kind}">{escape(part.strip())}</p>\n'


def _caption(text: str) -> str:
    return f'<p class="caption">{escape(text)}</p>\n' if text else ""


def _json(data: Mapping[str, Any]) -> str:
    """JSON that ends no script element and begins no comment, whatever names it holds."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json">{text}</script>'


def _chart(chart: Chart, colours: Mapping[str, int], heading: str, kind: str) -> Iterator[str]:
    id = slug(chart.id)
    places = len(chart.y.categories)
    height = f' style="--rows: {places * _BAR_ROW + 76}px"' if places else ""
    label = escape(alt_of(chart))
    yield f'<figure class="chart {kind}" id="{id}" aria-labelledby="{id}--title"{height}>'
    yield f'<{heading} class="title" id="{id}--title">{escape(chart.title)}</{heading}>\n<div class="legend"></div>'
    yield '<div class="plot" tabindex="0" role="application" aria-roledescription="chart" '
    yield f'aria-label="{label}"></div>\n'
    yield _caption(chart.caption)
    yield '<details class="numbers"><summary>Show the numbers</summary></details>'
    yield f"{_json(chart_data(chart, colours))}</figure>\n"


def _panels(panels: Panels, colours: Mapping[str, int], heading: str) -> Iterator[str]:
    id = slug(panels.id)
    columns = " two" if len(panels.charts) in (2, 4) else ""
    yield f'<div class="panels" id="{id}" role="group" aria-labelledby="{id}--title">'
    yield f'<{heading} class="title" id="{id}--title">{escape(panels.title)}</{heading}>\n<div class="grid{columns}">\n'
    for chart in panels.charts:
        yield from _chart(chart, colours, f"h{int(heading[1]) + 1}", "panel")
    yield f"</div>{_caption(panels.caption)}</div>\n"


def _race(race: Race, heading: str) -> Iterator[str]:
    id = slug(race.id)
    names = ", ".join(runner.name for runner in race.runners)
    alt = race.alt or f"{race.title}. Maps of {len(race.x):,} vertices; which ones {names} have settled by a moment."
    yield f'<figure class="race" id="{id}" aria-labelledby="{id}--title">'
    yield f'<{heading} class="title" id="{id}--title">{escape(race.title)}</{heading}>\n'
    yield f'<div class="maps" role="img" aria-label="{escape(alt)}"></div><div class="controls"></div>\n'
    yield f"{_caption(race.caption)}{_json(race_data(race))}</figure>\n"


def _table(table: Table, heading: str) -> Iterator[str]:
    id = slug(table.id)
    long = " long" if len(table.rows) > _LONG else ""
    numeric = [_is_numeric(plain(row[i]) for row in table.rows) for i in range(len(table.columns))]
    yield f'<div class="table" id="{id}"><{heading} class="title" id="{id}--title">{escape(table.title)}</{heading}>\n'
    yield f'<div class="scroll{long}" role="region" tabindex="0" aria-labelledby="{id}--title"><table><thead><tr>'
    for column, number in zip(table.columns, numeric, strict=True):
        published = column in table.published_columns
        classes = _classes(number=number, published=published)
        yield f'<th scope="col"{classes}>{escape(column)}{_tag(published, column)}</th>'
    yield "</tr></thead>\n<tbody>\n"
    for i, row in enumerate(table.rows):
        published = i in table.published
        yield f"<tr{_classes(published=published)}>"
        for j, (column, cell) in enumerate(zip(table.columns, map(plain, row), strict=True)):
            text = text_of(cell, table.formats.get(column, ""))
            classes = _classes(number=numeric[j], published=column in table.published_columns, **_width(text))
            name, tag = ('th scope="row"', _tag(published, text)) if j == 0 else ("td", "")
            yield f"<{name}{classes}{_value(cell)}>{escape(text)}{tag}</{name[:2]}>"
        yield "</tr>\n"
    yield f"</tbody></table></div>{_caption(table.caption)}</div>\n"


def _tag(published: bool, text: str) -> str:
    return '<span class="tag">published</span>' if published and "published" not in text else ""


def _value(cell: Cell) -> str:
    """Return the number by which the page sorts a row, of which the text may have fewer digits."""
    return f' data-value="{cell!r}"' if _is_number(cell) else ""


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _is_numeric(cells: Iterable[Cell]) -> bool:
    """Tell whether most entries of a column are numbers, or begin with one."""
    found = [cell for cell in cells if cell is not None]
    like = [_is_number(cell) or bool(isinstance(cell, str) and _NUMBER.match(cell)) for cell in found]
    return any(map(_is_number, found)) and 2 * sum(like) > len(found)


def _width(text: str) -> dict[str, bool]:
    return {"wrapped": _WRAPPED < len(text) <= _WIDE, "wide": len(text) > _WIDE}


def _classes(**wanted: bool) -> str:
    names = [name for name, is_wanted in wanted.items() if is_wanted]
    return f' class="{" ".join(names)}"' if names else ""
