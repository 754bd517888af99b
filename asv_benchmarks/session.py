"""A whole run: what was measured, on which machine, with which versions."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import corepy
from corepy._cython import core

from . import limits
from .cases import Case
from .libraries import Library, libraries_for
from .machine import facts
from .report import SIMD_TITLES, TITLES, duration, factor
from .run import Result, run_case
from .timing import FULL, QUICK


@dataclass
class Session:
    """Results, limits of the machine (by size of the arrays), and the facts around them."""

    machine: str
    versions: str
    date: str
    device: str
    threads: int
    limits: dict[int, dict[str, float]]
    results: list[Result] = field(default_factory=list)
    simd: str = ""  # the instruction set that Corepy's kernels used

    @property
    def description(self) -> str:
        """Machine, versions and date in a line."""
        return (
            f"{self.machine}; {SIMD_TITLES.get(self.simd, self.simd)}; "
            f"{self.threads} thread{'s' if self.threads != 1 else ''}; "
            f"{self.versions}; {self.date}"
        )

    @property
    def errors(self) -> list[str]:
        """Wrong results, and cases that Corepy could not do."""
        return [error for result in self.results for error in result.errors]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        return {**vars(self), "results": [result.as_dict() for result in self.results]}

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> Session:
        """Return what `as_dict` made a dict of."""
        measured = {int(size): rates for size, rates in facts["limits"].items()}
        results = [Result(**each) for each in facts["results"]]
        return cls(**{**facts, "limits": measured, "results": results})


def measure(
    chosen: Sequence[Case],
    options: Namespace,
    libraries: list[Library] | None = None,
    limited: bool = True,
) -> Session:
    """Run cases as the command line says, with a line of progress for each.

    `libraries` are Corepy and its peers, those of the command line by default. Unless `limited`,
    the limits of the machine are not measured.
    """
    if libraries is None:
        names = options.libraries.split(",") if options.libraries else None
        libraries = libraries_for(options.device, names)
    threads = corepy.get_num_threads()
    before = limits.measure(threads) if limited else {}
    session = Session(
        **facts(), device=options.device, threads=threads, limits=before,
        simd=core.simd_in_use() if options.device == "cpu" else "",
    )  # fmt: skip
    for library in libraries:
        session.versions += f", {library.title} {library.version}"
    for number, case in enumerate(chosen, 1):
        effort = QUICK if options.quick else FULL
        result = run_case(case, libraries, effort, threads if limited else 0)
        session.results.append(result)
        print(f"[{number}/{len(chosen)}] {progress(result)}", file=sys.stderr, flush=True)
    if limited:
        session.limits = limits.best(before, limits.measure(threads))
    return session


def progress(result: Result) -> str:
    """Return a case in a line."""
    ratios = ", ".join(
        f"{factor(ratio)}x {TITLES.get(peer, peer)}" for peer, ratio in result.speedups.items()
    )
    notes = "".join(f"; ERROR {error}" for error in result.errors)
    return f"{result.name}: {duration(result.seconds.get('corepy'))}; {ratios}{notes}"
