"""The kernels of GPUs, written in Python and compiled by Warp, one file for each concern; importing them needs Warp.

`of` builds the kernels of schedules for one type of distances. They are one module, which Warp compiles as a whole on
first use and keeps in its cache.
"""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

from pathfront import warp_runtime

warp_runtime.warp()  # sets its options before the files of kernels import it


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels of programs for one type of distances; `packed`: words hold the parents too."""
    from pathfront.devices.gpu.kernels import (
        answers,
        control,
        cycle,
        dense,
        edges,
        order,
        pull,
        queues,
        state,
        tracing,
        traverse,
    )

    made = {"form": state.common(name, packed)} | vars(answers.of(name, packed, state.module_of(name, packed)))
    for family in (control, cycle, dense, edges, order, pull, queues, tracing, traverse):
        made |= vars(family.of(name, packed))
    return SimpleNamespace(**made)


def modules() -> Iterator[Any]:
    """Build the kernels of all types; yield their modules."""
    from pathfront.devices.gpu.kernels import numbers

    for form in numbers.FORMS:
        yield of(*form).module
