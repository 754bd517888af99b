"""NumPy programs, and calls of SciPy and scikit-learn: ``python -m asv_benchmarks.programs``.

The programs are written for ``import numpy as np`` and run with NumPy, and with ``import corepy as
np`` with fusion and without. The calls get NumPy's arrays or tensors; libraries take tensors by way
of the array API. All results are checked against NumPy's. Ratios are NumPy's time over Corepy's:
above 1 Corepy is faster. A time ends when the elements of results exist.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    os.environ["SCIPY_ARRAY_API"] = "1"  # read when SciPy is imported

import numpy
import scipy
import sklearn

import corepy
from corepy._cython import core

from . import documents, report
from .machine import facts
from .run import difference, several
from .session import Session
from .tasks import TASKS, Task
from .timing import FULL, QUICK, Effort, Runner, median_ratio, take_turns

#: How Corepy runs a task.
WAYS = ("eager", "fused")
#: Kinds of tasks that are calls.
LIBRARIES = "SciPy and scikit-learn"


@dataclass
class Outcome:
    """Seconds of a task with NumPy and Corepy's ways to run it, and ratios to NumPy."""

    kind: str
    name: str
    seconds: dict[str, float]
    ratios: dict[str, float]
    error: str = ""


def wrong(task: Task, found: Any, expected: Any) -> str:
    """Say how a result, which is computed if it is deferred, differs from NumPy's."""
    pairs = zip(several(found), several(expected), strict=True)
    texts = (difference(*map(numpy.asarray, pair), task.tolerance) for pair in pairs)
    return next(filter(None, texts), "")


def measure(task: Task, effort: Effort | None, ways: Sequence[str] = WAYS) -> Outcome:
    """Check a task, and time it unless there is no effort.

    A program may write to its arrays: it gets copies, whose making is not timed where a turn is
    one call.
    """
    data = list(task.data().values())
    # SciPy and scikit-learn take arrays of the standard; programs are written for the drop-in.
    make = corepy.array_api.asarray if task.kind in LIBRARIES else corepy.asarray
    tensors = [make(each, copy=True) if isinstance(each, numpy.ndarray) else each for each in data]

    def fused(np: Any, *operands: Any) -> Any:
        with corepy.fuse():
            return task.run(np, *operands)

    programs = {
        "numpy": (task.run, numpy, data),
        "eager": (task.run, corepy, tensors),
        "fused": (fused, corepy, tensors),
    }
    programs = {name: programs[name] for name in ("numpy", *ways)}
    outcome = Outcome(task.kind, task.name, {}, {})
    expected = task.run(numpy, *copies(data))
    for name, (run, module, operands) in programs.items():
        try:
            found = run(module, *copies(operands))
            if text := wrong(task, found, expected):
                outcome.error = f"{name}: {text}"
        except Exception as error:
            outcome.error = f"{name}: {type(error).__name__}: {error}"
        if outcome.error:
            return outcome
    if effort is None:
        return outcome
    runners = [
        Runner(
            "run(np, *operands)",
            {"run": run, "np": module, "data": operands, "copies": copies},
            "operands = copies(data)",
        )
        for run, module, operands in programs.values()
    ]
    times = dict(zip(programs, take_turns(runners, effort), strict=True))
    outcome.seconds = {name: min(rounds) for name, rounds in times.items()}
    outcome.ratios = {name: median_ratio(times[name], times["numpy"]) for name in ways}
    return outcome


def copies(operands: list[Any]) -> list[Any]:
    """Return copies of arrays, and other operands as they are."""
    return [each.copy() if hasattr(each, "copy") else each for each in operands]


def progress(outcome: Outcome) -> str:
    """Return a task's outcome in a line."""
    ratios = [f"{name} {report.factor(ratio)}" for name, ratio in outcome.ratios.items()]
    shown = outcome.error or ", ".join(ratios) or "right"
    return f"{outcome.kind}: {outcome.name}: {shown}"


def described(*modules: Any) -> str:
    """Return the machine, its software with these modules' versions, and the date in a line."""
    run = Session(
        **facts(), device="cpu", threads=corepy.get_num_threads(), limits={},
        simd=core.simd_in_use(),
    )  # fmt: skip
    for module in modules:
        run.versions += f", {module.__name__} {module.__version__}"
    return run.description


def table(title: str, outcomes: list[Outcome]) -> report.Table:
    """Return the table of some outcomes, with means."""
    ways = list(outcomes[0].ratios) if outcomes else []
    rows: list[list[report.Cell]] = [
        [each.name, [each.seconds["numpy"], None],
         *([each.seconds[name], each.ratios[name]] for name in ways)]
        for each in outcomes
    ]  # fmt: skip
    means = (report.mean_cell([each.ratios[name] for each in outcomes]) for name in ways)
    rows.append(["**geometric mean**", None, *means])
    head = ["program", "NumPy", *(f"Corepy {name}" for name in ways)]
    return report.Table(f"{title}: times, and NumPy's time over them", head, rows)


def parts(outcomes: list[Outcome]) -> list[str | report.Table]:
    """Return the report."""
    done = [each for each in outcomes if not each.error]
    parts: list[str | report.Table] = []
    programs = [each for each in done if each.kind not in LIBRARIES]
    calls = [each for each in done if each.kind in LIBRARIES]
    for title, chosen in (("NumPy programs", programs), (f"Calls of {LIBRARIES}", calls)):
        if chosen:
            least = sorted((each.ratios["fused"], each.name) for each in chosen)[:3]
            named = ", ".join(f"{report.factor(ratio)} {name}" for ratio, name in least)
            parts += [table(title, chosen), f"- Smallest fused: {named}."]
    return parts


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m asv_benchmarks.programs", description=(__doc__ or "").partition(":")[0]
    )
    add = parser.add_argument
    add("--only", nargs="+", default=[], metavar="PART", help="parts of names or kinds")
    add("--quick", action="store_true", help="coarser figures")
    add("--check", action="store_true", help="check results and measure nothing")
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    add("--update-docs", action="store_true", help="write tables and their data into docs/")
    return parser


def main(arguments: list[str]) -> int:
    """Measure, report and write what the command line asks for."""
    options = parser().parse_args(arguments)
    chosen = [
        task
        for task in TASKS
        if not options.only or any(part in f"{task.kind} {task.name}" for part in options.only)
    ]
    if not chosen:
        print("no program matches", file=sys.stderr)
        return 2
    outcomes = []
    effort = None if options.check else QUICK if options.quick else FULL
    for number, task in enumerate(chosen, 1):
        with sklearn.config_context(array_api_dispatch=True):
            outcome = measure(task, effort)
        outcomes.append(outcome)
        print(f"[{number}/{len(chosen)}] {progress(outcome)}", flush=True)
    if options.check:
        return int(any(each.error for each in outcomes))
    description, found = described(numpy, scipy, sklearn), parts(outcomes)
    print("\n" + documents.text(description, found))
    if options.json:
        options.json.write_text(json.dumps([vars(each) for each in outcomes], indent=1) + "\n")
    if options.update_docs:
        documents.publish(documents.PAGES / "programs.md", "programs", description, found)
    return int(any(each.error for each in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
