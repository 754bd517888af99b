"""Run NumPy's own tests with Corepy in NumPy's place (``make numpy-tests``).

The tests of the installed NumPy are copied to ``build/numpy-tests`` with their imports of NumPy's
public names replaced by Corepy's (``import corepy as np``), and nothing else changed. The plugin
`numpy_kinds` says which tests concern dtypes that a Tensor does not have, NumPy's C API or its
internals: they do not count. NumPy runs the same tests first, if it has not: what it does not pass
does not count either. Then the examples of NumPy's docstrings, with the same rules
(`numpy_docstrings`). Prints tables, writes all outcomes to that folder, the failures that count to
``failures.json`` and ``docstrings.json``, and with ``--document`` the tables to docs/numpy.md.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy_kinds import FILES, KINDS, NOT_RUN, TESTS_NOT_RUN, is_private, is_public

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "build" / "numpy-tests"
PACKAGES = ["_core", "lib", "linalg", "fft", "random"]
#: NumPy's modules of which Corepy has one of the name.
PUBLIC = (
    "char ctypeslib dtypes exceptions fft lib linalg ma matlib polynomial random rec strings "
    "testing typing version"
).split()

Outcomes = dict[str, dict[str, Any]]


def replaced(text: str) -> str:
    """Return source text with the imports of NumPy's public names replaced."""
    modules = "|".join(PUBLIC)
    text = _private_imports_replaced(text)
    if "np._core.umath." in text:  # NumPy's ufuncs, of which lists are made
        text = text.replace("np._core.umath.", "np_umath.")
        text = re.sub(
            r"^import numpy as np$",
            "import numpy_kinds\nimport numpy as np\n"
            'np_umath = numpy_kinds.namespace("numpy._core.umath")',
            text, count=1, flags=re.M,
        )  # fmt: skip
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


def _private_imports_replaced(text: str) -> str:
    """Replace imports of public objects from private modules."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        new = []
        if isinstance(node, ast.Import):
            for alias in node.names:
                if is_private(alias.name) and alias.asname:
                    new.append("import numpy_kinds")
                    new.append(f"{alias.asname} = numpy_kinds.namespace({alias.name!r})")
        elif isinstance(node, ast.ImportFrom) and is_private(node.module or ""):
            for alias in node.names:
                public = is_public(node.module or "", alias.name)
                imported = alias.name + (f" as {alias.asname}" if alias.asname else "")
                new.append(f"from {'corepy' if public else node.module} import {imported}")
        if new and isinstance(node, ast.stmt):
            first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            lines[first] = "".join(" " * node.col_offset + line + "\n" for line in new)
            lines[first + 1 : last + 1] = [""] * (last - first)
    return "".join(lines)


def copy(package: str, library: str) -> Path:
    """Copy the tests of one of NumPy's packages for a library, and return their folder."""
    source = Path(np.__file__).parent / package / "tests"
    if not source.is_dir():
        raise SystemExit(f"numpy-tests: the installed NumPy has no tests of {package}")
    target = OUTPUT / library / "tests" / package.strip("_")
    shutil.rmtree(target, ignore_errors=True)
    # Not as packages: one of them would be `random`.
    left_out = shutil.ignore_patterns("__pycache__", "examples", "__init__.py")
    shutil.copytree(source, target, ignore=left_out)
    for path in target.rglob("*.py"):
        if path.stem in NOT_RUN:
            path.unlink()
        elif library == "corepy":
            path.write_text(replaced(path.read_text()))
    return target


def _environment() -> dict[str, str]:
    """Return the environment of the tests: this tree's Corepy, in one thread."""
    path = [str(ROOT / "tools"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(path)}


def run(package: str, library: str, jobs: int, arguments: list[str]) -> Outcomes:
    """Run the tests of a package, and return and write their outcomes."""
    folder = OUTPUT / library
    tests = copy(package, library)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow\n    leaks_references\n")
    report, kinds = folder / "report.json", folder / "kinds.json"
    for path in (report, kinds):
        path.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-c", str(folder / "pytest.ini"), "-q", "-n"]
    command += [str(jobs), "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    command += ["-p", "numpy_kinds", "-p", "no:randomly"]
    command += ["--continue-on-collection-errors", "-W", "ignore", "--tb=short", "--json-report"]
    command += [f"--json-report-file={report}", "--json-report-omit=keywords,streams,log,setup"]
    command += ["--import-mode=importlib", "--max-worker-restart=20", *arguments, str(tests)]
    environment = {**_environment(), "NUMPY_TESTS_KINDS": str(kinds)}
    with (folder / f"{package}.log").open("w") as log:
        subprocess.run(
            command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=False, env=environment
        )
    if not report.exists() or not kinds.exists():
        raise SystemExit(f"numpy-tests: pytest made no report; see {folder / package}.log")
    if not json.loads(kinds.read_text()):
        raise SystemExit(f"numpy-tests: no test was collected; see {folder / package}.log")
    outcome, kind = json.loads(report.read_text()), json.loads(kinds.read_text())
    found: Outcomes = {}
    for test in outcome["tests"]:
        call = test.get("call") or test.get("setup") or {}
        # Parameters that are modules have their names in those of tests.
        found[test["nodeid"].replace("corepy.random", "numpy.random")] = {
            "outcome": test["outcome"],
            "message": " ".join(call.get("crash", {}).get("message", "").split())[:300],
            "text": str(call.get("longrepr", ""))[-2000:],
            "kinds": kind.get(test["nodeid"], []),
        }
    for collector in outcome.get("collectors", []):
        if collector["outcome"] == "failed":
            lines = [line for line in collector["longrepr"].splitlines() if line.startswith("E ")]
            found[collector["nodeid"]] = {"outcome": "error", "message": lines[-1], "kinds": []}
    if not arguments:
        results(package, library).write_text(
            json.dumps({"numpy": np.__version__, "tests": found}, indent=1)
        )
    return found


def results(package: str, library: str) -> Path:
    """Return the path of the outcomes of a package's tests."""
    return OUTPUT / library / f"{package}.json"


def known(package: str, library: str) -> Outcomes | None:
    """Return the outcomes of the last run, None if there was none with this version of NumPy."""
    path = results(package, library)
    if path.exists():
        written = json.loads(path.read_text())
        if written["numpy"] == np.__version__:
            return written["tests"]
    return None


# ---- what is counted


def file_of(nodeid: str) -> str:
    """Return the file of a test, within the folder of tests."""
    return nodeid.partition("::")[0].removeprefix("tests/")


def _counts(native: Outcomes, own: Outcomes) -> dict[str, collections.Counter[str]]:
    """Return the numbers of tests that NumPy passes and of those that Corepy passes, by file."""
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for name, test in native.items():
        if test["outcome"] == "passed":
            passes = own.get(name, {}).get("outcome") == "passed"
            for row in (file_of(name), "all"):
                counts[row]["raw"] += 1
                counts[row]["passes"] += passes
                if not test["kinds"]:
                    counts[row]["counting"] += 1
                    counts[row]["counted"] += passes
    return counts


def _share(count: collections.Counter[str]) -> str:
    if not count["counting"]:
        return ""
    return f"{100 * count['counted'] / count['counting']:.1f} %"


def table(native: Outcomes, own: Outcomes) -> str:
    """Return the numbers of tests that pass, by file."""
    counts = _counts(native, own)
    lines = [
        "| file | NumPy passes | Corepy passes | of these count | Corepy passes | |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in [*sorted(set(counts) - {"all"}), "all"]:
        c = counts[row]
        numbers = (c["raw"], c["passes"], c["counting"], c["counted"])
        lines.append(f"| {row} | {' | '.join(f'{n:,}' for n in numbers)} | {_share(c)} |")
    return "\n".join(lines)


def exclusions(native: Outcomes) -> str:
    """Return the numbers of tests that do not count, by kind, and what is not run or counted."""
    counts = collections.Counter(
        kind for test in native.values() if test["outcome"] == "passed" for kind in test["kinds"]
    )
    lines = ["| kind | tests | what does not count |", "| --- | ---: | --- |"]
    lines += [f"| {kind} | {counts[kind]:,} | {reason} |" for kind, reason in KINDS.items()]
    lines += ["", "| file or test | kind | what it tests |", "| --- | --- | --- |"]
    for name, (kind, what) in FILES.items():
        lines.append(f"| {name} | {kind}{', not run' if name in NOT_RUN else ''} | {what} |")
    for name, (kind, what) in TESTS_NOT_RUN.items():
        lines.append(f"| {name} | {kind}, not run | {what} |")
    return "\n".join(lines)


def failures(native: Outcomes, own: Outcomes) -> Outcomes:
    """Return the tests that count and that Corepy does not pass."""
    missing = {"outcome": "missing", "message": "not collected", "kinds": []}
    return {
        name: own.get(name, missing)
        for name, test in native.items()
        if test["outcome"] == "passed"
        and not test["kinds"]
        and own.get(name, missing)["outcome"] != "passed"
    }


# ---- docstrings


def run_docstrings(library: str) -> Outcomes:
    """Run the examples of NumPy's docstrings and return their outcomes."""
    path = results("docstrings", library)
    subprocess.run(
        [sys.executable, str(ROOT / "tools" / "numpy_docstrings.py"), library, str(path)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment(),
    )  # fmt: skip
    return json.loads(path.read_text())["tests"]


def docstrings_summary(native: Outcomes, own: Outcomes) -> str:
    """Return how many examples print the same, in a sentence."""
    count = _counts(native, own)["all"]
    return (
        f"Of {len(native):,} examples NumPy {np.__version__} itself prints {count['raw']:,} as its "
        f"docstrings show them; {count['counting']:,} of these count, and Corepy prints "
        f"{count['counted']:,} the same ({_share(count)})."
    )


def main() -> int:
    """Run the tests and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--numpy", action="store_true", help="run NumPy again, too")
    parser.add_argument("--package", choices=PACKAGES, action="append", help="this one alone")
    parser.add_argument("--docstrings", action="store_true", help="the docstrings alone")
    parser.add_argument("--document", action="store_true", help="write to docs/numpy.md")
    parser.add_argument("--known", action="store_true", help="run nothing that has outcomes")
    parser.add_argument("-n", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("pytest", nargs="*", help="further arguments for pytest, after --")
    options = parser.parse_args()
    for library in ("numpy", "corepy"):
        (OUTPUT / library).mkdir(parents=True, exist_ok=True)

    def outcomes(name: str, library: str) -> Outcomes:
        # The examples depend on what else is installed, such as matplotlib.
        needed = library == "corepy" or name == "docstrings"
        again = not options.known if needed else options.numpy
        found = None if again else known(name, library)
        if found is not None:
            return found
        if name == "docstrings":
            return run_docstrings(library)
        return run(name, library, options.jobs, options.pytest if library == "corepy" else [])

    texts = {}
    if not options.docstrings:
        native: Outcomes = {}
        own: Outcomes = {}
        for package in options.package or PACKAGES:
            native |= outcomes(package, "numpy")
            own |= outcomes(package, "corepy")
        texts["tests"] = table(native, own)
        texts["exclusions"] = exclusions(native)
        (OUTPUT / "failures.json").write_text(json.dumps(failures(native, own), indent=1))
    if not options.package:
        examples = outcomes("docstrings", "numpy"), outcomes("docstrings", "corepy")
        texts["docstrings"] = docstrings_summary(*examples)
        (OUTPUT / "docstrings.json").write_text(json.dumps(failures(*examples), indent=1))
    for name, text in texts.items():
        print(text, end="\n\n")
        if options.document:
            sys.path.insert(0, str(ROOT))
            documents = import_module("asv_benchmarks.documents")
            documents.replace_between(ROOT / "docs" / "numpy.md", f"numpy-{name}", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
