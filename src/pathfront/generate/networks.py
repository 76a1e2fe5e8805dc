"""Social and other networks: short paths, and either communities, shortcuts or hubs."""

from __future__ import annotations

import numpy as np

from pathfront.exceptions import ArgumentError
from pathfront.generate.numbers import below, floats
from pathfront.generate.weights import weigh
from pathfront.graph import Graph
from pathfront.graph.build import simple_from_checked_edges
from pathfront.validation import MOST_EDGES, MOST_VERTICES, Array, as_count, as_fraction, as_seed
from pathfront.wording import checks_names


@checks_names
def clustered(
    n: int,
    clusters: int = 50,
    *,
    inside: int = 10,
    between: int = 4,
    weights: str = "int:1:100",
    seed: int = 0,
) -> Graph:
    """Return clusters of equal size, dense inside and loosely joined; the whole is connected.

    About `inside` edges are drawn for each vertex, to others of its cluster, and about `between` for each cluster, to
    others. The first of each kind makes a random tree, hence the connection. An edge drawn twice counts once. Vertices
    of a cluster are numbered in a row.

    >>> import pathfront as pf
    >>> graph = pf.generate.clustered(1000, 10)
    >>> bool(pf.shortest_paths(graph, 0).reached.all())
    True
    """
    n, seed = as_count(n, "n", most=MOST_VERTICES), as_seed(seed)
    clusters = as_count(clusters, "clusters", least=1, most=max(n, 1))
    inside, between = as_count(inside, "inside", least=1), as_count(between, "between", least=1)
    as_count(n * inside + clusters * between, "n * inside + clusters * between", most=MOST_EDGES)
    first = np.arange(clusters + 1) * n // clusters  # of each cluster
    ends = [*_inside(first, n, inside, seed), *(_between(first, between, seed) if clusters > 1 else ())]
    graph = simple_from_checked_edges(_joined(ends[0::2]), _joined(ends[1::2]), n=n)
    return weigh(graph, weights, seed=seed)


def _inside(first: Array, n: int, edges: int, seed: int) -> tuple[Array, Array, Array, Array]:
    """Return tails and heads of a random tree in each cluster, then those of the other edges."""
    sizes = np.diff(first)
    start = np.repeat(first[:-1], sizes)
    within = np.arange(n) - start
    grown = np.flatnonzero(within)
    tree = start[grown] + below(within[grown], seed=seed, stream=10)
    others = np.repeat(np.arange(n), edges - 1)
    heads = start[others] + below(np.repeat(sizes, sizes)[others], seed=seed, stream=11)
    return grown, tree, others, heads


def _between(first: Array, edges: int, seed: int) -> tuple[Array, Array]:
    """Return tails and heads of a random tree of the clusters, followed by those of the other edges."""
    sizes, count = np.diff(first), first.size - 1
    grown, others = np.arange(1, count), np.repeat(np.arange(count), edges - 1)
    one = np.concatenate([grown, others])
    two = below(np.concatenate([grown, np.full(others.size, count - 1)]), seed=seed, stream=12)
    two[count - 1 :] += two[count - 1 :] >= others  # numbers among the other clusters become clusters
    tails = first[one] + below(sizes[one], seed=seed, stream=13)
    heads = first[two] + below(sizes[two], seed=seed, stream=14)
    return tails, heads


@checks_names
def small_world(n: int, k: int = 6, rewire: float = 0.1, *, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return a ring, each vertex joined to the k nearest, with a share of the edges rewired.

    From Watts and Strogatz (1998): each edge keeps its first end and, with probability `rewire`, gets a new second
    one, uniform among the other vertices. An edge that comes up twice counts once.

    >>> import pathfront as pf
    >>> pf.generate.small_world(1000, 6, rewire=0)
    Graph(n=1000, m=6000, undirected, uint32 weights)
    """
    n, seed = as_count(n, "n", most=MOST_VERTICES), as_seed(seed)
    k, rewire = as_count(k, "k", most=max(n - 1, 0)), as_fraction(rewire, "rewire")
    as_count(n * k, "n * k", most=MOST_EDGES)
    if k % 2:
        raise ArgumentError(f"k is {k}, but it must be even: half of the neighbours lie on each side.")
    tails = np.tile(np.arange(n), k // 2)
    ahead = np.repeat(np.arange(1, k // 2 + 1), n)
    moved = np.flatnonzero(floats(tails.size, seed=seed, stream=10) < rewire)
    ahead[moved] = 1 + below(np.full(moved.size, n - 1), seed=seed, stream=11)
    heads = (tails + ahead) % max(n, 1)
    graph = simple_from_checked_edges(_joined([tails]), _joined([heads]), n=n)
    return weigh(graph, weights, seed=seed)


@checks_names
def scale_free(n: int, edges_per_vertex: int = 8, *, weights: str = "int:1:100", seed: int = 0) -> Graph:
    """Return a graph that grew by preferential attachment: degrees follow a power law of exponent 3.

    From Barabasi and Albert (1999): the first edges_per_vertex + 1 vertices are all joined; each later one draws that
    many edges to earlier ones, with probabilities proportional to their degrees. An edge drawn twice counts once.

    >>> import pathfront as pf
    >>> graph = pf.generate.scale_free(1000, 3)
    >>> bool(pf.shortest_paths(graph, 0).reached.all())
    True
    """
    n, seed = as_count(n, "n", most=MOST_VERTICES), as_seed(seed)
    k = as_count(edges_per_vertex, "edges_per_vertex", least=1, most=2**14)
    as_count(n * k, "n * edges_per_vertex", most=MOST_EDGES)
    core = min(n, k + 1)
    core_tails, core_heads = np.triu_indices(core, 1)
    tails = np.repeat(np.arange(core, n), k)
    ends = np.stack([core_tails, core_heads], axis=1).ravel()
    graph = simple_from_checked_edges(
        _joined([core_tails, tails]), _joined([core_heads, _attached(ends, tails, k, seed)]), n=n
    )
    return weigh(graph, weights, seed=seed)


def _attached(ends: Array, tails: Array, k: int, seed: int) -> Array:
    """Return the vertex that each new edge leads to.

    A vertex chosen in proportion to its degree is the end of an edge chosen evenly (Batagelj and Brandes 2005). Number
    the ends of all edges in order: first those of the core, then for each new edge its tail and its head. An edge
    draws the number of an earlier vertex's end. Where that is a head, and so itself not known yet, what that one drew
    is followed instead, for all edges at once.
    """
    core = ends.size
    earlier = core + 2 * k * ((tails - tails[0]) if tails.size else tails)
    drawn = below(earlier, seed=seed, stream=10)
    found = drawn.copy()
    open_ = np.flatnonzero((found >= core) & ((found - core) % 2 == 1))
    while open_.size:
        found[open_] = drawn[(found[open_] - core) // 2]
        open_ = open_[(found[open_] >= core) & ((found[open_] - core) % 2 == 1)]
    new = found >= core
    found[new] = tails[(found[new] - core) // 2]
    found[~new] = ends[found[~new]]
    return found


def _joined(parts: list[Array]) -> Array:
    return np.concatenate(parts).astype(np.uint32)
