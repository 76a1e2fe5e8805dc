"""How many bytes the contents of a file may take in memory: `max_bytes`.

A compressed file of a megabyte may hold a terabyte, a header may claim any number of rows, and a pipe need not end. The
default is half of the memory that this process may use: of the machine's memory, its cgroup's limit (a container's), or
what is left of its address space (`ulimit -v`), whichever is least. The other half is for the graph.
"""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterator
from pathlib import Path

from pathfront.validation import as_count

_CGROUPS = Path("/sys/fs/cgroup")
_CONTROLLERS = (("memory", "memory.limit_in_bytes"), ("", "memory.max"))
"""Where cgroups of version 1 and 2 are mounted, and the file that holds the limit."""


def as_max_bytes(value: object) -> int:
    """Return the limit given, or the default for None."""
    return _usable() // 2 if value is None else as_count(value, "max_bytes", least=1)


def _usable() -> int:
    """Return the bytes of memory that this process may use."""
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *_cgroup_limits()]
    space = resource.getrlimit(resource.RLIMIT_AS)[0]
    if space != resource.RLIM_INFINITY:
        limits.append(max(0, space - _address_space()))
    return min(limits)


def _address_space() -> int:
    """Return the size of the process's address space, 0 where the system does not say."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return 0


def _cgroup_limits() -> Iterator[int]:
    """Yield the limits of the process's cgroups and of those above them."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for folder, name in _CONTROLLERS:
            if folder in controllers.split(","):
                own = Path(path.strip("/"))
                for group in (own, *own.parents):
                    with contextlib.suppress(OSError, ValueError):  # no such file, or "max"
                        yield int((_CGROUPS / folder / group / name).read_text())
