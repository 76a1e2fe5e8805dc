"""Downloads: whole or not at all, with the checksum that is known, and an error that says what to do.

`pooch` downloads to a temporary name in the cache, compares the checksum and renames. The transfer is our own, because
pooch's unpacks a `.gz` file where the server declares it an encoding, and takes a cut connection for the end of a file
whose length the server does not tell. A file whose checksum is not known is unpacked once, as a check that it is
whole, before its checksum is recorded. Of an archive only the matrix is kept.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from pathfront.datasets import cache
from pathfront.datasets.dataset import Dataset
from pathfront.exceptions import DownloadError, MissingExtraError
from pathfront.formats.replacing import replacing
from pathfront.progress import Progress

_PIECE = 1 << 18
_TIMES = (10, 60)
"""Seconds to wait for a connection, and for the next bytes."""
_GZIP = b"\x1f\x8b"


def download(dataset: Dataset, progress: Progress | None) -> Path:
    """Download a graph to its place in the cache; return the path."""
    pooch = _pooch()
    path, url = cache.place(dataset), address(dataset)
    with _explaining(dataset, url, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        arrived = pooch.retrieve(
            url,
            known_hash=None if dataset.is_archive else _known(dataset),
            fname=dataset.remote_file,
            path=path.parent,
            downloader=_Transfer(dataset, progress),
        )
        if dataset.is_archive:
            try:
                _unpack(Path(arrived), path)
            except FileNotFoundError:  # another process has unpacked it meanwhile
                if not path.is_file():
                    raise
            Path(arrived).unlink(missing_ok=True)
    found = cache.verified(dataset)
    assert found is not None
    return found


def address(dataset: Dataset) -> str:
    """Return where a graph is downloaded from: the collection, or the mirror that PATHFRONT_MIRROR names."""
    mirror = os.environ.get("PATHFRONT_MIRROR")
    return f"{mirror.rstrip('/')}/{dataset.collection}/{dataset.remote_file}" if mirror else dataset.url


def _known(dataset: Dataset) -> str | None:
    found = dataset.sha256 or cache.recorded(dataset)
    return None if found is None else f"sha256:{found}"


def _pooch() -> Any:
    try:
        import pooch
    except ImportError:
        raise MissingExtraError(
            "downloads need pooch, which is not installed; pip install 'pathfront[datasets]'."
        ) from None
    pooch.get_logger().setLevel("WARNING")  # it prints where it downloads to
    return pooch


class _Transfer:
    """What pooch calls to download a file."""

    def __init__(self, dataset: Dataset, progress: Progress | None) -> None:
        self.dataset, self.progress = dataset, progress

    def __call__(self, url: str, output_file: str, pooch: object, check_only: bool = False) -> None:
        """Download a file as it is on the server, without unpacking anything."""
        import requests
        from urllib3.exceptions import HTTPError

        plain = {"Accept-Encoding": "identity"}
        with requests.get(url, headers=plain, stream=True, timeout=_TIMES) as answer, open(output_file, "wb") as file:
            answer.raise_for_status()
            told = answer.headers.get("Content-Length", "")
            length = int(told) if told.isdecimal() else 0
            done = 0
            try:
                while piece := answer.raw.read(_PIECE, decode_content=False):
                    file.write(piece)
                    done += len(piece)
                    if self.progress is not None:
                        self.progress(done / length if length else 0.0)
            except HTTPError:  # no more bytes within the time, or fewer than there should be
                done = min(done, length - 1)
            if done < length:
                raise EOFError(f"the connection was cut in the middle of the file, of {length:,} bytes")
        _require_whole(Path(output_file), self.dataset)


def _require_whole(path: Path, dataset: Dataset) -> None:
    """Raise EOFError where a file is not what its name says, or ends too early."""
    with path.open("rb") as file:
        head = file.read(64)
    if not dataset.remote_file.endswith(".gz"):
        if head.lstrip()[:1] in (b"<", b""):
            raise EOFError("the server sent a web page, or nothing, in place of the file")
        return
    if head[:2] != _GZIP:
        raise EOFError(f"the server sent no gzip file: it begins with {head[:20]!r}")
    if _known(dataset) is None:
        try:
            with gzip.open(path) as unpacked:
                while unpacked.read(_PIECE):
                    pass
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise EOFError("what arrived is cut off or damaged: it cannot be unpacked") from None


def _unpack(archive: Path, target: Path) -> None:
    """Unpack the matrix of an archive of the SuiteSparse collection: NAME/NAME.mtx, nothing else."""
    with tarfile.open(archive, "r:gz") as members:
        for member in members:
            if member.isfile() and Path(member.name).name == target.name:
                contents = members.extractfile(member)
                assert contents is not None
                with contents, replacing(target) as file:
                    _copy(contents, file)
                return
    raise EOFError(f"the archive holds no {target.name}")


def _copy(source: IO[bytes], target: IO[bytes]) -> None:
    while piece := source.read(_PIECE):
        target.write(piece)


@contextlib.contextmanager
def _explaining(dataset: Dataset, url: str, path: Path) -> Iterator[None]:
    """Turn what may go wrong into one sentence that says what to do."""
    import requests

    host = urlsplit(url).hostname or url
    by_hand = f"put {path.name} into {path.parent} by hand, or set PATHFRONT_MIRROR to a server that has it"
    start = f"{dataset.name!r} was not downloaded: "
    try:
        yield
    except requests.HTTPError as error:
        code = error.response.status_code if error.response is not None else "an error"
        raise DownloadError(f"{start}{host} answered {code} for {url}; {by_hand}.") from None
    except (requests.ConnectionError, requests.Timeout) as error:
        raise DownloadError(f"{start}{host} cannot be reached ({_reason(error)}); {by_hand}.") from None
    except requests.RequestException as error:
        raise DownloadError(f"{start}{url} cannot be used ({_reason(error)}); {by_hand}.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile, tarfile.TarError) as error:
        raise DownloadError(f"{start}{error}; try again, or {by_hand}.") from None
    except ValueError as error:
        if "hash" not in str(error):
            raise
        raise DownloadError(
            f"{start}what {host} sent does not have the known SHA-256, {(_known(dataset) or '')[7:23]}...; "
            f"the file there was changed or damaged on the way: try again, or {by_hand}."
        ) from None


def _reason(error: BaseException) -> str:
    """Return the innermost reason of an error in a few words."""
    while True:
        inner = next((each for each in (getattr(error, "reason", None), *error.args) if _is_error(each)), None)
        if inner is None:
            break
        error = inner
    text = " ".join(str(error).split()).rstrip(".")
    if "NameResolution" in type(error).__name__ or "Name or service" in text or "name resolution" in text:
        return "its name has no address; is this machine offline?"
    text = re.sub(r"^.*\[Errno -?\d+\] ", "", text)
    return text[:120] or type(error).__name__


def _is_error(value: object) -> bool:
    return isinstance(value, BaseException)
