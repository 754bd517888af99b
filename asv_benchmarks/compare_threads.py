"""Times on the CPU by number of threads, beside PyTorch's: ``-m asv_benchmarks.compare_threads``.

float64, 10^7 elements unless the name says otherwise. A time is the least of some calls.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import corepy
import corepy.array_api as xp

from .report import duration, table
from .timing import Effort, Runner, take_turns

COUNTS = (1, 2, 4, 8, 16, 32, 64)
ELEMENTS, TRANSFORMED, SIDE = 10_000_000, 1 << 22, 2048
EFFORT = Effort(budget=0.4, turn=0.01, least=3, most=15)
#: Operation -> statements of Corepy and PyTorch.
CASES = {
    "add": ("xp.add(x, y)", "torch.add(x, y)"),
    "exp": ("xp.exp(x)", "torch.exp(x)"),
    "sum": ("xp.sum(x)", "torch.sum(x)"),
    "cumulative_sum": ("xp.cumulative_sum(x)", "torch.cumsum(x, 0)"),
    "2x + 3yz - sin(x), fused": ("fused(x, y, z)", "2 * x + 3 * y * z - torch.sin(x)"),
    "x[:] = y": ("x[:] = y", "x[:] = y"),
    "sort": ("xp.sort(z)", "torch.sort(z)"),
    "fft, 2^22": ("xp.fft.fft(t)", "torch.fft.fft(t)"),
    "matmul, 2048": ("xp.matmul(m, m)", "torch.matmul(m, m)"),
}
Found = dict[str, dict[str, list[float]]]


def fused(x: Any, y: Any, z: Any) -> Any:
    with corepy.fuse():
        return 2 * x + 3 * y * z - xp.sin(x)


def measure(counts: list[int]) -> Found:
    """Return the seconds of each operation and library, for each number of threads."""
    rng = np.random.default_rng(0)
    arrays = {name: rng.random(ELEMENTS) for name in "xyz"}
    arrays |= {"m": rng.random((SIDE, SIDE)), "t": rng.random(TRANSFORMED) + 0j}
    ours = {name: xp.asarray(array.copy()) for name, array in arrays.items()}
    libraries = [("Corepy", {**ours, "xp": xp, "fused": fused}, corepy.set_num_threads)]
    if importlib.util.find_spec("torch"):
        torch: Any = importlib.import_module("torch")
        theirs = {name: torch.from_numpy(array) for name, array in arrays.items()}
        libraries.append(("PyTorch", {**theirs, "torch": torch}, torch.set_num_threads))
    found: Found = {operation: {name: [] for name, *_ in libraries} for operation in CASES}
    for operation, statements in CASES.items():
        for count in counts:
            for (name, names, limit), statement in zip(libraries, statements, strict=False):
                limit(count)
                (times,) = take_turns([Runner(statement, names)], EFFORT)
                found[operation][name].append(min(times))
    return found


def tabled(found: Found, counts: list[int]) -> str:
    """Return the times in Markdown."""
    columns = [f"{name}, {count}" for name in found["add"] for count in counts]
    rows = [[operation, *(duration(each) for times in by.values() for each in times)]
            for operation, by in found.items()]  # fmt: skip
    return table(["float64, 10^7", *columns], rows)


if __name__ == "__main__":
    counts = [count for count in COUNTS if count <= corepy.get_num_threads()]
    found = measure(counts)
    report = {"threads": counts, "seconds": found, "table": tabled(found, counts)}
    print(report["table"])
    Path(sys.argv[1]).write_text(json.dumps(report, indent=1) + "\n")
