"""What a page consists of: sections of text, tables and charts, without any form of output.

Whoever shows results builds these; `html.py`, `markdown.py`, `csv.py` and `images.py` write them. A chart or a table
without a single value is an error where it is written, not an empty picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from numpy.typing import NDArray

Cell = str | int | float | bool | None
"""A table's entry; None is shown as a dash."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a chart."""

    label: str
    unit: str = ""
    log: bool = False
    """Whether the scale is logarithmic; values of 0 or less are then left out."""
    categories: Sequence[str] = ()
    """The names of places on the axis; then the series' values on it are these names."""


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one name in a chart."""

    name: str
    x: Sequence[float | str]
    y: Sequence[float | None]
    kind: Literal["line", "step", "points", "bars", "area"] = "line"
    published: bool = False
    """Whether the values are those of the paper; they are drawn in another style, and the legend says so."""
    labels: Sequence[str] = ()
    """What the tooltip of each value says besides its numbers, such as the graph's name."""
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()
    """The range of the repetitions around each value, drawn as a thin line."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across a chart, such as a heuristic's choice or equality."""

    label: str
    x: float | None = None
    y: float | None = None
    diagonal: bool = False
    """The line on which both coordinates are equal; then there are no coordinates."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of one or more series."""

    id: str
    """Unique on the page; part of file names."""
    title: str
    x: Axis
    y: Axis
    series: Sequence[Series]
    marks: Sequence[Mark] = ()
    caption: str = ""
    alt: str = ""
    """What the chart shows, for those who cannot see it; by default made of its title and ranges."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table."""

    id: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    published: frozenset[int] = frozenset()
    """The indices of rows that hold the paper's numbers."""
    formats: Mapping[str, str] = field(default_factory=dict)
    """The format of a column's numbers, as `format()` takes it; by default four significant digits."""
    published_columns: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Panels:
    """Charts of one kind side by side, such as one figure for each of several graphs."""

    id: str
    title: str
    charts: Sequence[Chart]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph; `tone` "problem" stands out, for what failed or is missing."""

    text: str
    tone: Literal["plain", "remark", "problem"] = "plain"


@dataclass(frozen=True, slots=True)
class Runner:
    """A method in a race: when it was done with each vertex."""

    name: str
    settled: Sequence[float] | NDArray[Any]
    """For each vertex the moment at which it was settled, in the unit of the race's axis; NaN if it never was."""
    facts: str = ""
    """What stands beneath the name, such as the number of iterations."""


@dataclass(frozen=True, slots=True)
class Race:
    """Methods on one graph, drawn on the map of its vertices, with a slider over the moments.

    Pages keep coordinates in 16 bits and a runner's moments in 8, as steps between its first and its last one, exact
    where there are at most 255 different ones: a quarter of a million vertices and four runners take 3 MB.
    """

    id: str
    title: str
    x: Sequence[float] | NDArray[Any]
    """The vertices' coordinates, of any unit, the same for both; y points upwards."""
    y: Sequence[float] | NDArray[Any]
    runners: Sequence[Runner]
    axis: Axis = Axis("time", "s")
    """What the slider moves along, from 0 on."""
    caption: str = ""
    alt: str = ""


Element = Chart | Table | Panels | Note | Race


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page with a heading."""

    id: str
    title: str
    elements: Sequence[Element]
    text: str = ""
    level: Literal[1, 2] = 1
    """2 for a section that belongs to the last one of level 1 before it, such as one figure of a paper."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the summary first, then its sections, then how it was measured."""

    title: str
    summary: str
    """One sentence that says what was found."""
    sections: Sequence[Section]
    lead: Chart | None = None
    """The one chart beneath the summary."""
    measured: Sequence[tuple[str, str]] = ()
    """How it was measured: facts, such as the machine and the versions."""
