"""Where CuPy's functions depart from the standard, or do less: what is computed instead.

Written in array API calls and indexing that every NumPy-like namespace has, so that the tests run
them over NumPy. CuPy compiles its kernels with ``-ftz=true``: they take float32 numbers below
2^-126 for zero, also when they compare. Where that matters, float32 is compared as float64, into
which Corepy's own kernels cast it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from corepy.backend.standard import corrections_for

Array = Any


def corrections(
    widen: Callable[[Array], Array],
    raising: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> dict[str, Callable[..., Any]]:
    """Return the functions that stand in for CuPy's, ``f(xp, *inputs, **params)`` by operation.

    Parameters
    ----------
    widen : callable
        Casts a native array: float32 to float64, complex64 to complex128, no other.
    raising : callable, optional
        Returns a context in which singular matrices are errors.
    """

    def bound(function: Callable[..., Any], first: Any) -> Callable[..., Any]:
        return lambda xp, *inputs, **params: function(xp, first, *inputs, **params)

    found = corrections_for("cupy")
    found.update({
        "arange": arange,
        "linspace": linspace,
        "sort": sort,
        "argsort": argsort,
        "unique_all": bound(unique_all, widen),
        "unique_counts": bound(unique_counts, widen),
        "unique_inverse": bound(unique_inverse, widen),
        "unique_values": bound(unique_values, widen),
        "searchsorted": bound(searchsorted, widen),
        "isin": bound(isin, widen),
        "repeat": repeat,
        "vecdot": vecdot,
        "linalg.vecdot": vecdot,
        "linalg.solve": bound(solve, raising),
        "linalg.inv": bound(inv, raising),
        "linalg.cholesky": bound(cholesky, raising),
        "linalg.matrix_power": bound(matrix_power, raising),
        "linalg.eigh": eigh,
        "linalg.eigvalsh": eigvalsh,
    })  # fmt: skip
    return found


# ---- creation


def arange(xp: Any, start: float, stop: float, step: float, /, *, dtype: Any) -> Array:
    """Return start, start + step, ... as NumPy does: what has no kernel, and what is an error.

    CuPy counts in float64, and wraps integers that the dtype does not have.
    """
    return xp.asarray(np.arange(start, stop, step, dtype=dtype))


def linspace(xp: Any, start: Any, stop: Any, num: int, /, *, dtype: Any, endpoint: bool) -> Array:
    """Return evenly spaced numbers as NumPy does: those that have no kernel, such as integers."""
    return xp.asarray(np.linspace(start, stop, num, dtype=dtype, endpoint=endpoint))


# ---- sorting and sets


def _one_nan(xp: Any, x: Array) -> Array:
    """Return `x` with its NaNs positive: CUB's radix sort puts negative ones first."""
    return xp.where(x != x, xp.asarray(math.nan, dtype=x.dtype), x) if x.dtype.kind == "f" else x


def sort(
    xp: Any, x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Sort along an axis; descending order keeps that of equal values (-0 and +0)."""
    if x.ndim == 0 or x.size == 0:
        return x.copy()
    x = _one_nan(xp, x)
    if not descending:
        return xp.sort(x, axis=axis, stable=stable)
    return xp.flip(xp.sort(xp.flip(x, axis=axis), axis=axis, stable=stable), axis=axis)


def argsort(
    xp: Any, x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return the positions that sort an axis; CuPy has trouble with arrays without elements."""
    if x.ndim == 0 or x.size == 0:
        return xp.zeros(x.shape, dtype=xp.int64)
    return xp.argsort(_one_nan(xp, x), axis=axis, descending=descending, stable=stable)


def _unique(xp: Any, widen: Callable[[Array], Array], x: Array) -> tuple[Array, ...]:
    """Return values, where they first are, how often, and the way back, of all of `x`."""
    flat = x.reshape(-1)
    keys = widen(flat)
    order = argsort(xp, keys)
    keys = keys[order]
    new = xp.ones(keys.shape, dtype=xp.bool)
    new[1:] = keys[1:] != keys[:-1]  # each NaN is another one
    places = xp.nonzero(new)[0].astype(np.int64)
    first = order[places]
    ends = xp.concat([places[1:], xp.full((min(x.size, 1),), x.size, dtype=xp.int64)])
    inverse = xp.empty(keys.shape, dtype=xp.int64)
    inverse[order] = xp.cumulative_sum(new.astype(np.int64), axis=0) - 1
    return flat[first], first, ends - places, inverse.reshape(x.shape)


def unique_all(xp: Any, widen: Callable[[Array], Array], x: Array, /) -> tuple[Array, ...]:
    """Return values, first positions, the way back, counts; CuPy joins small float32 numbers."""
    values, first, counts, inverse = _unique(xp, widen, x)
    return values, first, inverse, counts


def unique_counts(xp: Any, widen: Callable[[Array], Array], x: Array, /) -> tuple[Array, ...]:
    """Return values and counts."""
    values, _, counts, _ = _unique(xp, widen, x)
    return values, counts


def unique_inverse(xp: Any, widen: Callable[[Array], Array], x: Array, /) -> tuple[Array, ...]:
    """Return values and the way back, which has the shape of `x`."""
    values, _, _, inverse = _unique(xp, widen, x)
    return values, inverse


def unique_values(xp: Any, widen: Callable[[Array], Array], x: Array, /) -> Array:
    """Return values."""
    return _unique(xp, widen, x)[0]


def searchsorted(
    xp: Any,
    widen: Callable[[Array], Array],
    x1: Array,
    x2: Array,
    /,
    *,
    side: str = "left",
    sorter: Array = None,
) -> Array:
    """Find where elements belong; both are of one dtype, which for CuPy may not be bool."""
    if x1.dtype.kind == "b":
        x1, x2 = x1.astype(np.uint8), x2.astype(np.uint8)
    if sorter is not None:
        x1 = x1[sorter.astype(np.int64)]
    if x1.size == 0 or x2.size == 0:
        return xp.zeros(x2.shape, dtype=xp.int64)
    return xp.searchsorted(widen(x1), widen(x2), side=side).astype(np.int64)


def isin(
    xp: Any, widen: Callable[[Array], Array], x1: Array, x2: Array, /, *, invert: bool = False
) -> Array:
    """Tell which elements of `x1` are in `x2`, of the same dtype; NaN is in no array."""
    if x1.size == 0 or x2.size == 0:
        found = xp.zeros(x1.shape, dtype=xp.bool)
    else:
        wanted, values = widen(x1), widen(x2).reshape(-1)
        if x1.dtype.kind == "b":
            wanted, values = wanted.astype(np.uint8), values.astype(np.uint8)
        if x1.dtype.kind == "c":  # has no order to search in
            found = (wanted[..., None] == values).any(axis=-1)
        else:
            values = sort(xp, values)
            places = xp.searchsorted(values, wanted).clip(0, values.size - 1)
            found = values[places] == wanted
    return ~found if invert else found


# ---- manipulation


def repeat(xp: Any, x: Array, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Repeat elements; CuPy takes counts from the host alone."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    if not isinstance(repeats, int):
        counts = repeats.get() if hasattr(repeats, "get") else np.asarray(repeats)
        counts = np.broadcast_to(counts.astype(np.int64), (x.shape[axis],))
        places = xp.asarray(np.repeat(np.arange(x.shape[axis]), counts))
        return xp.take(x, places, axis=axis)
    return xp.repeat(x, repeats, axis=axis)


# ---- linear algebra


def vecdot(xp: Any, x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Sum the products along an axis, by BLAS; the first factor is conjugated."""
    a, b = (xp.moveaxis(x, axis, -1) for x in (x1, x2))
    if a.dtype.kind not in "fc":
        return (a * b).sum(axis=-1, dtype=x1.dtype)
    if a.dtype.kind == "c":
        a = xp.conj(a)
    return xp.matmul(a[..., None, :], b[..., :, None])[..., 0, 0]


def _columns(xp: Any, x1: Array, x2: Array) -> tuple[Array, Array]:
    """Return a stack of matrices and one of right sides, with the same stacked axes."""
    stacked = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    return (
        xp.broadcast_to(x1, (*stacked, *x1.shape[-2:])),
        xp.broadcast_to(x2, (*stacked, *x2.shape[-2:])),
    )


def solve(xp: Any, raising: Any, x1: Array, x2: Array, /) -> Array:
    """Solve linear equations; CuPy broadcasts no stacks, and is silent about singular matrices."""
    vector = x2.ndim == 1
    a, b = _columns(xp, x1, x2[:, None] if vector else x2)
    if a.size == 0 or b.size == 0:
        out = xp.zeros(b.shape, dtype=b.dtype)
    else:
        with raising():
            out = xp.linalg.solve(a, b)
    return out[..., 0] if vector else out


def inv(xp: Any, raising: Any, x: Array, /) -> Array:
    """Invert matrices; CuPy is silent about singular ones."""
    with raising():
        return xp.linalg.inv(x)


def cholesky(xp: Any, raising: Any, x: Array, /, *, upper: bool = False) -> Array:
    """Factorise matrices; CuPy is silent about those that are not positive definite.

    The upper factor is that of the matrix that the upper triangle says.
    """
    with raising():
        factor = xp.linalg.cholesky(xp.conj(xp.matrix_transpose(x)) if upper else x)
    return xp.conj(xp.matrix_transpose(factor)) if upper else factor


def matrix_power(xp: Any, raising: Any, x: Array, n: int, /) -> Array:
    """Multiply matrices with themselves; CuPy takes no stacks."""
    if n < 0:
        x, n = inv(xp, raising, x), -n
    if n == 0:
        out = xp.zeros(x.shape, dtype=x.dtype)
        out[...] = xp.eye(x.shape[-1], dtype=x.dtype)
        return out
    out = None
    while True:
        if n & 1:
            out = x if out is None else xp.matmul(out, x)
        n >>= 1
        if n == 0:
            return out.copy() if out is x else out
        x = xp.matmul(x, x)


#: Up to this size Jacobi's method takes a whole stack of matrices at once.
JACOBI = 32


def _each(function: Callable[..., Any], x: Array) -> list[Any]:
    """Return what a function gives for each matrix of a stack."""
    return [function(matrix) for matrix in x.reshape(-1, *x.shape[-2:])]


def eigh(xp: Any, x: Array, /) -> tuple[Array, Array]:
    """Decompose Hermitian matrices: large ones of a stack one by one, which is more accurate."""
    if x.ndim == 2 or x.size == 0 or x.shape[-1] <= JACOBI:
        return tuple(xp.linalg.eigh(x))  # type: ignore[return-value]
    pairs = _each(xp.linalg.eigh, x)
    values = xp.stack([pair[0] for pair in pairs]).reshape(x.shape[:-1])
    return values, xp.stack([pair[1] for pair in pairs]).reshape(x.shape)


def eigvalsh(xp: Any, x: Array, /) -> Array:
    """Return the eigenvalues of Hermitian matrices; see `eigh`."""
    if x.ndim == 2 or x.size == 0 or x.shape[-1] <= JACOBI:
        return xp.linalg.eigvalsh(x)
    return xp.stack(_each(xp.linalg.eigvalsh, x)).reshape(x.shape[:-1])


def widened(backend: Any) -> Callable[[Array], Array]:
    """Return the function that `corrections` takes, by a backend's own kernels."""
    wider = {"float32": np.dtype("float64"), "complex64": np.dtype("complex128")}

    def widen(native: Array) -> Array:
        target = wider.get(native.dtype.name)
        if target is None:
            return native
        return backend.unwrap(backend.astype(backend.wrap(native), target, True))

    return widen


def for_cupy(backend: Any) -> dict[str, Callable[..., Any]]:
    """Return the corrections of a backend over CuPy."""
    import cupyx

    return corrections(widened(backend), functools.partial(cupyx.errstate, linalg="raise"))
