"""`pathfront trace`: methods on one graph, row by row."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output, searching, studies
from pathfront.cli.errors import CommandLineError
from pathfront.wording import choice_message

if TYPE_CHECKING:
    from pathfront.studies.racing import Run, Traced
    from pathfront.validation import Array

EPILOG = """\b
Examples:
  pathfront trace roads.gr --source 1 --methods near_far,adds,dijkstra
  pathfront trace roads.gr -s 1 --methods near_far,adds -o trace.html --read-option coordinates=roads.co
  pathfront generate road_like 20000 -o roads.pfg && pathfront trace roads.pfg -s 0 -m near_far,adds -o race.html
  pathfront trace web.mtx -s 1 --methods workfront_sweep,near_far -o trace.csv
A page shows the frontier, the work, the queues and the window of distances over time, and for a graph with coordinates
a race: which vertices each method has settled, with a slider over the time, the rows or the arcs relaxed (--by).
"""

_BARS = " ▁▂▃▄▅▆▇█"
_WIDTH = 24


def trace(
    graph_file: inputs.GraphFile,
    source: inputs.Source = None,
    methods: Annotated[
        str, typer.Option("--methods", "-m", metavar="NAMES", help="Methods, with commas: see 'pathfront methods'.")
    ] = "auto",
    device: searching.Device = "cpu",
    threads: inputs.Threads = None,
    delta: Annotated[
        str | None, typer.Option(metavar="X", help="Bucket width, for those of the methods that have one.")
    ] = None,
    time_limit: Annotated[
        str | None, typer.Option(metavar="S", help="Give a method up that takes more seconds than this.")
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="WHAT", help="What the race goes by: time (the default), rows or work.")
    ] = None,
    output_file: studies.OutputFile = None,
    by_index: inputs.ByIndex = False,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Show how methods go about a search, row by row.

    A row is an iteration; an asynchronous method has rows of time. Without --output: the totals, and the frontier as a
    line of bars.
    """
    kind = studies.check_output(output_file)
    if by is not None and by not in ("time", "rows", "work"):
        raise CommandLineError(choice_message("--by", by, ("time", "rows", "work")).rstrip("."))
    names = [name.strip() for name in methods.split(",")]
    width, limit = inputs.number(delta, "--delta"), inputs.number(time_limit, "--time-limit")
    from pathfront import methods as registry
    from pathfront.progress import progress_bar
    from pathfront.studies import racing

    for name in names:
        registry.get(name)
    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    start = inputs.source_vertex(graph, source)
    with progress_bar("searches", shown=not json) as progress:
        found = racing.trace(
            graph,
            start,
            names,
            device=device,
            threads=threads,
            delta=width,
            time_limit=limit,
            progress=progress,
        )
    found = studies.on_command_line(found, "runs")
    answer: dict[str, Any] = {"graph": output.outlined(graph, graph_file), "source": found.source, "device": device}
    answer["runs"] = [_answer(run, whole=kind == ".json" or json) for run in found.runs]
    if output_file is not None and kind is not None:
        studies.write(output_file, kind, partial(_page, found, graph_file, device, by), answer, lambda: _rows(found))
    if json:
        output.show_json(answer)
    elif output_file is None:
        output.show_table(_HEADER, [_row(run) for run in found.runs])
    searching.refuse_wrong(run.verified for run in found.runs)


def _page(found: Traced, file: str, device: str, by: str | None) -> Any:
    from pathfront.studies import pages

    if by is None or not found.has(by):
        by = "time" if found.has("time") else "work"
    facts = [*pages.graph_facts(found.graph, file, found.source), *studies.measured(device)]
    return pages.trace_page(found, studies.titled(file), facts, by)  # type: ignore[arg-type]


_HEADER = ("method", "time", "rows", "vertices", "arcs", "largest frontier", "frontier over time")


def _row(run: Run) -> tuple[str, ...]:
    if run.stats is None or run.trace is None:
        return (run.name, "-", "-", "-", "-", "-", run.failure)
    from pathfront.results import traces

    total = traces.summary(run.trace)
    return (
        run.name,
        studies.milliseconds(run.stats.seconds),
        studies.count(total["rows"]),
        studies.count(run.stats.vertices_processed),
        studies.count(run.stats.edges_relaxed),
        studies.count(total["largest_frontier"]),
        bars(run.trace),
    )


def bars(trace: Array) -> str:
    """Return the frontier over time as a line of bars; nothing where standard output cannot show them."""
    try:
        _BARS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ""
    import numpy as np

    from pathfront.results import traces

    values = traces.column(trace, "frontier")
    if values is None or not values.size:
        return ""
    at = traces.times(trace)
    at = np.arange(len(trace), dtype=np.float64) if at is None else np.maximum.accumulate(at)
    ends = np.linspace(at[0], at[-1], _WIDTH + 1)
    begins, stops = np.searchsorted(at, ends[:-1]), np.searchsorted(at, ends[1:], side="right")
    spans = zip(begins.tolist(), stops.tolist(), strict=True)  # a row that takes longer than a bar is in several
    means = np.array([np.nan_to_num(values[i : max(i + 1, j)]).mean() for i, j in spans])
    heights = np.ceil(means / max(means.max(), 1) * (len(_BARS) - 1)).astype(int)
    return "".join(_BARS[height] for height in heights)


def _answer(run: Run, *, whole: bool) -> dict[str, Any]:
    from dataclasses import asdict

    from pathfront.results import traces

    found: dict[str, Any] = {"method": run.name, "verified": run.verified, "failure": run.failure}
    found["stats"] = None if run.stats is None else asdict(run.stats)
    found["totals"] = None if run.trace is None else traces.summary(run.trace)
    if whole and run.trace is not None:
        found["trace"] = {name: run.trace[name].tolist() for name in run.trace.dtype.names or ()}
    return found


def _rows(found: Traced) -> list[dict[str, Any]]:
    rows = []
    for run in found.runs:
        if run.trace is not None:
            names = run.trace.dtype.names or ()
            rows += [{"method": run.name, **dict(zip(names, values, strict=True))} for values in run.trace.tolist()]
    return rows
