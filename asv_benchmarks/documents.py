"""The report of a run, printed and between the markers of the documents."""

from __future__ import annotations

import math
import re
from pathlib import Path

from . import limits, report
from .session import Session

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
WORST = 15


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


def text(session: Session, worst: int, shown: str = "") -> str:
    """Return the report: tables, so many of the worst cases, limits, bars.

    All large cases are in it, or only those of 10^7 elements where it has a picture, `shown`.
    """
    results = session.results
    large = report.large(results, session.limits)
    if shown:
        large = [result for result in results if result.size >= 10_000_000]
    parts = [
        f"Measured: {session.description}",
        summary(session),
        shown,
        "Speed-ups by group:",
        report.by(results, "group"),
        "By size:",
        report.by(results, "elements"),
        ceiling(session),
        "By layout:",
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
    return "\n\n".join(part for part in parts if part)


def update(session: Session) -> None:
    """Write tables and picture into docs/, and the sentence about all cases into the README.

    Each instruction set has its own section and picture.

    Raises
    ------
    ValueError
        The documents have no section for the instruction set of this run.
    """
    from . import picture

    drawn = BENCHMARKS.with_name(f"benchmarks-{session.simd}.svg")
    shown = f"![Speed-up over NumPy against size]({drawn.name})"
    short = f"{summary(session)} ({session.description})"
    found = replace_between(BENCHMARKS, f"compare-{session.simd}", text(session, WORST, shown))
    if not (found and replace_between(README, f"speed-{session.simd}", short)):
        raise ValueError(f"no section of the documents is for {session.simd or 'this device'}")
    picture.draw(session, drawn)
