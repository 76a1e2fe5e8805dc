"""What several commands take: a graph file, vertices, numbers, NAME=VALUE; and how they become what the library takes.

A vertex is what the file calls it: its number there (DIMACS, METIS, Matrix Market and PACE files count from 1), or its
name. For that, `read_numbered` names the vertices of a graph that does not count from 0; with --by-index it drops all
names, and vertices are positions from 0.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli.errors import CommandLineError, naming_file, naming_option
from pathfront.wording import shown

if TYPE_CHECKING:
    from pathfront.graph import Graph, Index


def format_option(name: str, what: str, default: str) -> Any:
    """Return an option that names a file format."""
    return typer.Option(name, metavar="NAME", help=f"{what} (see 'pathfront formats'); by default {default}.")


def pairs_option(name: str, what: str) -> Any:
    """Return a repeatable option NAME=VALUE of a file format."""
    more = "(see 'pathfront formats'), repeatable. VALUE is JSON, or else text."
    return typer.Option(name, metavar="NAME=VALUE", help=f"{what} {more}")


def whole_option(*names: str, help: str, metavar: str = "N") -> Any:
    """Return an option that takes a whole number."""
    return typer.Option(*names, metavar=metavar, help=help, parser=parser_for(int, names[0]))


def parser_for(kind: type, name: str) -> Callable[[Any], Any] | None:
    """Return the function that makes a number of an argument's text; None for text and truth values."""
    if kind not in (int, float):
        return None

    def parse(text: Any) -> Any:
        if not isinstance(text, str):  # a default
            return text
        if kind is float:
            return as_number(text, name)
        with contextlib.suppress(ValueError):
            return int(text)
        if text.strip().lstrip("+-").isdecimal():
            raise CommandLineError(f"{name} has {len(text)} digits, which is too large a number; give a smaller one")
        raise CommandLineError(f"{name} is {shown(text)}, but it must be a whole number")

    return parse


GraphFile = Annotated[
    str, typer.Argument(metavar="GRAPH", help="Graph file, or - for standard input; .gz, .xz, .zst are unpacked.")
]
Format = Annotated[str | None, format_option("--format", "Format of GRAPH", "from its contents")]
MaxBytes = Annotated[
    int | None,
    whole_option("--max-bytes", help="Refuse files of more bytes, unpacked; by default half of the usable memory."),
]
ReadOptions = Annotated[list[str] | None, pairs_option("--read-option", "Option of the format, such as weight=km")]
Source = Annotated[
    str | None,
    typer.Option("--source", "-s", metavar="S", help="Vertex to start from; by default the one the file names."),
]
Sources = Annotated[
    list[str] | None,
    typer.Option("--source", "-s", metavar="S", help="Source, repeatable; by default the one the file names."),
]
SourcesFrom = Annotated[
    str | None,
    typer.Option(
        "--sources-from", metavar="FILE", help="Read sources from a text file, one in each line; - for stdin."
    ),
]
ByIndex = Annotated[
    bool, typer.Option("--by-index", help="Vertices are positions from 0, whatever the file calls them, in and out.")
]
Threads = Annotated[int | None, whole_option("--threads", "-t", help="The most threads to use; all cores by default.")]
Seed = Annotated[int, whole_option("--seed", help="Same seed, same graph.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else, an error to standard error.")]


# Arguments of `read` and `write` that are not options of any format.
_TAKEN = ("file", "format", "graph", "lossy", "max_bytes", "path", "sink", "source")


def read_graph(path: str, format: str | None, options: list[str] | None, max_bytes: int | None) -> Graph:
    """Read a graph."""
    from pathfront import formats

    values = named_values(options, "--read-option")
    with naming_option("--read-option", values), naming_file("standard input" if path == "-" else path):
        return formats.read(path, format=format, max_bytes=max_bytes, **values)


def read_numbered(
    path: str, format: str | None, options: list[str] | None, max_bytes: int | None, *, by_index: bool
) -> Graph:
    """Read a graph whose vertices are named as in the file, or by their positions."""
    return numbered(read_graph(path, format, options, max_bytes), by_index=by_index)


def numbered(graph: Graph, *, by_index: bool = False) -> Graph:
    """Return a graph whose vertices are named as in its file, or by their positions."""
    if by_index:
        return graph.unlabelled()
    numbers = graph.numbers
    if numbers is None or numbers.start or graph.first_id == 0:
        return graph
    return graph.with_labels(range(graph.first_id, graph.first_id + graph.n))


def named_values(pairs: list[str] | None, option: str) -> dict[str, Any]:
    """Return repeated NAME=VALUE options as a dictionary."""
    values: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name.isidentifier():
            raise CommandLineError(f"{option} is {shown(pair)}, but it must be NAME=VALUE")
        if name in _TAKEN and (name, option) != ("source", "--write-option"):
            raise CommandLineError(f"{option} is {shown(pair)}, but {name} cannot be set this way")
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
    return None if text is None else as_number(text, option)


def as_number(text: Any, name: str) -> int | float:
    """Return the number that a text stands for."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    raise CommandLineError(f"{name} is {shown(text)}, but it must be a number")


def vertex(graph: Graph, text: str, option: str) -> Index:
    """Return a vertex given on the command line."""
    from pathfront.graph import index

    numbers = graph.numbers
    if numbers is None:
        return index(_named(graph, text, option))
    try:
        whole = int(text)
    except ValueError:
        what = "the graph's vertices are numbers"
        raise CommandLineError(f"{option} is {shown(text)}, but {what}; give a whole number") from None
    if whole not in numbers:
        where = f"are {numbers[0]}..{numbers[-1]}" if numbers else "are none: it is empty"
        cure = "; with --by-index they count from 0" if numbers.start else ""
        raise CommandLineError(f"{option} is {text}, but the graph's vertices {where}{cure}")
    return index(numbers.index(whole))


def source_vertex(graph: Graph, text: str | None) -> Index:
    """Return the source: the given vertex, or the default source of the file."""
    if text is not None:
        return vertex(graph, text, "--source")
    if graph.default_source is None:
        raise CommandLineError("--source is missing, and the graph file names no source; give --source")
    from pathfront.graph import index

    return index(graph.vertex(graph.default_source))


def several_vertices(graph: Graph, texts: list[str] | None, file: str | None, option: str) -> list[Index]:
    """Return the vertices that a repeatable option gives, and those of a file, which has one in each line."""
    found = [vertex(graph, text, option) for text in texts or []]
    if file is None:
        return found
    with naming_file("standard input" if file == "-" else file):
        stream = sys.stdin if file == "-" else open(file, encoding="utf-8-sig")  # noqa: SIM115  # closed below
        try:
            lines = stream.read().splitlines()
        except UnicodeDecodeError:
            raise CommandLineError(f"{option}s-from is {shown(file)}, which is not text in UTF-8") from None
        finally:
            if stream is not sys.stdin:
                stream.close()
    for number, line in enumerate(lines, 1):
        if line.strip():
            found.append(vertex(graph, line.strip(), f"{option}s-from {shown(file)}, line {number},"))
    return found


def source_vertices(graph: Graph, texts: list[str] | None, file: str | None) -> list[Index]:
    """Return the sources of a command that takes several; by default the one that the graph's file names."""
    if not texts and file is None:
        return [source_vertex(graph, None)]
    found = several_vertices(graph, texts, file, "--source")
    if not found:
        raise CommandLineError(f"--sources-from is {shown(file)}, which has no lines; give at least one vertex")
    return found


def _named(graph: Graph, text: str, option: str) -> int:
    from pathfront.exceptions import VertexError

    for kind in (str, int, float):  # text or whole numbers in most files, anything in a table
        with contextlib.suppress(ValueError, VertexError):
            return graph.index_of(kind(text))
    raise CommandLineError(
        f"{option} is {shown(text)}, but no vertex has this name; with --by-index give a position from 0"
    )
