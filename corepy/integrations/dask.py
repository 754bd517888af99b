"""Dask: chunks that are arrays of Corepy.

Everything is registered by Dask's own functions: chunk types, sizes and percentiles.
Tested with Dask 2026.8.
"""

from __future__ import annotations

import sys
from types import ModuleType

from corepy._cython.core import Tensor


def _add_chunks(chunk_types: ModuleType) -> None:
    chunk_types.register_chunk_type(Tensor)  # Dask's arrays do not defer to them in operations


def _add_percentiles(backends: ModuleType) -> None:
    backends.percentile_lookup.register(Tensor, backends.percentile)


def _add_sizes(sizeof: ModuleType) -> None:
    sizeof.sizeof.register(Tensor, sys.getsizeof)


COMPLETE = {
    "dask.array.backends": _add_percentiles,
    "dask.array.chunk_types": _add_chunks,
    "dask.sizeof": _add_sizes,
}
