"""The grid: every case of `compare` and of the asv suite.

A module for each few groups; a case is written once, as a row of a table there. `all_cases` puts
them together and `select` chooses among them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

from . import algebra, elementwise, idioms, movement, reduction, selection
from .case import Case

__all__ = ["GROUPS", "Case", "all_cases", "select"]

GROUPS: dict[str, list[Case]] = {
    group: [replace(case, group=group) for case in cases]
    for module in (elementwise, selection, reduction, movement, algebra, idioms)
    for group, cases in module.GROUPS.items()
}


def all_cases() -> list[Case]:
    """Return the whole grid, group by group."""
    return [case for cases in GROUPS.values() for case in cases]


def select(
    patterns: Iterable[str] = (), sizes: Iterable[int] = (), among: Iterable[Case] | None = None
) -> list[Case]:
    """Return the cases that match one of the patterns, of one of the sizes.

    Parameters
    ----------
    patterns : iterable of str
        Shell patterns of a group ("scan"), an operation ("add", "cumulative_*"), both
        ("complex/add") or the beginning of a case's name ("arithmetic/add/float64/row"). None at
        all match everything.
    sizes : iterable of int
        None at all are all sizes.
    among : iterable of Case, optional
        The cases to choose from, the whole grid by default.
    """
    patterns, sizes = list(patterns), set(sizes)
    return [
        case
        for case in (all_cases() if among is None else among)
        if (not sizes or case.size in sizes)
        and (not patterns or any(_matches(case, pattern) for pattern in patterns))
    ]


def _matches(case: Case, pattern: str) -> bool:
    names = (case.group, case.operation, case.label, f"{case.group}/{case.operation}")
    return (
        any(fnmatchcase(name, pattern) for name in names)
        or fnmatchcase(case.name, pattern + "/*" if not pattern.endswith("*") else pattern)
        or case.name == pattern
    )
