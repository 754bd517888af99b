"""All checks that need an NVIDIA GPU, without a network: ``make gpu-check``.

usage: python tools/gpu_check.py [STEP ...] [--device cuda:0] [--wheels FOLDER]

Steps, in the order of what they teach; all of them if none is named, the first half hour of them
with `first`, and with `rest` those without a complete result yet:

  packages     required packages are installed, or unpacked into build/gpu-check from a wheel folder
  build        the extensions, in place
  kernels      every kernel that tests and suite ask for is compiled, in parallel, into the cache
  driver       the tests of what calls CuPy and the driver: streams, transfers, memory, libraries
  large        scans and reductions between blocks, of 5 million elements and more
  short        a comparison with CuPy: a few operations, at 1, 1,000 and 10^8 elements
  conformance  the official array API suite: special cases first, then elementwise functions
  tests        all other tests marked gpu
  racecheck    compute-sanitizer's search for races in shared memory: reductions, masks, scans
  compare      host time, device time and shares of bandwidth, beside CuPy, PyTorch and JAX
  memcheck     compute-sanitizer's search for accesses out of bounds: a kernel of each kind
  threads      times of the CPU by number of threads, beside PyTorch's

`first` is the steps up to `conformance`. `rest` is `packages`, `build` and the steps that have not
passed by build/gpu-check/results.json or, where that has nothing of a step, whose part of
docs/gpu.md is empty or interrupted, the empty ones first; its `compare` keeps the cases that
build/gpu-check/compare.json has. Each step ends within ten minutes. While it runs, it
writes its part of docs/gpu.md and a file of build/gpu-check, so that a step that is cut off loses
nothing. build/gpu-check/results.json has the last result of each step. The exit status is 0 if all
steps passed. The suite is a submodule: clone with --recursive, or copy its files; no step needs
git.
Wheels are collected where there is a network, for the machine's Python:

  python -m pip download -d build/gpu-wheels --no-deps --only-binary=:all: --python-version 3.12 \
      array-api-compat cython execnet mpmath ndindex pytest-json-report pytest-metadata \
      pytest-xdist "setuptools>=77" nvidia-cuda-sanitizer-api

The last has compute-sanitizer, for machines without CUDA's toolkit.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import re
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
sys.path.insert(0, str(ROOT / "tools"))

import outcomes  # noqa: E402  (beside this file)

WORK = ROOT / "build" / "gpu-check"
SITE = WORK / "site"
PAGE = ROOT / "docs" / "gpu.md"
#: After its limit a step is interrupted, and has some more seconds to write its results.
GRACE = 20.0
#: Seconds between two updates of a step's part of the page.
UPDATE = 5.0
PROCESSES = max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)

#: The distribution with compute-sanitizer, and where it is in it.
SANITIZER, SANITIZER_PATH = "nvidia-cuda-sanitizer-api", "nvidia/*/compute-sanitizer"
#: Module -> distribution. All steps need these,
NEEDED = {
    "array_api_compat": "array-api-compat",
    "Cython": "Cython",
    "cupy": "cupy-cuda13x",
    "numpy": "numpy",
    "setuptools": "setuptools",
}
#: and some steps need those.
TESTS = {"hypothesis": "hypothesis", "mpmath": "mpmath", "pytest": "pytest"}
SANITIZERS = {"hypothesis": "hypothesis", "pytest": "pytest"}
NEEDED_BY = {
    "conformance": {
        "hypothesis": "hypothesis",
        "ndindex": "ndindex",
        "pytest": "pytest",
        "pytest_jsonreport": "pytest-json-report",
        "pytest_metadata": "pytest-metadata",
        "xdist": "pytest-xdist",
    },
    "driver": TESTS,
    "large": TESTS,
    "tests": TESTS,
    "memcheck": SANITIZERS,
    "racecheck": SANITIZERS,
}
#: Parts of the suite, which are run and reported one after the other: title, pytest's -k.
PARTS = (
    ("special cases", "test_special_cases"),
    ("elementwise functions", "test_operators_and_elementwise_functions"),
    ("all others", "not test_operators_and_elementwise_functions and not test_special_cases"),
)
#: Files of tests that have steps of their own.
DRIVER, LARGE = ("tests/gpu/test_cuda.py", "tests/gpu/test_reports.py"), "tests/gpu/test_large.py"
SANITIZED = "tests/gpu/test_sanitized.py"
#: The cases of the short comparison.
SHORT_CASES = [
    *("/add/float32/contiguous", "/sum/float32/contiguous", "/max/float32/contiguous"),
    *("/cumulative_sum/", "/take/", "/sort/"),
]
SHORT_SIZES = ["1", "1000", "100000000"]


class Failed(Exception):
    """A step failed, for the reason in its text."""


def run(
    *command: str | Path, seconds: float, update: Callable[[], None] | None = None,
    **environment: str,
) -> None:  # fmt: skip
    """Run a command in the repository, and raise unless it passes in time.

    `update` is called every few seconds while the command runs, and at its end.
    """
    words = [str(word) for word in command]
    print("+", " ".join(words), flush=True)
    process = subprocess.Popen(
        words, cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    end, status, interrupted = time.monotonic() + seconds, None, False
    try:
        while status is None:
            left = end - time.monotonic()
            if left <= 0:
                if interrupted:
                    break
                process.send_signal(signal.SIGINT)  # it then reports partial results
                end, interrupted = time.monotonic() + GRACE, True
                continue
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(min(UPDATE, left))
            if update and status is None:
                update()
    finally:
        stop(process)
        if update:
            update()
    if interrupted:
        raise Failed(f"not done after {seconds:.0f} seconds")
    if status:
        raise Failed(f"exit status {status}")


def stop(process: subprocess.Popen) -> None:
    """Kill a process and its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def python(
    *arguments: str | Path, seconds: float, update: Callable[[], None] | None = None,
    **environment: str,
) -> None:  # fmt: skip
    run(sys.executable, *arguments, seconds=seconds, update=update, **environment)


def write_part(name: str, text: str) -> None:
    """Replace a step's part of docs/gpu.md."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    documents = importlib.import_module("asv_benchmarks.documents")
    documents.replace_between(PAGE, name, text)


def part_of(name: str) -> str:
    """Return a step's part of docs/gpu.md, an empty one where it has none."""
    pattern = rf"<!-- {name}:start -->(.*?)<!-- {name}:end -->"
    found = re.search(pattern, PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return found[1].strip() if found else ""


def date() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def described(options: argparse.Namespace) -> str:
    """Return the device's name and the date."""
    return f"{device_name(index_of(options))}, {date()}"


def processor() -> str:
    """Return the processor's name, as far as the system tells it, and the number of processors."""
    known = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    name = re.search(r"model name\s*: (.*)", known)
    return f"{name[1].strip() if name else 'CPU'}, {PROCESSES} processors"


def missing_from(packages: dict[str, str]) -> list[str]:
    """Return the missing packages."""
    return [name for module, name in packages.items() if not importlib.util.find_spec(module)]


def wheels_of(name: str, folder: Path) -> list[Path]:
    """Return the wheels of a distribution; its name is compared as package indexes do."""

    def normal(text: str) -> str:
        return re.sub(r"[-_.]+", "-", text).lower()

    return [path for path in sorted(folder.glob("*.whl"))
            if normal(path.name.partition("-")[0]) == normal(name)]  # fmt: skip


def packages(options: argparse.Namespace) -> None:
    wanted = {**NEEDED, **{k: v for needs in NEEDED_BY.values() for k, v in needs.items()}}
    wanted["execnet"] = "execnet"  # of pytest-xdist
    for name in dict.fromkeys([*missing_from(wanted), *too_old()]):
        for wheel in wheels_of(name, options.wheels):
            print(f"unpacking {wheel.name}")
            zipfile.ZipFile(wheel).extractall(SITE)
    if find_sanitizer() is None:
        unpack_sanitizer(options.wheels)
    importlib.invalidate_caches()
    if missing_from({"array_api_compat": ""}):
        copy_compat()
    problems = [f"{name} is not installed" for name in missing_from(NEEDED)]
    problems += too_old().values()
    if problems:
        raise Failed(f"{'; '.join(problems)}, and there is no wheel in {options.wheels}")
    for step, needs in NEEDED_BY.items():
        if missing := missing_from(needs):
            print(f"{', '.join(missing)}: not installed, so `{step}` cannot run")
    if find_sanitizer() is None:
        print("compute-sanitizer: not installed, so `racecheck` and `memcheck` cannot run")
    for module in ("torch", "jax", "xdist"):
        if not importlib.util.find_spec(module):
            print(f"{module} is not installed: it is done without")


def unpack_sanitizer(folder: Path) -> None:
    """Unpack compute-sanitizer from its wheel; its files must be executable."""
    for wheel in wheels_of(SANITIZER, folder):
        print(f"unpacking {wheel.name}")
        zipfile.ZipFile(wheel).extractall(SITE)
    for path in SITE.glob(f"{SANITIZER_PATH}/*"):
        if path.is_file():
            path.chmod(0o755)


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


def too_old() -> dict[str, str]:
    """Return what is older than building requires: its name, and a description."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        return {}  # then the build fails with a message
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    found = {}
    for requirement in map(Requirement, requires):
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            found[requirement.name] = (
                f"{requirement.name} is {version}, not {requirement.specifier}"
            )
    return found


def build(options: argparse.Namespace) -> None:
    python("setup.py", "--quiet", "build_ext", "--inplace", seconds=options.limit)
    created = f"import corepy; print(corepy.zeros(3, device={options.device!r}).device)"
    python("-c", created, seconds=60)


def index_of(options: argparse.Namespace) -> int:
    return int(options.device.partition(":")[2] or 0)


def device_name(index: int) -> str:
    try:
        import cupy
    except ImportError as error:
        raise Failed(f"CuPy cannot be imported: {error}") from None

    try:
        return cupy.cuda.runtime.getDeviceProperties(index)["name"].decode()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise Failed(f"there is no GPU {index}: {error}") from None


# ---- kernels


def kernels(options: argparse.Namespace) -> None:
    report, description = WORK / "kernels.json", described(options)

    def update() -> None:
        if report.exists():
            found = json.loads(report.read_text())
            write_part("gpu-kernels", table_of_kernels(found, description))

    report.unlink(missing_ok=True)
    python("tools/gpu_kernels.py", "--device", str(index_of(options)), "--json", report,
           "-n", str(PROCESSES), seconds=options.limit, update=update)  # fmt: skip


def table_of_kernels(found: dict, description: str) -> str:
    """Return the number of kernels, and the seconds that each family took, in Markdown."""
    families = found["families"]
    done = sum(each["compiled"] for each in families.values())
    lines = [
        f"{description}: {done} of {found['wanted']} kernels compiled by {found['processes']} "
        f"processes in {found['seconds']:.0f} s.",
        "",
        "| family | kernels | seconds of processors | of one kernel | longest |",
        "| ------ | ------: | --------------------: | ------------: | ------: |",
    ]
    for name, each in families.items():
        count = max(each["compiled"], 1)
        lines.append(
            f"| {name} | {each['compiled']} | {each['seconds']:.1f} | "
            f"{each['seconds'] / count:.2f} | {each['longest']:.2f} |"
        )
    lines += [f"\nFailed: `{kernel}`: {why}" for kernel, why in found["failed"].items()]
    return "\n".join(lines)


# ---- tests


def run_tests(
    name: str, options: argparse.Namespace, *arguments: str | Path,
    program: tuple[str, ...] = (), **environment: str,
) -> None:  # fmt: skip
    """Run pytest, without stopping at failures, and write what came out as tests end."""
    written, description = WORK / f"{name}.jsonl", described(options)
    written.unlink(missing_ok=True)

    def update(state: str = "; interrupted") -> None:
        tests = outcomes.read(written)
        write_part(f"gpu-{name}", summary_of(name, tests, description + state))

    environment[outcomes.VARIABLE] = str(written)
    paths = [str(ROOT / "tools"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    try:
        run(*program, sys.executable, "-m", "pytest", "-q", "-p", "outcomes",
            "-p", "no:cacheprovider", *arguments, "-m", "gpu", seconds=options.limit,
            update=update, **environment)  # fmt: skip
    except Failed as error:
        if not str(error).startswith("not done"):
            update("")
        raise
    update("")
    if not any(each["outcome"] == "passed" for each in outcomes.read(written)):
        raise Failed("no test passed")


def summary_of(name: str, tests: list[dict], description: str) -> str:
    """Return the counts of outcomes, and which tests failed and why, in Markdown."""
    counts = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for test in tests:
        outcome = test["outcome"]
        counts[outcome if outcome in counts else "failed"] += 1
    seconds = sum(test["seconds"] for test in tests)
    said = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    lines = [f"`{name}`, {description}: {said}, in {seconds:.0f} s."]
    for test in tests:
        if test["outcome"] not in ("passed", "skipped"):
            reason = test["reason"].replace("`", "'")
            lines.append(f"- {test['outcome']}: `{test['test']}`: `{reason}`")
    return "\n".join([lines[0], "", *lines[1:]]).strip()


def side_by_side() -> list[str]:
    return ["-n", str(min(PROCESSES, 4))] if importlib.util.find_spec("xdist") else []


def driver(options: argparse.Namespace) -> None:
    run_tests("driver", options, *DRIVER)


def large(options: argparse.Namespace) -> None:
    run_tests("large", options, LARGE)


def tests(options: argparse.Namespace) -> None:
    others = [f"--ignore={path}" for path in (*DRIVER, LARGE)]
    run_tests("tests", options, "tests/gpu", *others, *side_by_side())


# ---- the official suite


def conformance(options: argparse.Namespace) -> None:
    tool, description = importlib.import_module("conformance"), described(options)
    end, problems = time.monotonic() + options.limit, []
    done: dict[str, dict] = {}
    report = tool.outcomes_of(options.device)
    for title, selected in PARTS:

        def update(title: str = title) -> None:
            done[title] = tool.counted(title, outcomes.read(report), [])
            (WORK / "conformance.json").write_text(json.dumps(done, indent=1) + "\n")
            write_part("gpu-conformance", table_of_parts(done, description))

        report.unlink(missing_ok=True)
        left = end - time.monotonic()
        try:
            if left < 20:
                raise Failed("not begun")
            python("tools/conformance.py", "--device", options.device, "--max-examples", "50",
                   "-n", str(min(PROCESSES, 8)), "-k", selected, seconds=left,
                   update=update)  # fmt: skip
        except Failed as error:
            problems.append(f"{title}: {error}")
    if problems:
        raise Failed("; ".join(problems))


def table_of_parts(done: dict[str, dict], description: str) -> str:
    """Return the results of the parts of the suite in Markdown."""
    lines = [
        f"{description}: the official suite, 50 examples for each test.", "",
        "| part | passed | failed | skipped by the suite itself |",
        "| ---- | -----: | -----: | --------------------------: |",
    ]  # fmt: skip
    for title, each in done.items():
        lines.append(
            f"| {title} | {each['passed']} | {len(each['failed'])} | {len(each['skipped'])} |"
        )
    failed = [test for each in done.values() for test in each["failed"]]
    return "\n".join([*lines, "", *(f"- failed: `{test}`" for test in failed)]).strip()


# ---- compute-sanitizer


def find_sanitizer() -> str | None:
    """Return the path of compute-sanitizer, which CUDA's and pip's packages put on no path."""
    folders = [os.environ.get("CUDA_PATH", ""), os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]
    folders += [str(path) for path in sorted(Path("/usr/local").glob("cuda-*"), reverse=True)]
    places = [
        Path(folder, below, "compute-sanitizer")
        for folder in folders
        if folder
        for below in ("bin", "compute-sanitizer")
    ]
    for folder in filter(None, sys.path):
        places += Path(folder).glob(f"{SANITIZER_PATH}/compute-sanitizer")
    programs = [shutil.which("compute-sanitizer") or "", *map(str, places)]
    return next((program for program in programs if os.access(program, os.X_OK)), None)


def sanitize(tool: str, selected: str) -> Callable[[argparse.Namespace], None]:
    def step(options: argparse.Namespace) -> None:
        program = find_sanitizer()
        if program is None:
            raise Failed(
                "compute-sanitizer is not installed; it comes with CUDA's toolkit and with the "
                f"package {SANITIZER}"
            )
        # CUDA's library probes an older driver for functions that it lacks, which is no error.
        quiet = ["--report-api-errors", "no"] if tool == "memcheck" else []
        command = (program, "--tool", tool, *quiet, "--error-exitcode", "1")
        run_tests(tool, options, SANITIZED, "-k", selected, program=command, COREPY_RAW_MEMORY="1")

    step.__name__ = tool
    return step


# ---- comparison


def short(options: argparse.Namespace) -> None:
    python("-m", "asv_benchmarks.compare", "--device", options.device, "--update-docs",
           "--section", "gpu-short", "--only", *SHORT_CASES, "--sizes", *SHORT_SIZES, "--quick",
           "--json", WORK / "short.json", seconds=options.limit)  # fmt: skip


def compare(options: argparse.Namespace) -> None:
    python("-m", "asv_benchmarks.compare", "--device", options.device, "--update-docs",
           "--json", WORK / "compare.json", *(["--resume"] if options.resumes else []),
           seconds=options.limit)  # fmt: skip


def threads(options: argparse.Namespace) -> None:
    report = WORK / "threads.json"
    python("-m", "asv_benchmarks.compare_threads", report, seconds=options.limit)
    found = json.loads(report.read_text())
    said = f"`threads`, {processor()}, {date()}: times of a call by number of threads."
    write_part("gpu-threads", f"{said}\n\n{found['table']}")


#: Steps and their limits in seconds, those of the first half hour first.
FIRST: dict[Callable[[argparse.Namespace], None], float] = {
    packages: 60.0, build: 420.0, kernels: 420.0, driver: 150.0, large: 100.0, short: 200.0,
    conformance: 450.0,
}  # fmt: skip
#: Elementwise kernels have no shared memory: racecheck would learn nothing there.
LATER: dict[Callable[[argparse.Namespace], None], float] = {
    tests: 540.0, sanitize("racecheck", "blocks"): 540.0, compare: 540.0,
    sanitize("memcheck", "elementwise or blocks"): 540.0, threads: 300.0,
}  # fmt: skip
STEPS = {step.__name__: step for step in (*FIRST, *LATER)}
LIMITS = {step.__name__: seconds for step, seconds in (FIRST | LATER).items()}


def results_so_far() -> dict[str, str]:
    path = WORK / "results.json"
    return json.loads(path.read_text()) if path.exists() else {}


def write_results(step: str, result: str) -> None:
    """Keep the last result of each step: they may be run one by one."""
    known = results_so_far()
    known[step] = f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime())} {result}"
    (WORK / "results.json").write_text(json.dumps(known, indent=1) + "\n")


def rest() -> list[str]:
    """Return the steps that have no complete result yet, after those that prepare them."""
    known, prepared = results_so_far(), ["packages", "build"]
    parts = {step: part_of("gpu" if step == "compare" else f"gpu-{step}") for step in STEPS}
    left = [
        step
        for step, part in parts.items()
        if step not in prepared
        and (" passed" not in known[step] if step in known else not part or "interrupted" in part)
    ]
    return [*prepared, *sorted(left, key=lambda step: bool(parts[step]))]


def chosen(names: list[str]) -> list[str]:
    """Return the names of steps; `first` stands for those of the first half hour, and `rest`."""
    if not names:
        return list(STEPS)
    stands = {"first": [step.__name__ for step in FIRST], "rest": rest() if "rest" in names else []}
    expanded = [step for name in names for step in stands.get(name, [name])]
    return list(dict.fromkeys(expanded))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        epilog=f"steps: {', '.join(STEPS)}; first: those of the first half hour; "
        "rest: those without a complete result",
    )
    parser.add_argument("steps", nargs="*", metavar="STEP", help="all of them if none is named")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--wheels", type=Path, default=ROOT / "build" / "gpu-wheels")
    options = parser.parse_args(arguments)
    names = chosen(options.steps)
    unknown = [step for step in names if step not in STEPS]
    if unknown:
        known = f"first, rest, {', '.join(STEPS)}"
        parser.error(f"no such step: {', '.join(unknown)}; there are {known}")
    options.resumes = "rest" in options.steps
    WORK.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        path for path in (str(ROOT), str(SITE), os.environ.get("PYTHONPATH", "")) if path
    )
    sys.path.insert(0, str(SITE))
    results = {}
    for name in names:
        print(f"\n######## {name}", flush=True)
        began, options.limit = time.monotonic(), LIMITS[name]
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
