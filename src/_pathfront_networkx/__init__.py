"""What NetworkX is told of the backend when it is imported; so this package imports nothing."""

from __future__ import annotations

FUNCTIONS = (
    "all_pairs_all_shortest_paths",
    "all_pairs_bellman_ford_path",
    "all_pairs_bellman_ford_path_length",
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length",
    "all_pairs_shortest_path",
    "all_pairs_shortest_path_length",
    "all_shortest_paths",
    "astar_path",
    "astar_path_length",
    "average_shortest_path_length",
    "bellman_ford_path",
    "bellman_ford_path_length",
    "bellman_ford_predecessor_and_distance",
    "bidirectional_dijkstra",
    "bidirectional_shortest_path",
    "dijkstra_path",
    "dijkstra_path_length",
    "dijkstra_predecessor_and_distance",
    "find_negative_cycle",
    "floyd_warshall",
    "floyd_warshall_numpy",
    "floyd_warshall_predecessor_and_distance",
    "goldberg_radzik",
    "has_path",
    "johnson",
    "multi_source_dijkstra",
    "multi_source_dijkstra_path",
    "multi_source_dijkstra_path_length",
    "negative_edge_cycle",
    "predecessor",
    "shortest_path",
    "shortest_path_length",
    "single_source_all_shortest_paths",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
    "single_source_shortest_path",
    "single_source_shortest_path_length",
    "single_target_shortest_path",
    "single_target_shortest_path_length",
)
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
