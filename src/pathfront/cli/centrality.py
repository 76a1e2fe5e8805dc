"""`pathfront centrality`: which vertices and edges matter."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import CommandLineError, naming_file
from pathfront.wording import choice_message, shown

if TYPE_CHECKING:
    from pathfront.graph import Graph

EPILOG = """\b
Examples:
  pathfront centrality roads.gr --kind betweenness --k 64 --top 10
  pathfront centrality roads.gr --kind edge_betweenness --k 64 -o edges.csv
  pathfront centrality friends.txt --kind closeness --hops --json
  pathfront centrality roads.gr --kind diameter
"""

_OF_VERTICES = ("betweenness", "closeness", "harmonic", "eccentricity")
_NUMBERS = ("diameter", "radius")
_LISTS = ("center", "periphery")
KINDS = (*_OF_VERTICES[:1], "edge_betweenness", *_OF_VERTICES[1:], *_NUMBERS, *_LISTS)


def centrality(
    graph_file: inputs.GraphFile,
    kind: Annotated[str, typer.Option(metavar="NAME", help=f"One of {', '.join(KINDS)}.")] = "betweenness",
    k: Annotated[
        int | None, inputs.whole_option("--k", "-k", help="Estimate betweenness from so many sources drawn at random.")
    ] = None,
    seed: Annotated[int | None, inputs.whole_option("--seed", help="Same seed, same sources; by default 0.")] = None,
    endpoints: Annotated[bool, typer.Option("--endpoints", help="Paths lead through their ends, too.")] = False,
    sums: Annotated[bool, typer.Option("--sums", help="Betweenness as a number of pairs, not as a share.")] = False,
    hops: Annotated[bool, typer.Option("--hops", help="Count arcs, whatever they weigh.")] = False,
    top: Annotated[int, inputs.whole_option("--top", help="Show so many with the largest values.")] = 10,
    threads: inputs.Threads = None,
    by_index: inputs.ByIndex = False,
    output_file: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write all values: .csv, or .npy without the vertices."),
    ] = None,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Show which vertices or edges matter.

    By how many shortest paths lead through them, by their distances from the others, or to the others. Vertices are
    called by their number or name in the file. In CSV there is a row for each vertex, or for each arc.
    """
    given = {"--k": k, "--seed": seed, "--endpoints": endpoints or None, "--sums": sums or None}
    _require_fitting(kind, top, [option for option, value in given.items() if value is not None], output_file)
    from pathfront import centrality as measures

    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    searched = graph.with_weights(None) if hops else graph
    options: dict[str, Any] = {"threads": threads}
    if kind.endswith("betweenness"):
        options |= {"k": k, "seed": seed or 0, "normalized": not sums}
    if kind == "betweenness":
        options["endpoints"] = endpoints
    started = time.perf_counter()
    found = getattr(measures, kind)(searched, **options)
    answer: dict[str, Any] = {
        "graph": {"file": graph_file, "n": graph.n, "m": graph.m, "directed": graph.directed},
        "kind": kind,
        "seconds": time.perf_counter() - started,
    }
    if kind in _NUMBERS:
        answer["value"] = found
    elif kind in _LISTS:
        answer["vertices"] = found.tolist()
    else:
        columns = _columns(searched, kind, found)
        answer["top"] = _top(columns, kind, top, searched)
        if output_file is not None:
            _write(columns, found, output_file)
            answer["output"] = output_file
    if json:
        output.show_json(answer)
    else:
        _show(searched, answer)


def _require_fitting(kind: str, top: int, given: list[str], output_file: str | None) -> None:
    """Raise for options that do not fit each other, before any work is done."""
    if kind not in KINDS:
        raise CommandLineError(choice_message("--kind", kind, KINDS).rstrip("."))
    for option in given:
        if not kind.endswith("betweenness") or (option == "--endpoints" and kind != "betweenness"):
            raise CommandLineError(f"{option} is given, but --kind {kind} does not have it; leave it out")
    if given == ["--seed"]:
        raise CommandLineError("--seed is given, but nothing is drawn; add --k")
    if top < 0:
        raise CommandLineError(f"--top is {top}, but it must be at least 0")
    if output_file is not None:
        from pathfront.cli import results

        if kind in (*_NUMBERS, *_LISTS):
            raise CommandLineError(f"--output is {shown(output_file)}, but --kind {kind} has no values to write")
        results.kind_of(output_file, "--output", (".csv", ".npy"))


def _columns(graph: Graph, kind: str, found: Any) -> dict[str, Any]:
    """Return the values, with the vertices or arcs that they belong to."""
    import numpy as np

    from pathfront.dtypes import unreached_marker

    if kind == "edge_betweenness":
        return {"tail": graph.names_of(graph.tails()), "head": graph.names_of(graph.heads), kind: found}
    values = found
    if kind == "eccentricity":
        values = np.ma.array(found, mask=found == unreached_marker(found.dtype))
    return {"vertex": graph.names_of(np.arange(graph.n, dtype=np.uint32)), kind: values}


def _top(columns: dict[str, Any], kind: str, count: int, graph: Graph) -> list[dict[str, Any]]:
    """Return the rows with the largest values; each undirected edge once."""
    import numpy as np

    value = list(columns)[-1]
    rows = np.arange(len(columns[value]))
    if kind == "edge_betweenness" and not graph.directed:
        rows = rows[graph.tails() <= graph.heads]
    values = np.ma.getdata(columns[value])
    rows = rows[~(np.ma.getmaskarray(columns[value])[rows] | np.isnan(values[rows]))][::-1]
    best = rows[np.argsort(values[rows], kind="stable")][::-1][:count]  # of equal values the first in the file
    return [{name: _plain(column[i]) for name, column in columns.items()} for i in best]


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _write(columns: dict[str, Any], found: Any, file: str) -> None:
    from pathfront.cli import results

    with naming_file(file):
        if results.kind_of(file, "--output", (".csv", ".npy")) == ".npy":
            results.write_array(found, file)
        else:
            results.write_rows(columns, file)


def _show(graph: Graph, answer: dict[str, Any]) -> None:
    facts = [
        ("graph", f"{answer['graph']['file']}: {output.outline(graph)}"),
        ("time", output.seconds(answer["seconds"])),
    ]
    if "value" in answer:
        facts.append((answer["kind"], str(answer["value"])))
    for vertex in answer.get("vertices", [])[:20]:
        facts.append((answer["kind"], f"vertex {vertex}"))
    if len(answer.get("vertices", [])) > 20:
        facts.append(("", f"... {len(answer['vertices']) - 20} more, all in --json"))
    if "output" in answer:
        facts.append(("wrote", answer["output"]))
    output.show_facts(facts)
    if answer.get("top"):
        print()
        rows = [
            [f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row.values()] for row in answer["top"]
        ]
        output.show_table(tuple(answer["top"][0]), rows)
