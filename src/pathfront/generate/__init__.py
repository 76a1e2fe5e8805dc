"""Generated graphs. One file of this folder per family.

The same arguments and seed give the same graph on any machine and with any number of threads: random numbers are
hashes of their position (`cpp/generate/random.hpp`), not draws from a shared state.
"""

from __future__ import annotations

from collections.abc import Callable

from pathfront.generate.grids import grid
from pathfront.generate.shapes import chain
from pathfront.generate.uniform import random
from pathfront.generate.weights import weigh
from pathfront.graph import Graph

__all__ = ["KINDS", "chain", "grid", "random", "weigh"]

KINDS: dict[str, Callable[..., Graph]] = {"chain": chain, "grid": grid, "random": random}
