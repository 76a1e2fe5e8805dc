"""What all kernels are made of: atomics lose nothing among threads, sums never leave their type, words keep order."""

from __future__ import annotations

import importlib.util
import re
import threading
from pathlib import Path

import numpy as np
import pytest

if importlib.util.find_spec("warp") is None:
    pytest.skip("needs warp-lang", allow_module_level=True)

from pathfront import warp_runtime

wp = warp_runtime.warp()

import kernel_cases as cases  # noqa: E402 - Warp is silenced first
from pathfront.devices.gpu.kernels import atomics, numbers  # noqa: E402 - likewise

pytestmark = pytest.mark.gpu

THREADS = 4
TYPES = list(numbers.TYPES)


def at_once(kernel, *inputs):
    """Launch a kernel from several threads; it begins by waiting for all of them, and Warp releases the GIL."""
    arrived, failures = zeros(1, wp.int32), []
    kernel.module.load("cpu")  # compiled before the threads begin

    def body(index):
        try:
            launch(kernel, arrived, THREADS, index, *inputs)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=body, args=(index,)) for index in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def zeros(shape, dtype):
    return wp.zeros(shape, dtype=dtype, device="cpu")


def launch(kernel, *inputs, dim=1):
    wp.launch(kernel, dim=dim, inputs=inputs, device="cpu")


# ---- atomics -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TYPES)
def test_each_atomic_does_what_it_says(name):
    case = cases.of_atomics(name)
    big, small = (100, 3) if name.startswith("u") else (100, -3)
    a = wp.full(8, big, dtype=case.dtype, device="cpu")
    grid = wp.full((2, 3), big, dtype=case.dtype, device="cpu")
    out = zeros(8, case.dtype)
    launch(case.each, a, grid, out, case.dtype(small))
    assert out.numpy().tolist() == [big, small, big, big, big, big, big, big]
    assert a.numpy().tolist() == [big, small, small, small, big, small, small, big]
    assert grid.numpy().tolist() == [[big] * 3, [big, big, small]]


@pytest.mark.parametrize("name", TYPES)
def test_threads_lose_no_update(name):
    case, rounds = cases.of_atomics(name), 20_000
    a, plain, won = zeros(4 + THREADS, case.dtype), zeros(1, case.dtype), zeros((THREADS, rounds), wp.int32)
    got = zeros(THREADS, wp.int64)
    a.numpy()[1] = rounds + 1
    at_once(case.compete, a, plain, won, got)
    assert a.numpy()[0] == THREADS * rounds, "compare_and_swap lost an update"
    assert plain.numpy()[0] == THREADS * rounds, "two threads were where only one may be"
    given = THREADS * rounds * (THREADS * rounds + 1) // 2
    assert got.numpy().sum() + int(a.numpy()[2]) == given, "exchange lost a value, or gave one twice"
    assert a.numpy()[1] == 1, "fetch_min lost the lowest"
    assert won.numpy().sum(axis=0).max() == 1, "fetch_min let two threads win by the same value"


@pytest.mark.parametrize("name", ["uint32", "int32", "uint64"])
def test_threads_lose_no_count(name):
    case, rounds = cases.of_atomics(name), 500_000
    a, out = zeros(1, case.dtype), zeros(THREADS, case.dtype)
    at_once(case.count, a, out, rounds)
    assert a.numpy()[0] == THREADS * rounds
    assert out.numpy().max() == THREADS * rounds - 1


def test_every_slot_is_reserved_once():
    rounds, rows = 300_000, 3
    ends, taken = zeros(rows, wp.uint32), zeros((rows, THREADS * rounds // rows), wp.int32)
    at_once(cases.reservations().reserve, ends, taken, rounds)
    assert ends.numpy().tolist() == [THREADS * rounds // rows] * rows
    assert (taken.numpy() == 1).all()


def test_an_element_is_marked_by_one_thread():
    rounds = 300_000
    marked, won = zeros(rounds, wp.uint32), zeros((THREADS, rounds), wp.int32)
    at_once(cases.reservations().marks, marked, won, rounds)
    assert (marked.numpy() == 1).all()
    assert (won.numpy().sum(axis=0) == 1).all()


def test_a_slot_comes_with_the_index_of_its_first_arc():
    rounds = 200_000
    end, (firsts, arcs) = zeros(1, wp.uint64), (zeros(THREADS * rounds, wp.int32) for _ in range(2))
    at_once(cases.reservations().reserve_arcs, end, firsts, arcs, rounds)
    before = np.cumsum(arcs.numpy()) - arcs.numpy()
    assert (firsts.numpy() == before).all()
    assert int(end.numpy()[0]) == (THREADS * rounds << 32) + arcs.numpy().sum()


def test_threads_of_a_block_wait_for_each_other(monkeypatch):
    monkeypatch.setattr(wp.config, "enable_cpu_blocks", True)
    threads = 8
    given, out = wp.array(np.arange(threads, dtype=np.int32) * 3 % 7, device="cpu"), zeros((3, threads), wp.int32)
    before = given.numpy().tolist()
    wp.launch_tiled(cases.reservations().collectives, dim=[1], inputs=[given, out], device="cpu", block_dim=threads)
    assert out.numpy().tolist() == [[1] * threads, before, list(range(threads))[::-1]]


def test_every_atomic_has_a_case():
    source = Path(cases.__file__).read_text()
    written = {name for name, thing in vars(atomics).items() if isinstance(thing, wp.Function)}
    for dtype in numbers.TYPES.values():
        written |= set(vars(atomics.of(dtype)))
    assert [name for name in sorted(written) if not re.search(rf"\b{name}\(", source)] == []


# ---- numbers -----------------------------------------------------------------------------------------------------


def corners(name):
    """Return pairs of a distance and a weight, with all that are at the edge of the type."""
    dtype = np.dtype(name)
    if name.startswith("float"):
        top = float(np.finfo(dtype).max)
        values = [0.0, 0.1, 1.0, top / 2, top, 16777216.0, float(np.finfo(dtype).smallest_subnormal)]
        values += [-value for value in values]
        dists = [*values, float("inf")]
    else:
        bounds = np.iinfo(dtype)
        top = int(bounds.max)
        values = [0, 1, 2, 1000, top // 2, top // 2 + 1, top - 2, top - 1]
        if bounds.min < 0:
            values += [-value for value in values] + [-top, -top - 1]
        dists = [*values, top]
    pairs = [(dist, weight) for dist in dists for weight in values]
    return np.array([a for a, _ in pairs], dtype), np.array([b for _, b in pairs], dtype)


def exact_sum(name, dist, weight):
    """Return the sum that a search may use: the type's own, or unreached where it does not fit."""
    unreached, largest, lowest = numbers.limits(name)
    if name.startswith("float"):
        with np.errstate(over="ignore"):
            sum = np.add(dist, weight)
    else:
        sum = int(dist) + int(weight)
    return sum if lowest <= sum <= largest else unreached


@pytest.mark.parametrize("name", TYPES)
def test_sums_stay_in_their_type(name):
    case = cases.of_numbers(name, False)
    a, b = corners(name)
    out = wp.array(np.zeros((2, len(a)), name), dtype=case.kind.dtype, device="cpu")
    launch(case.sums, wp.array(a, device="cpu"), wp.array(b, device="cpu"), out, dim=len(a))
    unreached, largest, _ = numbers.limits(name)
    plus, raised = out.numpy()
    for dist, weight, sum, limit in zip(a, b, plus, raised, strict=True):
        if dist == unreached and weight < 0:
            continue  # not needed: arcs of unreached vertices are not relaxed
        assert sum == exact_sum(name, dist, weight), (dist, weight)
        if weight >= 0:
            assert limit == min(exact_sum(name, dist, weight), largest), (dist, weight)


@pytest.mark.parametrize(("name", "packed"), numbers.FORMS)
def test_words_keep_distance_parent_and_order(name, packed):
    case = cases.of_numbers(name, packed)
    values = np.unique(corners(name)[0])
    n = len(values)
    back, parents = wp.array(np.zeros(n, name), device="cpu"), zeros(n, wp.uint32)
    raw = zeros(n, case.kind.word)
    launch(case.words, wp.array(values, device="cpu"), back, parents, raw, dim=n)
    assert back.numpy().tobytes() == values.tobytes()
    assert (np.diff(raw.numpy().astype(object)) > 0).all()
    assert parents.numpy().tolist() == (list(range(n)) if packed else [numbers.NO_VERTEX] * n)


@pytest.mark.parametrize(("name", "packed"), numbers.FORMS)
def test_threads_improve_to_the_lowest(name, packed):
    case, vertices = cases.of_numbers(name, packed), 1_000_000
    state, won = zeros(vertices, case.kind.word), zeros((THREADS, vertices), wp.int32)
    launch(case.clear, state, dim=vertices)
    at_once(case.compete, state, won)  # each thread offers each vertex a distance, one of them the 1
    dist, parents = wp.array(np.zeros(vertices, name), device="cpu"), zeros(vertices, wp.uint32)
    launch(case.read, state, dist, parents, dim=vertices)
    lowest = -np.arange(vertices) % THREADS
    assert (dist.numpy() == 1).all()
    assert (won.numpy()[lowest, np.arange(vertices)] == 1).all(), (
        "the result does not say that this thread improved the vertex"
    )
    if packed:
        assert (parents.numpy() == lowest).all(), "a parent of another distance"
