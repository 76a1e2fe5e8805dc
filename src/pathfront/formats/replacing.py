"""Replacing a file as a whole: a new one is written beside it and renamed when complete.

On any failure the old file is unchanged and the new one is removed. A process that is killed cannot remove it: it stays
beside the target as `.NAME.XXXXXXXX.part`, until the next write to the same target. A writer holds a lock on its file,
so that a file still being written is told from one that was left behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_OLD = 60.0
"""Seconds since the last write before a file may count as left behind: a new one is not locked at once."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a new file beside `path` and rename it to `path` when complete; on any failure `path` is unchanged."""
    target = Path(os.path.realpath(path))  # keep a symbolic link as a link
    prefix = f".{target.name[:40]}."
    aside = target.parent / f"{prefix}{secrets.token_hex(4)}.part"
    try:
        # the system applies the umask; asking for it would change it for all threads
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise type(error)(error.errno, "cannot write there, the directory does not exist", str(path)) from None
    except OSError as error:
        reason = f"cannot write in that directory: {error.strerror}"
        raise type(error)(error.errno, reason, str(path)) from None
    try:
        with os.fdopen(descriptor, "wb") as handle:
            _try_lock(descriptor)
            with contextlib.suppress(FileNotFoundError):
                os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
            yield handle
            handle.flush()
            os.fsync(descriptor)
            os.replace(aside, target)
        _sync(target.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(error, OSError) and error.errno and error.filename is None:  # a failed write names no file
            raise type(error)(error.errno, error.strerror, str(path)) from error
        raise
    _remove_left_behind(target.parent, prefix)


def _try_lock(descriptor: int) -> bool:
    """Lock a file for as long as it is open; False if another process holds it, or the file system has no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sync(folder: Path) -> None:
    """Make a rename in a folder durable; some file systems cannot, which is no failure of the write."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_left_behind(folder: Path, prefix: str) -> None:
    """Remove unfinished files of this prefix that no process is writing."""
    for name in glob.glob(f"{glob.escape(prefix)}{'[0-9a-f]' * 8}.part", root_dir=folder, include_hidden=True):
        with contextlib.suppress(OSError):
            descriptor = os.open(folder / name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                if time.time() - os.fstat(descriptor).st_mtime > _OLD and _try_lock(descriptor):
                    os.unlink(folder / name)
            finally:
                os.close(descriptor)
