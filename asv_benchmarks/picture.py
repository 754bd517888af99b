"""Pictures of tables of ratios: ``python -m asv_benchmarks.picture FOLDER``.

Writes pictures of all tables of docs/benchmarks/data, for light and for dark pages.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import matplotlib

matplotlib.use("agg")  # files only, whatever screen there is

from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from . import documents
from .report import Table, factor, ratio_of

INKS = {"light": "#333333", "dark": "#DDDDDD"}
# Paul Tol's "bright" and "muted" colours, which most colour-blind readers can tell apart.
COLOURS = ("#4477AA", "#CC6677", "#228833", "#AA3377", "#997700", "#0E7C8B")
MARKERS = "os^Dvp"
BARS = 3  # at most so many columns are drawn as bars, more as marks
MARKUP = re.compile(r"^\*\*(.+)\*\*$|^`(.+)`$|\[([^\]]+)\]\([^)]*\)")  # bold, code, links
SVG = "{http://www.w3.org/2000/svg}"


def draw(table: Table, path: Path, ink: str = INKS["light"], ground: str = "white") -> None:
    """Draw the ratios of a table; the suffix of the path is the format (.svg, .png, .pdf).

    Each row has a bar, or a mark, for each column with ratios. Bars begin at 1.
    """
    ratios = {
        name: {k: ratio for k, row in enumerate(table.rows) if (ratio := ratio_of(row[column]))}
        for column, name in enumerate(table.head)
    }
    columns = {name: each for name, each in ratios.items() if each}
    settings = {
        "svg.hashsalt": "corepy", "svg.fonttype": "none", "font.size": 10, "text.color": ink,
        "xtick.color": ink, "ytick.color": ink, "axes.facecolor": "none",
    }  # fmt: skip
    with pyplot.rc_context(settings):
        many = len(columns) > BARS
        rows = len(table.rows) * (0.3 if many else 0.12 + 0.17 * len(columns))
        names = [MARKUP.sub(lambda found: found[found.lastindex], row[0]) for row in table.rows]
        width = max(6, 2.6 + 0.085 * max(map(len, names)))
        figure, axes = pyplot.subplots(figsize=(width, 1.2 + rows), layout="constrained")
        height = 0.8 / len(columns)
        for index, (name, values) in enumerate(columns.items()):
            style = {"color": COLOURS[index], "label": name}
            if many:
                axes.plot(values.values(), values.keys(), MARKERS[index], markersize=6, **style)
                continue
            places = [place + (index - (len(columns) - 1) / 2) * height for place in values]
            lengths = [value - 1 for value in values.values()]
            bars = axes.barh(places, lengths, height, left=1, **style)
            axes.bar_label(bars, [f"{factor(v)}×" for v in values.values()], padding=3, fontsize=8)
        axes.set_xscale("log")
        least, most = (f(v for each in columns.values() for v in each.values()) for f in (min, max))
        marks = (1.0, 3.0) if most > 50 * least else (1.0, 2.0, 5.0)
        axes.xaxis.set_major_locator(LogLocator(subs=marks, numticks=20))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g}×"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.grid(axis="x", color=ink, alpha=0.15, linewidth=0.7)
        axes.set_axisbelow(True)
        axes.axvline(1.0, color=ink, linewidth=1.0)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.margins(x=0.2)
        axes.tick_params(length=0)
        axes.tick_params(axis="x", labelsize=8)
        axes.spines[:].set_visible(False)
        figure.legend(
            title=table.title, title_fontsize=11, loc="outside upper left", alignment="left",
            ncols=3, frameon=False, borderpad=0,
        )  # fmt: skip
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, metadata=metadata, dpi=160, facecolor=ground)
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


def main(arguments: list[str]) -> None:
    """Draw all tables, each to ``NAME-NUMBER-light.svg`` and ``-dark.svg`` of a folder."""
    folder = Path(arguments[0])
    folder.mkdir(exist_ok=True)
    for name, (_, tables) in documents.load().items():
        for number, table in enumerate(tables, 1):
            for theme, ink in INKS.items():
                draw(table, folder / f"{name}-{number}-{theme}.svg", ink, "none")


if __name__ == "__main__":
    main(sys.argv[1:])
