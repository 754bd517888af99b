"""Tensors on Dask in chunks of few elements, so that small arrays have several."""

import contextlib
import warnings

import dask
import dask.array as da

import corepy
from corepy.backend import get_backend

there = corepy.namespace("dask")
backend = get_backend("dask")


@contextlib.contextmanager
def small_chunks():
    """Chunks of 4 elements of 8 bytes; no operation is computed by another backend."""
    with (
        dask.config.set({"array.chunk-size": "32 B", "scheduler": "synchronous"}),
        corepy.config(fallback="error"),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", r".*(gathered in one task|are computed now)")
        warnings.filterwarnings("ignore", category=da.PerformanceWarning)
        yield


def native(x):
    return backend.unwrap(x)


def in_chunks(array, *chunks):
    return there.asarray(array, chunks=chunks)
