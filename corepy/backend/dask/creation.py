"""Creation: each chunk by a task of its own."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from corepy.backend.dask import graphs, tasks
from corepy.backend.dask.graphs import Result
from corepy.backend.dask.operations import implements
from corepy.backend.dask.tasks import Part


def _created(function: Part, result: Result, chunks: graphs.Chunks | None = None) -> da.Array:
    """Return an array whose blocks are a function of where they are."""
    dtype, shape = result
    chunks = graphs.automatic_chunks(shape, dtype) if chunks is None else chunks
    return graphs.mapped(function, dtype, out=range(len(shape)), located=chunks)


def full(
    shape: tuple[int, ...], value: Any, dtype: np.dtype, chunks: graphs.Chunks | None = None
) -> da.Array:
    """Return an array of one value."""
    return _created(Part(tasks.filled_block, value, dtype), (dtype, shape), chunks)


@implements("arange")
def arange(
    result: Result, start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None
) -> da.Array:
    """Return start, start + step, ... up to stop."""
    first = 0 if stop is None else start
    return _created(Part(tasks.range_block, first, step, result[0]), result)


@implements("linspace")
def linspace(
    result: Result, start: Any, stop: Any, num: int, *, dtype: Any, endpoint: bool = True
) -> da.Array:
    """Return evenly spaced numbers."""
    return _created(Part(tasks.spaced_block, start, stop, num, result[0], endpoint), result)


@implements("eye")
def eye(
    result: Result, n_rows: int, n_cols: Any = None, *, k: int = 0, dtype: Any = None
) -> da.Array:
    """Return ones on a diagonal."""
    return _created(Part(tasks.eye_block, k, result[0]), result)


@implements("fft.fftfreq", "fft.rfftfreq", named=True)
def frequencies(
    name: str, result: Result, n: int, *, d: float = 1.0, dtype: Any = None
) -> da.Array:
    """Return the frequencies of a transform, of real numbers for `rfftfreq`."""
    halved = name == "fft.rfftfreq"
    return _created(Part(tasks.frequency_block, n, d, result[0], halved), result)
