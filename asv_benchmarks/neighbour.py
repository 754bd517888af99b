"""The cost of other busy processes: ``python -m asv_benchmarks.neighbour``.

Times operations alone, and again while another process keeps every processor busy, in rounds that
take turns. Such processes leave a fair share of half the processors, so twice the time
is the best possible result; threads that wait for each other lose much more. Printed: by how
much the median of each operation rises, and the 99th percentile of single calls of small ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import documents
from .cases import Case, select
from .libraries import Library, libraries_for
from .machine import facts, processors
from .report import Cell, Table, duration
from .timing import Runner

#: The median of no operation may rise by more, and no small operation's 99th percentile be longer.
RISE, PERCENTILE = 2.5, 1e-3
SMALL = 10_000

CASES = (
    "arithmetic/add/float64/contiguous/1",
    "arithmetic/add/float64/contiguous/10000",
    "arithmetic/add/float64/contiguous/1000000",
    "arithmetic/add/float64/contiguous/10000000",
    "elementary/exp/float64/contiguous/1",
    "elementary/exp/float64/contiguous/10000",
    "elementary/sin/float64/contiguous/1000000",
    "selection/where/float64/contiguous/1",
    "selection/where/float64/contiguous/1000000",
    "selection/getitem of a mask/float64/contiguous/1000000",
    "sorting/sort/float64/contiguous/10000",
    "sorting/sort/float64/contiguous/1000000",
    "reduction/sum/float64/contiguous/1",
    "reduction/sum/float64/contiguous/10000",
    "reduction/sum/float64/contiguous/1000000",
    "reduction/std/float64/contiguous/1000000",
    "reduction/max/float64/first axis/1000000",
    "scan/cumulative_sum/float64/contiguous/1000000",
    "casts and copies/astype to float32/float64/contiguous/1000000",
    "linear algebra/matmul/int64/contiguous/90000",
)
BUSY = "while True: sum(range(100000))"


@contextmanager
def neighbour() -> Iterator[None]:
    """Keep every processor busy from other processes."""
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processors())]
    try:
        time.sleep(0.3)  # they have to start, too
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def calls(runner: Runner, seconds: float) -> list[float]:
    """Return the seconds of single calls, as many as fit."""
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(taken) < 9:
        taken.append(runner.seconds(1))
    return taken


def measure(case: Case, library: Library, rounds: int, seconds: float) -> dict:
    """Time a case with a library, alone and beside a neighbour."""
    program = library.program(case, case.operands())
    runner = Runner(program.statement, program.names, program.setup)
    calls(runner, 0.01)
    alone: list[float] = []
    beside: list[float] = []
    for _ in range(rounds):
        alone += calls(runner, seconds)
        with neighbour():
            beside += calls(runner, seconds)
    return {
        "case": case.name,
        "library": library.name,
        "alone": statistics.median(alone),
        "beside": statistics.median(beside),
        "rise": statistics.median(beside) / statistics.median(alone),
        "percentile": sorted(beside)[int(0.99 * len(beside))] if case.size <= SMALL else None,
    }


def main(arguments: list[str]) -> int:
    """Measure the operations and print the table; with --check return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--libraries", default="", help="peers to measure beside Corepy")
    parser.add_argument("--only", nargs="+", default=[], help="as with compare")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.4, help="of each round, either way")
    parser.add_argument("--check", action="store_true", help="exit status 1 if a bar is missed")
    parser.add_argument("--json", type=Path, help="write the results to this file as well")
    parser.add_argument("--update-docs", action="store_true", help="write the table into docs/")
    options = parser.parse_args(arguments)
    libraries = libraries_for("cpu", [name for name in options.libraries.split(",") if name])
    results = []
    for case in select(options.only):
        if case.name not in CASES:
            continue
        for library in libraries:
            results.append(measure(case, library, options.rounds, options.seconds))
            rise = f"{results[-1]['rise']:.2f}x"
            print(f"{library.title} {case.name}: {rise}", file=sys.stderr, flush=True)
    head = ["case", "library", "alone", "beside", "99th percentile"]
    rows: list[list[Cell]] = [
        [each["case"], each["library"], [each["alone"], None], [each["beside"], each["rise"]],
         [each["percentile"], None]]
        for each in results
    ]  # fmt: skip
    title = "Median times alone, and beside busy processes (ratios)"
    here, parts = "; ".join(facts().values()), list[str | Table]([Table(title, head, rows)])
    print(documents.text(here, parts))
    if options.update_docs:
        documents.publish(documents.PAGES / "processes.md", "neighbour", here, parts)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    missed = [
        f"{result['case']}: {result['rise']:.2f}x, 99th percentile {duration(result['percentile'])}"
        for result in results
        if result["library"] == "corepy"
        and (result["rise"] > RISE or (result["percentile"] or 0) >= PERCENTILE)
    ]
    print("\nbars missed: " + ("; ".join(missed) or "none"))
    return int(options.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
