"""The kernels of GPUs, written in Python and compiled by Warp, one file for each concern; importing them needs Warp.

Those that schedules use are made together, for one type of distances: `of`. They are one module, compiled as a whole
when it is first used, and kept by Warp in its cache.
"""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

from pathfront.devices import names

names.warp()  # before the files of kernels import it, so that it keeps quiet


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return everything that a program of one type of distances uses; `packed` says that parents share their words."""
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
        traverse,
    )

    made = {"form": state.common(name, packed), "module": state.module_of(name, packed)}
    made |= {cell: getattr(state, cell) for cell in ("NOW", "FLAGS", "COUNTS", "STOP")}
    for family in (answers, control, cycle, dense, edges, order, pull, queues, traverse):
        made |= vars(family.of(name, packed))
    return SimpleNamespace(**made)


def modules() -> Iterator[Any]:
    """Make the kernels of all types, and yield their modules."""
    from pathfront.devices.gpu.kernels import numbers

    for form in numbers.FORMS:
        yield of(*form).module
