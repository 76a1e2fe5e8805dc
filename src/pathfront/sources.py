"""The sources of calls that take several, and how their searches stop each other."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np

from pathfront.api import is_one_vertex
from pathfront.exceptions import ArgumentTypeError
from pathfront.graph import Graph
from pathfront.validation import as_array, is_foreign_array
from pathfront.wording import shown


class StoppedError(Exception):
    """Another search failed or was interrupted, so this one is stopped."""


def raise_if_stopped(stop: threading.Event) -> None:
    """End a search that nobody waits for any more."""
    if stop.is_set():
        raise StoppedError


def as_sources(graph: Graph, sources: object, name: str = "sources") -> list[int]:
    """Return the positions of several vertices, which may be the same, and check the graph.

    `name` is what errors call the argument.
    """
    if is_foreign_array(sources) or isinstance(sources, np.ma.MaskedArray):
        sources = as_array(sources, name)
    single = isinstance(sources, np.ndarray) and sources.ndim == 0
    if single or not isinstance(sources, Iterable) or is_one_vertex(sources, graph):
        raise ArgumentTypeError(f"{name} is {shown(sources)}; give a list of vertices.")
    graph.check()
    by_position = graph.numbers == range(graph.n)
    if by_position and isinstance(sources, np.ndarray) and sources.dtype.kind in "iu" and sources.ndim == 1:
        positions: list[int] = sources.tolist()  # at once: one by one they take as long as small searches
        if all(0 <= position < graph.n for position in positions):
            return positions
    return [graph.vertex(source, f"{name}[{i}]") for i, source in enumerate(sources)]
