"""Tables of a run: speed-ups by group, size and layout, the worst cases, limits and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from . import limits
from .libraries import PEERS
from .run import Result

#: A case is behind NumPy below this speed-up: less is noise.
LEVEL = 0.95
TITLES = {
    "cupy": "CuPy", "numpy": "NumPy", "torch": "PyTorch", "jax": "JAX", "numexpr": "numexpr",
    "numba": "Numba", "numba prange": "Numba, threads", "onnxruntime": "ONNX Runtime",
}  # fmt: skip
SIMD_TITLES = {"avx512": "AVX-512", "avx2": "AVX2", "baseline": "SSE2", "neon": "NEON"}
PROMINENT = ("sin", "cos", "exp", "log", "tanh", "pow")

Limits = dict[int, dict[str, float]]
#: A text, a number of cases, a ratio, or a pair of seconds and a ratio; what is None is not known.
Cell: TypeAlias = "str | int | float | list[float | None] | None"


@dataclass
class Table:
    """Measured figures, as they are kept in files: rows begin with a name."""

    title: str
    head: list[str]
    rows: list[list[Cell]]

    def __str__(self) -> str:
        """Return it in Markdown."""
        return table(self.head, [[shown(cell) for cell in row] for row in self.rows])


def shown(cell: Cell) -> str:
    """Return a cell as text."""
    if isinstance(cell, list):
        seconds, ratio = cell
        return f"{duration(seconds)} {f'({factor(ratio)})' if ratio else ''}".strip()
    return factor(cell) if isinstance(cell, float) else "" if cell is None else str(cell)


def ratio_of(cell: Cell) -> float | None:
    """Return the ratio in a cell, if it has one."""
    ratio = cell[1] if isinstance(cell, list) else cell
    return ratio if isinstance(ratio, float) else None


def mean_cell(ratios: list[float]) -> Cell:
    """Return the geometric mean of the ratios of a column of times, if it has some."""
    return [None, geometric_mean(ratios)] if ratios else None


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean, NaN of nothing."""
    logarithms = [math.log(value) for value in values]
    return math.exp(math.fsum(logarithms) / len(logarithms)) if logarithms else math.nan


def speedups(results: Iterable[Result], peer: str) -> list[float]:
    """Return how often Corepy is faster than a peer, for the cases that both can do."""
    return [result.speedups[peer] for result in results if peer in result.speedups]


def peers_of(results: Iterable[Result]) -> list[str]:
    """Return the peers that were measured, in the order of the tables."""
    found = {peer for result in results for peer in result.speedups}
    return [peer for peer in PEERS if peer in found] + sorted(found - set(PEERS))


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """Return a Markdown table; the first column is text, the others are numbers."""
    rows = [head, *rows]
    widths = [max(2, *(len(row[column]) for row in rows)) for column in range(len(head))]
    lines = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append(f"| {' | '.join([first.ljust(widths[0]), *cells])} |")
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([lines[0], "| " + " | ".join(rule) + " |", *lines[1:]])


def factor(value: float | None) -> str:
    """Return a speed-up with about three digits."""
    if value is None or math.isnan(value):
        return ""
    return f"{value:.2f}" if value < 9.95 else f"{value:.1f}" if value < 99.5 else f"{value:.0f}"


def duration(seconds: float | None) -> str:
    """Return a time with about three digits and its unit."""
    if seconds is None:
        return ""
    for unit, scale in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3)):
        if seconds * scale < 999.5:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def size_name(size: int) -> str:
    """Return a number of elements for people."""
    exponent = round(math.log10(size))
    return f"10^{exponent}" if 10**exponent == size and exponent > 1 else f"{size}"


KEYS: dict[str, Callable[[Result], object]] = {
    "group": lambda result: result.group,
    "layout": lambda result: result.layout,
    "elements": lambda result: size_name(10 ** round(math.log10(result.size))),
}


def by(results: list[Result], title: str) -> Table:
    """Return the geometric means over the cases of each group, layout or size, all of them last."""
    peers = peers_of(results)
    parts: dict[object, list[Result]] = {}
    for result in sorted(results, key=lambda each: each.size) if title == "elements" else results:
        parts.setdefault(KEYS[title](result), []).append(result)
    rows: list[list[Cell]] = []
    for name, cases in [*parts.items(), ("**all**", results)]:
        ratios = (speedups(cases, peer) for peer in peers)
        means = (geometric_mean(each) if each else None for each in ratios)
        rows.append([str(name), len(cases), *means])
    head = [title, "cases", *(TITLES.get(peer, peer) for peer in peers)]
    return Table(f"Speed-ups by {'number of ' * (title == 'elements')}{title}", head, rows)


def cases(results: Iterable[Result], measured: Limits) -> str:
    """Return one line for each case: times, speed-ups, share of the limit."""
    results = list(results)
    peers = peers_of(results)
    rows = []
    for result in results:
        least = limits.least_seconds(result, measured)
        ours = result.seconds.get("corepy")
        share = f"{least[0] / ours:.0%} of {least[1]}" if least and ours else ""
        rows.append([result.name, duration(ours),
                     *(duration(result.seconds.get(peer)) for peer in peers[:1]),
                     *(factor(result.speedups.get(peer)) for peer in peers), share])  # fmt: skip
    titles = [TITLES.get(peer, peer) for peer in peers]
    head = ["case", "Corepy", *titles[:1], *(f"vs {title}" for title in titles), "limit"]
    return table(head, rows)


def large(results: Iterable[Result], measured: Limits) -> list[Result]:
    """Return the cases that have a limit, those farthest from it first."""
    found = []
    for result in results:
        least = limits.least_seconds(result, measured)
        if least and "corepy" in result.seconds:
            found.append((least[0] / result.seconds["corepy"], result.name, result))
    return [result for *_, result in sorted(found, key=lambda each: each[:2])]


def ceiling(results: Iterable[Result], measured: Limits, peer: str) -> tuple[float, float]:
    """Return the mean speed-up of the cases that have a limit, and what it would be at the limit.

    What is faster than the limit, because it stays in the caches, counts as it is.
    """
    are, could_be = [], []
    for result in large(results, measured):
        least = limits.least_seconds(result, measured)
        if least and peer in result.speedups:
            ours = result.seconds["corepy"]
            are.append(result.speedups[peer])
            could_be.append(result.speedups[peer] * max(ours / least[0], 1))
    return geometric_mean(are), geometric_mean(could_be)


def worst_first(results: Iterable[Result]) -> list[Result]:
    """Return the cases by speed-up over the first peer, the smallest first."""
    results = list(results)
    peers = peers_of(results)
    measured = [result for result in results if peers and peers[0] in result.speedups]
    return sorted(measured, key=lambda result: result.speedups[peers[0]])


def behind(results: Iterable[Result]) -> list[Result]:
    """Return the cases in which Corepy is slower than the first peer, the worst first."""
    results = list(results)
    peers = peers_of(results)
    return [each for each in worst_first(results) if each.speedups[peers[0]] < LEVEL]


def named_behind(results: list[Result]) -> str:
    """Return how many cases are behind the first peer, and which, as text."""
    late = behind(results)
    peer = peers_of(results)[0] if peers_of(results) else "numpy"
    head = f"{len(late)} of {len(results)} cases are below {LEVEL} of {TITLES[peer]}'s speed"
    lines = [f"- {factor(result.speedups[peer])} `{result.name}`" for result in late]
    return head + (":\n\n" + "\n".join(lines) if lines else ".")


def bars(
    results: list[Result], measured: Limits, threads: int, simd: str = ""
) -> list[tuple[str, float, str, bool]]:
    """Return what has been promised of the grid: what it is, figure, bar, whether it is met."""
    found: list[tuple[str, float, str, bool]] = []

    def at_least(text: str, value: float, bar: float) -> None:
        if not math.isnan(value):
            found.append((text, value, f"at least {bar}", value >= bar))

    def at_most(text: str, value: float, bar: float) -> None:
        found.append((text, value, f"at most {bar}", value <= bar))

    numpy = geometric_mean(speedups(results, "numpy"))
    if threads == 1:
        at_least("geometric mean over NumPy, one thread", numpy, 2.5)
    else:
        at_least("geometric mean over NumPy", numpy, 3.6 if simd == "avx2" else 4.0)
        at_least("geometric mean over PyTorch", geometric_mean(speedups(results, "torch")), 6.0)
    idioms = [result for result in results if result.group == "idioms"]
    at_least("idioms, geometric mean over NumPy", geometric_mean(speedups(idioms, "numpy")), 2.5)
    at_most(f"cases below {LEVEL} of NumPy's speed", len(behind(results)), 0)
    for result in results:
        least = limits.least_seconds(result, measured)
        plain = result.layout == "contiguous" and result.label == result.operation
        real = result.dtype in ("float32", "float64")
        if plain and real and result.size == 1_000_000 and result.operation in PROMINENT:
            for peer in sorted({"numpy", "torch"} & set(result.speedups)):
                text = f"{result.name} over {TITLES[peer]}"
                at_limit = result.seconds[peer] / least[0] if least else math.inf
                if at_limit < 2.0:
                    text += f" (at the limit {factor(at_limit)})"
                at_least(text, result.speedups[peer], 2.0)
        if result.size == 10_000_000 and least and "corepy" in result.seconds:
            bar = 1.15 if result.operation == "sum" else 1.25
            text = f"{result.name}, time over the limit's"
            at_most(text, result.seconds["corepy"] / least[0], bar)
    return found


def bars_table(found: list[tuple[str, float, str, bool]]) -> str:
    """Return the bars as a table."""
    rows = [[what, factor(value) if value else "0", bar, "" if met else "missed"]
            for what, value, bar, met in found]  # fmt: skip
    return table(["bar", "measured", "promised", ""], rows)
