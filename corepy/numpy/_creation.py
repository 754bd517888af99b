"""NumPy's functions that create arrays: of one value, of ranges, from objects."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from operator import methodcaller
from typing import Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu, held, held_dtype, in_drop_in, kind_of
from corepy._cython.core import asarray as _asarray
from corepy._cython.settings import setting
from corepy.numpy._arguments import (
    Array,
    DType,
    Operand,
    RealArray,
    Shape,
    in_fortran_order,
    is_contiguous,
    named,
    takes,
)
from corepy.numpy._shapes import Order, axes_in_memory, in_order
from corepy.numpy.conversion import call_numpy

__all__ = [
    "arange", "asanyarray", "empty", "empty_like", "eye", "full", "full_like", "geomspace",
    "identity", "linspace", "logspace", "ones", "ones_like", "vander", "zeros", "zeros_like",
]  # fmt: skip

_OF_NUMPY = (np.ndarray, np.generic, int, float, complex)


# ---- of objects


def any_array(
    obj: Any, dtype: Any, copy: Any, order: Any, subok: Any, ndmin: Any, ndmax: Any, like: Any
) -> Any:
    """Compute any call of `array`."""
    x = None
    if like is None and not ndmax and type(ndmin) is int and ndmin <= 64:
        x = _converted(obj, dtype, order, None, copy)
    if x is None:
        settings = {"copy": copy, "order": order, "subok": subok, "ndmin": ndmin, "like": like}
        if ndmax:
            settings["ndmax"] = ndmax
        return call_numpy("array", np.array, (obj, dtype), settings)
    return x if ndmin <= x.ndim else x[(None,) * (ndmin - x.ndim)]


def _converted(obj: Any, dtype: Any, order: Any, device: Any, copy: bool | None) -> Tensor | None:
    """Return an object as a tensor; None where a Tensor does not represent NumPy's array of it."""
    if dtype is not None:
        dtype = held_dtype(dtype)
        if dtype is None:
            return None
    if isinstance(copy, np._CopyMode):  # type: ignore[attr-defined]
        copy = {0: False, 1: True}.get(copy.value)
    if copy not in (True, False, None) or order not in ("K", "A", "C", "F", None):
        return None
    copy = None if copy is None else bool(copy)
    x = obj
    if isinstance(obj, (list, tuple)):
        if dtype is None and copy is not False:
            x, copy = held(obj), None
            if device is None and x is not None and x.device.backend is cpu:
                device = setting("device")
    elif not isinstance(obj, Tensor):
        x = held(obj)
        if isinstance(obj, _OF_NUMPY):
            x = None if x is None else obj
        elif not hasattr(obj, "__dlpack__") and not hasattr(obj, "__cuda_array_interface__"):
            device = device or setting("device")
    if x is None or (
        dtype is not None and getattr(x, "dtype", dtype).kind == "c" and dtype.kind not in "cb"
    ):
        return None
    if order is None or order == "K":
        return _asarray(x, dtype, device, copy)
    x = in_drop_in(_asarray(x, dtype, device, False if copy is False else None))
    in_place = order == "A" or is_contiguous(x if order == "C" else x.T)
    if in_place and not copy:
        return x
    if copy is False:
        raise ValueError(f"array: order={order!r} needs a copy, and copy=False was given")
    if order == "A":
        order = "F" if in_fortran_order(x) else "C"
    return in_order(x, order, methodcaller("copy"))


def any_asarray(
    a: Any, dtype: Any, order: Any, device: Any, copy: Any, like: Any, chunks: Any
) -> Any:
    """Compute any call of `asarray`."""
    if chunks is not None:
        return xp.asarray(a, dtype=dtype, device=device, copy=copy, chunks=chunks)
    x = _converted(a, dtype, order, device, copy) if like is None else None
    if x is None:
        settings = {"device": device, "copy": copy, "like": like}
        return call_numpy("asarray", np.asarray, (a, dtype, order), settings)
    return x


def asanyarray(
    a: Any,
    dtype: DType | None = None,
    order: Order = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    like: None = None,
) -> Tensor:
    """Return an object as an array; subclasses of ndarray remain. See `numpy.asanyarray`."""
    x = _converted(a, dtype, order, device, copy)
    if x is None:
        settings = {"device": device, "copy": copy}
        return call_numpy("asanyarray", np.asanyarray, (a, dtype, order), settings)
    return x


# ---- of one value


def _made(make: Callable[..., Tensor], shape: Any, dtype: Any, order: str, device: Any) -> Tensor:
    """Call a function of the standard with a shape in the order of axes in memory."""
    if order == "C" or isinstance(shape, int):
        return make(shape, dtype=dtype, device=device)
    return make(shape[::-1], dtype=dtype, device=device).T


def _creation(name: str, make: Callable[..., Tensor]) -> Any:
    """Return a function of NumPy's that makes an array of a shape."""

    def function(
        shape: Shape,
        dtype: DType | None = None,
        order: Literal["C", "F"] = "C",
        *,
        device: Any = None,
        like: None = None,
    ) -> Tensor:
        return _made(make, shape, dtype, order, device)

    return named(function, name)


empty = _creation("empty", xp.empty)
zeros = _creation("zeros", xp.zeros)
ones = _creation("ones", xp.ones)


def full(
    shape: Shape,
    fill_value: Operand,
    dtype: DType | None = None,
    order: Literal["C", "F"] = "C",
    *,
    device: Any = None,
    like: None = None,
) -> Tensor:
    """Return an array of one value, or of values that are broadcast. See `numpy.full`."""
    if order == "C" and (
        (type(fill_value) is float and (dtype is None or kind_of(dtype) in "fc"))
        or (type(fill_value) is int and dtype is None and abs(fill_value) < 2**63)
    ):
        return xp.full(shape, fill_value, dtype=dtype, device=device)
    values = _values(fill_value, dtype)
    if type(values) is int:  # beyond 64 bits
        whole: Any = np.full(shape, fill_value, order=order)
        return whole
    out = _made(xp.empty, shape, values.dtype, order, device)
    out[...] = values
    return out


def _values(fill_value: Any, dtype: Any) -> Any:
    """Return values of a dtype, cast as NumPy's functions cast them."""
    if not isinstance(fill_value, Tensor):
        return np.full((), fill_value, dtype)[()]
    return fill_value if dtype is None else _cast(fill_value, dtype)


def _cast(x: Tensor, dtype: Any) -> Tensor:
    """Cast numbers, with NumPy's warning where imaginary parts are dropped."""
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        text = "Casting complex values to real discards the imaginary part"
        warnings.warn(text, np.exceptions.ComplexWarning, stacklevel=3)
        x = xp.real(x)
    return xp.astype(x, dtype, copy=False)


def empty_like(
    prototype: Array,
    /,
    dtype: DType | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: Any = None,
) -> Tensor:
    """Return an array of the shape of another. See `numpy.empty_like`."""
    sizes = prototype.shape if shape is None else (shape,) if isinstance(shape, int) else shape
    axes: Any = None
    if order == "F" or (order == "A" and in_fortran_order(prototype)):
        axes = range(len(sizes))[::-1]
    elif order in ("K", None) and len(sizes) == prototype.ndim:
        axes = axes_in_memory(prototype)
    dtype = prototype.dtype if dtype is None else dtype
    device = prototype.device if device is None else device
    if axes is None:
        return xp.empty(sizes, dtype=dtype, device=device)
    out = xp.empty(tuple([sizes[axis] for axis in axes]), dtype=dtype, device=device)
    return xp.permute_dims(out, tuple(sorted(range(len(sizes)), key=axes.__getitem__)))


def full_like(
    a: Array,
    fill_value: Operand,
    dtype: DType | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: Any = None,
) -> Tensor:
    """Return an array of one value of the shape of another. See `numpy.full_like`."""
    out = empty_like(a, dtype, order, subok, shape, device=device)
    out[...] = _values(fill_value, out.dtype)
    return out


def _like(name: str, value: int) -> Any:
    """Return `full_like` for one value."""

    def function(
        a: Array,
        dtype: DType | None = None,
        order: Order = "K",
        subok: bool = True,
        shape: Shape | None = None,
        *,
        device: Any = None,
    ) -> Tensor:
        return full_like(a, value, dtype, order, subok, shape, device=device)

    return named(function, name)


zeros_like = _like("zeros_like", 0)
ones_like = _like("ones_like", 1)


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DType = float,  # type: ignore[assignment]
    order: Literal["C", "F"] = "C",
    *,
    device: Any = None,
    like: None = None,
) -> Tensor:
    """Return a matrix with ones on a diagonal. See `numpy.eye`."""
    if order == "F":
        return xp.eye(N if M is None else M, N, k=-k, dtype=dtype, device=device).T
    return xp.eye(N, M, k=k, dtype=dtype, device=device)


def identity(n: int, dtype: DType | None = None, *, like: None = None) -> Tensor:
    """Return a square matrix with ones on the main diagonal. See `numpy.identity`."""
    return xp.eye(n, dtype=dtype)


# ---- of ranges


def _are_numbers(*values: Any) -> bool:
    """Whether tensors have no axes, and a dtype in which NumPy adds steps as of other numbers."""
    return all(
        not isinstance(x, Tensor) or (x.ndim == 0 and x.dtype not in (np.float32, np.uint64))
        for x in values
    )


@takes(lambda start_or_stop, stop, step: _are_numbers(start_or_stop, stop, step))
def arange(
    start_or_stop: RealArray | int | float,
    /,
    stop: RealArray | int | float | None = None,
    step: RealArray | int | float | None = 1,
    *,
    dtype: DType | None = None,
    device: Any = None,
    like: None = None,
) -> Tensor:
    """Return evenly spaced numbers of an interval without its end. See `numpy.arange`."""
    ends: tuple[Any, ...] = (start_or_stop, stop, 1 if step is None else step)
    return xp.arange(*ends, dtype=dtype, device=device)


def _are_spaced(start: Any, stop: Any) -> bool:
    """Whether NumPy computes in the dtype of the result."""
    if type(start) is type(stop) is float or type(start) is type(stop) is int:
        return True
    ends = start, stop
    kinds = [end.dtype for end in ends if isinstance(end, Tensor)]
    if any(kind in (np.float32, np.complex64) for kind in kinds):
        return complex not in map(type, ends) and all(kind_of(kind) in "fc" for kind in kinds)
    return True


@takes(_are_spaced)
def linspace(
    start: Operand,
    stop: Operand,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DType | None = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """Return evenly spaced numbers of an interval, or of several. See `numpy.linspace`."""
    steps = num - 1 if endpoint else num
    if isinstance(start, (int, float)) and isinstance(stop, (int, float)) and axis in (0, -1):
        out = xp.linspace(start, stop, num, endpoint=endpoint, dtype=dtype, device=device)
        if not retstep:
            return out
        # float64's division is of doubles, as Python's.
        return out, np.float64((stop * 1.0 - start) / steps) if steps > 0 else math.nan
    if num < 0:
        raise ValueError(f"linspace: num must be at least 0, got {num}")
    first: Any = start * 1.0
    delta = stop * 1.0 - first
    if not isinstance(delta, Tensor):
        delta = xp.asarray(delta, device=device)
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
        out[-1, ...] = stop * 1.0
    if axis != 0:
        out = xp.moveaxis(out, 0, axis)
    if dtype is not None:
        out = _cast(xp.floor(out) if dtype.kind in "iu" else out, dtype)
    if not retstep:
        return out
    return out, math.nan if step is None else step


@takes(_are_spaced)
def logspace(
    start: Operand,
    stop: Operand,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: DType | None = None,
    axis: int = 0,
) -> Tensor:
    """Return numbers evenly spaced on a log scale. See `numpy.logspace`."""
    y = xp.pow(float(base), linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else _cast(y, dtype)


# In NumPy, complex progressions are spirals.
@takes(lambda dtype: dtype is None or dtype.kind != "c")
def geomspace(
    start: RealArray | int | float,
    stop: RealArray | int | float,
    num: int = 50,
    endpoint: bool = True,
    dtype: DType | None = None,
    axis: int = 0,
) -> Tensor:
    """Return numbers of a geometric progression. See `numpy.geomspace`."""
    ends = start, stop
    device = next((end.device for end in ends if isinstance(end, Tensor)), None)
    first, last = [xp.asarray(end, dtype=np.float64, device=device) for end in ends]
    if xp.any(first == 0) or xp.any(last == 0):
        raise ValueError("geomspace: start and stop must not be 0")
    sign = xp.sign(first)
    out = logspace(xp.log10(first / sign), xp.log10(last / sign), num, endpoint) * sign
    if num > 0:
        out[0, ...] = first
    if num > 1 and endpoint:
        out[-1, ...] = last
    if axis != 0:
        out = xp.moveaxis(out, 0, axis)
    return out if dtype is None else xp.astype(out, dtype, copy=False)


def vander(x: Array, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return a matrix of powers of its first argument. See `numpy.vander`."""
    if x.ndim != 1:
        raise ValueError(f"vander: x must have one axis, got shape {x.shape}")
    count = x.size if N is None else N
    out = xp.ones((x.size, count), dtype=np.promote_types(x.dtype, int), device=x.device)
    if count > 1:
        out[:, 1:] = x[:, None]
        out = xp.cumulative_prod(out, axis=1)
    return out if increasing else out[:, ::-1]
