"""Checks of arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from corepy._cython.core import Tensor, lend
from corepy._cython.lazy import recorder
from corepy.array_api import astype, float32, float64, result_type

FLOATS = (float32, float64)


def namespace_of(function: str, name: str, x: Any) -> Any:
    """Return the namespace of what must be an array."""
    if not hasattr(x, "__array_namespace__"):
        raise TypeError(
            f"{function}: expected an array of the array API standard as {name}, "
            f"got {type(x).__name__}"
        )
    return x.__array_namespace__()


def floats(function: str, **arrays: Any) -> Any:
    """Return the namespace of the first array; all must have real floating-point elements."""
    for name, x in arrays.items():
        if isinstance(x, Tensor) and x.dtype in FLOATS:  # the rest takes longer than small products
            continue
        xp = namespace_of(function, name, x)
        if not xp.isdtype(x.dtype, "real floating"):
            raise TypeError(
                f"{function}: expected floating-point elements in {name}, got {x.dtype}"
            )
    return next(iter(arrays.values())).__array_namespace__()


def check_ndim(function: str, name: str, x: Any, ndim: int, layout: str) -> None:
    """Raise ValueError unless an array has some number of axes."""
    if x.ndim != ndim:
        raise ValueError(f"{function}: expected {name} of shape {layout}, got {x.shape}")


def check_axis(function: str, x: Any, axis: int) -> None:
    """Raise IndexError, as the standard's functions do, unless an array has an axis."""
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(
            f"{function}: expected an axis in [{-x.ndim}, {x.ndim}) of shape {x.shape}, got {axis}"
        )


def pair(function: str, name: str, value: Any, least: int) -> tuple[int, int]:
    """Return an int, or a pair of them, as a pair."""
    found = (value, value) if isinstance(value, int) else tuple(value)
    if len(found) != 2 or not least <= min(found) <= max(found) < 2**31:
        raise ValueError(
            f"{function}: expected {name} to be an int or a pair, in [{least}, {2**31}), "
            f"got {value}"
        )
    return found


def in_one_pass(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function's operations computed together also where they read memory that is not
    Corepy's alone, as that of a NumPy array, which the program may write to after the call.
    """

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        values = [*args, *options.values()]
        if not lend(values):
            return function(*args, **options)
        count = len(args)
        y = function(*values[:count], **dict(zip(options, values[count:], strict=True)))
        recorder.compute(y)
        return y

    return call


def is_half(x: Any) -> bool:
    """Return whether a value is a tensor of floating-point numbers of 16 bits."""
    return isinstance(x, Tensor) and x.dtype.itemsize == 2 and x.dtype.kind not in "iu"


def rounded_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function of halves computed in float32, and its result rounded."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        values = [*args, *options.values()]
        if not any(map(is_half, values)):
            return function(*args, **options)
        arrays = [x for x in values if isinstance(x, Tensor) and x.dtype.kind not in "biu"]

        def wide(x: Any) -> Any:
            return astype(x, float32) if is_half(x) else x

        y = function(*map(wide, args), **{name: wide(x) for name, x in options.items()})
        return astype(y, result_type(*arrays))

    return call
