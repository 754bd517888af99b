"""Dask: chunks that are arrays of Corepy.

Everything is registered by Dask's own functions: chunk types, sizes, tokens and percentiles.
Tested with Dask 2026.8.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np

from corepy._cython.core import Tensor


def _add_chunks(chunk_types: ModuleType) -> None:
    chunk_types.register_chunk_type(Tensor)  # Dask's arrays do not defer to them in operations


def _add_percentiles(backends: ModuleType) -> None:
    backends.percentile_lookup.register(Tensor, backends.percentile)


def _add_sizes(sizeof: ModuleType) -> None:
    sizeof.sizeof.register(Tensor, sys.getsizeof)


def _add_tokens(tokenize: ModuleType) -> None:
    from hashlib import blake2b

    def normalize_tensor(x: Tensor) -> Any:
        if x.device == "dask":
            return x.device.backend.unwrap(x).name
        # Dask's own token of an array of no axes does not tell NaN from -NaN.
        array = np.ascontiguousarray(x.to_numpy())
        content = blake2b(array.reshape(-1).view(np.uint8).data, digest_size=20).hexdigest()
        return "corepy.Tensor", str(x.device), x.shape, str(x.dtype), content

    tokenize.normalize_token.register(Tensor, normalize_tensor)


COMPLETE = {
    "dask.array.backends": _add_percentiles,
    "dask.array.chunk_types": _add_chunks,
    "dask.sizeof": _add_sizes,
    "dask.tokenize": _add_tokens,
}
