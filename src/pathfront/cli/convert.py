"""`pathfront convert`: a graph from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import CommandLineError, naming_file, naming_option, print_stderr, printable, spelling

if TYPE_CHECKING:
    from pathfront.graph import Graph

EPILOG = """\b
Examples:
  pathfront convert roads.gr roads.gr.zst
  pathfront convert roads.gr small.gr --simplify --reverse
  pathfront convert map.tw map.gr --weights int:1:100 --seed 7
  pathfront convert roads.gr - --to dimacs | head
"""

To = Annotated[str | None, inputs.format_option("--to", "Format to write", "detected from the name")]
Lossy = Annotated[bool, typer.Option("--lossy", help="Leave out what the format cannot hold.")]
WriteOptions = Annotated[list[str] | None, inputs.pairs_option("--write-option", "Option of the format written")]


def convert(
    graph_file: Annotated[str, typer.Argument(metavar="IN", help="Graph file, or - for standard input.")],
    out: Annotated[str, typer.Argument(metavar="OUT", help="File to write, or - for standard output.")],
    from_: Annotated[str | None, inputs.format_option("--from", "Format of IN", "from its contents")] = None,
    to: To = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    write_option: WriteOptions = None,
    coordinates: Annotated[
        str | None, typer.Option(metavar="FILE", help="Attach the coordinates of a DIMACS .co file.")
    ] = None,
    simplify: Annotated[
        bool, typer.Option("--simplify", help="Drop loops, and all but the lightest of parallel arcs.")
    ] = False,
    reverse: Annotated[bool, typer.Option("--reverse", help="Reverse every arc.")] = False,
    weights: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Make new weights: int:LOW:HIGH, float:LOW:HIGH, unit, coordinates, ..."),
    ] = None,
    seed: Annotated[int | None, inputs.whole_option("--seed", help="Seed of the new weights.")] = None,
    drop_weights: Annotated[bool, typer.Option("--drop-weights", help="Drop weights: distances count arcs.")] = False,
    drop_labels: Annotated[bool, typer.Option("--drop-labels", help="Drop the labels of vertices.")] = False,
    drop_coordinates: Annotated[bool, typer.Option("--drop-coordinates", help="Drop the coordinates.")] = False,
    lossy: Lossy = False,
) -> None:
    """Write a graph in another format, changed if asked.

    Compression follows from the name: .gz, .xz or .zst. OUT is replaced only when the new file is complete. What a
    format cannot hold (see 'pathfront formats') is an error that says so; with --lossy the graph is written without.
    """
    for name, given, dropped in (("weights", weights, drop_weights), ("coordinates", coordinates, drop_coordinates)):
        if given is not None and dropped:
            raise CommandLineError(f"--{name} and --drop-{name} contradict each other; give one of them")
    if seed is not None and weights is None:
        raise CommandLineError("--seed is for new weights; give --weights as well, or leave it out")
    from pathfront import formats, generate

    require_format(to)
    with spelling(format="--from"):
        graph = inputs.read_graph(graph_file, from_, read_option, max_bytes)
    if coordinates is not None:
        with naming_file(coordinates):
            graph = graph.with_coordinates(formats.read_coordinates(coordinates, max_bytes=max_bytes))
    if drop_weights:
        graph = graph.with_weights(None)
    if weights is not None:
        graph = generate.weigh(graph, weights, seed=seed or 0)
    if reverse:
        graph = graph.reverse()
    if simplify:
        graph = graph.simplified()
    if drop_labels:
        graph = graph.with_labels(None)
    if drop_coordinates:
        graph = graph.with_coordinates(None)
    write_graph(graph, out, to, write_option, weights, lossy=lossy)


def require_format(name: str | None) -> None:
    """Refuse an unknown format before any work is done."""
    from pathfront import formats

    if name is not None:
        with spelling(format="--to"):
            formats.get(name)


def write_graph(
    graph: Graph,
    file: str,
    format: str | None,
    options: list[str] | None,
    weights: str | None = None,
    *,
    lossy: bool,
    note: str = "",
) -> None:
    """Write a graph and report it, on standard error if the graph itself goes to standard output.

    `weights` is how they were asked for: "unit" becomes weights of 1 where the format needs some. `note` is added to
    the report.
    """
    values = inputs.named_values(options, "--write-option")
    from pathfront import formats, generate

    with spelling(format="--to"):
        if weights == "unit" and graph.weights is None and formats.format_of(file, format).needs_weights(values):
            graph = generate.weigh(graph, "unit", dtype="uint32")
    with spelling(format="--to"), naming_option("--write-option", values), naming_file(file):
        formats.write(graph, file, format=format, lossy=lossy, **values)
    if file == "-":
        print_stderr(f"wrote {output.outline(graph)}{note}")
    else:
        print(printable(f"wrote {file}: {output.outline(graph)}{note}"))
