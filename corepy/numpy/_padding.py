"""NumPy's `pad`; its public name is in `_shapes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy.numpy._arguments import Forward, in_fortran_order, items_of, tensor

_KEYWORDS: dict[Any, set[str]] = {
    "constant": {"constant_values"},
    "edge": set(),
    "empty": set(),
    "linear_ramp": {"end_values"},
    "maximum": {"stat_length"},
    "mean": {"stat_length"},
    "minimum": {"stat_length"},
    "reflect": {"reflect_type"},
    "symmetric": {"reflect_type"},
    "wrap": set(),
}

# Bytes up to which clearing all of a result is faster than clearing its sides.
_SMALL = 65_536

_Pairs = list[tuple[Any, Any]]


def _pairs(value: Any, ndim: int) -> _Pairs:
    """Return one pair for each axis: what is before and what after."""
    if type(value) is int or type(value) is float:
        return [(value, value)] * ndim
    if isinstance(value, (Tensor, np.ndarray)):
        value = value.tolist()
        if not isinstance(value, list):
            return [(value, value)] * ndim
    value = [
        each.tolist() if isinstance(each, (Tensor, np.ndarray)) else each
        for each in items_of(value)
    ]
    if all(not isinstance(each, (tuple, list)) for each in value):
        if len(value) == 1:
            return [(value[0], value[0])] * ndim
        if len(value) == 2:
            return [(value[0], value[1])] * ndim
        raise Forward
    pairs = [tuple(each) if len(each) == 2 else (each[0], each[0]) for each in value]
    if len({len(each) for each in value}) != 1 or len(value[0]) > 2:
        raise Forward
    if len(pairs) == 1:
        return pairs * ndim
    if len(pairs) != ndim:
        raise Forward
    return pairs


def _widths(pad_width: Any, ndim: int) -> _Pairs:
    if isinstance(pad_width, dict):
        raise Forward
    widths = _pairs(pad_width, ndim)
    for pair in widths:
        for width in pair:
            if type(width) is not int and not isinstance(width, np.integer):
                raise Forward
            if width < 0:
                raise Forward
    return widths


def _values(x: Tensor, value: Any) -> _Pairs:
    """Return values to fill in, for each side of each axis, as 0-d tensors of the dtype."""

    def cast(each: Any) -> Tensor:
        given = tensor(each, x)
        if given.ndim or (given.dtype.kind == "c" and x.dtype.kind != "c"):
            raise Forward
        return given.astype(x.dtype)

    # NumPy makes one array of all values.
    if type(value) is not int and type(value) is not float:
        value = tensor(value, x).tolist()
    return [(cast(before), cast(after)) for before, after in _pairs(value, x.ndim)]


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Tensor:
    """Return an array with more elements at its ends. See `numpy.pad`."""
    x = tensor(array)
    ndim = x.ndim
    widths = _widths(pad_width, ndim)
    if callable(mode) or mode not in _KEYWORDS or not kwargs.keys() <= _KEYWORDS[mode]:
        raise Forward
    if not ndim or (x.size == 0 and mode not in ("constant", "empty")):
        raise Forward
    shape = tuple([n + before + after for n, (before, after) in zip(x.shape, widths, strict=True)])
    inner = tuple(
        [slice(before, before + n) for n, (before, _) in zip(x.shape, widths, strict=True)]
    )
    constant = kwargs.get("constant_values", 0)
    if mode == "constant" and type(constant) is int and constant == 0 and x.nbytes < _SMALL:
        out = _new(xp.zeros, x, shape)
        out[inner] = x
        return out
    out = _new(xp.empty, x, shape)
    out[inner] = x
    if mode == "empty":
        return out
    sides = _sides(x, mode, kwargs)
    for axis, (before, after) in enumerate(widths):
        if before or after:
            # Later axes fill the corners.
            area = out[(slice(None),) * (axis + 1) + inner[axis + 1 :]]
            _FILL[mode](area, axis, before, after, sides[axis])
    return out


def _new(make: Callable[..., Tensor], x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return a new array in Fortran order if `x` is, and in C order otherwise."""
    if in_fortran_order(x):
        return make(shape[::-1], dtype=x.dtype, device=x.device).T
    return make(shape, dtype=x.dtype, device=x.device)


def _sides(x: Tensor, mode: str, kwargs: dict[str, Any]) -> list[Any]:
    """Return what a mode's keyword says about each axis."""
    if mode == "constant":
        return _values(x, kwargs.get("constant_values", 0))
    if mode == "linear_ramp":
        return _pairs(kwargs.get("end_values", 0), x.ndim)
    if "stat_length" in _KEYWORDS[mode]:
        length = kwargs.get("stat_length")
        lengths = [(None, None)] * x.ndim if length is None else _widths(length, x.ndim)
        if any(0 in pair for pair in lengths):
            raise Forward
        return [(mode, *pair) for pair in lengths]
    kind = kwargs.get("reflect_type", "even")
    if kind not in ("even", "odd"):
        raise Forward
    return [kind] * x.ndim


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
    from corepy.numpy._creation import linspace  # which needs functions of `_shapes`

    n = x.shape[axis]
    at = (slice(None),) * axis
    for width, edge, part, end, step in (
        (before, before, slice(0, before), ends[0], 1),
        (after, n - after - 1, slice(n - after, n), ends[1], -1),
    ):
        if width:
            # In float64, as of NumPy's numbers, whatever the dtype is.
            last = xp.astype(x[(*at, edge)], np.complex128 if x.dtype.kind == "c" else np.float64)
            ramp = linspace(end, last, width, endpoint=False, dtype=x.dtype, axis=axis)
            x[(*at, part)] = _along(ramp, axis, None, None, step)


_STATISTICS = {"maximum": xp.max, "mean": xp.mean, "minimum": xp.min}


def _fill_statistic(x: Tensor, axis: int, before: int, after: int, how: Any) -> None:
    mode, first, last = how
    stop = x.shape[axis] - after
    size = stop - before
    values = []
    for start, end in (
        (before, before + min(size, first or size)),
        (stop - min(size, last or size), stop),
    ):
        part = _along(x, axis, start, end)
        if mode == "mean" and x.dtype.kind not in "fc":
            part = xp.astype(part, np.float64)
        value = _STATISTICS[mode](part, axis=axis, keepdims=True)
        if value.dtype != x.dtype:
            value = xp.astype(xp.round(value), x.dtype)
        values.append(value)
    _fill_constant(x, axis, before, after, values)


def _fill_reflection(x: Tensor, axis: int, before: int, after: int, kind: Any, edge: int) -> None:
    """Fill by reflection at the edges; `edge` is 1 where they are repeated."""
    n = x.shape[axis]
    size = n - before - after
    if size == 1 and not edge:
        _fill_edge(x, axis, before, after, None)
        return
    most = size - 1 + edge
    if before > most or after > most:
        if kind == "odd":
            raise Forward
        period = 2 * most
        steps = xp.arange(-before, size + after, device=x.device) % period
        steps = xp.minimum(steps, period - edge - steps)
        inner = _along(x, axis, before, before + size)
        x[...] = xp.take(xp.asarray(inner, copy=True), steps, axis=axis)
        return
    first, last = before - edge, n - after - 1 + edge  # the places of reflection
    low = _along(x, axis, first + 1, first + 1 + before, None) if before else None
    high = _along(x, axis, last - after, last, None) if after else None
    if kind == "odd":
        low = low if low is None else 2 * _along(x, axis, before, before + 1) - low
        high = high if high is None else 2 * _along(x, axis, n - after - 1, n - after) - high
    if low is not None:
        _put(x, axis, 0, before, _along(low, axis, None, None, -1))
    if high is not None:
        _put(x, axis, n - after, n, _along(high, axis, None, None, -1))


def _fill_reflect(x: Tensor, axis: int, before: int, after: int, kind: Any) -> None:
    _fill_reflection(x, axis, before, after, kind, 0)


def _fill_symmetric(x: Tensor, axis: int, before: int, after: int, kind: Any) -> None:
    _fill_reflection(x, axis, before, after, kind, 1)


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


_FILL = {
    "constant": _fill_constant,
    "edge": _fill_edge,
    "linear_ramp": _fill_ramp,
    "maximum": _fill_statistic,
    "mean": _fill_statistic,
    "minimum": _fill_statistic,
    "reflect": _fill_reflect,
    "symmetric": _fill_symmetric,
    "wrap": _fill_wrap,
}
