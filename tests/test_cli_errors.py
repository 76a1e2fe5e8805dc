"""Errors of the command line: what is given twice, closed streams, JSON, and no Python in any cure."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import pathfront as pf
from pathfront.cli import run

SMALL = b"p sp 6 7\na 1 2 7\na 1 3 2\na 2 4 1\na 3 2 3\na 3 4 8\na 4 5 2\na 5 5 0\n"
SOLVE = ("solve", "small.gr", "-s", "1")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder that holds small.gr, hops.tw, and distances.npy."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.gr").write_bytes(SMALL)
    (tmp_path / "hops.tw").write_bytes(b"p tw 3 2\n1 2\n2 3\n")
    (tmp_path / "coordinates.co").write_bytes(b"p aux sp co 1\nv 1 0 0\n")
    np.save("distances.npy", np.zeros(6, np.uint32))
    return tmp_path


@pytest.fixture
def fails(capsys):
    """Run a command that must fail, and return its one line on standard error."""

    def fails(*arguments):
        assert run(list(arguments)) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("pathfront: ")
        assert said.err.count("\n") == 1
        return said.err.removeprefix("pathfront: ").rstrip("\n")

    return fails


def shell(line, **options):
    """Run a line of bash with `pathfront` as a command."""
    function = f'pathfront() {{ "{sys.executable}" -m pathfront "$@"; }}; '
    return subprocess.run(["bash", "-c", function + line], capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize(
    "arguments",
    [
        (*SOLVE, "--cutoff", "3", "--cutoff", "4"),
        (*SOLVE, "--cutoff", "3", "--cutoff=4"),
        (*SOLVE, "-m", "dijkstra", "--method", "auto"),
        (*SOLVE, "-o", "a.csv", "-o", "b.csv"),
        ("info", "small.gr", "--format", "dimacs", "--format", "csv"),
        ("convert", "small.gr", "x.gr", "--seed", "1", "--seed", "2", "--weights", "int:1:2"),
        ("verify", "small.gr", "distances.npy", "-s", "0", "-s", "1"),
        ("generate", "grid", "3", "4", "-o", "x.gr", "-o", "y.gr"),
        ("generate", "random", "3", "4", "-o", "x.gr", "--directed", "--no-directed"),
        ("demo", "--arcs", "100", "--arcs", "200"),
    ],
    ids=" ".join,
)
def test_an_option_given_twice_is_an_error(fails, arguments):
    """The last value won without a word."""
    assert "is given more than once; give it once" in fails(*arguments)
    assert not set(os.listdir()) & {"x.gr", "y.gr", "a.csv", "b.csv"}


def test_every_source_that_is_given_is_searched_from(capsys):
    """The last one won without a word."""
    for second in (["-s", "5"], ["--source=5"]):
        assert run([*SOLVE, *second, "--json"]) == 0
        assert [search["source"]["vertex"] for search in json.loads(capsys.readouterr().out)["searches"]] == [1, 5]


def test_lists_and_flags_may_be_repeated(capsys):
    more = ("--target", "2", "--target", "5", "--path-to", "4", "--path-to", "5", "--json", "--json")
    assert run([*SOLVE, *more]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [target["distance"] for target in answer["targets"]] == [5, 8]
    assert [path["vertices"] for path in answer["paths"]] == [[1, 3, 2, 4], [1, 3, 2, 4, 5]]
    assert run([*SOLVE, "--path-to", "4", "--path-to", "5"]) == 0
    shown = capsys.readouterr().out
    assert "1 -> 3 -> 2 -> 4\n" in shown
    assert "1 -> 3 -> 2 -> 4 -> 5\n" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("slove",), "no such command 'slove' (did you mean 'solve'?)"),
        (("check",), "did you mean 'verify'"),
        (("generate", "grdi"), "did you mean 'grid'"),
        ((*SOLVE, "--limit", "3"), "no such option: --limit (did you mean '--cutoff'?)"),
        ((*SOLVE, "--dest", "3"), "did you mean '--target'"),
        ((*SOLVE, "--timeout", "3"), "did you mean '--time-limit'"),
        ((*SOLVE, "-m", "djikstra"), "--method is 'djikstra' (did you mean 'dijkstra'?)"),
        (("methods", "djikstra"), "NAME is 'djikstra' (did you mean 'dijkstra'?)"),
        ((*SOLVE, "--device", "gpu"), "did you mean 'cuda'"),
        ((*SOLVE, "-m", "adds", "--option", "bucket=3"), "did you mean 'buckets'"),
        ((*SOLVE, "-o", "-", "--output-format", "cvs"), "did you mean 'csv'"),
        (("convert", "small.gr", "x.y", "--to", "dimac"), "--to is 'dimac' (did you mean 'dimacs'?)"),
        (("info", "small.gr", "--read-option", "cordinates=3"), "did you mean 'coordinates'"),
        (("bench", "foundations"), "did you mean 'foundation'"),
        (("solve", "small.gr", "0"), "'0' is one argument too many; solve takes GRAPH"),
        (("convert", "small.gr", "x.y"), "pass --to, one of"),
        (("convert", "hops.tw", "x.gr", "--from", "metis", "--to", "pfg"), "hops.tw"),
        (("info", "https://example.org/small.gr"), "files are read from this machine only; download it first"),
        (("convert", "small.gr", "s3://bucket/small.gr"), "files are written on this machine only"),
        ((*SOLVE, "--output-format", "csv"), "no --output"),
        ((*SOLVE, "-o", "-"), "add --output-format npy or csv"),
    ],
)
def test_what_was_meant(fails, arguments, words):
    assert words in fails(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        (*SOLVE, "-m", "bfs"),
        (*SOLVE, "-m", "dijkstra", "--delta", "3"),
        (*SOLVE, "--device", "emulated", "--threads", "2"),
        (*SOLVE, "--threads", "two"),
        (*SOLVE, "--threads", "9" * 5000),
        (*SOLVE, "--threads", "\udcff"),
        (*SOLVE, "--max-bytes", "1"),
        (*SOLVE, "--time-limit", "0"),
        (*SOLVE, "--method", "x" * 5000),
        ("demo", "--arcs", "x"),
        ("generate", "grid", "3", "4.5", "-o", "x.gr"),
        ("generate", "rmat", "3", "4", "x", "-o", "x.gr"),
        ("generate", "grid", "3", "4", "--seed", "-1", "-o", "x.gr"),
        ("generate", "chain", "3", "--weights", "coordinates", "-o", "x.gr"),
        ("info", "coordinates.co"),
        ("info", "small.gr", "--read-option", "coordinates=5"),
        ("convert", "hops.tw", "x.gr"),
        ("convert", "hops.tw", "x.el", "--write-option", "header=true"),
        ("convert", "small.gr", "x.graph"),
        ("convert", "small.gr", "x.el", "--write-option", "source=3"),
        ("convert", "small.gr", "x.gr", "--weights", "coordinates"),
        ("bench", "--device", "cpu"),
    ],
    ids=lambda arguments: " ".join(arguments)[:60],
)
def test_a_cure_is_never_python(fails, arguments):
    said = fails(*arguments)
    assert len(said) < 350
    assert not re.search(r"\bpf\.|\b[Gg]raph\.\w|\w\(|\bNone\b|\bTrue\b|\bFalse\b|Input should|invalid value", said)
    assert not re.search(r"(?<!option )\b[a-z_]+=", said)


def test_unit_weights_are_taken_where_an_error_recommends_weights(fails):
    assert fails("convert", "hops.tw", "x.gr").endswith("use --weights SPEC")
    assert run(["convert", "hops.tw", "x.gr", "--weights", "unit"]) == 0
    assert pf.read("x.gr").weights.tolist() == [1] * 4
    assert run(["generate", "grid", "2", "2", "--weights", "unit", "-o", "grid.gr"]) == 0
    assert set(pf.read("grid.gr").weights.tolist()) == {1}
    assert run(["generate", "grid", "2", "2", "--weights", "unit", "-o", "grid.tw"]) == 0
    assert pf.read("grid.tw").weights is None
    assert run(["generate", "grid", "2", "2", "--weights", "unit", "--dtype", "int64", "-o", "grid.npz"]) == 0
    assert pf.read("grid.npz").weights.dtype == np.int64


def test_no_gpu_is_told_with_the_device_that_a_suite_takes(fails):
    said = fails("bench", "--device", "cuda")
    if "no NVIDIA GPU" in said:
        assert said.endswith("give --device emulated to measure the same kernels on the CPU")
    assert "--device cpu" not in said


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (("solve", "absent.gr", "--json"), "FileNotFoundError"),
        ((*SOLVE, "--json", "--frob"), "NoSuchOption"),
        ((*SOLVE, "--json", "-m", "astar"), "MethodError"),
        ((*SOLVE, "--json", "-o", "-", "--output-format", "csv"), "CommandLineError"),
        (("info", "distances.npy", "--json"), "FormatError"),
    ],
)
def test_with_json_an_error_is_json(capsys, arguments, kind):
    assert run(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    error = json.loads(said.err)
    assert (error["kind"], error["exit_code"]) == (kind, 2)
    assert error["error"]


def test_a_bug_is_json_too(capsys, monkeypatch):
    monkeypatch.setattr(pf.methods, "names", lambda: 1 / 0)
    assert run(["methods", "--json"]) == 70
    error = json.loads(capsys.readouterr().err)
    assert (error["kind"], error["exit_code"]) == ("ZeroDivisionError", 70)
    assert "Traceback" in error["error"]


# ---- distances on standard output ----------------------------------------------------------------------------------


def test_distances_go_to_standard_output(folder):
    found = shell("pathfront solve small.gr -s 1 -o - --output-format csv", cwd=folder)
    assert found.returncode == 0
    assert found.stdout.splitlines()[:3] == ["vertex,distance,parent", "1,0,", "2,5,3"]
    assert "reached   5 of 6 vertices" in found.stderr
    found = shell("pathfront solve small.gr -s 1 -o - --output-format npy > d.npy", cwd=folder)
    assert found.returncode == 0
    assert np.load("d.npy")[:5].tolist() == [0, 5, 2, 6, 8]


def test_distances_as_a_stream_of_arrow(folder):
    arrow = pytest.importorskip("pyarrow")
    shell("pathfront solve small.gr -s 1 -o - --output-format arrow > d", cwd=folder)
    assert run([*SOLVE, "-o", "d.arrows"]) == 0
    for file in ("d", "d.arrows"):
        table = arrow.ipc.open_stream((folder / file).read_bytes()).read_all().to_pydict()
        assert table["distance"] == [0, 5, 2, 6, 8, None]


def test_the_kind_may_be_given_for_a_file(folder):
    assert run([*SOLVE, "-o", "d.txt", "--output-format", "csv"]) == 0
    assert (folder / "d.txt").read_text().startswith("vertex,distance,parent\n1,0,\n")


# ---- closed streams ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        ("pathfront info - <&-", 2, "pathfront: path is '-', but standard input is closed; give a file\n"),
        (
            "pathfront convert small.gr - --to dimacs >&-",
            2,
            "pathfront: path is '-', but standard output is closed; give a file\n",
        ),
        ("pathfront solve absent.gr 2>&-", 2, ""),
        ("pathfront solve small.gr -s 1 -o d.csv <&- >&- 2>&-", 0, ""),
    ],
)
def test_closed_streams(folder, line, code, err):
    """They ended in a traceback, or the error went to standard output."""
    found = shell(line, cwd=folder)
    assert (found.returncode, found.stdout, found.stderr) == (code, "", err)
    if "d.csv" in line:
        assert (folder / "d.csv").read_text().startswith("vertex,distance,parent\n1,0,\n")


@pytest.mark.gpu
def test_the_emulated_device_works_without_standard_error(folder):
    pytest.importorskip("warp")
    code = "import os; os.close(2); import pathfront as pf; "
    code += "print(pf.shortest_paths(pf.generate.chain(3), 0, method='near_far', device='emulated').reached.sum())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (found.returncode, found.stdout) == (0, "3\n")


def test_a_rounded_delta_is_shown(capsys):
    assert run([*SOLVE, "-m", "delta_stepping", "--delta", "3.5", "--threads", "1"]) == 0
    shown = capsys.readouterr().out
    assert "delta_stepping (as asked; the given delta of 3.5 was rounded to 3)" in shown
    assert "delta     3\n" in shown


@pytest.mark.parametrize("value", ["null", "true", "[1]", "{}", "1.5", "-1", '""'])
@pytest.mark.parametrize("option", ["adaptive", "buckets", "block", "pool", "patience"])
def test_values_of_options_are_told_as_on_the_command_line(capsys, option, value):
    code = run([*SOLVE, "-m", "adds", "--option", f"{option}={value}"])
    said = capsys.readouterr().err
    assert code == (2 if said else 0)
    assert not re.search(r"True|False|None|\ban? (int|str|list|dict|float)\b|Traceback", said)
