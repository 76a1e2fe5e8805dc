"""`pathfront solve`: the shortest paths from one vertex."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output, searching
from pathfront.cli.errors import REFUTED, CommandLineError, naming_file
from pathfront.wording import shown

if TYPE_CHECKING:
    from pathfront.certificate import Verdict
    from pathfront.graph import Index
    from pathfront.paths import ShortestPaths

_TARGETS_SHOWN = 10

EPILOG = """\b
Examples:
  pathfront solve roads.gr --source 1
  pathfront solve roads.gr.gz -s 1 --path-to 4711 --verify
  pathfront solve wiki.txt -s 8297 --cutoff 3 --output near.csv
  pathfront solve roads.gr -s 1 --target 17 --target 99 --json
  pathfront solve roads.gr -s 1 -s 17 --path-to 99
  zcat roads.gr.gz | pathfront solve - -s 1 --output distances.pfd
  pathfront solve roads.gr -s 1 --output - --output-format csv | head
  pathfront solve roads.csv -s Rome --path-to Anzio --read-option weight=km
MTEPS are millions of arcs per second: those of the vertices that were reached, whatever the method did.
"""


def solve(
    graph_file: inputs.GraphFile,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            "-s",
            metavar="S",
            help="Vertex to start from, by default the one the file names; repeatable: a search from each.",
        ),
    ] = None,
    method: searching.Method = "auto",
    device: searching.Device = "cpu",
    threads: inputs.Threads = None,
    delta: searching.Delta = None,
    cutoff: searching.Cutoff = None,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="T", help="Stop when this vertex is final; repeatable: when all of them are."),
    ] = None,
    path_to: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Show a shortest path to this vertex; repeatable.")
    ] = None,
    time_limit: Annotated[str | None, typer.Option(metavar="S", help="Fail after this many seconds.")] = None,
    by_index: inputs.ByIndex = False,
    output_file: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the distances: .npy, .csv, .parquet, .arrows, .pfd; - with --output-format to standard output.",
        ),
    ] = None,
    output_format: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="npy, csv, parquet, arrow (a stream) or pfd; by default by the name."),
    ] = None,
    no_parents: Annotated[bool, typer.Option("--no-parents", help="Keep distances only, not the tree.")] = False,
    trace: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write one row per iteration: .csv or .npy.")
    ] = None,
    option: searching.Options = None,
    verify: Annotated[bool, typer.Option("--verify", help="Verify the answer; exit code 1 if it is wrong.")] = False,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Find the shortest paths from one vertex to all others.

    A vertex is what the file calls it, its number or its name: DIMACS, METIS, Matrix Market and PACE files count from
    1. With --by-index vertices are positions from 0.
    """
    _check(path_to, no_parents, output_file, output_format, trace, json=json)
    _check_several(source, output_file, trace)
    options = searching.method_options(option, method) | {"parents": not no_parents, "trace": trace is not None}
    for name, text in (("delta", delta), ("cutoff", cutoff), ("time_limit", time_limit)):
        options[name] = inputs.number(text, "--" + name.replace("_", "-"))
    from pathfront import api

    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    starts = [inputs.source_vertex(graph, text) for text in source or (None,)]
    targets = [inputs.vertex(graph, text, "--target") for text in target or []]
    ends = [inputs.vertex(graph, text, "--path-to") for text in path_to or []]
    answers, refuted = [], False
    for i, start in enumerate(starts):
        paths = api.shortest_paths(
            graph, start, method=method, device=device, threads=threads, targets=targets or None, **options
        )
        answer = summary(paths, graph_file, targets, ends)
        verdict = _prove(paths, answer) if verify else None
        _write(paths, output_file, output_format, trace, answer)
        answers.append(answer)
        refuted |= verdict is not None and not verdict
        if not json:
            lines = [*([("", "")] if i else []), *facts(paths, answer, asked=method), *_written(answer, verdict)]
            output.show_facts(lines, file=sys.stderr if output_file == "-" else sys.stdout)
    if json:
        output.show_json({"searches": answers} if len(answers) > 1 else answers[0])
    if refuted:
        raise typer.Exit(REFUTED)


def _check_several(source: list[str] | None, output_file: str | None, trace: str | None) -> None:
    for name, file in (("--output", output_file), ("--trace", trace)):
        if file is not None and len(source or []) > 1:
            raise CommandLineError(
                f"{name} takes the answer of one search, but --source is given {len(source or [])} times; "
                "use 'pathfront matrix' or 'pathfront nearest', or give one"
            )


def _check(
    path_to: list[str] | None,
    no_parents: bool,
    output_file: str | None,
    output_format: str | None,
    trace: str | None,
    *,
    json: bool,
) -> None:
    """Raise errors about the output before the search."""
    if path_to and no_parents:
        raise CommandLineError("--path-to needs parents; leave --no-parents out")
    from pathfront.cli import results

    if output_file is not None:
        results.writer_of(output_file, output_format)
    elif output_format is not None:
        raise CommandLineError("--output-format is given, but no --output; give one, - for standard output")
    if output_file == "-" and json:
        raise CommandLineError("--json and --output - both write to standard output; give --output a file")
    if trace is not None:
        results.kind_of(trace, "--trace", (".csv", ".npy"))
        if output_file is not None and os.path.realpath(trace) == os.path.realpath(output_file):
            raise CommandLineError(f"--output and --trace are both {shown(trace)}; give each a file of its own")


def summary(paths: ShortestPaths, file: str, targets: Sequence[Index], ends: Sequence[Index]) -> dict[str, Any]:
    """Return an answer in the form that `--json` prints."""
    from pathfront.graph import index

    graph, found = paths.graph, paths.summary()
    answer: dict[str, Any] = {
        "graph": output.outlined(graph, file),
        "source": _reached_vertex(paths, index(paths.graph.vertex(paths.source))),
        **asdict(paths.stats),
        "mteps": paths.mteps(),
        "reached": found.reached,
        "mean_distance": found.mean,
        "radius": found.radius,
        "farthest": _reached_vertex(paths, index(graph.vertex(found.farthest))),
    }
    if targets:
        answer["targets"] = [_reached_vertex(paths, vertex) for vertex in targets]
    if ends:
        answer["paths"] = [
            {
                "target": graph.name_of(end),
                "distance": paths.distance_to(end),
                "vertices": paths.path_to(end).tolist(),
            }
            for end in ends
        ]
    return answer


def _reached_vertex(paths: ShortestPaths, vertex: Index) -> dict[str, Any]:
    distance = paths.distance_to(vertex) if paths.distance[vertex] != paths.unreached else None
    return {"vertex": paths.graph.name_of(vertex), "index": int(vertex), "distance": distance}


def facts(paths: ShortestPaths, answer: dict[str, Any], *, asked: str) -> output.Facts:
    """Return a summary as lines of text."""
    graph, stats = paths.graph, paths.stats
    said = stats.reason if asked != "auto" else f"chosen: {stats.reason}"
    share = answer["reached"] / graph.n
    lines = [
        ("graph", f"{answer['graph']['file']}: {output.outline(graph)}"),
        ("source", str(paths.source)),
        ("method", f"{stats.method} ({said})"),
        ("ran on", f"{stats.device}, {output.counted(stats.threads, 'thread')}"),
        ("time", f"{output.seconds(stats.seconds)}, {answer['mteps']:.3g} MTEPS"),
        ("reached", f"{answer['reached']:,} of {output.counted(graph.n, 'vertex')} ({share:.1%})"),
        ("farthest", f"{_at(answer['farthest'])}, mean {answer['mean_distance']:.6g}"),
    ]
    if stats.delta is not None:
        lines.insert(4, ("delta", f"{stats.delta:g}"))
    if paths.radius is not None:
        lines.append(("complete to", f"distance {paths.radius}"))
    lines += [("target", _at(target)) for target in answer.get("targets", [])[:_TARGETS_SHOWN]]
    if len(answer.get("targets", [])) > _TARGETS_SHOWN:
        lines.append(("", f"... {len(answer['targets']) - _TARGETS_SHOWN} more targets, all in --json"))
    for path in answer.get("paths", []):
        vertices = paths.path_to(path["target"])
        lines.append(("path", output.path_text(vertices)))
        lines.append(("", f"{output.counted(vertices.size, 'vertex')}, distance {path['distance']}"))
    return lines


def _at(target: dict[str, Any]) -> str:
    where = "unreached" if target["distance"] is None else f"at distance {target['distance']}"
    return f"vertex {target['vertex']} {where}"


def _prove(paths: ShortestPaths, answer: dict[str, Any]) -> Verdict:
    from pathfront.certificate import verify

    verdict = verify(paths.graph, paths)
    answer["verified"] = verdict.ok
    answer["violations"] = [violation.message for violation in verdict.violations]
    return verdict


def _write(
    paths: ShortestPaths, output_file: str | None, kind: str | None, trace: str | None, answer: dict[str, Any]
) -> None:
    from pathfront.cli import results

    if output_file is not None:
        results.write(paths, output_file, kind)
        answer["output"] = output_file
    if trace is not None:
        rows = paths.trace
        with naming_file(trace):
            if results.kind_of(trace, "--trace", (".csv", ".npy")) == ".npy":
                results.write_array(rows, trace)
            else:
                results.write_rows({name: rows[name] for name in rows.dtype.names or ()}, trace)
        answer["trace"] = trace


def _written(answer: dict[str, Any], verdict: Verdict | None) -> output.Facts:
    files = [answer[name] for name in ("output", "trace") if name in answer]
    lines = [("wrote", "standard output" if file == "-" else file) for file in files]
    if verdict is not None:
        first, *more = str(verdict).splitlines()
        lines += [("verified", "yes" if verdict else f"NO: {first}"), *(("", line.strip()) for line in more)]
    return lines
