"""Limits of the control groups that the process is in (Linux)."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator

# Not pathlib: its import takes a twentieth of NumPy's, and this module is part of Corepy's.
_GROUPS = "/proc/self/cgroup"
_ROOT = "/sys/fs/cgroup"


def usable_memory() -> int:
    """Return the number of bytes that the process may use."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *memory_limits()])


def memory_limits() -> Iterator[int]:
    """Yield the bytes of memory that each of the groups may use."""
    for (text,) in _values("memory", ("memory.max",), ("memory.limit_in_bytes",)):
        if text.isdigit():  # or "max"
            yield int(text)


def memory_headroom() -> Iterator[int]:
    """Yield the bytes that each of the groups may still use.

    The page cache counts as free, as far as the kernel gives it back first.
    """
    version_2 = ("memory.max", "memory.current", "memory.stat")
    version_1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat")
    for limit, used, stat in _values("memory", version_2, version_1):
        if limit.isdigit():
            counts = dict(line.split(maxsplit=1) for line in stat.splitlines() if " " in line)
            cached = counts.get("total_inactive_file", counts.get("inactive_file", "0"))
            yield max(0, int(limit) - max(0, int(used) - int(cached)))


def cpu_limits() -> Iterator[int]:
    """Yield how many processors' time each of the groups may use, rounded up."""
    version_1 = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
    for texts in _values("cpu", ("cpu.max",), version_1):
        quota, period = " ".join(texts).split()
        if quota.isdigit() and int(quota) > 0 and int(period) > 0:  # or "max" or -1
            yield math.ceil(int(quota) / int(period))


def _values(
    controller: str, version_2: tuple[str, ...], version_1: tuple[str, ...]
) -> Iterator[list[str]]:
    """Yield the contents of a controller's files, for each group from the innermost outwards."""
    try:
        lines = _read(_GROUPS).splitlines()
    except OSError:
        return  # not Linux
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:  # version 2: one hierarchy for all controllers
            root, names = _ROOT, version_2
        elif controller in controllers.split(","):
            root, names = os.path.join(_ROOT, controller), version_1
        else:
            continue
        group = path.strip("/")
        while True:
            # A file that is missing is a limit that there is not at this level.
            with contextlib.suppress(OSError):
                yield [_read(root, group, name).strip() for name in names]
            if not group:
                break
            group = os.path.dirname(group)


def _read(*parts: str) -> str:
    """Return the contents of a file."""
    with open(os.path.join(*parts)) as file:
        return file.read()
