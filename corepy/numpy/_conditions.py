"""Where the standard's functions compute what NumPy's of the same name do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np

from corepy._cython.core import Tensor, kind_of
from corepy.numpy._arguments import Elements, InexactArray, Shape

__all__ = ["CONDITIONS", "IN_FLOAT32"]


def _are_vectors(*arrays: Any) -> bool:
    """Return whether arrays have one axis and one dtype; the last argument may be the indexing."""
    for x in arrays:
        if type(x) is not str and (x.ndim != 1 or x.dtype is not arrays[0].dtype):
            return False
    return len(arrays) > 0


def _has_axes_to_transform(x: Tensor, s: Any, axes: Any) -> bool:
    """Return whether a transform is of some axes, and sizes are those of named axes."""
    return bool(axes) or (axes is None and s is None and x.ndim > 0)


def _are_wide(*operands: Any) -> bool:
    """Return whether NumPy computes in the dtype of floating-point operands, or in float64."""
    return all(kind_of(x) == "f" or x.dtype.itemsize > 2 for x in operands if isinstance(x, Tensor))


_REAL = int | float
_WITH_AXES = Annotated[Tensor, Elements(least=1)]
_MATRICES = Annotated[Tensor, Elements(least=2)]
_SCALARS = (bool, int, float, complex)

#: When the standard's function computes what NumPy's of the name does: a condition about some of
#: its arguments, or narrower annotations of them; None: never.
CONDITIONS: dict[str, Callable[..., bool] | dict[str, Any] | None] = {
    "corepy.array": None,
    # In NumPy, imaginary parts are dropped with a warning.
    "corepy.astype": lambda x, dtype: x.dtype.kind != "c" or dtype.kind in "cb",
    # Text, objects and large integers are NumPy's.
    "corepy.asarray": None,
    "corepy.clip": None,
    "corepy.finfo": None,
    "corepy.iinfo": None,
    "corepy.squeeze": {"axis": int | tuple[int, ...]},
    # In NumPy, Python scalars have the default dtype here, for any other operand, and the zeroth
    # difference is the argument itself.
    "corepy.diff": lambda n, prepend, append: (
        n > 0 and not (type(prepend) in _SCALARS or type(append) in _SCALARS)
    ),
    # In NumPy, the value decides the dtype, of integers beyond int64 too.
    "corepy.full": None,
    "corepy.full_like": {"x": InexactArray, "fill_value": _REAL, "dtype": None},
    "corepy.mean": {"dtype": None},
    "corepy.meshgrid": _are_vectors,
    "corepy.moveaxis": {"source": Shape, "destination": Shape},
    "corepy.tensordot": None,
    "corepy.linalg.tensordot": None,
    "corepy.linalg.matrix_rank": None,
    "corepy.isdtype": {"dtype": Any, "kind": Any},
    # In NumPy, results for narrow integers are float16 or float32.
    "corepy.heaviside": _are_wide,
    "corepy.nextafter": _are_wide,
    "corepy.spacing": _are_wide,
    # In NumPy, results for integers may be integers.
    "corepy.reciprocal": {"x": InexactArray},
    # The first power is the argument itself.
    "corepy.linalg.matrix_power": lambda x, n: kind_of(x) in "fc" and n != 1,
    # NumPy's message is that of its own function.
    "corepy.linalg.outer": lambda x1, x2: np.ndim(x1) == 1 == np.ndim(x2),
    # In NumPy, the dtype is that of bounds that are arrays or its scalars.
    "corepy.linspace": {"start": _REAL, "stop": _REAL},
    # In NumPy, the tolerance without arguments is another one.
    "corepy.linalg.pinv": None,
    # Before NumPy 2.5, results are real if all eigenvalues are.
    "corepy.linalg.eig": None,
    "corepy.linalg.eigvals": None,
    # In NumPy, components of scalars are scalars.
    "corepy.imag": {"x": _WITH_AXES},
    "corepy.real": {"x": _WITH_AXES},
    # In NumPy, single elements are scalars, not views.
    "corepy.flip": {"x": _WITH_AXES},
    "corepy.unstack": {"x": _MATRICES},
    # In NumPy, arrays without axes have one element to sort, and NaN is last in both orders.
    "corepy.argsort": {"x": _WITH_AXES, "descending": Literal[False]},
    "corepy.sort": {"descending": Literal[False]},
    # In NumPy, arrays are flat without an axis, and empty ones take some indices out of range.
    "corepy.take": lambda x, axis: (axis is not None or x.ndim == 1) and x.size > 0,
    # In NumPy, a transform without axes keeps the dtype, and sizes without axes are deprecated.
    "corepy.fft.fftn": _has_axes_to_transform,
    "corepy.fft.ifftn": _has_axes_to_transform,
    "corepy.fft.irfftn": _has_axes_to_transform,
    "corepy.fft.rfftn": _has_axes_to_transform,
    "corepy.fft.fftfreq": lambda n: n > 0,
    "corepy.fft.rfftfreq": lambda n: n > 0,
    # In NumPy, a vector is the rows of a matrix.
    "corepy.tril": {"x": _MATRICES},
    "corepy.triu": {"x": _MATRICES},
    # In NumPy, one number is a tuple of one.
    "corepy.tile": {"repetitions": int | tuple[int, ...]},
}

#: Functions of several operations that are computed in float32 for halves, whose results are
#: rounded once. Others are of one operation, or move elements.
IN_FLOAT32 = frozenset(
    """
    allclose angle around average chebval cond convolve corrcoef correlate cov cross deg2rad degrees
    divmod float_power fmod gradient histogram histogram2d histogram_bin_edges interp isclose
    kron lstsq mean median modf multi_dot nancumprod nancumsum nanmean nanmedian nanpercentile
    nanprod nanquantile nanstd nansum nanvar norm percentile pinv polyder polyfit polymul polyval
    prod qr quantile rad2deg radians round sinc std sum svd tensordot trapezoid unwrap vander var
    """.split()
)
