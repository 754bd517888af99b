"""Programs of finite differences beside JAX: ``python -m asv_benchmarks.grids``.

The programs of `tasks.finite_differences` run with NumPy, with Corepy (deferred, as by default, and
at once), and where they are installed with JAX's jit and as loops compiled by Numba, for one thread
and for all, in one process and in turns. Results are checked against NumPy's. Ratios are the time
over Corepy's: above 1 Corepy is faster. First calls are apart.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy

import corepy

from . import documents, report
from .programs import described
from .run import difference, several
from .tasks.finite_differences import PROGRAMS, Functional, InPlace
from .timing import FULL, QUICK, Effort, Runner, median_ratio, take_turns

SIZES = [1_048_576, 65_536, 4_096]


def ways(name: str, data: list[numpy.ndarray]) -> dict[str, Callable[[], Any]]:
    """Return how to run a program with each library, up to when its results exist."""
    run = PROGRAMS[name][0]
    tensors = [corepy.asarray(each, copy=True) for each in data]

    def deferred() -> Any:
        with corepy.config(fusion=True):
            return corepy.compute(*several(run(corepy, InPlace(), *tensors)))

    def eager() -> Any:
        with corepy.config(fusion=False):
            return run(corepy, InPlace(), *tensors)

    found = {
        "corepy": deferred,
        "numpy": lambda: run(numpy, InPlace(), *data),
        "corepy eager": eager,
    }
    if importlib.util.find_spec("jax"):
        from .libraries.jax_library import jax, jnp

        traced = jax.jit(lambda *arrays: run(jnp, Functional(), *arrays))
        arrays = [jnp.array(each) for each in data]
        found["jax"] = lambda: jax.block_until_ready(traced(*arrays))
    if importlib.util.find_spec("numba"):
        from .tasks.loops import compiled

        for title, parallel in (("numba", False), ("numba prange", True)):
            loops = compiled(name, parallel=parallel)
            found[title] = functools.partial(loops, *data)
    return found


def measure(name: str, size: int, effort: Effort) -> tuple[dict[str, list[float]], dict, str]:
    """Return the rounds of each library, the seconds of their first calls, and an error or none."""
    first, wrong = {}, ""
    libraries = ways(name, PROGRAMS[name][1](size))
    expected = [numpy.asarray(each) for each in several(libraries["numpy"]())]
    for library, call in libraries.items():
        start = time.perf_counter()
        found = several(call())
        first[library] = time.perf_counter() - start
        for ours, theirs in zip(found, expected, strict=True):
            wrong = wrong or difference(numpy.asarray(ours), theirs, 1e-9)
    runners = [Runner("call()", {"call": call}) for call in libraries.values()]
    return dict(zip(libraries, take_turns(runners, effort), strict=True)), first, wrong


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m asv_benchmarks.grids", description=(__doc__ or "").partition(":")[0]
    )
    add = parser.add_argument
    add("--only", nargs="+", default=[], metavar="PART", help="parts of names")
    add("--sizes", nargs="+", type=int, default=SIZES, metavar="N", help="elements, about")
    add("--quick", action="store_true", help="coarser figures")
    add("--update-docs", action="store_true", help="write tables and their data into docs/")
    return parser


def main(arguments: list[str]) -> int:
    """Measure, report and write what the command line asks for."""
    options = parser().parse_args(arguments)
    chosen = [
        name for name in PROGRAMS if not options.only or any(part in name for part in options.only)
    ]
    effort = QUICK if options.quick else FULL
    parts: list[str | report.Table] = []
    description, errors = described(numpy), []
    for size in options.sizes:
        rows: list[list[report.Cell]] = []
        means: dict[str, list[float]] = {}
        for name in chosen:
            times, first, wrong = measure(name, size, effort)
            if wrong:
                errors.append(f"{name}: {wrong}")
            ratios = {each: median_ratio(times["corepy"], times[each]) for each in times}
            for each, ratio in ratios.items():
                means.setdefault(each, []).append(ratio)
            cells = ([min(times[each]), ratios[each]] for each in list(times)[1:])
            later = first["corepy"] / min(times["corepy"])
            rows.append([name, [min(times["corepy"]), None], *cells, f"{later:.1f}"])
            print(*map(report.shown, rows[-1]), sep=" | ", file=sys.stderr, flush=True)
        total = (report.mean_cell(each) for each in list(means.values())[1:])
        rows.append(["**geometric mean**", None, *total, None])
        head = ["program", *(report.TITLES.get(each, each) for each in means), "first call"]
        title = f"{size:,} elements: times, and their ratios to Corepy's"
        parts.append(report.Table(title, head, rows))
    print("\n" + documents.text(description, parts))
    if options.update_docs:
        documents.publish(documents.PAGES / "finite_differences.md", "grids", description, parts)
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return int(bool(errors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
