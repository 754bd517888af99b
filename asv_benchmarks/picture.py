"""Pictures of a run.

Speed-up over the first peer against size, a line for each group and one for everything; or the
speed-ups of each case over all peers.
"""

from __future__ import annotations

import math
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib

matplotlib.use("agg")  # files only, whatever screen there is

from matplotlib import pyplot
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from . import report
from .run import Result
from .session import Session

# Paul Tol's "bright" and "muted" colours, which most colour-blind readers can tell apart; lines of
# one colour differ by their dashes.
COLOURS = ("#4477AA", "#CC6677", "#228833", "#AA3377", "#997700", "#0E7C8B", "#555555")
DASHES = ("-", (0, (5, 1.5)))
INK, FAINT = "#222222", "#8A8A8A"
MARKERS = "os^Dvp"
SVG = "{http://www.w3.org/2000/svg}"


@contextmanager
def axes_in(session: Session, path: Path, height: float) -> Iterator[pyplot.Axes]:
    """Draw with these axes, and write the picture with a legend and where it was measured."""
    settings = {"svg.hashsalt": "corepy", "svg.fonttype": "none", "font.size": 10}
    with pyplot.rc_context(settings):
        figure, axes = pyplot.subplots(figsize=(9.5, height), layout="constrained")
        yield axes
        figure.legend(loc="outside right center", frameon=False)
        about = textwrap.fill(session.description, 160)
        figure.supxlabel(about, fontsize=7.5, color=FAINT, x=0.01, ha="left")
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, metadata=metadata, dpi=160)
        pyplot.close(figure)
    if path.suffix == ".svg":
        simplify(path)


def simplify(path: Path) -> None:
    """Write an SVG picture with fewer elements and lines: without groups that only have a name."""

    def plain(element: ET.Element) -> list[ET.Element]:
        children = [each for child in element for each in plain(child)]
        if element.tag == f"{SVG}metadata":
            return []
        if element.tag == f"{SVG}g" and element.attrib.keys() <= {"id"}:
            return children
        element[:] = children
        if "d" in element.attrib:
            element.set("d", " ".join(element.get("d", "").split()))
        return [element]

    ET.register_namespace("", SVG[1:-1])
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    (root,) = plain(ET.parse(path).getroot())
    ET.indent(root, "")
    path.write_text(ET.tostring(root, "unicode") + "\n", "utf-8")


def mark_ratios(axis: Axis) -> None:
    """Give a logarithmic axis of ratios its marks."""
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g}×"))
    axis.set_minor_locator(NullLocator())
    axis.grid(color="#E3E3E3", linewidth=0.7)


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
    with axes_in(session, path, 5.8) as axes:
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
        axes.xaxis.set_minor_locator(NullLocator())
        mark_ratios(axes.yaxis)
        overall = report.factor(report.geometric_mean(report.speedups(results, peer)))
        axes.set_title(
            f"Corepy is {overall} times as fast as {title} over {len(results)} cases\n"
            f"(geometric means of the speed-up, by number of elements)", loc="left", color=INK,
        )  # fmt: skip


def draw_cases(session: Session, path: Path) -> None:
    """Draw the speed-ups of each operation over all peers, at the largest size."""
    size = max(result.size for result in session.results)
    results = [result for result in session.results if result.size == size]
    with axes_in(session, path, 1.6 + 0.28 * len(results)) as axes:
        for index, peer in enumerate(report.peers_of(results)):
            places = [place for place, each in enumerate(results) if peer in each.speedups]
            axes.plot(
                report.speedups(results, peer), places, color=COLOURS[index], linestyle="",
                marker=MARKERS[index], markersize=6, label=report.TITLES.get(peer, peer),
            )  # fmt: skip
        axes.axvline(1.0, color=INK, linewidth=1.0)
        axes.set_xscale("log")
        mark_ratios(axes.xaxis)
        axes.set_yticks(range(len(results)), [result.operation for result in results])
        axes.invert_yaxis()
        axes.set_title(
            f"Times of other ways, over Corepy's fused one, {report.size_name(size)} elements",
            loc="left", color=INK,
        )  # fmt: skip
