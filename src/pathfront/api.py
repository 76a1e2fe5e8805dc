"""`shortest_paths`: validates its arguments, runs a method, and wraps the answer. Methods trust their `Problem`."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from pathfront import _core, methods
from pathfront.devices.names import as_device, family, is_name
from pathfront.dtypes import wider
from pathfront.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DistanceOverflowError,
    MethodError,
    NegativeCycleError,
    WeightError,
)
from pathfront.graph import Graph, as_graph
from pathfront.methods import auto
from pathfront.methods.method import Method
from pathfront.paths import ShortestPaths, Stats
from pathfront.problem import Outcome, Problem
from pathfront.progress import Progress, time_limited
from pathfront.validation import Array, as_array, as_cutoff, as_flag, as_positive, as_threads, is_foreign_array
from pathfront.wording import choice_message, described, option_message, shown

_ROUNDING = 1e-6
"""A negative cycle whose length is so small a part of its heaviest weight may be due to rounded weights."""


def shortest_paths(
    graph: object,
    source: object,
    *,
    method: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    delta: float | None = None,
    parents: bool = True,
    cutoff: float | None = None,
    targets: object = None,
    trace: bool = False,
    output: str = "numpy",
    time_limit: float | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> ShortestPaths:
    """Find the shortest paths from one vertex to all others.

    `graph` may also be a sparse matrix of scipy or a graph of networkx, igraph, NetworKit, rustworkx or graph-tool,
    which is converted by every call: its attribute "weight" holds the weights, and in networkx, as there, an edge
    without one weighs 1. `source` is a vertex: its label where the graph has labels, otherwise its position, 0..n-1.
    (`pf.index(i)` means a position in any graph, `graph.unlabelled()` takes positions only.) `threads` is the most that
    may be used (all cores by default; serial methods use one). Nothing farther than `cutoff` is explored; with
    `targets` the search stops when all of them are final. In both cases vertices that are not final count as unreached.
    `delta` is the bucket width of methods that have one; where they round it, `stats.delta` is the width used and
    `stats.reason` says so. `parents=False` computes no tree, `trace=True` records one row per iteration.
    `pf.methods.names()` lists the methods, `pf.methods.get(name).options` the further options of one. `device` is
    "cpu", "cuda" (the first NVIDIA GPU; "cuda:1" the second), or "emulated", which runs the kernels of a GPU on the
    CPU. With `output="device"` distances and parents are arrays of the device, which other libraries take without a
    copy (DLPack, `__cuda_array_interface__`).

    A search that takes longer than `time_limit` seconds ends with the error `TimeLimitError`. `progress` is called a
    few times a second with the share of the work that is done, 0 where a method does not know it; if it raises, the
    search ends.

    Distances have the type of the weights (uint32 hops without weights). If a distance does not fit, the whole result
    has the next wider type; a distance beyond 64 bits is an error. Sums of floating-point weights are rounded after
    each arc; if some weight is negative, they are exact, and each distance is rounded once. A cycle is negative, which
    is an error, if its exact length is.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3])
    >>> pf.shortest_paths(graph, 0).distance.tolist()
    [0, 4, 7]
    >>> pf.shortest_paths(graph, 0, cutoff=5).reached.tolist()
    [True, True, False]
    """
    graph = as_graph(graph)
    chosen, how = as_choice(method, device, threads, delta, options, _ARGUMENTS)
    fields = {
        **how,
        "source": graph.vertex(source, "source"),
        "parent": np.empty(graph.n, np.uint32) if as_flag(parents, "parents") else None,
        "targets": as_targets(targets, graph),
        "trace": as_flag(trace, "trace"),
        "on_device": _as_on_device(output, how["device"]),
    }
    checked = as_progress(progress)
    if time_limit is None:
        return _solve(chosen, graph, cutoff, progress=checked, **fields)
    with time_limited(as_positive(time_limit, "time_limit"), checked) as limited:
        return _solve(chosen, graph, cutoff, progress=limited, **fields)


_ARGUMENTS = ("source", *(shortest_paths.__kwdefaults__ or ()))


def as_choice(
    method: object, device: object, threads: object, delta: object, options: dict[str, Any], arguments: Iterable[str]
) -> tuple[Method, dict[str, Any]]:
    """Return the method that was chosen, and the fields of a problem that say how it runs.

    `arguments` are those of the call, of which an unknown option may stand for one.
    """
    chosen = methods.get(method)  # type: ignore[arg-type]  # what is no name is an error there
    return chosen, {
        "device": _require_device(chosen, device, threads),
        "threads": as_threads(threads),
        "delta": _as_delta(delta, chosen),
        "options": as_options(options, chosen, arguments),
    }


def _solve(method: Method, graph: Graph, cutoff: object, **fields: Any) -> ShortestPaths:
    graph.check()
    require_weights(graph, method, cutoff, fields["targets"])
    started = time.perf_counter()
    problem, outcome = run(method, graph, cutoff, **fields)
    seconds = time.perf_counter() - started
    stats = Stats(
        method=outcome.method,
        device=outcome.device or problem.device,
        threads=outcome.threads,
        delta=outcome.delta,
        iterations=outcome.iterations,
        vertices_processed=outcome.vertices_processed,
        edges_relaxed=outcome.edges_relaxed,
        seconds=seconds,
        reason=outcome.reason,
        extra=outcome.extra,
    )
    return ShortestPaths(graph, problem.source, *_answers(problem, outcome), stats, outcome.radius, outcome.trace)


def run(method: Method, graph: Graph, cutoff: object, **fields: Any) -> tuple[Problem, Outcome]:
    """Run a method on the problem with these fields; if a distance does not fit its type, again with the wider type."""
    dtype = graph.distance_dtype
    while True:
        problem = Problem(graph=graph, distance=np.empty(graph.n, dtype), cutoff=as_cutoff(cutoff, dtype), **fields)
        outcome = auto.solve(problem, method)
        if outcome.cycle is not None:
            raise negative_cycle(graph, outcome.cycle)
        if not outcome.overflow:
            return problem, outcome
        wide = wider(dtype)
        if wide is None:
            origin = graph.described(problem.source) if problem.others is None else "the sources"
            raise distance_overflow(origin, dtype)
        dtype = wide


def _require_device(method: Method, device: object, threads: object) -> str:
    if isinstance(device, str) and is_name(device) and family(device) not in method.devices:
        raise MethodError(f"device is {device!r}, but method={method.name!r} runs on {', '.join(method.devices)} only.")
    name = as_device(device)
    if name != "cpu" and threads is not None:
        raise ArgumentError(f"threads is {shown(threads)}, but device={device!r} has its own; leave threads out.")
    return name


def as_progress(progress: object) -> Progress | None:
    """Return a progress callback, or None."""
    if progress is not None and not callable(progress):
        raise ArgumentTypeError(f"progress is {described(progress)}; give a function of one number.")
    return progress


def _as_on_device(output: object, device: str) -> bool:
    if not isinstance(output, str) or output not in ("numpy", "device"):
        raise ArgumentError(choice_message("output", output, ("numpy", "device")))
    if output == "device" and device == "cpu":
        raise ArgumentError("output is 'device', but device='cpu' has its answers in numpy's arrays; leave output out.")
    return output == "device"


def _answers(problem: Problem, outcome: Outcome) -> tuple[Any, Any]:
    """Return distances and parents, as arrays of the host or of the device."""
    if not problem.on_device:
        return problem.distance, problem.parent
    if outcome.device_arrays is not None:
        return outcome.device_arrays
    from pathfront.devices.gpu.resident import upload

    parent = None if problem.parent is None else upload(problem.parent, problem.parent.dtype, problem.device)
    return upload(problem.distance, problem.distance.dtype, problem.device), parent


def require_weights(graph: Graph, method: Method, cutoff: object, targets: object) -> None:
    """Reject weights that the method, or one of the options, does not take."""
    summary = graph.weight_summary()
    if method.unit_weights and not summary.all_one:
        weight = summary.heaviest if summary.heaviest != 1 else summary.lightest
        raise WeightError(
            f"some weight is {weight}, but method={method.name!r} counts arcs, so all must be 1; "
            "use method='auto', or graph.with_weights(None) to count arcs."
        )
    if not method.negative_weights:
        require_nonnegative(graph, f"method={method.name!r}", "use method='bellman_ford'")
    require_nonnegative_for(graph, cutoff=cutoff, targets=targets)


def require_nonnegative_for(graph: Graph, **given: object) -> None:
    """Reject options that need weights >= 0: with others, a path to a near vertex may lead through a farther one."""
    for name, value in given.items():
        if value is not None:
            require_nonnegative(graph, name, f"leave {name} out and select afterwards")


def require_nonnegative(graph: Graph, what: str, cure: str) -> None:
    """Reject negative weights, of which `what` takes none."""
    i = graph.weight_summary().first_negative
    if i >= 0:
        weight = graph.weights[i]  # type: ignore[index]
        raise WeightError(f"weights[{i}] is {weight}, but {what} needs weights >= 0; {cure}.")


def as_targets(targets: Any, graph: Graph) -> Array | None:
    """Return targets as vertices, or None for all."""
    if targets is None:
        return None
    if is_foreign_array(targets) or isinstance(targets, np.ma.MaskedArray):
        targets = as_array(targets, "targets")
    if isinstance(targets, np.ndarray):
        targets = targets.reshape(-1) if targets.ndim == 0 else targets
    elif is_one_vertex(targets, graph):
        targets = [targets]
    listed = [graph.vertex(target, f"targets[{i}]") for i, target in enumerate(targets)]
    if not listed:
        raise ArgumentError("targets is empty; leave it out to reach every vertex.")
    return np.array(listed, dtype=np.uint32)


def is_one_vertex(value: Any, graph: Graph) -> bool:
    """Return whether a value is one vertex rather than several: text, a tuple that is a label, or no collection."""
    return (
        isinstance(value, str | bytes)
        or not isinstance(value, Iterable)
        or (isinstance(value, tuple | frozenset) and graph.has_label(value))
    )


def _as_delta(delta: object, method: Method) -> float | None:
    if delta is None:
        return None
    if not method.has_delta:
        having = ", ".join(name for name in methods.names() if methods.get(name).has_delta)
        raise MethodError(
            f"delta is {shown(delta)}, but method={method.name!r} has no delta; methods with one: {having}."
        )
    return as_positive(delta, "delta")


def as_options(options: dict[str, Any], method: Method, arguments: Iterable[str] = ()) -> dict[str, Any]:
    """Return all options of a method: those given, checked, and the defaults of the others.

    `arguments` are names that an unknown one may stand for as well.
    """
    if not (options or method.options):
        return options
    known = {option.name: option.default for option in method.options}
    checks = {option.name: option.check for option in method.options}
    for name in options:
        if name not in known:
            raise MethodError(option_message(name, f"method={method.name!r}", known, arguments))
    return known | {name: check(value, name) if (check := checks[name]) else value for name, value in options.items()}


def distance_overflow(origin: str, dtype: np.dtype[Any]) -> DistanceOverflowError:
    """Return the error about a distance that a type cannot hold; only who chose the type can choose a wider one."""
    wide = wider(dtype)
    cure = "scale the weights down" if wide is None else f"pass dtype={wide.name!r}, or leave it out"
    kind = ", the widest type of its kind" if wide is None else ""
    return DistanceOverflowError(f"a distance from {origin} does not fit {dtype}{kind}; {cure}, or set a cutoff.")


def negative_cycle(graph: Graph, cycle: list[int]) -> NegativeCycleError:
    """Return the error that names a cycle."""
    vertices = [graph.name_of(vertex) for vertex in cycle]
    names = [str(vertex) for vertex in vertices]
    listed = names if len(names) <= 12 else [*names[:10], f"... {len(names) - 10} more ..."]
    around = " -> ".join([*listed, names[0]])
    arcs = np.empty(len(cycle), np.int64)
    _core.path_arcs(graph.native, np.array([*cycle, cycle[0]], np.uint32), arcs)
    assert graph.weights is not None
    weights = graph.weights[arcs]
    why = ""
    if weights.dtype.kind != "f":
        length: float = sum(weights.tolist())
    elif abs(length := _exact_sum(weights)) < _ROUNDING * float(np.abs(weights).max()):
        why = "; weights like 0.1 are rounded and may not add up to 0: use integers, or add a little to each weight"
    return NegativeCycleError(
        f"the graph has a negative cycle, {around}, of length {length}, so shortest paths do not exist{why}.",
        vertices,
    )


def _exact_sum(weights: Array) -> float:
    """Return the sum, rounded once; infinity if it is beyond the range of float64."""
    try:
        return math.fsum(weights)
    except OverflowError:  # a partial sum is beyond the range, and perhaps not the whole one
        total = sum(map(Fraction, weights.tolist()))
    try:
        return float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf
