"""Making the graphs that suites name, and what expressions may know of a graph."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import pathfront as pf
from pathfront.exceptions import PathfrontError
from pathfront.experiments.cells import Place
from pathfront.experiments.suite import GraphSpec, Suite
from pathfront.graph.measures import mean_degree
from pathfront.results.saved import fingerprint

__all__ = ["GraphMissingError", "copied", "described", "fingerprint", "make", "with_own"]


class GraphMissingError(PathfrontError):
    """A graph that a suite names is not on this machine; what is shown of it stays empty, with the reason."""


def make(place: Place) -> tuple[pf.Graph, int]:
    """Return a graph of a suite, and the vertex to search from."""
    spec = place.spec
    path = _path(spec)
    graph = _generated(spec) if path is None else _from_file(spec, path)
    if spec.weights is not None and path is not None:
        graph = pf.generate.weigh(graph.simplified().unlabelled(), spec.weights, seed=1, dtype=spec.dtype)
    if spec.simplified:
        graph = graph.simplified()
    if spec.reverse:
        graph = graph.reverse()
    if spec.dense:
        graph = _dense(graph)
    if spec.source == "hub":
        return graph, int(np.argmax(np.diff(graph.offsets))) if graph.n else 0
    return graph, int(spec.source)


def _generated(spec: GraphSpec) -> pf.Graph:
    if spec.kind is None:
        raise GraphMissingError(
            f"{spec.name} is not there: set PATHFRONT_DATA to the folder that has {spec.file or spec.dataset}"
            + (f", or run 'pathfront datasets get {spec.dataset}'." if spec.dataset else ".")
        )
    return pf.generate.KINDS[spec.kind](**{"seed": 1, **spec.arguments})


def _from_file(spec: GraphSpec, path: Path) -> pf.Graph:
    options = {} if spec.dataset is None else pf.datasets.describe(spec.dataset).read_options
    graph = pf.read(path, **options)
    return graph if spec.own else graph.simplified().unlabelled()


def _path(spec: GraphSpec) -> Path | None:
    """Return the file of a graph, None if it has none or it is not there."""
    if spec.file is not None:
        folder = Path(os.environ.get("PATHFRONT_DATA", "../shared/data"))
        for path in (Path(spec.file),) if spec.own else (folder / spec.file, Path(spec.file)):
            if path.is_file():
                return path
    return None if spec.dataset is None else pf.datasets.whereabouts(spec.dataset)


def _dense(graph: pf.Graph) -> pf.Graph:
    matrix = np.zeros((graph.n, graph.n), np.uint32)
    matrix[graph.tails(), graph.heads] = np.asarray(graph.weights)
    return pf.Graph.from_dense(matrix, no_edge=0, keep_dense=True)


def copied(graph: pf.Graph) -> pf.Graph:
    """Return an equal graph of which nothing has been prepared: summaries, light arcs, copies on a device."""
    if isinstance(graph.weights, np.ndarray):
        return graph.with_weights(graph.weights.copy())
    return pf.Graph.from_csr(graph.offsets, graph.heads, graph.weights, directed=graph.directed)


def described(graph: pf.Graph, place: Place, source: int, *, measured: bool) -> dict[str, Any]:
    """Return what expressions and tables may use of a graph, by name."""
    degrees, weights = graph.degree_summary(), graph.weight_summary()
    found: dict[str, Any] = {
        "graph": place.label,
        "group": place.spec.group,
        "origin": "generated" if (path := _path(place.spec)) is None else path.name,
        "n": graph.n,
        "m": graph.m,
        "degree": mean_degree(graph),
        "max_degree": degrees.largest,
        "weight": weights.finite_mean,
        "lightest": weights.lightest,
        "heaviest": weights.heaviest,
        "source": source,
    }
    if measured:
        measures = pf.measure(graph, source=pf.index(source))
        found |= {
            "diameter": measures.hop_diameter,
            "diameter_exact": measures.hop_diameter_is_exact,
            "reached": measures.reached_share,
            "components": measures.weak_components,
            "largest_component": measures.largest_weak_share,
        }
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in found.items()}


def with_own(suite: Suite, files: list[str]) -> Suite:
    """Return the suite on the user's own graphs, where an experiment makes sense on them."""
    if not files:
        return suite
    own: Mapping[str, GraphSpec] = {
        Path(file).name: GraphSpec(Path(file).name, file=str(Path(file).resolve()), group="own graph", own=True)
        for file in files
    }
    return replace(suite, graphs=own)
