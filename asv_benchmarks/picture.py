"""Speed-up over the first peer against size: one line for each group, and one for everything."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import matplotlib

matplotlib.use("agg")  # files only, whatever screen there is

from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from . import report
from .session import Session

# Paul Tol's "bright" and "muted" colours, which most colour-blind readers can tell apart; lines of
# one colour differ by their dashes, and every line bears its name.
COLOURS = ("#4477AA", "#CC6677", "#228833", "#AA3377", "#997700", "#0E7C8B", "#555555")
DASHES = ("-", (0, (5, 1.5)))
INK, FAINT = "#222222", "#8A8A8A"


def means_by_size(
    speedups: Iterable[tuple[report.Result, float]],
) -> tuple[list[int], list[float]]:
    """Return sizes, to the nearest power of ten, and geometric means of the speed-ups there."""
    parts: dict[int, list[float]] = {}
    for result, speedup in speedups:
        parts.setdefault(10 ** round(math.log10(result.size)), []).append(speedup)
    sizes = sorted(parts)
    return sizes, [report.geometric_mean(parts[size]) for size in sizes]


def over(results: Iterable[report.Result], peer: str) -> list[tuple[report.Result, float]]:
    """Return the results that have a speed-up over a peer, with it."""
    return [(result, result.speedups[peer]) for result in results if peer in result.speedups]


def spread(positions: list[float], gap: float) -> list[float]:
    """Move labels apart, as little as possible, until all are at least `gap` from each other."""
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    blocks: list[list[float]] = []  # [centre, count], from the lowest up
    for index in order:
        blocks.append([positions[index], 1])
        while len(blocks) > 1:
            (low, below), (high, above) = blocks[-2:]
            if high - low >= gap * (below + above) / 2:
                break
            blocks[-2:] = [[(low * below + high * above) / (below + above), below + above]]
    placed = [
        centre + gap * (place - (count - 1) / 2)
        for centre, count in blocks
        for place in range(int(count))
    ]
    moved = [0.0] * len(positions)
    for index, position in zip(order, placed, strict=True):
        moved[index] = position
    return moved


def draw(session: Session, path: Path) -> None:
    """Draw the picture of a run.

    Parameters
    ----------
    session : Session
        The run.
    path : Path
        Where to; the suffix says in which format (.svg, .png, .pdf).
    """
    results = session.results
    peer = report.peers_of(results)[0]
    title = report.TITLES.get(peer, peer)
    groups: dict[str, list[report.Result]] = {}
    for result in results:
        groups.setdefault(result.group, []).append(result)
    style = {"svg.hashsalt": "corepy", "font.size": 10, "font.family": "sans-serif"}
    with pyplot.rc_context(style):
        figure, axes = pyplot.subplots(figsize=(9.5, 5.8), layout="constrained")
        labels = []
        for index, (group, members) in enumerate(groups.items()):
            sizes, means = means_by_size(over(members, peer))
            if not sizes:
                continue
            colour = COLOURS[index % len(COLOURS)]
            dashes = DASHES[index // len(COLOURS) % len(DASHES)]
            axes.plot(sizes, means, color=colour, linestyle=dashes, linewidth=1.6, marker="o",
                      markersize=3.2, zorder=3)  # fmt: skip
            labels.append((group, sizes[-1], means[-1], colour, "normal"))
        sizes, means = means_by_size(over(results, peer))
        axes.plot(sizes, means, color=INK, linewidth=3.2, marker="o", markersize=5, zorder=4)
        labels.append(("all cases", sizes[-1], means[-1], INK, "bold"))
        for other in report.peers_of(results)[1:2]:  # what the nearest rival makes of the same
            both = [result for result in results if {peer, other} <= set(result.speedups)]
            rival = [(r, r.speedups[peer] / r.speedups[other]) for r in both]
            sizes, means = means_by_size(rival)
            axes.plot(sizes, means, color=FAINT, linestyle=":", linewidth=2.2, zorder=2)
            labels.append((report.TITLES.get(other, other), sizes[-1], means[-1], FAINT, "normal"))
        finish(axes, labels, title)
        overall = report.factor(report.geometric_mean(report.speedups(results, peer)))
        axes.set_title(
            f"Corepy is {overall} times as fast as {title} over {len(results)} cases",
            loc="left", fontsize=13, fontweight="bold", color=INK, pad=24,
        )  # fmt: skip
        axes.text(0, 1.02, f"Speed-up over {title} against number of elements, geometric means",
                  transform=axes.transAxes, color=FAINT, va="bottom")  # fmt: skip
        figure.supxlabel(session.description, fontsize=7.5, color=FAINT, x=0.01, ha="left")
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, metadata=metadata, dpi=160)
        pyplot.close(figure)


def finish(axes, labels: list[tuple], title: str) -> None:
    """Give the axes scales, ticks, the line of equality, and a name to every line."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(1.0, color=INK, linewidth=1.0, zorder=2)
    low, high = axes.get_ylim()
    low, high = min(low, 0.8), max(high, 1.6)
    axes.set_ylim(low, high)
    left, right = axes.get_xlim()
    axes.axhspan(low, 1.0, color="#000000", alpha=0.05, zorder=0, linewidth=0)
    axes.text(left * 1.15, low * 1.04, f"slower than {title}", color=FAINT, fontsize=8.5)
    axes.set_xlim(left, right)
    axes.xaxis.set_major_locator(LogLocator(numticks=12))
    axes.xaxis.set_major_formatter(
        FuncFormatter(
            lambda size, _: f"{size:.0f}" if size < 100 else f"$10^{{{math.log10(size):.0f}}}$"
        )
    )
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=20))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g}×"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(axis="y", color="#E3E3E3", linewidth=0.7)
    axes.tick_params(length=0, colors="#444444")
    for side in axes.spines.values():
        side.set_visible(False)
    # Names stand right of the plot, in the order of the lines' ends, joined to them by a thread.
    scale = math.log(high / low)
    heights = [math.log(mean / low) / scale for _, _, mean, _, _ in labels]
    for (name, size, mean, colour, weight), height in zip(
        labels, spread(heights, 0.047), strict=True
    ):
        axes.annotate(
            name, (size, mean), (1.03, height), "data", "axes fraction", color=colour,
            fontweight=weight, va="center", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6, "alpha": 0.45,
                        "shrinkA": 2, "shrinkB": 3, "relpos": (0, 0.5)},
        )  # fmt: skip
