"""A race as a page keeps it: coordinates in 16 bits, moments as steps of 8 bits, both as text in base 64.

The steps of a runner are its different moments if there are at most 255; otherwise 255 moments at equal distances,
and a vertex has the first one that is not before its own. Step 255 means that the vertex was never settled.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfront.report.drawing import compact
from pathfront.report.elements import Race, Runner

STEPS = 255


def race_data(race: Race) -> dict[str, Any]:
    """Return a race as the page's script draws it."""
    x, y = np.asarray(race.x, dtype=np.float64), np.asarray(race.y, dtype=np.float64)
    x, y = x - x.min(), y.max() - y  # downwards, as on screens
    extent = max(x.max(), y.max()) or 1.0
    return {
        "title": race.title,
        "axis": {"label": race.axis.label, "unit": race.axis.unit},
        "width": compact(float(x.max() / extent)),
        "height": compact(float(y.max() / extent)),
        "x": _packed(np.round(x / extent * 65535).astype("<u2")),
        "y": _packed(np.round(y / extent * 65535).astype("<u2")),
        "runners": [_runner(runner) for runner in race.runners],
    }


def steps_of(settled: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return for each vertex the step at which it was settled, and the moment of each step.

    >>> steps, moments = steps_of(np.array([0.0, 2.0, np.nan, 1.0]))
    >>> steps.tolist(), moments.tolist()
    ([0, 2, 255, 1], [0.0, 1.0, 2.0])
    """
    known = np.isfinite(settled)
    moments = np.unique(settled[known])
    if len(moments) > STEPS:
        moments = np.linspace(moments[0], moments[-1], STEPS)
    steps = np.full(len(settled), STEPS, dtype=np.uint8)
    steps[known] = np.minimum(np.searchsorted(moments, settled[known]), len(moments) - 1)
    return steps, moments


def _runner(runner: Runner) -> dict[str, Any]:
    steps, moments = steps_of(np.asarray(runner.settled, dtype=np.float64))
    counts = np.cumsum(np.bincount(steps, minlength=STEPS + 1)[: len(moments)])
    return {
        "name": runner.name,
        "facts": runner.facts,
        "steps": _packed(steps),
        "moments": [compact(float(moment)) for moment in moments],
        "counts": counts.tolist(),
    }


def _packed(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
