"""Builds Corepy with sanitizers in build/sanitize-*, and runs the tests: ``make sanitize``.

``address`` is AddressSanitizer with UndefinedBehaviorSanitizer, over all tests; ``thread`` is
ThreadSanitizer, over the tests in which threads meet. A report ends the process that it is about,
and so fails its test. Python itself is not instrumented: the sanitizer's library is loaded first,
and memory that Python leaks on purpose is not looked for. The memory pool keeps nothing, so that
each block is one that the sanitizer knows.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("corepy", "tests", "tools", "asv_benchmarks", "examples", "docs")
FILES = ("setup.py", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md")
LIBRARIES = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}
TESTS = {
    "address": ("tests/cython", "tests/robustness", "tests/property", "tests/oracle"),
    "thread": ("tests/cython/test_threads.py", "tests/robustness"),
}
# Tests of what the sanitizers themselves change: the size of the process, and its limits.
LEFT_OUT = "not resident and not given_back and not address_space and not out_of_memory"


def copy_tree(to: Path) -> None:
    """Bring the sources in `to` up to date, without what was built from them elsewhere."""
    to.mkdir(parents=True, exist_ok=True)
    ignore = shutil.ignore_patterns("*.so", "__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, to / name, ignore=ignore, dirs_exist_ok=True)
    for name in FILES:
        shutil.copy2(ROOT / name, to / name)


def library(name: str) -> str:
    """Return the path of one of the compiler's run-time libraries."""
    compiler = os.environ.get("CXX", "c++").split()[-1]
    path = subprocess.run(
        [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if not os.path.isabs(path):
        sys.exit(f"sanitize: {compiler} has no {name}; install the compiler's sanitizer libraries")
    return path


def run(kind: str, tests: list[str], pytest_args: list[str]) -> int:
    """Build with one sanitizer and run the tests; return pytest's exit status."""
    tree = ROOT / "build" / f"sanitize-{kind}"
    copy_tree(tree)
    environment = {**os.environ, "COREPY_SANITIZE": kind, "PYTHONPATH": str(tree)}
    print(f"sanitize: building with {kind}", flush=True)
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(build, cwd=tree, env=environment, check=True)
    environment |= {
        "LD_PRELOAD": " ".join(map(library, LIBRARIES[kind])),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "TSAN_OPTIONS": "halt_on_error=1:report_signal_unsafe=0",
        "COREPY_CACHE_LIMIT": "0",
        "OPENBLAS_NUM_THREADS": "1",  # its locks are not instrumented
    }
    there = [name for name in tests or TESTS[kind] if (tree / name.split("::")[0]).exists()]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-k", LEFT_OUT, *pytest_args, *there]
    print("sanitize:", " ".join(command[1:]), flush=True)
    return subprocess.run(command, cwd=tree, env=environment, check=False).returncode


def main() -> int:
    """Run the chosen sanitizers one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=sorted(TESTS), help="one sanitizer")
    parser.add_argument("--pytest-args", default="", help="more arguments for pytest")
    parser.add_argument("tests", nargs="*", help="tests to run instead of the usual ones")
    args = parser.parse_args()
    kinds = [args.only] if args.only else list(TESTS)
    statuses = [run(kind, args.tests, args.pytest_args.split()) for kind in kinds]
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
