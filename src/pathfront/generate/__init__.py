"""Generated graphs. One file of this folder per family.

The same arguments and seed give the same graph on any machine and with any number of threads: random numbers are
hashes of their position (`cpp/generate/random.hpp`), not draws from a shared state.
"""

from __future__ import annotations

from collections.abc import Callable

from pathfront.generate.grids import grid
from pathfront.generate.meshes import delaunay, mesh3d
from pathfront.generate.networks import clustered, scale_free, small_world
from pathfront.generate.recursive import kronecker, rmat
from pathfront.generate.roads import road_like
from pathfront.generate.shapes import chain, complete, star
from pathfront.generate.uniform import degree_k, random
from pathfront.generate.weights import weigh
from pathfront.graph import Graph

KINDS: dict[str, Callable[..., Graph]] = {
    make.__name__: make
    for make in (
        random,
        rmat,
        kronecker,
        grid,
        road_like,
        delaunay,
        mesh3d,
        clustered,
        small_world,
        scale_free,
        degree_k,
        chain,
        star,
        complete,
    )
}
"""Every generator by its name: what the command line offers."""

__all__ = [
    "KINDS",
    "chain",
    "clustered",
    "complete",
    "degree_k",
    "delaunay",
    "grid",
    "kronecker",
    "mesh3d",
    "random",
    "rmat",
    "road_like",
    "scale_free",
    "small_world",
    "star",
    "weigh",
]
