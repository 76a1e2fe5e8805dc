"""Results as dictionaries, tables and files: what is read is what was written, and damaged files are errors."""

from __future__ import annotations

import dataclasses
import io
import json
import struct

import numpy as np
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from zoo import WEIGHT_TYPES

NAMES = {
    "none": None,
    "text": ["Rom\u00e9", "b", "", "d", "\udc80"],
    "numbers": [9, 3, 2**63 - 1, -4, 0],
    "large": np.array([2**64 - 1, 0, 1, 2, 3], np.uint64),
    "counted": range(1, 6),
    "tuples": [(1, "a"), (1, "b"), ("x", (2.5, None)), b"bytes", frozenset([1, 2])],
    "mixed": ["1", 1, 2.5, None, 2**80],
    "floats": np.array([0.1, -2.0, 3.0, 1e300, np.inf]),
    "times": np.array(["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"], "datetime64[D]"),
}
METHODS = ["dijkstra", "adds", "near_far", "light_first"]


def saved(paths):
    file = io.BytesIO()
    paths.save(file)
    return file.getvalue()


def loaded(data, *args, **options):
    return pf.load_paths(io.BytesIO(data), *args, **options)


def bits(array):
    return array.dtype.str, array.tobytes() if array.dtype != object else array.tolist()


def assert_same(one, other):
    assert bits(one.distance) == bits(other.distance)
    assert (one._parent is None) == (other._parent is None)
    if one._parent is not None:
        assert bits(one.parent) == bits(other.parent)
    assert (one._trace is None) == (other._trace is None)
    if one._trace is not None:
        assert bits(one.trace) == bits(other.trace)
    assert dataclasses.asdict(one.stats) == dataclasses.asdict(other.stats)
    assert repr(one.stats.extra) == repr(other.stats.extra)
    assert (one.source, one._source) == (other.source, other._source)
    assert (one.radius, type(one.radius)) == (other.radius, type(other.radius))
    assert one.graph.first_id == other.graph.first_id
    if one.graph.labels is None:
        assert other.graph.labels is None
    else:
        assert bits(one.graph.labels) == bits(other.graph.labels)


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
def test_everything_is_read_as_it_was(names, dtype):
    weights = None if dtype is None else np.array([3, 1, 4, 1, 1], dtype)
    graph = pf.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 3, 3, 3], weights, n=5, labels=NAMES[names], edge_ids=True)
    for method in METHODS:
        for options in ({}, {"parents": False}, {"cutoff": 3}, {"trace": True}, {"targets": [pf.index(1)]}):
            paths = pf.shortest_paths(graph, pf.index(0), method=method, **options)
            data = saved(paths)
            assert saved(paths) == data
            alone, whole = loaded(data), loaded(data, graph)
            assert_same(paths, alone)
            assert_same(paths, whole)
            assert whole.graph is graph
            assert saved(whole) == data
            if options.get("parents", True):
                for v in map(pf.index, np.flatnonzero(paths.reached).tolist()):
                    assert alone.path_to(v).tolist() == paths.path_to(v).tolist()
                    assert alone.edge_ids_to(v).tolist() == paths.edge_ids_to(v).tolist()
                    mine, theirs = alone.edges_to(v), paths.edges_to(v)
                    assert (mine.weights is None) == (theirs.weights is None)
                    assert mine.weights is None or bits(mine.weights) == bits(theirs.weights)
            assert alone.to_dict() == paths.to_dict()
            with pytest.raises(pf.ArgumentError, match="does not hold its graph"):
                alone.mteps()
            with pytest.raises(pf.ArgumentError, match="loaded without its graph"):
                saved(alone)


@given(
    edges=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(-1, 9)), max_size=40),
    directed=st.booleans(),
    unit=st.sampled_from([1, 0.1, 2**40]),
)
@examples(60)
def test_random_results_are_read_as_they_were(edges, directed, unit):
    tails, heads, weights = ([*column] for column in zip(*edges, strict=True)) if edges else ([], [], [])
    graph = pf.Graph.from_edges(tails, heads, [w * unit for w in weights], n=10, directed=directed, edge_ids=True)
    try:
        paths = pf.shortest_paths(graph, 3)
    except pf.NegativeCycleError:
        return
    again = loaded(saved(paths))
    assert_same(paths, again)
    assert again.tree().weights.tolist() == paths.tree().weights.tolist()
    assert pf.verify(graph, loaded(saved(paths), graph))


def test_a_wider_type_stays():
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**31, 2**31], np.uint32))
    paths = pf.shortest_paths(graph, 0)
    assert paths.distance.dtype == np.uint64
    assert_same(paths, loaded(saved(paths)))


@pytest.fixture(scope="module")
def data():
    graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3], labels=["Rome", "Ostia", "Anzio"], edge_ids=True)
    return saved(pf.shortest_paths(graph, "Rome", trace=True))


def test_every_changed_byte_is_noticed(data):
    for at in range(len(data)):
        for mask in (1, 128, 255):
            with pytest.raises(pf.FormatError):
                loaded(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])


def test_every_truncation_is_noticed(data):
    for size in range(len(data)):
        with pytest.raises(pf.FormatError, match="<stream>: "):
            loaded(data[:size])
    with pytest.raises(pf.FormatError, match="the arrays end at byte"):
        loaded(data + b"x")


def forged(data, change):
    """Return a file whose description was changed and has its right checksum, as a hostile one may."""
    length = struct.unpack_from("<I", data, 12)[0]
    described = json.loads(data[24 : 24 + length])
    arrays = [bytearray() for _ in described["arrays"]]
    at = 24 + length
    for i, (_, _, size, _) in enumerate(described["arrays"]):
        arrays[i] += data[at : at + size]
        at += size
    change(described, {entry[0]: array for entry, array in zip(described["arrays"], arrays, strict=True)})
    listed = described["arrays"] if isinstance(described["arrays"], list) else []
    for entry, array in zip(listed, arrays, strict=False):
        if isinstance(entry, list) and entry[3] != "wrong":
            entry[3] = xxhash.xxh3_64_hexdigest(bytes(array))
    text = json.dumps(described).encode()
    begin = data[:12] + struct.pack("<I", len(text))
    checksum = struct.pack("<Q", xxhash.xxh3_64_intdigest(begin + text))
    return begin + checksum + text + b"".join(map(bytes, arrays))


def put(described, path, value):
    *way, last = path
    for key in way:
        described = described[key]
    described[last] = value


FORGED = {
    "vertices": lambda d, a: put(d, ["n"], 4),
    "many vertices": lambda d, a: put(d, ["n"], 2**31),
    "huge vertices": lambda d, a: put(d, ["n"], 10**40),
    "no vertices": lambda d, a: put(d, ["n"], 0),
    "true vertices": lambda d, a: put(d, ["n"], True),
    "source": lambda d, a: put(d, ["source"], 3),
    "negative source": lambda d, a: put(d, ["source"], -1),
    "other source": lambda d, a: put(d, ["source"], 1),
    "radius": lambda d, a: put(d, ["radius"], -1.0),
    "radius nan": lambda d, a: put(d, ["radius"], float("nan")),
    "radius text": lambda d, a: put(d, ["radius"], "7"),
    "fingerprint": lambda d, a: put(d, ["graph"], "xyz"),
    "numbers": lambda d, a: put(d, ["numbers"], 1),
    "large numbers": lambda d, a: put(d, ["numbers"], 2**63),
    "first id": lambda d, a: put(d, ["first_id"], -1),
    "statistics": lambda d, a: put(d, ["stats"], {"dict": []}),
    "statistic": lambda d, a: put(d, ["stats", "dict", 2, 1], "two"),
    "statistics list": lambda d, a: put(d, ["stats"], []),
    "extra class": lambda d, a: put(d, ["stats", "dict", 9, 1], {"os.system": "true"}),
    "missing": lambda d, a: d.pop("radius"),
    "no arrays": lambda d, a: put(d, ["arrays"], []),
    "arrays": lambda d, a: put(d, ["arrays"], 5),
    "array twice": lambda d, a: put(d, ["arrays", 1], d["arrays"][0]),
    "array unknown": lambda d, a: put(d, ["arrays", 1, 0], "secrets"),
    "array of objects": lambda d, a: put(d, ["arrays", 4, 1], "|O"),
    "array of records": lambda d, a: put(d, ["arrays", 4, 1], "<i8,<i8"),
    "array of nothing": lambda d, a: put(d, ["arrays", 4, 1], "<U0"),
    "array of one text": lambda d, a: put(d, ["arrays", 4, 1], "<U999999999"),
    "array size": lambda d, a: put(d, ["arrays", 0, 2], 8),
    "array negative size": lambda d, a: put(d, ["arrays", 0, 2], -8),
    "array huge size": lambda d, a: put(d, ["arrays", 0, 2], 2**60),
    "array checksum": lambda d, a: put(d, ["arrays", 0, 3], "wrong"),
    "array entry": lambda d, a: put(d, ["arrays", 0], 7),
    "float distance": lambda d, a: put(d, ["arrays", 0, 1], "<f2"),
    "columns": lambda d, a: put(d, ["trace"], [["a", "|O"]]),
    "columns of one name": lambda d, a: put(d, ["trace"], [["a", "<u4"], ["a", "<u4"]]),
    "no columns": lambda d, a: put(d, ["trace"], []),
    "columns missing": lambda d, a: put(d, ["trace"], None),
    "columns do not fit": lambda d, a: put(d, ["trace"], [["a", "<f8"]] * 1 + [[str(i), "<f8"] for i in range(12)]),
    "parent cycle": lambda d, a: a["parent"].__setitem__(slice(4, 12), struct.pack("<II", 2, 1)),
    "parent beyond": lambda d, a: a["parent"].__setitem__(slice(4, 8), struct.pack("<I", 3)),
    "parent of source": lambda d, a: a["parent"].__setitem__(slice(0, 4), struct.pack("<I", 1)),
    "parent missing": lambda d, a: a["parent"].__setitem__(slice(8, 12), struct.pack("<I", 2**32 - 1)),
    "unreached source": lambda d, a: a["distance"].__setitem__(slice(0, 8), struct.pack("<q", 2**63 - 1)),
    "text": lambda d, a: a["names"].__setitem__(slice(0, 4), struct.pack("<I", 0x110000)),
    "same names": lambda d, a: a["names"].__setitem__(slice(0, 20), bytes(a["names"][20:40])),
}


@pytest.mark.parametrize("kind", FORGED)
def test_forged_files_are_refused(data, kind):
    with pytest.raises(pf.FormatError):
        loaded(forged(data, FORGED[kind]))


def test_an_unchanged_description_is_read(data):
    assert loaded(forged(data, lambda d, a: None)).path_to("Anzio").tolist() == ["Rome", "Ostia", "Anzio"]


def test_nesting_that_is_too_deep(data):
    graph = pf.Graph.from_edges([0], [1], labels=[("a",), ("b",)])
    raw = saved(pf.shortest_paths(graph, ("a",)))

    def nest(described, arrays):
        arrays["names"][:] = b"[" * 100_000
        next(entry for entry in described["arrays"] if entry[0] == "names")[2] = 100_000

    with pytest.raises(pf.FormatError, match="the names cannot be read"):
        loaded(forged(raw, nest))


@given(st.data())
@examples(200)
def test_damaged_files_are_errors_and_nothing_worse(data, draw):
    damaged = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 4))):
        at = draw.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + draw.draw(st.integers(0, 9))] = draw.draw(st.binary(max_size=9))
    if bytes(damaged) != data:
        with pytest.raises(pf.FormatError):
            loaded(bytes(damaged))


def test_labels_that_no_file_holds():
    graph = pf.Graph.from_edges([0], [1], labels=[object, "b"])
    with pytest.raises(pf.ArgumentError, match="the label <class 'object'> cannot be saved"):
        saved(pf.shortest_paths(graph, "b"))


def test_another_graph_is_refused(data):
    names = ["Rome", "Ostia", "Anzio"]
    with pytest.raises(pf.ArgumentError, match="graph has other arcs"):
        loaded(data, pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 4], labels=names))
    with pytest.raises(pf.ArgumentError, match="graph has other names"):
        loaded(data, pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3], labels=["Roma", *names[1:]]))
    with pytest.raises(pf.ArgumentTypeError, match="graph is an int"):
        loaded(data, 5)


def test_files_are_replaced_when_complete_and_may_be_compressed(tmp_path, data):
    graph = pf.generate.grid(20, 20, seed=1)
    paths = pf.shortest_paths(graph, 5)
    for name in ("a.pfp", "a.pfp.gz", "a.pfp.zst", "a.pfp.xz"):
        paths.save(tmp_path / name)
        assert_same(paths, pf.load_paths(tmp_path / name))
    assert (tmp_path / "a.pfp.xz").stat().st_size < (tmp_path / "a.pfp").stat().st_size
    before = (tmp_path / "a.pfp").read_bytes()
    broken = pf.shortest_paths(pf.Graph.from_edges([0], [1], labels=[object, "b"]), "b")
    with pytest.raises(pf.ArgumentError):
        broken.save(tmp_path / "a.pfp")
    assert (tmp_path / "a.pfp").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pfp", "a.pfp.gz", "a.pfp.xz", "a.pfp.zst"]
    with pytest.raises(pf.FormatError, match="max_bytes"):
        pf.load_paths(tmp_path / "a.pfp", max_bytes=1000)
    with pytest.raises(pf.FormatError, match=r"not a \.pfp file"):
        pf.load_paths(io.BytesIO(b"PFGRAPH\0"))
    with pytest.raises(FileNotFoundError):
        pf.load_paths(tmp_path / "b.pfp")


def test_to_dict():
    graph = pf.Graph.from_edges([0, 0], [1, 2], [0.5, 2.0], n=4, labels=range(1, 5))
    found = pf.shortest_paths(graph, 1).to_dict()
    assert found == {1: 0.0, 2: 0.5, 3: 2.0}
    assert [type(key) for key in found] == [int, int, int]
    assert [type(value) for value in found.values()] == [float, float, float]
    assert pf.shortest_paths(graph, 1, cutoff=1, parents=False).to_dict() == {1: 0.0, 2: 0.5}


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("names", NAMES)
def test_to_frame(library, names):
    pytest.importorskip(library)
    graph = pf.Graph.from_edges([0, 0, 1, 3], [1, 2, 3, 1], [4, 9, 3, 1], n=5, labels=NAMES[names])
    frame = pf.shortest_paths(graph, pf.index(0)).to_frame(library)
    called = list(range(5)) if NAMES[names] is None else graph.labels.tolist()
    if names == "times" and library == "pandas":  # has times of its own
        called = frame["vertex"].dt.date.to_list()
        frame = frame.assign(vertex=called, parent=frame["parent"].dt.date)
    assert list(frame.columns) == ["vertex", "distance", "parent"]
    assert frame["vertex"].to_list() == called[:4]
    assert frame["distance"].to_list() == [0, 4, 9, 7]
    missing, *parents = frame["parent"].to_list()
    assert str(missing) in ("None", "nan", "<NA>", "NaT")
    assert parents == [called[0], called[0], called[1]]
    assert list(pf.shortest_paths(graph, pf.index(0), parents=False).to_frame(library).columns) == [
        "vertex",
        "distance",
    ]
    assert type(frame).__module__.startswith(library)


def test_the_library_of_a_table(monkeypatch):
    pytest.importorskip("pandas")
    paths = pf.shortest_paths(pf.Graph.from_edges([0], [1]), 0)
    assert type(paths.to_frame()).__module__.startswith("pandas")
    with pytest.raises(pf.ArgumentError, match=r"library is 'panda' \(did you mean 'pandas'\?\)"):
        paths.to_frame("panda")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(pf.MissingExtraError, match="pandas or polars, which is not installed; pip install pandas"):
        paths.to_frame()
    with pytest.raises(pf.MissingExtraError, match="pip install polars"):
        paths.to_frame("polars")
