"""The disk cache of compiled kernels."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from pathlib import Path

#: Bytes of the cache unless ``COREPY_KERNEL_CACHE_LIMIT`` says otherwise.
LIMIT = 1 << 30

#: After eviction the cache has at most this share of its limit, so that evictions are rare.
KEPT = 0.9

#: Bytes that a process writes before it measures the cache again; a fraction of small limits.
MEASURED = 32 << 20

#: Seconds after which a file that is still being written belongs to a process that ended.
ABANDONED = 3600.0

#: Seconds between two notes of the use of a file.
NOTED = 3600.0

_TEMPORARY = "new-"

#: Bytes that this process wrote since it last measured the cache; None before the first time.
_written: int | None = None


def folder() -> Path | None:
    """Return the folder of compiled kernels; None for a user without a home folder.

    ``COREPY_KERNEL_CACHE``, or ``corepy/kernels`` in the user's cache folder.
    """
    chosen = os.environ.get("COREPY_KERNEL_CACHE")
    if chosen:
        return Path(chosen)
    try:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        return None
    return Path(caches, "corepy", "kernels")


def limit() -> int:
    """Return the most bytes of the cache: ``COREPY_KERNEL_CACHE_LIMIT``, or `LIMIT`."""
    text = os.environ.get("COREPY_KERNEL_CACHE_LIMIT", "").strip()
    if not text:
        return LIMIT
    if not text.isdecimal():
        raise ValueError(f"COREPY_KERNEL_CACHE_LIMIT must be a number of bytes, got {text!r}")
    return int(text)


def _path_of(key: str) -> Path | None:
    where = folder()
    return where / hashlib.sha256(key.encode()).hexdigest() if where else None


def read(key: str) -> bytes | None:
    """Return the image that `write` stored; None if the file is missing or damaged."""
    path = _path_of(key)
    if path is None:
        return None
    try:
        content = path.read_bytes()
        # The oldest are evicted first: those that were not used for the longest time.
        if time.time() - path.stat().st_mtime > NOTED:
            os.utime(path)
    except OSError:
        return None
    digest, image = content[:32], content[32:]
    return image if hashlib.sha256(image).digest() == digest else None


def write(key: str, image: bytes) -> None:
    """Store an image for later runs; evict the oldest ones if the cache exceeds its limit.

    Errors of the file system are ignored: the kernel can be compiled again. Other processes may
    read, write and evict at the same time: files appear complete, under their own names, and what
    is evicted while it is read stays readable.
    """
    global _written
    path, most = _path_of(key), limit()
    size = len(image) + 32
    if path is None or size > most:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=_TEMPORARY, delete=False) as file:
            file.write(hashlib.sha256(image).digest() + image)
        os.replace(file.name, path)
    except OSError:
        return
    _written = None if _written is None else _written + size
    if _written is None or _written > min(MEASURED, most // 16):
        _written = 0
        evict(path.parent, most, path.name)


def evict(where: Path, most: int, newest: str = "") -> None:
    """Remove the files that were not used for the longest time until the rest is within a limit.

    The file named `newest` is removed last. What processes left behind that ended while they wrote
    is removed, too.
    """
    files, total, now = [], 0, time.time()
    with contextlib.suppress(OSError), os.scandir(where) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # another process may have removed it
                if not entry.is_file(follow_symlinks=False):
                    continue
                facts = entry.stat(follow_symlinks=False)
                if entry.name.startswith(_TEMPORARY):
                    if now - facts.st_mtime > ABANDONED:
                        os.unlink(entry.path)
                elif len(entry.name) == 64:  # a digest: other files are not the cache's
                    files.append((entry.name == newest, facts.st_mtime, facts.st_size, entry.path))
                    total += facts.st_size
    if total <= most:
        return
    for _, _, size, path in sorted(files):
        if total <= most * KEPT:
            break
        with contextlib.suppress(FileNotFoundError):
            try:
                os.unlink(path)
            except PermissionError:  # of another user
                continue
        total -= size
