"""`numpy.linalg` where its arguments or results are not those of the standard's functions."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu, kind_of
from corepy._cython.cpu.linear_algebra import least_squares as _least_squares
from corepy._cython.cpu.linear_algebra import upper_factor as _upper_factor
from corepy.numpy._arguments import Array, Arrays, Axes, InexactArray, takes
from corepy.numpy._products import stored_alike
from corepy.numpy._products import tensordot as _tensordot

__all__ = [
    "cond", "lstsq", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "svd", "tensordot",
]  # fmt: skip

_linalg = xp.linalg
_EPSILON = float(np.finfo(np.float64).eps)


def norm(
    x: Array,
    ord: int | float | Literal["fro", "nuc"] | None = None,
    axis: Axes = None,
    keepdims: bool = False,
) -> Tensor:
    """Compute a norm of vectors or matrices. See `numpy.linalg.norm`."""
    if kind_of(x) not in "fc":
        x = xp.astype(x, np.dtype("d"))
    ndim = x.ndim
    if axis is None:
        if ord is None or (ord == 2 and ndim == 1) or (ord == "fro" and ndim == 2):
            return _linalg.vector_norm(x, keepdims=keepdims) if keepdims else _linalg.vector_norm(x)
        axis = tuple(range(ndim))
    elif isinstance(axis, int):
        axis = (axis,)
    if len(axis) == 1 and not isinstance(ord, str):
        order = 2 if ord is None else ord
        return _linalg.vector_norm(x, axis=axis[0], keepdims=keepdims, ord=order)
    if len(axis) != 2:
        raise ValueError(f"linalg.norm: ord={ord!r} is not a norm of {len(axis)} axes")
    if ord is None or ord == "fro":
        return _linalg.vector_norm(x, axis=axis, keepdims=keepdims)
    if axis != (ndim - 2, ndim - 1):
        x = xp.moveaxis(x, axis, (-2, -1))
    result = _linalg.matrix_norm(x, ord=ord)
    if keepdims:
        for k in sorted(k % ndim for k in axis):
            result = xp.expand_dims(result, axis=k)
    return result


# Numbers that are not finite are errors before NumPy 2.5.
@takes(lambda x: bool(xp.all(xp.isfinite(x))))
def cond(x: Array, p: Literal[2, -2] | None = None) -> Tensor:
    """Compute condition numbers. See `numpy.linalg.cond`."""
    if x.size == 0:
        raise np.linalg.LinAlgError(
            f"linalg.cond: matrices must have elements, got shape {x.shape}"
        )
    s = _linalg.svdvals(x)
    result = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return xp.where(xp.isnan(result), inf, result)  # 0 / 0


@takes(lambda tol, rtol: tol is None or rtol is None)
def matrix_rank(
    A: Array,
    tol: Array | None = None,
    hermitian: Literal[False] = False,
    *,
    rtol: Array | None = None,
) -> Any:
    """Count singular values that are not almost zero. See `numpy.linalg.matrix_rank`."""
    if A.ndim < 2:
        return int(bool(xp.any(A != 0)))
    s = _linalg.svdvals(A)
    if tol is not None:
        return xp.count_nonzero(s > tol[..., None], axis=-1)
    if rtol is None:
        part: Any = max(A.shape[-2:]) * float(np.finfo(s.dtype).eps)
    else:
        part = rtol[..., None]
    largest = xp.max(s, axis=-1, keepdims=True) if s.shape[-1] else 0.0
    return xp.count_nonzero(s > largest * part, axis=-1)


def qr(a: Array, mode: Literal["reduced", "complete", "r"] = "reduced") -> Any:
    """Factor matrices into an orthonormal and a triangular one. See `numpy.linalg.qr`."""
    if mode != "r":
        return _linalg.qr(a, mode=mode)
    found = _upper_factor(a) if a.device.backend is cpu and a.ndim > 1 else NotImplemented
    return _linalg.qr(a).R if found is NotImplemented else found


def svd(
    a: Array,
    full_matrices: bool | int = True,
    compute_uv: bool | int = True,
    hermitian: Literal[False] = False,
) -> Any:
    """Compute singular values and vectors. See `numpy.linalg.svd`."""
    return _linalg.svd(a, full_matrices=bool(full_matrices)) if compute_uv else _linalg.svdvals(a)


@takes(lambda rcond, rtol: rcond is None or rtol is np._NoValue)
def pinv(
    a: InexactArray,
    rcond: float | Array | None = None,
    hermitian: Literal[False] = False,
    *,
    rtol: float | Array | None = np._NoValue,  # type: ignore[assignment]
) -> Tensor:
    """Compute pseudo-inverses of matrices. See `numpy.linalg.pinv`."""
    if rcond is None:
        rcond = 1e-15 if rtol is np._NoValue else rtol
    return _linalg.pinv(a, rtol=rcond)


@takes(
    lambda a, b: (
        a.ndim == 2 and b.ndim in (1, 2) and a.shape[0] == b.shape[0] and a.size > 0 and b.size > 0
    )
)
def lstsq(a: Array, b: Array, rcond: float | None = None) -> Any:
    """Solve systems of equations by least squares. See `numpy.linalg.lstsq`."""
    if rcond is None:
        rcond = max(a.shape) * _EPSILON
    if a.device.backend is cpu and b.device.backend is cpu:
        found = _least_squares(a, b, rcond)
        if found is not NotImplemented:
            return found
    # As LAPACK: in double precision, and by the precision where `rcond` is not a fraction.
    dtype = np.result_type(*(x.dtype if kind_of(x) in "fc" else np.float64 for x in (a, b)))
    wide = np.result_type(dtype, np.float64)
    a, b = xp.astype(a, wide), xp.astype(b, wide)
    u, s, vh = _linalg.svd(a, full_matrices=False)
    used = s > s[0] * (rcond if 0 < rcond < 1 else _EPSILON)
    rank = xp.count_nonzero(used)
    inverses = xp.where(used, 1.0 / s, 0.0)
    scales = inverses if b.ndim == 1 else inverses[:, None]
    x = xp.conj(vh.T) @ (scales * (xp.conj(u.T) @ b))
    rows, columns = a.shape
    if rows > columns and rank == columns:
        residuals = xp.sum(xp.abs(b - a @ x) ** 2, axis=0)
        residuals = residuals[None] if b.ndim == 1 else residuals
    else:
        residuals = s[:0]
    real = xp.finfo(dtype).dtype
    return (
        xp.astype(x, dtype), xp.astype(residuals, real), xp.astype(rank, np.dtype(np.int32)),
        xp.astype(s, real),
    )  # fmt: skip


def _are_matrices(arrays: Sequence[Tensor]) -> bool:
    """Whether there are two matrices or more; the first and the last may be vectors."""
    return (
        len(arrays) > 1
        and arrays[0].ndim in (1, 2)
        and arrays[-1].ndim in (1, 2)
        and all(x.ndim == 2 for x in arrays[1:-1])
    )


@takes(_are_matrices)
def multi_dot(arrays: Arrays, *, out: Tensor | None = None) -> Tensor:
    """Multiply matrices in the order that costs least. See `numpy.linalg.multi_dot`."""
    first, last = arrays[0], arrays[-1]
    if len(arrays) == 2:
        result = first @ last
    else:
        # The sizes of a vector's absent axis are 1.
        sizes = [first.shape[0] if first.ndim == 2 else 1]
        sizes += [x.shape[0] for x in arrays[1:]]
        sizes.append(last.shape[1] if last.ndim == 2 else 1)
        if len(arrays) == 3:
            m, k, l, n = sizes
            if m * l * (k + n) < k * n * (m + l):
                result = first @ arrays[1] @ last
            else:
                result = first @ (arrays[1] @ last)
        else:
            result = _product(arrays, _splits(sizes), 0, len(arrays))
    return result if out is None else stored_alike("linalg.multi_dot", result, out)


def _splits(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return where to split the product of the matrices i to j, for each (i, j).

    Matrix i has the shape ``sizes[i : i + 2]``.
    """
    count = len(sizes) - 1
    cost = {(i, i + 1): 0 for i in range(count)}
    split = {}
    for length in range(2, count + 1):
        for i in range(count - length + 1):
            j = i + length
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k, j] + sizes[i] * sizes[k] * sizes[j], k)
                for k in range(i + 1, j)
            )
    return split


def _product(
    matrices: Sequence[Tensor], split: dict[tuple[int, int], int], i: int, j: int
) -> Tensor:
    if j - i == 1:
        return matrices[i]
    k = split[i, j]
    return _product(matrices, split, i, k) @ _product(matrices, split, k, j)


def tensordot(x1: Array, x2: Array, /, *, axes: Any = 2) -> Tensor:
    """Sum products over pairs of axes. See `numpy.linalg.tensordot`."""
    return _tensordot(x1, x2, axes)
