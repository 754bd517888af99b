"""Run the array API tests of SciPy and scikit-learn on Corepy (``make interop``).

Runs the installed packages' own tests with Corepy in the array library's place, through
``corepy.testing.interop_plugin``, prints a table and the failures, and writes both to
``build/interop``. Exits with 1 if a test fails that ``docs/interop.md`` does not list, if a
script that shows a listed failure to be the other library's no longer does so, or if fewer tests
pass than the document says.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "interop.md"
OUTPUT = ROOT / "build" / "interop"
COREPY = "corepy.array_api"

SCIPY_PACKAGES = [
    "cluster", "constants", "differentiate", "fft", "integrate", "interpolate", "linalg",
    "ndimage", "optimize", "signal", "special", "spatial", "stats",
]  # fmt: skip

#: Name of the distribution, and pytest's arguments for it.
SUITES = {
    "scipy": [*(f"scipy.{name}" for name in SCIPY_PACKAGES), "-m", "array_api_backends"],
    "scikit-learn": ["sklearn", "-k", "array_api"],
}
MODULES = {"scipy": "scipy", "scikit-learn": "sklearn"}

#: Of this many tests the sample runs one. It takes less than ten minutes on two cores.
SAMPLE = 4


@dataclass
class Listed:
    """A failure that the document lists.

    Parameters
    ----------
    suite : str
        Name of the suite.
    tests : list of str
        Node ids, in which ``*`` stands for any text.
    script : str
        The script that shows, without Corepy, that the cause is not in Corepy.
    reason : str
        The cause, as text.
    devices : list of str, optional
        The devices that it is listed for; by default all.
    """

    suite: str
    tests: list[str]
    script: str
    reason: str
    devices: list[str] = field(default_factory=list)

    def covers(self, node: str) -> bool:
        """Return whether a test is one of these."""
        patterns = (re.escape(test).replace(r"\*", ".*") for test in self.tests)
        return any(re.fullmatch(pattern, node) for pattern in patterns)


@dataclass
class Outcome:
    """The outcome of one suite."""

    suite: str
    counts: dict[str, int]
    failures: dict[str, str]
    seconds: float
    problems: list[str] = field(default_factory=list)

    @property
    def version(self) -> str:
        """Version of the library that the suite belongs to."""
        return importlib.metadata.version(self.suite)

    @property
    def failed(self) -> int:
        """Number of tests that failed, in the test itself or around it."""
        return self.counts.get("failed", 0) + self.counts.get("error", 0)


def read_document() -> dict[str, Any]:
    """Return the machine-readable part of the document."""
    blocks = re.findall(r"^```toml\n(.*?)^```", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
    return tomllib.loads("\n".join(blocks))


def run_suite(suite: str, options: argparse.Namespace) -> Outcome:
    """Run one suite, showing progress, and return its outcome."""
    spec = importlib.util.find_spec(MODULES[suite])
    if spec is None or spec.origin is None:
        raise SystemExit(f"interop: {suite} is not installed")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    settings = OUTPUT / "pytest.ini"  # neither our settings nor those of the library's checkout
    settings.write_text("[pytest]\n")
    report = OUTPUT / f"{suite}.json"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-c", str(settings)]
    # Node ids then start with the library's name.
    command += ["--rootdir", str(Path(spec.origin).parents[1])]
    command += ["-p", "corepy.testing.interop_plugin", "-p", "no:cacheprovider"]
    command += ["--interop-report", str(report), "--interop-namespace", options.namespace]
    command += ["--interop-device", options.device]
    if options.sample:
        command += ["--interop-sample", str(SAMPLE)]
    if options.jobs > 1:
        command += ["-n", str(options.jobs)]
    command += ["-q", "-W", "ignore", "--tb=short", "--pyargs", *SUITES[suite], *options.pytest]
    # Processes times BLAS threads should not exceed the cores.
    environment = {"OMP_NUM_THREADS": "1", **os.environ, "SCIPY_ARRAY_API": "1"}
    environment.setdefault("PYTHONUNBUFFERED", "1")
    if options.fused:
        environment["COREPY_FUSION"] = "1"

    print(f"{suite} {importlib.metadata.version(suite)}: collecting tests", flush=True)
    start = time.perf_counter()
    log = OUTPUT / f"{suite}.log"
    with log.open("w") as lines:
        process = subprocess.Popen(
            command, cwd=OUTPUT, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert process.stdout is not None
        failed, shown = 0, start
        for line in process.stdout:
            lines.write(line)
            progress = re.fullmatch(r"([.sxXFER]*) *\[ *(\d+%)\]\s*", line)
            if progress is not None:
                failed += progress[1].count("F") + progress[1].count("E")
                if time.perf_counter() - shown > 5:
                    shown = time.perf_counter()
                    elapsed = shown - start
                    print(
                        f"{suite}: {progress[2]:>4}, {failed} failed, {elapsed:.0f} s", flush=True
                    )
        code = process.wait()
    seconds = time.perf_counter() - start
    if code not in (0, 1) or not report.exists():
        print(log.read_text()[-3000:])
        raise SystemExit(f"interop: pytest ended with exit status {code}; see {log}")
    outcome = json.loads(report.read_text())
    return Outcome(suite, outcome["counts"], outcome["failures"], seconds)


def judge(outcome: Outcome, document: dict[str, Any], options: argparse.Namespace) -> None:
    """Add the problems of an outcome to ``outcome.problems``."""
    listed = [Listed(**entry) for entry in document.get("failure", [])]
    listed = [
        entry
        for entry in listed
        if entry.suite == outcome.suite and options.device in (entry.devices or [options.device])
    ]
    whole = not options.sample and not options.pytest
    for node, message in outcome.failures.items():
        if not any(entry.covers(node) for entry in listed):
            outcome.problems.append(f"{node}: {message}")
    for entry in listed:
        for test in entry.tests:
            alone = Listed(entry.suite, [test], entry.script, entry.reason)
            if whole and not any(alone.covers(node) for node in outcome.failures):
                print(f"listed in {DOCUMENT.name}, but did not fail: {test}")
        script = ROOT / entry.script
        shown = subprocess.run([sys.executable, script], capture_output=True, text=True)
        if shown.returncode != 0:
            outcome.problems.append(f"{entry.script} does not show that: {entry.reason}")
    bar = document["passed"].get(outcome.suite, {}).get(outcome.version)
    passed = outcome.counts.get("passed", 0)
    if bar is None:
        print(f"{DOCUMENT.name} has no expected count for {outcome.suite} {outcome.version}")
    elif whole and options.device == "cpu" and passed < bar:
        outcome.problems.append(f"{passed} tests passed, {DOCUMENT.name} says {bar}")


def table(outcomes: list[Outcome], options: argparse.Namespace) -> str:
    """Return the table of outcomes, in Markdown."""
    subject = options.namespace if options.namespace != COREPY else f"Corepy on {options.device}"
    subject += ", fused" if options.fused else ""
    rows = [
        f"| suite, on {subject} | passed | failed | skipped | expected failures | seconds |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for outcome in outcomes:
        get = outcome.counts.get
        expected = get("xfailed", 0) + get("xpassed", 0)
        rows.append(
            f"| {outcome.suite} {outcome.version} | {get('passed', 0):,} | {outcome.failed:,} "
            f"| {get('skipped', 0):,} | {expected:,} | {outcome.seconds:.0f} |"
        )
    return "\n".join(rows)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--suite", choices=SUITES, action="append", help="run this suite alone (may be repeated)")
    add("--device", default="cpu", help="Corepy device to run on (default: cpu)")
    add("--fused", action="store_true", help="with COREPY_FUSION=1: large operations are deferred")
    add("--namespace", default=COREPY, help="namespace to run instead of Corepy, for comparison")
    add("--sample", action="store_true", help="run a fixed sample, ten minutes at most")
    add("-n", "--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    add("pytest", nargs="*", help="further arguments for pytest, after --")
    return parser.parse_args(arguments)


def main() -> int:
    """Run the suites and return the exit status."""
    options = parse()
    document = read_document()
    outcomes = []
    for suite in options.suite or SUITES:
        outcome = run_suite(suite, options)
        if options.namespace == COREPY:
            judge(outcome, document, options)
        else:
            outcome.problems += [f"{node}: {text}" for node, text in outcome.failures.items()]
        outcomes.append(outcome)
    result = table(outcomes, options)
    problems = [problem for outcome in outcomes for problem in outcome.problems]
    (OUTPUT / "interop.md").write_text("\n".join([result, "", *problems, ""]))
    print("", *problems, "", result, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
