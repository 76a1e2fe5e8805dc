"""Public graphs by name: the road networks of the 9th DIMACS Challenge, SNAP's networks, matrices of SuiteSparse.

`names()` lists them, `describe(name)` says what is known of one, `fetch(name)` downloads it once and returns the path
of its file, `load(name)` reads it. A file in the folder that PATHFRONT_DATA names is used first, at `COLLECTION/FILE`
or directly there; then the cache (`cache.py`), where files are compared with their checksums; then it is downloaded
(`download.py`), which needs the extra `datasets`, from the collection's server or from the one that PATHFRONT_MIRROR
names, which has the same folders.
"""

from __future__ import annotations

from pathlib import Path

from pathfront.datasets import cache
from pathfront.datasets.cache import folder
from pathfront.datasets.catalogue import DATASETS
from pathfront.datasets.dataset import Dataset
from pathfront.exceptions import ArgumentError
from pathfront.formats import read
from pathfront.graph import Graph
from pathfront.progress import Progress
from pathfront.validation import as_flag
from pathfront.wording import choice_message, hint, shown

__all__ = ["Dataset", "describe", "fetch", "folder", "load", "names", "whereabouts"]

COLLECTIONS = ("dimacs9", "snap", "suitesparse")


def names(collection: str | None = None) -> list[str]:
    """Return the names of all graphs, or of those of one collection: dimacs9, snap or suitesparse.

    >>> import pathfront as pf
    >>> pf.datasets.names("dimacs9")[:3]
    ['rome99', 'USA-road-d.NY', 'USA-road-t.NY']
    """
    if collection is not None and collection not in COLLECTIONS:
        raise ArgumentError(choice_message("collection", collection, COLLECTIONS))
    return [name for name, each in DATASETS.items() if collection in (None, each.collection)]


def describe(name: str) -> Dataset:
    """Return what is known of a graph: its size, what it shows, where it is.

    >>> import pathfront as pf
    >>> pf.datasets.describe("wiki-Vote").about
    'votes for administrators of Wikipedia'
    """
    if type(name) is not str or name not in DATASETS:
        raise ArgumentError(
            f"name is {shown(name)}{hint(name, DATASETS)}, which is none of the {len(DATASETS)} graphs; "
            "pf.datasets.names() lists them."
        )
    return DATASETS[name]


def whereabouts(name: str) -> Path | None:
    """Return the file of a graph in PATHFRONT_DATA or the cache, or None if it would be downloaded.

    >>> import pathfront as pf
    >>> pf.datasets.whereabouts("rome99").name  # doctest: +SKIP
    'rome99.gr'
    """
    return _found(describe(name))


def fetch(name: str, *, coordinates: bool = False, progress: Progress | None = None) -> Path:
    """Return the path of a graph's file, which is downloaded unless it is there; with `coordinates` of theirs.

    `progress` is called with the share of the download that is done. Without a network the error, a `DownloadError`,
    says where to put the file by hand.

    >>> import pathfront as pf
    >>> pf.read(pf.datasets.fetch("rome99")).n  # doctest: +SKIP
    3353
    """
    dataset = describe(name)
    if as_flag(coordinates, "coordinates"):
        dataset = _coordinates_of(dataset)
    found = cache.of_the_user(dataset) or cache.verified(dataset)
    if found is None:
        from pathfront.datasets.download import download

        found = download(dataset, progress)
    return found


def load(name: str, *, coordinates: bool = False, progress: Progress | None = None) -> Graph:
    """Return a graph by name, downloaded unless it is there; with `coordinates` also theirs, of the road networks.

    Weights are those of the file: none in SNAP, and in SuiteSparse the entries of the matrix, some of them negative.

    >>> import pathfront as pf
    >>> pf.datasets.load("USA-road-d.NY", coordinates=True).coordinates.shape  # doctest: +SKIP
    (264346, 2)
    """
    dataset = describe(name)
    options = dict(dataset.read_options)
    if as_flag(coordinates, "coordinates"):
        options["coordinates"] = fetch(name, coordinates=True, progress=progress)
    return read(fetch(name, progress=progress), **options)


def _found(dataset: Dataset) -> Path | None:
    path = cache.place(dataset)
    return cache.of_the_user(dataset) or (path if path.is_file() else None)


def _coordinates_of(dataset: Dataset) -> Dataset:
    if dataset.coordinates is None:
        raise ArgumentError(
            f"coordinates is True, but {dataset.name!r} has none; only the road networks USA-road-... of dimacs9 do."
        )
    return dataset.coordinates
