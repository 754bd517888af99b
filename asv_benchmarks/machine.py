"""Facts about the machine and its software."""

import os
import platform
import time
from pathlib import Path


def processor() -> str:
    """Return the processor's name, if the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(": ", 1)[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def facts() -> dict[str, str]:
    """Return the machine, its system, Python's version and the date, for reports."""
    return {
        "machine": f"{processor()}, {os.cpu_count()} processors, {platform.system()}",
        "versions": f"Python {platform.python_version()}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
