"""Corrections of CuPy's functions that depart from the standard or support less.

Written in array API calls and indexing that every NumPy-like namespace has, so that the tests run
them over NumPy. CuPy compiles its kernels with ``-ftz=true`` and contracts products and sums: they
treat float32 numbers below 2^-126 as zero, also in comparisons, and round differently from
Corepy's. So functions that consist of a few elementwise functions and reductions use Corepy's
kernels; elsewhere, if it matters, float32 is compared as float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType
from typing import Any

from corepy._cython.core import as_dtype, broadcast_shapes
from corepy.backend.corrections import STANDARD, corrections_for
from corepy.backend.corrections.sets import unique_functions

Array = Any


def corrections(
    widen: Callable[[Array], Array],
    raising: Callable[[], AbstractContextManager[Any]] = nullcontext,
    with_kernels: Callable[[Callable[..., Any]], Callable[..., Any]] = lambda function: function,
    *,
    host: ModuleType,
) -> dict[str, Callable[..., Any]]:
    """Return the replacements of CuPy's functions, ``f(xp, *inputs, **params)`` by operation.

    Parameters
    ----------
    widen : callable
        Casts a native array: float32 to float64, complex64 to complex128, no other.
    raising : callable, optional
        Returns a context in which singular matrices are errors.
    with_kernels : callable, optional
        Returns a function that is given Corepy's tensors and namespace in the place of CuPy's.
    host : module
        NumPy, which makes progressions that CuPy's kernels would round otherwise.
    """

    def bound(function: Callable[..., Any], first: Any) -> Callable[..., Any]:
        return lambda xp, *inputs, **params: function(xp, first, *inputs, **params)

    found = corrections_for("cupy")
    found.update({
        "arange": bound(arange, host),
        "linspace": bound(linspace, host),
        "argsort": argsort,
        **unique_functions(bound(_unique, widen)),
        "isin": bound(isin, widen),
        "vecdot": vecdot,
        "linalg.solve": bound(solve, raising),
        "linalg.inv": bound(inv, raising),
        "linalg.cholesky": bound(cholesky, raising),
        "linalg.matrix_power": bound(matrix_power, raising),
        "linalg.pinv": pinv,
        "linalg.eig": eig,
        "linalg.eigvals": eigvals,
        "linalg.eigh": eigh,
        "linalg.eigvalsh": eigvalsh,
        "linalg.diagonal": diagonal,
        **{f"fft.{name}": _transform(name) for name in ("rfft", "rfftn", "ihfft")},
    })  # fmt: skip
    ours: dict[str, Callable[..., Any]] = {
        "clip": STANDARD["clip"],
        "meshgrid": meshgrid,
        "linalg.cross": cross,
        "linalg.outer": outer,
        "linalg.trace": trace,
        "linalg.matrix_norm": matrix_norm,
        "linalg.vector_norm": vector_norm,
    }
    found.update({name: with_kernels(function) for name, function in ours.items()})
    return found


# ---- creation


def arange(
    xp: Any, host: ModuleType, start: float, stop: float, step: float, /, *, dtype: Any
) -> Array:
    """Return start, start + step, ... by NumPy: dtypes without a kernel, and errors.

    CuPy counts in float64, and wraps integers that the dtype does not have.
    """
    return xp.asarray(host.arange(start, stop, step, dtype=dtype))


def linspace(
    xp: Any, host: ModuleType, start: Any, stop: Any, num: int, /, *, dtype: Any, endpoint: bool
) -> Array:
    """Return evenly spaced numbers by NumPy, for dtypes without a kernel, such as integers."""
    return xp.asarray(host.linspace(start, stop, num, dtype=dtype, endpoint=endpoint))


def meshgrid(xp: Any, /, *arrays: Array, indexing: str) -> tuple[Array, ...]:
    """Return the coordinates of a grid; CuPy returns an array alone itself, and not a copy."""
    count = len(arrays)
    places = [*range(count)]
    if indexing == "xy" and count > 1:
        places[:2] = 1, 0
    shape = [0] * count
    for place, x in zip(places, arrays, strict=True):
        shape[place] = x.shape[0]
    grids = []
    for place, x in zip(places, arrays, strict=True):
        column = xp.reshape(x, (1,) * place + x.shape + (1,) * (count - 1 - place))
        grids.append(xp.astype(xp.broadcast_to(column, tuple(shape)), x.dtype, copy=True))
    return tuple(grids)


# ---- sorting and sets


def _one_nan(xp: Any, x: Array) -> Array:
    """Return `x` with its NaNs positive: CUB's radix sort puts negative ones first."""
    if x.dtype.kind != "f":
        return x
    return xp.where(x != x, x.dtype.type(math.nan), x)  # a scalar is an argument of the kernel


def argsort(
    xp: Any, x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return the positions that sort an axis; CuPy has trouble with arrays without elements."""
    if x.ndim == 0 or x.size == 0:
        return xp.zeros(x.shape, dtype=xp.int64)
    return xp.argsort(_one_nan(xp, x), axis=axis, descending=descending, stable=stable)


def _unique(xp: Any, widen: Callable[[Array], Array], x: Array) -> tuple[Array, ...]:
    """Return unique values, their first positions, inverse indices and counts, of all of `x`.

    CuPy merges small float32 numbers.
    """
    flat = x.reshape(-1)
    keys = widen(flat)
    order = argsort(xp, keys)
    keys = keys[order]
    new = xp.ones(keys.shape, dtype=xp.bool)
    new[1:] = keys[1:] != keys[:-1]  # each NaN is distinct
    places = xp.nonzero(new)[0].astype(xp.int64)
    first = order[places]
    ends = xp.concat([places[1:], xp.full((min(x.size, 1),), x.size, dtype=xp.int64)])
    inverse = xp.empty(keys.shape, dtype=xp.int64)
    inverse[order] = xp.cumulative_sum(new.astype(xp.int64), axis=0) - 1
    return flat[first], first, inverse.reshape(x.shape), ends - places


def isin(
    xp: Any, widen: Callable[[Array], Array], x1: Array, x2: Array, /, *, invert: bool = False
) -> Array:
    """Return which elements of `x1` are in `x2`, of the same dtype; NaN is in no array."""
    if x1.size == 0 or x2.size == 0:
        found = xp.zeros(x1.shape, dtype=xp.bool)
    else:
        wanted, values = widen(x1), widen(x2).reshape(-1)
        if x1.dtype.kind == "b":
            wanted, values = wanted.astype(xp.uint8), values.astype(xp.uint8)
        if x1.dtype.kind == "c":  # not ordered
            found = (wanted[..., None] == values).any(axis=-1)
        else:
            values = xp.sort(_one_nan(xp, values))
            places = xp.searchsorted(values, wanted).clip(0, values.size - 1)
            found = values[places] == wanted
    return ~found if invert else found


# ---- linear algebra


def outer(xp: Any, x1: Array, x2: Array, /) -> Array:
    """Multiply each element of one vector with each of another."""
    return xp.multiply(x1[:, None], x2[None, :])


def cross(xp: Any, x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Compute the cross products of vectors of three elements."""
    ndim = max(x1.ndim, x2.ndim)
    place = axis % ndim if axis >= 0 else axis + ndim
    a, b = (xp.moveaxis(x, axis, -1) for x in (x1, x2))
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return xp.stack(parts, axis=place)


def diagonal(xp: Any, x: Array, /, *, offset: int = 0) -> Array:
    """Select diagonals; CuPy returns a view, and refuses diagonals outside of the matrix."""
    rows, columns = x.shape[-2:]
    return xp.linalg.diagonal(x, offset=min(max(offset, -rows), columns)).copy()


def trace(xp: Any, x: Array, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Add up diagonals."""
    return xp.sum(xp.linalg.diagonal(x, offset=offset), axis=-1, dtype=dtype)


def _extreme(xp: Any, x: Array, ord: float, axis: Any, keepdims: bool) -> Array:
    """Return the maximum or the minimum of numbers >= 0; the maximum of none is 0."""
    if ord < 0:
        return xp.min(x, axis=axis, keepdims=keepdims)
    return (xp.max if x.size else xp.sum)(x, axis=axis, keepdims=keepdims)


def vector_norm(
    xp: Any, x: Array, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2
) -> Array:
    """Compute norms, also of empty vectors, for which CuPy lacks some."""
    x = xp.abs(x)
    if ord == 2:
        return xp.sqrt(xp.sum(xp.square(x), axis=axis, keepdims=keepdims))
    if math.isinf(ord):
        return _extreme(xp, x, ord, axis, keepdims)
    if ord == 0:
        return xp.sum(xp.astype(x != 0, x.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return xp.sum(x, axis=axis, keepdims=keepdims)
    return xp.pow(xp.sum(xp.pow(x, float(ord)), axis=axis, keepdims=keepdims), 1 / float(ord))


def matrix_norm(xp: Any, x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Compute norms, also of matrices without elements."""
    if ord == "fro":
        return vector_norm(xp, x, axis=(-2, -1), keepdims=keepdims)
    if ord in ("nuc", 2, -2):
        x = xp.linalg.svdvals(x)[..., None, :]
    else:
        x = xp.sum(xp.abs(x), axis=-2 if ord in (1, -1) else -1, keepdims=True)
    if ord == "nuc":
        return xp.sum(x, axis=(-2, -1), keepdims=keepdims)
    return _extreme(xp, x, ord, (-2, -1), keepdims)


def vecdot(xp: Any, x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Sum the products along an axis, by BLAS; the first factor is conjugated."""
    a, b = (xp.moveaxis(x, axis, -1) for x in (x1, x2))
    if a.dtype.kind not in "fc":
        return (a * b).sum(axis=-1, dtype=x1.dtype)
    if a.dtype.kind == "c":
        a = xp.conj(a)
    return xp.matmul(a[..., None, :], b[..., :, None])[..., 0, 0]


def _columns(xp: Any, x1: Array, x2: Array) -> tuple[Array, Array]:
    """Return a stack of matrices and one of right-hand sides, with the same stacked axes."""
    stacked = broadcast_shapes([x1.shape[:-2], x2.shape[:-2]])
    return (
        xp.broadcast_to(x1, (*stacked, *x1.shape[-2:])),
        xp.broadcast_to(x2, (*stacked, *x2.shape[-2:])),
    )


def solve(xp: Any, raising: Any, x1: Array, x2: Array, /) -> Array:
    """Solve linear equations; CuPy does not broadcast stacks or detect singular matrices."""
    vector = x2.ndim == 1
    a, b = _columns(xp, x1, x2[:, None] if vector else x2)
    if a.size == 0 or b.size == 0:
        out = xp.zeros(b.shape, dtype=b.dtype)
    else:
        with raising():
            out = xp.linalg.solve(a, b)
    return out[..., 0] if vector else out


def inv(xp: Any, raising: Any, x: Array, /) -> Array:
    """Invert matrices; CuPy does not detect singular ones."""
    with raising():
        return xp.linalg.inv(x)


def cholesky(xp: Any, raising: Any, x: Array, /, *, upper: bool = False) -> Array:
    """Factorise matrices; CuPy does not detect matrices that are not positive definite.

    The upper factor is computed from the upper triangle.
    """
    with raising():
        factor = xp.linalg.cholesky(xp.conj(xp.matrix_transpose(x)) if upper else x)
    return xp.conj(xp.matrix_transpose(factor)) if upper else factor


def matrix_power(xp: Any, raising: Any, x: Array, n: int, /) -> Array:
    """Raise matrices to an integer power; CuPy takes no stacks."""
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


def pinv(xp: Any, x: Array, /, *, rtol: Any = None) -> Array:
    """Compute pseudo-inverses; CuPy does not broadcast tolerances."""
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    if x.size == 0:
        return xp.matmul(xp.matrix_transpose(vh), xp.matrix_transpose(u))
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(xp.finfo(x.dtype).eps)
    if not isinstance(rtol, (int, float)):
        rtol = rtol.astype(s.dtype)[..., None]
    large = s > rtol * s.max(axis=-1, keepdims=True)
    inverse = xp.where(large, 1 / xp.where(large, s, xp.ones_like(s)), xp.zeros_like(s))
    u, v = xp.conj(xp.matrix_transpose(u)), xp.conj(xp.matrix_transpose(vh))
    return xp.matmul(v * inverse[..., None, :], u)


def _complex(xp: Any, x: Array) -> Array:
    """Return the complex numbers that eigenvalues are; CuPy's of real empty matrices are real."""
    return x.astype(xp.result_type(x.dtype, xp.complex64))


def eig(xp: Any, x: Array, /) -> tuple[Array, Array]:
    """Decompose matrices."""
    empty = xp.empty(x.shape[:-1], dtype=x.dtype), x
    values, vectors = xp.linalg.eig(x) if x.size else empty
    return _complex(xp, values), _complex(xp, vectors)


def eigvals(xp: Any, x: Array, /) -> Array:
    """Return the eigenvalues of matrices."""
    return _complex(xp, xp.linalg.eigvals(x) if x.size else xp.empty(x.shape[:-1], dtype=x.dtype))


#: Largest size for which Jacobi's method decomposes a whole stack of matrices in one call.
JACOBI = 32


def _each(function: Callable[..., Any], x: Array) -> list[Any]:
    """Return the results of a function for each matrix of a stack."""
    return [function(matrix) for matrix in x.reshape(-1, *x.shape[-2:])]


def eigh(xp: Any, x: Array, /) -> tuple[Array, Array]:
    """Decompose Hermitian matrices; large ones of a stack one by one, which is more accurate."""
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


# ---- Fourier transforms


def _in_pairs(x: Array) -> Array:
    """Return real numbers at an address that cuFFT requires: a multiple of two numbers' size.

    CuPy copies views for this reason, but treats tensors as arrays that own their memory.
    """
    address = getattr(x.data, "ptr", 0)
    return x.copy() if address % (2 * x.itemsize) else x


def _transform(name: str) -> Callable[..., Array]:
    def function(xp: Any, x: Array, /, **params: Any) -> Array:
        """Transform real numbers, at any address."""
        return getattr(xp.fft, name)(_in_pairs(x), **params)

    return function


# ---- with Corepy's kernels


def widened(backend: Any) -> Callable[[Array], Array]:
    """Return the argument of `corrections` that computes with a backend's kernels."""
    wider = {"float32": "float64", "complex64": "complex128"}

    def widen(native: Array) -> Array:
        target = wider.get(native.dtype.name)
        if target is None:
            return native
        dtype = as_dtype("astype", target)
        return backend.unwrap(backend.astype(backend.wrap(native), dtype, True))

    return widen


def on_tensors(backend: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a wrapper that runs a function with a backend's kernels; see `corrections`."""

    def wrapped(value: Any) -> Any:
        return backend.wrap(value) if hasattr(value, "strides") else value

    def with_kernels(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(xp: Any, *inputs: Any, **params: Any) -> Any:
            tensors = [wrapped(value) for value in inputs]
            namespace = next(
                x for x in tensors if hasattr(x, "__array_namespace__")
            ).__array_namespace__()
            result = function(namespace, *tensors, **params)
            if isinstance(result, tuple):
                return tuple(map(backend.unwrap, result))
            return backend.unwrap(result)

        return call

    return with_kernels
