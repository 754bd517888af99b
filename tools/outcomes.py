"""A pytest plugin that writes the outcome of each test to a file as soon as it is known.

usage: COREPY_OUTCOMES=FILE python -m pytest -p outcomes ...

A line of the file is a test in JSON: its name ("test"), "outcome", "reason" and "seconds". What a
run that is cut off has done so far is in the file. `read` returns it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

VARIABLE = "COREPY_OUTCOMES"


def read(path: Path) -> list[dict[str, Any]]:
    """Return the outcomes in a file, one for each test; the last line may be incomplete."""
    if not path.exists():
        return []
    found: dict[str, dict[str, Any]] = {}
    for line in path.read_text().splitlines():
        try:
            outcome = json.loads(line)
        except ValueError:
            continue
        found[outcome["test"]] = outcome
    return list(found.values())


class _Writer:
    """Writes a line for each test, after its last phase."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "w", buffering=1)  # noqa: SIM115  (open for the whole run)
        self._phases: dict[str, list[Any]] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        phases = self._phases.setdefault(report.nodeid, [])
        phases.append(report)
        if report.when not in ("setup", "call"):  # the last, or a worker process that ended
            self._write(report.nodeid, self._phases.pop(report.nodeid))

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._write(report.nodeid, [report])

    def _write(self, test: str, phases: list[Any]) -> None:
        told = next((p for p in phases if p.outcome != "passed"), phases[-1])
        outcome = told.outcome
        if hasattr(told, "wasxfail"):
            outcome = "xfailed" if outcome == "skipped" else "xpassed"
        reason = ""
        if told.outcome == "skipped" and isinstance(told.longrepr, (tuple, list)):
            reason = str(told.longrepr[2]).removeprefix("Skipped: ")
        elif told.outcome == "failed":
            crash = getattr(told.longrepr, "reprcrash", None)
            text = crash.message if crash else str(told.longrepr).strip().rpartition("\n")[2]
            reason = text.partition("\n")[0][:300]
        seconds = round(sum(getattr(phase, "duration", 0.0) for phase in phases), 3)
        line = {"test": test, "outcome": outcome, "reason": reason, "seconds": seconds}
        self._file.write(json.dumps(line) + "\n")

    def pytest_unconfigure(self) -> None:
        self._file.close()


def pytest_configure(config: Any) -> None:
    """Write in the process that reports, not in workers of pytest-xdist."""
    path = os.environ.get(VARIABLE)
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Writer(path), "corepy-outcomes")
