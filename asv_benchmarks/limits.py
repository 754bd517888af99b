"""What the machine can do at best, and how long a case must take at least."""

from __future__ import annotations

import math

from corepy._cython.core import machine_limits

from .run import Result

#: A case from this size on is shown as a share of its limit; smaller ones live in the caches.
LARGE = 1_000_000
SIZES = (1_000_000, 10_000_000)
#: Cases from this size on have limits measured right before and after them: bandwidth is shared
#: with whatever else runs on the machine, and is another one minutes later.
BESIDE = 10_000_000
#: Bytes that the measured loops read and write for each element.
MOVED = {"fill": 8, "copy": 16, "add": 24, "read": 8}


def measure(threads: int, *sizes: int) -> dict[int, dict[str, float]]:
    """Return the limits by the size of the arrays that they are measured on."""
    return {size: machine_limits(threads, size) for size in sizes or SIZES}


def best(*measured: dict[int, dict[str, float]]) -> dict[int, dict[str, float]]:
    """Return the best of several measurements: a limit is not lower for a busy moment."""
    return {
        size: {name: max(each[size][name] for each in measured) for name in measured[0][size]}
        for size in measured[0]
    }


def least_seconds(
    result: Result | dict, limits: dict[int, dict[str, float]]
) -> tuple[float, str] | None:
    """Return the least seconds that a large case can take, and what bounds it.

    Memory: the bytes read and written once, at the bandwidth of the measured loop that reads and
    writes in the most similar proportion, measured beside the case or else on arrays whose bytes
    are nearest to the case's. Arithmetic: the multiplications and additions at the
    peak rate. None for small cases.
    """
    if result.size < LARGE or not result.read + result.written:
        return None
    moved = result.read + result.written
    share = result.read / moved
    loop = "fill" if share < 0.25 else "copy" if share < 0.58 else "add" if share < 0.85 else "read"
    size = min(limits, key=lambda elements: abs(math.log(moved / (MOVED[loop] * elements))))
    rates = result.limits or limits[size]
    memory = moved / rates[loop]
    single = result.dtype in ("float32", "complex64", "int32", "uint8", "int8")
    rate = rates["multiply_add_float32" if single else "multiply_add_float64"]
    arithmetic = result.multiply_adds / rate
    return max((memory, f"memory ({loop})"), (arithmetic, "arithmetic"))


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
