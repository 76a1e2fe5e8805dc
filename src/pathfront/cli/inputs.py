"""What several commands take: a graph file, vertices, numbers, NAME=VALUE; and how they become what the library takes.

A vertex is a whole number, its index, or anything else, its label. With --by-label it is a label in any case: that is
how to ask for vertex "8297" of a file that numbers its vertices with gaps.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli.errors import CommandLineError, naming_file, naming_option

if TYPE_CHECKING:
    from pathfront.graph import Graph


def format_option(name: str, what: str, default: str) -> Any:
    """Return an option that names a file format."""
    return typer.Option(name, metavar="NAME", help=f"{what} (see 'pathfront formats'); by default {default}.")


def pairs_option(name: str, what: str) -> Any:
    """Return a repeatable option NAME=VALUE of a file format."""
    more = "(see 'pathfront formats'), repeatable. VALUE is JSON, or else text."
    return typer.Option(name, metavar="NAME=VALUE", help=f"{what} {more}")


GraphFile = Annotated[
    str, typer.Argument(metavar="GRAPH", help="Graph file, or - for standard input; .gz, .xz, .zst are unpacked.")
]
Format = Annotated[str | None, format_option("--format", "Format of GRAPH", "from its contents")]
MaxBytes = Annotated[
    int | None,
    typer.Option(
        "--max-bytes", metavar="N", help="Refuse files of more bytes, unpacked; by default half of the usable memory."
    ),
]
ReadOptions = Annotated[list[str] | None, pairs_option("--read-option", "Option of the format")]
Source = Annotated[
    str | None,
    typer.Option("--source", "-s", metavar="S", help="Vertex to start from; by default the one the file names."),
]
ByLabel = Annotated[
    bool, typer.Option("--by-label", help="Vertices are labels even where they look like indices, as in 8297.")
]
Threads = Annotated[
    int | None, typer.Option("--threads", "-t", metavar="N", help="The most threads to use; all cores by default.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


# Arguments of `read` and `write` that are not options of any format.
_TAKEN = ("file", "format", "graph", "max_bytes", "path", "sink", "source")


def read_graph(path: str, format: str | None, options: list[str] | None, max_bytes: int | None) -> Graph:
    """Read a graph."""
    from pathfront import formats

    values = named_values(options, "--read-option")
    with naming_option("--read-option", values), naming_file("standard input" if path == "-" else path):
        return formats.read(path, format=format, max_bytes=max_bytes, **values)


def named_values(pairs: list[str] | None, option: str) -> dict[str, Any]:
    """Return repeated NAME=VALUE options as a dictionary."""
    values: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name.isidentifier():
            raise CommandLineError(f"{option} is {pair!r}, but it must be NAME=VALUE")
        if name in _TAKEN:
            raise CommandLineError(f"{option} is {pair!r}, but {name} cannot be set this way")
        if name in values:
            raise CommandLineError(f"{option} {name} is given twice; give it once")
        values[name] = _json_or_text(text)
    return values


def _json_or_text(text: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return text


def number(text: str | None, option: str) -> int | float | None:
    """Return a number, a whole one exactly."""
    if text is None:
        return None
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    raise CommandLineError(f"{option} is {text!r}, but it must be a number")


def vertex(graph: Graph, text: str, option: str, *, by_label: bool) -> int:
    """Return the index of a vertex given on the command line."""
    labels = graph.labels
    whole: int | None = None
    with contextlib.suppress(ValueError):
        whole = int(text)
    if by_label and labels is None:
        raise CommandLineError("--by-label is given, but the graph has no labels; leave it out, vertices are indices")
    if by_label or (whole is None and labels is not None):
        return _by_label(graph, text, option)
    if whole is None:
        raise CommandLineError(f"{option} is {text!r}, but the graph has no labels; give a vertex as a whole number")
    if not 0 <= whole < graph.n:
        cure = "; it has labels: add --by-label if you mean one" if labels is not None else ""
        where = f"are 0..{graph.n - 1}" if graph.n else "are none: it is empty"
        raise CommandLineError(f"{option} is {whole}, but the graph's vertices {where}{cure}")
    return whole


def source_vertex(graph: Graph, text: str | None, *, by_label: bool) -> int:
    """Return the source: the given vertex, or the default source of the file."""
    if text is not None:
        return vertex(graph, text, "--source", by_label=by_label)
    if graph.default_source is None:
        raise CommandLineError("--source is missing, and the graph file names no source; give --source")
    return graph.default_source


def _by_label(graph: Graph, text: str, option: str) -> int:
    from pathfront.exceptions import VertexError

    for kind in (str, int, float):  # text or whole numbers in most files, anything in a table
        with contextlib.suppress(ValueError, VertexError):
            return graph.index_of(kind(text))
    raise CommandLineError(f"{option} is {text!r}, but no vertex has this label")
