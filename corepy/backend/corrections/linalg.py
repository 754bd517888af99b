"""The linear algebra extension."""

from __future__ import annotations

from typing import Any

from corepy._cython.core import NOT_FINITE, LinAlgError
from corepy.backend.corrections.parts import constant
from corepy.backend.corrections.registry import standard


@standard("linalg.matrix_rank", "numpy", "array_api_strict", "cupy", "torch")
def matrix_rank(xp: Any, x: Any, /, *, rtol: Any = None) -> Any:
    """Count the singular values larger than ``rtol`` times the largest one.

    array-api-compat (over NumPy and CuPy) and array-api-strict fail on matrices without
    elements, whose rank is 0.

    By default ``rtol`` is ``max(M, N) * eps``.
    """
    if x.ndim < 2:
        raise ValueError(
            f"linalg.matrix_rank: x must have at least 2 dimensions, not shape {x.shape}"
        )
    values = xp.linalg.svdvals(x)
    if values.shape[-1] == 0:
        return xp.sum(xp.astype(values, xp.int64), axis=-1)
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(xp.finfo(values.dtype).eps)
    if isinstance(rtol, (bool, int, float)):
        rtol = constant(xp, float(rtol), like=values)
    rtol = xp.expand_dims(xp.astype(rtol, values.dtype, copy=False), axis=-1)
    tolerance = xp.max(values, axis=-1, keepdims=True) * rtol
    return xp.count_nonzero(values > tolerance, axis=-1)


def _finite(xp: Any, x: Any) -> Any:
    """Return a copy of `x`, which no other thread can change after the check.

    LAPACK's iteration for singular vectors does not end for some matrices with an infinite element.
    """
    x = xp.asarray(x, copy=True)
    if not xp.all(xp.isfinite(x)):
        raise LinAlgError(NOT_FINITE)
    return x


@standard("linalg.svd", "numpy", "array_api_strict", "torch")
def svd(xp: Any, x: Any, /, *, full_matrices: bool = True) -> Any:
    """Decompose matrices into singular vectors and values.

    Raises
    ------
    numpy.linalg.LinAlgError
        An element is not finite, or the iteration does not converge.
    """
    return xp.linalg.svd(_finite(xp, x), full_matrices=full_matrices)


@standard("linalg.pinv", "numpy", "array_api_strict", "torch")
def pinv(xp: Any, x: Any, /, *, rtol: Any = None) -> Any:
    """Compute pseudo-inverses, which NumPy computes from singular vectors: see `svd`."""
    return xp.linalg.pinv(_finite(xp, x), rtol=rtol)


@standard("linalg.cross", "numpy", "array_api_strict", "cupy")
def cross(xp: Any, x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """Compute the cross product of vectors with three components.

    NumPy and CuPy also take vectors with two components, and so does array-api-strict for `x2`.

    Raises unless the size of the axis is 3 for both.
    """
    for x in (x1, x2):
        if not -x.ndim <= axis < x.ndim:
            raise IndexError(f"linalg.cross: axis {axis} is out of range for shape {x.shape}")
        if x.shape[axis] != 3:
            raise ValueError(
                f"linalg.cross: the size of axis {axis} must be 3, not {x.shape[axis]}"
            )
    if axis >= 0 and x1.ndim == x2.ndim:
        axis -= x1.ndim  # counted from the end, as in the standard; some libraries require it
    return xp.linalg.cross(x1, x2, axis=axis)
