"""Lines of NumPy programs, with NumPy and with Corepy: ``python -m asv_benchmarks.idioms``.

Every line of `cases.numpy_lines` is run with ``import numpy as np`` and with ``import corepy as
np``, eagerly, on the same data, in one process and in turns (`timing`). Results are compared with
NumPy's before: a different one is an error of the run. Ratios are NumPy's time over Corepy's: above
1 Corepy is faster.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy

import corepy

from . import cases, documents, report
from .cases.case import Case, Operand
from .cases.numpy_lines import LINES
from .libraries.corepy_library import Corepy
from .libraries.library import Program
from .libraries.numpy_library import NumPy
from .run import Result
from .session import Session, measure


def imported(program: Program, np: Any) -> Program:
    """Return a program with what lines use beside their data; `np` is NumPy or Corepy."""
    program.names.update(np=np, rng=np.random.default_rng(0), math=math)
    return program


class CorepyLines(Corepy):
    """Corepy in NumPy's place."""

    version = Corepy.version

    def __init__(self) -> None:
        super().__init__()
        self.xp = corepy  # operands are arrays of the drop-in

    def program(self, case: Case, operands: dict[str, Operand]) -> Program:
        return imported(super().program(case, operands), corepy)


class NumPyLines(NumPy):
    """NumPy."""

    def program(self, case: Case, operands: dict[str, Operand]) -> Program:
        return imported(super().program(case, operands), numpy)


def of_least_times(seconds: dict[str, float]) -> dict[str, float]:
    """Return how often Corepy is faster by the least times, those of turns without other load."""
    return {
        name: theirs / seconds["corepy"]
        for name, theirs in seconds.items()
        if name != "corepy" and "corepy" in seconds
    }


def by_size(results: list[Result]) -> report.Table:
    """Return means, and how many cases are behind, for each number of elements."""
    table, size = report.by(results, "elements"), report.KEYS["elements"]
    for bar in (report.LEVEL, 0.8):
        table.head.append(f"below {bar}")
        for row in table.rows:
            chosen = [each for each in results if row[0] in ("**all**", size(each))]
            row.append(sum(ratio < bar for ratio in report.speedups(chosen, "numpy")))
    return table


def parts(run: Session) -> list[str | report.Table]:
    """Return the report: means by size and by kind, and the lines that are slower than NumPy's."""
    found = report.speedups(run.results, "numpy")
    lines = len({each.operation for each in run.results})
    shares = [
        sum(ratio < bar for ratio in found) / max(1, len(found)) for bar in (report.LEVEL, 0.8)
    ]
    return [
        f"Over {len(found)} cases of {lines} lines Corepy is "
        f"{report.factor(report.geometric_mean(found))} times as fast as NumPy (geometric mean); "
        f"{shares[0]:.1%} of the cases are below {report.LEVEL}, {shares[1]:.1%} below 0.8.",
        by_size(run.results),
        report.by(run.results, "group"),
        report.named_behind(run.results),
    ]


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m asv_benchmarks.idioms", description=(__doc__ or "").partition(":")[0]
    )
    add = parser.add_argument
    add("--only", nargs="+", default=[], metavar="PATTERN", help="kinds, lines, names")
    add("--sizes", nargs="+", type=int, default=[], metavar="N", help="numbers of elements")
    add("--threads", type=int, help="threads of Corepy (as many as the process may use)")
    add("--quick", action="store_true", help="coarser figures")
    add("--least", action="store_true", help="ratios of least times, for a busy machine")
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    add("--load", type=Path, metavar="FILE", help="report what --json wrote, measure nothing")
    add("--update-docs", action="store_true", help="write tables and their data into docs/")
    add("--list", action="store_true", help="list the cases and measure nothing")
    return parser


def main(arguments: list[str]) -> int:
    """Measure and report what the command line asks for."""
    options = parser().parse_args(arguments, argparse.Namespace(device="cpu"))
    chosen = cases.select(options.only, options.sizes, LINES)
    if not chosen:
        print("no line matches", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(case.name for case in chosen), f"\n{len(chosen)} cases", sep="")
        return 0
    if options.load:
        run = Session.from_dict(json.loads(options.load.read_text()))
    else:
        if options.threads:
            corepy.set_num_threads(options.threads)
        warnings.simplefilter("ignore")  # of the lines, with NumPy and Corepy alike
        run = measure(chosen, options, [CorepyLines(), NumPyLines()], limited=False)
    if options.least:
        for result in run.results:
            result.speedups = of_least_times(result.seconds)
    if options.json:
        options.json.write_text(json.dumps(run.as_dict(), indent=1) + "\n")
    found = parts(run)
    print("\n" + documents.text(run.description, found))
    if options.update_docs:
        documents.publish(
            documents.PAGES / "lines.md", f"idioms-{run.simd}", run.description, found
        )
    for error in run.errors:
        print(f"error: {error}", file=sys.stderr)
    return int(bool(run.errors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
