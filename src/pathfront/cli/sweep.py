"""`pathfront sweep`: one's own delta sweep."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output, searching, studies
from pathfront.cli.errors import CommandLineError
from pathfront.wording import shown

if TYPE_CHECKING:
    from pathfront.studies.sweeping import Setting, Sweep

EPILOG = """\b
Examples:
  pathfront sweep roads.gr --source 1
  pathfront sweep roads.gr -s 1 --method near_far --delta 64:65536:2 -o sweep.html
  pathfront sweep roads.gr -s 1 --method adds --delta 100,1000,10000 --option adaptive=false
  pathfront sweep web.mtx -s 1 --method near_far --device cuda --json
Every answer is compared with that of Dijkstra's method; a wrong one has no time.
MTEPS are millions of arcs per second: those of the vertices that were reached, whatever the method did.
"""

_LISTED = "FROM:TO:FACTOR or a list with commas"


def sweep(
    graph_file: inputs.GraphFile,
    source: inputs.Source = None,
    method: searching.Method = "delta_stepping",
    delta: Annotated[
        str | None,
        typer.Option(metavar="WIDTHS", help=f"{_LISTED}; by default 1/32 to 32 times the default width."),
    ] = None,
    device: searching.Device = "cpu",
    threads: inputs.Threads = None,
    option: searching.Options = None,
    rounds: studies.Rounds = 3,
    seconds: studies.Seconds = 60.0,
    output_file: studies.OutputFile = None,
    by_index: inputs.ByIndex = False,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Try a method with several widths of its buckets.

    A table of time, iterations and work for each width, with the method's default and the best marked.
    """
    kind = studies.check_output(output_file)
    widths = None if delta is None else as_widths(delta)
    options = searching.method_options(option, method)
    from pathfront.progress import progress_bar
    from pathfront.studies import pages
    from pathfront.studies.sweeping import sweep as run

    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    start = inputs.source_vertex(graph, source)
    with progress_bar("searches", shown=not json) as progress:
        found = run(
            graph,
            start,
            method=method,
            deltas=widths,
            device=device,
            threads=threads,
            rounds=rounds,
            seconds=seconds,
            progress=progress,
            **options,
        )
    found = studies.on_command_line(found, "settings")
    answer = {"graph": output.outlined(graph, graph_file), **_answer(found)}
    if output_file is not None and kind is not None:
        facts = [*pages.graph_facts(graph, graph_file, found.source), *studies.measured(found.device)]
        page = partial(pages.sweep_page, found, studies.titled(graph_file), facts)
        studies.write(output_file, kind, page, answer, lambda: answer["settings"])
    if json:
        output.show_json(answer)
    else:
        output.show_table(_HEADER, [_row(each) for each in found.settings])
    searching.refuse_wrong(each.verified for each in found.settings)


def as_widths(text: str) -> list[float]:
    """Return the widths of FROM:TO:FACTOR, or of a list with commas."""
    from pathfront.exceptions import ArgumentError
    from pathfront.studies.sweeping import geometric

    parts = text.split(":")
    if len(parts) == 1:
        return [float(inputs.as_number(part.strip(), "--delta")) for part in text.split(",")]
    if len(parts) not in (2, 3):
        raise CommandLineError(f"--delta is {shown(text)}, but it must be {_LISTED}")
    numbers = [float(inputs.as_number(part, "--delta")) for part in parts]
    first, last, factor = [*numbers, 2.0][:3]
    try:
        return geometric(first, last, factor)
    except ArgumentError as error:
        raise CommandLineError(f"--delta is {shown(text)}: {str(error).rstrip('.')}") from None


_HEADER = ("delta", "used", "time", "iterations", "vertices", "arcs", "MTEPS", "")


def _row(setting: Setting) -> tuple[str, ...]:
    stats = setting.stats
    words = [word for word, holds in (("default", setting.is_default), ("best", setting.is_best)) if holds]
    return (
        "-" if setting.delta is None else f"{setting.delta:g}",
        "-" if stats is None or stats.delta is None else f"{stats.delta:g}",
        studies.milliseconds(setting.best),
        studies.count(None if stats is None else stats.iterations),
        studies.count(None if stats is None else stats.vertices_processed),
        studies.count(None if stats is None else stats.edges_relaxed),
        "-" if setting.mteps is None else f"{setting.mteps:.3g}",
        ", ".join([*words, *filter(None, [setting.failure])]),
    )


def _answer(found: Sweep) -> dict[str, Any]:
    return {
        "source": found.source,
        "method": found.method,
        "device": found.device,
        "settings": [each.to_dict() for each in found.settings],
    }
