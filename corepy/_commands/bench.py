"""``python -m corepy bench``: this machine against NumPy, as a table and a picture."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import corepy
from corepy._commands.info import environment
from corepy._commands.timing import shortest, waited
from corepy.backend import available_devices

_SIZES = (10, 1_000, 100_000, 1_000_000)
_QUICK_SIZES = (10, 10_000, 1_000_000)
#: Seconds for each function of a case.
_SECONDS, _QUICK_SECONDS = 0.3, 0.06
_BAR = 40

#: Name -> the call, of a namespace and two arrays of one dimension.
CASES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda xp, x, y: xp.add(x, y),
    "multiply": lambda xp, x, y: xp.multiply(x, y),
    "sqrt": lambda xp, x, y: xp.sqrt(x),
    "exp": lambda xp, x, y: xp.exp(x),
    "sin": lambda xp, x, y: xp.sin(x),
    "where": lambda xp, x, y: xp.where(x > y, x, y),
    "sum": lambda xp, x, y: xp.sum(x),
    "var": lambda xp, x, y: xp.var(x),
    "cumulative_sum": lambda xp, x, y: xp.cumulative_sum(x),
    "argmax": lambda xp, x, y: xp.argmax(x),
    "sort": lambda xp, x, y: xp.sort(x),
    "mask": lambda xp, x, y: x[x > y],
    "copy": lambda xp, x, y: xp.asarray(x, copy=True),
}
_QUICK_CASES = ("add", "exp", "where", "sum", "cumulative_sum", "sort", "copy")
#: GPUs are measured where they are.
_GPUS = ("cuda", "rocm")


def bench(*, quick: bool = False) -> int:
    """Measure and print."""
    names = _QUICK_CASES if quick else tuple(CASES)
    sizes = _QUICK_SIZES if quick else _SIZES
    measured = devices()
    print(environment())
    print("Times of one call, float64; the last columns are NumPy's time divided by Corepy's.\n")
    header = f"{'function':15} {'elements':>9} {'NumPy':>10}"
    header += "".join(f" {name:>10}" for name in measured)
    print(header + "".join(f" {name + ' x':>9}" for name in measured))
    ratios: dict[str, list[tuple[str, float]]] = {name: [] for name in measured}
    for name in names:
        for size in sizes:
            times = _measure(name, size, measured, _QUICK_SECONDS if quick else _SECONDS)
            numpy_time, *others = times
            row = f"{name:15} {size:9,} " + " ".join(f"{_time(each):>10}" for each in times)
            for device, each in zip(measured, others, strict=True):
                row += f" {numpy_time / each:9.2f}"
                ratios[device].append((f"{name} {size:,}", numpy_time / each))
            print(row, flush=True)
    for device, found in ratios.items():
        print(
            f"\nSpeed of {device} compared with NumPy; | is NumPy's own, the scale is logarithmic"
        )
        for line in picture(found):
            print(line)
        mean = math.exp(sum(math.log(ratio) for _, ratio in found) / len(found))
        print(f"geometric mean: {mean:.2f} times NumPy's speed")
    return 0


def devices() -> list[str]:
    """Return the names of the devices to measure: the CPU, and the first GPU of each kind."""
    names = list(map(str, available_devices()))
    return ["cpu", *(f"{kind}:0" for kind in _GPUS if f"{kind}:0" in names)]


def _measure(name: str, size: int, names: list[str], seconds: float) -> list[float]:
    """Return the seconds that a case takes with NumPy and on the devices."""
    rng = np.random.default_rng(0)
    x, y = rng.random(size), rng.random(size)
    call = CASES[name]
    functions: list[Callable[[], object]] = [lambda: call(np, x, y)]
    functions += [_on(call, x, y, device) for device in names]
    return shortest(functions, seconds)


def _on(call: Callable[..., Any], x: Any, y: Any, device: str) -> Callable[[], object]:
    xp: Any = corepy.namespace(device)
    a, b = xp.asarray(x), xp.asarray(y)
    run = partial(call, xp, a, b)
    return run if device == "cpu" else waited(run, a.device.backend)


def _time(seconds: float) -> str:
    for unit, factor in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def picture(found: list[tuple[str, float]]) -> Iterator[str]:
    """Yield a line for each name and ratio, with a bar that begins at a ratio of 1."""
    full = "█"
    try:
        full.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        full = "#"
    width = max(len(name) for name, _ in found)
    low = min(0.0, *(math.log2(ratio) for _, ratio in found))
    high = max(1.0, *(math.log2(ratio) for _, ratio in found))
    step = (high - low) / _BAR
    left = round(-low / step)
    for name, ratio in found:
        length = round(abs(math.log2(ratio)) / step)
        if ratio >= 1:
            bar = " " * left + "|" + full * length
        else:
            bar = " " * (left - length) + full * length + "|"
        yield f"{name:>{width}} {bar} {ratio:.2f}"
