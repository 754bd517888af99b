"""Install PyTorch for the tests, if pip finds a build for the CPU.

usage: python tools/install_torch.py

By default the package index has a build for CUDA, which needs gigabytes of NVIDIA's libraries.
So pip is first asked what it would install, for a limited time, and nothing is installed if that
includes libraries of GPUs. An installed PyTorch is left as it is.

Exit status: 0 PyTorch is installed; 77 it cannot be had, which the output says.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

#: The version that the tests pass with, and whose figures are in the documentation.
REQUIREMENT = "torch==2.13.0"
#: Packages whose names begin with one of these are parts of CUDA or ROCm, or need them.
GPU_PARTS = ("nvidia-", "cuda-", "triton", "pytorch-triton", "rocm")
UNAVAILABLE = 77
ASK_SECONDS, INSTALL_SECONDS = 120, 300

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]


def main() -> int:
    """Install PyTorch, or say why not."""
    if importlib.util.find_spec("torch") is not None:
        return 0
    problem = install()
    if problem is None:
        return 0
    line = "!" * 90
    print(f"\n{line}\n!!! NOTHING WAS TESTED ON torch:cpu: {problem}")
    print(f"!!! `pip install '{REQUIREMENT}'` of a build for the CPU changes that.\n{line}\n")
    return UNAVAILABLE


def install() -> str | None:
    """Install PyTorch; return what is in the way, or None."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        problem = run("--dry-run", "--report", str(report), seconds=ASK_SECONDS)
        if problem is not None:
            return problem
        parts = gpu_parts(json.loads(report.read_text()))
    if parts:
        return f"pip would install {', '.join(parts[:3])} and the like, some gigabytes, with it"
    return run("--no-compile", seconds=INSTALL_SECONDS)


def gpu_parts(report: dict) -> list[str]:
    """Return the packages for GPUs among those of pip's report."""
    names = [item["metadata"]["name"].lower() for item in report["install"]]
    return [name for name in names if name.startswith(GPU_PARTS)]


def run(*arguments: str, seconds: float) -> str | None:
    """Run pip; return its last line if it fails, or None."""
    try:
        done = subprocess.run(
            [*PIP, *arguments, REQUIREMENT],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return f"pip took more than {seconds} s"
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or [f"pip ended with {done.returncode}"])[-1]


if __name__ == "__main__":
    sys.exit(main())
