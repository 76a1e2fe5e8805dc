"""`shortest_paths_many`: one result after the other, in bounded memory.

Each search runs on one thread, and as many run at once as there are threads. With more sources than cores this is
faster than several threads per search: the searches share only the graph. The threads are Python's; searches release
the interpreter lock.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any

from pathfront.api import shortest_paths
from pathfront.graph import as_graph, index
from pathfront.paths import ShortestPaths
from pathfront.sources import as_sources, raise_if_stopped
from pathfront.validation import as_threads
from pathfront.workers import Workers


def shortest_paths_many(graph: object, sources: object, **options: Any) -> Iterator[ShortestPaths]:
    """Yield the shortest paths from each source, in order, with the options of `shortest_paths`.

    On the CPU `threads` searches run at a time, at most that many ahead of the last result taken: memory does not grow
    with the number of sources. On a GPU the searches run one after the other. `progress` is called for each search.

    >>> import pathfront as pf
    >>> graph = pf.generate.grid(5, 5, weights="unit")
    >>> [int(paths.distance.max()) for paths in pf.shortest_paths_many(graph, [0, 12])]
    [8, 4]
    """
    made = as_graph(graph)
    starts = as_sources(made, sources)
    device = options.get("device", "cpu")
    on_cpu = isinstance(device, str) and device == "cpu"
    threads = options.pop("threads", None)
    workers = min(as_threads(threads), max(len(starts), 1)) if on_cpu else 1
    progress = options.pop("progress", None)
    stop = threading.Event()

    def check(fraction: float) -> None:
        raise_if_stopped(stop)
        if progress is not None:
            progress(fraction)

    def one(start: int) -> ShortestPaths:
        return shortest_paths(made, index(start), threads=1 if on_cpu else threads, progress=check, **options)

    return _run_ahead(one, starts, workers, stop)


def _run_ahead(
    one: Callable[[int], ShortestPaths], starts: Iterable[int], workers: int, stop: threading.Event
) -> Iterator[ShortestPaths]:
    pending: deque[Future[ShortestPaths]] = deque()
    with Workers(workers) as pool:
        try:
            for start in starts:
                pending.append(pool.submit(one, start))
                if len(pending) > workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            stop.set()  # the results of the searches that still run are not wanted
