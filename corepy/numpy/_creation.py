"""NumPy's functions that create arrays: of one value, of ranges, from objects."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, in_drop_in
from corepy._cython.core import asarray as _asarray
from corepy.numpy._arguments import Forward, in_fortran_order, tensor, tensors
from corepy.numpy._grids import (
    c_,
    diag_indices,
    diag_indices_from,
    fromfunction,
    index_exp,
    indices,
    ix_,
    mask_indices,
    meshgrid,
    mgrid,
    ogrid,
    r_,
    s_,
    tri,
    tril_indices,
    tril_indices_from,
    triu_indices,
    triu_indices_from,
    unravel_index,
)
from corepy.numpy._shapes import ORDERS, in_order, is_contiguous
from corepy.numpy.ndarray import ndarray

__all__ = [
    "arange",
    "array",
    "asanyarray",
    "asarray",
    "c_",
    "diag_indices",
    "diag_indices_from",
    "empty",
    "empty_like",
    "eye",
    "fromfunction",
    "full",
    "full_like",
    "geomspace",
    "identity",
    "index_exp",
    "indices",
    "ix_",
    "linspace",
    "logspace",
    "mask_indices",
    "meshgrid",
    "mgrid",
    "ogrid",
    "ones",
    "ones_like",
    "r_",
    "s_",
    "tri",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
    "vander",
    "zeros",
    "zeros_like",
]


def _check_dtype(dtype: Any) -> None:
    """Leave dtypes of the other byte order to NumPy; a Tensor has the machine's."""
    kind = dtype.__class__
    if kind is type or (kind is str and dtype.isalnum()):  # without a mark of the order
        return
    if not np.dtype(dtype).isnative:
        raise Forward


# ---- of objects


def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    order: str | None = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
    like: Any = None,
) -> Tensor:
    """Make an array of an object. See `numpy.array`."""
    if like is not None or ndmax:
        raise Forward
    if dtype is not None:
        _check_dtype(dtype)
    if type(object) is list and order == "K":
        x = _asarray(object, dtype, None, copy)
    else:
        x = _ordered(object, dtype, order, copy, None, subok)
    return x if ndmin <= x.ndim else x[(None,) * (ndmin - x.ndim)]


def _ordered(
    value: Any, dtype: Any, order: Any, copy: bool | None, device: Any, subok: bool
) -> Tensor:
    """Return `value` as a tensor with the axes in memory as `order` asks."""
    if order not in ORDERS:
        raise Forward
    if isinstance(value, (Tensor, np.ndarray)):
        if subok and type(value) not in (Tensor, np.ndarray):
            raise Forward
        if copy is not None and copy is not True and copy is not False:
            raise Forward
    if order in ("K", None):
        return _asarray(value, dtype, device, copy)
    x = in_drop_in(_asarray(value, dtype, device, False if copy is False else None))
    if order == "A":
        order = "F" if not is_contiguous(x) and is_contiguous(x.T) else "C"
        kept = True
    else:
        kept = is_contiguous(x if order == "C" else x.T)
    if kept and not copy:
        return x
    if copy is False:
        raise Forward
    return in_order(x, order, ndarray.copy)


def asarray(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    like: Any = None,
) -> Tensor:
    """Return an object as an array, without a copy if possible. See `numpy.asarray`."""
    if like is not None:
        raise Forward
    if dtype is not None:
        _check_dtype(dtype)
    if order is None and copy is None:
        return _asarray(a, dtype, device)
    return _ordered(a, dtype, order, copy, device, False)


def asanyarray(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    like: Any = None,
) -> Tensor:
    """Return an object as an array; subclasses of ndarray remain. See `numpy.asanyarray`."""
    if isinstance(a, np.ndarray) and type(a) is not np.ndarray:
        raise Forward
    return asarray(a, dtype, order, device=device, copy=copy, like=like)


# ---- of one value


def _filled(
    make: Callable[..., Tensor], shape: Any, dtype: Any, order: str, device: Any, like: Any
) -> Tensor:
    """Call a function of the standard with a shape in the order of axes in memory."""
    if shape is True or shape is False or like is not None:
        raise Forward
    if dtype is not None:
        _check_dtype(dtype)
    if order == "C":
        return make(shape, dtype=dtype, device=device)
    if order != "F":
        raise Forward
    sizes = tuple(shape)[::-1] if np.ndim(shape) else shape
    return make(sizes, dtype=dtype, device=device).T


def zeros(
    shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """Return an array of zeros. See `numpy.zeros`."""
    if dtype is None and order == "C" and device is None and like is None and type(shape) is tuple:
        return xp.zeros(shape)
    return _filled(xp.zeros, shape, dtype, order, device, like)


def ones(
    shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """Return an array of ones. See `numpy.ones`."""
    return _filled(xp.ones, shape, dtype, order, device, like)


def empty(
    shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """Return an array with arbitrary elements. See `numpy.empty`."""
    return _filled(xp.empty, shape, dtype, order, device, like)


def full(
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Tensor:
    """Return an array of one value, or of values that are broadcast. See `numpy.full`."""
    if isinstance(fill_value, (int, float)):
        _check_value(fill_value)
        return _filled(
            lambda shape, dtype, device: xp.full(shape, fill_value, dtype=dtype, device=device),
            shape,
            dtype,
            order,
            device,
            like,
        )
    values = _values(fill_value, dtype)
    out = _filled(xp.empty, shape, values.dtype, order, device, like)
    out[...] = values
    return out


def _check_value(value: int | float) -> None:
    """Leave integers beyond int64 to NumPy, whose rules about them differ between dtypes."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise Forward


def _values(value: Any, dtype: Any, like: Tensor | None = None) -> Tensor:
    """Return values to fill in."""
    values = tensor(value, like)
    if dtype is None:
        return values
    if not np.can_cast(values.dtype, dtype, "same_kind"):
        raise Forward
    return xp.astype(values, dtype, copy=False)


def _like(
    make: Callable[..., Tensor],
    standard: Callable[..., Tensor],
    a: Any,
    dtype: Any,
    order: str,
    shape: Any,
    device: Any,
) -> Tensor:
    """Call a function of the standard with the shape of an array, or with a shape."""
    x = tensor(a)
    if dtype is not None:
        _check_dtype(dtype)
    if shape is None and order == "K":
        return make(x, dtype=dtype, device=device)
    sizes = x.shape if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    if order == "A":
        order = "F" if in_fortran_order(x) else "C"
    if order == "K" and (x.ndim != len(sizes) or x.ndim < 2):
        order = "C"
    if order not in ("C", "F"):
        raise Forward
    return _filled(
        standard,
        sizes,
        x.dtype if dtype is None else dtype,
        order,
        x.device if device is None else device,
        None,
    )


def zeros_like(
    a: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """Return an array of zeros of the shape of another. See `numpy.zeros_like`."""
    return _like(xp.zeros_like, xp.zeros, a, dtype, order, shape, device)


def ones_like(
    a: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """Return an array of ones of the shape of another. See `numpy.ones_like`."""
    return _like(xp.ones_like, xp.ones, a, dtype, order, shape, device)


def empty_like(
    prototype: Any,
    /,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """Return an array of the shape of another. See `numpy.empty_like`."""
    return _like(xp.empty_like, xp.empty, prototype, dtype, order, shape, device)


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """Return an array of one value of the shape of another. See `numpy.full_like`."""
    x = tensor(a)
    if isinstance(fill_value, (int, float)):
        _check_value(fill_value)
        return _like(
            lambda x, dtype, device: xp.full_like(x, fill_value, dtype=dtype, device=device),
            lambda shape, dtype, device: xp.full(shape, fill_value, dtype=dtype, device=device),
            x,
            dtype,
            order,
            shape,
            device,
        )
    values = _values(fill_value, x.dtype if dtype is None else dtype, x)
    out = empty_like(x, dtype, order, subok, shape, device=device)
    out[...] = values
    return out


def eye(
    N: Any,
    M: Any = None,
    k: Any = 0,
    dtype: Any = float,
    order: str = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Tensor:
    """Return a matrix with ones on a diagonal. See `numpy.eye`."""
    if like is not None or order not in ("C", "F"):
        raise Forward
    dtype = None if dtype is float else dtype
    if dtype is not None:
        _check_dtype(dtype)
    if order == "F":
        return xp.eye(N if M is None else M, N, k=-k, dtype=dtype, device=device).T
    return xp.eye(N, M, k=k, dtype=dtype, device=device)


def identity(n: Any, dtype: Any = None, *, like: Any = None) -> Tensor:
    """Return a square matrix with ones on the main diagonal. See `numpy.identity`."""
    return eye(n, dtype=dtype, like=like)


# ---- of ranges


def arange(
    start_or_stop: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    like: Any = None,
) -> Tensor:
    """Return evenly spaced numbers of an interval without its end. See `numpy.arange`."""
    if like is not None:
        raise Forward
    if dtype is None and device is None:
        for value in (start_or_stop, stop, step):
            if type(value) is not int and type(value) is not float and value is not None:
                # uint64 promotes to float64, and NumPy adds steps in the dtype of the numbers.
                if getattr(value, "dtype", None) in (np.uint64, np.float32):
                    raise Forward
                if getattr(value, "ndim", 0) and value.size != 1:
                    raise Forward
        return xp.arange(start_or_stop, stop, step)
    if dtype is not None:
        _check_dtype(dtype)
    return xp.arange(start_or_stop, stop, step, dtype=dtype, device=device)


def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    """Return evenly spaced numbers of an interval, or of several. See `numpy.linspace`."""
    num = index(num)
    if dtype is not None:
        _check_dtype(dtype)
    if isinstance(start, (int, float)) and isinstance(stop, (int, float)) and axis in (0, -1):
        out = xp.linspace(start, stop, num, endpoint=bool(endpoint), dtype=dtype, device=device)
        if not retstep:
            return out
        steps = num - 1 if endpoint else num
        # float64's division is of doubles, as Python's.
        return out, np.float64((stop * 1.0 - start) / steps) if steps > 0 else math.nan
    first, last = _ends(start, stop)
    if num < 0:
        raise Forward
    delta = last - first
    steps = num - 1 if endpoint else num
    out = xp.arange(num, dtype=xp.real(delta).dtype, device=delta.device)
    out = xp.reshape(out, (-1,) + (1,) * delta.ndim)
    step = None
    if steps > 0:
        step = delta / steps
        # Denormal differences have steps of zero.
        out = out / steps * delta if bool(xp.any(step == 0)) else out * step
    else:
        out = out * delta
    out = out + first
    if endpoint and num > 1:
        out[-1, ...] = last
    if axis != 0:
        out = xp.moveaxis(out, 0, axis)
    if dtype is not None:
        wanted = np.dtype(dtype)
        if wanted.kind in "iu":
            out = xp.floor(out)
        if out.dtype.kind == "c" and wanted.kind != "c":
            raise Forward
        out = xp.astype(out, wanted, copy=False)
    if not retstep:
        return out
    return out, math.nan if step is None else step


def _ends(start: Any, stop: Any) -> tuple[Any, Any]:
    """Return the ends of intervals as floating numbers; Python's take the other's dtype."""
    ends = []
    for end in (start, stop):
        if type(end) is bool:
            raise Forward
        ends.append(end if type(end) in (int, float, complex) else tensor(end))
    first, last = ends
    if not isinstance(first, Tensor) and not isinstance(last, Tensor):
        first = tensor(first)
    kinds = [end.dtype for end in (first, last) if isinstance(end, Tensor)]
    small = any(kind in (np.float32, np.complex64) for kind in kinds)
    if small and (complex in (type(first), type(last)) or any(k.kind not in "fc" for k in kinds)):
        raise Forward  # NumPy computes in float64 and returns float32
    return first * 1.0, last * 1.0


def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> Tensor:
    """Return numbers evenly spaced on a log scale. See `numpy.logspace`."""
    if not isinstance(base, (int, float)):
        raise Forward
    y = xp.pow(float(base), linspace(start, stop, num, endpoint=endpoint, axis=axis))
    return y if dtype is None else _cast_real(y, dtype)


def _cast_real(x: Tensor, dtype: Any) -> Tensor:
    """Cast numbers that may be complex; NumPy warns where imaginary parts are dropped."""
    _check_dtype(dtype)
    if x.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        raise Forward
    return xp.astype(x, dtype, copy=False)


def geomspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: Any = 0,
) -> Tensor:
    """Return numbers of a geometric progression. See `numpy.geomspace`."""
    if not isinstance(start, (int, float)) or not isinstance(stop, (int, float)):
        return _geomspace(start, stop, num, endpoint, dtype, axis)
    if not start * stop > 0 or axis not in (0, -1):  # zeros, complex results, NaN
        raise Forward
    sign = 1.0 if start > 0 else -1.0
    first, last = np.log10([abs(float(start)), abs(float(stop))]).tolist()
    out = logspace(first, last, num, endpoint)
    if sign < 0:
        out = -out
    if num > 0:
        out[0] = float(start)
    if num > 1 and endpoint:
        out[-1] = float(stop)
    return out if dtype is None else _cast_real(out, dtype)


def _geomspace(start: Any, stop: Any, num: Any, endpoint: bool, dtype: Any, axis: Any) -> Tensor:
    """Return geometric progressions between the elements of arrays."""
    first, last = tensors(start, stop)
    if first.dtype.kind == "c" or last.dtype.kind == "c" or type(num) is not int or num < 1:
        raise Forward
    first, last = xp.broadcast_arrays(xp.astype(first, float), xp.astype(last, float))
    if not xp.all(first * last > 0):  # zeros, complex results, NaN
        raise Forward
    sign = xp.sign(first)
    out = logspace(xp.log10(sign * first), xp.log10(sign * last), num, endpoint) * sign
    out[0, ...] = first
    if num > 1 and endpoint:
        out[-1, ...] = last
    if axis != 0:
        out = xp.moveaxis(out, 0, axis)
    return out if dtype is None else _cast_real(out, dtype)


def vander(x: Any, N: Any = None, increasing: bool = False) -> Tensor:
    """Return a matrix of powers of its first argument. See `numpy.vander`."""
    x = tensor(x)
    if x.ndim != 1:
        raise Forward
    count = x.size if N is None else index(N)
    out = xp.ones((x.size, count), dtype=np.promote_types(x.dtype, int), device=x.device)
    if count > 1:
        out[:, 1:] = x[:, None]
        out = xp.cumulative_prod(out, axis=1)
    return out if increasing else out[:, ::-1]
