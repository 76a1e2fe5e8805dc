"""`pathfront path`: shortest paths between pairs of vertices, one or several for each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import CommandLineError

if TYPE_CHECKING:
    from pathfront.graph import Graph, Index
    from pathfront.pairs import Path

EPILOG = """\b
Examples:
  pathfront path roads.gr -s 1 -t 4711
  pathfront path roads.gr -s 1 -t 4711 --k 5
  pathfront path roads.gr -s 1 -t 17 -t 99 --json
  pathfront path roads.gr -s 1 -t 17 -s 2 -t 99
  pathfront path social.txt -s 3 -t 8 --all --k 100
"""


def path(
    graph_file: inputs.GraphFile,
    source: Annotated[
        list[str],
        typer.Option("--source", "-s", metavar="S", help="Vertex to start from; one, or one for each target."),
    ],
    target: Annotated[
        list[str], typer.Option("--target", "-t", metavar="T", help="Vertex to reach; one, or one for each source.")
    ],
    k: Annotated[
        int | None, inputs.whole_option("--k", help="The shortest N paths of each pair that visit no vertex twice.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All shortest paths of each pair, with --k at most so many: they may be many.")
    ] = False,
    threads: Annotated[  # without -t, which is the target here
        int | None, inputs.whole_option("--threads", help="The most threads to use; all cores by default.")
    ] = None,
    by_index: inputs.ByIndex = False,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Find shortest paths between pairs of vertices.

    Each search starts from both ends. The first source goes with the first target, and so on; a single source or
    target goes with all. A vertex is what the file calls it, as in 'pathfront solve'. A pair without a path is
    shown as such, and is no error.
    """
    if len(source) != len(target) and 1 not in (len(source), len(target)):
        given = f"{len(source)} --source and {len(target)} --target"
        raise CommandLineError(f"{given} are given, which make no pairs; give as many of both, or one of either")
    if k is not None and k < 1:
        raise CommandLineError(f"--k is {k}, but it must be at least 1")
    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    starts = [inputs.vertex(graph, text, "--source") for text in source]
    ends = [inputs.vertex(graph, text, "--target") for text in target]
    count = max(len(starts), len(ends))
    pairs = list(zip(starts * (count // len(starts)), ends * (count // len(ends)), strict=True))
    found = zip(pairs, _paths(graph, pairs, k, threads, every=every), strict=True)
    if json:
        output.show_json(
            {"graph": output.outlined(graph, graph_file), "pairs": [_as_json(graph, *each) for each in found]}
        )
    else:
        output.show_facts([("graph", f"{graph_file}: {output.outline(graph)}")])
        for (start, end), paths in found:
            _show(graph, start, end, paths)


def _paths(
    graph: Graph, pairs: list[tuple[Index, Index]], k: int | None, threads: int | None, *, every: bool
) -> Iterator[Iterator[Path]]:
    """Yield the paths of each pair."""
    import pathfront as pf

    if not every and k is None:
        found = pf.paths_between(graph, [s for s, _ in pairs], [t for _, t in pairs], threads=threads)
        yield from (iter([one] if one else []) for one in found)
        return
    for start, end in pairs:
        try:
            if every:
                yield itertools.islice(pf.all_shortest_paths(graph, start, end, threads=threads), k)
            else:
                yield pf.k_shortest_paths(graph, start, end, k, threads=threads)
        except pf.NoPathError:
            yield iter([])


def _as_json(graph: Graph, pair: tuple[Index, Index], paths: Iterator[Path]) -> dict[str, Any]:
    return {
        "source": graph.name_of(pair[0]),
        "target": graph.name_of(pair[1]),
        "paths": [{"distance": path.distance, "vertices": path.vertices.tolist()} for path in paths],
    }


def _show(graph: Graph, start: Index, end: Index, paths: Iterator[Path]) -> None:
    """Print paths as they are found."""
    none = True
    for found in paths:
        none = False
        size = f"{output.counted(len(found), 'vertex')}, distance {found.distance}"
        output.show_facts([("path", output.path_text(found.vertices)), ("", size)])
    if none:
        output.show_facts([("path", f"none from {graph.name_of(start)} to {graph.name_of(end)}")])
