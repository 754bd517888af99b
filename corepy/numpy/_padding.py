"""NumPy's `pad`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, in_drop_in
from corepy.numpy._arguments import Array, in_fortran_order, takes
from corepy.numpy._creation import linspace

__all__ = ["pad"]

Mode = Literal[
    "constant", "edge", "empty", "linear_ramp", "maximum", "mean", "minimum", "reflect",
    "symmetric", "wrap",
]  # fmt: skip
# The keyword of a mode.
_KEYWORD = {
    "constant": "constant_values",
    "linear_ramp": "end_values",
    "maximum": "stat_length",
    "mean": "stat_length",
    "minimum": "stat_length",
    "reflect": "reflect_type",
    "symmetric": "reflect_type",
}

# Bytes up to which clearing all of a result is faster than clearing its sides.
_SMALL = 65_536

_NOT_GIVEN: Any = np._NoValue  # type: ignore[attr-defined]
_Pairs = list[tuple[Any, Any]]


def _pairs(value: Any, ndim: int) -> _Pairs:
    """Return one pair for each axis: what is before and what after."""
    array = value.to_numpy() if isinstance(value, Tensor) else np.asarray(value)
    if array.shape == (ndim, 2) and ndim > 1:
        return array.tolist()
    if array.size == 1 and array.ndim < 3:
        return [(array.flat[0], array.flat[0])] * ndim
    if array.size == 2 and array.ndim < 3 and array.shape != (2, 1):
        return [tuple(array.ravel())] * ndim
    return np.broadcast_to(array, (ndim, 2)).tolist()


def _sizes(name: str, value: Any, ndim: int) -> _Pairs:
    """Return one pair of sizes for each axis."""
    pairs = [(value, value)] * ndim if type(value) is int else _pairs(value, ndim)
    for pair in pairs:
        for size in pair:
            if type(size) is not int and not isinstance(size, np.signedinteger):
                raise TypeError(f"pad: `{name}` must be of integral type, got {size!r}")
            if size < 0:
                raise ValueError(f"pad: index can't contain negative values, got {name} {size}")
    return pairs


def _widths(value: Any, ndim: int) -> _Pairs:
    if isinstance(value, dict):
        pairs: Any = [(0, 0)] * ndim
        for axis, width in value.items():
            pairs[axis] = width if isinstance(width, tuple) else (width, width)
        value = pairs
    return _sizes("pad_width", value, ndim)


@takes(lambda array: array.ndim > 0)
def pad(
    array: Array,
    pad_width: Any,
    mode: Mode = "constant",
    *,
    constant_values: Any = _NOT_GIVEN,
    end_values: Any = _NOT_GIVEN,
    stat_length: Any = _NOT_GIVEN,
    reflect_type: Any = _NOT_GIVEN,
) -> Tensor:
    """Return an array with more elements at its ends. See `numpy.pad`."""
    options = {
        "constant_values": constant_values,
        "end_values": end_values,
        "stat_length": stat_length,
        "reflect_type": reflect_type,
    }
    option = options.pop(_KEYWORD.get(mode, ""), _NOT_GIVEN)
    for name, value in options.items():
        if value is not _NOT_GIVEN:
            raise ValueError(f"pad: unsupported keyword arguments for mode {mode!r}: {name}")
    shape, ndim = array.shape, array.ndim
    widths = _widths(pad_width, ndim)
    inner = tuple([slice(before, before + n) for n, (before, _) in zip(shape, widths, strict=True)])
    if mode == "constant" and option is _NOT_GIVEN and array.nbytes < _SMALL:
        out = _new(xp.zeros, array, widths)
        out[inner] = array
        return out
    out = _new(xp.empty, array, widths)
    out[inner] = array
    if mode == "empty":
        return out
    if not array.size and mode != "constant":
        for axis, n in enumerate(shape):
            if not n and any(widths[axis]):
                raise ValueError(
                    f"pad: can't extend empty axis {axis} using modes other than 'constant' or "
                    f"'empty', got {mode!r}"
                )
        return out
    sides = _sides(mode, option, ndim)
    for axis, (before, after) in enumerate(widths):
        if before or after:
            # Later axes fill the corners.
            area = out[(slice(None),) * (axis + 1) + inner[axis + 1 :]]
            _FILL[mode](area, axis, before, after, sides[axis])
    return out


def _new(make: Callable[..., Tensor], x: Tensor, widths: _Pairs) -> Tensor:
    """Return a new array in Fortran order if `x` is, and in C order otherwise."""
    shape = [n + before + after for n, (before, after) in zip(x.shape, widths, strict=True)]
    if in_fortran_order(x):
        return in_drop_in(make(tuple(shape[::-1]), dtype=x.dtype, device=x.device)).T
    return in_drop_in(make(tuple(shape), dtype=x.dtype, device=x.device))


def _sides(mode: str, option: Any, ndim: int) -> list[Any]:
    """Return what a mode's keyword says about each axis."""
    given = option is not _NOT_GIVEN
    if mode in ("constant", "linear_ramp"):
        return _pairs(option if given else 0, ndim)
    if _KEYWORD.get(mode) == "stat_length":
        if not given or option is None:
            return [(mode, None, None)] * ndim
        lengths = _sizes("stat_length", option, ndim)
        if mode != "mean" and any(0 in pair for pair in lengths):
            raise ValueError(f"pad: stat_length of 0 yields no value for padding, got {option}")
        return [(mode, *pair) for pair in lengths]
    return [option if given else "even"] * ndim


def _along(x: Tensor, axis: int, start: Any, stop: Any, step: Any = None) -> Tensor:
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


def _put(x: Tensor, axis: int, start: int, stop: int, value: Any) -> None:
    if start != stop:
        x[(slice(None),) * axis + (slice(start, stop),)] = value


def _fill_constant(x: Tensor, axis: int, before: int, after: int, values: Any) -> None:
    n = x.shape[axis]
    _put(x, axis, 0, before, values[0])
    _put(x, axis, n - after, n, values[1])


def _fill_edge(x: Tensor, axis: int, before: int, after: int, _: Any) -> None:
    stop = x.shape[axis] - after
    edges = _along(x, axis, before, before + 1), _along(x, axis, stop - 1, stop)
    _fill_constant(x, axis, before, after, edges)


def _fill_ramp(x: Tensor, axis: int, before: int, after: int, ends: Any) -> None:
    n = x.shape[axis]
    at = (slice(None),) * axis
    for width, edge, part, end, step in (
        (before, before, slice(0, before), ends[0], 1),
        (after, n - after - 1, slice(n - after, n), ends[1], -1),
    ):
        if width:
            # In float64, as of NumPy's numbers, whatever the dtype is.
            last = xp.astype(x[(*at, edge)], np.complex128 if x.dtype.kind == "c" else np.float64)
            ramp = linspace(
                np.asarray(end).item(), last, width, endpoint=False, dtype=x.dtype, axis=axis
            )
            x[(*at, part)] = _along(ramp, axis, None, None, step)


_STATISTICS = {"maximum": "max", "mean": "mean", "minimum": "min"}


def _fill_statistic(x: Tensor, axis: int, before: int, after: int, how: Any) -> None:
    mode, first, last = how
    stop = x.shape[axis] - after
    size = stop - before
    first = size if first is None else min(first, size)
    last = size if last is None else min(last, size)
    values = []
    for start, end in ((before, before + first), (stop - last, stop)):
        part: Any = _along(x, axis, start, end)
        value = getattr(part, _STATISTICS[mode])(axis, keepdims=True)
        if value.dtype != x.dtype:
            value = xp.round(value).astype(x.dtype)
        values.append(value)
    _fill_constant(x, axis, before, after, values)


def _fill_reflection(x: Tensor, axis: int, before: int, after: int, kind: Any, edge: int) -> None:
    """Fill by reflection at the edges; `edge` is 1 where they are repeated."""
    total = x.shape[axis]
    period = total - before - after - 1 + edge
    if period == edge:  # one element
        _fill_edge(x, axis, before, after, None)
        return
    while before or after:
        # As many as whole periods of what is there.
        most = (total - before - after - 1 + edge) // period * period
        if before:
            count, start = min(most, before), before + 1 - edge
            part = _along(x, axis, start, start + count)
            if kind == "odd":
                part = 2 * _along(x, axis, before, before + 1) - part
            _put(x, axis, before - count, before, _along(part, axis, None, None, -1))
            before -= count
        if after:
            count, start = min(most, after), total - after
            part = _along(x, axis, start - 1 + edge - count, start - 1 + edge)
            if kind == "odd":
                part = 2 * _along(x, axis, start - 1, start) - part
            _put(x, axis, start, start + count, _along(part, axis, None, None, -1))
            after -= count


def _fill_wrap(x: Tensor, axis: int, before: int, after: int, _: Any) -> None:
    n = x.shape[axis]
    size = n - before - after
    if before <= size and after <= size:
        if before:
            _put(x, axis, 0, before, _along(x, axis, size, size + before))
        if after:
            _put(x, axis, n - after, n, _along(x, axis, before, before + after))
        return
    steps = xp.arange(-before, size + after, device=x.device) % size
    inner = xp.asarray(_along(x, axis, before, before + size), copy=True)
    x[...] = xp.take(inner, steps, axis=axis)


_FILL: dict[str, Callable[..., None]] = {
    "constant": _fill_constant,
    "edge": _fill_edge,
    "linear_ramp": _fill_ramp,
    "maximum": _fill_statistic,
    "mean": _fill_statistic,
    "minimum": _fill_statistic,
    "reflect": partial(_fill_reflection, edge=0),
    "symmetric": partial(_fill_reflection, edge=1),
    "wrap": _fill_wrap,
}
