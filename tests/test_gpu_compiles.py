"""Every kernel compiles for every GPU, on machines that have none, and no loop waits for memory it does not reload."""

from __future__ import annotations

import importlib.util
import re
import struct
from pathlib import Path

import pytest

if importlib.util.find_spec("warp") is None:
    pytest.skip("needs warp-lang", allow_module_level=True)

from tools import compiling, cubin, ptx
from tools.compiling import ARCHITECTURES, Task

from pathfront import warp_runtime

pytestmark = pytest.mark.gpu

ROOT = Path(__file__).parents[1]
OLDEST, NEWEST = ARCHITECTURES[0], ARCHITECTURES[-1]
BLOCK_DIM = 256


def load_docs():
    spec = importlib.util.spec_from_file_location("kernels", ROOT / "docs" / "kernels.py")
    docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(docs)
    return docs


@pytest.fixture(scope="module")
def pool():
    with compiling.processes() as pool:
        yield pool
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def compiling_all(pool):
    """Return where the results will be; the tests wait for those they need."""
    return compiling.submit(pool, compiling.sample())


@pytest.fixture(scope="module")
def compiled(compiling_all):
    return [future.result() for future in compiling_all.values() if future.exception() is None]


@pytest.fixture(scope="module")
def cases(pool):
    """Return the results of the kernels for tests, by module and architecture."""
    tasks = compiling.tasks("kernel_cases", [OLDEST, NEWEST])
    results = [future.result() for future in compiling.submit(pool, tasks).values()]
    return {(done.task.module, done.task.architecture): done for done in results}


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda arch: f"sm_{arch}")
def test_every_kernel_compiles(compiling_all, architecture):
    futures = {task: future for task, future in compiling_all.items() if task.architecture == architecture}
    failures = [f"{task.module}: {error}" for task, future in futures.items() if (error := future.exception())]
    assert futures
    assert failures == []


def test_no_kernel_is_forgotten(compiled):
    """Every function that the sources decorate as a kernel was compiled."""
    sources = (ROOT / "src" / "pathfront" / "devices" / "gpu" / "kernels").glob("*.py")
    text = "\n".join(path.read_text() for path in sources)
    written = set(re.findall(r"@(?:wp\.kernel|made\.add)[^\n]*\n\s*def (\w+)\(", text))
    assert written
    assert written <= {usage.kernel for done in compiled for usage in done.usage}


def test_no_kernel_waits_for_memory_it_does_not_reload(compiled):
    assert [(done.task, done.spins) for done in compiled if done.spins] == []


def test_kernels_use_no_more_than_gpus_have(compiled):
    for done in compiled:
        for usage in done.usage:
            assert 0 < usage.registers < 65536 // BLOCK_DIM, (done.task, usage)  # beyond, no block fits
            assert usage.shared <= 48 * 1024, (done.task, usage)  # beyond, a launch must request it
            assert usage.stack == 0, (done.task, usage)  # beyond, registers are spilled


def test_the_table_has_every_kernel(compiled):
    docs = load_docs()
    assert set(docs.listed(docs.PAGE.read_text())) == set(docs.collect(compiled)), "run: make kernels"


# ---- that the checks can fail ------------------------------------------------------------------------------------


def test_a_kernel_that_does_not_compile_is_an_error(monkeypatch, capfd):
    import kernel_cases

    monkeypatch.setattr(compiling, "_modules", lambda _: {"case_broken": kernel_cases.broken()})
    with pytest.raises(Exception, match="build failed"):
        compiling.compile(Task("kernel_cases", "case_broken", OLDEST))
    assert "this is not C++" in capfd.readouterr().err


@pytest.mark.parametrize("architecture", [OLDEST, NEWEST])
def test_plain_spins_are_found(cases, architecture):
    """One compiler makes an endless loop of them, another removes them: both must be found."""
    found = {spin.kernel for spin in cases["case_spins", architecture].spins}
    assert found == {"plain", "plain_with_pause", "plain_in_function"}


def test_what_all_kernels_are_made_of_compiles(cases):
    assert {module for module, _ in cases} >= {"case_atomics_uint32", "case_numbers_float32_True", "case_reservations"}
    assert all(done.usage for done in cases.values())
    assert [done.task for done in cases.values() if done.spins and done.task.module != "case_spins"] == []


def test_shared_memory_and_stack_are_read(cases):
    for arch in (OLDEST, NEWEST):
        used = {usage.kernel: usage for usage in cases["case_sizes", arch].usage}
        assert used["tile"].shared - used["nothing"].shared == 4 * 1024
        assert used["fixed"].shared - used["nothing"].shared == 8 * 300
        assert used["nothing"].stack == 0
        assert used["local"].stack >= 4 * 100


def test_registers_are_those_of_the_section_header(tmp_path):
    """Up to sm_90 the number is in two places of a cubin, which must agree."""
    import kernel_cases

    wp = warp_runtime.warp()
    wp.compile_aot_module(kernel_cases.sizes().module, arch=OLDEST, module_dir=tmp_path, use_ptx=False)
    [path] = tmp_path.glob("*.cubin")
    data = path.read_bytes()
    (first,) = struct.unpack_from("<Q", data, 0x28)
    size, count, _ = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQII", data, first + i * size) for i in range(count)]
    code = [header[7] >> 24 for header in headers if header[2] & 4]  # sections that can be executed
    assert sorted(code) == sorted(usage.registers for usage in cubin.usage(path))


PTX = """
.visible .entry waits(.param .u64 a)
{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
    mov.u32 %r5, 0;
$again:
    BODY
    @%p1 bra $again;
    ret;
}
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", True),
        ("ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0;", True),
        ("ld.global.v2.u32 {%r1, %r2}, [%rd1]; setp.eq.s32 %p1, %r2, 0;", True),
        ("membar.gl; ld.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", True),
        ("atom.global.add.u32 %r2, [%rd2], 1; ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", True),
        ("st.shared.u32 [%r4], %r3; ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", True),
        ("ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", False),
        ("ld.global.acquire.gpu.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", False),
        ("ld.acquire.gpu.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", False),
        ("atom.global.exch.b32 %r1, [%rd1], 1; setp.ne.s32 %p1, %r1, 0;", False),
        ("add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, 10;", False),
        ("bar.sync 0; ld.shared.u32 %r1, [%r4]; setp.eq.s32 %p1, %r1, 0;", False),
        ("st.global.u32 [%rd1], %r3; ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;", False),
        ("@%p2 bra $L1; mov.u32 %r1, 1; $L1: mov.u32 %r1, 2; setp.eq.s32 %p1, %r1, 0;", False),
        ("bra.uni $again;", True),
        ("$own: bra.uni $own;", True),
    ],
)
def test_loops_are_judged_by_what_may_end_them(body, found):
    assert bool(list(ptx.spins(PTX.replace("BODY", body)))) == found
