"""`pathfront verify`: a proof that distances are shortest, or a list of those that are not."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import REFUTED, CommandLineError

EPILOG = """\b
Examples:
  pathfront solve roads.gr --source 1 --output distances.pfd
  pathfront verify roads.gr distances.pfd
  pathfront verify roads.gr others.csv --source 1
Exit code 0: proved right. 1: refuted. 2: something else is wrong, such as a damaged file.
"""


def verify(
    graph_file: inputs.GraphFile,
    distances_file: Annotated[
        str,
        typer.Argument(
            metavar="DISTANCES",
            help=".pfd; or .npy, one distance per vertex; or .csv or .parquet with a column 'distance' and optionally "
            "'vertex' and 'parent', which hold vertices as the graph file calls them.",
        ),
    ],
    source: Annotated[
        str | None,
        typer.Option("--source", "-s", metavar="S", help="Source of the distances; a .pfd file records it."),
    ] = None,
    by_index: inputs.ByIndex = False,
    cutoff: Annotated[
        str | None,
        typer.Option(metavar="X", help="Distance up to which they are complete; a .pfd file records it."),
    ] = None,
    most: Annotated[int, inputs.whole_option("--most", help="Violations to describe.")] = 10,
    threads: inputs.Threads = None,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Prove or refute distances against a graph.

    That takes one pass over its arcs and no search. Where the file holds parents, they are checked to be a tree of
    shortest paths as well.
    """
    limit = inputs.number(cutoff, "--cutoff")
    from pathfront import certificate
    from pathfront.cli import results
    from pathfront.graph import index

    results.kind_of(distances_file, "DISTANCES", results.READERS)
    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    found = results.read(distances_file, graph, max_bytes)
    if found.source is not None:
        for name, value in (("--source", source), ("--cutoff", cutoff)):
            if value is not None:
                raise CommandLineError(f"{name} is given, but {distances_file} records its own; leave it out")
        start, limit = index(found.source), found.radius
    else:
        start = inputs.source_vertex(graph, source)
    verdict = certificate.verify(
        graph, found.distance, source=start, parent=found.parent, cutoff=limit, threads=threads, most=most
    )

    if json:
        files = {"graph": graph_file, "distances": distances_file}
        output.show_json({**files, "source": graph.name_of(start), "ok": verdict.ok, **asdict(verdict)})
    else:
        proved = "the distances and parents" if found.parent is not None else "the distances"
        print(f"verified: {proved} are shortest" if verdict else f"refuted, {verdict}")
    if not verdict:
        raise typer.Exit(REFUTED)
