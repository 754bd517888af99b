"""NumPy's comparisons of arrays, tests of elements, and facts about arrays."""

from __future__ import annotations

import math
import warnings
from types import SimpleNamespace
from typing import Any, Never

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, clip_into, cpu, kind_of
from corepy.numpy._arguments import Array, Axes, Operand, RealArray, is_contiguous, stored, takes

__all__ = [
    "allclose", "array_equal", "array_equiv", "clip", "fill_diagonal", "isclose", "iscomplex",
    "iscomplexobj", "isneginf", "isposinf", "isreal", "isrealobj", "iterable", "may_share_memory",
    "nan_to_num", "ndim", "shape", "shares_memory", "size",
]  # fmt: skip

_NOT_GIVEN: Any = np._NoValue  # type: ignore[attr-defined]


# ---- comparisons


def _has_tensors(a: Any, b: Any, rtol: Any, atol: Any) -> bool:
    return (
        isinstance(a, Tensor)
        or isinstance(b, Tensor)
        or isinstance(rtol, Tensor)
        or isinstance(atol, Tensor)
    )


def _inexact(y: Any) -> Any:
    """Return the second operand of `isclose` as NumPy compares it."""
    if isinstance(y, Tensor):
        return y if kind_of(y) in "fc" else y * 1.0
    return y if type(y) is complex else float(y)


def _is_near(x: Any, y: Any, rtol: Any, atol: Any) -> Tensor:
    """Return where two numbers are close and the second is finite."""
    if not (type(rtol) is type(atol) is float and math.isfinite(rtol + atol)):
        _check_tolerances(rtol, atol)
    near: Tensor = abs(x - y) <= atol + rtol * abs(y)
    if isinstance(y, Tensor):
        return near & xp.isfinite(y)
    return near if math.isfinite(abs(y)) else near & False


def _check_tolerances(rtol: Any, atol: Any) -> None:
    """Warn of tolerances that are not finite, or raise, as NumPy treats invalid values."""
    treatment = np.geterr()["invalid"]
    if treatment not in ("warn", "raise") or all(
        bool(xp.all(xp.isfinite(xp.asarray(x)))) for x in (rtol, atol)
    ):
        return
    text = f"One of rtol or atol is not valid, atol: {atol}, rtol: {rtol}"
    if treatment == "raise":
        raise FloatingPointError(text)
    warnings.warn(text, RuntimeWarning, stacklevel=4)


def _is_close(near: Tensor, x: Any, y: Any, equal_nan: bool) -> Tensor:
    """Return where two numbers are near, equal or, if these are equal, NaN."""
    close = near | (x == y)
    return close | ((x != x) & (y != y)) if equal_nan else close


@takes(_has_tensors)
def isclose(
    a: Operand, b: Operand, rtol: Operand = 1.0e-5, atol: Operand = 1.0e-8, equal_nan: bool = False
) -> Tensor:
    """Return where two arrays are equal within tolerances. See `numpy.isclose`."""
    y = _inexact(b)
    return _is_close(_is_near(a, y, rtol, atol), a, y, equal_nan)


@takes(_has_tensors)
def allclose(
    a: Operand, b: Operand, rtol: Operand = 1.0e-5, atol: Operand = 1.0e-8, equal_nan: bool = False
) -> bool:
    """Return whether two arrays are equal within tolerances. See `numpy.allclose`."""
    y = _inexact(b)
    near = _is_near(a, y, rtol, atol)
    # Most calls end here: infinities and NaN are rare.
    return bool(xp.all(near)) or bool(xp.all(_is_close(near, a, y, equal_nan)))


def array_equal(a1: Array, a2: Array, equal_nan: bool = False) -> bool:
    """Return whether two arrays have one shape and equal elements. See `numpy.array_equal`."""
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    if equal_nan and not bool(xp.all(same)) and kind_of(a1) in "fc" and kind_of(a2) in "fc":
        same = same | ((a1 != a1) & (a2 != a2))
    return bool(xp.all(same))


def array_equiv(a1: Array, a2: Array) -> bool:
    """Return whether two arrays are equal after broadcasting. See `numpy.array_equiv`."""
    sizes = zip(a1.shape[::-1], a2.shape[::-1], strict=False)
    return all(m == n or 1 in (m, n) for m, n in sizes) and bool(xp.all(a1 == a2))


# ---- elements


def _written(result: Tensor, out: Tensor | None) -> Tensor:
    """Return a result, written to `out` as ufuncs do: with its shape, or broadcast to another."""
    return result if out is None else stored(xp.broadcast_to(result, out.shape), out)


Limit = RealArray | bool | int | float | None


def clip(
    a: RealArray,
    a_min: Limit = _NOT_GIVEN,
    a_max: Limit = _NOT_GIVEN,
    out: Tensor | None = None,
    *,
    min: Limit = _NOT_GIVEN,
    max: Limit = _NOT_GIVEN,
    **kwargs: Never,
) -> Tensor:
    """Return elements limited to an interval. See `numpy.clip`."""
    low, high = a_min, a_max
    if a_min is _NOT_GIVEN and a_max is _NOT_GIVEN:
        low = None if min is _NOT_GIVEN else min
        high = None if max is _NOT_GIVEN else max
    elif a_min is _NOT_GIVEN or a_max is _NOT_GIVEN:
        name = "a_min" if a_min is _NOT_GIVEN else "a_max"
        raise TypeError(f"clip: missing 1 required positional argument: {name!r}")
    elif min is not _NOT_GIVEN or max is not _NOT_GIVEN:
        raise ValueError(
            "clip: Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided "
            "is forbidden."
        )
    if (type(low) is int or type(high) is int) and kind_of(a) != "f":
        low, high = _limits(a, low, high)
    if low is None and high is None:
        return _written(xp.positive(a), out)
    if isinstance(out, Tensor) and clip_into(out, a, low, high):
        return out
    return _written(xp.clip(a, low, high), out)


_RANGES = {dtype: np.iinfo(dtype) for dtype in map(np.dtype, "bBhHiIlL")}


def _limits(x: Tensor, low: Any, high: Any) -> tuple[Any, Any]:
    """Return limits without integers that limit nothing; others must be in range, as in NumPy."""
    values = _RANGES.get(x.dtype)
    if values is not None and type(low) is int and low <= values.min:
        low = None
    if values is not None and type(high) is int and high >= values.max:
        high = None
    others = [each for each in (low, high) if type(each) is not int and each is not None]
    kinds = [each.dtype if isinstance(each, Tensor) else each for each in others]
    values = _RANGES.get(np.result_type(x.dtype, *kinds) if kinds else x.dtype)
    for limit in (low, high):
        if values is not None and type(limit) is int and not values.min <= limit <= values.max:
            raise OverflowError(f"clip: limit {limit} is out of range for {values.dtype}")
    return low, high


def nan_to_num(
    x: Array,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Return numbers for NaN and infinities. See `numpy.nan_to_num`."""
    kind = kind_of(x)
    if kind not in "fc":
        return (x.copy() if copy else x)[()]
    if kind == "c":
        out = x.copy() if copy else x
        for part in (out.real, out.imag):
            part[...] = _finite(part, nan, posinf, neginf)
        return out[()]
    out = _finite(x, nan, posinf, neginf)
    if copy:
        return out
    x[...] = out
    return x[()]


def _finite(x: Tensor, nan: float, posinf: float | None, neginf: float | None) -> Tensor:
    limits = np.finfo(x.dtype)
    if posinf is None and neginf is None:
        return xp.where(x != x, nan, xp.clip(x, float(limits.min), float(limits.max)))
    out = xp.where(x == math.inf, float(limits.max) if posinf is None else posinf, x)
    out = xp.where(x == -math.inf, float(limits.min) if neginf is None else neginf, out)
    return xp.where(x != x, nan, out)


def isreal(x: Array) -> Tensor:
    """Return where the imaginary part is zero. See `numpy.isreal`."""
    return xp.imag(x) == 0 if x.dtype.kind == "c" else xp.ones_like(x, dtype=bool)[()]


def iscomplex(x: Array) -> Tensor:
    """Return where the imaginary part is not zero. See `numpy.iscomplex`."""
    return xp.imag(x) != 0 if x.dtype.kind == "c" else xp.zeros_like(x, dtype=bool)[()]


def _is_infinity(x: Tensor, out: Tensor | None, infinity: float) -> Tensor:
    is_float = kind_of(x) == "f"
    return _written(x == infinity if is_float else xp.zeros_like(x, dtype=bool)[()], out)


def isposinf(x: RealArray, out: Tensor | None = None) -> Tensor:
    """Return where elements are positive infinity. See `numpy.isposinf`."""
    return _is_infinity(x, out, math.inf)


def isneginf(x: RealArray, out: Tensor | None = None) -> Tensor:
    """Return where elements are negative infinity. See `numpy.isneginf`."""
    return _is_infinity(x, out, -math.inf)


def _can_fill(a: Tensor, val: Any) -> bool:
    """Whether there is a diagonal, in a step, and values are cast to the dtype without losses."""
    if a.ndim < 2 or (a.ndim > 2 and len(set(a.shape)) > 1) or not is_contiguous(a):
        return False
    if not isinstance(val, Tensor):
        if type(val) is float and kind_of(a) in "fc":
            return True
        return np.can_cast(np.result_type(val, a.dtype), a.dtype, "same_kind")
    return val.size > 0 and np.can_cast(val.dtype, a.dtype, "same_kind")


@takes(_can_fill)
def fill_diagonal(a: Tensor, val: Operand, wrap: bool = False) -> None:
    """Write values to the main diagonal. See `numpy.fill_diagonal`."""
    columns = a.shape[-1]
    step = columns + 1 if a.ndim == 2 else sum(columns**axis for axis in range(a.ndim))
    stop = columns * columns if a.ndim == 2 and not wrap else None
    places = xp.reshape(a, (-1,), copy=False)[:stop:step]
    if isinstance(val, Tensor) and val.ndim:
        val = val.ravel()
        if val.size != places.size:  # they are repeated
            val = val[xp.arange(places.size, device=val.device) % val.size]
    places[...] = val


# ---- facts


def isrealobj(x: Tensor) -> bool:
    """Return whether an array has a real dtype. See `numpy.isrealobj`."""
    return x.dtype.kind != "c"


def iscomplexobj(x: Tensor) -> bool:
    """Return whether an array has a complex dtype. See `numpy.iscomplexobj`."""
    return x.dtype.kind == "c"


def iterable(y: Tensor) -> bool:
    """Return whether an object can be iterated over. See `numpy.iterable`."""
    return y.ndim > 0


def ndim(a: Tensor) -> int:
    """Return the number of axes. See `numpy.ndim`."""
    return a.ndim


def size(a: Tensor, axis: Axes = None) -> int:
    """Return the number of elements, or sizes of axes. See `numpy.size`."""
    if axis is None:
        return a.size
    axes = (axis,) if isinstance(axis, int) else axis
    for each in axes:
        if not -a.ndim <= each < a.ndim:
            raise np.exceptions.AxisError(each, a.ndim, "size")
    if len({each % a.ndim for each in axes}) != len(axes):
        raise ValueError(f"size: an axis must not be given twice, got axis={axis}")
    return math.prod([a.shape[each] for each in axes])


def shape(a: Tensor) -> tuple[int, ...]:
    """Return the sizes of the axes. See `numpy.shape`."""
    return a.shape


def _is_elsewhere(a: Any, b: Any) -> bool:
    return any(isinstance(x, Tensor) and x.device.backend is not cpu for x in (a, b))


@takes(_is_elsewhere)
def may_share_memory(a: Any, b: Any, /, max_work: int | None = 0) -> bool:
    """Return whether arrays may share memory. See `numpy.may_share_memory`."""
    return _share(np.may_share_memory, a, b, max_work)


@takes(_is_elsewhere)
def shares_memory(a: Any, b: Any, /, max_work: int = -1) -> bool:
    """Return whether arrays share memory. See `numpy.shares_memory`."""
    return _share(np.shares_memory, a, b, max_work)


def _share(function: Any, a: Any, b: Any, max_work: int | None) -> bool:
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
