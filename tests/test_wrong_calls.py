"""Wrong arguments: each gets one sentence of the package's own that names the argument."""

from __future__ import annotations

import io
from decimal import Decimal

import numpy as np
import pytest

import pathfront as pf
from pathfront import distances

HUGE = 10**400
GRAPH = pf.generate.grid(5, 5)


@pytest.mark.parametrize("name", ["cutoff", "delta", "time_limit"])
@pytest.mark.parametrize("value", [np.array([1]), [1], Decimal("sNaN"), "x", 1 + 2j, True], ids=repr)
def test_numbers(name, value):
    with pytest.raises(pf.PathfrontError, match=name):
        pf.shortest_paths(GRAPH, 0, **{name: value})


@pytest.mark.parametrize("name", ["delta", "time_limit", "threads"])
@pytest.mark.parametrize("value", [HUGE, 10**5000], ids=["400 digits", "more digits than Python prints"])
def test_huge_numbers(name, value):
    with pytest.raises(pf.ArgumentError, match=name):
        pf.shortest_paths(GRAPH, 0, **{name: value})


def test_huge_vertices():
    with pytest.raises(pf.VertexError, match="source is an integer of 16610 bits"):
        pf.shortest_paths(GRAPH, 10**5000)


@pytest.mark.parametrize("call", [pf.distance_matrix, pf.nearest, pf.shortest_paths_many])
def test_a_number_is_no_list_of_sources(call):
    with pytest.raises(pf.ArgumentTypeError, match=r"sources is array\(0\); give a list"):
        call(GRAPH, np.array(0))


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [
        ("adds", "pool", 2**70),
        ("adds", "patience", HUGE),
        ("adds", "buckets", [2]),
        ("hybrid", "switch_at", 2**70),
        ("light_first", "light", HUGE),
        ("near_far", "traversal", ["rows"]),
    ],
)
def test_options(method, option, value):
    with pytest.raises(pf.PathfrontError, match=option):
        pf.shortest_paths(GRAPH, 0, method=method, **{option: value})


ODD = [
    HUGE,
    10**5000,
    -HUGE,
    "x" * 10_000,
    "two\nlines",
    "\udcff",
    [],
    [1],
    {1: 2},
    np.array([1]),
    np.array([1, 2]),
    np.array([]),
    np.array([[1]]),
    np.ma.masked,
    object(),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["method", "device", "threads", "delta", "parents", "cutoff", "trace", "output"])
@pytest.mark.parametrize("call", [pf.shortest_paths, lambda graph, source, **options: list(_many(graph, **options))])
def test_an_error_is_one_line_whatever_the_value(name, call):
    for value in ODD:
        if name == "cutoff" and isinstance(value, int) and value > 0:
            continue  # everything lies within it
        with pytest.raises(pf.PathfrontError, match=name) as error:
            call(GRAPH, 0, **{name: value})
        assert len(str(error.value)) < 350
        assert str(error.value).isprintable()


def _many(graph, **options):
    return pf.shortest_paths_many(graph, [0], **options)


@pytest.mark.filterwarnings("error")
def test_an_error_about_an_option_is_one_line_whatever_the_value():
    for method in map(pf.methods.get, pf.methods.names()):
        for option in method.options:
            for value in ODD:
                with pytest.raises(pf.PathfrontError, match=option.name) as error:
                    pf.shortest_paths(GRAPH, 0, method=method.name, **{option.name: value})
                assert len(str(error.value)) < 350
                assert str(error.value).isprintable()


@pytest.mark.parametrize("value", [v for v in ODD if not isinstance(v, np.ndarray)], ids=lambda v: type(v).__name__)
def test_an_error_about_a_type_is_one_line(value):
    with pytest.raises(pf.PathfrontError, match="dtype is") as error:
        pf.distance_matrix(GRAPH, [0], dtype=value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("value", [HUGE, 10**5000], ids=["400 digits", "more digits than Python prints"])
def test_a_huge_no_edge(value):
    with pytest.raises(pf.ArgumentError, match="no_edge is an integer of"):
        pf.Graph.from_dense(np.ones((2, 2)), no_edge=value)


def test_a_small_pool_is_an_error_of_the_package():
    with pytest.raises(pf.DeviceMemoryError, match="more than the 1 blocks of its option pool"):
        pf.shortest_paths(GRAPH, 0, method="adds", pool=1)


def test_values_come_with_the_right_article():
    with pytest.raises(pf.ArgumentTypeError, match="path is 5, an int; give a path"):
        pf.read(5)
    with pytest.raises(pf.ArgumentTypeError, match="parents is 'x', a str; give True or False"):
        pf.shortest_paths(GRAPH, 0, parents="x")
    with pytest.raises(pf.ArgumentTypeError, match="graph is an int; give"):
        pf.shortest_paths(5, 0)


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: pf.shortest_paths(GRAPH, 0, limit=3), "did you mean 'cutoff'"),
        (lambda: pf.shortest_paths(GRAPH, 0, cut_off=3), "did you mean 'cutoff'"),
        (lambda: pf.shortest_paths(GRAPH, 0, target=3), "did you mean 'targets'"),
        (lambda: pf.shortest_paths(GRAPH, 0, indices=3), "did you mean 'source'"),
        (lambda: pf.shortest_paths(GRAPH, 0, weight="w"), "weights belong to the graph"),
        (lambda: pf.shortest_paths(GRAPH, 0, method="djikstra"), "did you mean 'dijkstra'"),
        (lambda: pf.shortest_paths(GRAPH, 0, method="adds", bucket=3), "did you mean 'buckets'"),
        (lambda: pf.shortest_paths(GRAPH, 0, method="crauser", variant="generel"), "did you mean 'general'"),
        (lambda: pf.shortest_paths(GRAPH, 0, device="gpu"), "did you mean 'cuda'"),
        (lambda: list(pf.shortest_paths_many(GRAPH, [0], limit=3)), "did you mean 'cutoff'"),
        (lambda: pf.distance_matrix(GRAPH, indices=[0]), "did you mean 'sources'"),
        (lambda: pf.distance_matrix(GRAPH, [0], limit=3), "did you mean 'cutoff'"),
        (lambda: pf.nearest(GRAPH, [0], weight="w"), "weights belong to the graph"),
        (lambda: pf.verify(GRAPH, [0] * 25, start=0), "did you mean 'source'"),
        (lambda: pf.Graph.from_edges([0], [1], weight=[3]), "did you mean 'weights'"),
        (lambda: pf.Graph.from_scipy(None, undirected=True), "did you mean 'directed'"),
        (lambda: pf.generate.grid(3, 3, weight="unit"), "did you mean 'weights'"),
        (lambda: pf.generate.weigh(GRAPH, "unit", random_state=3), "did you mean 'seed'"),
        (lambda: pf.formats.get("matrixmarket"), "did you mean 'matrix_market'"),
        (lambda: pf.formats.get("gr"), "did you mean 'dimacs'"),
    ],
)
def test_an_unknown_name_gets_the_one_that_was_meant(call, meant):
    with pytest.raises(pf.PathfrontError, match=meant):
        call()


@pytest.mark.parametrize("wrong", ["no", 2, None, [True], np.array([True])], ids=repr)
@pytest.mark.parametrize(
    "make",
    [
        lambda directed: pf.generate.random(5, 5, directed=directed),
        lambda directed: pf.generate.chain(5, directed=directed),
        lambda directed: pf.generate.star(5, directed=directed),
        lambda directed: pf.generate.rmat(3, directed=directed),
    ],
    ids=["random", "chain", "star", "rmat"],
)
def test_directed_is_a_truth_value(make, wrong):
    with pytest.raises(pf.ArgumentTypeError, match="directed is"):
        make(wrong)


def test_a_matrix_of_another_type():
    """Numpy takes None for float64 where types are compared, and hops are searched in one type only."""
    for dtype in ("int64", "uint64"):
        graph = pf.Graph.from_edges([0], [1], np.array([7], dtype))
        assert pf.distance_matrix(graph, [0, 1], dtype=float).tolist() == [[0.0, 7.0], [np.inf, 0.0]]
    hops = pf.distance_matrix(pf.Graph.from_edges([0], [1]), [0, 1], dtype="uint64")
    assert hops.dtype == np.uint64
    assert hops.tolist() == [[0, 1], [2**64 - 1, 0]]
    assert pf.distance_matrix(pf.Graph.from_edges([0], [1], np.array([1], np.float32)), [0]).dtype == np.float32


@pytest.mark.parametrize("form", ["dtype", "out", "sparse"])
def test_a_distance_that_does_not_fit_the_matrix_is_an_error(form):
    """It came back as infinity, which means that there is no path."""
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([3e38, 3e38], np.float32))
    more = {
        "dtype": {"dtype": "float32"},
        "out": {"out": np.empty((1, 3), np.float32)},
        "sparse": {"dtype": "float32", "cutoff": 1e39, "sparse": True},
    }[form]
    with pytest.raises(pf.DistanceOverflowError, match="does not fit float32"):
        pf.distance_matrix(graph, [0], **more)
    assert pf.distance_matrix(graph, [0]).dtype == np.float64
    assert np.isfinite(pf.distance_matrix(graph, [0], dtype="float64")).all()


ROUNDED = [
    ("delta_stepping", "cpu", 7.25, 7),
    ("delta_stepping", "cpu", 0.3, 1),
    ("light_first", "cpu", 2.7, 2),
    ("adds", "cpu", 2.7, 2),
    ("adds", "cpu", 0.3, 1),
    ("near_far", "cpu", 2.7, 2),
    ("bucketing", "cpu", 2.7, 2),
    ("hybrid", "cpu", 2.7, 2),
    pytest.param("delta_stepping", "emulated", 2.7, 2, marks=pytest.mark.gpu),
    pytest.param("adds", "emulated", 2.7, 2, marks=pytest.mark.gpu),
    pytest.param("near_far", "emulated", 2.7, 2, marks=pytest.mark.gpu),
]


@pytest.mark.parametrize(("method", "device", "given", "used"), ROUNDED)
def test_a_rounded_delta_is_told(method, device, given, used):
    """It was rounded without a word, and schedules reported the width that they did not use."""
    stats = pf.shortest_paths(GRAPH, 0, method=method, device=device, delta=given).stats
    assert stats.delta == used
    assert stats.reason.endswith(f"; the given delta of {given} was rounded to {used}")


@pytest.mark.parametrize("delta", [3, 4, 5000])
@pytest.mark.parametrize("method", ["auto", "delta_stepping", "light_first", "adds", "near_far", "bucketing"])
def test_a_delta_that_is_used_as_given_needs_no_word(method, delta):
    stats = pf.shortest_paths(GRAPH, 0, method=method, delta=delta).stats
    assert stats.delta == delta
    assert "rounded" not in stats.reason
    assert "rounded" not in pf.shortest_paths(GRAPH, 0, method=method).stats.reason


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64"])
@pytest.mark.parametrize(
    "call",
    [
        pf.shortest_paths,
        lambda graph, source: pf.distance_matrix(graph, [source]),
        lambda graph, source: pf.distance_matrix(graph, [source], dtype=float),
        lambda graph, source: pf.distance_matrix(graph, [source], out=np.empty((1, 3))),
        lambda graph, source: list(pf.shortest_paths_many(graph, [source])),
        lambda graph, source: pf.nearest(graph, [source]),
    ],
    ids=["one", "matrix", "as floats", "out", "many", "nearest"],
)
def test_no_wider_type_is_recommended_where_there_is_none(call, dtype):
    """A distance that does not fit 64 bits is the same error in all calls."""
    heavy = 1.7e308 if dtype == "float64" else np.iinfo(dtype).max - 1
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([heavy, heavy], dtype))
    with pytest.raises(pf.DistanceOverflowError, match=rf"does not fit {dtype}, the widest .* scale the weights down"):
        call(graph, 0)


def test_paths_that_are_arrays():
    for wrong in (np.array([]), np.array([1, 2])):
        with pytest.raises(pf.ArgumentTypeError, match="path is array"):
            pf.read(wrong)


def test_paths_that_name_no_file_of_this_machine():
    with pytest.raises(pf.ArgumentError, match="files are read from this machine only; download it first"):
        pf.read("https://example.org/roads.gr")
    with pytest.raises(pf.ArgumentError, match="files are written on this machine only"):
        pf.write(pf.generate.chain(3), "s3://bucket/roads.gr")
    for call in (pf.read, lambda file: pf.write(pf.generate.chain(3), file)):
        with pytest.raises(pf.ArgumentError, match="names of files have no null characters"):
            call("a\0b.gr")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"distance": 10**5000}, "distance has 0 dimensions"),
        ({"distance": [[0], [1, 2]]}, "distance is not rectangular"),
        ({"distance": np.zeros((3, 3))}, "distance has 2 dimensions"),
        ({"distance": np.zeros(3, complex)}, "distances of type complex128"),
        ({"parent": [0, 0]}, "parent has 2 entries, but distance has 3"),
        ({"parent": [0.0, 0.0, 0.0]}, r"parent is \[0.0, 0.0, 0.0\]"),
        ({"parent": [0, -1, 0]}, r"parent is \[0, -1, 0\], but parents are positions"),
        ({"source": None}, "source is None"),
        ({"source": 10**5000}, "source is an integer of 16610 bits"),
        ({"source": Decimal("sNaN")}, "source is Decimal"),
        ({"source": np.array([1, 2])}, "source is array"),
        ({"radius": 10**5000}, "radius is an integer of 16610 bits"),
        ({"radius": np.array([1, 2])}, "radius is array"),
        ({"radius": float("nan")}, "radius is nan"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_answers_that_cannot_be_written(fields, message):
    """Parents of another number or size were written, too, to a file that could not be read."""
    answer = distances.Distances(**({"distance": np.arange(3), "source": 0} | fields))
    file = io.BytesIO()
    with pytest.raises(pf.PathfrontError, match=message) as error:
        distances.write(answer, file)
    assert str(error.value).isprintable()
    assert file.getvalue() == b""


def test_any_integers_may_be_parents_of_a_written_answer():
    for dtype in ("int64", "uint32", "uint8"):
        file = io.BytesIO()
        distances.write(distances.Distances(np.arange(3), np.array([0, 0, 1], dtype), 0, 7), file)
        found = distances.read(io.BytesIO(file.getvalue()))
        assert (found.parent.dtype, found.parent.tolist(), found.radius) == (np.uint32, [0, 0, 1], 7)


@pytest.mark.parametrize("wrong", [5, None, "x", np.zeros(3)], ids=str)
def test_what_is_no_answer_is_not_written(wrong):
    with pytest.raises(pf.ArgumentTypeError, match=r"result is .*; give that of a search"):
        distances.write(wrong, io.BytesIO())


def test_mmap_is_a_truth_value_whatever_the_format():
    with pytest.raises(pf.ArgumentTypeError, match="mmap is array"):
        pf.read(io.BytesIO(b"p sp 1 0\n"), mmap=np.array([1, 2]))


@pytest.mark.parametrize("value", [{}, [1], Decimal("sNaN")], ids=repr)
def test_a_table_of_what_cannot_be_a_name(value):
    with pytest.raises(pf.ArgumentTypeError, match=r"tail='a' holds .*, which is not hashable"):
        pf.Graph.from_dataframe({"a": np.array([value, None], object)[:1], "b": [1]}, "a", "b")
    with pytest.raises(pf.ArgumentTypeError, match="tail='a' is not rectangular"):
        pf.Graph.from_dataframe({"a": [[1, 2], [3]], "b": [1, 2]}, "a", "b")


@pytest.mark.parametrize("spec", ["9" * 400, "int:1:" + "x" * 400, "float:" + "9" * 400 + ":1"])
def test_an_error_about_weights_is_one_short_line(spec):
    with pytest.raises(pf.ArgumentError, match="weights is '") as error:
        pf.generate.chain(3, weights=spec)
    assert len(str(error.value)) < 350


def test_no_weight_is_rounded_beside_a_float():
    """Numpy makes one type of a list."""
    for weights in ([2**53 + 1, 0.5], [0.5, -(2**53) - 1], (np.int64(2**53 + 1), 0.5)):
        with pytest.raises(pf.ArgumentError, match=r"weights\[\d\] is -?9007199254740993, which no float64 is"):
            pf.Graph.from_edges([0, 1], [1, 2], weights)
    assert pf.Graph.from_edges([0, 1], [1, 2], [2**53, 0.5]).weights.tolist() == [2.0**53, 0.5]
    assert pf.Graph.from_edges([0, 1], [1, 2], [2**53 + 1, 1]).weights.tolist() == [2**53 + 1, 1]
    assert pf.Graph.from_edges([0, 1], [1, 2], [1e300, 0.5]).weights.tolist() == [1e300, 0.5]


@pytest.mark.parametrize("call", [pf.distance_matrix, pf.nearest, pf.eccentricity])
def test_masked_vertices_are_refused(call):
    with pytest.raises(pf.ArgumentError, match="has masked entries"):
        call(GRAPH, np.ma.array([0, 1], mask=[True, False]))
    assert repr(call(GRAPH, np.ma.array([0, 1]))) == repr(call(GRAPH, [0, 1]))


@pytest.mark.parametrize("unit", [(), ("s",)], ids=["no unit", "seconds"])
def test_a_span_of_time_is_no_number_and_no_name(unit):
    span = np.timedelta64(1, *unit)
    with pytest.raises(pf.ArgumentTypeError, match="cutoff"):
        pf.within(GRAPH, [0], span)
    with pytest.raises(pf.MethodError, match="method"):
        pf.shortest_paths(GRAPH, 0, method=span)
    with pytest.raises(pf.VertexError, match="source"):
        pf.shortest_paths(GRAPH.with_labels([f"v{i}" for i in range(25)]), span)
