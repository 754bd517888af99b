"""`numpy.fft` with NumPy's arguments, over the standard's transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy.numpy._arguments import Array, stored, takes

__all__ = [
    "fft", "fft2", "fftn", "hfft", "ifft", "ifft2", "ifftn", "ihfft", "irfft", "irfft2", "irfftn",
    "rfft", "rfft2", "rfftn",
]  # fmt: skip

_fft = xp.fft
Norm = Literal["backward", "ortho", "forward"] | None
Sizes = tuple[int, ...] | list[int] | None


def _written(name: str, result: Tensor, out: Tensor | None) -> Tensor:
    """Return the result of a transform, written to `out` if that is not None."""
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(
            f"fft.{name}: out has wrong shape {out.shape}, that of the result is {result.shape}"
        )
    if not np.can_cast(result.dtype, out.dtype, "same_kind"):
        raise TypeError(f"fft.{name}: Cannot cast a result of {result.dtype} to {out.dtype}")
    return stored(result, out)


def _along_axis(transform: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return a transform along one axis with NumPy's arguments."""
    name = transform.__name__

    def function(
        a: Array, n: int | None = None, axis: int = -1, norm: Norm = None, out: Tensor | None = None
    ) -> Tensor:
        return _written(name, transform(a, n=n, axis=axis, norm=norm or "backward"), out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Transform along an axis. See `numpy.fft.{name}`."
    return function


def _along_axes(
    name: str, transform: Callable[..., Tensor], last: tuple[int, ...] | None = None
) -> Callable[..., Tensor]:
    """Return a transform along axes, all of them or the `last`, with NumPy's arguments."""

    # In NumPy, a transform without axes keeps the dtype, and sizes without axes are deprecated.
    @takes(lambda a, s, axes: bool(axes) or (axes is None and s is None and a.ndim > 0))
    def function(
        a: Array, s: Sizes = None, axes: Sizes = last, norm: Norm = None, out: Tensor | None = None
    ) -> Tensor:
        return _written(name, transform(a, s=s, axes=axes, norm=norm or "backward"), out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Transform along axes. See `numpy.fft.{name}`."
    return function


fft = _along_axis(_fft.fft)
ifft = _along_axis(_fft.ifft)
rfft = _along_axis(_fft.rfft)
irfft = _along_axis(_fft.irfft)
hfft = _along_axis(_fft.hfft)
ihfft = _along_axis(_fft.ihfft)
fftn = _along_axes("fftn", _fft.fftn)
ifftn = _along_axes("ifftn", _fft.ifftn)
rfftn = _along_axes("rfftn", _fft.rfftn)
irfftn = _along_axes("irfftn", _fft.irfftn)
fft2 = _along_axes("fft2", _fft.fftn, (-2, -1))
ifft2 = _along_axes("ifft2", _fft.ifftn, (-2, -1))
rfft2 = _along_axes("rfft2", _fft.rfftn, (-2, -1))
irfft2 = _along_axes("irfft2", _fft.irfftn, (-2, -1))
