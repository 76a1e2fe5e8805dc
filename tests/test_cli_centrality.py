"""`pathfront centrality`: what it prints and writes, and the options that it refuses."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import pathfront as pf
from pathfront.cli import run

NETWORK = b"p sp 5 10\n" + b"".join(
    b"a %d %d %d\na %d %d %d\n" % (u, v, w, v, u, w)
    for u, v, w in [(1, 2, 3), (2, 3, 1), (3, 4, 1), (2, 4, 2), (4, 5, 7)]
)


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    """Run the command on a network, and return what it prints."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.gr").write_bytes(NETWORK)

    def call(*arguments, code=0):
        assert run(["centrality", "net.gr", *map(str, arguments)]) == code
        said = capsys.readouterr()
        return said.out if code == 0 else said.err

    return call


def network(tmp_path):
    """Return the same graph, its vertices named as in the file."""
    return pf.read(tmp_path / "net.gr").with_labels(range(1, 6))


@pytest.mark.parametrize("kind", ["betweenness", "closeness", "harmonic", "eccentricity"])
@pytest.mark.parametrize("hops", [False, True])
def test_values_of_vertices(call, tmp_path, kind, hops):
    graph = network(tmp_path)
    expected = getattr(pf, kind)(graph.with_weights(None) if hops else graph)
    answer = json.loads(call("--kind", kind, "--json", "--top", 5, "-o", "out.csv", *(["--hops"] if hops else [])))
    assert (answer["kind"], answer["graph"]["n"]) == (kind, 5)
    order = sorted(range(5), key=lambda v: (-float(expected[v]), v))
    assert answer["top"] == [{"vertex": v + 1, kind: expected[v]} for v in order]
    with open("out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["vertex"]), float(row[kind])) for row in rows] == list(zip(range(1, 6), expected, strict=True))
    call("--kind", kind, "-o", "out.npy", *(["--hops"] if hops else []))
    assert np.load("out.npy").tobytes() == expected.tobytes()


def test_values_of_edges(call, tmp_path):
    graph = network(tmp_path)
    answer = json.loads(call("--kind", "edge_betweenness", "--sums", "--top", 2, "--json", "-o", "out.csv"))
    assert answer["top"] == [
        {"tail": 1, "head": 2, "edge_betweenness": 4.0},
        {"tail": 2, "head": 3, "edge_betweenness": 4.0},
    ]
    with open("out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    expected = pf.edge_betweenness(graph, normalized=False)
    assert [float(row["edge_betweenness"]) for row in rows] == expected.tolist()
    assert [int(row["head"]) for row in rows] == (graph.heads + 1).tolist()


def test_samples_endpoints_and_positions(call, tmp_path):
    graph = network(tmp_path).unlabelled()
    expected = pf.betweenness(graph, k=3, seed=4, endpoints=True, normalized=False)
    options = ("--k", 3, "--seed", 4, "--endpoints", "--sums", "--by-index")
    answer = json.loads(call(*options, "--top", 9, "--json"))
    assert {row["vertex"]: row["betweenness"] for row in answer["top"]} == dict(enumerate(expected))


@pytest.mark.parametrize(("kind", "key"), [("diameter", "value"), ("radius", "value"), ("center", "vertices")])
def test_extremes(call, tmp_path, kind, key):
    expected = getattr(pf, kind)(network(tmp_path))
    answer = json.loads(call("--kind", kind, "--json"))
    assert answer[key] == (expected if key == "value" else expected.tolist())
    assert f"{kind}  " in call("--kind", kind)


def test_a_table(call):
    shown = call("--top", 2).splitlines()
    assert shown[0].startswith("graph  net.gr: 5 vertices")
    assert [line.split() for line in shown[-3:]] == [["vertex", "betweenness"], ["2", "0.5"], ["4", "0.5"]]


def test_eccentricities_beyond_reach_are_left_empty(call, tmp_path):
    (tmp_path / "net.gr").write_bytes(b"p sp 3 1\na 1 2 5\n")
    assert json.loads(call("--kind", "eccentricity", "--json", "-o", "out.csv"))["top"] == []
    assert (tmp_path / "out.csv").read_text() == "vertex,eccentricity\n1,\n2,\n3,\n"
    assert "vertex 1 does not reach every vertex" in call("--kind", "diameter", code=2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--kind", "closenes"), "--kind is 'closenes' (did you mean 'closeness'?); choose from betweenness"),
        (("--kind", "closeness", "--k", 3), "--k is given, but --kind closeness does not have it"),
        (("--kind", "edge_betweenness", "--endpoints"), "--endpoints is given, but --kind edge_betweenness"),
        (("--seed", 3), "--seed is given, but nothing is drawn; add --k"),
        (("--k", 0), "k is 0, but it must be at least 1"),
        (("--k", 6), "k is 6, but the graph has 5 vertices"),
        (("--top", -1), "--top is -1, but it must be at least 0"),
        (("-o", "out.txt"), "its name must end in one of .csv, .npy"),
        (("--kind", "radius", "-o", "out.csv"), "--kind radius has no values to write"),
    ],
)
def test_options_that_are_refused(call, options, words):
    assert words in call(*options, code=2)
