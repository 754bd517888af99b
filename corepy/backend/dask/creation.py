"""Creation: each chunk by a task of its own."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from corepy.backend.dask import graphs, tasks
from corepy.backend.dask.operations import Result
from corepy.backend.dask.tasks import Part


def _created(function: Part, result: Result, chunks: graphs.Chunks | None = None) -> da.Array:
    """Return an array whose blocks are a function of where they are."""
    dtype, shape = result
    chunks = graphs.automatic_chunks(shape, dtype) if chunks is None else chunks
    index = tuple(range(len(shape)))
    return graphs.mapped(function, [(graphs.location(chunks), index)], index, chunks, dtype)


def full(
    shape: tuple[int, ...], value: Any, dtype: np.dtype, chunks: graphs.Chunks | None = None
) -> da.Array:
    """Return an array of one value."""
    return _created(Part(tasks.filled_block, value, dtype), (dtype, shape), chunks)


def arange(
    results: list[Result], start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None
) -> da.Array:
    """Return start, start + step, ... up to stop."""
    (result,) = results
    if stop is None:
        start = 0
    return _created(Part(tasks.range_block, start, step, result[0]), result)


def linspace(
    results: list[Result], start: Any, stop: Any, num: int, *, dtype: Any, endpoint: bool = True
) -> da.Array:
    """Return evenly spaced numbers."""
    (result,) = results
    return _created(Part(tasks.spaced_block, start, stop, num, result[0], endpoint), result)


def eye(
    results: list[Result], n_rows: int, n_cols: Any = None, *, k: int = 0, dtype: Any = None
) -> da.Array:
    """Return ones on a diagonal."""
    (result,) = results
    return _created(Part(tasks.eye_block, k, result[0]), result)


def fftfreq(results: list[Result], n: int, *, d: float = 1.0, dtype: Any = None) -> da.Array:
    """Return the frequencies of a transform."""
    (result,) = results
    return _created(Part(tasks.frequency_block, n, d, result[0], False), result)


def rfftfreq(results: list[Result], n: int, *, d: float = 1.0, dtype: Any = None) -> da.Array:
    """Return the frequencies of a transform of real numbers."""
    (result,) = results
    return _created(Part(tasks.frequency_block, n, d, result[0], True), result)
