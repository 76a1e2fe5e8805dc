"""Where downloaded graphs are kept, and whether they are what they were.

The folder is the one that PATHFRONT_CACHE names, else `pathfront` in the platform's folder for caches. It has a folder
for each collection, as PATHFRONT_DATA and mirrors have. The checksum of a file that is downloaded for the first time,
or put there by hand, is recorded beside it as `FILE.sha256`, in the form that `sha256sum --check` reads, and compared
from then on: it shows that a file has changed since, not that it was right at first. Files whose checksum the
catalogue knows are compared with that.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from pathfront.datasets.dataset import Dataset
from pathfront.exceptions import DownloadError
from pathfront.formats.replacing import replacing

_PIECE = 1 << 20


def folder() -> Path:
    """Return the folder of downloaded graphs; it need not exist.

    >>> import os, pathfront as pf
    >>> os.environ["PATHFRONT_CACHE"] = "/tmp/graphs"
    >>> str(pf.datasets.folder())
    '/tmp/graphs'
    >>> del os.environ["PATHFRONT_CACHE"]
    """
    chosen = os.environ.get("PATHFRONT_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pathfront"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pathfront"


def place(dataset: Dataset) -> Path:
    """Return where the file of a graph is, or will be, in the cache."""
    return folder() / dataset.path


def of_the_user(dataset: Dataset) -> Path | None:
    """Return the file in PATHFRONT_DATA (default: ../shared/data), or None; it is used as it is."""
    base = Path(os.environ.get("PATHFRONT_DATA", "../shared/data"))
    found = (path for path in (base / dataset.path, base / dataset.file) if path.is_file())
    return next(found, None)


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def recorded(dataset: Dataset) -> str | None:
    """Return the checksum that was recorded at the first download, or None."""
    try:
        words = _record(place(dataset)).read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return None
    return words[0] if words else None


def record(path: Path) -> None:
    """Record the checksum of a file."""
    line = f"{checksum(path)}  {path.name}\n"
    with replacing(_record(path)) as file:
        file.write(line.encode())


def verified(dataset: Dataset) -> Path | None:
    """Return the file in the cache, which must have its checksum, or None if it is not there."""
    path = place(dataset)
    if not path.is_file():
        return None
    wanted = dataset.sha256 or recorded(dataset)
    if wanted is None:
        record(path)  # put there by hand
    elif (found := checksum(path)) != wanted:
        what = "its" if dataset.sha256 else "the one recorded when it was first used,"
        raise DownloadError(
            f"{path} has the SHA-256 {found[:16]}..., not {what} {wanted[:16]}...: it was changed or damaged; "
            f"remove it{'' if dataset.sha256 else f' and {_record(path).name}'}, and fetch {dataset.name!r} again."
        )
    return path


def _record(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")
