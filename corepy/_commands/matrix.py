"""``python -m corepy bench --matrix``: instruction sets and GPUs against plain scalar loops.

The instruction set of the kernels is chosen when Corepy is imported, so each is measured in a
process of its own, which runs this file as ``python -m corepy._commands.matrix``.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

import numpy as np

import corepy
from corepy._commands.bench import devices
from corepy._commands.info import environment
from corepy._commands.timing import shortest, waited
from corepy._cython import core

#: Elements of add, sum and copy: three arrays in a first-level cache of 32 KiB, where arithmetic is
#: what takes time; and so many that a GPU has enough to do.
_SMALL, _LARGE = 2048, 2**24
#: Rows and columns of products; up to the first Corepy's kernels compute them, and not BLAS.
_MATRIX, _LARGE_MATRIX = 32, 2048
_SECONDS, _QUICK_SECONDS = 0.3, 0.1
#: Runs of each, which are short, so that some are not interrupted by other work on the machine.
_REPEATS = 100
#: The levels take turns, so that other work on the machine meets all of them.
_ROUNDS, _QUICK_ROUNDS = 5, 2
_TIMEOUT = 300

OPERATIONS = ("add", "sum", "matmul", "copy")
#: What is published for each: from so many times to so many.
EXPECTED = {"avx2": (4, 8), "avx512": (8, 16), "gpu": (50, 100)}
_TITLES = {"scalar": "scalar", "avx2": "AVX2", "avx512": "AVX-512", "gpu": "GPU"}

#: float32 numbers in a vector of each level.
_LANES = {"avx2": 8, "avx512": 16}
#: Arrays that an operation reads or writes, whose bytes it moves.
_ARRAYS = {"add": 3, "sum": 1, "copy": 2}
#: The share of the rate of a copy from which on memory is called the limit.
_LIMIT = 0.8


def matrix(*, quick: bool = False) -> int:
    """Measure all levels and print their speed relative to the scalar loops."""
    missing = core.simd_missing()
    if "scalar" not in core.simd_levels():
        print(f"bench: the instruction set scalar: {missing['scalar']}", file=sys.stderr)
        return 2
    times: dict[str, dict[str, float]] = {}
    for _ in range(_QUICK_ROUNDS if quick else _ROUNDS):
        for level in core.simd_levels():
            if level in _TITLES:
                found, known = _times(level, quick), times.get(level, {})
                times[level] = {name: min(found[name], known.get(name, inf)) for name in found}
    gpu = next(iter(devices()[1:]), None)
    if gpu:
        times["gpu"] = measure_gpu(gpu, _QUICK_SECONDS if quick else _SECONDS)
    print(environment())
    print(
        f"float32, 1 thread: {_SMALL:,} elements, products of {_MATRIX}x{_MATRIX}; GPU: {_LARGE:,} "
        f"elements, {_LARGE_MATRIX}x{_LARGE_MATRIX}"
    )
    print("How many times as fast as plain scalar loops (in brackets: what is published)\n")
    for line in table(times):
        print(line)
    for level in ("avx2", "avx512"):
        if level not in times:
            print(f"{_TITLES[level]}: not measured: {missing.get(level, 'unknown here')}")
    if not gpu:
        print("GPU: not measured: there is none here that Corepy can use")
    for line in reasons(times):
        print(line)
    return 0


def speedups(times: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return the speed of each level and operation, relative to the scalar level."""
    scalar = times["scalar"]
    return {
        level: {
            name: scalar[f"{name} large" if level == "gpu" else name] / found[name]
            for name in OPERATIONS
        }
        for level, found in times.items()
    }


def table(times: dict[str, dict[str, float]]) -> list[str]:
    """Return the matrix as lines."""
    found = speedups(times)
    levels = [level for level in _TITLES if level in found]
    lines = [f"{'':8}" + "".join(f"{_TITLES[level]:>20}" for level in levels)]
    for name in OPERATIONS:
        cells = []
        for level in levels:
            cell = f"{found[level][name]:.1f}"
            if level in EXPECTED:
                low, high = EXPECTED[level]
                cell += f" [{low}-{high}]"
            cells.append(f"{cell:>20}")
        lines.append(f"{name:8}" + "".join(cells))
    return lines


def reasons(times: dict[str, dict[str, float]]) -> list[str]:
    """Return a line for each cell outside of what is published, with the figures that explain it.

    They are times that were measured here and what follows from them: the part of the call, the
    bytes and the operations in a second, beside those of memcpy and of the scalar loop.
    """
    lines = []
    for level, row in speedups(times).items():
        if level not in EXPECTED:
            continue
        low, high = EXPECTED[level]
        for name, ratio in row.items():
            if low <= ratio <= high:
                continue
            word = "below" if ratio < low else "above"
            why = "; ".join(_figures(level, name, times))
            lines.append(f"{_TITLES[level]}, {name}: {ratio:.1f}, {word} {low} to {high}: {why}")
    return lines


def _figures(level: str, name: str, times: dict[str, dict[str, float]]) -> list[str]:
    """Return what explains a cell, as parts of a sentence."""
    gpu = level == "gpu"
    found, scalar = times[level], times["scalar"]
    slow = scalar[f"{name} large" if gpu else name]
    rest = _without(found[name], found[f"{name} call"])
    slow_rest = _without(slow, scalar[f"{name} call"])
    parts = []
    if found[name] - rest >= found[name] / 4:
        parts.append(
            f"the call takes {_ns(found[f'{name} call'])} of {_ns(found[name])}, without it "
            f"{slow_rest / rest:.1f} times"
        )
    if name in _ARRAYS:
        moved = 4 * _ARRAYS[name] * (_LARGE if gpu else _SMALL)
        rate, slow_rate = moved / rest, moved / slow_rest
        parts.append(f"{rate / 1e9:.3g} GB/s, and {slow_rate / 1e9:.3g} GB/s in the scalar loop")
        if gpu:
            most, source, memory = 8 * _LARGE / found["copy"], "a copy", "the GPU's memory"
        else:
            most = 8 * _SMALL / _without(found["memcpy"], found["memcpy call"])
            source, memory = "memcpy", "the cache"
        if not (gpu and name == "copy"):
            # A sum only reads, which a cache does faster than memcpy reads and writes.
            is_limit = rate >= _LIMIT * most and (gpu or name != "sum")
            limit = f", so {memory} is the limit" if is_limit else ""
            parts.append(f"{source} moves {most / 1e9:.3g} GB/s{limit}")
    else:
        operations = 2 * (_LARGE_MATRIX if gpu else _MATRIX) ** 3
        parts.append(
            f"{operations / rest / 1e9:.3g} operations per ns, and "
            f"{operations / slow_rest / 1e9:.3g} in the scalar loop"
        )
    if name in ("sum", "matmul") and not gpu:
        lanes = _LANES[level]
        if name == "sum":
            parts.append(f"a vector has {lanes // 2} numbers, as sums are float64")
        else:
            parts.append(f"a vector has {lanes} numbers, and is multiplied and added at once")
    return parts


def _without(seconds: float, call: float) -> float:
    """Return the time of the work; a call of few elements can take as long by chance."""
    return max(seconds - call, seconds / 100)


def _ns(seconds: float) -> str:
    return f"{seconds * 1e9:,.0f} ns"


def _times(level: str, quick: bool) -> dict[str, float]:
    """Return the seconds of the operations at a level, measured in another process."""
    environment = {**os.environ, "COREPY_SIMD": level, "COREPY_FUSION": "0"}
    command = [sys.executable, "-m", "corepy._commands.matrix", *(["--quick"] if quick else [])]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=_TIMEOUT, check=True
    )
    return json.loads(done.stdout)


def _functions(xp: Any, size: int, rows: int) -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(0)
    x, y = (xp.asarray(rng.random(size, dtype=np.float32)) for _ in range(2))
    a, b = (xp.asarray(rng.random((rows, rows), dtype=np.float32)) for _ in range(2))
    return {
        "add": lambda: xp.add(x, y),
        "sum": lambda: xp.sum(x),
        "matmul": lambda: xp.matmul(a, b),
        "copy": lambda: xp.asarray(x, copy=True),
    }


def _memcpy(size: int) -> dict[str, Callable[[], object]]:
    """Return a copy by the C library, and one of no bytes."""
    source, target = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size)
    return {
        "memcpy": partial(ctypes.memmove, target, source, size),
        "memcpy call": partial(ctypes.memmove, target, source, 0),
    }


def measure(seconds: float) -> dict[str, float]:
    """Return the seconds of the operations on one thread of the CPU, at the level in use.

    "add call" is that of one element, and so on; "memcpy" copies as many bytes as "copy". The times
    of large arrays are measured, too, for the comparison with a GPU. That of a large
    product is the small one's, scaled by the number of operations, as BLAS computes large ones.
    """
    corepy.set_num_threads(1)
    xp = corepy.namespace("cpu")
    functions = _functions(xp, _SMALL, _MATRIX)
    functions |= {f"{name} call": call for name, call in _functions(xp, 1, 1).items()}
    functions |= _memcpy(4 * _SMALL)
    times = shortest(list(functions.values()), seconds, repeats=_REPEATS)
    found = dict(zip(functions, times, strict=True))
    if core.simd_in_use() == "scalar":
        large = _functions(corepy.namespace("cpu"), _LARGE, _MATRIX)
        for name in ("add", "sum", "copy"):
            (found[f"{name} large"],) = shortest([large[name]], seconds, repeats=3)
        found["matmul large"] = found["matmul"] * (_LARGE_MATRIX / _MATRIX) ** 3
    return found


def measure_gpu(device: str, seconds: float) -> dict[str, float]:
    """Return the seconds of the operations on a GPU."""
    xp: Any = corepy.namespace(device)
    backend = xp.empty(0).device.backend
    functions = _functions(xp, _LARGE, _LARGE_MATRIX)
    functions |= {f"{name} call": call for name, call in _functions(xp, 1, 1).items()}
    return {name: shortest([waited(each, backend)], seconds)[0] for name, each in functions.items()}


if __name__ == "__main__":
    print(json.dumps(measure(_QUICK_SECONDS if "--quick" in sys.argv else _SECONDS)))
