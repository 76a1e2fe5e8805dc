"""What a suite of experiments consists of: graphs, experiments on them, their searches, and what is shown of these.

An experiment runs a few searches on a few graphs. A run names a method with its options, and may stand for many
searches: `vary` lists values of variables, which the width of buckets and the options may use. A graph may stand for
many graphs in the same way. Shows and claims say what the page has: tables and charts, and the published observations
that the measurements reproduce or do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Vary = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class GraphSpec:
    """A graph that a suite names, or a family of them."""

    name: str
    kind: str | None = None
    """A generator of `pathfront.generate`; beside a file or a dataset, what is used where that is not there."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Its arguments; "= 10 * n" is an expression in the variables of `vary`."""
    quick: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that --quick replaces."""
    file: str | None = None
    """A file of PATHFRONT_DATA, or a path."""
    dataset: str | None = None
    """A name of `pathfront datasets`; it is used if it has been downloaded."""
    weights: str | None = None
    """Weights to give to the graph of a file, as generators take them; those it has are replaced."""
    dtype: str | None = None
    """The type of these weights, if not what generators take."""
    simplified: bool = False
    """Whether of parallel arcs only the lightest is kept; those of files are simplified anyway."""
    dense: bool = False
    """Whether the graph is kept as an adjacency matrix."""
    reverse: bool = False
    source: str | int = "hub"
    """The vertex to search from: an index, or "hub", the vertex with the most out-arcs."""
    group: str = ""
    """What the paper calls graphs of its kind, such as "Road Network"."""
    vary: Vary = field(default_factory=dict)
    quick_vary: Vary = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    full_only: bool = False
    """Whether --quick leaves it out."""
    own: bool = False
    """Whether the user named it on the command line."""


@dataclass(frozen=True, slots=True)
class Run:
    """A search to measure, or several."""

    name: str
    method: str
    """A method, "peer:NAME" for another package, or "one_pass" for the limit that no search can beat."""
    delta: str | float | None = None
    """A number, or an expression in the graph's measures and the variables."""
    options: Mapping[str, Any] = field(default_factory=dict)
    threads: int | Literal["all"] = "all"
    vary: Vary = field(default_factory=dict)
    quick_vary: Vary = field(default_factory=dict)
    counted: bool = False
    """Only the work counts: one search by one thread, which is not timed again."""
    trace: bool = False
    fresh: bool = False
    """Also time the first search on a new copy of the graph, with all that is prepared in it."""
    parents: bool = False
    device: str | None = None
    """Where it runs; by default where the suite runs, if the method can."""
    device_delta: str | float | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or one number of a summary."""

    title: str
    value: str
    format: str = ""
    published: str = ""
    """A key of the published values, where it is not the title."""


@dataclass(frozen=True, slots=True)
class Show:
    """A table or a chart of an experiment."""

    kind: Literal["graphs", "records", "pivot", "summary", "distribution", "chart", "trace"]
    title: str
    id: str
    value: str = ""
    columns: tuple[Column, ...] = ()
    rows: str = "graph"
    """What the rows of a pivot are: a name such as "graph", "run", or a variable."""
    across: str = "run"
    """What its columns are, or the series of a chart."""
    aggregate: str = "mean"
    """How values of several graphs become one: mean, geomean, median, min, max; "" leaves the last row out."""
    base: str | None = None
    """The run that `base.` means in expressions; the search of that run on the same graph."""
    runs: tuple[str, ...] = ()
    """The runs that are shown; all by default."""
    graphs: tuple[str, ...] = ()
    where: str = ""
    """A condition in the values of a search, such as "n >= 100000"; the searches for which it holds are shown."""
    bounds: tuple[float, ...] = ()
    """The classes of a distribution."""
    x: str = ""
    y: str = ""
    x_label: str = ""
    y_label: str = ""
    x_log: bool = False
    y_log: bool = False
    style: Literal["line", "step", "points", "bars", "area"] = "line"
    panel: str = ""
    """What the charts of a group of charts differ in; "" makes one chart."""
    marks: tuple[Mapping[str, Any], ...] = ()
    format: str = ""
    caption: str = ""
    published: tuple[Mapping[str, Any], ...] = ()
    series: tuple[Mapping[str, str], ...] = ()
    """Of a trace, the columns that become series: `name` and `column`; `run` if only that run's, and `times` if its
    values are multiplied by an expression. Of a chart, several values instead of `y`: `name` and `y`."""
    relative: bool = False
    """Whether each series of a chart is divided by its least value."""
    lead: bool = False
    """Whether it is the chart at the head of the page."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An observation that a paper reports, and the test of whether it is reproduced."""

    text: str
    value: str
    published: str
    aggregate: str = "mean"
    """As for shows; "growth" is the last value over the first, in the order of graphs and variables."""
    base: str | None = None
    runs: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    where: str = ""
    """As for shows."""
    at_least: float | None = None
    at_most: float | None = None
    format: str = ""
    full_only: bool = False
    """Whether it is about sizes that graphs do not have with --quick; then it is shown, but not judged."""
    remark: str = ""
    """Why it may differ here."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Searches on graphs, and what is shown of them."""

    id: str
    title: str
    graphs: tuple[str, ...]
    runs: tuple[Run, ...]
    text: str = ""
    repeat: int = 3
    shows: tuple[Show, ...] = ()
    claims: tuple[Claim, ...] = ()
    own_graphs: bool = True
    """Whether it also makes sense on the user's own graphs."""
    measures: bool = False
    """Whether the graphs are measured as `pathfront info` does: diameter, components."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite of experiments."""

    name: str
    title: str
    summary: str
    graphs: Mapping[str, GraphSpec]
    experiments: tuple[Experiment, ...]
    paper: str = ""
    hardware: str = ""
    """What the published numbers were measured on."""
    minutes: float = 20.0
    """About how long it takes on two cores, and the time after which no new search begins."""
    quick_minutes: float = 2.0
    time_limit: float = 60.0
    """Seconds after which one search is given up."""
    quick_time_limit: float = 5.0
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The suite as it was written, which results keep."""
