"""NumPy's comparisons of arrays, tests of elements, and facts about arrays."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, clip_into, cpu
from corepy.numpy._arguments import Forward, pair, tensor, tensors
from corepy.numpy._joining import into

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "clip",
    "fill_diagonal",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "iterable",
    "may_share_memory",
    "nan_to_num",
    "ndim",
    "shape",
    "shares_memory",
    "size",
]

_PYTHONS = (int, float, complex)  # exactly these do not decide about dtypes


# ---- comparisons


def _operands(a: Any, b: Any, rtol: Any, atol: Any) -> tuple[Any, Any, Any, Any]:
    """Return operands of `isclose`: tensors, or Python's numbers, of which `b` is inexact."""
    like = a if isinstance(a, Tensor) else b if isinstance(b, Tensor) else None
    if like is None:  # all are on the device of a tolerance
        like = next((each for each in (rtol, atol) if isinstance(each, Tensor)), None)
    x = a if isinstance(a, Tensor) or type(a) in _PYTHONS else tensor(a, like)
    y = b if isinstance(b, Tensor) or type(b) in _PYTHONS else tensor(b, like)
    if not isinstance(y, Tensor):
        if not isinstance(x, Tensor):
            x, y = tensors(x, y) if like is None else (tensor(x, like), tensor(y, like))
        elif type(y) is int:
            y = float(y)
    if isinstance(y, Tensor) and y.dtype.kind not in "fc":
        y = y * 1.0
    if type(rtol) is not float:
        rtol = tensor(rtol, like)
    if type(atol) is not float:
        atol = tensor(atol, like)
    return x, y, rtol, atol


def _is_near(x: Any, y: Any, rtol: Any, atol: Any) -> Tensor:
    """Return where two numbers are close and the second is finite."""
    near: Tensor = abs(x - y) <= atol + rtol * abs(y)
    if isinstance(y, Tensor):
        return near & xp.isfinite(y)
    return near if math.isfinite(abs(y)) else near & False


def _is_close(near: Tensor, x: Any, y: Any, equal_nan: bool) -> Tensor:
    """Return where two numbers are near, equal or, if these are equal, NaN."""
    close = near | (x == y)
    return close | ((x != x) & (y != y)) if equal_nan else close


def isclose(
    a: Any, b: Any, rtol: Any = 1.0e-5, atol: Any = 1.0e-8, equal_nan: bool = False
) -> Tensor:
    """Return where two arrays are equal within tolerances. See `numpy.isclose`."""
    x, y, rtol, atol = _operands(a, b, rtol, atol)
    return _is_close(_is_near(x, y, rtol, atol), x, y, equal_nan)


def allclose(
    a: Any, b: Any, rtol: Any = 1.0e-5, atol: Any = 1.0e-8, equal_nan: bool = False
) -> bool:
    """Return whether two arrays are equal within tolerances. See `numpy.allclose`."""
    x, y, rtol, atol = _operands(a, b, rtol, atol)
    near = _is_near(x, y, rtol, atol)
    # Most calls end here: infinities and NaN are rare.
    return bool(xp.all(near)) or bool(xp.all(_is_close(near, x, y, equal_nan)))


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Return whether two arrays have one shape and equal elements. See `numpy.array_equal`."""
    x, y = pair(a1, a2)
    if x.shape != y.shape:
        return False
    same = x == y
    if equal_nan and not bool(xp.all(same)) and x.dtype.kind in "fc" and y.dtype.kind in "fc":
        same = same | ((x != x) & (y != y))
    return bool(xp.all(same))


def array_equiv(a1: Any, a2: Any) -> bool:
    """Return whether two arrays are equal after broadcasting. See `numpy.array_equiv`."""
    x, y = tensors(a1, a2)
    if x.shape != y.shape:
        try:
            xp.broadcast_shapes(x.shape, y.shape)
        except ValueError:
            return False
    return bool(xp.all(x == y))


# ---- elements


def clip(
    a: Any,
    a_min: Any = np._NoValue,  # type: ignore[attr-defined]
    a_max: Any = np._NoValue,  # type: ignore[attr-defined]
    out: Any = None,
    *,
    min: Any = np._NoValue,  # type: ignore[attr-defined]
    max: Any = np._NoValue,  # type: ignore[attr-defined]
    **kwargs: Any,
) -> Tensor:
    """Return elements limited to an interval. See `numpy.clip`."""
    none = np._NoValue  # type: ignore[attr-defined]
    if a_min is none and a_max is none:
        low = None if min is none else min
        high = None if max is none else max
    elif min is none and max is none and a_min is not none and a_max is not none:
        low, high = a_min, a_max
    else:
        raise Forward
    if kwargs:
        raise Forward
    x = tensor(a)
    if low is not None and type(low) not in _PYTHONS:
        low = tensor(low, x)
    if high is not None and type(high) not in _PYTHONS:
        high = tensor(high, x)
    if type(low) is int or type(high) is int:
        low, high = _limits(x, low, high)
    if low is None and high is None:
        raise Forward
    if isinstance(out, Tensor) and clip_into(out, x, low, high):
        return out
    result = xp.clip(x, low, high)
    return result if out is None else into(out, result)


_RANGES = {dtype: np.iinfo(dtype) for dtype in map(np.dtype, "bBhHiIlL")}


def _limits(x: Tensor, low: Any, high: Any) -> tuple[Any, Any]:
    """Return limits without integers that limit nothing; others must be in range, as in NumPy."""
    for limit, other in ((low, high), (high, low)):
        if isinstance(other, Tensor) and type(limit) is int and not 0 <= limit < 128:
            raise Forward
    values = _RANGES.get(x.dtype)
    if values is None:
        return low, high
    if type(low) is int:
        if low <= values.min:
            low = None
        elif low > values.max:
            raise Forward
    if type(high) is int:
        if high >= values.max:
            high = None
        elif high < values.min:
            raise Forward
    return low, high


def _number(value: Any) -> float:
    if not isinstance(value, (int, float)):
        raise Forward
    return float(value)


def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Tensor:
    """Return numbers for NaN and infinities. See `numpy.nan_to_num`."""
    given = tensor(x)
    kind = given.dtype.kind
    if kind not in "fc":
        return (given.copy() if copy else given)[()]
    if not copy and isinstance(x, (list, tuple, int, float, complex)):
        raise Forward
    nan = _number(nan)
    if kind == "c":
        out = given.copy() if copy else given
        for part in (out.real, out.imag):
            part[...] = _finite(part, nan, posinf, neginf)
        return out[()]
    out = _finite(given, nan, posinf, neginf)
    if copy:
        return out
    given[...] = out
    return given if given.ndim else given[()]


def _finite(x: Tensor, nan: float, posinf: Any, neginf: Any) -> Tensor:
    limits = np.finfo(x.dtype)
    if posinf is None and neginf is None:
        return xp.where(x != x, nan, xp.clip(x, float(limits.min), float(limits.max)))
    out = xp.where(x == math.inf, float(limits.max) if posinf is None else _number(posinf), x)
    out = xp.where(x == -math.inf, float(limits.min) if neginf is None else _number(neginf), out)
    return xp.where(x != x, nan, out)


def isreal(x: Any) -> Tensor:
    """Return where the imaginary part is zero. See `numpy.isreal`."""
    if isinstance(x, (int, float, complex)):  # of which NumPy returns a bool
        raise Forward
    given = tensor(x)
    if given.dtype.kind != "c":
        return xp.ones_like(given, dtype=bool)[()]
    return xp.imag(given) == 0


def iscomplex(x: Any) -> Tensor:
    """Return where the imaginary part is not zero. See `numpy.iscomplex`."""
    if isinstance(x, (int, float, complex)):  # of which NumPy returns a bool
        raise Forward
    given = tensor(x)
    if given.dtype.kind != "c":
        return xp.zeros_like(given, dtype=bool)[()]
    return xp.imag(given) != 0


def _is_infinity(x: Any, out: Any, infinity: float) -> Tensor:
    given = tensor(x)
    if given.dtype.kind == "f":
        result = given == infinity
    elif given.dtype.kind in "iu":
        result = xp.zeros_like(given, dtype=bool)[()]
    else:
        raise Forward
    return result if out is None else into(out, result)


def isposinf(x: Any, out: Any = None) -> Tensor:
    """Return where elements are positive infinity. See `numpy.isposinf`."""
    return _is_infinity(x, out, math.inf)


def isneginf(x: Any, out: Any = None) -> Tensor:
    """Return where elements are negative infinity. See `numpy.isneginf`."""
    return _is_infinity(x, out, -math.inf)


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Write values to the main diagonal. See `numpy.fill_diagonal`."""
    if not isinstance(a, Tensor) or a.ndim < 2:
        raise Forward
    columns = a.shape[-1]
    stop: int | None = None
    if a.ndim == 2:
        step = columns + 1
        if not wrap:
            stop = columns * columns
    elif len(set(a.shape)) == 1:
        step = sum(columns**axis for axis in range(a.ndim))
    else:
        raise Forward
    value = val if type(val) in (bool, int, float) else tensor(val, a)
    places = xp.reshape(a, (-1,), copy=False)[:stop:step]
    if isinstance(value, Tensor) and value.ndim:  # others are repeated
        value = value.ravel()
        if value.size != places.size:
            raise Forward
    if isinstance(value, Tensor) or a.dtype.kind not in "fc":
        kind = value.dtype if isinstance(value, Tensor) else np.result_type(value, a.dtype)
        if not np.can_cast(kind, a.dtype, "same_kind"):
            raise Forward
    places[...] = value


# ---- facts


def isrealobj(x: Any) -> bool:
    """Return whether an array has a real dtype. See `numpy.isrealobj`."""
    return not iscomplexobj(x)


def iscomplexobj(x: Any) -> bool:
    """Return whether an array has a complex dtype. See `numpy.iscomplexobj`."""
    return x.dtype.kind == "c" if isinstance(x, Tensor) else np.iscomplexobj(x)


def iterable(y: Any) -> bool:
    """Return whether an object can be iterated over. See `numpy.iterable`."""
    return y.ndim > 0 if isinstance(y, Tensor) else np.iterable(y)


def ndim(a: Any) -> int:
    """Return the number of axes. See `numpy.ndim`."""
    return a.ndim if isinstance(a, Tensor) else np.ndim(a)


def size(a: Any, axis: Any = None) -> int:
    """Return the number of elements, or sizes of axes. See `numpy.size`."""
    if not isinstance(a, Tensor):
        raise Forward
    if axis is None:
        return a.size
    if isinstance(axis, int):
        return a.shape[axis]
    axes = {range(a.ndim)[each] for each in axis}
    if len(axes) != len(axis):
        raise Forward
    return math.prod([a.shape[each] for each in axes])


def shape(a: Any) -> tuple[int, ...]:
    """Return the sizes of the axes. See `numpy.shape`."""
    if not isinstance(a, Tensor):
        raise Forward
    return a.shape


def may_share_memory(a: Any, b: Any, /, max_work: int | None = 0) -> bool:
    """Return whether arrays may share memory. See `numpy.may_share_memory`."""
    return _share(np.may_share_memory, a, b, max_work)


def shares_memory(a: Any, b: Any, /, max_work: int = -1) -> bool:
    """Return whether arrays share memory. See `numpy.shares_memory`."""
    return _share(np.shares_memory, a, b, max_work)


def _share(function: Any, a: Any, b: Any, max_work: int | None) -> bool:
    if all(not isinstance(x, Tensor) or x.device.backend is cpu for x in (a, b)):
        raise Forward
    if a is b:
        return bool(a.size)
    (place, first), (other, second) = _memory(a), _memory(b)
    if place != other or first is None or second is None:
        return False
    return bool(function(first, second, max_work))


def _memory(x: Any) -> tuple[str, Any]:
    """Return the place of an array's memory, and an ndarray over it that is not to be read.

    The second is None where memory has no addresses.
    """
    if not isinstance(x, Tensor):
        return "host", x
    backend, place = x.device.backend, str(x.device)
    if not backend.remote and backend.dlpack_device(x)[0] == 1:  # kDLCPU
        return "host", backend.to_numpy(x)
    interface = getattr(x, "__cuda_array_interface__", None)
    if interface is None:
        return place, None
    return place, np.asarray(SimpleNamespace(__array_interface__=interface))
