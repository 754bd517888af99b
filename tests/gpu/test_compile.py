"""Every kernel is compiled for NVIDIA's architectures, with nvcc or NVRTC, on any machine.

Which kernels there are is not listed anywhere: the backend is asked for each operation on each
dtype and on operands of many layouts, over a runtime that launches nothing and notes what it would
have launched.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from elementwise import BINARY, OPERATIONS, RULE, UNARY, accepts
from running import known_module_from
from strategies import DTYPE_NAMES, HALVES

import corepy
from corepy import nn
from corepy._gpu.runtime import ENTRY, KERNELS, SHARED, source_of

recorded = known_module_from(Path(__file__).parent / "host" / "recording.py").recorded

#: Compute capabilities; of those a compiler knows, all are compiled for.
ARCHITECTURES = (75, 80, 90, 100)
#: As in `corepy._gpu.cuda`, which cannot be imported without CuPy.
OPTIONS = ["-std=c++17", "-fmad=false"]
#: What CuPy adds to the options for NVRTC.
CUPY_OPTIONS = ["--device-as-default-execution-space"]
#: Kernels in a translation unit: together they take a fraction of what each takes alone.
TOGETHER = 160
#: A sample is one kernel in so many.
SAMPLE = 16


# ---- operands of each layout


def contiguous(xp, dtype):
    return xp.zeros((64,), dtype=dtype)


def unaligned(xp, dtype):
    return xp.zeros((65,), dtype=dtype)[1:]


def boxed(ndim):
    """A view of `ndim` axes of which no two can be joined."""

    def make(xp, dtype):
        return xp.zeros((3,) * ndim, dtype=dtype)[(slice(0, 2),) * ndim]

    return make


def transposed(xp, dtype):
    return xp.zeros((64, 48), dtype=dtype).T


def transposed_wide(xp, dtype):
    return xp.zeros((64, 80), dtype=dtype).T


def many(xp, dtype):
    """More elements than 32 bits can number: few, repeated."""
    return xp.broadcast_to(xp.zeros((6,), dtype=dtype)[::2], (1 << 30, 3))


LAYOUTS = [contiguous, unaligned, boxed(2), boxed(3), boxed(5), boxed(9), transposed]


def elementwise_calls():
    """Each operation on each dtype that it takes: contiguous, and one more layout in turn.

    Where all integers are computed as float64, with one functor, two of the dtypes do.
    """
    turn = 0
    for name in [*UNARY, *BINARY]:
        taken = [dtype for dtype in DTYPE_NAMES if accepts(name, dtype)]
        if RULE[name] == "floating":
            integers = [dtype for dtype in taken if np.dtype(dtype).kind in "biu"]
            kept = {integers[turn % len(integers)], integers[(turn + 4) % len(integers)]}
            taken = [dtype for dtype in taken if dtype not in integers or dtype in kept]
        for dtype in taken:
            turn += 1
            for make in (contiguous, LAYOUTS[1 + turn % (len(LAYOUTS) - 1)]):
                yield lambda xp, n=name, d=dtype, m=make, k=1 + (name in BINARY): getattr(xp, n)(
                    *[m(xp, d) for _ in range(k)]
                )


def layout_calls():
    """A few operations on every combination of layouts, scalars and dtypes of different sizes."""
    for make in LAYOUTS:
        yield lambda xp, m=make: xp.add(m(xp, "float32"), m(xp, "float32"))
        yield lambda xp, m=make: xp.add(m(xp, "float32"), 2.0)
        yield lambda xp, m=make: xp.subtract(1.0, m(xp, "float32"))
        yield lambda xp, m=make: xp.add(m(xp, "float32"), xp.asarray(2.0, dtype="float64"))
        yield lambda xp, m=make: xp.less(m(xp, "int64"), m(xp, "uint64"))
        yield lambda xp, m=make: xp.equal(m(xp, "complex128"), m(xp, "complex128"))
        for dtype in DTYPE_NAMES:
            yield lambda xp, m=make, d=dtype: xp.where(m(xp, "bool"), m(xp, d), m(xp, d))
            yield lambda xp, m=make, d=dtype: xp.where(m(xp, "bool"), m(xp, d), 0)
        for dtype in DTYPE_NAMES[1:-2]:
            yield lambda xp, m=make, d=dtype: xp.clip(m(xp, d), 0, 1)


def mixed_calls():
    """Operands of all pairs of dtypes, and all casts."""
    for first in DTYPE_NAMES:
        for second in DTYPE_NAMES:
            if not (first.startswith("complex") and not second.startswith("complex")):
                yield lambda xp, a=first, b=second: xp.astype(contiguous(xp, a), b)
                yield lambda xp, a=first, b=second: xp.astype(transposed(xp, a), b)
                yield lambda xp, a=first, b=second: xp.astype(transposed_wide(xp, a), b)
            yield lambda xp, a=first, b=second: xp.multiply(contiguous(xp, a), contiguous(xp, b))


def reduction_calls():
    for name in [name for name, shape, _, _ in OPERATIONS if shape == "reduce"]:
        for dtype in filter(lambda dtype: accepts(name, dtype), DTYPE_NAMES):
            for axis in (None, 0, 1, (0, 2)):
                if not (name.startswith("arg") and isinstance(axis, tuple)):
                    yield lambda xp, n=name, d=dtype, a=axis: getattr(xp, n)(
                        xp.zeros((40, 30, 20), dtype=d), axis=a
                    )
    for name in [name for name, shape, _, _ in OPERATIONS if shape == "scan"]:
        for dtype in filter(lambda dtype: accepts(name, dtype), DTYPE_NAMES):
            for axis in (0, 1):
                yield lambda xp, n=name, d=dtype, a=axis: getattr(xp, n)(
                    xp.zeros((40, 30), dtype=d), axis=a
                )


#: A shape of each kind for reductions of an axis, and for scans along it.
SHAPES = (
    ((40, 3), 1), ((40, 30), 1), ((40, 600), 1), ((4, 40000), 1), ((60000,), 0), ((1100, 2100), 1),
    ((40, 7), 0), ((600, 40), 0), ((40000, 4), 0), ((2, 3, 2, 3, 2, 30), 3),
)  # fmt: skip


def shape_calls():
    """A few reductions and scans of all kinds of shapes and layouts."""
    for dtype in ("int8", "float32", "complex128"):
        yield lambda xp, d=dtype: xp.sum(xp.zeros((6, 5, 4, 30), dtype=d), axis=(0, 2))
        for shape, axis in SHAPES:
            for cut in (0, 1):  # not aligned, and in boxes

                def make(xp, dtype=dtype, shape=shape, cut=cut):
                    more = tuple(size + cut for size in shape)
                    return xp.zeros(more, dtype=dtype)[(slice(cut, None),) * len(shape)]

                for name in ("sum", "prod", "var", "any"):
                    yield lambda xp, n=name, m=make, a=axis: getattr(xp, n)(m(xp), axis=a)
                    yield lambda xp, n=name, m=make: getattr(xp, n)(m(xp))
                if dtype != "complex128":
                    yield lambda xp, m=make, a=axis: xp.argmax(m(xp), axis=a)
                for initial in (False, True):
                    yield lambda xp, m=make, a=axis, i=initial: xp.cumulative_sum(
                        m(xp), axis=a, include_initial=i
                    )


def many_calls():
    """A few operations on more elements than 32 bits can number."""
    for dtype in ("int8", "float32"):
        yield lambda xp, d=dtype: xp.add(many(xp, d), many(xp, d))
        yield lambda xp, d=dtype: xp.add(many(xp, d), 1)
        yield lambda xp, d=dtype: xp.astype(xp.permute_dims(many(xp, d), (1, 0)), "float64")
        yield lambda xp, d=dtype: xp.sum(many(xp, d))
        yield lambda xp, d=dtype: xp.sum(many(xp, d), axis=0)
        yield lambda xp, d=dtype: xp.cumulative_sum(many(xp, d), axis=1)
        yield lambda xp, d=dtype: xp.take(many(xp, d), xp.zeros((2,), dtype="int64"), axis=1)
        yield lambda xp, d=dtype: many(xp, d)[xp.astype(many(xp, "int8"), "bool")]


def movement_calls():
    for dtype in DTYPE_NAMES:

        def moves(xp, dtype=dtype):
            x, y = xp.zeros((40, 30), dtype=dtype), xp.zeros((4000,), dtype=dtype)
            mask, places = xp.zeros((40, 30), dtype="bool"), xp.zeros((40,), dtype="int64")
            x[mask]
            x[mask] = 1
            x[mask] = y[:2]
            x[places]
            x[places] = 1
            x[places] = x
            y[places] = y[:40]
            x[places, places]
            xp.nonzero(x)
            xp.take(x, places, axis=0)
            xp.take(x, xp.astype(places, "int32"), axis=1)
            xp.take_along_axis(x, xp.zeros((40, 30), dtype="int64"), axis=1)
            xp.concat((x, x.T), axis=None)
            xp.stack((x, x))
            xp.roll(x, 1, axis=0)
            xp.repeat(x, 2)
            xp.tile(x, (2, 2))
            xp.flip(x) + x
            xp.tril(x)
            for ndim in (3, 5, 9):
                box = boxed(ndim)(xp, dtype)
                marks = boxed(ndim)(xp, "bool")
                box[marks]
                box[marks] = 1
                box[marks] = y[:2]
                box[places % 1]
                box[places % 1] = 1
                xp.nonzero(marks)
            if dtype != "bool":
                xp.matmul(x, x.T)
                xp.matmul(x, x[0, :])
                xp.matmul(x[:, 0], x)
                xp.matmul(xp.zeros((256, 16), dtype=dtype), xp.zeros((16, 256), dtype=dtype))
                xp.vecdot(x, x)
                xp.vecdot(xp.zeros((9000,), dtype=dtype), xp.zeros((9000,), dtype=dtype))
            if not dtype.startswith("complex"):
                xp.searchsorted(y, x)
                xp.searchsorted(y, x, side="right")
            if dtype != "bool" and not dtype.startswith("complex"):
                xp.arange(0, 9, dtype=dtype)
            if np.dtype(dtype).kind in "fc":
                xp.linspace(0, 1, 9, dtype=dtype)

        yield moves


def fusion_calls():
    """Groups of deferred operations, on operands of each layout, and reductions of results."""
    for make in (*LAYOUTS, many):
        for dtype in ("int8", "float32", "complex128"):

            def compute(xp, make=make, dtype=dtype):
                x, y = make(xp, dtype), make(xp, dtype)
                with corepy.config(fusion_threshold=0), corepy.fuse():
                    z = xp.where(x != y, x * y + x, 2)
                    corepy.compute(z, z - y, xp.astype(z, "float64" if dtype == "int8" else dtype))
                    for name, axis in (("sum", None), ("var", 0), ("any", -1)):
                        corepy.compute(getattr(xp, name)(x * 2 + y, axis=axis))

            yield compute
    for turn, name in enumerate([*UNARY, *BINARY]):
        taken = [dtype for dtype in DTYPE_NAMES if accepts(name, dtype)]
        chosen = taken[turn % len(taken)]

        def chain(xp, name=name, dtype=chosen):
            x = contiguous(xp, dtype)
            with corepy.config(fusion_threshold=0), corepy.fuse():
                y = xp.where(x != 0, x, 1)
                corepy.compute(getattr(xp, name)(*[y] * (1 + (name in BINARY))) != 1)

        yield chain


def network_calls():
    """Operations of rows, short and long, of packs and of elements; quantized matrices."""
    for dtype in ("float32", "float64", *HALVES):
        for n in (64, 65, 4096, 4097):

            def compute(xp, dtype=dtype, n=n):
                x, factors = xp.zeros((3, n), dtype=dtype), xp.zeros(n, dtype=dtype)
                nn.softmax(x)
                nn.log_softmax(x)
                nn.rms_norm(x, factors)
                nn.layer_norm(x, factors, factors)

            yield compute
    for dtype in ("int8", "uint8"):
        for columns in (64, 65):

            def multiply(xp, dtype=dtype, columns=columns):
                x, q = xp.zeros(columns, dtype="float32"), xp.zeros((8, columns), dtype=dtype)
                scales = xp.zeros((8, -(-columns // 32)), dtype="float32")
                network = x.device.backend.network
                assert network("multiply_quantized", x, q, scales, group_size=32) is not None

            yield multiply


# ---- compilers


def find_nvcc():
    """Return the path of nvcc, or None; CUDA's own installers put it on no path."""
    found = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return found if os.access(found, os.X_OK) else None


def find_nvrtc():
    """Return NVRTC, loaded, or None; of CUDA's packages for pip it is in none's search path."""
    folders = [Path(folder) for folder in sys.path if folder]
    wheels = [path for folder in folders for path in folder.glob("nvidia/*/lib/libnvrtc.so.*")]
    named = os.environ.get("COREPY_NVRTC")
    if named:
        return load_nvrtc(named)
    for name in ("libnvrtc.so.13", "libnvrtc.so.12", *map(str, sorted(wheels))):
        try:
            return load_nvrtc(name)
        except OSError:
            continue
    return None


def load_nvrtc(name):
    """Load NVRTC; it finds its builtins by their name alone, so that these are loaded first."""
    for builtins in sorted(Path(name).parent.glob("libnvrtc-builtins.so*")):
        ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(name)


def known_to_nvrtc(nvrtc):
    """Return the compute capabilities that NVRTC compiles for."""
    count = ctypes.c_int()
    assert not nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    found = (ctypes.c_int * count.value)()
    assert not nvrtc.nvrtcGetSupportedArchs(found)
    return [architecture for architecture in ARCHITECTURES if architecture in list(found)]


def known_to_nvcc(nvcc):
    """Return the compute capabilities that nvcc compiles for."""
    command = [nvcc, "--list-gpu-arch"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return [each for each in ARCHITECTURES if f"compute_{each}" in listed]


def run(*command):
    words = [str(part) for part in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{(done.stdout + done.stderr)[-4000:]}"


def compile_with_nvcc(nvcc, folder, number, expressions):
    """Compile a group of kernels to PTX, which is the same for all architectures, and the first
    group's for each of them, others' for one in turn.
    """
    source = folder / f"kernels{number}.cu"
    source.write_text(source_of(*expressions))
    ptx = source.with_suffix(".ptx")
    run(nvcc, *OPTIONS, "-arch=compute_75", "-ptx", f"-I{KERNELS}", source, "-o", ptx)
    assembler = Path(nvcc).with_name("ptxas")
    known = known_to_nvcc(nvcc)
    for architecture in known if number == 0 else [known[number % len(known)]]:
        cubin = source.with_suffix(f".{architecture}.cubin")
        run(assembler, f"-arch=sm_{architecture}", ptx, "-o", cubin)
        cubin.unlink()
    ptx.unlink()


def compile_with_nvrtc(nvrtc, expressions):
    """Compile kernels as a machine with a GPU does, which has no host compiler's headers."""
    source = source_of(*expressions).encode()
    for target in ("compute_75", *(f"sm_{each}" for each in known_to_nvrtc(nvrtc))):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        options = [*OPTIONS, f"-I{KERNELS}", f"-arch={target}", *CUPY_OPTIONS]
        words = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        assert not nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, None, 0, None, None)
        status = nvrtc.nvrtcCompileProgram(program, len(options), words)
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
        # The only warning allowed: Turing runs fewer blocks at a time.
        said = log.value.decode()
        warnings = [line for line in said.splitlines() if line and ".minnctapersm" not in line]
        assert status == 0 and not warnings, f"NVRTC for {target}\n{said[-4000:]}"


def compile_with_hipcc(hipcc, source, architecture):
    """Compile kernels for a GPU of AMD's, with the Clang that Debian's hipcc has no path to."""
    settings = ["HIP_PLATFORM=amd"]
    clang = sorted(Path("/usr/lib").glob("llvm-*/bin/clang++"))
    if hipcc == "/usr/bin/hipcc" and clang and "HIP_CLANG_PATH" not in os.environ:
        settings.append(f"HIP_CLANG_PATH={clang[0].parent}")
    options = ["-std=c++17", "-ffp-contract=off", "-O1", "--cuda-device-only", "-c", "-x", "hip"]
    target = ["--offload-arch=" + architecture, f"-I{KERNELS}"]
    run("env", *settings, hipcc, *options, *target, source, "-o", source.with_suffix(".o"))


def test_nvrtc_s_builtins_are_loaded_first(monkeypatch, tmp_path):
    loaded = []
    monkeypatch.setattr(ctypes, "CDLL", lambda name, mode=0: loaded.append(Path(name).name))
    monkeypatch.delenv("COREPY_NVRTC", raising=False)
    folder = tmp_path / "nvidia" / "cu13" / "lib"
    folder.mkdir(parents=True)
    for name in ("libnvrtc.so.13", "libnvrtc-builtins.so.13.0"):
        (folder / name).touch()
    load_nvrtc(str(folder / "libnvrtc.so.13"))
    assert loaded == ["libnvrtc-builtins.so.13.0", "libnvrtc.so.13"]


def test_kernels_do_not_depend_on_the_architecture():
    # Or else compiling PTX once, and assembling it for each, would not compile all of them.
    assert not [path.name for path in KERNELS.glob("*.cuh") if "__CUDA_ARCH__" in path.read_text()]


def all_expressions():
    families = (
        elementwise_calls, layout_calls, mixed_calls, reduction_calls, shape_calls, many_calls,
        movement_calls, fusion_calls, network_calls,
    )  # fmt: skip
    return recorded(call for family in families for call in family())


def in_groups(expressions, count):
    """Return expressions in groups of about `count`, each with some of every kind."""
    groups = -(-len(expressions) // count)
    return [expressions[first::groups] for first in range(groups)]


@pytest.fixture(scope="module")
def expressions():
    with corepy.config(fusion=False):
        found = sorted(all_expressions())
    assert len(found) > 1000
    return found


@pytest.mark.slow
def test_every_kernel_compiles(expressions, tmp_path):
    """With the compilers that are installed.

    Functions of the CPU's kernels have no execution space specifiers, which only NVRTC allows.
    """
    nvcc, nvrtc = find_nvcc(), find_nvrtc()
    if not nvcc and not nvrtc:
        pytest.skip("NO CUDA COMPILER IS INSTALLED: no kernel was compiled for any GPU")
    for_nvrtc = [each for each in expressions if not nvcc or SHARED.search(each)]
    for_nvcc = [each for each in expressions if nvcc and not SHARED.search(each)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        work = enumerate(in_groups(for_nvcc, TOGETHER))
        list(pool.map(lambda each: compile_with_nvcc(nvcc, tmp_path, *each), work))
        if nvrtc:
            groups = in_groups(for_nvrtc, TOGETHER)
            list(pool.map(lambda each: compile_with_nvrtc(nvrtc, each), groups))
    if not nvrtc:
        pytest.skip(f"NVRTC IS NOT INSTALLED: {len(for_nvrtc)} kernels were not compiled")


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ["gfx90a", "gfx1030"])  # waves of 64, and of 32
def test_sample_of_kernels_compiles_for_rocm(expressions, architecture, tmp_path):
    hipcc = shutil.which("hipcc")
    if hipcc is None:
        pytest.skip("hipcc is not installed (apt-get install hipcc libamdhip64-dev)")
    source = tmp_path / "kernels.hip"
    sample = source_of(*expressions[:: 4 * SAMPLE])
    source.write_text(f"#include <hip/hip_runtime.h>\n{sample}")
    compile_with_hipcc(hipcc, source, architecture)


@pytest.mark.slow
def test_kernels_need_nothing_that_nvrtc_lacks(expressions):
    # nvcc has the headers of a host compiler, and of CUDA's mathematical library, in every file.
    nvrtc = find_nvrtc()
    if nvrtc is None:
        pytest.skip("NVRTC IS NOT INSTALLED: kernels were compiled by nvcc alone")
    every = 1 if os.environ.get("COREPY_NVRTC") else SAMPLE
    for group in in_groups(expressions[::every], TOGETHER):
        compile_with_nvrtc(nvrtc, group)


#: Kernels whose speed depends on the number of resident blocks: the most registers of a thread, of
#: which a multiprocessor has 65,536, and the most bytes of stack with nvcc 13.0.
REGISTERS = {
    # 4 blocks
    "ScanRows<corepy::op::cumulative_sum<float>, float, float, 4, true, 256, true, 4>": (64, 48),
    "ScanRows<corepy::op::cumulative_sum<double>, double, double, 2, true, 256, true, 4>": (64, 48),
    "ScanRows<corepy::op::cumulative_sum<int>, int, long long, 2, true, 256, true, 4>": (64, 48),
    # 5 blocks
    "Rows<corepy::op::max<float>, float, float, 4, true, 32, true, 4>": (48, 0),
    "Rows<corepy::op::sum<short>, short, corepy::int64, 8, true, 8, true, 4>": (48, 0),
    "Compact<corepy::ReadMasked<corepy::unit<8>, 2, false>>": (48, 0),
    # 6 blocks
    "Compact<corepy::ReadMasked<corepy::unit<4>, 2, false>>": (40, 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("architecture", [80, 90])
def test_registers(tmp_path, architecture):
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("NVCC IS NOT INSTALLED: registers were not counted")
    source = tmp_path / "kernels.cu"
    source.write_text(source_of(*(f"corepy::{name}" for name in REGISTERS)))
    command = [nvcc, *OPTIONS, f"-arch=sm_{architecture}", "-cubin", "--resource-usage"]
    command += [f"-I{KERNELS}", str(source), "-o", str(tmp_path / "kernels.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    for number, (name, (registers, stack)) in enumerate(REGISTERS.items()):
        entry = re.escape(ENTRY + (str(number) if number else ""))
        used = re.search(
            rf"function '{entry}'.*?(\d+) bytes stack frame.*?Used (\d+) registers",
            done.stdout + done.stderr, re.DOTALL,
        )  # fmt: skip
        assert used, name
        assert int(used[2]) <= registers, name
        if "release 13.0" in version:
            assert int(used[1]) <= stack, name
