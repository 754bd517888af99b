"""Sphinx extension: draws the picture of the front page from the tables of docs/benchmarks.md.

The tables are what the last run of ``python -m asv_benchmarks.compare --update-docs`` measured. The
picture is written for light and for dark pages, to ``_pictures/``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib
from sphinx.application import Sphinx

matplotlib.use("agg")

from matplotlib import pyplot

SECTION = "compare-avx512"
INK = {"light": "#333333", "dark": "#DDDDDD"}
COLOURS = {"NumPy": "#4477AA", "PyTorch": "#CC6677"}  # Paul Tol's "bright" and "muted"


def measured(document: str) -> tuple[list[str], dict[str, dict[str, float]]]:
    """Return the libraries, and for each group of cases the speed-up over each of them."""
    part = document.split(f"<!-- {SECTION}:start -->")[1].split(f"<!-- {SECTION}:end -->")[0]
    rows = re.findall(
        r"^\| (.+) \|$", part.split("Speed-ups by group:")[1].split("By size:")[0], re.M
    )
    head, _, *lines = ([cell.strip() for cell in row.split("|")] for row in rows)
    groups = {
        line[0].strip("*"): {
            name: float(cell) for name, cell in zip(head[2:], line[2:], strict=True) if cell
        }
        for line in lines
    }
    return head[2:], groups


def draw(document: str, path: Path, ink: str) -> None:
    """Draw the speed-ups as bars, groups from top to bottom, to a file."""
    names, groups = measured(document)
    settings = {
        "svg.hashsalt": "corepy", "svg.fonttype": "none", "font.size": 11, "text.color": ink,
        "axes.labelcolor": ink, "xtick.color": ink, "ytick.color": ink,
    }  # fmt: skip
    with pyplot.rc_context(settings):
        figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
        height = 0.8 / len(names)
        for index, name in enumerate(names):
            places = [
                place + index * height for place, g in enumerate(groups.values()) if name in g
            ]
            values = [g[name] for g in groups.values() if name in g]
            bars = axes.barh(places, values, height, color=COLOURS[name], label=f"over {name}")
            axes.bar_label(bars, [f"{value:.1f}×" for value in values], padding=3, fontsize=8)
        axes.set_yticks([p + 0.4 - height / 2 for p in range(len(groups))], list(groups))
        axes.invert_yaxis()
        axes.axvline(1.0, color=ink, linewidth=0.8)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, labelbottom=False)
        axes.margins(x=0.1, y=0.01)
        axes.legend(frameon=False, loc="lower right")
        figure.savefig(path, metadata={"Date": None}, transparent=True)
        pyplot.close(figure)


def write(app: Sphinx) -> None:
    """Write both pictures."""
    folder = Path(app.srcdir, "_pictures")
    folder.mkdir(exist_ok=True)
    document = Path(app.srcdir, "benchmarks.md").read_text("utf-8")
    for theme, ink in INK.items():
        draw(document, folder / f"speed-{theme}.svg", ink)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
