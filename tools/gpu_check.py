"""All checks that need an NVIDIA GPU, without a network: ``make gpu-check``.

usage: python tools/gpu_check.py [STEP ...] [--device cuda:0] [--wheels FOLDER]

Steps, all of them if none is named, each within ten minutes:

  packages     what is needed is there, or is installed into build/gpu-check from a folder of wheels
  build        the extensions, in place
  kernels      every kernel compiled, side by side, into the cache that the other steps read
  conformance  the official array API suite
  tests        the tests marked gpu
  memcheck     compute-sanitizer's search for accesses out of bounds
  racecheck    and for races in shared memory
  compare      host time, device time and shares of bandwidth, beside CuPy, PyTorch and JAX

`conformance` and `compare` write their tables into docs/gpu.md. The exit status is 0 if all steps
passed. Wheels are collected where there is a network:

  python -m pip download -d FOLDER --only-binary=:all: --python-version 3.12 array-api-compat \
      pytest-json-report pytest-metadata ndindex mpmath
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "gpu-check"
SITE = WORK / "site"
LIMIT = 590.0
PROCESSES = max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)

#: What is imported -> what it is installed as.
PACKAGES = {
    "array_api_compat": "array-api-compat",
    "Cython": "Cython",
    "cupy": "cupy-cuda13x",
    "hypothesis": "hypothesis",
    "mpmath": "mpmath",
    "ndindex": "ndindex",
    "numpy": "numpy",
    "pytest": "pytest",
    "pytest_jsonreport": "pytest-json-report",
    "setuptools": "setuptools",
    "xdist": "pytest-xdist",
}


class Failed(Exception):
    """A step did not pass; the text says why."""


def run(*command: str | Path, seconds: float = LIMIT, **environment: str) -> None:
    """Run a command in the repository, and raise unless it passes in time."""
    words = [str(word) for word in command]
    print("+", " ".join(words), flush=True)
    try:
        done = subprocess.run(
            words, cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
            timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failed(f"not done after {seconds:.0f} seconds") from None
    if done.returncode:
        raise Failed(f"exit status {done.returncode}")


def python(*arguments: str | Path) -> None:
    run(sys.executable, *arguments)


def not_installed() -> list[str]:
    return [name for module, name in PACKAGES.items() if not importlib.util.find_spec(module)]


def packages(options: argparse.Namespace) -> None:
    missing = not_installed()
    if missing and options.wheels.is_dir():
        wheels = [str(path) for path in sorted(options.wheels.glob("*.whl"))]
        python("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--upgrade",
               "--target", SITE, *wheels)  # fmt: skip
        importlib.invalidate_caches()
        sys.path.insert(0, str(SITE))
        missing = [
            name for module, name in PACKAGES.items() if not importlib.util.find_spec(module)
        ]
    if missing:
        raise Failed(f"{', '.join(missing)}: not installed, and no wheels in {options.wheels}")
    for module in ("torch", "jax"):
        if not importlib.util.find_spec(module):
            print(f"{module} is not installed: `compare` will do without it")


def build(options: argparse.Namespace) -> None:
    python("setup.py", "--quiet", "build_ext", "--inplace")
    python("-c", f"import corepy; print(corepy.zeros(3, device={options.device!r}).device)")


COMPILE = """
import importlib.util, sys
sys.path[:0] = ["tests"]
from corepy._gpu.cuda import compiled
spec = importlib.util.spec_from_file_location("test_compile", "tests/gpu/test_compile.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
part, parts = map(int, sys.argv[1:])
for expression in sorted(module.all_expressions())[part::parts]:
    compiled(expression)
"""


def kernels(options: argparse.Namespace) -> None:
    began = time.monotonic()
    command = [sys.executable, "-c", COMPILE]
    parts = [
        subprocess.Popen([*command, str(part), str(PROCESSES)], cwd=ROOT)
        for part in range(PROCESSES)
    ]
    try:
        for process in parts:
            if process.wait(max(1.0, LIMIT - (time.monotonic() - began))):
                raise Failed(f"exit status {process.returncode}")
    except subprocess.TimeoutExpired:
        raise Failed(f"not done after {LIMIT:.0f} seconds") from None
    finally:
        for process in parts:
            process.kill()


def conformance(options: argparse.Namespace) -> None:
    report = WORK / "conformance.json"
    report.unlink(missing_ok=True)
    try:
        python("tools/conformance.py", "--device", options.device, "--max-examples", "50",
               "-n", str(min(PROCESSES, 8)), "--json", report)  # fmt: skip
    finally:
        if report.exists():
            write_conformance(json.loads(report.read_text()), options.device)


def write_conformance(summary: dict, device: str) -> None:
    """Write the suite's result into docs/gpu.md."""
    sys.path.insert(0, str(ROOT))
    documents = importlib.import_module("asv_benchmarks.documents")
    for result in summary["results"]:
        date = time.strftime("%Y-%m-%d", time.gmtime())
        text = (
            f"{device_name()}, {date}: {result['passed']} passed, {len(result['failed'])} failed, "
            f"{len(result['skipped'])} skipped by the suite itself, at 50 examples for each test."
        )
        if result["name"].endswith(device):
            documents.replace_between(ROOT / "docs" / "gpu.md", "gpu-conformance", text)


def device_name() -> str:
    import cupy

    return cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()


def tests(options: argparse.Namespace) -> None:
    python("-m", "pytest", "tests/gpu", "-m", "gpu", "-q", "-n", str(min(PROCESSES, 4)))


def sanitize(tool: str) -> Callable[[argparse.Namespace], None]:
    def step(options: argparse.Namespace) -> None:
        program = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
        if not os.access(program, os.X_OK):
            raise Failed("compute-sanitizer is not installed; it comes with the CUDA toolkit")
        run(program, "--tool", tool, "--error-exitcode", "1", sys.executable, "-m", "pytest",
            "-q", "-x", "-p", "no:cacheprovider", "tests/gpu/test_cuda.py", "-m", "gpu", "-k",
            "elementwise or reductions or selection", COREPY_RAW_MEMORY="1")  # fmt: skip

    step.__name__ = tool
    return step


def compare(options: argparse.Namespace) -> None:
    python("-m", "asv_benchmarks.compare", "--device", options.device, "--update-docs",
           "--json", WORK / "compare.json")  # fmt: skip


STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    step.__name__: step
    for step in (
        packages, build, kernels, conformance, tests, sanitize("memcheck"), sanitize("racecheck"),
        compare,
    )
}  # fmt: skip


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], epilog=f"steps: {', '.join(STEPS)}"
    )
    parser.add_argument("steps", nargs="*", metavar="STEP", help="all of them if none is named")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--wheels", type=Path, default=ROOT / "build" / "gpu-wheels")
    options = parser.parse_args(arguments)
    unknown = [step for step in options.steps if step not in STEPS]
    if unknown:
        parser.error(f"no such step: {', '.join(unknown)}; there are {', '.join(STEPS)}")
    WORK.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        path for path in (str(ROOT), str(SITE), os.environ.get("PYTHONPATH", "")) if path
    )
    sys.path.insert(0, str(SITE))
    results = {}
    for name in options.steps or STEPS:
        print(f"\n######## {name}", flush=True)
        began = time.monotonic()
        try:
            STEPS[name](options)
            results[name] = "passed"
        except Failed as error:
            results[name] = f"FAILED: {error}"
        results[name] += f" ({time.monotonic() - began:.0f} s)"
        if results[name].startswith("FAILED") and name in ("packages", "build"):
            break  # nothing works without these
    print("\n" + "\n".join(f"{name:12} {result}" for name, result in results.items()))
    return int(any(result.startswith("FAILED") for result in results.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
