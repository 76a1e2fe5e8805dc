"""Machines without Warp or without a GPU: a search on a GPU is one clear error, everything else works."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from types import SimpleNamespace

import pytest

import pathfront as pf
from pathfront import warp_runtime
from pathfront.devices import names
from pathfront.devices.gpu import launching
from pathfront.forks import forks

pytestmark = pytest.mark.gpu

needs_warp = pytest.mark.skipif(importlib.util.find_spec("warp") is None, reason="needs warp-lang")

BLOCKED = "import sys; sys.modules['warp'] = None  # as if it were not installed\n"
SEARCH = """
import pathfront as pf
graph = pf.generate.grid(9, 9, seed=1, weights="int:1:9")
"""


def python(code, *, fails=False):
    """Run some code in a process of its own, and return what it wrote to stdout and stderr."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout, done.stderr


def has_gpu():
    out, _ = python("from pathfront import warp_runtime; print(warp_runtime.warp().is_cuda_available())")
    return out.strip() == "True"


# ---- without Warp ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["cuda", "cuda:1", "emulated"])
def test_without_warp_a_device_is_one_sentence(device):
    out, _ = python(f"""{BLOCKED}{SEARCH}
for name in pf.methods.names():
    if "cuda" in pf.methods.get(name).devices:
        try:
            pf.shortest_paths(graph.with_weights(None) if name == "bfs" else graph, 0, method=name, device={device!r})
        except pf.MissingExtraError as error:
            print(isinstance(error, ImportError), error.__cause__, error.__suppress_context__, error)
        else:
            print(name, "ran")
""")
    sentence = f"device is {device!r}, which needs the package warp-lang; pip install 'pathfront[gpu]'."
    assert set(out.splitlines()) == {f"True None True {sentence}"}
    assert len(out.splitlines()) >= 9


def test_without_warp_everything_can_be_imported_but_kernels():
    out, _ = python(f"""{BLOCKED}
import importlib, pkgutil
import pathfront
names = [name for _, name, _ in pkgutil.walk_packages(pathfront.__path__, "pathfront.")]
names = [name for name in names if ".kernels" not in name and not name.endswith("__main__")]
for name in names:
    importlib.import_module(name)
print(len(names) > 80)
""")
    assert out == "True\n"


def test_without_warp_every_method_works():
    out, err = python(f"""{BLOCKED}{SEARCH}
ones = graph.with_weights(None)
for name in pf.methods.names():
    on = ones if name == "bfs" else graph
    assert pf.verify(on, pf.shortest_paths(on, 0, method=name))
pf.distance_matrix(graph, [0, 1])
pf.nearest(graph, [0, 80])
print("done")
""")
    assert (out, err) == ("done\n", "")


def test_without_warp_the_shell_shows_one_line(tmp_path):
    graph = tmp_path / "grid.gr"
    python(f"{SEARCH}pf.write(graph, {str(graph)!r}, lossy=True)")
    for device in ("cuda", "emulated"):
        arguments = ["solve", str(graph), "--source", "1", "--device", device]
        out, err = python(f"{BLOCKED}from pathfront.cli import run\nsys.exit(run({arguments}))", fails=True)
        assert out == ""
        assert err.count("\n") == 1
        assert "pip install 'pathfront[gpu]'" in err


# ---- without a GPU -----------------------------------------------------------------------------------------------


@needs_warp
@pytest.mark.parametrize("device", ["cuda", "cuda:3"])
def test_without_a_gpu_cuda_is_one_sentence(device):
    if has_gpu():
        pytest.skip("there is a GPU")
    out, err = python(f"""{SEARCH}
try:
    pf.shortest_paths(graph, 0, method="near_far", device={device!r})
except pf.DeviceError as error:
    print(error)
""")
    assert out.startswith(f"device is {device!r}, but no NVIDIA GPU with a driver that Warp ")
    assert out.endswith("use device='cpu', or device='emulated' to run the same kernels on the CPU.\n")
    assert err == ""


@needs_warp
def test_without_a_gpu_the_shell_shows_one_line(tmp_path):
    if has_gpu():
        pytest.skip("there is a GPU")
    graph = tmp_path / "grid.gr"
    python(f"{SEARCH}pf.write(graph, {str(graph)!r}, lossy=True)")
    arguments = ["solve", str(graph), "--source", "1", "--device", "cuda"]
    out, err = python(f"import sys\nfrom pathfront.cli import run\nsys.exit(run({arguments}))", fails=True)
    assert out == ""
    assert err.count("\n") == 1
    assert "--device emulated" in err


# ---- Warp only where it is needed --------------------------------------------------------------------------------


def test_warp_is_imported_only_for_a_device():
    out, _ = python(f"""
import sys
import pathfront
print("warp" in sys.modules, "numpy" in sys.modules, any(name.startswith("pathfront.devices") for name in sys.modules))
{SEARCH}
for name in pf.methods.names():
    pf.shortest_paths(graph if name != "bfs" else graph.with_weights(None), 0, method=name)
print("warp" in sys.modules)
""")
    first, second = out.splitlines()
    assert (first, second) == ("False False False", "False")


@needs_warp
def test_an_emulated_search_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("WARP_CACHE_PATH", str(tmp_path))  # also not while kernels are compiled
    out, err = python(f"""{SEARCH}
paths = pf.shortest_paths(graph, 0, method="near_far", device="emulated")
assert (paths.distance == pf.shortest_paths(graph, 0).distance).all()
""")
    assert (out, err) == ("", "")
    assert list(tmp_path.rglob("*.o"))


@needs_warp
def test_stderr_is_discarded_only_while_warp_loads():
    """Later output to stderr appears, and an application that has loaded Warp before keeps its log level."""
    _, err = python("""
import os
from pathfront import warp_runtime
warp_runtime.warp()
os.write(2, b"mine\\n")
""")
    assert err == "mine\n"
    out, _ = python("""
import warp
from pathfront import warp_runtime
before = warp.config.log_level
warp_runtime.warp()
print(warp.config.log_level == before)
""")
    assert out.splitlines()[-1] == "True"


@needs_warp
@pytest.mark.parametrize("method", ["near_far", "delta_stepping", "adds"])
def test_several_callers_may_be_the_first(method):
    """One of several threads loads Warp and makes the kernels."""
    out, err = python(f"""
import threading
import pathfront as pf
graph = pf.generate.grid(60, 60, seed=1)
expected = pf.shortest_paths(graph, 0, method="dijkstra").distance.tolist()
right = []
def search():
    found = pf.shortest_paths(graph, 0, method={method!r}, device="emulated")
    right.append(found.distance.tolist() == expected)
callers = [threading.Thread(target=search) for _ in range(6)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
print(right == [True] * 6)
""")
    assert (out.split()[-1], err) == ("True", "")


# ---- a GPU that is not there -------------------------------------------------------------------------------------


class PretendedWarp:
    """The part of Warp that stops a running kernel; records the calls."""

    int32, __version__ = "int32", "pretended"

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def call(*_, **__):
            self.calls.append(name)
            return SimpleNamespace(numpy=lambda: [0], is_complete=True)

        return call

    def is_cuda_available(self):
        return True

    def get_cuda_devices(self):
        return [SimpleNamespace(alias="cuda:0"), SimpleNamespace(alias="cuda:1")]


def test_a_running_gpu_is_told_to_stop_without_claiming_memory(monkeypatch):
    """Allocating pinned host memory makes CUDA wait for the running kernels."""
    wp = PretendedWarp()
    monkeypatch.setattr(warp_runtime, "warp", lambda *_: wp)
    monkeypatch.setattr(warp_runtime, "process", forks())
    assert names.as_device("cuda") == "cuda:0"
    assert names.as_device("cuda:1") == "cuda:1"
    array = SimpleNamespace(device=SimpleNamespace(is_cpu=False, is_cuda=True), dtype="int32")
    signal = launching.StopSignal(array, 0)
    wp.calls.clear()
    signal.send()
    assert wp.calls == ["copy"]  # and no wait of Warp's, which is an error while another caller captures
    with pytest.raises(pf.DeviceError, match=r"device is 'cuda:2', but the GPUs are cuda:0, cuda:1;"):
        names.as_device("cuda:2")


def test_the_suite_of_gpus_is_not_measured_on_the_cpu():
    from pathfront.bench import suites

    for name in (None, "gpu"):
        with pytest.raises(pf.ArgumentError, match=r"device is 'cpu', but suite gpu measures GPUs; give cuda or"):
            suites.get(name, "cpu")
