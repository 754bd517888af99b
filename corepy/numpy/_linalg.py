"""`numpy.linalg` where its arguments or results are not those of the standard's functions."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import index
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu
from corepy._cython.cpu.factorizations import least_squares as _least_squares
from corepy._cython.cpu.factorizations import upper_factor as _upper_factor
from corepy.numpy._arguments import Forward, pair, stored, tensor, tensors

__all__ = ["cond", "lstsq", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "svd"]

_linalg = xp.linalg
_EPSILON = float(np.finfo(np.float64).eps)


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute a norm of vectors or matrices. See `numpy.linalg.norm`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    if x.dtype.kind not in "fc":
        x = xp.astype(x, np.dtype("d"))
    ndim = x.ndim
    if axis is None:
        if ord is None or (ord == 2 and ndim == 1) or (ord == "fro" and ndim == 2):
            return _linalg.vector_norm(x, keepdims=keepdims) if keepdims else _linalg.vector_norm(x)
        axis = tuple(range(ndim))
    elif type(axis) is not tuple:
        axis = (index(axis),)
    if len(axis) == 1:
        return _vector_norm(x, 2 if ord is None else ord, axis[0], keepdims)
    if len(axis) != 2:
        raise Forward
    if ord is None or ord == "fro":
        return _linalg.vector_norm(x, axis=axis, keepdims=keepdims)
    return _matrix_norm(x, ord, axis, keepdims)


def _vector_norm(x: Tensor, ord: Any, axis: int, keepdims: bool) -> Tensor:
    if type(ord) not in (int, float):
        raise Forward
    return _linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


def _matrix_norm(x: Tensor, ord: Any, axis: tuple[Any, ...], keepdims: bool) -> Tensor:
    row, column = (k + x.ndim if k < 0 else k for k in map(index, axis))
    if row == column or not (0 <= row < x.ndim and 0 <= column < x.ndim):
        raise Forward
    if ord not in (1, -1, 2, -2, inf, -inf, "nuc"):
        raise Forward
    if (row, column) != (x.ndim - 2, x.ndim - 1):
        x = xp.moveaxis(x, (row, column), (-2, -1))
    result = _linalg.matrix_norm(x, ord=ord)
    if not keepdims:
        return result
    for k in sorted((row, column)):
        result = xp.expand_dims(result, axis=k)
    return result


def cond(x: Any, p: Any = None) -> Tensor:
    """Compute condition numbers. See `numpy.linalg.cond`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    if x.ndim < 2 or x.size == 0 or p not in (None, 2, -2):
        raise Forward
    s = _linalg.svdvals(x)
    result = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    if xp.any(xp.isnan(result)):  # of 0 / 0, or of NaN
        raise Forward
    return result


def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """Count singular values that are not almost zero. See `numpy.linalg.matrix_rank`."""
    if not isinstance(A, Tensor):
        A = tensor(A)
    if hermitian or (tol is not None and rtol is not None):
        raise Forward
    if A.ndim < 2:
        return int(bool(xp.any(A != 0)))
    s = _linalg.svdvals(A)
    if tol is not None:
        return xp.count_nonzero(s > tensor(tol, A)[..., None], axis=-1)
    if rtol is None:
        rtol = max(A.shape[-2:]) * float(np.finfo(s.dtype).eps)
    else:
        rtol = tensor(rtol, A)[..., None]
    return xp.count_nonzero(s > xp.max(s, axis=-1, keepdims=True) * rtol, axis=-1)


def qr(a: Any, mode: str = "reduced") -> Any:
    """Factor matrices into an orthonormal and a triangular one. See `numpy.linalg.qr`."""
    if mode == "complete":
        return _linalg.qr(tensor(a), mode="complete")
    if mode == "reduced":
        return _linalg.qr(tensor(a))
    a = tensor(a)
    if mode != "r" or a.ndim < 2 or a.dtype.kind not in "fc":
        return NotImplemented
    return _upper_factor(a) if a.device.backend is cpu else _linalg.qr(a).R


def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """Compute singular values and vectors. See `numpy.linalg.svd`."""
    if hermitian:
        raise Forward
    a = tensor(a)
    return _linalg.svd(a, full_matrices=bool(full_matrices)) if compute_uv else _linalg.svdvals(a)


def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Tensor:
    """Compute pseudo-inverses of matrices. See `numpy.linalg.pinv`."""
    a = tensor(a)
    if hermitian or a.dtype.kind not in "fc" or a.size == 0:
        return NotImplemented
    if rcond is None:
        if rtol is np._NoValue:
            rcond = 1e-15
        elif rtol is None:
            return _linalg.pinv(a)
        else:
            rcond = rtol
    elif rtol is not np._NoValue:
        raise Forward
    return _linalg.pinv(a, rtol=rcond if type(rcond) is float else tensor(rcond, a))


def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """Solve systems of equations by least squares. See `numpy.linalg.lstsq`."""
    a, b = pair(a, b)
    if a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0] or not a.size or not b.size:
        return NotImplemented
    if rcond is None:
        rcond = max(a.shape) * _EPSILON
    elif not isinstance(rcond, (float, int)):
        return NotImplemented
    if a.device.backend is cpu and b.device.backend is cpu:
        x, residuals, rank, s = _least_squares(a, b, rcond)
        return x, residuals, rank[()], s
    # As LAPACK: in double precision, and by the precision where `rcond` is not a fraction.
    dtype = np.result_type(*(x.dtype if x.dtype.kind in "fc" else np.float64 for x in (a, b)))
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


def multi_dot(arrays: Sequence[Any], *, out: Any = None) -> Tensor:
    """Multiply matrices in the order that costs least. See `numpy.linalg.multi_dot`."""
    matrices = tensors(*arrays)
    if len(matrices) < 2:
        raise Forward
    first, last = matrices[0], matrices[-1]
    if first.ndim not in (1, 2) or last.ndim not in (1, 2):
        raise Forward
    if any(x.ndim != 2 for x in matrices[1:-1]):
        raise Forward
    if len(matrices) == 2:
        result = first @ last
    else:
        # The sizes of a vector's absent axis are 1.
        sizes = [first.shape[0] if first.ndim == 2 else 1]
        sizes += [x.shape[0] for x in matrices[1:]]
        sizes.append(last.shape[1] if last.ndim == 2 else 1)
        if len(matrices) == 3:
            m, k, l, n = sizes
            if m * l * (k + n) < k * n * (m + l):
                result = first @ matrices[1] @ last
            else:
                result = first @ (matrices[1] @ last)
        else:
            result = _product(matrices, _splits(sizes), 0, len(matrices))
    return result if out is None else stored(result, out)


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
