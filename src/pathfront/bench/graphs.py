"""The graphs that suites run on: real ones from PATHFRONT_DATA where present, generated ones otherwise."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

import pathfront as pf

NEW_YORK = "dimacs9/USA-road-d.NY.gr.gz"


def hub(graph: pf.Graph) -> int:
    """Return the vertex with the most out-arcs, the source of most figures."""
    return int(np.argmax(np.diff(graph.offsets)))


def data_file(name: str) -> Path | None:
    """Return a file of PATHFRONT_DATA (default: ../shared/data), or None if it does not exist."""
    path = Path(os.environ.get("PATHFRONT_DATA", "../shared/data")) / name
    return path if path.is_file() else None


def new_york_text() -> tuple[str, bytes]:
    """Return the name and the text of the New York road graph, or of a generated one of the same size."""
    path = data_file(NEW_YORK)
    if path is not None:
        return "USA-road-d.NY.gr", gzip.decompress(path.read_bytes())
    file = io.BytesIO()
    pf.write(pf.generate.road_like(264_346, seed=1), file, format="dimacs", lossy=True)
    return "road_like(264346)", file.getvalue()


@cache
def new_york() -> tuple[str, pf.Graph]:
    """Return the New York road graph without its parallel arcs, or a generated one of the same size."""
    name, text = new_york_text()
    return name.removesuffix(".gr"), pf.read(io.BytesIO(text), format="dimacs").simplified()


@cache
def grid(side: int) -> tuple[str, pf.Graph]:
    """Return a square grid."""
    return f"grid-{side}", pf.generate.grid(side, side, weights="int:1:255", seed=1)


@cache
def kronecker(scale: int) -> tuple[str, pf.Graph]:
    """Return a Kronecker graph of edge factor 16."""
    return f"kronecker-{scale}", pf.generate.kronecker(scale, 16, seed=1)


@cache
def florida() -> tuple[str, pf.Graph]:
    """Return the Florida roads with lognormal weights, or generated roads of the same size."""
    path = data_file("dimacs9/pace-FLA.gr.xz")
    if path is None:
        return "road_like(1070376)", pf.generate.road_like(1_070_376, seed=1)
    return "FLA", pf.generate.weigh(pf.read(path), "lognormal:5:1", seed=1, dtype="uint32")


@cache
def slashdot() -> tuple[str, pf.Graph]:
    """Return the Slashdot network with random weights, or a generated network of the same size."""
    path = data_file("snap/soc-Slashdot0902.txt.gz")
    if path is None:
        return "scale_free(82168)", pf.generate.scale_free(82_168, 5, weights="int:1:255", seed=1)
    return "Slashdot", pf.generate.weigh(pf.read(path).simplified(), "int:1:255", seed=1)


@cache
def random(scale: int) -> tuple[str, pf.Graph]:
    """Return a uniformly random graph of 16 arcs per vertex, without parallel arcs."""
    graph = pf.generate.random(1 << scale, 16 << scale, weights="int:1:255", seed=1)
    return f"random-{scale}", graph.simplified()


@cache
def delaunay(n: int) -> tuple[str, pf.Graph]:
    """Return the Delaunay triangulation of random points."""
    return f"delaunay-{n}", pf.generate.delaunay(n, seed=1)


def cpu_suite(quick: bool) -> list[Callable[[], tuple[str, pf.Graph]]]:
    """Return functions that make the graphs of the suite `costs`: roads, a network, a grid, rmat, random, a mesh."""
    side, scale = (512, 17) if quick else (1024, 20)
    sized = [partial(grid, side), partial(kronecker, scale), partial(random, scale), partial(delaunay, 1 << scale)]
    return [new_york, *([] if quick else [florida]), slashdot, *sized]
