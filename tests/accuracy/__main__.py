"""``python -m tests.accuracy [--points N] [--update-docs] [function ...]``."""

import argparse
import datetime
import platform
import sys
import time
from pathlib import Path

import numpy as np

from corepy._cython.core import simd_levels

from .complex_functions import REAL_POINTS_PER_COMPLEX_POINT
from .measure import measure, measured

DOCUMENT = Path(__file__).parents[2] / "docs/accuracy.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def processor():
    """Return the name of the processor as the system gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def arguments_text(worst):
    return ", ".join(repr(a) for a in worst.arguments)


def print_measurement(name, dtype, results, bar, count, seconds):
    print(f"{name} {dtype}: {count} points, {seconds:.1f} s", flush=True)
    for implementation, worst in results.items():
        note = "  <-- over the bar" if worst.error > bar else ""
        note = "" if implementation == "NumPy" else note
        print(f"    {implementation:9} {worst.error:10.4f} at {arguments_text(worst)}{note}")


def document_text(measurements, count):
    """The part of the document between the markers."""
    levels = simd_levels()
    lines = [
        f"{processor()}, {platform.system()}, NumPy {np.__version__}, "
        f"{datetime.date.today().isoformat()}; about {count} points for each row "
        f"(complex dtypes: {count // REAL_POINTS_PER_COMPLEX_POINT}).",
        "",
        f"| function | dtype | {' | '.join(levels)} | NumPy | worst point |",
        f"| --- | --- | {'---: | ' * (len(levels) + 1)}--- |",
    ]
    for (name, dtype), results in measurements.items():
        errors = " | ".join(f"{results[key].error:.3f}" for key in (*levels, "NumPy"))
        worst = max((results[level] for level in levels), key=lambda w: w.error)
        lines.append(f"| `{name}` | {dtype} | {errors} | `{arguments_text(worst)}` |")
    return "\n".join(lines)


def update_document(text):
    before, rest = DOCUMENT.read_text().split(BEGIN)
    after = rest.split(END)[1]
    DOCUMENT.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument("functions", nargs="*", metavar="function", help="all, if none is given")
    parser.add_argument("--points", type=int, default=1_000_000, help="for each row (%(default)s)")
    parser.add_argument("--update-docs", action="store_true", help=f"write {DOCUMENT.name}")
    options = parser.parse_args()
    rows = measured()
    if unknown := set(options.functions) - {name for name, dtype in rows}:
        parser.error(f"no such function: {', '.join(sorted(unknown))}")
    if options.update_docs and options.functions:
        parser.error("--update-docs measures all functions")
    measurements = {}
    for (name, dtype), bar in rows.items():
        if options.functions and name not in options.functions:
            continue
        start = time.perf_counter()
        results, count = measure(name, dtype, options.points)
        print_measurement(name, dtype, results, bar, count, time.perf_counter() - start)
        measurements[name, dtype] = results
    if options.update_docs:
        update_document(document_text(measurements, options.points))
    failed = [
        f"{name} {dtype} {level}"
        for (name, dtype), results in measurements.items()
        for level in simd_levels()
        if not results[level].error <= rows[name, dtype]
    ]
    print(f"over the bar: {', '.join(failed) or 'none'}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
