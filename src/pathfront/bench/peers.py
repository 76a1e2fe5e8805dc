"""Other packages' shortest paths, each run in a process of its own, so that a crash of one ends nothing else.

`python -m pathfront.bench.peers NAME FOLDER SOURCE ROUNDS` prints the best time in seconds and writes the distances.
What a package needs before it can search (its own graph) is made outside the timing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import pathfront as pf
from pathfront.bench.figures import best_of

Job = Callable[[], Any]
_SLOW = 2_000_000  # arcs beyond which packages that keep a Python object for each are left out


def _scipy(graph: pf.Graph, source: int) -> Job:
    from scipy.sparse import csgraph

    matrix: Any = graph.to_scipy().astype(float)  # as scipy would otherwise do each time
    search: Any = csgraph.dijkstra
    return lambda: search(matrix, indices=source)


def _edsger(graph: pf.Graph, source: int) -> Job:
    import pandas
    from edsger.path import Dijkstra  # type: ignore[import-not-found,unused-ignore]

    frame = pandas.DataFrame({"tail": graph.tails(), "head": graph.heads, "weight": np.asarray(graph.weights, float)})
    search = Dijkstra(frame, orientation="out", check_edges=False)

    def run() -> Any:
        found = np.asarray(search.run(vertex_idx=source, path_tracking=False, return_inf=True))
        # edsger has no vertices beyond the last one that has an arc
        return np.concatenate([found, np.full(graph.n - found.size, np.inf)])

    return run


def _networkit(graph: pf.Graph, source: int) -> Job:
    import networkit  # type: ignore[import-not-found,unused-ignore]

    coo = (np.asarray(graph.weights, float), (graph.tails().astype(np.int64), graph.heads.astype(np.int64)))
    made = networkit.GraphFromCoo(coo, n=graph.n, weighted=True, directed=True)

    def run() -> Any:
        search = networkit.distance.Dijkstra(made, source, False)
        search.run()
        found = np.asarray(search.getDistances())
        return np.where(found > 1e300, np.inf, found)

    return run


def _igraph(graph: pf.Graph, source: int) -> Job:
    import igraph  # type: ignore[import-not-found,unused-ignore]

    made = igraph.Graph(graph.n, np.stack([graph.tails(), graph.heads], axis=1).astype(np.int64), directed=True)
    weights = np.asarray(graph.weights, float).tolist()
    return lambda: np.asarray(made.distances(source, weights=weights)[0])


def _rustworkx(graph: pf.Graph, source: int) -> Job:
    import rustworkx  # type: ignore[import-not-found,unused-ignore]

    made = rustworkx.PyDiGraph()
    made.add_nodes_from(range(graph.n))
    ends = zip(graph.tails().tolist(), graph.heads.tolist(), np.asarray(graph.weights, float).tolist(), strict=True)
    made.add_edges_from(list(ends))

    return lambda: _filled(graph.n, {**rustworkx.dijkstra_shortest_path_lengths(made, source, float), source: 0})


def _networkx(graph: pf.Graph, source: int) -> Job:
    import networkx

    made = graph.to_networkx()

    return lambda: _filled(graph.n, networkx.single_source_dijkstra_path_length(made, source))


def _filled(n: int, lengths: dict[int, float]) -> Any:
    found = np.full(n, np.inf)
    found[list(lengths)] = list(lengths.values())
    return found


PEERS: dict[str, Callable[[pf.Graph, int], Job]] = {
    "scipy": _scipy,
    "edsger": _edsger,
    "networkit": _networkit,
    "igraph": _igraph,
    "rustworkx": _rustworkx,
    "networkx": _networkx,
}
_PYTHON_OBJECTS = ("rustworkx", "networkx")


def installed() -> list[str]:
    """Return the peers that are installed."""
    return [name for name in PEERS if find_spec(name) is not None]


class PeerFailedError(Exception):
    """A package that gave no answer, or a wrong one; the text says what happened."""


def measure(name: str, graph: pf.Graph, source: int, expected: Any, rounds: int, seconds: float) -> float | None:
    """Return a peer's best time, or None if it is too slow for the graph, fails, or is wrong (which is printed).

    Rounds and seconds are those of `best_of`.
    """
    try:
        return timed(name, graph, source, expected, rounds, seconds)
    except PeerFailedError as error:
        if graph.m <= _SLOW or name not in _PYTHON_OBJECTS:
            print(f"{error}; its time is left out", file=sys.stderr)
        return None


def timed(name: str, graph: pf.Graph, source: int, expected: Any, rounds: int, seconds: float) -> float:
    """Return a peer's best time; raise `PeerFailedError` if it has no right answer."""
    if name in _PYTHON_OBJECTS:
        if graph.m > _SLOW:
            raise PeerFailedError(f"{name} keeps a Python object for each arc, too many for {graph.m:,} arcs")
        rounds = 1  # after the one to warm up: networkx alone takes as long as all others
    with tempfile.TemporaryDirectory() as folder:
        pf.write(graph, Path(folder) / "graph.pfg")
        how = [name, folder, str(source), str(rounds), str(seconds)]
        command = [sys.executable, "-m", "pathfront.bench.peers", *how]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or [_ended(done.returncode)])[-1]
            raise PeerFailedError(f"{name} failed: {reason}")
        if not np.array_equal(np.load(Path(folder) / "distances.npy"), expected):
            raise PeerFailedError(f"{name} gives other distances")
        return float(done.stdout.strip().splitlines()[-1])


def _ended(code: int) -> str:
    return f"it was ended by signal {-code}" if code < 0 else f"exit code {code}"


def main(name: str, folder: str, source: str, rounds: str, seconds: str) -> None:
    """Time one peer on the graph in a folder."""
    job = PEERS[name](pf.read(Path(folder) / "graph.pfg"), int(source))
    last: list[Any] = []

    def run() -> None:
        last[:] = [job()]

    (best,) = best_of(int(rounds), run, seconds=float(seconds))
    np.save(Path(folder) / "distances.npy", np.asarray(last[0], dtype=np.float64))
    print(best)


if __name__ == "__main__":
    main(*sys.argv[1:6])
