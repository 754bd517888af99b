"""The peak rates of the machine, and the least time of a case."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from .machine import processor
from .timing import Runner

if TYPE_CHECKING:
    from .run import Result

#: Cases from this size on are compared with their limit; smaller ones fit the caches.
LARGE = 1_000_000
#: Sizes of the arrays on which the machine's own bandwidths are shown.
SIZES = (1_000_000, 10_000_000)
#: Bytes that the measured loops read and write for each element.
MOVED = {"fill": 8, "copy": 16, "add": 24, "read": 8}
SECONDS = 0.12  # for each bandwidth

SOURCE = Path(__file__).with_name("limits.cpp")
FLAGS = (
    "-std=c++17 -O3 -march=native -ffp-contract=fast -fno-math-errno -fno-trapping-math "
    "-shared -fPIC -pthread"
).split()
#: Movements of `MemoryLoop`, in the order of limits.cpp.
MOVEMENTS = ("read", "fill", "copy", "add")


@functools.cache
def library() -> ctypes.CDLL:
    """Return the library of the loops, compiling it at first use (``CXX`` names the compiler)."""
    compiler = os.environ.get("CXX", "c++").split()
    made_of = " ".join([*compiler, *FLAGS, processor()]).encode()
    digest = hashlib.sha256(SOURCE.read_bytes() + made_of).hexdigest()
    folder = SOURCE.parent.parent / "build"
    path = folder / f"limits-{digest[:16]}.so"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            made = Path(temporary, path.name)
            command = [*compiler, *FLAGS, str(SOURCE), "-o", str(made)]
            subprocess.run(command, env=environment, check=True)
            os.replace(made, path)
    found = ctypes.CDLL(str(path))
    found.new_memory_loop.argtypes = [ctypes.c_int, ctypes.c_ssize_t]
    found.new_memory_loop.restype = ctypes.c_void_p
    found.delete_memory_loop.argtypes = [ctypes.c_void_p]
    found.memory_loop_seconds.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    found.memory_loop_seconds.restype = ctypes.c_double
    found.measure_arithmetic.restype = ctypes.c_bool
    return found


def check_threads(function: str, threads: int) -> None:
    """Raise ValueError for an invalid number of threads."""
    if not 1 <= threads <= 1024:
        raise ValueError(f"{function}: expected 1 to 1024 threads, got {threads}")


class MemoryLoop:
    """A loop that only moves memory, with which large operations are compared.

    Parameters
    ----------
    movement : str
        ``"read"`` (one array read), ``"fill"`` (one written), ``"copy"`` (one read, one written) or
        ``"add"`` (two read, one written).
    elements : int
        Size of the arrays, of float64; three are allocated.
    threads : int
        How many threads share the work.
    """

    def __init__(self, movement: str, elements: int, threads: int) -> None:
        self._loop = None
        check_threads("MemoryLoop", threads)
        if movement not in MOVEMENTS:
            raise ValueError(
                f"MemoryLoop: expected a movement of {', '.join(MOVEMENTS)}, got {movement!r}"
            )
        if not 1 <= elements <= 2**36:
            raise ValueError(f"MemoryLoop: expected 1 to 2**36 elements, got {elements}")
        self.elements, self.threads = elements, threads
        self._loop = library().new_memory_loop(MOVEMENTS.index(movement), elements)

    def __del__(self) -> None:
        if self._loop is not None:
            library().delete_memory_loop(self._loop)

    def seconds(self, passes: int) -> float:
        """Return the seconds that so many passes take, by whichever kind of store is faster."""
        if passes < 1:
            raise ValueError(f"MemoryLoop.seconds: passes must be at least 1, got {passes}")
        taken: float = library().memory_loop_seconds(self._loop, self.threads, passes)
        if taken < 0:
            raise MemoryError(
                f"MemoryLoop: no memory for 3 arrays of {self.elements} float64 and "
                f"{self.threads} threads"
            )
        return taken


def multiply_add_rates(threads: int) -> tuple[float, float]:
    """Measure multiplications with an addition per second, of float64 and of float32."""
    check_threads("multiply_add_rates", threads)
    float64, float32 = ctypes.c_double(), ctypes.c_double()
    if not library().measure_arithmetic(threads, ctypes.byref(float64), ctypes.byref(float32)):
        raise MemoryError(f"multiply_add_rates: no memory for {threads} threads")
    return float64.value, float32.value


def measure(threads: int, *sizes: int) -> dict[int, dict[str, float]]:
    """Return bandwidths and rates of arithmetic, per second, by the size of the arrays."""
    float64, float32 = multiply_add_rates(threads)
    rates = {"multiply_add_float64": float64, "multiply_add_float32": float32}
    return {
        size: {name: bandwidth(name, size, threads) for name in MOVED} | rates
        for size in sizes or SIZES
    }


def bandwidth(movement: str, elements: int, threads: int) -> float:
    """Return the bytes per second, read and written ones alike, of the fastest pass."""
    loop = MemoryLoop(movement, elements, threads)
    taken = [loop.seconds(1) for _ in range(5)]
    while sum(taken) < SECONDS:
        taken.append(loop.seconds(1))
    return MOVED[movement] * elements / min(taken)


def best(*measured: dict[int, dict[str, float]]) -> dict[int, dict[str, float]]:
    """Return the best of several measurements: a limit is not lower for a busy moment."""
    return {
        size: {name: max(each[size][name] for each in measured) for name in measured[0][size]}
        for size in measured[0]
    }


def movement_of(result: Result) -> str:
    """Return the loop that reads and writes in the proportion most similar to a case's."""
    share = result.read / (result.read + result.written)
    return "fill" if share < 0.25 else "copy" if share < 0.58 else "add" if share < 0.85 else "read"


class MemoryRunner(Runner):
    """Takes turns with the libraries: moves as many bytes as a case has to, and does nothing else.

    Bandwidth is shared with whatever else runs on the machine, and is another one minutes later.
    """

    def __init__(self, result: Result, threads: int) -> None:
        super().__init__("pass", {})
        movement = movement_of(result)
        elements = max((result.read + result.written) // MOVED[movement], 1)
        self.loop = MemoryLoop(movement, elements, threads)

    def seconds(self, number: int) -> float:
        """Time `number` passes."""
        return self.loop.seconds(number)


def least_seconds(result: Result, limits: dict[int, dict[str, float]]) -> tuple[float, str] | None:
    """Return the least seconds that a large case can take, and what bounds it.

    Memory: the bytes read and written once, as `MemoryRunner` moved them beside the case.
    Arithmetic: the multiplications and additions at the peak rate. None for small cases.
    """
    if not result.memory:
        return None
    single = result.dtype in ("float32", "complex64", "int32", "uint8", "int8")
    name = "multiply_add_float32" if single else "multiply_add_float64"
    arithmetic = result.multiply_adds / max(rates[name] for rates in limits.values())
    return max((result.memory, f"memory ({movement_of(result)})"), (arithmetic, "arithmetic"))


def describe(limits: dict[int, dict[str, float]], threads: int) -> str:
    """Return the limits as lines of text."""
    lines = []
    for size, rates in limits.items():
        bandwidths = ", ".join(
            f"{name} {rates[name] / 1e9:.1f}" for name in ("copy", "add", "read", "fill")
        )
        lines.append(f"- {size:.0e} float64: {bandwidths} GB/s".replace("e+0", "e"))
    rates = max(limits.values(), key=lambda each: each["multiply_add_float64"])
    lines.append(
        f"- multiply-adds: {rates['multiply_add_float64'] / 1e9:.1f} (float64) and "
        f"{rates['multiply_add_float32'] / 1e9:.1f} (float32) 10^9 per second"
    )
    return f"Limits of the machine with {threads} threads:\n\n" + "\n".join(lines)
