"""Any graph in any format: what `pf.write` accepts, `pf.read` gives back, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from format_cases import READ_OPTIONS, packed, unpacked

WEIGHTS = {
    "uint32": [0, 1, 7, 2**31, 2**32 - 1],
    "int32": [-(2**31), -1, 0, 1, 2**31 - 1],
    "uint64": [0, 1, 2**53, 2**53 + 1, 2**63, 2**64 - 1],
    "int64": [-(2**63), -(2**53) - 1, -1, 0, 1, 2**32, 2**53 + 1, 2**63 - 1],
    "float32": [0.0, -0.0, 1.0, 0.1, -2.5, 1e-45, 3.4e38, 2.0**70],
    "float64": [0.0, -0.0, 1.0, 0.1, -3.0, 5e-324, 1e-300, 1e22, 1e16, 2.0**53, 2.0**70, 1.7e308],
}
NAMES = [
    *("a", "b", "Rome", "Ósť", "A B", "a,b", 'x"y', "1", "2", "007", "-1", "1.5", "1e5", "0x1A", "nan", "NA", "null"),
    *("", " ", "tail", "head", "#", "#x", "%", "true", "False", "2020-01-01", "12:30:00", "a\tb", "a\nb", "a\r", "é\0"),
    *(";", "a;b", "\ufeffq", "\ud800", "+7", "inf", "source", "__", " 3"),
]


@st.composite
def graphs(draw: st.DrawFn) -> pf.Graph:
    """Draw a small graph of any kind."""
    n = draw(st.integers(0, 5))
    m = draw(st.integers(0, 7)) if n else 0
    ends = [draw(st.lists(st.integers(0, n - 1), min_size=m, max_size=m)) if n else [] for _ in range(2)]
    plain = draw(st.booleans())  # as METIS needs it: undirected, without loops, labels and coordinates
    if plain:
        ends[1] = [v if v != u else (v + 1) % n for u, v in zip(*ends, strict=True)]
    kind = draw(st.sampled_from([None, *WEIGHTS]))
    weights = None
    if kind is not None:
        any_weight = st.sampled_from(WEIGHTS[kind])
        if kind == "float64":
            any_weight |= st.floats(allow_nan=False, allow_infinity=False)
        weights = np.array(draw(st.lists(any_weight, min_size=m, max_size=m)), kind)
    names = draw(st.sampled_from(["none"] if plain else ["none", "integers", "strings"]))
    labels = None
    if names == "integers":
        labels = draw(
            st.lists(st.sampled_from([0, 1, 2, 3, 9, -1, 2**40, 2**63 - 1]), min_size=n, max_size=n, unique=True)
        )
    elif names == "strings":
        labels = draw(st.lists(st.sampled_from(NAMES) | st.text(max_size=3), min_size=n, max_size=n, unique=True))
    coordinates = draw(st.sampled_from([None] if plain else [None, np.ones((n, 2)), np.ones((n, 3), np.int64)]))
    directed = not plain and draw(st.booleans())
    return pf.Graph.from_edges(
        *ends, weights, n=n, directed=directed, labels=labels if n else None, coordinates=coordinates
    )


def by_name(graph: pf.Graph) -> list[tuple[object, ...]]:
    """Return the arcs by name, their weights as text that shows every bit, sorted."""
    names = list(range(graph.n)) if graph.labels is None else graph.labels.tolist()
    weights = [""] * graph.m if graph.weights is None else [repr(w) for w in graph.weights.tolist()]
    ends = zip(graph.tails().tolist(), graph.heads.tolist(), weights, strict=True)
    return sorted((repr(names[u]), repr(names[v]), w) for u, v, w in ends)


@pytest.mark.parametrize("format", pf.formats.names())
def test_what_is_written_is_read_back(format):
    written = []

    @examples(120)
    @given(graphs())
    def run(graph):
        options = READ_OPTIONS.get(format, lambda graph: {})(graph)
        try:
            contents = packed(graph, format, **options)
        except pf.ArgumentError:
            return
        written.append(graph.m)
        found = unpacked(contents, format, **options)
        assert found.n == graph.n
        assert by_name(found) == by_name(graph)
        names = [set(range(g.n)) if g.labels is None else set(g.labels.tolist()) for g in (graph, found)]
        assert names[0] == names[1]
        if graph.m:
            assert (found.weights is None) == (graph.weights is None)
            assert found.directed == graph.directed or not found.directed  # symmetric, see docs of the formats
            if graph.weights is not None:
                assert (found.weights.dtype.kind == "f") == (graph.weights.dtype.kind == "f")
        assert (found.coordinates is None) == (graph.coordinates is None)

    run()
    assert len(written) > 2
    assert max(written) > 0
