"""Functions in C++, and the kernels of a module of Warp, which is compiled as a whole."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import warp as wp

Ints = wp.array(dtype=wp.int32)
"""The type of arrays of vertices, offsets and indices."""

Uints = wp.array(dtype=wp.uint32)
"""The type of arrays of counters, flags and cells."""


def func_native(gpu: str, cpu: str, **words: str) -> Any:
    """Decorate a function whose body is C++, one text for GPUs and one for CPUs; @name@ is replaced by a word.

    It must be written `@something.func_native(...)`, by which Warp recognises that the result has a type.
    """
    text = f"\n#if defined(__CUDA_ARCH__)\n{gpu}\n#else\n{cpu}\n#endif\n"
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return wp.func_native(text)


class Functions(SimpleNamespace):
    """Functions in C++, by name."""

    def func_native(self, gpu: str, cpu: str, **words: str) -> Any:
        """Add the decorated function: see `func_native`."""

        def add(function: Callable[..., Any]) -> Any:
            made = func_native(gpu, cpu, **words)(function)
            setattr(self, function.__name__, made)
            return made

        return add


class Kernels(SimpleNamespace):
    """Kernels by name; `add` decorates a function that becomes one."""

    def __init__(self, module: str) -> None:
        super().__init__(module=wp.get_module(module))

    def add(self, function: Callable[..., None]) -> Any:
        """Make a kernel of a function."""
        kernel = wp.kernel(function, module=self.module, enable_backward=False)
        setattr(self, function.__name__, kernel)
        return kernel
