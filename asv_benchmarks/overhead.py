"""What a small operation costs, beside NumPy: ``python -m asv_benchmarks.overhead``.

Both libraries run in one process, in rounds that take turns, so that whatever else the machine
does meanwhile falls on both. A time is the least of all rounds; a ratio is the median of the
rounds' own ratios, Corepy's time over NumPy's. Python's cost of the loop around the statement is
in both times (about 5 ns), so a ratio is, if anything, too high. Corepy's functions and NumPy's
are called the way a user calls them, as attributes of a namespace.

Some statements have a bar: the ratio that Corepy has promised not to exceed.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
import timeit
from pathlib import Path

import numpy as np

import corepy
import corepy.array_api

# Statement, bar (None: measured without a promise).
STATEMENTS: dict[str, float | None] = {
    "x + y": 0.25,
    "xp.add(x, y)": 0.25,
    "x[i]": 1.0,
    "x * 2.0": None,
    "x < y": None,
    "-x": None,
    "x[i] = 2.0": None,
    "x[i] + y[i]": None,
    "x.shape": None,
    "xp.sum(x)": None,
    "xp.sin(x)": None,
    "xp.where(c, x, y)": None,
    "xp.reshape(x, s)": None,
    "float(z)": None,
}


def variables(xp, dtype: str) -> dict:
    """Return what the statements use, in the library `xp`: 1-d arrays with one element."""
    one = {"dtype": getattr(xp, dtype)}
    return {
        "xp": xp,
        "x": xp.asarray([1.5], **one),
        "y": xp.asarray([2.5], **one),
        "z": xp.asarray(2.5, **one),
        "c": xp.asarray([True]),
        "i": 0,
        "s": (1, 1),
    }


def processor() -> str:
    """Return the processor's name, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(": ", 1)[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def measure(statement: str, dtype: str, rounds: int, seconds: float) -> dict:
    """Time one statement in both libraries; return nanoseconds and the median ratio."""
    timers = [
        timeit.Timer(statement, globals=variables(xp, dtype)) for xp in (corepy.array_api, np)
    ]
    # Turns of equal length, shorter than a scheduler's, so that interruptions hit both alike.
    numbers = []
    for timer in timers:
        number, taken = timer.autorange()
        numbers.append(max(1, int(number * seconds / taken)))
    times: list[list[float]] = [[], []]
    for each in range(rounds):
        # Who goes first changes every round: neither always gets the warmer caches.
        for which in (0, 1) if each % 2 else (1, 0):
            times[which].append(timers[which].timeit(numbers[which]) / numbers[which] * 1e9)
    ratios = [ours / theirs for ours, theirs in zip(*times, strict=True)]
    return {
        "statement": statement,
        "corepy_ns": min(times[0]),
        "numpy_ns": min(times[1]),
        "ratio": statistics.median(ratios),
        "bar": STATEMENTS[statement],
    }


def main(arguments: list[str]) -> int:
    """Measure all statements and print the table; with --check return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--dtype", default="float64")
    parser.add_argument("--rounds", type=int, default=201, help="turns that each library gets")
    parser.add_argument("--seconds", type=float, default=0.002, help="length of one turn")
    parser.add_argument("--check", action="store_true", help="exit status 1 if a bar is missed")
    parser.add_argument("--json", type=Path, help="write the results to this file as well")
    options = parser.parse_args(arguments)

    machine = f"{processor()}, {os.cpu_count()} processors, {platform.system()}"
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    date = time.strftime("%Y-%m-%d", time.gmtime())
    print(f"one {options.dtype}, nanoseconds; {machine}; {versions}; {date}\n")
    print("| statement         | corepy |  numpy | ratio |  bar |")
    print("| ----------------- | -----: | -----: | ----: | ---: |")
    results = []
    for statement in STATEMENTS:
        result = measure(statement, options.dtype, options.rounds, options.seconds)
        results.append(result)
        bar = "" if result["bar"] is None else f"{result['bar']:.2f}"
        mark = "  <- missed" if result["bar"] and result["ratio"] > result["bar"] else ""
        print(
            f"| {statement:17} | {result['corepy_ns']:6.1f} | {result['numpy_ns']:6.1f} "
            f"| {result['ratio']:5.2f} | {bar:>4} |{mark}",
            flush=True,
        )
    if options.json:
        facts = {"machine": machine, "versions": versions, "date": date, "results": results}
        options.json.write_text(json.dumps(facts, indent=1) + "\n")
    missed = any(result["bar"] and result["ratio"] > result["bar"] for result in results)
    return int(options.check and missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
