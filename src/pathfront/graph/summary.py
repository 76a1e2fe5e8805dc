"""Summaries of a graph's degrees and weights, from which methods and devices choose their defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pathfront import _core
from pathfront.graph.csr import Csr
from pathfront.validation import available_cores, require_finite


@dataclass(frozen=True, slots=True)
class DegreeSummary:
    """Out-degrees of a graph."""

    largest: int
    mean: float


@dataclass(frozen=True, slots=True)
class WeightSummary:
    """Weights of a graph; for a graph without weights all are 1."""

    lightest: int | float = 1
    heaviest: int | float = 1
    mean: float = 1.0
    first_negative: int = -1
    """The first arc of negative weight, or -1."""
    step: float = 1.0
    """The typical weight of a vertex's lightest out-arc: about the step to the next vertex of a shortest path."""

    @property
    def all_one(self) -> bool:
        """Whether every arc weighs 1."""
        return self.lightest == self.heaviest == 1

    @property
    def finite_mean(self) -> float:
        """The mean, or the heaviest weight where the sum of all is too large for a float."""
        return self.mean if math.isfinite(self.mean) else float(self.heaviest)


def summarise_degrees(csr: Csr) -> DegreeSummary:
    """Return the largest and the mean out-degree."""
    if csr.n == 0:
        return DegreeSummary(0, 0.0)
    return DegreeSummary(int(_core.max_degree(csr.native, available_cores())), csr.heads.size / csr.n)


def summarise_weights(csr: Csr) -> WeightSummary:
    """Return the summary of the weights; raise for the first that is not finite."""
    if csr.weights is None or csr.weights.size == 0:
        return WeightSummary()
    lightest, heaviest, total, first_negative, first_not_finite = _core.weight_summary(csr.weights, available_cores())
    require_finite(csr.weights, first_not_finite)
    step = _core.lightest_of_vertex(csr.native)
    return WeightSummary(lightest, heaviest, total / csr.weights.size, first_negative, step)
