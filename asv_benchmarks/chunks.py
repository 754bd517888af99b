"""Programs on arrays in chunks, compared with plain Dask: ``python -m asv_benchmarks.chunks``.

The same program runs on ``dask.array`` with chunks of NumPy, and on Corepy's device ``dask``, on
threads of one process, in rounds that take turns. A time is the least of all rounds, a ratio the
median of the rounds' own: Corepy's time over Dask's. A time includes the making of the graph. Times
of all processors together are given, too: other load on the machine affects them less.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import dask
import dask.array as da
import numpy as np

import corepy

from .machine import facts
from .report import table

Program = Callable[[Any, Any], Any]


def _overhead(xp: Any, x: Any) -> Any:
    for k in range(10):
        x = x + float(k)
    return xp.sum(x)


def _chain(xp: Any, x: Any) -> Any:
    y = xp.sin(x) * 2.0
    return xp.sum(y * y + xp.exp(-x))


def _standardised(xp: Any, x: Any) -> Any:
    return xp.sum(((x - xp.mean(x, axis=0)) / xp.std(x, axis=0)) ** 4)


#: Name -> program, shape of the array, shape of a chunk.
PROGRAMS: dict[str, tuple[Program, tuple[int, ...], tuple[int, ...]]] = {
    "ten additions, small chunks": (_overhead, (100_000,), (1000,)),
    "arithmetic and sum": (lambda xp, x: xp.sum(2.0 * x + x * x), (8_000_000,), (1_000_000,)),
    "functions and sum": (_chain, (8_000_000,), (1_000_000,)),
    "variance along rows": (lambda xp, x: xp.sum(xp.var(x, axis=1)), (80_000, 100), (10_000, 100)),
    "standardise": (_standardised, (80_000, 100), (10_000, 100)),
    "covariance": (lambda xp, x: xp.sum(xp.matmul(x.T, x)), (80_000, 100), (10_000, 100)),
    "cumulative sums": (lambda xp, x: xp.max(_scan(xp, x)), (8_000_000,), (1_000_000,)),
}


def _scan(xp: Any, x: Any) -> Any:
    return xp.cumsum(x, axis=0) if xp is da else xp.cumulative_sum(x, axis=0)


def measure(name: str, rounds: int) -> list[tuple[float, float, float]]:
    """Time one program on both; return seconds of each and their ratio, by the clock and by the
    processors.
    """
    program, shape, chunks = PROGRAMS[name]
    values = np.random.default_rng(0).normal(size=shape)
    there = corepy.namespace("dask")
    sides: list[tuple[Any, Any]] = [
        (there, there.asarray(values, chunks=chunks)),
        (da, da.from_array(values, chunks=chunks)),
    ]
    times: list[list[tuple[float, float]]] = [[], []]
    for k in range(rounds + 1):
        found = []
        for (xp, x), mine in zip(sides, times, strict=True):
            # Another array each time: results of small ones are kept.
            shifted = x + float(k)
            begin, used = time.perf_counter(), time.process_time()
            found.append(float(program(xp, shifted)))
            if k:
                mine.append((time.perf_counter() - begin, time.process_time() - used))
        np.testing.assert_allclose(*found, rtol=1e-8)
    rows = []
    for ours, theirs in zip(*(zip(*mine, strict=True) for mine in times), strict=True):
        ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        rows.append((min(ours), min(theirs), ratio))
    return rows


def main(arguments: list[str]) -> int:
    """Measure all programs and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--rounds", type=int, default=15, help="turns that each has")
    parser.add_argument("--workers", type=int, default=2, help="threads of Dask")
    options = parser.parse_args(arguments)
    rows = []
    with dask.config.set(scheduler="threads", num_workers=options.workers):
        for name in PROGRAMS:
            row = [name]
            for ours, theirs, ratio in measure(name, options.rounds):
                row += [f"{ours * 1e3:.1f}", f"{theirs * 1e3:.1f}", f"{ratio:.2f}"]
            rows.append(row)
            print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    here = facts()
    here["versions"] += f", Dask {dask.__version__}, NumPy {np.__version__}"
    print(f"Milliseconds; {'; '.join(here.values())}\n")
    head = ["program", "Corepy", "Dask", "ratio", "Corepy, processors", "Dask", "ratio"]
    print(table(head, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
