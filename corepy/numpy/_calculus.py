"""Differences, sums, integrals and interpolation of samples, and polynomials."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy._cython.cpu.further import convolution_part as _part
from corepy._cython.cpu.further import convolve as _convolved
from corepy.numpy._arguments import Forward, pair, stored, tensor, tensors
from corepy.numpy._creation import vander
from corepy.numpy._linalg import lstsq

__all__ = [
    "convolve", "correlate", "cumprod", "cumsum", "diff", "ediff1d", "gradient", "interp",
    "nancumprod", "nancumsum", "polyadd", "polyder", "polyfit", "polymul", "polysub", "polyval",
    "trapezoid", "unwrap",
]  # fmt: skip

_NO_VALUE = np._NoValue
# On the CPU NumPy's function is faster for fewer points than this.
_FEW_POINTS = 500
# The same for polynomials with more products of coefficients than this.
_FEW_PRODUCTS = 2000


def _along(axis: int, start: int | None, stop: int | None) -> tuple[slice, ...]:
    """Return the index of a part of one axis, counted from the front."""
    return (*[slice(None)] * axis, slice(start, stop))


def _from_front(axis: Any, ndim: int) -> int:
    """Return an axis counted from the front; NumPy has the error of a wrong one."""
    if type(axis) is not int or not -ndim <= axis < ndim:
        raise Forward
    return axis + ndim if axis < 0 else axis


def _is_on_cpu(x: Tensor) -> bool:
    return str(x.device) == "cpu"


# ---- sums of parts


def cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Add up elements, keeping the sums. See `numpy.cumsum`."""
    return _scanned(xp.cumulative_sum, a, axis, dtype, out)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Multiply up elements, keeping the products. See `numpy.cumprod`."""
    return _scanned(xp.cumulative_prod, a, axis, dtype, out)


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Add up elements, NaNs as 0. See `numpy.nancumsum`."""
    return _scanned(xp.cumulative_sum, _without_nans(a, 0.0), axis, dtype, out)


def nancumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Multiply up elements, NaNs as 1. See `numpy.nancumprod`."""
    return _scanned(xp.cumulative_prod, _without_nans(a, 1.0), axis, dtype, out)


def _scanned(scan: Any, a: Any, axis: int | None, dtype: Any, out: Any) -> Tensor:
    if not isinstance(a, Tensor):
        a = tensor(a)
    if axis is None and a.ndim != 1:
        a = a.reshape(-1)
    result = scan(a, axis=axis) if dtype is None else scan(a, axis=axis, dtype=dtype)
    return result if out is None else stored(result, out)


def _without_nans(a: Any, value: float) -> Tensor:
    if not isinstance(a, Tensor):
        a = tensor(a)
    return xp.where(a == a, a, value) if a.dtype.kind in "fc" else a


# ---- differences


def diff(
    a: Any, n: int = 1, axis: int = -1, prepend: Any = _NO_VALUE, append: Any = _NO_VALUE
) -> Tensor:
    """Subtract each element from the next one, `n` times. See `numpy.diff`."""
    if n == 0:
        return a
    if not isinstance(a, Tensor):
        a = tensor(a)
    if prepend is _NO_VALUE and append is _NO_VALUE:
        return xp.diff(a, axis=axis, n=n)
    return xp.diff(
        a,
        axis=axis,
        n=n,
        prepend=None if prepend is _NO_VALUE else tensor(prepend, a),
        append=None if append is _NO_VALUE else tensor(append, a),
    )


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """Subtract each element from the next one, in one dimension. See `numpy.ediff1d`."""
    if not isinstance(ary, Tensor):
        ary = tensor(ary)
    if ary.ndim != 1:
        ary = ary.reshape(-1)
    dtype = ary.dtype
    if dtype.kind == "b":
        raise Forward
    result = xp.diff(ary)
    if to_end is None and to_begin is None:
        return result
    parts = [result]
    for place, value in ((0, to_begin), (2, to_end)):
        if value is not None:
            value = tensor(value, ary)
            if not np.can_cast(value.dtype, dtype, "same_kind"):
                raise Forward
            parts.insert(place, value.astype(dtype, copy=False).reshape(-1))
    return xp.concat(parts)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Estimate derivatives by central differences. See `numpy.gradient`."""
    if not isinstance(f, Tensor):
        f = tensor(f)
    if f.dtype.kind not in "fc":
        if f.dtype.kind == "b":
            raise Forward
        f = xp.astype(f, np.dtype("d"))
    if axis is None:
        axes = list(range(f.ndim))
    else:
        axes = [_from_front(k, f.ndim) for k in (axis if type(axis) is tuple else (axis,))]
    steps = varargs if varargs else (1.0,) * len(axes)
    if len(steps) == 1 and len(axes) > 1:
        if not isinstance(steps[0], (int, float)) and np.ndim(steps[0]):
            raise Forward
        steps = steps * len(axes)
    if len(steps) != len(axes) or len(set(axes)) < len(axes) or edge_order not in (1, 2):
        raise Forward
    results = [_derivative(f, k, h, edge_order) for k, h in zip(axes, steps, strict=True)]
    return results[0] if len(results) == 1 else tuple(results)


def _derivative(f: Tensor, axis: int, step: Any, edge_order: int) -> Tensor:
    size = f.shape[axis]
    if size < edge_order + 1:
        raise Forward
    if type(step) not in (int, float):
        step = tensor(step, f)
        if step.ndim:
            return _uneven_derivative(f, axis, step, edge_order)

    def part(start: int | None, stop: int | None) -> Tensor:
        return f[_along(axis, start, stop)]

    out = xp.empty_like(f)
    out[_along(axis, 1, -1)] = (part(2, None) - part(None, -2)) / (2.0 * step)
    if edge_order == 1:
        first = (part(1, 2) - part(0, 1)) / step
        last = (part(-1, None) - part(-2, -1)) / step
    else:
        a, b, c = -1.5 / step, 2.0 / step, -0.5 / step
        first = a * part(0, 1) + b * part(1, 2) + c * part(2, 3)
        last = -c * part(-3, -2) - b * part(-2, -1) - a * part(-1, None)
    out[_along(axis, 0, 1)] = first
    out[_along(axis, -1, None)] = last
    return out


def _uneven_derivative(f: Tensor, axis: int, places: Tensor, edge_order: int) -> Tensor:
    """Return the derivative along an axis whose samples have these places."""
    if places.ndim != 1 or places.size != f.shape[axis] or places.dtype.kind not in "iuf":
        raise Forward
    if places.dtype.kind != "f":
        places = xp.astype(places, np.dtype("d"))
    steps = xp.diff(places)
    if xp.all(steps == steps[0]):
        return _derivative(f, axis, float(steps[0]), edge_order)
    steps = steps.reshape((-1,) + (1,) * (f.ndim - axis - 1))
    h, k = steps[:-1], steps[1:]

    def part(start: int | None, stop: int | None) -> Tensor:
        return f[_along(axis, start, stop)]

    out = xp.empty_like(f)
    out[_along(axis, 1, -1)] = (
        -(k / (h * (h + k))) * part(None, -2)
        + (k - h) / (h * k) * part(1, -1)
        + h / (k * (h + k)) * part(2, None)
    )
    if edge_order == 1:
        first = (part(1, 2) - part(0, 1)) / steps[:1]
        last = (part(-1, None) - part(-2, -1)) / steps[-1:]
    else:
        h, k = steps[:1], steps[1:2]
        first = (
            -(2.0 * h + k) / (h * (h + k)) * part(0, 1)
            + (h + k) / (h * k) * part(1, 2)
            - h / (k * (h + k)) * part(2, 3)
        )
        h, k = steps[-2:-1], steps[-1:]
        last = (
            k / (h * (h + k)) * part(-3, -2)
            - (k + h) / (h * k) * part(-2, -1)
            + (2.0 * k + h) / (k * (h + k)) * part(-1, None)
        )
    out[_along(axis, 0, 1)] = first
    out[_along(axis, -1, None)] = last
    return out


def unwrap(
    p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * pi
) -> Tensor:
    """Add multiples of a period that make differences small. See `numpy.unwrap`."""
    if not isinstance(p, Tensor):
        p = tensor(p)
    axis = _from_front(axis, p.ndim)
    if type(period) not in (int, float) or p.dtype.kind not in "if":
        raise Forward
    if discont is None:
        discont = period / 2
    steps = xp.diff(p, axis=axis)
    high: float
    if p.dtype.kind == "i" and type(period) is int:
        high, odd = period // 2, period % 2
    else:
        high, odd = period / 2, 0
    low = -high
    reduced = (steps - low) % period
    reduced += low
    if not odd:  # a step of half a period keeps its direction
        reduced = xp.where((reduced == low) & (steps > 0), high, reduced)
    change = xp.where(abs(steps) < discont, 0, reduced - steps)
    if change.dtype == p.dtype:
        result = p.copy()
    else:
        result = p.astype(change.dtype)
    result[_along(axis, 1, None)] += xp.cumulative_sum(change, axis=axis)
    return result


# ---- integrals and interpolation


def trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    """Integrate samples by the trapezoidal rule. See `numpy.trapezoid`."""
    if not isinstance(y, Tensor):
        y = tensor(y)
    from_back, axis = axis, _from_front(axis, y.ndim)
    low, high = y[_along(axis, None, -1)], y[_along(axis, 1, None)]
    if x is None:
        if type(dx) in (int, float):
            if y.dtype.kind not in "fc":
                return ((low + high) * dx / 2.0).sum(axis)
            # The integral of the steps from the left and from the right, without temporaries.
            return (low.sum(axis) + high.sum(axis)) * (dx * 0.5)
        # Steps of more dimensions give the products further axes in front.
        return ((low + high) * tensor(dx, y) / 2.0).sum(from_back)
    x = tensor(x, y)
    if x.ndim == 1:
        steps = xp.diff(x).reshape((-1,) + (1,) * (y.ndim - axis - 1))
    else:
        steps = xp.diff(x, axis=axis)
    if steps.dtype.kind == "b" or steps.ndim > y.ndim:
        raise Forward
    products = steps * (low + high)
    products = products / 2.0
    return products.sum(axis)


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Tensor:
    """Interpolate linearly between points. See `numpy.interp`."""
    if period is not None or (isinstance(x, Tensor) and x.size < _FEW_POINTS and _is_on_cpu(x)):
        return NotImplemented
    x, nodes, values = tensors(x, xp, fp)
    return _interpolated(x, nodes, values, left, right)


def _interpolated(x: Tensor, nodes: Tensor, values: Tensor, left: Any, right: Any) -> Tensor:
    if x.size < _FEW_POINTS and _is_on_cpu(x):
        raise Forward
    double = np.dtype("d")
    if nodes.ndim != 1 or values.ndim != 1 or nodes.size != values.size or nodes.size < 2:
        raise Forward
    if "c" in (x.dtype.kind, nodes.dtype.kind, values.dtype.kind):
        raise Forward
    x = x.astype(double, copy=False)
    nodes = nodes.astype(double, copy=False)
    values = values.astype(double, copy=False)
    slopes = xp.diff(values) / xp.diff(nodes)
    # NumPy's rules for nodes at one place, in no order, or at infinity, are its own.
    if not xp.all((nodes[1:] > nodes[:-1]) & xp.isfinite(slopes)) or not bool(
        xp.isfinite(nodes[0]) & xp.isfinite(nodes[-1])
    ):
        raise Forward
    flat = x.reshape(-1)
    # The node to the left; the first for what is before it, the last but one for what is behind.
    segment = xp.searchsorted(nodes[1:-1], flat, side="right")
    result = flat - xp.take(nodes, segment)
    result *= xp.take(slopes, segment)
    result += xp.take(values, segment)
    result = xp.where(flat < nodes[0], float(values[0] if left is None else left), result)
    # At the last node, too, which NumPy does not compute from the one before.
    result = xp.where(flat == nodes[-1], float(values[-1]), result)
    result = xp.where(flat > nodes[-1], float(values[-1] if right is None else right), result)
    return xp.reshape(result, x.shape)[()]


# ---- convolution and polynomials


def _full_convolution(a: Tensor, v: Tensor) -> Tensor:
    """Return the sums of products ``a[i] * v[k - i]``, for each k.

    All products are in memory at once.
    """
    n, m = a.size, v.size
    if n == 0 or m == 0 or a.ndim != 1 or v.ndim != 1:
        raise Forward
    products = v[:, None] * a
    dtype = products.dtype
    if dtype.kind == "b":
        raise Forward
    # Each row begins one element further to the right than the row before.
    rows = xp.zeros((m, n + m), dtype=dtype, device=a.device)
    rows[:, :n] = products
    rows = xp.reshape(xp.reshape(rows, (-1,))[: m * (n + m - 1)], (m, n + m - 1))
    return xp.sum(rows, axis=0, dtype=dtype)


def _convolution(a: Tensor, v: Tensor, mode: Any) -> Tensor:
    """Return the part of the convolution of two tensors of one axis that `mode` asks for."""
    if a.dtype is not v.dtype:
        dtype = xp.result_type(a, v)
        a, v = a.astype(dtype, copy=False), v.astype(dtype, copy=False)
    result = _convolved(a, v, mode)
    if result is not None:
        return result
    if _is_on_cpu(a):
        raise Forward
    if v.size > a.size:
        a, v = v, a
    part = _part(mode, a.size, v.size)
    if part is None:
        raise Forward
    return _full_convolution(a, v)[slice(*part)]


def convolve(a: Any, v: Any, mode: Any = "full") -> Tensor:
    """Convolve two sequences. See `numpy.convolve`."""
    result = _convolved(a, v, mode)
    if result is not None:
        return result
    a, v = pair(a, v)
    if a.ndim != 1 or v.ndim != 1:
        if a.ndim and v.ndim:
            raise Forward
        a, v = a.reshape(-1), v.reshape(-1)
    return _convolution(a, v, mode)


def correlate(a: Any, v: Any, mode: Any = "valid") -> Tensor:
    """Correlate two sequences. See `numpy.correlate`."""
    result = _convolved(a, v, mode, True)
    if result is not None:
        return result
    a, v = pair(a, v)
    if a.ndim != 1 or v.ndim != 1:
        raise Forward
    if v.dtype.kind == "c":
        v = v.conj()
    if v.size > a.size:
        return _convolution(v, a[::-1], mode)[::-1]
    return _convolution(a, v[::-1], mode)


def _coefficients(*polynomials: Any) -> tuple[Tensor, ...]:
    """Return coefficients as tensors of one axis. Objects of `numpy.poly1d` are NumPy's."""
    for p in polynomials:
        if isinstance(p, np.poly1d):
            raise Forward
    converted = tensors(*polynomials)
    for p in converted:
        if p.ndim > 1:
            raise Forward
    return tuple(p if p.ndim else p.reshape(-1) for p in converted)


def polyval(p: Any, x: Any) -> Tensor:
    """Evaluate a polynomial, its highest coefficient first. See `numpy.polyval`."""
    if isinstance(p, np.poly1d) or isinstance(x, np.poly1d):
        raise Forward
    p, x = pair(p, x)
    if p.ndim != 1 or x.dtype.kind == "b":
        raise Forward
    y = xp.zeros_like(x)
    # Scalars of the same dtype are added faster than tensors.
    for coefficient in p.tolist() if p.dtype == x.dtype else p:
        y = y * x + coefficient  # the sum is written over the product
    return y


def polyfit(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False
) -> Any:
    """Fit a polynomial to points by least squares. See `numpy.polyfit`."""
    if full or cov or w is not None or type(deg) is not int or deg < 0:
        return NotImplemented
    x, y = pair(x, y)
    if x.ndim != 1 or y.ndim not in (1, 2):
        return NotImplemented
    x, y = x + 0.0, y + 0.0
    if rcond is None:
        rcond = x.size * float(np.finfo(x.dtype).eps)
    powers = vander(x, deg + 1)
    scale = xp.sqrt(xp.sum(powers * powers, axis=0))
    found = lstsq(powers / scale, y, rcond)
    if found is NotImplemented or found[2] != deg + 1:  # NumPy warns of a low rank
        return NotImplemented
    return found[0] / (scale if y.ndim == 1 else scale[:, None])


def _aligned(a1: Any, a2: Any) -> tuple[Tensor, Tensor]:
    """Return the coefficients of two polynomials with as many zeros before as needed."""
    a1, a2 = _coefficients(a1, a2)
    missing = a2.size - a1.size
    if missing > 0:
        a1 = xp.concat([xp.zeros(missing, dtype=a1.dtype, device=a1.device), a1])
    elif missing < 0:
        a2 = xp.concat([xp.zeros(-missing, dtype=a2.dtype, device=a2.device), a2])
    return a1, a2


def polyadd(a1: Any, a2: Any) -> Tensor:
    """Add polynomials. See `numpy.polyadd`."""
    a1, a2 = _aligned(a1, a2)
    return a1 + a2


def polysub(a1: Any, a2: Any) -> Tensor:
    """Subtract polynomials. See `numpy.polysub`."""
    a1, a2 = _aligned(a1, a2)
    return a1 - a2


def polymul(a1: Any, a2: Any) -> Tensor:
    """Multiply polynomials. See `numpy.polymul`."""
    a1, a2 = _coefficients(a1, a2)
    for p in (a1, a2):
        if p.size == 0 or not bool(p[0] != 0):  # NumPy removes zeros
            raise Forward
    if a1.size * a2.size > _FEW_PRODUCTS and _is_on_cpu(a1):
        raise Forward
    return _full_convolution(a1, a2)


def polyder(p: Any, m: int = 1) -> Tensor:
    """Differentiate a polynomial `m` times. See `numpy.polyder`."""
    (p,) = _coefficients(p)
    if type(m) is not int or m < 0:
        raise Forward
    for _ in range(m):
        if p.size == 0:
            raise Forward
        p = p[:-1] * xp.arange(p.size - 1, 0, -1, device=p.device)
    return p
