"""What NetworkX is told of the backend when it is imported; so this package imports nothing."""

from __future__ import annotations

FUNCTIONS = ("single_source_dijkstra_path_length",)
"""The functions that the backend has, by the names under which NetworkX dispatches them."""


def get_info() -> dict[str, object]:
    """Return what NetworkX shows of the backend in its documentation."""
    return {
        "backend_name": "pathfront",
        "project": "pathfront",
        "package": "pathfront",
        "short_summary": "Exact shortest paths at native speed, on all cores.",
        "description": "Searches run in a native core; results are those of NetworkX.",
        "functions": {name: {} for name in FUNCTIONS},
    }
