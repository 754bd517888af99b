"""Run the official array API test suite, unmodified, and print a table of the results.

usage: python tools/conformance.py [--device DEVICE]... [--peer LIBRARY]... [--max-examples N]
                                   [-n WORKERS] [--json FILE] [--markdown FILE] [-k EXPRESSION]
                                   [--fused] [--host-kernels] [--fetch]

Without ``--device``, ``--peer``, ``--fused`` or ``--host-kernels`` the suite runs on one device of
every available backend, through ``corepy.namespace(device)``, and as with ``--fused``. ``--peer``
runs it on another, unmodified library, for comparison. ``--fused`` runs it on the CPU with every
operation deferred if possible, for any size (see `corepy.fuse`). ``--host-kernels`` runs it on
the GPU backend with its kernels compiled for the host (``host:0``, a device of the tests; see
tests/gpu/host), to check shapes, dtypes, special cases and errors without a GPU. Kernels are
compiled at their first call, and kept in build/.

No skip list and no xfail list is passed, and the tool refuses a suite that differs from the pinned
commit. The suite itself skips a few tests as flaky; for Corepy a test that is skipped for any other
reason counts as a failure. Hypothesis's deadline is off (an option of the suite), because the time
of an example depends on the machine.

Exit status: 0 all passed; 1 something failed; 2 wrong usage or a modified suite; 77 the suite is
missing and cannot be fetched.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
SUBMODULE = ROOT / "array-api-tests"
CLONE = BUILD / "array-api-tests"
REPOSITORY = "https://github.com/data-apis/array-api-tests"
COMMIT = "55fcc60179efa2680ddd6cd926ddf17b83530e2b"
REVISION = "2025.12"
# The GPU backend's device where its kernels are compiled for the host, and where that is made.
HOST_DEVICE = "host:0"
HOST_FOLDER = ROOT / "tests" / "gpu" / "host"
# The CPU with deferred operations, and the environment that defers them.
FUSED = "cpu, fused"
FUSED_ENVIRONMENT = {"COREPY_FUSION": "1", "COREPY_FUSION_THRESHOLD": "0"}
UNAVAILABLE = 77
FETCH_SECONDS = 60

# Modules of libraries; other names are names of modules.
PEERS = {"jax": "jax.numpy"}
# JAX makes float64 only if asked to, and the suite expects the standard's default dtypes.
PEER_ENVIRONMENT = {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}

Result = dict[str, Any]


def git(*arguments: str, cwd: Path = ROOT, seconds: float | None = None) -> str:
    """Run git without prompts; return its output, raise if it fails."""
    command = ["git", "-c", "safe.directory=*", *arguments]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def is_checked_out(suite: Path) -> bool:
    """Tell whether `suite` holds the suite and the specification that it reads."""
    return (suite / "conftest.py").exists() and any((suite / "array-api").glob("*"))


def find_suite() -> Path | None:
    """Return the folder of the official suite, fetched if necessary; None if that fails."""
    problems = []

    def fetched(*commands: tuple[str, ...]) -> bool:
        try:
            for command in commands:
                git(*command, seconds=FETCH_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as problem:
            problems.append(str(problem))
            return False
        return True

    if is_checked_out(SUBMODULE):
        return SUBMODULE
    print("fetching the official suite (a git submodule) ...", flush=True)
    if (ROOT / ".git").exists() and fetched(
        ("submodule", "update", "--init", "--recursive", "array-api-tests")
    ):
        return SUBMODULE
    clone = ("clone", "--quiet", "--no-checkout", REPOSITORY, str(CLONE))
    if is_checked_out(CLONE) or fetched(
        *([] if CLONE.exists() else [clone]),
        ("-C", str(CLONE), "checkout", "--quiet", COMMIT),
        ("-C", str(CLONE), "submodule", "update", "--init", "--recursive"),
    ):
        return CLONE
    print("\n".join(f"  {problem}" for problem in problems))
    return None


def check_unmodified(suite: Path) -> None:
    """Raise ``SystemExit`` unless `suite` is exactly the pinned commit, without additions."""
    problems = []
    head = git("rev-parse", "HEAD", cwd=suite).strip()
    if head != COMMIT:
        problems.append(f"it is at commit {head}, the pinned one is {COMMIT}")
    changes = git("status", "--porcelain", "--ignore-submodules=none", cwd=suite)
    problems += [f"changed: {line}" for line in changes.splitlines()]
    nested = git("submodule", "status", "--recursive", cwd=suite)
    problems += [
        f"submodule out of place: {line}"
        for line in nested.splitlines()
        if not line.startswith(" ")
    ]
    # The suite reads these two files itself; git might ignore them.
    problems += [
        f"{name} exists; no skip or xfail list is used here"
        for name in ("skips.txt", "xfails.txt")
        if (suite / name).exists()
    ]
    if problems:
        lines = "\n  ".join(problems)
        print(f"the suite in {suite} is not the official one:\n  {lines}", file=sys.stderr)
        raise SystemExit(2)


def first_devices() -> list[str]:
    """Return one device of every available backend."""
    from corepy.backend.registry import available_devices

    devices: dict[str, str] = {}
    for device in map(str, available_devices()):
        devices.setdefault(device.split(":", maxsplit=1)[0], device)
    return list(devices.values())


def module_of(device: str) -> str:
    """Return what the suite takes for a module: statements that make a device's namespace."""
    known = check = ""
    if device == HOST_DEVICE:
        known = f'import sys; sys.path.insert(0, "{HOST_FOLDER}"); '
        known += "import device; device.register(); "
    if device == FUSED:
        device, check = "cpu", "; assert corepy.lazy.is_deferred(xp.ones(1) + 1)"
    return f"exec('{known}import corepy; xp = corepy.namespace(\"{device}\"){check}')"


def run_suite(suite: Path, label: str, module: str, options: argparse.Namespace) -> Result:
    """Run the suite on one module, its progress on the terminal, and return what came out."""
    BUILD.joinpath("conformance").mkdir(parents=True, exist_ok=True)
    report_file = BUILD / "conformance" / f"{re.sub('[:, ]+', '-', label)}.report.json"
    report_file.unlink(missing_ok=True)
    environment = {
        **PEER_ENVIRONMENT,
        **os.environ,
        **(FUSED_ENVIRONMENT if label == FUSED else {}),
        "ARRAY_API_TESTS_MODULE": module,
        # Of the whole revision, also where a peer says that it has only an earlier one.
        "ARRAY_API_TESTS_VERSION": REVISION,
        # Nothing is written into the suite's folder.
        "HYPOTHESIS_STORAGE_DIRECTORY": str(BUILD / "conformance" / "hypothesis"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for variable in ("PYTEST_ADDOPTS", "ARRAY_API_TESTS_XFAIL_MARK"):
        environment.pop(variable, None)
    command = [
        *(sys.executable, "-m", "pytest", "array_api_tests", "-q", "--tb=short", "-rN", "-p"),
        *("no:cacheprovider", "--disable-warnings", "--max-examples", str(options.max_examples)),
        *("--disable-deadline", "-n", str(options.workers)),
        *("--json-report", "--json-report-file", str(report_file), "--json-report-omit"),
        *("keywords", "streams", "collectors", "log", "warnings"),
    ]
    if options.expression:
        command += ["-k", options.expression]
    print(f"\n=== {label}: {options.max_examples} examples per test", flush=True)
    began = time.monotonic()
    status = subprocess.run(command, cwd=suite, env=environment, stdin=subprocess.DEVNULL)
    seconds = time.monotonic() - began
    if status.returncode not in (0, 1) or not report_file.exists():
        problem = f"pytest stopped with exit status {status.returncode}"
        return {"name": label, "passed": 0, "failed": [problem], "skipped": {}, "seconds": seconds}
    tests = json.loads(report_file.read_text())["tests"]
    return {
        "name": label,
        "passed": sum(test["outcome"] == "passed" for test in tests),
        "failed": sorted(
            test["nodeid"] for test in tests if test["outcome"] not in ("passed", "skipped")
        ),
        "skipped": {t["nodeid"]: skip_reason(t) for t in tests if t["outcome"] == "skipped"},
        "seconds": seconds,
    }


def skip_reason(test: Result) -> str:
    """Return why a test of pytest's JSON report was skipped."""
    texts = (test.get(phase, {}).get("longrepr", "") for phase in ("setup", "call"))
    reasons = [
        text.rsplit("Skipped: ", 1)[1].rstrip("')\"") for text in texts if "Skipped: " in text
    ]
    return reasons[0] if reasons else "no reason given"


def unexcused(result: Result) -> list[str]:
    """Return the tests that were skipped for another reason than the suite's own "flaky"."""
    return sorted(f"{test}: {why}" for test, why in result["skipped"].items() if why != "flaky")


def table(results: list[Result]) -> str:
    """Return the results as a Markdown table, its columns aligned for reading on a terminal."""
    rows = [["backend", "passed", "failed", "skipped", "seconds"]]
    for result in results:
        counts = (result["passed"], len(result["failed"]), len(result["skipped"]))
        rows.append([result["name"], *map(str, counts), f"{result['seconds']:.0f}"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    return "\n".join(
        "| " + " | ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + " |"
        for row in rows
    )


def say_unavailable() -> None:
    """Report prominently that the official suite did not run."""
    line = "!" * 90
    print(f"\n{line}\n!!! THE OFFICIAL ARRAY API SUITE DID NOT RUN: CONFORMANCE WAS NOT MEASURED.")
    print("!!! It is a git submodule, is not checked out, and could not be fetched.")
    print(f"!!! `git submodule update --init --recursive` brings it.\n{line}\n", flush=True)


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("usage:")[0],
        epilog="a peer is the name of a module, such as numpy, array_api_strict, torch, or jax",
    )
    parser.add_argument("--device", action="append", default=[], help="a Corepy device")
    parser.add_argument("--peer", action="append", default=[], help="another library, as it is")
    parser.add_argument("--max-examples", type=int, default=200, help="examples per test")
    parser.add_argument("-n", "--workers", default=str(os.cpu_count() or 1), help="processes")
    parser.add_argument("-k", "--expression", help="only tests that match, as pytest's -k")
    parser.add_argument("--fused", action="store_true", help="the CPU with deferred operations")
    parser.add_argument(
        "--host-kernels", action="store_true", help="the GPU backend, its kernels on the host"
    )
    parser.add_argument("--fetch", action="store_true", help="only bring the suite here")
    parser.add_argument("--json", type=Path, help="write the results to this file as well")
    parser.add_argument("--markdown", type=Path, help="write the table to this file as well")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Run what the command line selects; return the exit status."""
    options = parse_arguments(arguments)
    summary: Result = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "python": platform.python_version(),
        "suite": COMMIT,
        "max_examples": options.max_examples,
        "results": [],
    }

    def write_json() -> None:
        if options.json:
            options.json.parent.mkdir(parents=True, exist_ok=True)
            options.json.write_text(json.dumps(summary, indent=1) + "\n")

    suite = find_suite()
    if suite is None:
        say_unavailable()
        write_json()
        return UNAVAILABLE
    check_unmodified(suite)
    if options.fetch:
        return 0

    devices = [*options.device, *([FUSED] if options.fused else [])]
    devices += [HOST_DEVICE] if options.host_kernels else []
    devices = devices or ([] if options.peer else [*first_devices(), FUSED])
    modules = {device: module_of(device) for device in devices}
    modules |= {peer: PEERS.get(peer, peer) for peer in options.peer}
    for label, module in modules.items():
        summary["results"].append(run_suite(suite, label, module, options))
        write_json()
    check_unmodified(suite)

    results = summary["results"]
    for result in results:
        for test in result["failed"]:
            print(f"{result['name']}: FAILED {test}")
        for test in unexcused(result):
            print(f"{result['name']}: skipped {test}")
    text = table(results)
    print(
        f"\nThe official array API suite at {COMMIT[:7]}, {options.max_examples} examples per test"
    )
    print(f"({summary['machine']}, Python {summary['python']}, {summary['date']}):\n\n{text}\n")
    if options.markdown:
        options.markdown.write_text(text + "\n")
    failed = any(result["failed"] or not result["passed"] for result in results)
    skipped = any(unexcused(result) for result in results if result["name"] in devices)
    return int(failed or skipped)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
