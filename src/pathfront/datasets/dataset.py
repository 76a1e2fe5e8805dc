"""What is known of a public graph before it is downloaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any


@dataclass(frozen=True, slots=True)
class Dataset:
    """A public graph: where it is, and what it holds.

    >>> import pathfront as pf
    >>> pf.datasets.describe("USA-road-d.NY").vertices
    264346
    """

    name: str
    collection: str
    """dimacs9, snap or suitesparse: the folder of its file in the cache, on a mirror and in PATHFRONT_DATA."""
    url: str
    vertices: int
    arcs: int
    """As published, an undirected edge counted twice; loops and parallel edges are counted differently by some."""
    about: str
    """What the graph shows, in a few words."""
    file: str
    """The name of the file that is kept."""
    sha256: str | None = None
    """The checksum of the file, where it is known; else that of the first download is recorded."""
    bytes: int | None = None
    """The size of the file, where it is known."""
    read_options: Mapping[str, Any] = field(default_factory=dict)
    """The options of `pf.read` by which the file becomes the graph, where its contents do not say so."""
    coordinates: Dataset | None = None
    """The file of the coordinates, where there is one; its number of arcs is 0."""

    @property
    def path(self) -> str:
        """The file's place in the cache, on a mirror and in PATHFRONT_DATA."""
        return f"{self.collection}/{self.file}"

    @property
    def remote_file(self) -> str:
        """The name of the file that is downloaded; an archive holds the file that is kept."""
        return PurePosixPath(self.url).name

    @property
    def is_archive(self) -> bool:
        """Whether what is downloaded is an archive."""
        return self.remote_file.endswith(".tar.gz")
