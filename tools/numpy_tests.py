"""Run NumPy's own tests with Corepy in NumPy's place (``make numpy-tests``).

The tests of the installed NumPy are copied to ``build/numpy-tests`` with their imports of NumPy's
public modules replaced by Corepy's (``import corepy as np``), and nothing else changed. Imports of
NumPy's private modules stay. Prints a table of the tests that pass, by file, and writes it and the
failures to that folder. ``--numpy`` runs the same tests with NumPy, for comparison.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "build" / "numpy-tests"
PACKAGES = ["_core", "lib", "linalg", "fft", "random"]
#: NumPy's modules of which Corepy has one of the name.
PUBLIC = (
    "char ctypeslib dtypes exceptions fft lib linalg ma matlib polynomial random rec strings "
    "testing typing version"
).split()
#: Files that test how NumPy is built, its C API or its typing, not what its functions do.
LEFT_OUT = """
    test_abc test_cpu_dispatcher test_cpu_features test_cython test_extint128 test_hashtable
    test_limited_api test_mem_policy test_multiprocessing test_custom_dtypes test_public_api
    test__exceptions test_argparse test_umath_accuracy test_extending test_stringdtype
""".split()


def replaced(text: str) -> str:
    """Return source text with the imports of NumPy's public modules replaced."""
    modules = "|".join(PUBLIC)
    text = re.sub(r"^(\s*)import numpy as (\w+)$", r"\1import corepy as \2", text, flags=re.M)
    text = re.sub(r"^(\s*)import numpy$", r"\1import corepy as numpy", text, flags=re.M)
    text = re.sub(
        rf"^(\s*)import numpy\.({modules})((?:\.[a-z]\w*)*) as (\w+)$",
        r"\1import corepy.\2\3 as \4", text, flags=re.M,
    )  # fmt: skip
    return re.sub(
        rf"^(\s*)from numpy(\.(?:{modules})(?:\.[a-z]\w*)*)? import\b",
        r"\1from corepy\2 import", text, flags=re.M,
    )  # fmt: skip


def copy(package: str, with_numpy: bool) -> Path:
    """Copy the tests of one of NumPy's packages, and return their folder."""
    source = Path(np.__file__).parent / package / "tests"
    if not source.is_dir():
        raise SystemExit(f"numpy-tests: the installed NumPy has no tests of {package}")
    target = OUTPUT / "tests" / package.strip("_")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "examples"))
    for path in target.rglob("*.py"):
        if path.stem in LEFT_OUT:
            path.unlink()
        elif not with_numpy:
            path.write_text(replaced(path.read_text()))
    return target


def run(folders: list[Path], options: argparse.Namespace) -> dict[str, list[dict[str, str]]]:
    """Run the tests, and return the outcome of each by file."""
    (OUTPUT / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow\n    leaks_references\n")
    report = OUTPUT / "report.json"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-c", str(OUTPUT / "pytest.ini"), "-q", "-n"]
    command += [str(options.jobs), "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    command += ["--continue-on-collection-errors", "-W", "ignore", "--tb=line", "--json-report"]
    command += [f"--json-report-file={report}", "--json-report-omit=keywords,streams,log,setup"]
    command += ["--import-mode=importlib", "--max-worker-restart=20", *options.pytest]
    with (OUTPUT / "log").open("w") as log:
        subprocess.run(
            [*command, *map(str, folders)], cwd=OUTPUT, stdout=log, stderr=subprocess.STDOUT,
            env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False,
        )  # fmt: skip
    if not report.exists():
        raise SystemExit(f"numpy-tests: pytest made no report; see {OUTPUT / 'log'}")
    outcome = json.loads(report.read_text())
    found: dict[str, list[dict[str, str]]] = collections.defaultdict(list)
    for test in outcome["tests"]:
        name = test["nodeid"].partition("::")[0]
        crash = test.get("call", {}).get("crash", {})
        found[name].append({**test, "message": crash.get("message", "").partition("\n")[0]})
    for collector in outcome.get("collectors", []):
        if collector["outcome"] == "failed":
            lines = [line for line in collector["longrepr"].splitlines() if line.startswith("E ")]
            found[collector["nodeid"]].append(
                {"nodeid": collector["nodeid"], "outcome": "error", "message": lines[-1]}
            )
    return found


def main() -> int:
    """Run the tests and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--numpy", action="store_true", help="with NumPy, for comparison")
    parser.add_argument("--package", choices=PACKAGES, action="append", help="this one alone")
    parser.add_argument("-n", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("pytest", nargs="*", help="further arguments for pytest, after --")
    options = parser.parse_args()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    folders = [copy(package, options.numpy) for package in options.package or PACKAGES]
    found = run(folders, options)
    lines = ["| file | passed | failed | errors | skipped |", "| --- | ---: | ---: | ---: | ---: |"]
    total: collections.Counter[str] = collections.Counter()
    for name, tests in sorted(found.items()):
        counts = collections.Counter(test["outcome"] for test in tests)
        total += counts
        lines.append(
            f"| {name.removeprefix('tests/')} | {counts['passed']:,} | {counts['failed']:,} "
            f"| {counts['error']:,} | {counts['skipped'] + counts['xfailed']:,} |"
        )
    lines.append(
        f"| all | {total['passed']:,} | {total['failed']:,} | {total['error']:,} "
        f"| {total['skipped'] + total['xfailed']:,} |"
    )
    failures = [t for tests in found.values() for t in tests if t["outcome"] in ("failed", "error")]
    name = "numpy" if options.numpy else "corepy"
    text = "\n".join(lines)
    (OUTPUT / f"{name}.md").write_text(text + "\n")
    (OUTPUT / f"{name}.json").write_text(
        json.dumps(
            [{k: t[k] for k in ("nodeid", "outcome", "message")} for t in failures], indent=1
        )
    )
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
