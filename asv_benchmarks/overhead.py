"""The cost of a small operation, compared with NumPy: ``python -m asv_benchmarks.overhead``.

Both libraries run in one process, in rounds that take turns, so that other load on the
machine affects both. A time is the least of all rounds; a ratio is the median of the
rounds' own ratios, Corepy's time over NumPy's. Python's cost of the loop around the statement is
in both times (about 5 ns), so a ratio is, if anything, too high. Corepy's functions and NumPy's
are called the way a user calls them, as attributes of a namespace.

Some statements have a bar: the ratio that Corepy has promised not to exceed.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import corepy
import corepy.array_api

from . import documents
from .machine import facts
from .report import Cell, Table, factor
from .timing import Effort, Runner, median_ratio, take_turns

# Statement, bar (None: measured without a promise).
STATEMENTS: dict[str, float | None] = {
    "x + y": 0.25, "x * 2.0": 0.25, "x < y": 0.25, "xp.exp(x)": 0.25, "xp.add(x, y)": 0.25,
    "xp.sum(x)": 0.15, "xp.max(x)": 0.15, "xp.where(c, x, y)": 0.1, "xp.std(x)": 0.05,
    "xp.reshape(x, shape)": 0.4, "x[0:1]": 0.4, "xp.permute_dims(m, axes)": 0.4,
    "xp.matrix_transpose(m)": 0.4, "x[i]": 1.0, "x[i] = v": 1.0,
    "for i, j in pairs: many[i] + more[j]": 0.9,
    "-x": None, "m.T": None, "x.shape": None, "float(z)": None,
}  # fmt: skip


def variables(xp, dtype: str) -> dict:
    """Return what the statements use, in the library `xp`: arrays with one element.

    Only the Python loop goes over longer ones, of a hundred elements.
    """
    one = {"dtype": getattr(xp, dtype)}
    many, more = (xp.asarray([float(k) for k in range(100)], **one) for _ in range(2))
    return {
        "xp": xp, "x": xp.asarray([1.5], **one), "y": xp.asarray([2.5], **one),
        "z": xp.asarray(2.5, **one), "m": xp.asarray([[1.5]], **one), "c": xp.asarray([True]),
        "i": 0, "v": 2.0, "shape": (1, 1), "axes": (1, 0), "many": many, "more": more,
        "pairs": [(k, 99 - k) for k in range(100)],
    }  # fmt: skip


def measure(statement: str, dtype: str, rounds: int, seconds: float) -> dict:
    """Time one statement in both libraries; return nanoseconds and the median ratio."""
    runners = [Runner(statement, variables(xp, dtype)) for xp in (corepy.array_api, np)]
    ours, theirs = take_turns(runners, Effort(turn=seconds, least=rounds, most=rounds))
    return {
        "statement": statement,
        "corepy_ns": min(ours) * 1e9,
        "numpy_ns": min(theirs) * 1e9,
        "ratio": median_ratio(theirs, ours),
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
    parser.add_argument(
        "--update-docs", action="store_true", help="write the table and its data into docs/"
    )
    options = parser.parse_args(arguments)

    here = facts()
    here["versions"] += f", NumPy {np.__version__}"
    results = []
    for statement in STATEMENTS:
        results.append(measure(statement, options.dtype, options.rounds, options.seconds))
        print(f"{statement}: {results[-1]['ratio']:.3f}", file=sys.stderr, flush=True)
    title = f"One {options.dtype}: times, and NumPy's time over Corepy's"
    head = ["statement", "Corepy", "NumPy", "bar", ""]
    parts: list[str | Table] = [Table(title, head, [row(result) for result in results])]
    print(documents.text("; ".join(here.values()), parts))
    if options.json:
        options.json.write_text(json.dumps(here | {"results": results}, indent=1) + "\n")
    if options.update_docs:
        documents.publish(
            documents.PAGES / "small_calls.md", "overhead", "; ".join(here.values()), parts
        )
    return int(options.check and any(is_missed(result) for result in results))


def is_missed(result: dict) -> bool:
    """Tell whether a statement is slower than promised."""
    return result["bar"] is not None and result["ratio"] > result["bar"]


def row(result: dict) -> list[Cell]:
    """Return a row of the table."""
    return [
        f"`{result['statement']}`",
        [result["corepy_ns"] / 1e9, None],
        [result["numpy_ns"] / 1e9, 1 / result["ratio"]],
        "" if result["bar"] is None else factor(1 / result["bar"]),
        "missed" if is_missed(result) else "",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
