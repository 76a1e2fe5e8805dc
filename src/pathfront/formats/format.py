"""The description of a file format in the registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pathfront.graph import Graph


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how it is recognised, read and written."""

    name: str
    summary: str
    suffixes: tuple[str, ...]
    """Endings of file names, without the ending of a compression."""
    sniff: Callable[[bytes], bool] = field(repr=False)
    """Returns whether the first bytes of a file can only be this format."""
    read: Callable[..., Graph] = field(repr=False)
    """Takes a Source and the read options."""
    write: Callable[..., None] = field(repr=False)
    """Takes a Graph, a Sink and the write options; refuses a graph that the format cannot hold."""
    resembles: Callable[[bytes], bool] = field(default=lambda head: False, repr=False)
    """Returns whether they may be this format; used if no format is certain and the name has no known ending."""
    needs_weights: Callable[[Mapping[str, Any]], bool] = field(default=lambda options: False, repr=False)
    """Takes the write options; returns whether a graph without weights is refused."""
    read_options: tuple[str, ...] = ()
    write_options: tuple[str, ...] = ()
