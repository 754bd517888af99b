"""Speed-up over the first peer against size: one line for each group, and one for everything."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib

matplotlib.use("agg")  # files only, whatever screen there is

from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from . import report
from .run import Result
from .session import Session

# Paul Tol's "bright" and "muted" colours, which most colour-blind readers can tell apart; lines of
# one colour differ by their dashes.
COLOURS = ("#4477AA", "#CC6677", "#228833", "#AA3377", "#997700", "#0E7C8B", "#555555")
DASHES = ("-", (0, (5, 1.5)))
INK, FAINT = "#222222", "#8A8A8A"


def means_by_size(results: list[Result], peer: str) -> tuple[list[int], list[float]]:
    """Return sizes, to the nearest power of ten, and geometric means of the speed-ups there."""
    parts: dict[int, list[float]] = {}
    for result in results:
        if peer in result.speedups:
            size = 10 ** round(math.log10(result.size))
            parts.setdefault(size, []).append(result.speedups[peer])
    sizes = sorted(parts)
    return sizes, [report.geometric_mean(parts[size]) for size in sizes]


def draw(session: Session, path: Path) -> None:
    """Draw the picture of a run; the suffix of the path is its format (.svg, .png, .pdf)."""
    results = session.results
    peer = report.peers_of(results)[0]
    title = report.TITLES.get(peer, peer)
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.group, []).append(result)
    with pyplot.rc_context({"svg.hashsalt": "corepy", "font.size": 10}):
        figure, axes = pyplot.subplots(figsize=(9.5, 5.8), layout="constrained")
        for index, (group, members) in enumerate(groups.items()):
            axes.plot(
                *means_by_size(members, peer), color=COLOURS[index % len(COLOURS)], linewidth=1.6,
                linestyle=DASHES[index // len(COLOURS) % len(DASHES)], marker="o", markersize=3.2,
                label=group,
            )  # fmt: skip
        axes.plot(*means_by_size(results, peer), color=INK, linewidth=3.2, label="all cases")
        axes.axhline(1.0, color=INK, linewidth=1.0)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=20))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g}×"))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.grid(axis="y", color="#E3E3E3", linewidth=0.7)
        figure.legend(loc="outside right center", frameon=False)
        overall = report.factor(report.geometric_mean(report.speedups(results, peer)))
        axes.set_title(
            f"Corepy is {overall} times as fast as {title} over {len(results)} cases\n"
            f"(geometric means of the speed-up, by number of elements)", loc="left", color=INK,
        )  # fmt: skip
        figure.supxlabel(session.description, fontsize=7.5, color=FAINT, x=0.01, ha="left")
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, metadata=metadata, dpi=160)
        pyplot.close(figure)
