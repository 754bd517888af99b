"""Compile the kernels that the tests and the official suite ask for, into the cache on disk.

usage: python tools/gpu_kernels.py [--device 0] [--json FILE] [-n PROCESSES]
       python tools/gpu_kernels.py --record

The first form needs CuPy and a GPU; it compiles in several processes, and writes to the file, while
it does, how long each family of kernels took. The kernels are those of tests/gpu/kernels.txt.xz.
``--record`` writes that list anew: the kernels that were compiled for the host from the current
sources (build/kernels-on-host), after

  make test PYTEST_SELECTION= HOST_KERNEL_EXAMPLES=10
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import lzma
import multiprocessing
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "gpu" / "kernels.txt.xz"
#: Families in the order in which they are compiled: those that tell most come first.
FAMILIES = (
    *("ScanRows", "ScanColumns", "Rows", "Columns", "CountMask", "Compact", "FillMask", "Gather"),
    *("PrepareIndices", "Scatter", "SearchSorted", "Transpose", "Triangle", "Progress", "Multiply"),
    *("Dot", "Rowwise", "MultiplyQuantized", "Run", "Box", "fusion::Run", "fusion::Box"),
)
#: Seconds between two writes of the report.
UPDATE = 2.0


def known() -> list[str]:
    """Return the recorded kernels, by families."""
    listed = lzma.decompress(LIST.read_bytes()).decode().split("\n")
    return sorted(filter(None, listed), key=lambda kernel: (place_of(kernel), kernel))


def family_of(kernel: str) -> str:
    """Return the name of a kernel's class template, without its namespace."""
    found = re.match(r"corepy::((?:fusion::)?\w+)", kernel)
    return found[1] if found else kernel


def place_of(kernel: str) -> int:
    family = family_of(kernel)
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)


# ---- compiling


def use(device: int) -> None:
    """Make a device current in a process of the pool."""
    import cupy

    cupy.cuda.Device(device).use()


def compile_one(kernel: str) -> tuple[float, str]:
    """Return the seconds that a kernel took to compile, and the error if it failed."""
    from corepy._gpu.cuda import compiled

    began, error = time.perf_counter(), ""
    try:
        compiled(kernel)
    except Exception as problem:  # of one kernel: the others are compiled
        error = f"{type(problem).__name__}: {problem}"[:500]
    return time.perf_counter() - began, error


def compile_all(kernels: list[str], device: int, processes: int, report: Path | None) -> bool:
    """Compile kernels, write the report as it goes, and return whether all were compiled."""
    began = written = time.monotonic()
    families: dict[str, Any] = {}
    failed: dict[str, str] = {}
    result = {"wanted": len(kernels), "processes": processes, "families": families,
              "failed": failed, "seconds": 0.0}  # fmt: skip
    complete = True
    with ProcessPoolExecutor(
        processes, multiprocessing.get_context("spawn"), initializer=use, initargs=(device,)
    ) as pool:
        work = {pool.submit(compile_one, kernel): kernel for kernel in kernels}
        try:
            for done in as_completed(work):
                kernel, (seconds, error) = work[done], done.result()
                family = families.setdefault(
                    family_of(kernel), {"compiled": 0, "seconds": 0.0, "longest": 0.0}
                )
                if error:
                    failed[kernel] = error
                    print(f"{kernel}: {error}", file=sys.stderr, flush=True)
                family["compiled"] += not error
                family["seconds"] += seconds
                family["longest"] = max(family["longest"], seconds)
                result["seconds"] = time.monotonic() - began
                if report and time.monotonic() - written > UPDATE:
                    written = time.monotonic()
                    write(report, result)
        except KeyboardInterrupt:
            # Those that are being compiled are completed, and are in the cache; no others begin.
            pool.shutdown(cancel_futures=True)
            print(f"interrupted: {len(kernels)} were wanted", file=sys.stderr)
            complete = False
    if report:
        write(report, result)
    for name, each in families.items():
        print(f"{name:16} {each['compiled']:5} kernels {each['seconds']:8.1f} s")
    compiled = sum(each["compiled"] for each in families.values())
    print(f"{compiled} of {len(kernels)} in {result['seconds']:.0f} s")
    return complete and not failed


def write(path: Path, result: dict[str, Any]) -> None:
    """Write a report in one go: another process reads it meanwhile."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(result, indent=1) + "\n")
    os.replace(new, path)


# ---- recording


def record() -> None:
    """Write the list: the kernels that were compiled for the host from the current sources."""
    path = ROOT / "tests" / "gpu" / "host" / "runtime.py"
    spec = importlib.util.spec_from_file_location("corepy_host_runtime", path)
    assert spec and spec.loader
    runtime = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runtime)
    folder = runtime.CACHE / runtime._digest()
    found = {line for listed in folder.glob("*.txt") for line in listed.read_text().splitlines()}
    found.discard("")
    if not found:
        raise SystemExit(f"{folder} has no kernels: run the tests first")
    before = set(known()) if LIST.exists() else set()
    text = "\n".join(sorted(found)) + "\n"
    LIST.write_bytes(lzma.compress(text.encode(), preset=9))
    print(f"{len(found)} kernels; {len(found - before)} new, {len(before - found)} removed")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("-n", "--processes", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args(arguments)
    if options.record:
        record()
        return 0
    return int(not compile_all(known(), options.device, options.processes, options.json))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
