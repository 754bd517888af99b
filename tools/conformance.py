"""Run the official array API test suite, unmodified, and print a table of the results.

usage: python tools/conformance.py [--device DEVICE]... [--peer LIBRARY]... [--max-examples N]
                                   [-n WORKERS] [--json FILE] [--markdown FILE] [--document]
                                   [--fused] [--host-kernels] [--small-chunks] [--fetch]
                                   [-k EXPRESSION]

Without ``--device``, ``--peer``, ``--fused`` or ``--host-kernels`` the suite runs on one device of
every available backend, through ``corepy.namespace(device)``, and as with ``--fused``. ``--peer``
runs it on another, unmodified library, for comparison. ``--fused`` runs it on the CPU with every
operation deferred if possible, for any size (see `corepy.fuse`). ``--host-kernels`` runs it on
the GPU backend with its kernels compiled for the host (``host:0``, a device of the tests; see
tests/gpu/host), to check shapes, dtypes, special cases and errors without a GPU. Kernels are
compiled at their first call, and kept in build/. ``--small-chunks`` runs it on Dask with chunks of
64 bytes, so that operations on the suite's small arrays cross chunks.

No skip list and no xfail list is passed, and the tool refuses a suite whose files differ from those
of the pinned commit, by a recorded digest: neither git nor a repository is needed for that. The
suite itself skips a few tests as flaky; for Corepy a test that is skipped for any other reason
counts as a failure. Hypothesis's deadline is off (an option of the suite), because the time of an
example depends on the machine. Where a run is interrupted, the tests that ended count.

``--document`` writes the rows of these runs into docs/conformance.md, in place of earlier ones.

Exit status: 0 all passed; 1 something failed; 2 wrong usage or a modified suite; 77 the suite is
missing and cannot be fetched.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import outcomes

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
DOCUMENT = ROOT / "docs" / "conformance.md"
TOOLS = ROOT / "tools"
SUBMODULE = ROOT / "array-api-tests"
CLONE = BUILD / "array-api-tests"
REPOSITORY = "https://github.com/data-apis/array-api-tests"
COMMIT = "55fcc60179efa2680ddd6cd926ddf17b83530e2b"
# Of the commit's files: the suite's own, and the specification's (a submodule).
DIGESTS = {
    "array_api_tests": "4a6ed5a9e7f884b002298418c15946130a922b7a141e3dc5f8fa869c17ae6ea5",
    "array-api": "09d28bdc141b0badddbb0991589edbff1d836935dfc7e7c67400b93832d790bb",
}
# What running the suite leaves behind, and git's own files.
IGNORED = {".git", "__pycache__", ".pytest_cache", ".hypothesis"}
REVISION = "2025.12"
# The GPU backend's device where its kernels are compiled for the host, and where that is made.
HOST_DEVICE = "host:0"
HOST_FOLDER = ROOT / "tests" / "gpu" / "host"
# The CPU with deferred operations, and the environment that defers them.
FUSED = "cpu, fused"
FUSED_ENVIRONMENT = {"COREPY_FUSION": "1", "COREPY_FUSION_THRESHOLD": "0"}
# Dask with chunks of a few elements, so that operations on the suite's small arrays cross chunks.
SMALL_CHUNKS = "dask, small chunks"
SMALL_CHUNKS_ENVIRONMENT = {"DASK_ARRAY__CHUNK_SIZE": "64 B"}
UNAVAILABLE = 77
INTERRUPTED = "the suite was interrupted"
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


def files_of(folder: Path) -> Iterator[Path]:
    """Generate the files in a folder and below, in an order that is the same everywhere."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name in IGNORED:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from files_of(path)
        else:
            yield path


def digests(suite: Path) -> dict[str, str]:
    """Return the digests of the names and contents of the files in `suite`, as `DIGESTS`."""
    found = {part: hashlib.sha256() for part in DIGESTS}
    for path in files_of(suite):
        name = path.relative_to(suite).as_posix()
        digest = found["array-api" if name.startswith("array-api/") else "array_api_tests"]
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return {part: digest.hexdigest() for part, digest in found.items()}


def check_unmodified(suite: Path) -> None:
    """Raise ``SystemExit`` unless `suite` has the files of the pinned commit and no others."""
    problems = [
        f"the files of {part} have the digest {digest[:16]}, and those of commit {COMMIT[:7]} "
        f"{DIGESTS[part][:16]}"
        for part, digest in digests(suite).items()
        if digest != DIGESTS[part]
    ]
    problems += [
        f"{name} exists; no skip or xfail list is used here"
        for name in ("skips.txt", "xfails.txt")
        if (suite / name).exists()
    ]
    if not problems:
        return
    with contextlib.suppress(OSError):  # not in a repository, or without git
        problems += git("status", "--porcelain", cwd=suite).splitlines()
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
    if device == SMALL_CHUNKS:
        device = "dask"
    if device == "dask":  # threads do not pay for small arrays
        known += 'import dask; dask.config.set(scheduler="synchronous"); '
    if device == FUSED:
        device, check = "cpu", "; assert corepy.lazy.is_deferred(xp.ones(1) + 1)"
    # A backend that lacks an operation fails, instead of having it computed by another one, unless
    # that is what it is: a part of the operations by kernels.
    policy = "silent" if device.partition(":")[0] in ("opencl", "webgpu") else "error"
    known += f'import corepy; corepy.set_config(fallback="{policy}"); '
    return f"exec('{known}xp = corepy.namespace(\"{device}\"){check}')"


def outcomes_of(label: str) -> Path:
    """Return the file of the outcomes of the suite's tests, which grows while they run."""
    return BUILD / "conformance" / f"{re.sub('[:, ]+', '-', label)}.jsonl"


def run_suite(suite: Path, label: str, module: str, options: argparse.Namespace) -> Result:
    """Run the suite on one module, its progress on the terminal, and return what came out."""
    BUILD.joinpath("conformance").mkdir(parents=True, exist_ok=True)
    report = outcomes_of(label)
    report.unlink(missing_ok=True)
    environment = {
        **PEER_ENVIRONMENT,
        **os.environ,
        **(FUSED_ENVIRONMENT if label == FUSED else {}),
        **(SMALL_CHUNKS_ENVIRONMENT if label == SMALL_CHUNKS else {}),
        "ARRAY_API_TESTS_MODULE": module,
        # Of the whole revision, also where a peer says that it has only an earlier one.
        "ARRAY_API_TESTS_VERSION": REVISION,
        # Nothing is written into the suite's folder.
        "HYPOTHESIS_STORAGE_DIRECTORY": str(BUILD / "conformance" / "hypothesis"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([str(TOOLS), *filter(None, [os.environ.get("PYTHONPATH")])]),
        outcomes.VARIABLE: str(report),
    }
    for variable in ("PYTEST_ADDOPTS", "ARRAY_API_TESTS_XFAIL_MARK"):
        environment.pop(variable, None)
    command = [
        *(sys.executable, "-m", "pytest", "array_api_tests", "-q", "--tb=short", "-rN", "-p"),
        *("no:cacheprovider", "--disable-warnings", "--max-examples", str(options.max_examples)),
        *("--disable-deadline", "-n", str(options.workers), "-p", "outcomes"),
    ]
    if options.expression:
        command += ["-k", options.expression]
    print(f"\n=== {label}: {options.max_examples} examples per test", flush=True)
    began = time.monotonic()
    try:
        status = subprocess.run(
            command, cwd=suite, env=environment, stdin=subprocess.DEVNULL
        ).returncode
        problems = [] if status in (0, 1) else [f"pytest stopped with exit status {status}"]
    except KeyboardInterrupt:
        problems = [INTERRUPTED]
    return {**counted(label, outcomes.read(report), problems), "seconds": time.monotonic() - began}


def counted(label: str, tests: list[Result], problems: list[str]) -> Result:
    """Return the result of a run, complete or not, from the outcomes of its tests."""
    failed = sorted(t["test"] for t in tests if t["outcome"] not in ("passed", "skipped"))
    return {
        "name": label,
        "passed": sum(test["outcome"] == "passed" for test in tests),
        "failed": [*failed, *problems],
        "skipped": {
            t["test"]: t["reason"] or "no reason given" for t in tests if t["outcome"] == "skipped"
        },
    }


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


def rows_of(summary: Result, devices: list[str]) -> dict[str, str]:
    """Return a row of the document for each run, by its namespace."""
    rows = {}
    for result in summary["results"]:
        is_device = result["name"] in devices
        library = "corepy" if is_device else result["name"].partition(".")[0].replace("_", "-")
        namespace = f"Corepy, `{result['name']}`" if is_device else result["name"]
        cells = [namespace, importlib.metadata.version(library), summary["max_examples"]]
        cells += [result["passed"], len(result["failed"]), len(result["skipped"]), summary["date"]]
        rows[namespace] = f"| {' | '.join(map(str, cells))} |"
    return rows


def document(rows: dict[str, str]) -> None:
    """Write rows into the table of the document, in place of those of the same namespaces."""
    text = DOCUMENT.read_text(encoding="utf-8")
    begin, start, rest = text.partition("<!-- conformance:start -->\n\n")
    table, end, after = rest.partition("\n\n<!-- conformance:end -->")
    head, rule, *lines = table.splitlines()
    known = {line.split(" | ")[0].removeprefix("| "): line for line in lines}
    table = "\n".join([head, rule, *(known | rows).values()])
    DOCUMENT.write_text(f"{begin}{start}{table}{end}{after}", encoding="utf-8")


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
    parser.add_argument("--small-chunks", action="store_true", help="Dask with tiny chunks")
    parser.add_argument(
        "--host-kernels", action="store_true", help="the GPU backend, its kernels on the host"
    )
    parser.add_argument("--fetch", action="store_true", help="only bring the suite here")
    parser.add_argument("--json", type=Path, help="write the results to this file as well")
    parser.add_argument("--markdown", type=Path, help="write the table to this file as well")
    parser.add_argument("--document", action="store_true", help="and to docs/conformance.md")
    options = parser.parse_args(arguments)
    if options.document and options.expression:
        parser.error("--document is for the whole suite, without -k")
    return options


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
    devices += [SMALL_CHUNKS] if options.small_chunks else []
    devices = devices or ([] if options.peer else [*first_devices(), FUSED])
    modules = {device: module_of(device) for device in devices}
    modules |= {peer: PEERS.get(peer, peer) for peer in options.peer}
    for label, module in modules.items():
        summary["results"].append(run_suite(suite, label, module, options))
        write_json()
        if INTERRUPTED in summary["results"][-1]["failed"]:
            break
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
    if options.document:
        document(rows_of(summary, devices))
    failed = any(result["failed"] or not result["passed"] for result in results)
    skipped = any(unexcused(result) for result in results if result["name"] in devices)
    return int(failed or skipped)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
