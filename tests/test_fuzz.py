"""The fuzzer itself: it runs, it repeats, it sees each sort of defect, reduces its case, and saves it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from fuzz import answers, calls, files, oracle, searches
from fuzz.__main__ import main
from fuzz.campaign import Campaign
from fuzz.finding import Finding
from fuzz.parts import PARTS, Part, available
from fuzz.saved import load, replay
from fuzz.shrink import isolated, shrink, smaller_search
from fuzz.workers import run_round

import pathfront as pf
from pathfront.formats import dimacs
from pathfront.methods import dijkstra

QUICK = [name for name in available() if name != "emulated"]


# ---- it finds nothing, and repeats ---------------------------------------------------------------------------------


@pytest.mark.parametrize("part", QUICK)
def test_smoke(part):
    for seed in range(4 if part == "searches" else 2):
        assert [str(finding) for _, finding in run_round(PARTS[part], seed).findings] == []


@pytest.mark.parametrize("part", QUICK)
def test_a_round_is_made_from_its_seed(part):
    assert list(PARTS[part].cases(5)) == list(PARTS[part].cases(5))
    assert list(PARTS[part].cases(5)) != list(PARTS[part].cases(6))


@pytest.mark.gpu
@pytest.mark.slow
def test_smoke_of_the_emulated_device():
    done = run_round(PARTS["emulated"], 1)
    assert done.findings == []
    assert done.tags["device emulated"] == done.cases


@pytest.mark.slow
@pytest.mark.serial
def test_five_minutes(full, tmp_path):
    """With --full, as `make test-all` runs it; else some seconds of the same cases in each run."""
    campaign = Campaign(
        available() if full else QUICK, seed=int(time.time()) if full else 1, seconds=300 if full else 5
    )
    campaign.folder = tmp_path
    campaign.run()
    print(campaign.summary())
    assert campaign.findings == [], campaign.summary()
    assert campaign.cases["searches"] > 100


def test_every_option_of_every_method_is_tried():
    assert {name: set(options) for name, options in searches.OPTIONS.items()} == {
        name: {option.name for option in method.options}
        for name in pf.methods.names()
        if (method := pf.methods.get(name)).options
    }


def test_rounds_meet_every_method_type_and_reader():
    rng = random.Random(3)
    tags = {tag for _ in range(60) for case in searches.make(rng) for tag in searches.tags(case)}
    assert {f"method {name}" for name in pf.methods.names()} <= tags
    assert {"weights None", "weights float32", "weights uint64", "threads 16"} <= tags
    assert set(pf.formats.names()) < set(files.READERS)


# ---- the oracle ----------------------------------------------------------------------------------------------------


def test_float32_is_rounded_like_numpy():
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2**31 - 2**23, (2, 4000), dtype=np.uint32)  # all finite numbers >= 0
    a, b = bits.view(np.float32)
    with np.errstate(over="ignore"):
        expected = a + b
    assert [oracle.as_float32(x + y) for x, y in zip(a.tolist(), b.tolist(), strict=True)] == expected.tolist()


def test_the_oracle_knows_small_answers():
    rows = oracle.rows_of(4, [(0, 1, 4), (1, 2, 3), (0, 2, 10), (2, 1, -4)], directed=True)
    assert oracle.bellman_ford(rows, [0]) is None
    rows = oracle.rows_of(4, [(0, 1, 4), (1, 2, 3), (0, 2, 10)], directed=True)
    assert oracle.dijkstra(rows, [0], "int64") == oracle.bellman_ford(rows, [0]) == [0, 4, 7, None]
    rows = oracle.rows_of(2, [(0, 1, 0.1)], directed=True)
    assert oracle.exact(rows, 0) == [0, Fraction(0.1)]
    assert oracle.within_rounding(0.1 + 0.2, Fraction(0.1) + Fraction(0.2), 2, "float64")
    assert not oracle.within_rounding(0.3 + 1e-12, Fraction(3, 10), 2, "float64")


# ---- it can fail ---------------------------------------------------------------------------------------------------


def broken_search(monkeypatch, change):
    """Let dijkstra's answers be changed before they are returned."""
    solve = dijkstra.METHOD.run

    def run(problem):
        outcome = solve(problem)
        change(problem, outcome)
        return outcome

    method = pf.methods.method.Method(name="dijkstra", summary="", run=run)
    monkeypatch.setitem(pf.methods._REGISTRY, "dijkstra", method)


def findings_of(part: str, seeds: int) -> list:
    return [found for seed in range(seeds) for found in run_round(PARTS[part], seed).findings]


@pytest.mark.parametrize("fault", ["distance", "parents", "radius", "TypeError"])
def test_a_broken_engine_is_seen(fault, monkeypatch):
    def change(problem, outcome):
        if fault == "radius":
            outcome.radius = 5
        elif fault == "distance" and problem.graph.n > 5 and problem.distance[3] not in (0, problem.distance.max()):
            problem.distance[3] += 1
        elif fault == "parents" and problem.parent is not None and problem.graph.n > 2:
            problem.parent[2] = 2
        elif fault == "TypeError":
            raise TypeError("broken")

    broken_search(monkeypatch, change)
    assert fault in {finding.kind for _, finding in findings_of("searches", 12)}


def test_a_verifier_that_believes_anything_is_seen(monkeypatch):
    monkeypatch.setattr(pf, "verify", lambda *_, **__: pf.certificate.Verdict(0, ()))
    assert {finding.kind for _, finding in findings_of("answers", 2)} == {"verify"}


def test_a_writer_that_loses_an_arc_is_seen(monkeypatch):
    write = pf.write
    monkeypatch.setattr(pf, "write", lambda graph, *args, **more: write(_without_last_arc(graph), *args, **more))
    assert "arcs" in {finding.kind for _, finding in findings_of("trips", 3)}


def _without_last_arc(graph):
    if not graph.directed or graph.m == 0:
        return graph
    tails, heads, weights = graph.to_edges()
    kept = None if weights is None else weights[:-1]
    return pf.Graph.from_edges(tails[:-1], heads[:-1], kept, n=graph.n, labels=graph.labels)


ONE_VERTEX = {"reader": "dimacs", "format": "dimacs", "options": {}, "solved": False, "contents": "p sp 1 0\n"}


def test_a_reader_that_raises_is_seen(monkeypatch):
    def parse(*_):
        raise IndexError("broken")

    monkeypatch.setattr(dimacs._core, "parse_dimacs", parse)
    assert files.check(ONE_VERTEX).kind == "IndexError"


def test_a_reader_that_takes_too_much_memory_is_seen(monkeypatch):
    def parse(*_):
        return np.ones(2**31, np.uint8)

    monkeypatch.setattr(dimacs._core, "parse_dimacs", parse)
    assert "MemoryError" in files.check(ONE_VERTEX).kind


def test_a_raw_error_of_a_call_is_seen(monkeypatch):
    case = {"function": "grid", "needed": [], "arguments": {"rows": "three", "columns": "text"}}
    assert calls.check(case) is None
    monkeypatch.setattr(pf.generate, "grid", lambda rows, columns: rows + columns)
    assert calls.check(case).kind == "grid TypeError"


def test_forged_distances_are_really_forged():
    rng = random.Random(1)
    dist = np.array([0, 5, 9, 2**32 - 1], np.uint32)
    changed = [answers._with_changes(dist, [rng.random()]).tolist() != dist.tolist() for _ in range(100)]
    assert sum(changed) > 60


# ---- reducing and saving -------------------------------------------------------------------------------------------


@pytest.mark.serial
def test_a_failure_is_reduced_saved_and_replayed(monkeypatch, tmp_path):
    """Of dozens of arcs only one is left: the one that has the weight which the broken engine cannot add."""

    def change(problem, outcome):
        weights = problem.graph.weights
        if weights is not None and problem.graph.n > 1 and (weights == 7).any():
            problem.distance[problem.source] = 1

    broken_search(monkeypatch, change)
    ends = [[i, (3 * i + 1) % 20] for i in range(20)]
    graph = {"n": 20, "ends": ends, "weights": [*range(20)], "dtype": "int64", "directed": True}
    case = {"graph": graph, "call": {"source": 3, "method": "dijkstra", "threads": 4, "cutoff": 9, "parents": False}}
    reduced, again = shrink(case, "distance", searches.check, smaller_search, seconds=30)
    assert again
    assert reduced["call"] == {"source": reduced["call"]["source"], "method": "dijkstra"}
    assert reduced["graph"]["weights"] == [7]
    assert reduced["graph"]["n"] <= 3


class Faulty:
    """A part whose cases do what they say."""

    def __init__(self, what, monkeypatch, patience=60.0):
        part = Part("searches", 1, self.make, self.check, lambda case: iter(()), lambda case: iter(()), patience)
        self.what = what
        monkeypatch.setitem(PARTS, "searches", part)

    def make(self, rng):
        for i in range(3):
            yield {"number": i}

    def check(self, case):
        if case["number"] == 1:
            if self.what == "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            if self.what == "hang":
                time.sleep(3600)
        return Finding("wrong", "as asked") if self.what == "wrong" and case["number"] == 2 else None


@pytest.mark.serial
@pytest.mark.parametrize(("what", "kind"), [("crash", "crash 11"), ("hang", "hang"), ("wrong", "wrong")])
def test_a_campaign_reports_crashes_and_hangs_with_their_case(what, kind, monkeypatch, tmp_path, capfd):
    Faulty(what, monkeypatch, patience=1.0)
    campaign = Campaign(["searches"], seed=7, seconds=60, processes=1, folder=tmp_path, shrink_seconds=1)
    monkeypatch.setattr("fuzz.campaign._MOST_FINDINGS", 1)
    campaign.run()
    ((where, finding, path),) = campaign.findings
    assert (where, finding.kind) == ("searches:7", kind)
    assert load(path)[1] == {"number": 2 if what == "wrong" else 1}
    assert f"--repeat {where}" in campaign.summary()
    if what == "hang":
        assert "time.sleep" in capfd.readouterr().err or finding.kind == "hang"


@pytest.mark.serial
def test_an_isolated_crash_is_a_finding():
    assert isolated(lambda case: os.kill(os.getpid(), signal.SIGKILL), {}, 10).kind == "crash 9"
    assert isolated(lambda case: time.sleep(60), {}, 0.2).kind == "hang"
    assert isolated(lambda case: None, {}, 10) is None


@pytest.mark.serial
def test_the_command_line(capsys, tmp_path):
    assert main(["--repeat", "files:1"]) == 0
    assert "0 findings" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--repeat", "nonsense:1"])
    arguments = ["--what", "calls", "--count", "60", "--seed", "1", "--processes", "1", "--folder", str(tmp_path)]
    assert main(arguments) == 0
    assert "calls: 60 cases in 1 rounds" in capsys.readouterr().out


def test_a_saved_case_is_replayed(tmp_path, capsys):
    path = tmp_path / "case.json"
    path.write_text('{"part": "calls", "found": "x", "case": {"function": "grid", "needed": [], "arguments": {}}}')
    assert replay(path) is not None  # grid() needs its sizes
    assert main(["--replay", str(path)]) == 1
    assert "now: grid TypeError" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_the_target_of_libfuzzer_compiles():
    """Only `make fuzz-parsers` builds it, which needs clang; so it is kept in step with the parsers here."""
    root = Path(__file__).parents[1]
    command = ["c++", "-std=c++20", "-fsyntax-only", "-I", root / "cpp", root / "fuzz" / "parsers" / "parsers.cpp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
