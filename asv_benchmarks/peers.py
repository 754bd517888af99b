"""Measure cases of several libraries in turns, and write the table into a document."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy

import corepy

from . import documents, report
from .programs import described
from .run import difference
from .timing import FULL, QUICK, Effort, Runner, median_ratio, take_turns

Calls = dict[str, Callable[[], Any]]
"""The call of each library, Corepy's first."""

HAS_TORCH = importlib.util.find_spec("torch") is not None


def as_array(result: Any) -> numpy.ndarray:
    """Return a result in NumPy's array, halves as float32."""
    if isinstance(result, corepy.Tensor):
        result = result.to_device("cpu")
    array = numpy.asarray(result.float() if hasattr(result, "float") else result)
    return array.astype(numpy.float32) if array.dtype.itemsize == 2 else array


def measure(
    make: Callable[[], Calls], tolerance: float | None, effort: Effort
) -> tuple[dict[str, list[float]], str]:
    """Return the rounds of each library, and an error or none."""
    libraries, wrong = make(), ""
    results = {name: as_array(call()) for name, call in libraries.items()}
    for name in list(results)[1:]:
        if tolerance is not None:
            wrong = wrong or difference(results["corepy"], results[name], tolerance)
    runners = [Runner("call()", {"call": call}) for call in libraries.values()]
    return dict(zip(libraries, take_turns(runners, effort), strict=True)), wrong


def parser(name: str, description: str) -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog=f"python -m asv_benchmarks.{name}", description=description
    )
    add = parser.add_argument
    add("--only", nargs="+", default=[], metavar="PART", help="parts of names")
    add("--threads", type=int, default=1, metavar="N", help="of each library, 1 by default")
    add("--quick", action="store_true", help="coarser figures")
    add("--update-docs", action="store_true", help="write the table and its data into docs/")
    return parser


def main(
    arguments: list[str],
    name: str,
    description: str,
    cases: Callable[[int], Mapping[str, Callable[[], Calls]]],
    tolerance: Callable[[str], float | None],
    document: Path,
) -> int:
    """Measure, report and write what the command line asks for.

    `cases` takes the number of threads and returns how to make the calls of each case; `tolerance`
    returns what the results of a case may differ by, or None if they are not compared.
    """
    options = parser(name, description).parse_args(arguments)
    corepy.set_num_threads(options.threads)
    if HAS_TORCH:
        importlib.import_module("torch").set_num_threads(options.threads)
    measured: dict[str, dict[str, list[float]]] = {}
    errors = []
    for case, make in cases(options.threads).items():
        if options.only and not any(part in case for part in options.only):
            continue
        measured[case], wrong = measure(make, tolerance(case), QUICK if options.quick else FULL)
        if wrong:
            errors.append(f"{case}: {wrong}")
        print(case, file=sys.stderr, flush=True)
    peers = list(dict.fromkeys(peer for times in measured.values() for peer in times))[1:]
    rows: list[list[report.Cell]] = []
    for case, times in measured.items():
        cells = (
            [min(times[peer]), median_ratio(times["corepy"], times[peer])]
            if peer in times
            else None
            for peer in peers
        )
        rows.append([case, [min(times["corepy"]), None], *cells])
    description = described(numpy) + "".join(f", {peer} {version(peer)}" for peer in peers)
    titles = [report.TITLES.get(peer, peer) for peer in peers]
    title = "Times, and their ratios to Corepy's"
    parts: list[str | report.Table] = [report.Table(title, ["case", "Corepy", *titles], rows)]
    print("\n" + documents.text(description, parts))
    if options.update_docs:
        documents.publish(document, name, description, parts)
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return int(bool(errors))
