"""The graphs whose work is counted: every family, sparse and dense, with weights of every kind, and the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pathfront as pf
from pathfront import generate
from pathfront.bench import graphs

REAL = ("snap/wiki-Vote.txt.gz", "snap/soc-Epinions1.txt.gz", "snap/email-Enron.txt.gz", "mesh/4elt.graph")
"""Networks and meshes that come without weights."""


def generated(scale: int) -> dict[str, Callable[[], pf.Graph]]:
    """Return makers of graphs of about 2^scale vertices, by name."""
    n, side = 1 << scale, 1 << scale // 2
    return {
        "chain": lambda: generate.chain(n // 8, seed=1),
        "star": lambda: generate.star(n, seed=1),
        "grid int": lambda: generate.grid(side, side, seed=1),
        "grid hops": lambda: generate.grid(side, side, weights="unit", seed=1),
        "grid lognormal": lambda: generate.grid(side, side, weights="lognormal:0:1", seed=1),
        "grid wide": lambda: generate.grid(side, side, weights="int:1:100000", seed=1),
        "grid long": lambda: generate.grid(16, n // 16, seed=1),
        "road": lambda: generate.road_like(n, seed=1),
        "road hops": lambda: generate.road_like(n, weights="unit", seed=1),
        "road sparse": lambda: generate.road_like(n, extra=0.1, seed=1),
        "delaunay": lambda: generate.delaunay(n, seed=1),
        "delaunay int": lambda: generate.delaunay(n, weights="int:1:255", seed=1),
        "mesh3d": lambda: generate.mesh3d(n >> 10, 32, 32, seed=1),
        "mesh3d int": lambda: generate.mesh3d(n >> 10, 32, 32, weights="int:1:255", seed=1),
        "random 4": lambda: generate.random(n, 4 * n, seed=1),
        "random 16": lambda: generate.random(n, 16 * n, weights="int:1:255", seed=1),
        "random 64": lambda: generate.random(n // 4, 16 * n, weights="int:1:255", seed=1),
        "random float": lambda: generate.random(n, 8 * n, weights="float:0:1", seed=1),
        "random lognormal": lambda: generate.random(n, 8 * n, weights="lognormal:0:2", seed=1),
        "random hops": lambda: generate.random(n, 8 * n, weights="unit", seed=1),
        "rmat 8": lambda: generate.rmat(scale, 8, seed=1),
        "rmat 32": lambda: generate.rmat(scale - 1, 32, seed=1),
        "rmat wide": lambda: generate.rmat(scale, 16, weights="int:1:100000", seed=1),
        "kronecker": lambda: generate.kronecker(scale, 16, seed=1),
        "scale_free": lambda: generate.scale_free(n, seed=1),
        "scale_free float": lambda: generate.scale_free(n, weights="float:0:1", seed=1),
        "small_world": lambda: generate.small_world(n, seed=1),
        "small_world ordered": lambda: generate.small_world(n, 12, 0.01, seed=1),
        "clustered": lambda: generate.clustered(n, seed=1),
        "degree_k": lambda: generate.degree_k(n, seed=1),
        "degree_k wide": lambda: generate.degree_k(n, 7, weights="int:1:100000", seed=1),
    }


def every(quick: bool) -> Iterator[tuple[str, pf.Graph]]:
    """Make one graph after the other: the generated ones, then those of PATHFRONT_DATA that exist."""
    for name, make in generated(13 if quick else 17).items():
        yield name, make()
    yield graphs.new_york()
    yield graphs.slashdot()
    for name in REAL:
        path = graphs.data_file(name)
        if path is not None:
            yield path.name.split(".")[0], generate.weigh(pf.read(path).simplified().unlabelled(), "int:1:255", seed=1)
