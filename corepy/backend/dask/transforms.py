"""Fourier transforms, along axes that are in one chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy.backend.dask import shapes
from corepy.backend.dask.operations import Result
from corepy.backend.dask.sorting import within


def transform(
    name: str,
    results: list[Result],
    x: da.Array,
    *,
    n: Any = None,
    axis: int = -1,
    norm: str = "backward",
) -> da.Array:
    """Compute transforms along one axis."""
    return within(name, results, x, axis % x.ndim, {"n": n, "axis": axis, "norm": norm})


def shift(name: str, results: list[Result], x: da.Array, *, axes: Any = None) -> da.Array:
    """Move the zero frequency to the middle, or back."""
    axes = range(x.ndim) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    axes = tuple(k % x.ndim for k in axes)
    half = [x.shape[k] // 2 if name == "fft.fftshift" else -(x.shape[k] // 2) for k in axes]
    return shapes.roll(results, x, tuple(half), axis=axes) if axes else x


def transforms(
    name: str,
    results: list[Result],
    x: da.Array,
    *,
    s: Any = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> da.Array:
    """Compute transforms along several axes: along one after the other."""
    (result,) = results
    if axes is None:
        axes = range(x.ndim - len(s), x.ndim) if s is not None else range(x.ndim)
    axes = [axis % x.ndim for axis in axes]
    if not axes:
        return shapes._cast(x, result[0])
    last = result[1][axes[-1]]
    sizes = [result[1][axis] for axis in axes]
    halved = name in ("fft.rfftn", "fft.irfftn")
    single = name.removesuffix("n")
    wide = result[0] if result[0].kind == "c" else np.result_type(result[0], np.complex64)
    steps = list(zip(axes, sizes, strict=True))
    if name == "fft.rfftn":
        n = s[-1] if s is not None else x.shape[axes[-1]]
        steps[-1] = (axes[-1], n)
    steps = steps[::-1] if name == "fft.rfftn" else steps
    for k, (axis, n) in enumerate(steps):
        one = single
        if halved and not (k == 0 if name == "fft.rfftn" else k == len(steps) - 1):
            one = "fft.fft" if name == "fft.rfftn" else "fft.ifft"
        size = n // 2 + 1 if one == "fft.rfft" else n
        shape = (*x.shape[:axis], size, *x.shape[axis + 1 :])
        dtype = result[0] if one == "fft.irfft" else wide
        x = transform(one, [(dtype, shape)], x, n=n, axis=axis, norm=norm)
    assert x.shape[axes[-1]] == last
    return x
