"""`pathfront info`: what a graph file holds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import naming_file, naming_option

if TYPE_CHECKING:
    from pathfront.graph import Graph
    from pathfront.measuring import Measures

EPILOG = """\b
Examples:
  pathfront info roads.gr
  pathfront info roads.gr --exact
  pathfront info wiki.txt.gz --source 30 --json
  pathfront generate grid 100 100 --to dimacs -o - | pathfront info -
The hop diameter is the largest number of arcs on a shortest path between two vertices, every arc
counted as one. Without --exact it is a lower bound, by a few searches; with it every vertex may need one.
"""

_LABELS = {"i": "integers", "u": "integers", "U": "text"}


def info(
    graph_file: inputs.GraphFile,
    source: Annotated[
        str | None,
        typer.Option("--source", "-s", metavar="S", help="Count what this vertex reaches; by default most out-arcs."),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Find the exact hop diameter: slow for large graphs.")] = False,
    threads: inputs.Threads = None,
    by_index: inputs.ByIndex = False,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Show what a graph file holds.

    Sizes, weights, degrees, components, the hop diameter, names, memory, and the time to read it.
    """
    values = inputs.named_values(read_option, "--read-option")
    from pathfront import formats
    from pathfront.measuring import measure

    with naming_option("--read-option", values), naming_file("standard input" if graph_file == "-" else graph_file):
        started = time.perf_counter()
        known, stream = formats.open_graph(graph_file, format, values, max_bytes)
        graph = known.read(stream, **values)
        graph.check()
        taken = time.perf_counter() - started
    named = inputs.numbered(graph, by_index=by_index)
    start = None if source is None else inputs.vertex(named, source, "--source")
    started = time.perf_counter()
    measures = measure(named, source=start, exact=exact, threads=threads)
    found = {"file": graph_file, "format": known.name, "read_seconds": taken}
    found |= {"measure_seconds": time.perf_counter() - started, **description(graph, measures)}
    if json:
        output.show_json(found)
    else:
        output.show_facts(_facts(graph, found))


def description(graph: Graph, measures: Measures) -> dict[str, Any]:
    """Return a graph's properties."""
    return {
        **measures.to_dict(),
        "labels": None if graph.labels is None else _LABELS.get(graph.labels.dtype.kind, "objects"),
        "coordinates": None if graph.coordinates is None else int(graph.coordinates.shape[1]),
        "first_id": graph.first_id,
        "default_source": graph.default_source,
        "bytes": graph.nbytes,
    }


def _facts(graph: Graph, found: dict[str, Any]) -> output.Facts:
    dimensions = found["coordinates"]
    start = found["default_source"]
    least = "" if found["hop_diameter_is_exact"] else "at least "
    return [
        ("file", found["file"]),
        ("format", found["format"]),
        ("vertices", f"{graph.n:,}{_naming(graph)}"),
        ("arcs", f"{graph.m:,}"),
        ("directed", "yes" if graph.directed else "no: every edge is two arcs"),
        *_weights(graph, found),
        ("out-degrees", _degrees(found)),
        ("isolated vertices", f"{found['isolated']:,}"),
        ("loops", f"{found['loops']:,}"),
        ("parallel arcs", f"{found['parallel_arcs']:,}"),
        *_reach(graph, found),
        ("hop diameter", f"{least}{found['hop_diameter']:,}"),
        ("labels", found["labels"] or "none"),
        ("coordinates", "none" if dimensions is None else f"{dimensions} per vertex"),
        ("source in the file", "none" if start is None else str(start)),
        ("memory", output.size(graph.nbytes)),
        ("read in", output.seconds(found["read_seconds"])),
        ("measured in", output.seconds(found["measure_seconds"])),
    ]


def _weights(graph: Graph, found: dict[str, Any]) -> output.Facts:
    weights = "none: arcs count as hops"
    if found["weights"] is not None:
        weights = found["weights"]
        if graph.m:
            spread = f"mean {found['mean_weight']:.6g}, standard deviation {found['weight_deviation']:.3g}"
            weights += f", {found['lightest']} to {found['heaviest']}, {spread}"
    counts = [(f"{kind} weights", f"{found[f'{kind}_weights']:,}") for kind in ("zero", "negative")]
    return [("weights", weights), *counts]


def _degrees(found: dict[str, Any]) -> str:
    spread = f"mean {found['mean_degree']:.3g}, standard deviation {found['degree_deviation']:.3g}"
    out = f"{found['smallest_degree']:,} to {found['largest_degree']:,}, {spread}"
    return f"{out}; in-degrees up to {found['largest_in_degree']:,}"


def _reach(graph: Graph, found: dict[str, Any]) -> output.Facts:
    """Return what a source reaches, and the components, as facts."""
    facts = []
    if graph.n:
        hops = output.counted(found["source_hops"], "hop")
        reached = f"{output.counted(found['reached'], 'vertex')} ({found['reached_share']:.1%}) within {hops}"
        facts.append((f"reached from {found['source']}", reached))
    for kind, name in (("weak", "components"), ("strong", "strong components")):
        if kind == "strong" and not graph.directed:
            continue
        largest = output.counted(found[f"largest_{kind}_component"], "vertex")
        share = f", the largest of {largest} ({found[f'largest_{kind}_share']:.1%})"
        facts.append((name, f"{found[f'{kind}_components']:,}{share if graph.n else ''}"))
    return facts


def _naming(graph: Graph) -> str:
    """Return how the file names its vertices, where that is not 0..n-1."""
    if graph.labels is not None:
        return f", named {graph.name_of(0)} to {graph.name_of(graph.n - 1)}" if graph.numbers else ", named by labels"
    return f", numbered {graph.first_id} to {graph.n - 1 + graph.first_id}" if graph.first_id and graph.n else ""
