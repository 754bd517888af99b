"""``python -m corepy verify``: every operation against the reference."""

from __future__ import annotations

import sys

from corepy._cython.core import as_device
from corepy.backend import get_backend
from corepy.testing import check_backend

_BAR = 30


def verify(device: str) -> int:
    """Check a device and print the report; 0 if it passed, 1 if not, 2 if it cannot be checked."""
    reference = get_backend("reference")
    if not reference.is_available():
        print(f"verify: {reference.missing()}", file=sys.stderr)
        return 2
    try:
        chosen = as_device(device, "verify")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    report = check_backend(chosen.backend, device=chosen, progress=progress)
    print(report)
    return 0 if report.passed else 1


def progress(done: int, total: int, operation: str) -> None:
    """Draw a bar on a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        return
    filled = _BAR * done // total
    bar = "#" * filled + "." * (_BAR - filled)
    end = "" if done < total else "\r\033[K"
    print(f"\r\033[K[{bar}] {done}/{total} {operation}{end}", end="", file=sys.stderr, flush=True)
