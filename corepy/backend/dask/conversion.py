"""Arrays of Dask that others made, as the storage of tensors."""

from __future__ import annotations

import math
from typing import Any

import dask
import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.dask import graphs, shapes, tasks


def _as_block(block: Any) -> Any:
    return tasks.as_block(core.asarray(block, None, "cpu"))


def adopted(x: da.Array) -> da.Array:
    """Return an array whose chunks are ndarrays and whose shape is known."""
    if not isinstance(x._meta, Tensor) or type(x._meta) is Tensor:
        dtype = core.as_dtype("wrap", np.dtype(x.dtype))
        x = da.map_blocks(_as_block, x, dtype=dtype, meta=graphs.meta(dtype, x.ndim))
    if any(math.isnan(size) for size in x.shape):
        (x,) = dask.persist(x)
        x = x.compute_chunk_sizes()
    return shapes.without_empty(x)
