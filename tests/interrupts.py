"""Ctrl-C at random moments of every long phase: how long it takes to be noticed, and what it leaves behind.

    python tests/interrupts.py --times 100
    python tests/interrupts.py --times 20 write search

Each phase runs in a process of its own, over and over until it is interrupted. The clock that counts is the wall clock,
so leave the machine alone; `--cpu` counts the processor time of the process instead, which is fair on a busy machine
(threads add up). Writers must leave the old file or a new one, and nothing beside it.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

LIMIT = 0.2
"""Seconds from the signal to the exception."""
NAMED = (".pfg", ".parquet", ".csv", ".el")
"""Formats that hold the names of vertices."""
Act = Callable[[], object]


def generating(kind: str, arguments: str) -> Callable[[Path], Act]:
    def prepare(_: Path) -> Act:
        import pathfront as pf

        return lambda: eval(f"pf.generate.{kind}({arguments})", {"pf": pf})

    return prepare


def writing(ending: str, *, named: bool = False) -> Callable[[Path], Act]:
    def prepare(folder: Path) -> Act:
        import pathfront as pf

        graph = graph_for(ending, named=named)
        return lambda: pf.write(graph, folder / f"graph{ending}")

    return prepare


def reading(ending: str, *, named: bool = False) -> Callable[[Path], Act]:
    def prepare(folder: Path) -> Act:
        import pathfront as pf

        pf.write(graph_for(ending, named=named), folder / f"graph{ending}")
        return lambda: pf.read(folder / f"graph{ending}")

    return prepare


def graph_for(ending: str, *, named: bool = False):
    """Return a graph that takes a second or so to write in a format."""
    import pathfront as pf

    if named:
        graph = pf.generate.scale_free(1_000_000, 2)
        return graph.with_coordinates(None).with_labels([f"v{i}" for i in range(graph.n)])
    if ending.startswith(".tw"):
        return pf.generate.random(300_000, 3_000_000, weights="unit", directed=False)
    if ending.startswith(".graph"):
        return pf.generate.grid(1000, 1000)
    if ending == ".npz":
        return pf.generate.random(300_000, 3_000_000).simplified()
    return pf.generate.random(300_000, 3_000_000)


def searching(method: str, threads: int) -> Callable[[Path], Act]:
    def prepare(_: Path) -> Act:
        import pathfront as pf

        unit = pf.methods.get(method).unit_weights
        graph = pf.generate.random(500_000, 8_000_000, weights="unit" if unit else "int:1:100")
        return lambda: pf.shortest_paths(graph, 0, method=method, threads=threads)

    return prepare


def first_search(_: Path) -> Act:
    """Everything that is computed once per graph is part of this."""
    import pathfront as pf

    graph = pf.generate.random(500_000, 8_000_000)
    return lambda: pf.shortest_paths(graph.with_weights(graph.weights), 0)


def calling(code: str) -> Callable[[Path], Act]:
    def prepare(_: Path) -> Act:
        import numpy as np

        import pathfront as pf
        from pathfront.tight import tight_arcs

        graph = pf.generate.random(500_000, 8_000_000)
        names = {
            "tight_arcs": tight_arcs,
            "io": io,
            "pf": pf,
            "np": np,
            "graph": graph,
            "edges": graph.to_edges(),
            "paths": pf.shortest_paths(graph, 0),
            "numbers": 3 * np.random.default_rng(1).permutation(graph.n),
            "names": [f"v{i}" for i in range(graph.n)],
        }
        return lambda: eval(code, names)

    return prepare


def saving(folder: Path) -> Act:
    import pathfront as pf

    paths = pf.shortest_paths(pf.generate.random(5_000_000, 10_000_000), 0)
    return lambda: paths.save(folder / "answer.pfp")


def csgraph_call(_: Path) -> Act:
    import pathfront as pf
    from pathfront import csgraph

    matrix = pf.generate.random(500_000, 8_000_000).simplified().to_scipy()
    return lambda: csgraph.dijkstra(matrix, indices=range(4), return_predecessors=True)


def networkx_calls(_: Path) -> Act:
    import networkx as nx

    from pathfront.networkx import convert

    made = convert(nx.fast_gnp_random_graph(200_000, 3e-5, seed=1))

    def act() -> None:
        nx.single_source_dijkstra(made, 5)
        nx.dijkstra_predecessor_and_distance(made, 5)

    return act


def phases() -> dict[str, Callable[[Path], Act]]:
    import pathfront as pf

    sizes = {
        "random": "1_000_000, 10_000_000",
        "rmat": "19, 16",
        "kronecker": "19, 16",
        "grid": "2000, 2000",
        "road_like": "2_000_000",
        "delaunay": "300_000",
        "mesh3d": "100, 100, 100",
        "clustered": "600_000",
        "small_world": "1_000_000",
        "scale_free": "600_000",
        "degree_k": "1_000_000",
        "chain": "10_000_000",
        "star": "10_000_000",
        "complete": "4000",
    }
    found = {f"generate {kind}": generating(kind, sizes[kind]) for kind in pf.generate.KINDS}
    endings = [pf.formats.get(name).suffixes[0] for name in pf.formats.names()]
    endings += [".gr.gz", ".gr.xz", ".gr.zst"]
    found |= {f"write {ending}": writing(ending) for ending in endings}
    found |= {f"read {ending}": reading(ending) for ending in endings}
    found |= {
        f"search {method} {threads}": searching(method, threads) for method in pf.methods.names() for threads in (1, 2)
    }
    found |= {f"write named {ending}": writing(ending, named=True) for ending in NAMED}
    found |= {f"read named {ending}": reading(ending, named=True) for ending in NAMED}
    found["search first"] = first_search
    found |= {
        "build from_edges": calling("pf.Graph.from_edges(edges.tails, edges.heads, edges.weights)"),
        "centrality betweenness": calling("pf.betweenness(graph, k=8)"),
        "centrality edge_betweenness": calling("pf.edge_betweenness(graph.with_weights(None), k=2)"),
        "measure": calling("pf.measure(graph.with_weights(graph.weights))"),
        "centrality closeness": calling("pf.closeness(graph, range(20))"),
        "build undirected": calling("pf.Graph.from_edges(edges.tails, edges.heads, edges.weights, directed=False)"),
        "build from_csr": calling("pf.Graph.from_csr(graph.offsets, graph.heads, graph.weights)"),
        "build reverse": calling("graph.with_weights(graph.weights).reverse()"),
        "build named by text": calling("graph.with_labels(names)"),
        "build named by numbers": calling("graph.with_labels(numbers).vertex(3)"),
        "write lossy": calling("pf.write(graph, io.BytesIO(), format='npz', lossy=True)"),
        "build simplified": calling("graph.simplified()"),
        "verify": calling("pf.verify(graph, paths)"),
        "matrix": calling("pf.distance_matrix(graph, range(100), range(50))"),
        "matrix sparse": calling("pf.distance_matrix(graph, range(100), cutoff=50, sparse=True)"),
        "nearest": calling("pf.nearest(graph, range(100))"),
        "nearest three": calling("pf.nearest(graph, range(100), k=3)"),
        "within": calling("pf.within(graph, range(2000), 40)"),
        "pairs": calling("pf.paths_between(graph, range(400), range(400, 800))"),
        "alternatives": calling("list(pf.k_shortest_paths(graph, 0, 1, 200))"),
        "tight": calling("tight_arcs(paths)"),
        "csgraph": csgraph_call,
        "networkx": networkx_calls,
        "dictionary": calling("paths.to_dict()"),
        "write .pfp": saving,
        "many": calling("list(pf.shortest_paths_many(graph, range(10)))"),
    }
    return found


def serve(name: str, folder: Path) -> None:
    """In the child: run the phase until it is interrupted, and report when that was, for each line of input."""
    act = phases()[name](folder)
    began = time.monotonic()
    act()
    print(time.monotonic() - began, flush=True)
    for _ in sys.stdin:
        try:
            print("begun", flush=True)
            while True:
                act()
        except KeyboardInterrupt:
            print(time.monotonic(), time.process_time(), *sorted(os.listdir(folder)), flush=True)


def measure(name: str, times: int, cpu: bool) -> tuple[list[float], str]:
    """Return the delays of a phase, and what was left behind or went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", name, folder]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            first = child.stdout.readline()
            if not first:
                return [], "the phase failed"
            duration = min(float(first), 3.0)
            clock = (~child.pid << 3) | 2  # the processor time of a process: clock_getcpuclockid(3)
            delays, wrong = [], ""
            for _ in range(times):
                child.stdin.write("go\n")
                child.stdin.flush()
                child.stdout.readline()
                time.sleep(random.uniform(0, 1.5 * duration))
                wall, busy = time.monotonic(), time.clock_gettime(clock)
                os.kill(child.pid, signal.SIGINT)
                line = child.stdout.readline().split()
                if not line:
                    return delays, f"the process ended with {child.wait()}"
                delays.append(float(line[1]) - busy if cpu else float(line[0]) - wall)
                if any(left.endswith(".part") for left in line[2:]):
                    wrong = f"left behind: {' '.join(line[2:])}"
            child.stdin.close()
        return delays, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="run the phases whose names begin with one of these")
    parser.add_argument("--times", type=int, default=100, help="interrupts per phase (default: 100)")
    parser.add_argument("--cpu", action="store_true", help="count the processor time of the process")
    parser.add_argument("--seed", type=int, default=None, help="repeat the moments of an earlier run")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        serve(arguments.serve[0], Path(arguments.serve[1]))
        return 0
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    random.seed(seed)
    print(f"seed {seed}; seconds from Ctrl-C to the exception, {arguments.times} times each; {LIMIT} are allowed")
    failed = []
    for name in phases():
        if arguments.words and not name.startswith(tuple(arguments.words)):
            continue
        delays, wrong = measure(name, arguments.times, arguments.cpu)
        delays.sort()
        late = sum(delay > LIMIT for delay in delays)
        if late or wrong:
            failed.append(name)
        figures = f"median {delays[len(delays) // 2]:.3f}  most {delays[-1]:.3f}  late {late}" if delays else ""
        print(f"{name:28} {figures}  {wrong}", flush=True)
    print(f"{len(failed)} failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
