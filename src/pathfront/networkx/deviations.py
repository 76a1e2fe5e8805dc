"""What differs from NetworkX although a call succeeds, and the tests of NetworkX that notice it.

docs/networkx.md lists the same. `on_start_tests` marks the tests where NetworkX runs its own suite with the backend.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Deviation(NamedTuple):
    """One difference."""

    what: str
    why: str
    tests: tuple[str, ...] = ()
    """The tests of NetworkX that fail by it, by the end of their ids."""


DEVIATIONS = (
    Deviation(
        "`find_negative_cycle` may return another negative cycle, or the same one from another of its nodes.",
        "The search finds a cycle as soon as it closes among the parents, in an order of its own.",
        (
            "TestBellmanFordAndGoldbergRadzik::test_find_negative_cycle_longer_cycle",
            "TestBellmanFordAndGoldbergRadzik::test_find_negative_cycle_single_edge",
        ),
    ),
    Deviation(
        "The dictionaries of predecessors list the nodes as they are settled, too, not as they are first seen.",
        "One order for all dictionaries.",
    ),
    Deviation(
        "`all_shortest_paths` and its siblings list each path once.",
        "NetworkX lists a path again for every edge of weight 0 that leads back into the source.",
    ),
    Deviation(
        "Where some weight is negative, dictionaries are ordered by distance, and predecessors likewise.",
        "NetworkX's order is that in which its queue happened to reach the nodes.",
    ),
    Deviation(
        "With negative floating-point weights a distance is the exact sum, rounded once; NetworkX rounds at each edge.",
        "Rounded sums around a cycle of length 0 have no least one.",
    ),
    Deviation(
        "If some weights are integers and some are not (a missing weight is the integer 1), all distances but those of "
        "the sources are floats; in NetworkX those along integers only are integers, equal ones.",
        "Distances are one array, of one type.",
    ),
    Deviation(
        "Weights that are truth values or NumPy's integers make distances that are Python's integers.",
        "NetworkX's sums keep NumPy's types, which overflow.",
    ),
    Deviation(
        "`bidirectional_dijkstra`, `bidirectional_shortest_path`, searches to a target and `floyd_warshall` may choose "
        "another of several equally short paths.",
        "The search runs from the source, or along edges sorted by node.",
    ),
    Deviation(
        "`floyd_warshall` and `floyd_warshall_numpy` may differ in the last bit of floating-point distances.",
        "They search from each node, so sums are rounded from the source on.",
    ),
    Deviation(
        "Closeness, harmonic centrality and betweenness may differ in the last bits.",
        "Sums are added up in another order, always the same one.",
    ),
    Deviation(
        "Betweenness is a number also where there are more shortest paths than float64 can count.",
        "NetworkX's numbers of paths are infinite then, and shares of them are no numbers.",
    ),
    Deviation(
        "Functions that return iterators raise errors about weights at the call rather than at the first step.",
        "NetworkX can then still run its own code.",
    ),
)


def on_start_tests(items: list[Any]) -> None:
    """Mark the tests of NetworkX that notice a deviation; called by NetworkX before it runs its suite."""
    import pytest

    for deviation in DEVIATIONS:
        for item in items:
            if item.nodeid.endswith(deviation.tests):
                item.add_marker(pytest.mark.xfail(reason=deviation.what, strict=True))
