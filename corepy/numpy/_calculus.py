"""Differences, sums, integrals and interpolation of samples, and polynomials."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import pi
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu, kind_of
from corepy._cython.cpu.beyond_standard import convolution_part as _part
from corepy._cython.cpu.beyond_standard import convolve as _convolved
from corepy.numpy._arguments import Array, DType, NumericArray, RealArray, named, stored, takes
from corepy.numpy._creation import vander
from corepy.numpy._linalg import lstsq

__all__ = [
    "convolve", "correlate", "cumprod", "cumsum", "diff", "ediff1d", "gradient", "interp",
    "nancumprod", "nancumsum", "polyadd", "polyder", "polyfit", "polymul", "polysub", "polyval",
    "trapezoid", "unwrap",
]  # fmt: skip

# On the CPU NumPy's function is faster for fewer points than this.
_FEW_POINTS = 500
Mode = Literal["full", "same", "valid", 0, 1, 2]
# An object of `numpy.poly1d` is an array-like, too, and a function.
if TYPE_CHECKING:
    Coefficients = Any
    Points = Any
else:
    Coefficients = Array | Callable[..., Any]
    Points = NumericArray | Callable[..., Any]


def _along(axis: int, start: int | None, stop: int | None) -> tuple[slice, ...]:
    """Return the index of a part of one axis, counted from the front."""
    return (*[slice(None)] * axis, slice(start, stop))


def _is_on_cpu(x: Tensor) -> bool:
    return x.device.backend is cpu


# ---- sums of parts


def _scanned(scan: Any, a: Tensor, axis: int | None, dtype: Any, out: Tensor | None) -> Tensor:
    if a.ndim != 1 and (axis is None or not a.ndim):
        a = a.reshape(-1)
    if out is None:
        return scan(a, axis=axis) if dtype is None else scan(a, axis=axis, dtype=dtype)
    result = scan(
        a, axis=axis, dtype=np.result_type(a.dtype, out.dtype) if dtype is None else dtype
    )
    if result.dtype.kind == "c" != out.dtype.kind:
        text = f"complex sums or products lose their imaginary parts in {out.dtype}"
        warnings.warn(text, np.exceptions.ComplexWarning, stacklevel=3)
        result = xp.real(result)
    return stored(result, out, casting="unsafe")


def _scan(
    name: str, scan: Callable[..., Tensor], for_nan: float | None = None
) -> Callable[..., Tensor]:
    """Return sums or products of the elements up to each one; NaN may count as another number."""

    def function(
        a: Array, axis: int | None = None, dtype: DType | None = None, out: Tensor | None = None
    ) -> Tensor:
        if for_nan is not None and kind_of(a) in "fc":
            a = xp.where(a == a, a, for_nan)
        return _scanned(scan, a, axis, dtype, out)

    return named(function, name)


cumsum = _scan("cumsum", xp.cumulative_sum)
cumprod = _scan("cumprod", xp.cumulative_prod)
nancumsum = _scan("nancumsum", xp.cumulative_sum, 0.0)
nancumprod = _scan("nancumprod", xp.cumulative_prod, 1.0)


# ---- differences


@takes(lambda a, n: n == 0 or isinstance(a, Tensor))
def diff(
    a: Any,
    n: int = 1,
    axis: int = -1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Tensor:
    """Subtract each element from the next one, `n` times. See `numpy.diff`."""
    return a if n == 0 else xp.diff(a, axis=axis, n=n, prepend=prepend, append=append)


def ediff1d(
    ary: NumericArray, to_end: Array | None = None, to_begin: Array | None = None
) -> Tensor:
    """Subtract each element from the next one, in one dimension. See `numpy.ediff1d`."""
    dtype = ary.dtype
    result = xp.diff(ary if ary.ndim == 1 else ary.reshape(-1))
    if to_end is None and to_begin is None:
        return result
    parts = [result]
    for place, name, value in ((0, "to_begin", to_begin), (2, "to_end", to_end)):
        if value is not None:
            if not np.can_cast(value.dtype, dtype, "same_kind"):
                raise TypeError(
                    f"ediff1d: dtype of `{name}` must be compatible with {dtype} by the rule "
                    f"'same_kind', got {value.dtype}"
                )
            parts.insert(place, value.astype(dtype, copy=False).reshape(-1))
    return xp.concat(parts)


def gradient(
    f: NumericArray,
    *varargs: RealArray | float,
    axis: int | tuple[int, ...] | None = None,
    edge_order: Literal[1, 2] = 1,
) -> Any:
    """Estimate derivatives by central differences. See `numpy.gradient`."""
    if kind_of(f) not in "fc":
        f = xp.astype(f, np.dtype("d"))
    axes = range(f.ndim) if axis is None else normalize_axis_tuple(axis, f.ndim, "gradient")
    steps = varargs if varargs else (1.0,)
    if len(steps) == 1 and not np.ndim(steps[0]):
        steps = steps * len(axes)
    if len(steps) != len(axes):
        raise TypeError(
            f"gradient: there must be no distance, a single one, or one for each of {len(axes)} "
            f"axes, got {len(steps)}"
        )
    results = [_derivative(f, k, h, edge_order) for k, h in zip(axes, steps, strict=True)]
    return results[0] if len(results) == 1 else tuple(results)


def _derivative(f: Tensor, axis: int, step: Any, edge_order: int) -> Tensor:
    size = f.shape[axis]
    if size < edge_order + 1:
        raise ValueError(
            f"gradient: axis {axis} must have at least {edge_order + 1} elements, got {size}"
        )
    if isinstance(step, Tensor) and step.ndim:
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
    if places.shape != (f.shape[axis],):
        raise ValueError(
            f"gradient: distances must be scalars or 1d, along axis {axis} of shape "
            f"{(f.shape[axis],)}, got shape {places.shape}"
        )
    if places.dtype.kind in "iu":
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


@takes(lambda p: kind_of(p) in "if")
def unwrap(
    p: Array, discont: float | None = None, axis: int = -1, *, period: float = 2 * pi
) -> Tensor:
    """Add multiples of a period that make differences small. See `numpy.unwrap`."""
    steps = xp.diff(p, axis=axis)
    if discont is None:
        discont = period / 2
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
    result[_along(axis % p.ndim, 1, None)] += xp.cumulative_sum(change, axis=axis)
    return result


# ---- integrals and interpolation


def trapezoid(
    y: Array, x: Array | None = None, dx: Array | complex = 1.0, axis: int = -1
) -> Tensor:
    """Integrate samples by the trapezoidal rule. See `numpy.trapezoid`."""
    front = normalize_axis_index(axis, y.ndim, "trapezoid")
    low, high = y[_along(front, None, -1)], y[_along(front, 1, None)]
    if x is None:
        if kind_of(y) in "fc" and isinstance(dx, (int, float)):
            # The integral of the steps from the left and from the right, without temporaries.
            return (low.sum(front) + high.sum(front)) * (dx * 0.5)
        steps: Any = dx
    elif x.ndim == 1:
        steps = xp.diff(x).reshape((-1,) + (1,) * (y.ndim - front - 1))
    else:
        steps = xp.diff(x, axis=axis)
    # Steps of more dimensions give the products further axes in front.
    return (steps * (low + high) / 2.0).sum(axis)


def _can_interpolate(x: Tensor, xp: Tensor, fp: Tensor) -> bool:
    """Whether nodes are in order, and points so many that NumPy's function is not faster."""
    return (
        (x.size >= _FEW_POINTS or not _is_on_cpu(x))
        and xp.ndim == fp.ndim == 1 < xp.size == fp.size
        and bool((xp[1:] >= xp[:-1]).all())
    )


@takes(_can_interpolate)
def interp(
    x: RealArray,
    xp: RealArray,
    fp: RealArray,
    left: float | None = None,
    right: float | None = None,
    period: None = None,
) -> Tensor:
    """Interpolate linearly between points. See `numpy.interp`."""
    return _interpolated(x, xp, fp, left, right)


def _interpolated(
    x: Tensor, nodes: Tensor, values: Tensor, left: float | None, right: float | None
) -> Tensor:
    x, nodes, values = (a.astype(np.dtype("d"), copy=False) for a in (x, nodes, values))
    slopes = xp.diff(values) / xp.diff(nodes)
    flat = x.reshape(-1)
    # The node to the left; the first for what is before it, the last but one for what is behind.
    segment = xp.searchsorted(nodes[1:-1], flat, side="right")
    result = flat - xp.take(nodes, segment)
    result *= xp.take(slopes, segment)
    result += xp.take(values, segment)
    if not xp.all(xp.isfinite(slopes)) or not xp.isfinite(nodes[-1] - nodes[0]):
        # Where that is NaN, from the node to the right; then equal values, and those at nodes.
        lower, upper = xp.take(values, segment), xp.take(values, segment + 1)
        from_right = xp.take(slopes, segment) * (flat - xp.take(nodes, segment + 1)) + upper
        result = xp.where(xp.isnan(result), from_right, result)
        same = (xp.isnan(result) & (lower == upper)) | (flat == xp.take(nodes, segment))
        result = xp.where(xp.isnan(flat), flat, xp.where(same, lower, result))
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
    products = v[:, None] * a
    # Each row begins one element further to the right than the row before.
    rows = xp.zeros((m, n + m), dtype=products.dtype, device=a.device)
    rows[:, :n] = products
    rows = xp.reshape(xp.reshape(rows, (-1,))[: m * (n + m - 1)], (m, n + m - 1))
    return xp.sum(rows, axis=0, dtype=products.dtype)


def _convolution(a: Tensor, v: Tensor, mode: Any, name: str = "convolve") -> Tensor:
    """Return the part of the convolution of two tensors of one axis that `mode` asks for."""
    if a.ndim != 1 or v.ndim != 1 or not a.size or not v.size:
        raise ValueError(
            f"{name}: a and v must have one axis and elements, got shapes {a.shape} and {v.shape}"
        )
    dtype = xp.result_type(a, v)
    if dtype.kind == "b":
        return _convolution(a.astype(int), v.astype(int), mode) != 0
    a, v = a.astype(dtype, copy=False), v.astype(dtype, copy=False)
    result = _convolved(a, v, mode)
    if result is not None:
        return result
    if v.size > a.size:
        a, v = v, a
    return _full_convolution(a, v)[slice(*_part(mode, a.size, v.size))]


def convolve(a: Array, v: Array, mode: Mode = "full") -> Tensor:
    """Convolve two sequences. See `numpy.convolve`."""
    result = _convolved(a, v, mode)
    if result is not None:
        return result
    return _convolution(a if a.ndim else a.reshape(-1), v if v.ndim else v.reshape(-1), mode)


def correlate(a: Array, v: Array, mode: Mode = "valid") -> Tensor:
    """Correlate two sequences. See `numpy.correlate`."""
    result = _convolved(a, v, mode, True)
    if result is not None:
        return result
    if v.dtype.kind == "c":
        v = xp.conj(v)
    if v.size > a.size:
        return _convolution(v, xp.flip(a), mode, "correlate")[::-1]
    return _convolution(a, xp.flip(v), mode, "correlate")


def _are_arrays(*polynomials: Any) -> bool:
    """Whether no polynomial is an object of `numpy.poly1d`."""
    return not any(map(callable, polynomials))


@takes(_are_arrays)
def polyval(p: Coefficients, x: Points) -> Tensor:
    """Evaluate a polynomial, its highest coefficient first. See `numpy.polyval`."""
    y = xp.zeros_like(x)
    # Scalars of the same dtype are added faster than tensors.
    for coefficient in p.tolist() if p.dtype == x.dtype and p.ndim == 1 else p:
        y = y * x + coefficient  # the sum is written over the product
    return y


@takes(
    lambda x, y, deg: (
        x.ndim == 1 and y.ndim in (1, 2) and x.size == len(y) and y.size > 0 and deg >= 0
    )
)
def polyfit(
    x: Array,
    y: Array,
    deg: int,
    rcond: float | None = None,
    full: Literal[False] = False,
    w: None = None,
    cov: Literal[False] = False,
) -> Tensor:
    """Fit a polynomial to points by least squares. See `numpy.polyfit`."""
    x, y = x + 0.0, y + 0.0
    if rcond is None:
        rcond = x.size * float(np.finfo(x.dtype).eps)
    powers = vander(x, deg + 1)
    scale = xp.sqrt(xp.sum(powers * powers, axis=0))
    found, _, rank, _ = lstsq(powers / scale, y, rcond)
    if rank != deg + 1:
        warnings.warn("polyfit: the fit may be inaccurate", np.exceptions.RankWarning, stacklevel=2)
    return found / (scale if y.ndim == 1 else scale[:, None])


def _aligned(a1: Any, a2: Any) -> tuple[Tensor, Tensor]:
    """Return the coefficients of two polynomials with as many zeros before as needed."""
    a1, a2 = a1 if a1.ndim else a1.reshape(-1), a2 if a2.ndim else a2.reshape(-1)
    missing = len(a2) - len(a1)
    if missing > 0:
        a1 = xp.concat([xp.zeros(missing, dtype=a1.dtype, device=a1.device), a1])
    elif missing < 0:
        a2 = xp.concat([xp.zeros(-missing, dtype=a2.dtype, device=a2.device), a2])
    return a1, a2


@takes(_are_arrays)
def polyadd(a1: Coefficients, a2: Coefficients) -> Tensor:
    """Add polynomials. See `numpy.polyadd`."""
    a1, a2 = _aligned(a1, a2)
    return a1 + a2


@takes(_are_arrays)
def polysub(a1: Coefficients, a2: Coefficients) -> Tensor:
    """Subtract polynomials. See `numpy.polysub`."""
    a1, a2 = _aligned(a1, a2)
    return a1 - a2


@takes(_are_arrays)
def polymul(a1: Coefficients, a2: Coefficients) -> Tensor:
    """Multiply polynomials. See `numpy.polymul`."""
    return convolve(_trimmed(a1), _trimmed(a2))


def _trimmed(p: Any) -> Tensor:
    """Return coefficients without zeros before the first other one; of zeros alone, one."""
    p = p if p.ndim else p.reshape(-1)
    if p.ndim > 1 or (p.size and p[0] != 0):
        return p
    places = xp.nonzero(p)[0]
    return p[int(places[0]) :] if places.size else xp.zeros(1, dtype=p.dtype, device=p.device)


@takes(lambda p, m: not callable(p) and p.ndim == 1 and m >= 0)
def polyder(p: Coefficients, m: int = 1) -> Tensor:
    """Differentiate a polynomial `m` times. See `numpy.polyder`."""
    for _ in range(m):
        p = p[:-1] * xp.arange(len(p) - 1, 0, -1, device=p.device)
    return p
