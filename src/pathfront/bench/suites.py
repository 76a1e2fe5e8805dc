"""The registry of suites."""

from __future__ import annotations

from collections.abc import Iterable

from pathfront.bench import centrality, costs, csgraph, foundation, gpu, local, networkx, work
from pathfront.bench.figures import Suite
from pathfront.exceptions import ArgumentError
from pathfront.wording import choice_message

_ALL = (
    centrality.SUITE,
    costs.SUITE,
    csgraph.SUITE,
    foundation.SUITE,
    gpu.SUITE,
    local.SUITE,
    networkx.SUITE,
    work.SUITE,
)
_SUITES = {suite.name: suite for suite in _ALL}


def every() -> list[Suite]:
    """Return all suites."""
    return list(_ALL)


def get(name: str | None, device: str | None = None, also: Iterable[str] = ()) -> Suite:
    """Return a suite by name, by default the first; for a device there is one only.

    `also` are names of other suites, for the error that lists all.
    """
    if device == "cpu" and name in (None, "gpu"):
        raise ArgumentError(
            "device is 'cpu', but suite gpu measures GPUs; give cuda or emulated, or suite cpu instead."
        )
    if device is not None and name in (None, "gpu"):
        return gpu.on(device)
    if device is not None:
        raise ArgumentError(
            f"device is {device!r}, but suite {name!r} runs on the CPU; leave the suite out, or give gpu."
        )
    name = "foundation" if name is None else name
    if name not in _SUITES:
        raise ArgumentError(choice_message("suite", name, sorted([*_SUITES, *also])))
    return _SUITES[name]
