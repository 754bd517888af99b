"""What the machine can do at best, and how long a case must take at least."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corepy._cython.core import MemoryLoop, multiply_add_rates

from .timing import Runner

if TYPE_CHECKING:
    from .run import Result

#: A case from this size on is held against its limit; smaller ones live in the caches.
LARGE = 1_000_000
#: Sizes of the arrays on which the machine's own bandwidths are shown.
SIZES = (1_000_000, 10_000_000)
#: Bytes that the measured loops read and write for each element.
MOVED = {"fill": 8, "copy": 16, "add": 24, "read": 8}
SECONDS = 0.12  # for each bandwidth


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
