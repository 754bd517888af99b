"""What the environment and control groups (Linux) say of threads, memory and settings."""

import contextlib
import math
import os
import warnings
from collections.abc import Iterator
from typing import Any

from corepy._cython import core
from corepy._cython.settings import set_defaults

# Not pathlib: its import takes a twentieth of NumPy's, and this module is part of Corepy's.
_GROUPS = "/proc/self/cgroup"
_ROOT = "/sys/fs/cgroup"

MOST_THREADS = 1024  # more than the pool starts

#: Settings whose default the environment may set, with the variable.
VARIABLES = {
    "fusion": "COREPY_FUSION",
    "fusion_threshold": "COREPY_FUSION_THRESHOLD",
    "fusion_codegen": "COREPY_FUSION_CODEGEN",
}


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
    with open(os.path.join(*parts), "rb", buffering=0) as file:
        return file.read().decode()


def set_limits() -> None:
    """Set the number of threads and the size of the memory pool."""
    core.limit_num_threads(min(cpu_limits(), default=0))
    core.set_num_threads(min(_num_threads() or 0, MOST_THREADS))
    core.cpu.limit_cache(int(_share() * usable_memory()))


def _num_threads() -> int | None:
    """Return the number of threads that the environment sets."""
    text = os.environ.get("COREPY_NUM_THREADS", "").strip()
    if text:
        if not text.isdecimal() or int(text) < 1:
            raise ValueError(f"COREPY_NUM_THREADS: expected an integer from 1 on, got {text!r}")
        return int(text)
    text = os.environ.get("OMP_NUM_THREADS", "").strip()
    if text:
        first = text.split(",")[0].strip()  # one number for each level of nesting
        if first.isdecimal() and int(first) >= 1:
            return int(first)
        # The variable is OpenMP's, and no reason to fail.
        warnings.warn(
            f"OMP_NUM_THREADS: expected an integer from 1 on, got {text!r}; ignored",
            RuntimeWarning,
            stacklevel=2,
        )
    return None


def _share() -> float:
    """Return the share of the usable memory that the pool may keep."""
    text = os.environ.get("COREPY_CACHE_LIMIT", "")
    try:
        share = float(text) if text else 0.25
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise ValueError(
            f"COREPY_CACHE_LIMIT: expected a share of the usable memory, from 0 to 1, got {text!r}"
        )
    return share


def _number(setting: str, otherwise: Any) -> Any:
    """Return the number in the environment variable of a setting."""
    name = VARIABLES[setting]
    text = os.environ.get(name, "").strip()
    if not text:
        return otherwise
    if not text.isdecimal():
        raise ValueError(f"{name} must be a number that is not negative, got {text!r}")
    return int(text)


#: The settings of a process at its start (`corepy.config`).
DEFAULTS: dict[str, Any] = {
    "cross_device": "raise",
    "fallback": "warn",
    "check_indices": "later",
    "shared_memory": "variable",
    "check_results": False,
    "fusion": bool(_number("fusion", 1)),
    "fusion_threshold": _number("fusion_threshold", "automatic"),
    "fusion_codegen": bool(_number("fusion_codegen", 1)),
    "integrations": True,
    "device": core.cpu.devices()[0],
}
set_defaults(DEFAULTS)
