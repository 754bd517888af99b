"""Compare Corepy with other libraries over the whole grid: ``python -m asv_benchmarks.compare``.

Every case of `cases` is run with Corepy, NumPy and, where they are installed, PyTorch, JAX and
numexpr, each in its own best idiom, on the same data, in one process and in turns (`timing`). All
results are checked against NumPy's: a wrong one is an error of the run. Speed-ups are the peer's
time over Corepy's: above 1 Corepy is faster. Large cases are shown as a share of what the machine
can do at best, measured before and after all cases, and for the largest before and after each
(`limits`).

With ``--device cuda:0`` the grid, the peers (CuPy, PyTorch, JAX) and the limits are those of a GPU:
see `gpu`.
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
    add("--only", nargs="+", default=[], metavar="PATTERN", help="groups, operations, names")
    add("--sizes", nargs="+", type=int, default=[], metavar="N", help="numbers of elements")
    add("--libraries", metavar="NAMES", help="peers, separated by commas (those installed)")
    add("--threads", type=int, help="threads of Corepy (as many as the process may use)")
    add("--device", default="cpu", help="device of Corepy (cpu)")
    add("--quick", action="store_true", help="a few minutes for the whole grid; coarser figures")
    add("--worst", type=int, default=30, metavar="N", help="how many of the worst cases to show")
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    add("--resume", action="store_true", help="of a GPU: keep the cases that --json's file has")
    add("--picture", type=Path, metavar="FILE", help="draw speed-ups by group (.svg, .png)")
    add("--load", type=Path, metavar="FILE", help="report what --json wrote, measure nothing")
    add("--update-docs", action="store_true", help="write tables and their data into docs/")
    add("--section", default="gpu", metavar="NAME", help="part of docs/gpu.md (gpu)")
    add("--check", action="store_true", help="exit status 1 if a bar is missed")
    add("--list", action="store_true", help="list the cases and measure nothing")
    return parser


def main(arguments: list[str]) -> int:
    """Measure, report and write what the command line asks for."""
    options = parser().parse_args(arguments)
    if options.threads:
        # Read when Corepy is imported, so nothing of it is before this line.
        os.environ["COREPY_NUM_THREADS"] = str(options.threads)
    if options.device.startswith(("cuda:", "rocm:")):
        os.environ.setdefault("JAX_PLATFORMS", options.device.partition(":")[0])
        from . import gpu

        return gpu.main(options)
    from . import cases, documents, report, session

    chosen = cases.select(options.only, options.sizes)
    if not chosen:
        print("no case matches", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(case.name for case in chosen), f"\n{len(chosen)} cases", sep="")
        return 0
    if options.picture:
        try:  # before the measurement, not after it
            from . import picture
        except ImportError as error:
            print(f"a picture needs Matplotlib: {error}", file=sys.stderr)
            return 2
    if options.load:
        run = session.Session.from_dict(json.loads(options.load.read_text()))
    else:
        run = session.measure(chosen, options)
    if options.json:
        options.json.write_text(json.dumps(run.as_dict(), indent=1) + "\n")
    print("\n" + documents.text(run.description, documents.parts(run, options.worst)))
    if options.picture:
        picture.draw(report.by(run.results, "group"), options.picture)
    if options.update_docs:
        documents.update(run)
    for error in run.errors:
        print(f"error: {error}", file=sys.stderr)
    missed = any(not met for *_, met in report.bars(run.results, run.limits, run.threads, run.simd))
    return int(bool(run.errors) or (options.check and missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
