"""Files of several arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy.numpy.conversion import call_numpy

__all__ = ["load"]


class NpzFile(np.lib.npyio.NpzFile):
    """`numpy.lib.npyio.NpzFile` whose arrays are the drop-in's."""

    def __getitem__(self, key: str) -> Any:
        return call_numpy("load", super().__getitem__, (key,), {})


def load(
    file: Any,
    mmap_mode: str | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: int = 10000,
) -> Any:
    """Read an array, or open a file of several. See `numpy.load`."""
    options = {"encoding": encoding, "max_header_size": max_header_size}
    found = call_numpy("load", np.load, (file, mmap_mode, allow_pickle, fix_imports), options)
    if type(found) is np.lib.npyio.NpzFile:
        found.__class__ = NpzFile
    return found
