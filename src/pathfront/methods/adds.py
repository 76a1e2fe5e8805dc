"""ADDS, asynchronous dynamic delta-stepping: a manager hands out the buckets, and chooses their width as it goes."""

from __future__ import annotations

import math

import numpy as np

from pathfront import _core
from pathfront.methods.delta_stepping import width_exponent
from pathfront.methods.method import Knob, Method, Outcome, Problem
from pathfront.methods.native import arguments, outcome


def run(problem: Problem) -> Outcome:
    """Run the native engine."""
    knobs, graph = problem.knobs, problem.graph
    whole = graph.weights is None or graph.weights.dtype.kind != "f"
    settings = _core.AddsSettings(
        exponent=width_exponent(graph, problem.delta),
        lowest=0 if whole else -1000,
        highest=62 if whole else 1000,
        adaptive=knobs["adaptive"],
        buckets=knobs["buckets"],
        block_bits=knobs["block"].bit_length() - 1,
        segment_bits=knobs["segment"].bit_length() - 1,
        most_blocks=knobs["pool"] or 0,
        patience=knobs["patience"],
    )
    answer, report, samples = _core.adds(
        **arguments(problem),
        heaviest=graph.weight_summary().heaviest,
        settings=settings,
        threads=problem.threads,
    )
    return outcome(answer, threads=problem.threads, delta=report["deltas"][0][1])


METHOD = Method(
    name="adds",
    summary="Asynchronous delta-stepping: a manager hands out the buckets and adjusts their width.",
    run=run,
    paper="K. Wang, D. Fussell, C. Lin, A fast work-efficient SSSP algorithm for GPUs, PPoPP 2021",
    limits="weights >= 0",
    knobs=(
        Knob("buckets", 32, "how many buckets there are, 2 to 4096"),
        Knob("adaptive", True, "whether delta changes while the search runs"),
        Knob("block", 4096, "items of a memory block, a power of two"),
        Knob("segment", 256, "items with a counter of their own, a power of two, at most a block"),
        Knob("pool", None, "the most memory blocks; None: as many as memory holds"),
        Knob("patience", 0.0, "seconds without progress before the search is given up; 0: never"),
    ),
    parallel=True,
    has_delta=True,
)
