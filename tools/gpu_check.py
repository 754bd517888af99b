"""All checks that need an NVIDIA GPU, without a network: ``make gpu-check``.

usage: python tools/gpu_check.py [STEP ...] [--device cuda:0] [--wheels FOLDER]

Steps, all of them if none is named, each within ten minutes:

  packages     required packages are installed, or unpacked into build/gpu-check from a wheel folder
  build        the extensions, in place
  kernels      every kernel compiled, side by side, into the cache that the other steps read
  conformance  the official array API suite
  tests        the tests marked gpu
  memcheck     compute-sanitizer's search for accesses out of bounds
  racecheck    and for races in shared memory
  compare      host time, device time and shares of bandwidth, beside CuPy, PyTorch and JAX

`conformance` and `compare` write their tables into docs/gpu.md, after a timeout for the completed
part. build/gpu-check/results.json has the last result of each step. The exit status is 0 if
all steps passed. The suite is a submodule: clone with --recursive. Wheels are collected where there
is a network, for the machine's Python:

  python -m pip download -d build/gpu-wheels --no-deps --only-binary=:all: --python-version 3.12 \
      array-api-compat execnet mpmath ndindex pytest-json-report pytest-metadata pytest-xdist \
      "setuptools>=77"
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import traceback
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "gpu-check"
SITE = WORK / "site"
#: Seconds for a step; then it is interrupted, with some more seconds to write its results.
LIMIT, GRACE = 540.0, 40.0
#: Tests that compute-sanitizer runs.
CHECKED = [f"tests/gpu/test_{name}.py" for name in ("elementwise", "reductions", "movement")]
SELECTED = "operations or each_dtype or shapes or tiles or rows or masks"
PROCESSES = max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)

#: Module -> distribution. All steps need these,
NEEDED = {
    "array_api_compat": "array-api-compat",
    "Cython": "Cython",
    "cupy": "cupy-cuda13x",
    "numpy": "numpy",
    "setuptools": "setuptools",
}
#: and some steps need those.
NEEDED_BY = {
    "conformance": {
        "hypothesis": "hypothesis",
        "ndindex": "ndindex",
        "pytest": "pytest",
        "pytest_jsonreport": "pytest-json-report",
        "pytest_metadata": "pytest-metadata",
        "xdist": "pytest-xdist",
    },
    "tests": {"hypothesis": "hypothesis", "mpmath": "mpmath", "pytest": "pytest"},
    "memcheck": {"hypothesis": "hypothesis", "pytest": "pytest"},
    "racecheck": {"hypothesis": "hypothesis", "pytest": "pytest"},
}
#: Parts of the suite, which are run and reported one after the other.
PARTS = (
    "test_operators_and_elementwise_functions",
    "test_special_cases",
    "not test_operators_and_elementwise_functions and not test_special_cases",
)


class Failed(Exception):
    """A step failed, for the reason in its text."""


def run(*command: str | Path, seconds: float = LIMIT, **environment: str) -> None:
    """Run a command in the repository, and raise unless it passes in time."""
    words = [str(word) for word in command]
    print("+", " ".join(words), flush=True)
    process = subprocess.Popen(
        words, cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)  # pytest and `compare` then report partial results
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        raise Failed(f"not done after {seconds:.0f} seconds") from None
    finally:
        stop(process)
    if status:
        raise Failed(f"exit status {status}")


def stop(process: subprocess.Popen) -> None:
    """Kill a process and its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def python(*arguments: str | Path, seconds: float = LIMIT) -> None:
    run(sys.executable, *arguments, seconds=seconds)


def missing_from(packages: dict[str, str]) -> list[str]:
    """Return the missing packages."""
    return [name for module, name in packages.items() if not importlib.util.find_spec(module)]


def packages(options: argparse.Namespace) -> None:
    wanted = {**NEEDED, **{k: v for needs in NEEDED_BY.values() for k, v in needs.items()}}
    wanted["execnet"] = "execnet"  # of pytest-xdist
    for name in missing_from(wanted):
        for wheel in sorted(options.wheels.glob(f"{name.replace('-', '_')}-*.whl")):
            print(f"unpacking {wheel.name}")
            zipfile.ZipFile(wheel).extractall(SITE)
    importlib.invalidate_caches()
    if missing_from({"array_api_compat": ""}):
        copy_compat()
    problems = [f"{name} is not installed" for name in missing_from(NEEDED)] + too_old()
    if problems:
        raise Failed(f"{'; '.join(problems)}, and there is no wheel in {options.wheels}")
    for step, needs in NEEDED_BY.items():
        if missing := missing_from(needs):
            print(f"{', '.join(missing)}: not installed, so `{step}` cannot run")
    for module in ("torch", "jax", "xdist"):
        if not importlib.util.find_spec(module):
            print(f"{module} is not installed: it is done without")


def copy_compat() -> None:
    """Take array-api-compat from a library that contains a copy."""
    for library in ("scipy", "sklearn"):
        found = importlib.util.find_spec(library)
        for folder in found.submodule_search_locations or [] if found else []:
            for marker in sorted(Path(folder).rglob("array_api_compat/cupy/_aliases.py")):
                print(f"array-api-compat is {library}'s copy")
                target = SITE / "array_api_compat"
                shutil.copytree(marker.parent.parent, target, dirs_exist_ok=True)
                importlib.invalidate_caches()
                return


def too_old() -> list[str]:
    """Describe what is older than building requires."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        return []  # then the build fails with a message
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    found = []
    for requirement in map(Requirement, requires):
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            found.append(f"{requirement.name} is {version}, not {requirement.specifier}")
    return found


def build(options: argparse.Namespace) -> None:
    python("setup.py", "--quiet", "build_ext", "--inplace")
    python("-c", f"import corepy; print(corepy.zeros(3, device={options.device!r}).device)")


COMPILE = """
import importlib.util, sys
sys.path[:0] = ["tests"]
import cupy
from corepy._gpu.cuda import compiled
spec = importlib.util.spec_from_file_location("test_compile", "tests/gpu/test_compile.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
part, parts, device = map(int, sys.argv[1:])
cupy.cuda.Device(device).use()
for expression in sorted(module.all_expressions())[part::parts]:
    compiled(expression)
"""


def kernels(options: argparse.Namespace) -> None:
    began = time.monotonic()
    command = [sys.executable, "-c", COMPILE]
    parts = [
        subprocess.Popen(
            [*command, str(part), str(PROCESSES), str(index_of(options))],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
        )
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


def index_of(options: argparse.Namespace) -> int:
    return int(options.device.partition(":")[2] or 0)


def conformance(options: argparse.Namespace) -> None:
    began, report, done = time.monotonic(), WORK / "conformance.json", []
    problems = []
    for part in PARTS:
        report.unlink(missing_ok=True)
        left = LIMIT - (time.monotonic() - began)
        try:
            if left < 30:
                raise Failed("not begun")
            python("tools/conformance.py", "--device", options.device, "--max-examples", "50",
                   "-n", str(min(PROCESSES, 8)), "--json", report, "-k", part,
                   seconds=left)  # fmt: skip
        except Failed as error:
            problems.append(f"{part}: {error}")
        if report.exists():
            done += json.loads(report.read_text())["results"]
    report.write_text(json.dumps(done, indent=1) + "\n")
    for result in done:
        for test in result["failed"]:
            print(f"FAILED {test}")
    if done:
        write_conformance(done, options)
    if problems:
        raise Failed("; ".join(problems))


def write_conformance(done: list[dict], options: argparse.Namespace) -> None:
    """Write the suite's result into docs/gpu.md."""
    sys.path.insert(0, str(ROOT))
    documents = importlib.import_module("asv_benchmarks.documents")
    passed = sum(result["passed"] for result in done)
    failed = sum(len(result["failed"]) for result in done)
    skipped = sum(len(result["skipped"]) for result in done)
    date = time.strftime("%Y-%m-%d", time.gmtime())
    parts = "" if len(done) == len(PARTS) else f" ({len(done)} of {len(PARTS)} parts of the suite)"
    text = (
        f"{device_name(index_of(options))}, {date}: {passed} passed, {failed} failed, "
        f"{skipped} skipped by the suite itself, at 50 examples for each test{parts}."
    )
    documents.replace_between(ROOT / "docs" / "gpu.md", "gpu-conformance", text)


def device_name(index: int) -> str:
    import cupy

    return cupy.cuda.runtime.getDeviceProperties(index)["name"].decode()


def tests(options: argparse.Namespace) -> None:
    side_by_side = ["-n", str(min(PROCESSES, 4))] if importlib.util.find_spec("xdist") else []
    python("-m", "pytest", "tests/gpu", "-m", "gpu", "-q", *side_by_side)


def find_sanitizer() -> str | None:
    """Return the path of compute-sanitizer, which CUDA's installers put on no path."""
    folders = [os.environ.get("CUDA_PATH", ""), os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]
    folders += [str(path) for path in sorted(Path("/usr/local").glob("cuda-*"), reverse=True)]
    places = [
        Path(folder, below, "compute-sanitizer")
        for folder in folders
        if folder
        for below in ("bin", "compute-sanitizer")
    ]
    programs = [shutil.which("compute-sanitizer") or "", *map(str, places)]
    return next((program for program in programs if os.access(program, os.X_OK)), None)


def sanitize(tool: str) -> Callable[[argparse.Namespace], None]:
    def step(options: argparse.Namespace) -> None:
        program = find_sanitizer()
        if program is None:
            raise Failed("compute-sanitizer is not installed; it comes with the CUDA toolkit")
        # CUDA's library probes an older driver for functions that it lacks, which is no error.
        quiet = ["--report-api-errors", "no"] if tool == "memcheck" else []
        run(program, "--tool", tool, *quiet, "--error-exitcode", "1", sys.executable, "-m",
            "pytest", "-q", "-x", "-p", "no:cacheprovider", *CHECKED, "-m", "gpu",
            "-k", SELECTED, COREPY_RAW_MEMORY="1")  # fmt: skip

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


def write_results(step: str, result: str) -> None:
    """Keep the last result of each step: they may be run one by one."""
    path = WORK / "results.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    known[step] = f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime())} {result}"
    path.write_text(json.dumps(known, indent=1) + "\n")


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
            if missing := missing_from(NEEDED_BY.get(name, {})):
                raise Failed(f"{', '.join(missing)}: not installed")
            STEPS[name](options)
            results[name] = "passed"
        except Exception as error:  # the other steps may still tell something
            if not isinstance(error, Failed):
                traceback.print_exc()
            results[name] = f"FAILED: {error}"
        results[name] += f" ({time.monotonic() - began:.0f} s)"
        write_results(name, results[name])
        if results[name].startswith("FAILED") and name in ("packages", "build"):
            break  # nothing works without these
    print("\n" + "\n".join(f"{name:12} {result}" for name, result in results.items()))
    return int(any(result.startswith("FAILED") for result in results.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
