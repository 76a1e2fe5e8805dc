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
    """Whether its arcs are turned round."""
    source: str | int = "hub"
    """The vertex to search from: an index, or "hub", the vertex with the most out-arcs."""
    group: str = ""
    """What the paper calls graphs of its kind, such as "Road Network"."""
    vary: Vary = field(default_factory=dict)
    """Values of variables; every combination is a graph, whose arguments of these names they are."""
    quick_vary: Vary = field(default_factory=dict)
    """Variables whose values --quick replaces."""
    tags: tuple[str, ...] = ()
    """Names that stand for this and other graphs."""
    full_only: bool = False
    """Whether --quick leaves it out."""
    own: bool = False
    """Whether the user named it on the command line."""


@dataclass(frozen=True, slots=True)
class Run:
    """A search to measure, or several."""

    name: str
    """What tables and charts call it."""
    method: str
    """A method, "peer:NAME" for another package, or "one_pass" for the limit that no search can beat."""
    delta: str | float | None = None
    """A number, or an expression in the graph's measures and the variables."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the method; "$name" is the value of a variable."""
    threads: int | Literal["all"] = "all"
    """How many threads; those of a counted run are 1 unless it says otherwise."""
    vary: Vary = field(default_factory=dict)
    """Values of variables; every combination is a search."""
    quick_vary: Vary = field(default_factory=dict)
    """Variables whose values --quick replaces."""
    counted: bool = False
    """Only the work counts: one search by one thread, which is not timed again."""
    trace: bool = False
    """Whether a row for each iteration is kept; it is not timed again."""
    fresh: bool = False
    """Also time the first search on a new copy of the graph, with all that is prepared in it."""
    parents: bool = False
    """Whether parents are searched too."""
    device: str | None = None
    """Where it runs; by default where the suite runs, if the method can."""
    device_delta: str | float | None = None
    """The width on other devices than the CPU, where it differs."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or one number of a summary."""

    title: str
    """Its heading."""
    value: str
    """An expression."""
    format: str = ""
    """How numbers are written, as Python's `format` takes it: ".3g", ",d"."""
    published: str = ""
    """A key of the published values, where it is not the title."""


@dataclass(frozen=True, slots=True)
class Show:
    """A table or a chart of an experiment."""

    kind: Literal["graphs", "records", "pivot", "summary", "distribution", "chart", "trace"]
    """A table of the `graphs`; of `records`, a row for each search; a `pivot`, one value by two names; a `summary`, a
    row for each run; a `distribution` of a value over classes; a `chart`; or the columns of a `trace`."""
    title: str
    """Its heading."""
    id: str
    """Its name on the page and in file names."""
    value: str = ""
    """An expression: what a pivot or a distribution shows."""
    columns: tuple[Column, ...] = ()
    """Of the tables of graphs and records, and of a summary."""
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
    """The graphs that are shown; all by default."""
    where: str = ""
    """A condition in the values of a search, such as "n >= 100000"; the searches for which it holds are shown."""
    bounds: tuple[float, ...] = ()
    """The classes of a distribution."""
    x: str = ""
    """An expression, or of a trace a column: what is drawn to the right."""
    y: str = ""
    """An expression: what is drawn upwards."""
    x_label: str = ""
    """What stands at the axis."""
    y_label: str = ""
    """What stands at the axis."""
    x_log: bool = False
    """Whether the axis is logarithmic."""
    y_log: bool = False
    """Whether the axis is logarithmic."""
    style: Literal["line", "step", "points", "bars", "area"] = "line"
    """How the values are drawn."""
    panel: str = ""
    """What the charts of a group of charts differ in; "" makes one chart."""
    marks: tuple[Mapping[str, Any], ...] = ()
    """Lines across a chart: `label`, and `x` or `y`, an expression, or `diagonal`."""
    format: str = ""
    """How numbers are written, as Python's `format` takes it."""
    caption: str = ""
    """What stands beneath."""
    published: tuple[Mapping[str, Any], ...] = ()
    """The paper's values: rows of a table by its columns' titles (`row` is the name of a row of a pivot or a summary,
    `counts` those of a distribution), or `series`, `x` and `y` of a chart."""
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
    """The observation, in a sentence."""
    value: str
    """An expression."""
    published: str
    """What the paper says."""
    aggregate: str = "mean"
    """As for shows; "growth" is the last value over the first, in the order of graphs and variables."""
    base: str | None = None
    """As for shows."""
    runs: tuple[str, ...] = ()
    """The runs it is about; by default all but the base."""
    graphs: tuple[str, ...] = ()
    """The graphs it is about; all by default."""
    where: str = ""
    """As for shows."""
    at_least: float | None = None
    """It is reproduced if the value is at least this."""
    at_most: float | None = None
    """It is reproduced if the value is at most this."""
    format: str = ""
    """How the value is written, as Python's `format` takes it."""
    full_only: bool = False
    """Whether it is about sizes that graphs do not have with --quick; then it is shown, but not judged."""
    remark: str = ""
    """Why it may differ here."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Searches on graphs, and what is shown of them."""

    id: str
    """Its name on the page and in file names."""
    title: str
    """Its heading."""
    graphs: tuple[str, ...]
    """Names or tags of graphs."""
    runs: tuple[Run, ...]
    """Its searches; none if it only shows graphs."""
    text: str = ""
    """What stands beneath its heading."""
    repeat: int = 3
    """How often a search that is timed runs; long ones run less often."""
    shows: tuple[Show, ...] = ()
    """Its tables and charts."""
    claims: tuple[Claim, ...] = ()
    """The observations of the paper that it tests."""
    own_graphs: bool = True
    """Whether it also makes sense on the user's own graphs."""
    measures: bool = False
    """Whether the graphs are measured as `pathfront info` does: diameter, components."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite of experiments."""

    name: str
    """Its name, of which that of the result file is made."""
    title: str
    """The heading of its page."""
    summary: str
    """What it measures, in a sentence."""
    graphs: Mapping[str, GraphSpec]
    """Its graphs by name, as tables [graphs.NAME]."""
    experiments: tuple[Experiment, ...]
    """What it measures and shows."""
    paper: str = ""
    """Where the published numbers are from."""
    hardware: str = ""
    """What the published numbers were measured on."""
    minutes: float = 20.0
    """About how long it takes on two cores, and the time after which no new search begins."""
    quick_minutes: float = 2.0
    """About how long it takes with --quick."""
    time_limit: float = 60.0
    """Seconds after which one search is given up."""
    quick_time_limit: float = 5.0
    """The same with --quick."""
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The suite as it was written, which results keep."""
