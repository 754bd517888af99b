"""Run every check that reads the code without running it.

usage: python tools/lint.py [--fix] [CHECK]...

Checks: schema, stubs, layers, ruff, format, mypy, clang-format, cython-lint; all of them if none is
named. All run even if one fails. ``--fix`` repairs files instead, for checks that can.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def sources(*patterns: str) -> list[str]:
    """Return the files of the package that match one of the glob patterns."""
    paths = (path for pattern in patterns for path in (ROOT / "corepy").rglob(pattern))
    return sorted(str(path.relative_to(ROOT)) for path in paths)


LAYERS = "tools/layers.py"
STUBS = "tools/stubs.py"
DEVICES = "tools/operations_by_device.py"
GENERATE = "corepy/_cython/schema/generate.py"
CPP = [*sources("*.cpp", "*.hpp", "*.cuh"), "asv_benchmarks/limits.cpp"]
CYTHON = sources("*.pyx", "*.pxd", "*.pxi")

# Name of the check: the command that reports, and the command that repairs (or none).
CHECKS: dict[str, tuple[list[str], list[str]]] = {
    # First, because they may rewrite files that others check.
    "schema": ([sys.executable, GENERATE, "--check"], [sys.executable, GENERATE]),
    "stubs": ([sys.executable, STUBS, "--check"], [sys.executable, STUBS]),
    "devices": ([sys.executable, DEVICES, "--check"], [sys.executable, DEVICES]),
    "layers": ([sys.executable, LAYERS], [sys.executable, LAYERS, "--draw"]),
    "ruff": (["ruff", "check"], ["ruff", "check", "--fix"]),
    "format": (["ruff", "format", "--check"], ["ruff", "format"]),
    "mypy": (["mypy"], []),
    "clang-format": (["clang-format", "--dry-run", "-Werror", *CPP], ["clang-format", "-i", *CPP]),
    "cython-lint": (["cython-lint", *CYTHON], []),
}


def main(arguments: list[str]) -> int:
    """Run the selected checks; return 1 if one of them failed."""
    fix = "--fix" in arguments
    names = [name for name in arguments if name != "--fix"] or list(CHECKS)
    failed = []
    # The tools of this environment, whatever else is on the path.
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    for name in names:
        command = CHECKS[name][fix]
        if not command:
            continue
        print(f"--- {name}", flush=True)
        if subprocess.run(command, cwd=ROOT).returncode:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
