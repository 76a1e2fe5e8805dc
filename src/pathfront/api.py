"""The one call: `shortest_paths`. Everything is checked here, once; methods trust what they are given."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pathfront import methods
from pathfront.devices.names import as_device, family, is_name
from pathfront.dtypes import wider
from pathfront.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DistanceOverflowError,
    MethodError,
    NegativeCycleError,
    TimeLimitError,
    WeightError,
)
from pathfront.graph import Graph
from pathfront.methods.method import Method
from pathfront.paths import ShortestPaths, Stats
from pathfront.problem import Outcome, Problem
from pathfront.validation import Array, as_array, as_cutoff, as_flag, as_real, as_threads, is_on_device


def shortest_paths(
    graph: Graph,
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
    **options: Any,
) -> ShortestPaths:
    """Find the shortest paths from one vertex to all others.

    `source` is a vertex by index, or by name where the graph has labels. `threads` is the most that may be used (all
    cores by default; serial methods use one). Nothing farther than `cutoff` is explored; with `targets` the search
    stops when all of them are final. In both cases vertices that are not final count as unreached. `parents=False`
    saves the tree, `trace=True` keeps one row per iteration. `pf.methods.names()` lists the methods;
    `pf.methods.get(name).options` lists what else one understands.

    `device` is "cpu", "cuda" (the first NVIDIA GPU; "cuda:1" the second), or "emulated", which runs the kernels of a
    GPU on the CPU. With `output="device"` distances and parents stay there, as arrays that other libraries take
    without a copy, by DLPack or `__cuda_array_interface__`.

    A search that has not ended after `time_limit` seconds is stopped, which is an error, `TimeLimitError`.

    Distances have the type of the weights (uint32 hops without weights). Should one not fit, the whole result is of
    the next wider type; a distance beyond 64 bits is an error.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3])
    >>> pf.shortest_paths(graph, 0).distance.tolist()
    [0, 4, 7]
    >>> pf.shortest_paths(graph, 0, cutoff=5).reached.tolist()
    [True, True, False]
    """
    return search(
        graph,
        source,
        method=method,
        device=device,
        threads=threads,
        delta=delta,
        parents=parents,
        cutoff=cutoff,
        targets=targets,
        trace=trace,
        output=output,
        time_limit=time_limit,
        options=options,
    )


def search(
    graph: Graph,
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
    options: dict[str, Any],
    progress: Callable[[float], None] | None = None,
) -> ShortestPaths:
    """Do what `shortest_paths` promises; `progress` is called a few times a second, and may raise to end the search."""
    if not isinstance(graph, Graph):
        raise ArgumentTypeError(
            f"graph is a {type(graph).__name__}; make a pathfront.Graph of it first, with Graph.from_scipy, "
            "from_networkx, from_dense or from_edges."
        )
    chosen = methods.get(method)
    place = _require_device(chosen, device, threads)
    stays = _as_stays(output, place)
    start = graph.vertex(source, "source")
    workers, parents, trace = as_threads(threads), as_flag(parents, "parents"), as_flag(trace, "trace")
    graph.check()
    _require_weights(graph, chosen, cutoff, targets)
    dtype = graph.distance_dtype
    wanted = as_targets(targets, graph)
    width = _as_delta(delta, chosen)
    extra = as_options(options, chosen)
    progress = _limited(progress, time_limit)

    started = time.perf_counter()
    while True:
        problem = Problem(
            graph=graph,
            source=start,
            distance=np.empty(graph.n, dtype),
            parent=np.empty(graph.n, np.uint32) if parents else None,
            threads=workers,
            delta=width,
            cutoff=as_cutoff(cutoff, dtype),
            targets=wanted,
            trace=trace,
            options=extra,
            progress=progress,
            device=place,
            stays=stays,
        )
        outcome = chosen.run(problem)
        if not outcome.overflow:
            break
        wide = wider(dtype)
        if wide is None:
            raise DistanceOverflowError(
                f"a distance from vertex {start} does not fit {dtype}, the widest type of its kind; "
                "scale the weights down, or set a cutoff."
            )
        dtype = wide
    seconds = time.perf_counter() - started

    if outcome.cycle is not None:
        raise negative_cycle(graph, outcome.cycle)
    distance, parent = _answers(problem, outcome)
    return ShortestPaths(
        graph=graph,
        source=start,
        distance=distance,
        parent=parent,
        stats=_stats(chosen, place, outcome, seconds),
        radius=outcome.radius,
        trace=outcome.trace,
    )


def _require_device(method: Method, device: object, threads: object) -> str:
    if isinstance(device, str) and is_name(device) and family(device) not in method.devices:
        raise MethodError(f"device is {device!r}, but method={method.name!r} runs on {', '.join(method.devices)} only.")
    place = as_device(device)
    if place != "cpu" and threads is not None:
        raise ArgumentError(f"threads is {threads}, but device={device!r} has its own; leave threads out.")
    return place


def _limited(progress: Callable[[float], None] | None, time_limit: object) -> Callable[[float], None] | None:
    """Return a progress function that ends the search when its time is over."""
    if time_limit is None:
        return progress
    seconds = as_real(time_limit, "time_limit")
    if seconds <= 0:
        raise ArgumentError(f"time_limit is {time_limit}, but it must be greater than 0.")
    end = time.monotonic() + seconds

    def look(fraction: float) -> None:
        if time.monotonic() > end:
            raise TimeLimitError(f"the search took longer than its time_limit of {seconds:g} seconds, and was stopped.")
        if progress is not None:
            progress(fraction)

    return look


def _as_stays(output: object, place: str) -> bool:
    if output not in ("numpy", "device"):
        raise ArgumentError(f"output is {output!r}, but it must be 'numpy' or 'device'.")
    if output == "device" and place == "cpu":
        raise ArgumentError("output is 'device', but device='cpu' has its answers in numpy's arrays; leave output out.")
    return output == "device"


def _answers(problem: Problem, outcome: Outcome) -> tuple[Any, Any]:
    """Return distances and parents, where they are wanted."""
    if not problem.stays:
        return problem.distance, problem.parent
    if outcome.kept is not None:
        return outcome.kept
    from pathfront.devices.gpu.resident import upload

    parent = None if problem.parent is None else upload(problem.parent, problem.parent.dtype, problem.device)
    return upload(problem.distance, problem.distance.dtype, problem.device), parent


def _require_weights(graph: Graph, method: Method, cutoff: object, targets: object) -> None:
    summary = graph.weight_summary()
    place = summary.first_negative
    if method.unit_weights and not summary.all_one:
        weight = summary.heaviest if summary.heaviest != 1 else summary.lightest
        raise WeightError(
            f"some weight is {weight}, but method={method.name!r} counts arcs, so all must be 1; "
            "use method='auto', or graph.with_weights(None) to count arcs."
        )
    if place < 0:
        return
    weight = graph.weights[place]  # type: ignore[index]
    if not method.negative_weights:
        raise WeightError(
            f"weights[{place}] is {weight}, but method={method.name!r} needs weights >= 0; use method='bellman_ford'."
        )
    require_nonnegative_for(graph, cutoff=cutoff, targets=targets)


def require_nonnegative_for(graph: Graph, **given: object) -> None:
    """Refuse options that make no sense with negative weights: the farther vertex may be on the way to the nearer."""
    place = graph.weight_summary().first_negative
    for name, value in given.items():
        if value is not None and place >= 0:
            raise WeightError(
                f"weights[{place}] is {graph.weights[place]}, but {name} needs weights >= 0; "  # type: ignore[index]
                f"leave {name} out and select afterwards."
            )


def as_targets(targets: object, graph: Graph) -> Array | None:
    """Return targets as vertices, or None for all."""
    if targets is None:
        return None
    if is_on_device(targets):
        targets = as_array(targets, "targets")
    if isinstance(targets, np.ndarray):
        targets = targets.reshape(-1) if targets.ndim == 0 else targets
    elif isinstance(targets, str) or not isinstance(targets, Iterable):
        targets = [targets]
    listed = [graph.vertex(target, f"targets[{i}]") for i, target in enumerate(targets)]
    if not listed:
        raise ArgumentError("targets is empty; leave it out to reach every vertex.")
    return np.array(listed, dtype=np.uint32)


def _as_delta(delta: object, method: Method) -> float | None:
    if delta is None:
        return None
    if not method.has_delta:
        having = [name for name in methods.names() if methods.get(name).has_delta]
        cure = f"methods with one: {', '.join(having)}" if having else "leave it out"
        raise MethodError(f"delta is {delta}, but method={method.name!r} has no delta; {cure}.")
    width = as_real(delta, "delta")
    if width <= 0:
        raise ArgumentError(f"delta is {delta}, but it must be greater than 0.")
    return width


def as_options(options: dict[str, Any], method: Method) -> dict[str, Any]:
    """Return all options of a method, those given, checked, and the defaults of the others."""
    known = {option.name: option.default for option in method.options}
    checks = {option.name: option.check for option in method.options}
    for name in options:
        if name not in known:
            has = f"its options are {', '.join(known)}" if known else "it has no options"
            raise MethodError(f"{name} is not an option of method={method.name!r}; {has}.")
    return known | {name: check(value, name) if (check := checks[name]) else value for name, value in options.items()}


def negative_cycle(graph: Graph, cycle: list[int]) -> NegativeCycleError:
    """Return the error that names a cycle."""
    names = [str(v) for v in (cycle if graph.labels is None else graph.labels[cycle].tolist())]
    shown = names if len(names) <= 12 else [*names[:10], f"... {len(names) - 10} more ..."]
    return NegativeCycleError(
        f"the graph has a negative cycle, {' -> '.join([*shown, names[0]])}, so shortest paths do not exist.",
        cycle,
    )


def _stats(method: Method, device: str, outcome: Outcome, seconds: float) -> Stats:
    return Stats(
        method=outcome.method or method.name,
        device=device,
        threads=outcome.threads,
        delta=outcome.delta,
        iterations=outcome.iterations,
        vertices_processed=outcome.vertices_processed,
        edges_relaxed=outcome.edges_relaxed,
        seconds=seconds,
        reason=outcome.reason,
        extra=outcome.extra,
    )
