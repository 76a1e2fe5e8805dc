"""The description of a file format in the registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pathfront.graph import Graph
from pathfront.validation import Array


class Part(StrEnum):
    """A part of a graph that some formats cannot hold."""

    WEIGHTS = "weights"
    DIRECTED = "directed arcs"
    PARALLEL = "parallel arcs"
    LOOPS = "loops"
    ISOLATED = "vertices without arcs"
    LABELS = "labels"
    COORDINATES = "coordinates"
    SOURCE = "a default source"


ARCS = frozenset({Part.WEIGHTS, Part.DIRECTED, Part.PARALLEL, Part.LOOPS, Part.ISOLATED})
"""All about arcs: what most formats hold."""


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
    """Takes a Graph with no part that it cannot hold, a Sink and the write options; refuses weights that do not fit."""
    holds: frozenset[Part]
    """The parts of a graph that are read back from a file."""
    holds_with: Callable[[Mapping[str, Any]], frozenset[Part]] | None = field(default=None, repr=False)
    """Returns the parts that are held with these write options, where they change that."""
    cures: Mapping[Part, str] = field(default_factory=dict, repr=False)
    """How a part can be written all the same."""
    refuses_labels: Callable[[Array], str | None] = field(default=lambda labels: None, repr=False)
    """Returns why a format that holds labels cannot hold these, or None."""
    resembles: Callable[[bytes], bool] = field(default=lambda head: False, repr=False)
    """Returns whether they may be this format; used if no format is certain and the name has no known ending."""
    needs_weights: Callable[[Mapping[str, Any]], bool] = field(default=lambda options: False, repr=False)
    """Takes the write options; returns whether a graph without weights is refused."""
    read_options: tuple[str, ...] = ()
    write_options: tuple[str, ...] = ()

    def held(self, options: Mapping[str, Any]) -> frozenset[Part]:
        """Return the parts that a file written with these options holds."""
        return self.holds if self.holds_with is None else self.holds_with(options)

    @property
    def cannot_hold(self) -> tuple[Part, ...]:
        """The parts that a file written without options does not hold."""
        return tuple(part for part in Part if part not in self.holds)


def first_refused(labels: Array, fits: Callable[[Any], bool], kept: str) -> str | None:
    """Return which of the labels is the first that does not fit, beside what the format keeps; None if all fit."""
    for vertex, label in enumerate(labels.tolist()):
        if not fits(label):
            return f" (that of vertex {vertex} is {label!r}, but labels are kept only if they are {kept})"
    return None
