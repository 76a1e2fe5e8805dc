"""`pathfront explain`: what a graph looks like, what `auto` takes and why, and how the alternatives fare."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output, searching, studies
from pathfront.cli.spelling import on_command_line

if TYPE_CHECKING:
    from pathfront.studies.explaining import Alternative, Explanation

EPILOG = """\b
Examples:
  pathfront explain roads.gr
  pathfront explain roads.gr --source 1 --seconds 60
  pathfront explain web.mtx --quick
  pathfront explain web.mtx --device emulated --json
Every answer is compared with that of Dijkstra's method; a wrong one has no time. Times are taken in turns.
MTEPS are millions of arcs per second: those of the vertices that were reached, whatever the method did.
"""


def explain(
    graph_file: inputs.GraphFile,
    source: Annotated[
        str | None,
        typer.Option("--source", "-s", metavar="S", help="By default the file's, or the vertex of most out-arcs."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Time nothing.")] = False,
    device: searching.Device = "cpu",
    threads: inputs.Threads = None,
    rounds: studies.Rounds = 3,
    seconds: studies.Seconds = 20.0,
    output_file: studies.OutputFile = None,
    by_index: inputs.ByIndex = False,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Say which method suits a graph and why, and how others fare.

    What the graph looks like, and what auto takes. Each method that applies is tried and timed, in turns with the
    others, within --seconds.
    """
    kind = studies.check_output(output_file)
    from pathfront.progress import progress_bar
    from pathfront.studies import explain_page, pages
    from pathfront.studies.explaining import explain as run

    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    named = source is not None or graph.default_source is not None
    start = inputs.source_vertex(graph, source) if named else None
    with progress_bar("searches", shown=not json) as progress:
        found = run(
            graph,
            start,
            device=device,
            threads=threads,
            quick=quick,
            rounds=rounds,
            seconds=seconds,
            progress=progress,
        )
    found = replace(found, alternatives=tuple(map(_reworded, found.alternatives)))
    answer: dict[str, Any] = {"graph": output.outlined(graph, graph_file), **found.to_dict()}
    if output_file is not None and kind is not None:
        facts = [*pages.graph_facts(graph, graph_file, found.source), *studies.measured(found.device)]
        studies.write(
            output_file,
            kind,
            lambda: explain_page.explain_page(found, studies.titled(graph_file), facts),
            answer,
            lambda: answer["alternatives"],
        )
    if json:
        output.show_json(answer)
    else:
        output.show_facts([("graph", f"{graph_file}: {output.outline(graph)}"), *explain_page.words(found)])
        print()
        output.show_table(*(_times(found) if not quick else _applying(found)))
    searching.refuse_wrong(each.timed.verified for each in found.alternatives if each.timed is not None)


def _reworded(each: Alternative) -> Alternative:
    """Return an alternative whose reasons name options and commands."""
    timed = each.timed and replace(each.timed, failure=on_command_line(each.timed.failure))
    return replace(each, why_not=on_command_line(each.why_not), timed=timed)


def _times(found: Explanation) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    taken = next((each.timed for each in found.alternatives if each.method == found.method), None)
    base = None if taken is None else taken.best
    header = ("method", "time", "of auto's", "MTEPS", "iterations", "vertices", "arcs", "")
    return header, [_timed_row(each, base, found.method) for each in found.alternatives]


def _timed_row(each: Alternative, base: float | None, chosen: str) -> tuple[str, ...]:
    timed = each.timed
    if timed is None or timed.best is None or timed.stats is None:
        why = each.why_not or (timed.failure if timed is not None else "")
        return (each.method, *("-",) * 6, why)
    return (
        each.method,
        studies.milliseconds(timed.best),
        "-" if base is None else f"{timed.best / base:.3g}",
        "-" if timed.mteps is None else f"{timed.mteps:.3g}",
        studies.count(timed.stats.iterations),
        studies.count(timed.stats.vertices_processed),
        studies.count(timed.stats.edges_relaxed),
        "taken by auto" if each.method == chosen else "",
    )


def _applying(found: Explanation) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    rows: list[tuple[str, ...]] = [
        (each.method, f"no: {each.why_not}" if each.why_not else "yes", each.summary) for each in found.alternatives
    ]
    return ("method", "applies", "what it does"), rows
