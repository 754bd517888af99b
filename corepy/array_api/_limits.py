"""The limits of the numbers of a dtype, which `finfo` and `iinfo` return."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np


class FloatLimits(NamedTuple):
    """Limits of a real floating-point dtype, as `finfo` returns them.

    Attributes
    ----------
    bits : int
        Width of a number.
    eps : float
        Distance from 1 to the next larger number.
    max, min : float
        Largest and smallest finite number.
    smallest_normal : float
        Smallest positive number of full precision.
    dtype : numpy.dtype
        The real dtype that this describes.
    epsneg : float
        Distance from 1 to the next smaller number.
    precision : int
        Number of decimal digits that are always kept.
    resolution : float
        ``10**-precision``.
    smallest_subnormal : float
        Smallest positive number.

    Notes
    -----
    The first six are the standard's, the others and `tiny` NumPy's. All numbers are Python scalars.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype
    epsneg: float
    precision: int
    resolution: float
    smallest_subnormal: float

    @property
    def tiny(self) -> float:
        """NumPy's name for `smallest_normal`."""
        return self.smallest_normal


class IntegerLimits(NamedTuple):
    """Limits of an integer dtype, as `iinfo` returns them.

    Attributes
    ----------
    bits : int
        Width of a number.
    max, min : int
        Largest and smallest number.
    dtype : numpy.dtype
        The dtype that this describes.
    """

    bits: int
    max: int
    min: int
    dtype: np.dtype

    @property
    def kind(self) -> str:
        """NumPy's character for the kind of the dtype: ``"i"`` or ``"u"``."""
        return self.dtype.kind


@cache
def float_limits(dtype: np.dtype) -> FloatLimits:
    """Return the limits of a floating-point dtype, for complex dtypes those of a component."""
    if dtype.name == "bfloat16":
        from ml_dtypes import finfo
    else:
        finfo = np.finfo
    limits = finfo(dtype)
    return FloatLimits(
        bits=int(limits.bits),
        eps=float(limits.eps),
        max=float(limits.max),
        min=float(limits.min),
        smallest_normal=float(limits.smallest_normal),
        dtype=np.dtype(limits.dtype),
        epsneg=float(limits.epsneg),
        precision=int(limits.precision),
        resolution=float(limits.resolution),
        smallest_subnormal=float(limits.smallest_subnormal),
    )


@cache
def integer_limits(dtype: np.dtype) -> IntegerLimits:
    """Return the limits of an integer dtype."""
    limits = np.iinfo(dtype)
    return IntegerLimits(
        bits=int(limits.bits), max=int(limits.max), min=int(limits.min), dtype=np.dtype(dtype)
    )
