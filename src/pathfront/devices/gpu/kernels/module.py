"""The kernels of a module of Warp, which is compiled as a whole."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import warp as wp


class Kernels(SimpleNamespace):
    """Kernels by name; `add` decorates a function that becomes one."""

    def __init__(self, module: str) -> None:
        super().__init__(module=wp.get_module(module))

    def add(self, function: Callable[..., None]) -> Any:
        """Make a kernel of a function."""
        kernel = wp.kernel(function, module=self.module, enable_backward=False)
        setattr(self, function.__name__, kernel)
        return kernel
