"""`pathfront info`: what a graph file holds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from pathfront.cli import inputs, output
from pathfront.cli.errors import naming_file, naming_option

if TYPE_CHECKING:
    from pathfront.graph import Graph

EPILOG = """\b
Examples:
  pathfront info roads.gr
  pathfront info wiki.txt.gz --json
  pathfront generate grid 100 100 --to dimacs -o - | pathfront info -
"""

_LABELS = {"i": "integers", "u": "integers", "U": "text"}


def info(
    graph_file: inputs.GraphFile,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Show what a graph file holds.

    Sizes, weights, degrees, loops, names, memory, and the time to read it.
    """
    values = inputs.named_values(read_option, "--read-option")
    from pathfront import formats

    with naming_option("--read-option", values), naming_file("standard input" if graph_file == "-" else graph_file):
        started = time.perf_counter()
        known, source = formats.open_graph(graph_file, format, values, max_bytes)
        graph = known.read(source, **values)
        graph.check()
        taken = time.perf_counter() - started
    found = {"file": graph_file, "format": known.name, "read_seconds": taken, **description(graph)}
    if json:
        output.show_json(found)
    else:
        output.show_facts(_facts(graph, found))


def description(graph: Graph) -> dict[str, Any]:
    """Return a graph's properties."""
    import numpy as np

    out = np.diff(graph.offsets)
    entered = np.zeros(graph.n, bool)
    entered[graph.heads] = True
    weighted = graph.weights is not None and graph.m > 0
    spread = graph.weight_summary() if weighted else None
    weights = graph.weights if weighted else None
    return {
        "n": graph.n,
        "m": graph.m,
        "directed": graph.directed,
        "weights": None if graph.weights is None else graph.weights.dtype.name,
        "lightest": None if spread is None else spread.lightest,
        "heaviest": None if spread is None else spread.heaviest,
        "mean_weight": None if spread is None else spread.mean,
        "zero_weights": 0 if weights is None else int(graph.m - np.count_nonzero(weights)),
        "negative_weights": 0 if weights is None else int((weights < 0).sum()),
        "smallest_degree": int(out.min()) if graph.n else 0,
        "largest_degree": int(out.max()) if graph.n else 0,
        "mean_degree": graph.m / graph.n if graph.n else 0.0,
        "isolated": int(((out == 0) & ~entered).sum()),
        "loops": int((graph.tails() == graph.heads).sum()),
        "labels": None if graph.labels is None else _LABELS.get(graph.labels.dtype.kind, "objects"),
        "coordinates": None if graph.coordinates is None else int(graph.coordinates.shape[1]),
        "first_id": graph.first_id,
        "default_source": graph.default_source,
        "bytes": graph.nbytes,
    }


def _facts(graph: Graph, found: dict[str, Any]) -> output.Facts:
    weights = "none: arcs count as hops"
    if found["weights"] is not None:
        weights = found["weights"]
        if graph.m:
            weights += f", {found['lightest']} to {found['heaviest']}, mean {found['mean_weight']:.6g}"
    degrees = f"{found['smallest_degree']:,} to {found['largest_degree']:,}, mean {found['mean_degree']:.3g}"
    dimensions = found["coordinates"]
    start = found["default_source"]
    return [
        ("file", found["file"]),
        ("format", found["format"]),
        ("vertices", f"{graph.n:,}{_naming(graph)}"),
        ("arcs", f"{graph.m:,}"),
        ("directed", "yes" if graph.directed else "no: every edge is two arcs"),
        ("weights", weights),
        ("zero weights", f"{found['zero_weights']:,}"),
        ("negative weights", f"{found['negative_weights']:,}"),
        ("out-degrees", degrees),
        ("isolated vertices", f"{found['isolated']:,}"),
        ("loops", f"{found['loops']:,}"),
        ("labels", found["labels"] or "none"),
        ("coordinates", "none" if dimensions is None else f"{dimensions} per vertex"),
        ("source in the file", "none" if start is None else str(start)),
        ("memory", output.size(graph.nbytes)),
        ("read in", output.seconds(found["read_seconds"])),
    ]


def _naming(graph: Graph) -> str:
    """Return how the file names its vertices, where that is not 0..n-1."""
    if graph.labels is not None:
        return f", named {graph.name_of(0)} to {graph.name_of(graph.n - 1)}" if graph.numbers else ", named by labels"
    return f", numbered {graph.first_id} to {graph.n - 1 + graph.first_id}" if graph.first_id and graph.n else ""
