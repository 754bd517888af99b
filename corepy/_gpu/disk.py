"""The disk cache of compiled kernels."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


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
    except OSError:
        return None
    digest, image = content[:32], content[32:]
    return image if hashlib.sha256(image).digest() == digest else None


def write(key: str, image: bytes) -> None:
    """Store an image for later runs. Errors are ignored: the kernel can be compiled again."""
    path = _path_of(key)
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(hashlib.sha256(image).digest() + image)
        os.replace(file.name, path)
    except OSError:
        pass
