"""Corepy beside its peers, over the whole grid: ``python -m asv_benchmarks.compare``.

Every case of `cases` is run with Corepy, NumPy and, where they are installed, PyTorch, JAX and
numexpr, each in its own best idiom, on the same data, in one process and in turns (`timing`). All
results are checked against NumPy's: a wrong one is an error of the run. Speed-ups are the peer's
time over Corepy's: above 1 Corepy is faster. Large cases are shown as a share of what the machine
can do at best, measured before and after the cases (`limits`).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m asv_benchmarks.compare", description=(__doc__ or "").partition(":")[0]
    )
    add = parser.add_argument
    add(
        "--only",
        nargs="+",
        default=[],
        metavar="PATTERN",
        help="groups, operations, names of cases",
    )
    add("--sizes", nargs="+", type=int, default=[], metavar="N", help="numbers of elements")
    add("--libraries", metavar="NAMES", help="peers, separated by commas (those installed)")
    add("--threads", type=int, help="threads of Corepy (as many as the process may use)")
    add("--device", default="cpu", help="device of Corepy (cpu)")
    add("--quick", action="store_true", help="a few minutes for the whole grid; coarser figures")
    add("--worst", type=int, default=30, metavar="N", help="how many of the worst cases to show")
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    add("--picture", type=Path, metavar="FILE", help="draw speed-up against size (.svg, .png)")
    add("--load", type=Path, metavar="FILE", help="report what --json wrote, measure nothing")
    add("--update-docs", action="store_true", help="write the tables and the picture into docs/")
    add("--check", action="store_true", help="exit status 1 if a bar is missed")
    add("--list", action="store_true", help="list the cases and measure nothing")
    return parser


def main(arguments: list[str]) -> int:
    """Measure, report and write what the command line asks for."""
    options = parser().parse_args(arguments)
    if options.threads:
        # Read when Corepy is imported, so nothing of it is before this line.
        os.environ["COREPY_NUM_THREADS"] = str(options.threads)
    from . import cases, documents, limits, report, session

    if options.list:
        chosen = cases.select(options.only, options.sizes)
        print("\n".join(case.name for case in chosen), f"\n{len(chosen)} cases", sep="")
        return 0
    if options.picture or options.update_docs:
        from . import picture  # before the measurement: it may lack Matplotlib
    if options.load:
        run = session.Session.from_dict(json.loads(options.load.read_text()))
    else:
        run = session.measure(options)
    if not run.results:
        print("no case matches", file=sys.stderr)
        return 2
    if options.json:
        options.json.write_text(json.dumps(run.as_dict(), indent=1) + "\n")
    print(report_text(run, options.worst, limits, report))
    if options.picture:
        picture.draw(run, options.picture)
    if options.update_docs:
        documents.update(run)
    for error in run.errors:
        print(f"error: {error}", file=sys.stderr)
    missed = any(not met for *_, met in report.bars(run.results, run.limits, run.threads))
    return int(bool(run.errors) or (options.check and missed))


def report_text(run, worst: int, limits, report) -> str:
    """Return the report that is printed."""
    behind = report.behind(run.results)
    large = [r for r in run.results if limits.least_seconds(r, run.limits)]
    parts = [
        f"\n{run.description}",
        limits.describe(run.limits, run.threads),
        "Speed-ups, geometric means (above 1 Corepy is faster):",
        report.by_group(run.results),
        report.by_size(run.results),
        report.by_layout(run.results),
        f"The {min(worst, len(run.results))} worst cases:",
        report.cases(report.worst_first(run.results)[:worst], run.limits),
        f"{len(behind)} of {len(run.results)} cases are below {report.LEVEL} of NumPy's speed"
        + (":\n" + "\n".join(f"  {report.factor(r.speedups['numpy'])} {r.name}" for r in behind)
           if behind else "."),
    ]  # fmt: skip
    if large:
        parts += ["Large cases, as a share of their limit:", report.cases(large, run.limits)]
    parts.append(report.bars_table(report.bars(run.results, run.limits, run.threads)))
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
