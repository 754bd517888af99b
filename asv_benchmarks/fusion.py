"""Whole expressions, fused and not: ``python -m asv_benchmarks.fusion``.

The functions of `expressions` run with Corepy inside `corepy.fuse` and outside, NumPy and, where
they are installed, PyTorch eager and compiled, JAX compiled and numexpr; on the same data, in one
process and in turns (`timing`). Corepy's fused time ends when the elements exist. All results are
checked against NumPy's, and the fused ones against Corepy's eager ones bit for bit: a wrong one is
an error of the run. Ratios are the library's time over Corepy's fused one: above 1 fusion is
faster.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import corepy

from . import documents, limits, report, session
from .cases import select
from .expressions import EXPRESSIONS, Expression, expressions
from .libraries import Library, Program, load
from .libraries.corepy_library import Corepy
from .run import Result, arrays_of
from .timing import FULL, QUICK, Effort, Runner, median_ratio, take_turns

#: The picture of the README.
PICTURE = documents.BENCHMARKS.with_name("benchmarks-fusion.svg")
OPERATIONS = 16  # of the chain that is recorded


# ---- libraries


class Fused(Corepy):
    """Corepy, each expression in a block of `corepy.fuse`."""

    title = "Corepy fused"
    version = Corepy.version

    def program(self, case: Expression, operands: dict) -> Program:
        eager = super().program(case, operands)

        def result() -> Any:
            with corepy.fuse():
                return eager.result()

        # The result is alive, and so computed, when the block is left.
        statement = f"with fuse():\n    value = {eager.statement}"
        return Program(statement, eager.names | {"fuse": corepy.fuse}, result)


class Eager(Corepy):
    """Corepy without fusion."""

    name = title = "Corepy eager"
    version = Corepy.version


def torch_library(compiled: bool) -> Library:
    """Return PyTorch, eager or with `torch.compile`."""
    # Each run measures the first call, so nothing is taken from the cache of an earlier one.
    os.environ.setdefault("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")
    warnings.filterwarnings("ignore", "dynamo_pgo force disabled")
    from .libraries.torch_library import PyTorch, torch

    class Compiled(PyTorch):
        name = title = "torch.compile"

        def program(self, case: Expression, operands: dict) -> Program:
            torch.compiler.reset()  # or another size would be a recompilation for any size
            program = super().program(case, operands)
            program.names["compute"] = torch.compile(case.compute, dynamic=False)
            return program

    library = Compiled() if compiled else PyTorch()
    library.xp = ModuleType("torch")
    vars(library.xp).update(vars(torch), max=torch.amax)  # PyTorch's max returns positions, too
    return library


def numexpr_library() -> Library:
    """Return numexpr with its spellings of the expressions."""
    library = load("numexpr")
    library.spellings = {each.operation: each.numexpr for each in EXPRESSIONS if each.numexpr}
    return library


PEERS: dict[str, Callable[[], Library]] = {
    "torch": partial(torch_library, False),
    "torch.compile": partial(torch_library, True),
    "jax": partial(load, "jax"),
    "numexpr": numexpr_library,
}


def libraries(names: list[str] | None) -> list[Library]:
    """Return Corepy fused, NumPy, Corepy eager, and the other peers that are installed.

    A peer that was asked for by name and is not installed raises ImportError.
    """
    found = [Fused(), load("numpy"), Eager()]
    for name in PEERS if names is None else names:
        if name != "numpy":
            try:
                found.append(PEERS[name]())
            except ImportError:
                if names is not None:
                    raise
    return found


# ---- measuring


def different_bits(case: Expression) -> str:
    """Say how the fused result differs from the eager one; nothing if it does not.

    NaNs are equal to each other, whatever their payloads.
    """
    operands = case.operands()
    found, expected = (
        arrays_of(library.program(case, operands).result(), library)
        for library in (Fused(), Eager())
    )
    if len(found) != len(expected):
        return f"{len(found)} arrays instead of {len(expected)}"
    for ours, theirs in zip(found, expected, strict=True):
        if (ours.shape, ours.dtype) != (theirs.shape, theirs.dtype):
            return f"{ours.dtype} {ours.shape} instead of {theirs.dtype} {theirs.shape}"
        bits = f"u{ours.itemsize}"
        differ = np.ascontiguousarray(ours).view(bits) != np.ascontiguousarray(theirs).view(bits)
        if count := np.count_nonzero(differ & ~(np.isnan(ours) & np.isnan(theirs))):
            return f"{count} of {ours.size} elements are not those of the eager way"
    return ""


def recording_seconds(effort: Effort) -> float:
    """Return what recording an operation takes: a chain that is dropped without being computed."""
    chain = "x"
    for _ in range(OPERATIONS // 2):
        chain = f"({chain} * 0.5 + 1.0)"
    runner = Runner(chain, {"x": corepy.namespace().ones(100_000)})
    with corepy.config(fusion_threshold=0), corepy.fuse():
        [times] = take_turns([runner], effort)
    return min(times) / OPERATIONS


def first_call_ratio(case: Expression) -> float:
    """Return the time of the first call in this process over that of later ones.

    Only memory and threads are warm: the pool has blocks for temporaries of every operand's size,
    and something else has been computed.
    """
    operands = case.operands()
    program = Fused().program(case, operands)
    for operand in operands.values():
        x = corepy.asarray(operand.values, copy=True)
        kept = [corepy.negative(x) for _ in range(4)]
        with corepy.fuse():
            float(corepy.sum(corepy.square(x) + corepy.negative(x)))
        del kept
    seconds = []
    for _ in range(20):
        start = time.perf_counter()
        result = program.result()
        seconds.append(time.perf_counter() - start)
        del result
    return seconds[0] / statistics.median(seconds[1:])


def first_call_ratios(chosen: list[Expression]) -> dict[int, dict[str, float]]:
    """Return first-call ratios by size and name, each measured in a process of its own."""
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        ratios = pool.map(first_call_ratio, chosen, chunksize=1)
    found: dict[int, dict[str, float]] = {}
    for case, ratio in zip(chosen, ratios, strict=True):
        found.setdefault(case.size, {})[case.operation] = ratio
    return found


def small_ratios(chosen: list[Expression], effort: Effort) -> dict[int, list[float]]:
    """Return the eager times of expressions on few elements over those in a process that defers.

    Fewer elements than the threshold are computed at once there, too.
    """
    ratios: dict[int, list[float]] = {}
    library = Eager()
    for case in expressions([100, 1000]):
        if case.operation not in {each.operation for each in chosen}:
            continue
        program = library.program(case, case.operands())
        names = program.names | {"set_config": corepy.set_config}
        on, off = take_turns(
            [Runner(program.statement, names, f"set_config(fusion={wanted})")
             for wanted in (True, False)],
            effort,
        )  # fmt: skip
        ratios.setdefault(case.size, []).append(median_ratio(on, off))
    corepy.set_config(fusion=False)
    return ratios


def measure(chosen: list[Expression], options: argparse.Namespace) -> session.Session:
    """Time and check expressions."""
    names = options.libraries.split(",") if options.libraries else None
    run = session.measure(chosen, options, libraries(names))
    for case, result in zip(chosen, run.results, strict=True):
        if "corepy" not in result.seconds:
            continue  # an error already
        if difference := result.missing.get(Eager.name) or different_bits(case):
            result.wrong["corepy"] = difference
    return run


# ---- reporting


def times(results: list[Result], peers: list[str]) -> report.Table:
    """Return the table of times, ratios and limits."""
    size = report.size_name(results[0].size)
    head = ["expression", "MB", *titles(["corepy", *peers]), "memory allows"]
    rows: list[list[report.Cell]] = []
    for result in results:
        share = f" ({result.memory / result.seconds['corepy']:.0%})" if result.memory else ""
        rows.append([result.operation, f"{(result.read + result.written) / 1e6:.3g}",
                     *([result.seconds.get(name), result.speedups.get(name)]
                       for name in ["corepy", *peers]),
                     share and report.duration(result.memory) + share])  # fmt: skip
    means = (report.mean_cell(report.speedups(results, peer)) for peer in peers)
    rows.append(["**geometric mean**", None, None, *means, None])
    return report.Table(f"{size} elements: times, and their ratios to {Fused.title}", head, rows)


def first_calls(results: list[Result], names: list[str]) -> str:
    """Return the table of first calls, and their ratios to later ones."""
    rows = [
        [result.operation,
         *(report.shown([result.first[name], result.first[name] / result.seconds[name]])
           if name in result.seconds else "" for name in names)]
        for result in results
    ]  # fmt: skip
    return report.table(["expression", *titles(names)], rows)


def titles(names: list[str]) -> list[str]:
    """Return the heads of columns."""
    return [{"corepy": Fused.title, **report.TITLES}.get(name, name) for name in names]


def worst(results: list[Result], peer: str) -> str:
    """Return the three expressions with the smallest ratios, as text."""
    found = sorted(
        (each.speedups[peer], each.operation) for each in results if peer in each.speedups
    )
    return ", ".join(f"{report.factor(ratio)} {name}" for ratio, name in found[:3])


def parts(
    run: session.Session,
    recording: float | None = None,
    small: dict[int, list[float]] | None = None,
    first: dict[int, dict[str, float]] | None = None,
) -> list[str | report.Table]:
    """Return the report; with the cost of recording, the first calls of all libraries as well."""
    parts: list[str | report.Table] = []
    for size in sorted({result.size for result in run.results}, reverse=True):
        results = [result for result in run.results if result.size == size]
        peers = report.peers_of(results)
        parts.append(times(results, peers))
        named = zip(titles(peers), (worst(results, peer) for peer in peers), strict=True)
        parts.append("\n".join(f"- Smallest over {title}: {least}." for title, least in named))
        compilers = [peer for peer in peers if peer in ("jax", "torch.compile")]
        if names := compilers if recording is None else ["corepy", *peers]:
            parts += ["First call, time (ratio to later ones):", first_calls(results, names)]
    if recording is not None:
        parts.append(f"Recording an operation without computing it: {report.duration(recording)}.")
    for size, ratios in (small or {}).items():
        parts.append(
            f"{report.size_name(size)} elements in a process with `fusion=True`, which are computed"
            f" at once: {report.factor(report.geometric_mean(ratios))} times the speed without it"
            f" in geometric mean, at least {report.factor(min(ratios))}."
        )
    for size, by_name in (first or {}).items():
        most = sorted(((ratio, name) for name, ratio in by_name.items()), reverse=True)[:3]
        named = ", ".join(f"{report.factor(ratio)} {name}" for ratio, name in most)
        mean = report.factor(report.geometric_mean(by_name.values()))
        parts.append(
            f"{report.size_name(size)} elements, first call in a process whose memory pool is warm:"
            f" {mean} times the later ones in geometric mean, at most {named}."
        )
    missing = [f"- {result.name}: {name}: {reason}"
               for result in run.results for name, reason in result.missing.items()]  # fmt: skip
    if missing:
        parts.append("Not measured:\n\n" + "\n".join(missing))
    return [*parts, limits.describe(run.limits, run.threads)]


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m asv_benchmarks.fusion", description=(__doc__ or "").partition(":")[0]
    )
    add = parser.add_argument
    add("--only", nargs="+", default=[], metavar="PATTERN", help="names of expressions")
    add("--sizes", nargs="+", type=int, default=[10_000_000], metavar="N", help="elements (10^7)")
    add(
        "--libraries",
        metavar="NAMES",
        help=f"peers beside NumPy, separated by commas: {', '.join(PEERS)} (those installed)",
    )
    add("--threads", type=int, help="threads of Corepy (as many as the process may use)")
    add("--quick", action="store_true", help="coarser figures")
    add("--overhead", action="store_true", help="the cost of recording, and of all first calls")
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    add("--update-docs", action="store_true", help="write tables and their data into docs/")
    return parser


def main(arguments: list[str]) -> int:
    """Measure, report and write what the command line asks for."""
    options = parser().parse_args(arguments, argparse.Namespace(device="cpu"))
    chosen = select(options.only, among=expressions(options.sizes))
    if not chosen:
        print("no expression matches", file=sys.stderr)
        return 2
    if options.update_docs:
        from . import picture  # needs Matplotlib: before the measurement, not after it
    if options.threads:
        corepy.set_num_threads(options.threads)
    run = measure(chosen, options)
    effort = QUICK if options.quick else FULL
    recording = recording_seconds(effort) if options.overhead else None
    small = small_ratios(chosen, effort) if options.overhead else None
    first = first_call_ratios(chosen) if options.overhead else None
    if options.json:
        facts = run.as_dict() | {"recording": recording, "small": small, "first": first}
        options.json.write_text(json.dumps(facts, indent=1) + "\n")
    found = parts(run, recording, small, first)
    print("\n" + documents.text(run.description, found))
    if options.update_docs:
        documents.publish(documents.PAGES / "expressions.md", "fusion", run.description, found)
        picture.draw(next(part for part in found if isinstance(part, report.Table)), PICTURE)
    for error in run.errors:
        print(f"error: {error}", file=sys.stderr)
    return int(bool(run.errors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
