"""What all methods that are one native engine have in common: how a problem is handed over and an answer taken back."""

from __future__ import annotations

from typing import Any

from pathfront import _core
from pathfront.methods.method import Outcome, Problem, trace_rows


def arguments(problem: Problem) -> dict[str, Any]:
    """Return what every engine is asked."""
    graph = problem.graph
    return {
        "offsets": graph.offsets,
        "heads": graph.heads,
        "weights": graph.weights,
        "source": problem.source,
        "dist": problem.distance,
        "parent": problem.parent,
        "cutoff": problem.cutoff,
        "targets": problem.targets,
        "trace": problem.trace,
        "progress": problem.progress,
        "others": problem.others,
    }


def outcome(answer: _core.Answer, **more: Any) -> Outcome:
    """Return what an engine answered; `more` is what it does not know."""
    if "trace" not in more:
        more["trace"] = trace_rows(answer.trace)
    return Outcome(
        iterations=answer.iterations,
        vertices_processed=answer.vertices_processed,
        edges_relaxed=answer.edges_relaxed,
        overflow=answer.overflow,
        radius=answer.radius,  # type: ignore[arg-type]
        **more,
    )
