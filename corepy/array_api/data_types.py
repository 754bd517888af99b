"""Data types (array API standard 2025.12, "Data Types"), and the limits of their numbers.

``x.dtype`` is a NumPy dtype instance on every device, so it compares, prints and pickles as NumPy
users expect; backends map it to their own. The namespace's names are NumPy's scalar types, as in
NumPy's own namespace: they equal the instances, are accepted wherever a dtype is expected, and
make a number of their dtype when called. (Instances would not do:
``numpy.dtype("float64") == None`` is true, as None stands for the default dtype there.)

Two are beyond the standard: float16, and bfloat16, whose scalar type is that of the package
ml_dtypes, which is imported when the namespace is first asked for it. They are computed in float32;
each result is rounded once.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

__all__ = [
    "bool",
    "complex64",
    "complex128",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

# generated: dtypes
bool = np.bool_
int8 = np.int8
int16 = np.int16
int32 = np.int32
int64 = np.int64
uint8 = np.uint8
uint16 = np.uint16
uint32 = np.uint32
uint64 = np.uint64
float32 = np.float32
float64 = np.float64
complex64 = np.complex64
complex128 = np.complex128

#: The standard's dtypes, as instances, by name.
DTYPES = {
    np.dtype(scalar).name: np.dtype(scalar)
    for scalar in (
        bool,
        int8,
        int16,
        int32,
        int64,
        uint8,
        uint16,
        uint32,
        uint64,
        float32,
        float64,
        complex64,
        complex128,
    )
}
# end of generated: dtypes

float16 = np.float16

#: The standard's kinds of dtypes, as the characters that NumPy has for them (``dtype.kind``).
KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


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
