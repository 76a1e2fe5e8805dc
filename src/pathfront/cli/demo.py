"""`pathfront demo`: a complete search on a generated graph."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import REFUTED, CommandLineError
from pathfront.cli.solve import facts, summary

_ARCS_PER_VERTEX = 2.6
"""As in road networks, and so in the graphs that `road_like` makes."""

EPILOG = """\b
Examples:
  pathfront demo
  pathfront demo --arcs 10000000 --threads 1
"""
NEXT = (
    ("pathfront generate road_like 10000 -o roads.gr", "a graph to play with"),
    ("pathfront solve roads.gr --source 1 --path-to 100", "its shortest paths, and one of them"),
    ("pathfront methods", "what else there is"),
)


def demo(
    arcs: Annotated[int, inputs.whole_option("--arcs", help="Approximate number of arcs.")] = 1_000_000,
    seed: inputs.Seed = 1,
    threads: inputs.Threads = None,
    json: inputs.Json = False,
) -> None:
    """Solve a road-like graph of a million arcs.

    It is made on the spot. The answer is proved, and the longest of the shortest paths shown.
    """
    n = round(arcs / _ARCS_PER_VERTEX)
    if n < 2:
        raise CommandLineError(f"--arcs is {arcs}, but it must be at least {round(2 * _ARCS_PER_VERTEX)}")
    from pathfront import api, certificate, generate
    from pathfront.graph import index

    started = time.perf_counter()
    graph = generate.KINDS["road_like"](n, seed=seed)
    made = time.perf_counter() - started
    paths = api.shortest_paths(graph, graph.n // 2, threads=threads)
    started = time.perf_counter()
    verdict = certificate.verify(graph, paths, threads=threads)
    proved = time.perf_counter() - started

    end = index(graph.vertex(paths.summary().farthest))
    answer = summary(paths, f"road_like({n}, seed={seed})", [], [end])
    answer |= {"made_seconds": made, "verified": verdict.ok, "verified_seconds": proved}
    answer["violations"] = [violation.message for violation in verdict.violations]
    if json:
        output.show_json(answer)
    else:
        lines = facts(paths, answer, asked="auto")
        lines.insert(1, ("made in", output.seconds(made)))
        said = f"yes, in {output.seconds(proved)}: no arc improves a distance, parents form a tree"
        lines.append(("verified", said if verdict else f"NO: {verdict}"))
        output.show_facts(lines)
        print("\nTry next:")
        output.show_facts((f"  {command}", words) for command, words in NEXT)
    if not verdict:
        raise typer.Exit(REFUTED)
