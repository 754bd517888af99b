"""Compare Corepy on a GPU with CuPy, PyTorch and JAX: ``compare --device cuda:0``.

Three things are measured. *Host time*: what a call takes until it returns, one element, the device
not waited for. *Time of a call*: many calls and the wait for the last, divided by their number,
over sizes from 1 to 10^8. *Device time*: of 10^8 elements, by events around calls in the device's
stream, as a share of what copying as many bytes takes there. Libraries take turns; times are
medians of the turns, ratios medians of the turns' own ratios. Results of up to 10^6 elements are
compared with CuPy's.

JAX queues its work in streams of its own, so there are no events of it.
"""

from __future__ import annotations

import json
import platform
import statistics
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from .cases.case import Case, row
from .documents import ROOT, replace_between
from .libraries import Library, libraries_for
from .report import TITLES, duration, factor, geometric_mean, table
from .run import Result, prepared
from .session import progress
from .timing import Effort, Runner, in_turns, take_turns

SIZES = (1, 1_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
#: The largest is 400 MB of float32, several times what L2 caches hold.
LARGEST = SIZES[-1]
CHECKED = 1_000_000
PAGE = ROOT / "docs" / "gpu.md"
ROUNDS, ROUNDS_QUICK = 11, 5
TURN = 0.003
CALLS = 100  # of a turn of host time: fewer than the driver queues


def grid() -> list[Case]:
    """Return the cases, of float32 unless the name says otherwise."""

    def rows(*arguments: Any, dtypes: str = "float32", sizes=SIZES, **options: Any) -> list[Case]:
        return row(*arguments, dtypes=dtypes, sizes=sizes, **options)

    some = (1_000, 1_000_000, LARGEST)
    axes = ("first axis", "last axis")
    return [
        *rows("add", "x + y", x="normal", y="normal"),
        *rows("multiply", "xp.multiply(x, 2.5)", layouts=["scalar"], x="normal"),
        *rows("add", dtypes="float64 int32", sizes=some, x="normal", y="normal"),
        *rows("add", layouts=["transposed", "row", "column", "strided"], sizes=some,
              x="normal", y="normal"),
        *rows("add", "x += y", variant="in place", sizes=some, x="normal", y="zero"),
        *rows("less", x="normal", y="normal"),
        *rows("sqrt", x="positive"),
        *rows("exp", x="moderate"),
        *rows("sin", x="normal"),
        *rows("tanh", sizes=some, x="normal"),
        *rows("pow", sizes=some, x="positive", y="fraction"),
        *rows("where", c="mask", x="normal", y="normal"),
        *rows("astype", "xp.astype(x, xp.float64)", variant="to float64", x="normal"),
        *rows("astype", "xp.astype(x, xp.int32)", variant="to int32", sizes=some, x="normal"),
        *rows("sum", x="normal"),
        *rows("max", x="normal"),
        *rows("mean", sizes=some, x="normal"),
        *rows("sum", "xp.sum(x{axis})", layouts=axes, x="normal"),
        *rows("max", "xp.max(x{axis})", layouts=axes, sizes=some, x="normal"),
        *rows("argmax", sizes=some, x="normal"),
        *rows("all", dtypes="bool", sizes=some, x="true"),
        *rows("cumulative_sum", sizes=(1, *some), x="normal"),
        *rows("getitem", "x[m]", variant="of a mask", sizes=some, x="normal", m="mask"),
        *rows("nonzero", dtypes="bool", sizes=some, x="mask"),
        *rows("take", "xp.take(x, i, axis=0)", sizes=(1, *some), x="normal", i="positions"),
        *rows("sort", sizes=(1, *some), x="normal"),
    ]  # fmt: skip


@dataclass
class Measured(Result):
    """A case: `seconds` are of a call, the wait for the last of many included."""

    host: dict[str, float] = field(default_factory=dict)
    device: dict[str, float] = field(default_factory=dict)


@dataclass
class Run:
    """All results, and where they were measured."""

    description: str
    #: Bytes read and written in a second by a copy within the device.
    bandwidth: float
    results: list[Measured] = field(default_factory=list)


# ---- measuring


def events_around(function: Any) -> float:
    """Return the device's seconds for what a function queues in CuPy's current stream."""
    import cupy

    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    function()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end) / 1e3


def copy_bandwidth() -> float:
    """Return the bandwidth of the driver's own copy of 400 MB, reads and writes counted."""
    import cupy
    from cupy.cuda import runtime

    nbytes = 4 * LARGEST
    source, target = (cupy.zeros(nbytes, dtype=cupy.uint8) for _ in range(2))

    def copy() -> None:
        for _ in range(5):
            runtime.memcpyAsync(
                target.data.ptr, source.data.ptr, nbytes, runtime.memcpyDeviceToDevice,
                cupy.cuda.get_current_stream().ptr,
            )  # fmt: skip

    copy()
    return 2 * nbytes * 5 / statistics.median(events_around(copy) for _ in range(ROUNDS))


def measure_case(case: Case, libraries: list[Library], rounds: int) -> Measured:
    """Time a case with every library."""
    result = Measured.of(case)
    runners = prepared(case, libraries, result, checked=case.size <= CHECKED)
    if case.layout == "strided":
        result.read //= 2
    effort = Effort(turn=TURN, least=rounds, most=rounds)
    times = take_turns(list(runners.values()), effort)
    result.set_times(dict(zip(runners, times, strict=True)), statistics.median)
    if case.size == 1:
        result.host = medians(runners, host_seconds, rounds)
    if case.size == LARGEST:
        here = {name: runner for name, runner in runners.items() if name != "jax"}
        result.device = medians(here, device_seconds, rounds)
    return result


def medians(
    runners: dict[str, Runner], measure: Callable[[Runner], float], rounds: int
) -> dict[str, float]:
    """Return the median of what is measured of each library."""
    found = in_turns([partial(measure, runner) for runner in runners.values()], rounds)
    return dict(zip(runners, map(statistics.median, found), strict=True))


def host_seconds(runner: Runner) -> float:
    """Return what a call takes until it returns, the device idle at first."""
    runner.seconds(3)
    taken = runner.timer.timeit(CALLS) / CALLS
    runner.seconds(1)  # waits for them, too
    return taken


def device_seconds(runner: Runner) -> float:
    return events_around(lambda: runner.timer.timeit(5)) / 5


def make_current(device: str) -> None:
    """Have CuPy make its own arrays on a device."""
    import cupy

    cupy.cuda.Device(int(device.partition(":")[2] or 0)).use()


def free_memory() -> None:
    """Give back what the libraries have cached: each wants gigabytes of the same device."""
    import cupy

    cupy.get_default_memory_pool().free_all_blocks()
    if "torch" in sys.modules:
        sys.modules["torch"].cuda.empty_cache()


# ---- reporting

#: Of float32: elementwise functions, casts, selection, and reductions of everything.
STREAMED = (
    *("add", "multiply", "less", "sqrt", "exp", "sin", "tanh", "pow", "where", "astype"),
    *("sum", "max", "mean"),
)


def bars(run: Run) -> list[tuple[str, str, str, bool]]:
    """Return what was promised for an H200: what, measured, promised, whether it is met."""
    found = []
    ratios = [(r.speedups["cupy"], r.name) for r in run.results if "cupy" in r.speedups]
    if ratios:
        mean = geometric_mean(ratio for ratio, _ in ratios)
        found.append(("geometric mean over CuPy", factor(mean), "at least 1.5", mean >= 1.5))
        least, name = min(ratios)
        found.append((f"worst case over CuPy ({name})", factor(least), "at least 0.95",
                      least >= 0.95))  # fmt: skip
    for result in run.results:
        if "corepy" in result.host and result.name.startswith("/add/float32/contiguous"):
            host = result.host["corepy"]
            found.append(("host time of x + y", duration(host), "at most 3 µs", host <= 3e-6))
            if "cupy" in result.host:
                share = host / result.host["cupy"]
                found.append(("the same over CuPy's", factor(share), "at most 0.5", share <= 0.5))
        if "corepy" in result.device and result.read and "/float32/" in result.name:
            share = share_of_bandwidth(run, result)
            plain = result.layout in ("contiguous", "scalar")
            if plain and result.operation in STREAMED:
                bar = 0.9
            elif result.operation in ("sum", "max") and "axis" in result.layout:
                bar = 0.8
            else:
                continue
            found.append((f"{result.name}, share of copy bandwidth", f"{share:.0%}",
                          f"at least {bar:.0%}", share >= bar))  # fmt: skip
    return found


def share_of_bandwidth(run: Run, result: Measured) -> float:
    return (result.read + result.written) / result.device["corepy"] / run.bandwidth


def tables(run: Run) -> str:
    """Return the report in Markdown."""
    peers = [p for p in ("cupy", "torch", "jax") if any(p in r.speedups for r in run.results)]
    titles = [TITLES[peer] for peer in peers]
    parts = [run.description, f"Copy bandwidth: {run.bandwidth / 1e12:.2f} TB/s, read and written."]
    parts.append("### Promises\n\n" + table(
        ["what", "measured", "promised", ""],
        [[what, value, bar, "" if met else "missed"] for what, value, bar, met in bars(run)],
    ))  # fmt: skip
    by_size = {size: [r for r in run.results if r.size == size] for size in SIZES}
    parts.append("### Speed-ups by number of elements\n\n" + table(
        ["elements", "cases", *titles],
        [[f"{size:,}", str(len(results)), *(mean_over(results, peer) for peer in peers)]
         for size, results in by_size.items() if results]
        + [["**all**", str(len(run.results)), *(mean_over(run.results, p) for p in peers)]],
    ))  # fmt: skip
    parts.append("### Host time of a call, one element\n\n" + table(
        ["case", "Corepy", *titles],
        [[r.name, *(duration(r.host.get(name)) for name in ("corepy", *peers))]
         for r in run.results if r.host],
    ))  # fmt: skip
    parts.append(f"### Device time, {LARGEST:,} elements\n\n" + table(
        ["case", "Corepy", *(TITLES[p] for p in peers if p != "jax"), "of copy bandwidth"],
        [[r.name, *(duration(r.device.get(name)) for name in ("corepy", *peers) if name != "jax"),
          f"{share_of_bandwidth(run, r):.0%}" if r.read else ""]
         for r in run.results if "corepy" in r.device],
    ))  # fmt: skip
    parts.append("### All cases\n\n" + table(
        ["case", "Corepy", *(f"vs {title}" for title in titles)],
        [[r.name, duration(r.seconds.get("corepy")), *(factor(r.speedups.get(p)) for p in peers)]
         for r in run.results],
    ))  # fmt: skip
    return "\n\n".join(parts)


def mean_over(results: list[Measured], peer: str) -> str:
    return factor(geometric_mean(r.speedups[peer] for r in results if peer in r.speedups))


def describe(device: str, libraries: list[Library]) -> str:
    """Return the device, its driver, versions and date in a line."""
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(int(device.partition(":")[2]))
    versions = ", ".join(f"{each.title} {each.version}" for each in libraries)
    driver = cupy.cuda.runtime.driverGetVersion()
    date = time.strftime("%Y-%m-%d", time.gmtime())
    return (
        f"{properties['name'].decode()}, driver of CUDA {driver // 1000}.{driver % 1000 // 10}; "
        f"Python {platform.python_version()}, {versions}; {date}"
    )


def main(options: Namespace) -> int:
    """Measure, or load, and report."""
    if options.list:
        chosen = select(options)
        print("\n".join(case.name for case in chosen), f"\n{len(chosen)} cases", sep="")
        return 0
    if options.load:
        run = loaded(options.load)
    else:
        run = measure(options)
    if not run.results:
        print("no case was measured", file=sys.stderr)
        return 2
    save(run, options)
    print("\n" + tables(run))
    errors = [error for result in run.results for error in result.errors]
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    missed = any(not met for *_, met in bars(run))
    return int(bool(errors) or (options.check and missed))


def loaded(path: Path) -> Run:
    """Return what `save` wrote."""
    facts = json.loads(path.read_text())
    results = [Measured(**each) for each in facts.pop("results")]
    return Run(**facts, results=results)


def save(run: Run, options: Namespace) -> None:
    """Write what was measured so far to the file and the page that the command line names."""
    if options.json:
        options.json.write_text(json.dumps(asdict(run), indent=1) + "\n")
    if options.update_docs:
        replace_between(PAGE, options.section, tables(run))


def select(options: Namespace) -> list[Case]:
    """Return the cases that the command line chooses."""
    return [
        case
        for case in grid()
        if (not options.sizes or case.size in options.sizes)
        and (not options.only or any(word in case.name for word in options.only))
    ]


def measure(options: Namespace) -> Run:
    """Run the cases that the command line chooses; what is done when it is interrupted counts."""
    make_current(options.device)
    chosen = select(options)
    names = [case.name for case in chosen]
    # The largest first, on which most depends; then by size, so that inputs are made but once.
    chosen.sort(key=lambda case: (case.size != LARGEST, case.size))
    libraries = libraries_for(
        options.device, options.libraries.split(",") if options.libraries else None
    )
    run, count = Run(describe(options.device, libraries), copy_bandwidth()), len(chosen)
    if options.resume and options.json and options.json.exists():
        before = loaded(options.json)
        run.bandwidth = max(run.bandwidth, before.bandwidth)
        run.results = [r for r in before.results if r.name in names and "corepy" not in r.missing]
        kept = {result.name for result in run.results}
        chosen = [case for case in chosen if case.name not in kept]
    description = run.description
    rounds = ROUNDS_QUICK if options.quick else ROUNDS
    try:
        for case in chosen:
            if case.size >= 10_000_000:
                free_memory()
            try:
                result = measure_case(case, libraries, rounds)
            except Exception as error:  # of one case; the others still count
                result = Measured.of(case)
                result.missing["corepy"] = f"{type(error).__name__}: {error}"[:200]
            run.results.append(result)
            done = f"{len(run.results)} of {count} cases"
            run.description = f"{description}; interrupted: {done}"  # until it is done
            save(run, options)
            print(f"[{done}] {progress(result)}", file=sys.stderr, flush=True)
        run.bandwidth, run.description = max(run.bandwidth, copy_bandwidth()), description
    except KeyboardInterrupt:
        run.description = f"{description}; interrupted: {len(run.results)} of {count} cases"
    run.results.sort(key=lambda result: names.index(result.name))
    return run
