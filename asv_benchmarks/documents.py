"""Reports, printed and in the documents.

The tables of a report are in a file of docs/benchmarks/data, from which the pictures of the site
are made (`picture`); all of it is between the markers of a page.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from pathlib import Path

from . import limits, report
from .report import Cell, Table
from .session import Session

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
PAGES = BENCHMARKS.with_suffix("")
README = ROOT / "README.md"
WORST = 15
#: Rows of the overview: the data, the beginning of the title of a table, and the column of the
#: speed-up over NumPy, whose mean is in the last row.
OVERVIEW = {
    "[Single operations](benchmarks/operations.md), AVX-512": ("compare-avx512", "", "NumPy"),
    "[Single operations](benchmarks/operations.md), AVX2": ("compare-avx2", "", "NumPy"),
    "[Lines of programs](benchmarks/lines.md), AVX-512": ("idioms-avx512", "", "NumPy"),
    "[Whole expressions](benchmarks/expressions.md), 10^7 elements": ("fusion", "10^7", "NumPy"),
    "[NumPy programs](benchmarks/programs.md)": ("programs", "NumPy", "Corepy fused"),
    "[SciPy and scikit-learn](benchmarks/programs.md)": ("programs", "Calls", "Corepy fused"),
    "[Programs of npbench](benchmarks/programs.md)": ("npbench", "", "Corepy fused"),
    "[Finite differences](benchmarks/finite_differences.md), 10^6 elements": (
        "grids",
        "1,048,576",
        "NumPy",
    ),
}


def replace_between(path: Path, name: str, text: str) -> bool:
    """Replace what is between ``<!-- name:start -->`` and ``<!-- name:end -->`` of a document.

    Returns whether the document has these markers.
    """
    document = path.read_text(encoding="utf-8")
    pattern = re.compile(rf"(<!-- {name}:start -->\n).*?(\n?<!-- {name}:end -->)", re.DOTALL)
    found, count = pattern.subn(lambda match: f"{match[1]}\n{text.strip()}\n{match[2]}", document)
    if count:
        path.write_text(found, encoding="utf-8")
    return bool(count)


def summary(session: Session) -> str:
    """Return the result of a run in a sentence."""
    results = session.results
    means = []
    for peer in report.peers_of(results):
        found = report.speedups(results, peer)
        some = f" in {len(found)} of them" if len(found) < 0.5 * len(results) else ""
        means.append(
            f"{report.factor(report.geometric_mean(found))} times as fast as "
            f"{report.TITLES.get(peer, peer)}{some}"
        )
    behind = report.behind(results)
    return (
        f"Over {len(results)} cases Corepy is {', '.join(means)} (geometric means); {len(behind)} "
        f"case{'s are' if len(behind) != 1 else ' is'} below {report.LEVEL} of NumPy's speed."
    )


def ceiling(session: Session) -> str:
    """Return what the large cases could be at best, in a sentence; nothing if there are none."""
    sentences = []
    for peer in report.peers_of(session.results):
        are, could_be = report.ceiling(session.results, session.limits, peer)
        if not math.isnan(are):
            title = report.TITLES.get(peer, peer)
            sentences.append(
                f"{report.factor(are)} times as fast as {title}, "
                f"{report.factor(could_be)} times at the limit"
            )
    if not sentences:
        return ""
    return f"The cases that have a limit: {'; '.join(sentences)}."


def parts(session: Session, worst: int, least: int = 0) -> list[str | Table]:
    """Return the report: tables, so many of the worst cases, limits, bars.

    Of large cases those of `least` elements or more are in it.
    """
    results = session.results
    large = report.large([each for each in results if each.size >= least], session.limits)
    return [
        summary(session),
        report.by(results, "group"),
        report.by(results, "elements"),
        ceiling(session),
        report.by(results, "layout"),
        f"The {min(worst, len(results))} worst cases:",
        report.cases(report.worst_first(results)[:worst], session.limits),
        report.named_behind(results),
        limits.describe(session.limits, session.threads),
        "Large cases, and their share of the limit:" if large else "",
        report.cases(large, session.limits) if large else "",
        "Bars:",
        report.bars_table(report.bars(results, session.limits, session.threads, session.simd)),
    ]


def text(measured: str, parts: Iterable[str | Table], name: str = "") -> str:
    """Return a report in Markdown, its tables with their pictures if it is given a name."""
    found, number = [f"Measured: {measured}"] if measured else [], 0
    for part in parts:
        if isinstance(part, Table):
            number += 1
            found.append(
                f"```{{speedups}} {name} {number}\n{part.title}\n```" if name else f"{part.title}:"
            )
        found.append(str(part))
    return "\n\n".join(filter(None, found))


def load() -> dict[str, tuple[str, list[Table]]]:
    """Return where the data of each file were measured, and its tables; the overview last."""
    found = {}
    for path in sorted(PAGES.glob("data/*.json")):
        facts = json.loads(path.read_text("utf-8"))
        found[path.stem] = facts["measured"], [Table(**each) for each in facts["tables"]]
    rows: list[list[Cell]] = []
    for subject, (name, title, column) in OVERVIEW.items():
        measured, tables = found.get(name, ("", []))
        for table in tables:
            if table.title.startswith(title) and column in table.head:
                ratio = report.ratio_of(table.rows[-1][table.head.index(column)])
                rows.append([subject, ratio, measured.split(";")[0], measured.rpartition("; ")[2]])
                break
    head = ["subject", "over NumPy", "machine", "date"]
    found["overview"] = "", [Table("Speed-ups over NumPy, geometric means", head, rows)]
    return found


def publish(page: Path, name: str, measured: str, parts: list[str | Table]) -> bool:
    """Write a report: its tables as data, all of it into a page, and the overview.

    Returns whether the page has a section for it; if not, nothing is written.
    """
    if not replace_between(page, name, text(measured, parts, name)):
        return False
    tables = [vars(part) for part in parts if isinstance(part, Table)]
    data = json.dumps({"measured": measured, "tables": tables}, ensure_ascii=False)
    rows = data.replace('], ["', '],\n["')  # a row a line
    (PAGES / "data" / f"{name}.json").write_text(f"{rows}\n", "utf-8")
    replace_between(BENCHMARKS, "overview", text("", load()["overview"][1], "overview"))
    return True


def update(session: Session) -> None:
    """Write the report into docs/, and the sentence about all cases into the README.

    Raises
    ------
    ValueError
        The documents have no section for the instruction set of this run.
    """
    simd, measured = session.simd, session.description
    found = publish(
        PAGES / "operations.md", f"compare-{simd}", measured, parts(session, WORST, 10_000_000)
    )
    short = f"{summary(session)} ({measured})"
    if not (found and replace_between(README, f"speed-{simd}", short)):
        raise ValueError(f"no section of the documents is for {simd or 'this device'}")
