"""Fourier transforms, along axes that are in one chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy.backend.dask import graphs, shapes
from corepy.backend.dask.graphs import Result
from corepy.backend.dask.operations import implements
from corepy.backend.dask.sorting import within


@implements(*(f"fft.{name}" for name in "fft ifft rfft irfft hfft ihfft".split()), named=True)
def transform(
    name: str, result: Result, x: da.Array, *, n: Any = None, axis: int = -1, norm: str = "backward"
) -> da.Array:
    """Compute transforms along one axis."""
    return within(name, result, x, axis % x.ndim, {"n": n, "axis": axis, "norm": norm})


@implements("fft.fftshift", "fft.ifftshift", named=True, result=False)
def shift(name: str, x: da.Array, *, axes: Any = None) -> da.Array:
    """Move the zero frequency to the middle, or back."""
    axes = graphs.axes_of(axes, x.ndim)
    half = [x.shape[k] // 2 if name == "fft.fftshift" else -(x.shape[k] // 2) for k in axes]
    return shapes.roll(x, half, axis=axes) if axes else x


@implements(*(f"fft.{name}" for name in "fftn ifftn rfftn irfftn".split()), named=True)
def transforms(
    name: str,
    result: Result,
    x: da.Array,
    *,
    s: Any = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> da.Array:
    """Compute transforms along several axes: along one after the other.

    That of real numbers, or to real numbers, is the one along the last axis.
    """
    dtype, shape = result
    if axes is None and s is not None:
        axes = range(x.ndim - len(s), x.ndim)
    axes = graphs.axes_of(axes if axes is None else tuple(axes), x.ndim)
    if not axes:
        return graphs.cast(x, dtype)
    wide = dtype if dtype.kind == "c" else np.result_type(dtype, np.complex64)
    single = name.removesuffix("n")
    others = {"fft.rfft": "fft.fft", "fft.irfft": "fft.ifft"}.get(single, single)
    steps = [(others, axis, shape[axis]) for axis in axes[:-1]]
    if name == "fft.rfftn":
        steps.append((single, axes[-1], s[-1] if s is not None else x.shape[axes[-1]]))
        steps.reverse()
    else:
        steps.append((single, axes[-1], shape[axes[-1]]))
    for one, axis, n in steps:
        size = n // 2 + 1 if one == "fft.rfft" else n
        made = (*x.shape[:axis], size, *x.shape[axis + 1 :])
        made_dtype = dtype if one == "fft.irfft" else wide
        x = transform(one, (made_dtype, made), x, n=n, axis=axis, norm=norm)
    return x
