"""NumPy's windows."""

from __future__ import annotations

import math
from collections.abc import Callable

from corepy import array_api as xp
from corepy._cython.core import Tensor

__all__ = ["bartlett", "blackman", "hamming", "hanning"]


def _window(M: int, of: Callable[[Tensor, int], Tensor]) -> Tensor:
    if M < 2:
        return xp.ones(max(M, 0))
    return of(xp.arange(1 - M, M, 2), M - 1)


def hanning(M: int) -> Tensor:
    """Return the Hann window. See `numpy.hanning`."""
    return _window(M, lambda n, last: 0.5 + 0.5 * xp.cos(math.pi * n / last))


def hamming(M: int) -> Tensor:
    """Return the Hamming window. See `numpy.hamming`."""
    return _window(M, lambda n, last: 0.54 + 0.46 * xp.cos(math.pi * n / last))


def blackman(M: int) -> Tensor:
    """Return the Blackman window. See `numpy.blackman`."""
    return _window(
        M,
        lambda n, last: (
            0.42 + 0.5 * xp.cos(math.pi * n / last) + 0.08 * xp.cos(2.0 * math.pi * n / last)
        ),
    )


def bartlett(M: int) -> Tensor:
    """Return the triangular window with zeros at its ends. See `numpy.bartlett`."""
    return _window(M, lambda n, last: xp.where(n <= 0, 1 + n / last, 1 - n / last))
