"""Arrays of other libraries, which lend them by DLPack, wherever arrays are taken."""

from __future__ import annotations

import numpy as np
import pytest

import pathfront as pf


class Lent:
    """An array of another library: it offers DLPack and nothing else, neither a length nor a sequence."""

    def __init__(self, values, dtype=None, place=None, error=None):
        self.values = np.array(values, dtype)
        self.place, self.error = place, error

    def __dlpack_device__(self):
        return self.place or self.values.__dlpack_device__()

    def __dlpack__(self, **options):
        if self.error is not None:
            raise self.error
        return self.values.__dlpack__(**options)


class Convertible(Lent):
    """One that numpy can convert, too."""

    def __array__(self, dtype=None, copy=None):
        return self.values


@pytest.mark.parametrize("dtype", ["uint32", "int32", "uint64", "int64", "float32", "float64"])
def test_graphs_are_made_of_lent_arrays(dtype):
    graph = pf.Graph.from_edges(Lent([0, 0, 1]), Lent([1, 2, 2]), Lent([4, 10, 3], dtype))
    assert graph.weights.dtype == dtype
    assert pf.shortest_paths(graph, 0).distance.tolist() == [0, 4, 7]
    again = pf.Graph.from_csr(Lent([0, 2, 3, 3]), Lent([1, 2, 2]), Lent([4, 10, 3], dtype))
    assert again.weights.dtype == dtype
    assert pf.verify(again, Lent([0, 4, 7]), source=0, parent=Lent([-1, 0, 1]))


def test_lent_arrays_of_vertices_names_and_the_rest():
    graph = pf.Graph.from_edges(
        [0, 0, 1], [1, 2, 2], [4, 10, 3], labels=Lent([5, 6, 8]), coordinates=Lent(np.eye(3, 2))
    )
    assert graph.labels.tolist() == [5, 6, 8]
    assert graph.coordinates.tolist() == np.eye(3, 2).tolist()
    assert pf.distance_matrix(graph, Lent([5, 6]), Lent([8, 5])).tolist() == [[7, 0], [3, 2**63 - 1]]
    assert pf.nearest(graph, Lent([6, 5])).source.tolist() == [5, 6, 6]
    assert pf.shortest_paths(graph, 5, targets=Lent([6])).distance_to(6) == 4
    assert [paths.source for paths in pf.shortest_paths_many(graph, Lent([6]))] == [6]
    assert graph.with_weights(Lent([1, 1, 1])).weights.tolist() == [1, 1, 1]
    assert pf.Graph.from_dense(Lent([[0, 4], [0, 0]]), no_edge=0).m == 1


def test_no_copy_is_made_of_the_right_type():
    heads = Lent([1, 0], "uint32")
    graph = pf.Graph.from_csr(Lent([0, 1, 2], "int64"), heads, copy=False)
    assert np.shares_memory(graph.heads, heads.values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (Lent([1.5, 2.5], place=(8, 0)), "weights is a Lent on Metal; copy it to the CPU first"),
        (Lent([1.5, 2.5], place=(99, 0)), "weights is a Lent on another device; copy it to the CPU first"),
        (
            Lent([1.5, 2.5], error=RuntimeError("Can't export tensors that require gradient, use tensor.detach()")),
            r"weights is a Lent, which cannot be read as an array: Can't export .* use tensor\.detach\(\)\.",
        ),
        (Lent([1j, 2j]), "weights has elements of type complex128"),
        (Lent([[1, 2]]), "weights has 2 dimensions"),
    ],
    ids=["metal", "unknown", "gradient", "complex", "matrix"],
)
def test_what_cannot_be_read_is_an_error(values, message):
    with pytest.raises((pf.ArgumentTypeError, pf.ArgumentError), match=message):
        pf.Graph.from_edges([0, 1], [1, 0], values)


def test_what_dlpack_refuses_may_be_an_array_of_numpy():
    names = Convertible(["a", "b"], error=TypeError("no strings"))
    assert pf.Graph.from_edges([0], [1], labels=names).labels.tolist() == ["a", "b"]


def test_arrow_arrays():
    arrow = pytest.importorskip("pyarrow")
    graph = pf.Graph.from_edges(arrow.array([0, 1]), arrow.array([1, 2]), arrow.array([0.5, 2.0]))
    assert pf.shortest_paths(graph, 0).distance.tolist() == [0, 0.5, 2.5]
    assert pf.distance_matrix(graph, arrow.array([1])).tolist()[0][2] == 2.0


def test_tensors():
    torch = pytest.importorskip("torch")
    graph = pf.Graph.from_edges(torch.tensor([0, 1]), torch.tensor([1, 2]), torch.tensor([0.5, 2.0]))
    assert graph.weights.dtype == np.float32
    assert pf.shortest_paths(graph, torch.tensor(0)).distance.tolist() == [0, 0.5, 2.5]
    with pytest.raises(pf.ArgumentTypeError, match="detach"):
        graph.with_weights(torch.tensor([0.5, 2.0], requires_grad=True))
