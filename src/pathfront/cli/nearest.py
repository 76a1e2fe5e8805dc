"""`pathfront nearest`: the closest of several sources for each vertex."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output, searching
from pathfront.cli.errors import naming_file

if TYPE_CHECKING:
    from pathfront.closest import Nearest
    from pathfront.graph import Graph, Index

_SOURCES_SHOWN = 10
_KINDS = (".npz", ".csv", ".parquet")

EPILOG = """\b
Examples:
  pathfront nearest roads.gr --source 1 --source 17 --source 99
  pathfront nearest roads.gr --sources-from hospitals.txt --direction to -o catchments.csv
  pathfront nearest roads.gr --sources-from stops.txt -k 3 --cutoff 9000 -o stops.parquet
  pathfront nearest roads.gr -s 1 -s 17 --target 4711 --json
.csv and .parquet have the columns vertex, rank (with -k, from 0), distance, source, and with --parents parent.
"""


def nearest(
    graph_file: inputs.GraphFile,
    source: inputs.Sources = None,
    sources_from: inputs.SourcesFrom = None,
    k: Annotated[int, inputs.whole_option("-k", help="How many sources to find for each vertex.")] = 1,
    direction: Annotated[
        str, typer.Option(metavar="from|to", help="Distances from the sources to a vertex, or from it to them.")
    ] = "from",
    cutoff: searching.Cutoff = None,
    threads: inputs.Threads = None,
    target: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Show the nearest sources of this vertex; repeatable.")
    ] = None,
    parents: Annotated[
        bool, typer.Option("--parents", help="Write the vertex before each one, too (after it, with --direction to).")
    ] = False,
    by_index: inputs.ByIndex = False,
    output_file: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the answers: .csv, .parquet or .npz."),
    ] = None,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Find the closest of several sources for each vertex.

    A vertex is what the file calls it, its number or its name. With --by-index vertices are positions from 0. Of
    equally close sources the one that is given first is the closer one.
    """
    limit = inputs.number(cutoff, "--cutoff")
    from pathfront import closest
    from pathfront.cli import results

    if output_file is not None:
        results.kind_of(output_file, "--output", _KINDS)
    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    sources = inputs.source_vertices(graph, source, sources_from)
    targets = inputs.several_vertices(graph, target, None, "--target")
    began = time.perf_counter()
    found = closest.nearest(graph, sources, k=k, direction=direction, parents=parents, cutoff=limit, threads=threads)
    answer = _summary(graph, graph_file, sources, targets, found)
    answer |= {"k": k, "direction": direction, "cutoff": limit, "seconds": time.perf_counter() - began}
    if output_file is not None:
        _write(graph, found, output_file)
        answer["output"] = output_file
    if json:
        output.show_json(answer)
    else:
        _show(graph, answer)


def _summary(graph: Graph, file: str, sources: list[Index], targets: list[Index], found: Nearest) -> dict[str, Any]:
    """Return an answer in the form that `--json` prints."""
    import numpy as np

    from pathfront.graph import NO_VERTEX

    roots, distance = found.positions.reshape(graph.n, -1), found.distance.reshape(graph.n, -1)
    reached = roots[:, 0] != NO_VERTEX
    near = distance[:, 0][reached]
    counts = np.bincount(roots[:, 0][reached], minlength=graph.n)
    farthest = None
    if near.size:
        v = int(np.flatnonzero(reached)[near.argmax()])
        farthest = {"vertex": graph.name_of(v), **_nearest_of(graph, roots[v], distance[v])[0]}
    return {
        "graph": {"file": file, "n": graph.n, "m": graph.m, "directed": graph.directed},
        "sources": [
            {"vertex": graph.name_of(start), "index": int(start), "vertices": int(counts[start])}
            for start in dict.fromkeys(sources)
        ],
        "reached": int(reached.sum()),
        "mean_distance": float(near.mean(dtype=np.float64)) if near.size else None,
        "farthest": farthest,
        "targets": [
            {"vertex": graph.name_of(v), "index": int(v), "nearest": _nearest_of(graph, roots[v], distance[v])}
            for v in targets
        ],
    }


def _nearest_of(graph: Graph, roots: Any, distance: Any) -> list[dict[str, Any]]:
    from pathfront.graph import NO_VERTEX

    both = zip(roots.tolist(), distance.tolist(), strict=True)
    return [{"source": graph.name_of(root), "distance": d} for root, d in both if root != NO_VERTEX]


def _write(graph: Graph, found: Nearest, file: str) -> None:
    """Write the answers; the file is replaced only when complete."""
    import numpy as np

    from pathfront.cli import results
    from pathfront.formats.files import open_sink
    from pathfront.graph import NO_VERTEX

    k = 1 if found.distance.ndim == 1 else found.distance.shape[1]
    missing = found.positions.reshape(-1) == NO_VERTEX
    columns: dict[str, Any] = {"vertex": graph.names_of(np.repeat(np.arange(graph.n, dtype=np.uint32), k))}
    if k > 1:
        columns["rank"] = np.tile(np.arange(k), graph.n)
    columns["distance"] = np.ma.array(found.distance.reshape(-1), mask=missing)
    columns["source"] = graph.masked_names(found.positions.reshape(-1))
    if found.parent is not None:
        columns["parent"] = graph.masked_names(found.parent.reshape(-1))
    with naming_file(file):
        kind = results.kind_of(file, "--output", _KINDS)
        if kind == ".npz":
            with open_sink(file) as sink:
                np.savez(sink.stream, **_arrays(graph, found))
        elif kind == ".csv":
            results.require_no_empty_name(graph, file, "use .parquet or .npz")
            results.write_rows(columns, file)
        else:
            results.write_parquet([columns], file)


def _arrays(graph: Graph, found: Nearest) -> dict[str, Any]:
    """Return the arrays of an .npz file: sources and parents are positions, and `vertices` has their names."""
    import numpy as np

    made = {"distance": found.distance, "source": found.positions}
    if found.parent is not None:
        made["parent"] = found.parent
    names = graph.names_of(np.arange(graph.n, dtype=np.uint32))
    return made | {"vertices": names.astype(np.str_) if names.dtype.hasobject else names}


def _show(graph: Graph, answer: dict[str, Any]) -> None:
    facts = [
        ("graph", f"{answer['graph']['file']}: {output.outline(graph)}"),
        ("time", output.seconds(answer["seconds"])),
        ("reached", f"{answer['reached']:,} of {output.counted(graph.n, 'vertex')}"),
    ]
    if answer["farthest"] is not None:
        facts.append(("farthest", f"{_near(answer['farthest'])}, mean {answer['mean_distance']:.6g}"))
    by_size = sorted(answer["sources"], key=lambda each: -each["vertices"])  # stable: else as given
    for each in by_size[:_SOURCES_SHOWN]:
        facts.append(("source", f"{each['vertex']}: nearest of {output.counted(each['vertices'], 'vertex')}"))
    if len(by_size) > _SOURCES_SHOWN:
        facts.append(("", f"... {len(by_size) - _SOURCES_SHOWN:,} more sources, all in --json"))
    for target in answer["targets"]:
        near = target["nearest"]
        facts += [("target", _near({"vertex": target["vertex"], **each})) for each in near]
        if not near:
            facts.append(("target", f"vertex {target['vertex']} unreached"))
    if "output" in answer:
        facts.append(("wrote", answer["output"]))
    output.show_facts(facts)


def _near(each: dict[str, Any]) -> str:
    return f"vertex {each['vertex']} at distance {each['distance']}, source {each['source']}"
