"""The graphs whose work is counted: every family, sparse and dense, with weights of every kind, and the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pathfront as pf
from pathfront.bench import graphs
from pathfront.generate import (
    chain,
    clustered,
    degree_k,
    delaunay,
    grid,
    kronecker,
    mesh3d,
    random,
    rmat,
    road_like,
    scale_free,
    small_world,
    star,
    weigh,
)

REAL = ("snap/wiki-Vote.txt.gz", "snap/soc-Epinions1.txt.gz", "snap/email-Enron.txt.gz", "mesh/4elt.graph")
"""Networks and meshes that come without weights."""


def generated(scale: int) -> dict[str, Callable[[], pf.Graph]]:
    """Return makers of graphs of about 2^scale vertices, by name."""
    n, side = 1 << scale, 1 << scale // 2
    return {
        "chain": lambda: chain(n // 8, seed=1),
        "star": lambda: star(n, seed=1),
        "grid int": lambda: grid(side, side, seed=1),
        "grid hops": lambda: grid(side, side, weights="unit", seed=1),
        "grid lognormal": lambda: grid(side, side, weights="lognormal:0:1", seed=1),
        "grid wide": lambda: grid(side, side, weights="int:1:100000", seed=1),
        "grid long": lambda: grid(16, n // 16, seed=1),
        "road": lambda: road_like(n, seed=1),
        "road hops": lambda: road_like(n, weights="unit", seed=1),
        "road sparse": lambda: road_like(n, extra=0.1, seed=1),
        "delaunay": lambda: delaunay(n, seed=1),
        "delaunay int": lambda: delaunay(n, weights="int:1:255", seed=1),
        "mesh3d": lambda: mesh3d(n >> 10, 32, 32, seed=1),
        "mesh3d int": lambda: mesh3d(n >> 10, 32, 32, weights="int:1:255", seed=1),
        "random 4": lambda: random(n, 4 * n, seed=1),
        "random 16": lambda: random(n, 16 * n, weights="int:1:255", seed=1),
        "random 64": lambda: random(n // 4, 16 * n, weights="int:1:255", seed=1),
        "random float": lambda: random(n, 8 * n, weights="float:0:1", seed=1),
        "random lognormal": lambda: random(n, 8 * n, weights="lognormal:0:2", seed=1),
        "random hops": lambda: random(n, 8 * n, weights="unit", seed=1),
        "rmat 8": lambda: rmat(scale, 8, seed=1),
        "rmat 32": lambda: rmat(scale - 1, 32, seed=1),
        "rmat wide": lambda: rmat(scale, 16, weights="int:1:100000", seed=1),
        "kronecker": lambda: kronecker(scale, 16, seed=1),
        "scale_free": lambda: scale_free(n, seed=1),
        "scale_free float": lambda: scale_free(n, weights="float:0:1", seed=1),
        "small_world": lambda: small_world(n, seed=1),
        "small_world ordered": lambda: small_world(n, 12, 0.01, seed=1),
        "clustered": lambda: clustered(n, seed=1),
        "degree_k": lambda: degree_k(n, seed=1),
        "degree_k wide": lambda: degree_k(n, 7, weights="int:1:100000", seed=1),
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
            yield path.name.split(".")[0], weigh(pf.read(path).simplified(), "int:1:255", seed=1)
