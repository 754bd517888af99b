"""Arguments of operations that do not follow from their kind of operation alone, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from corepy.testing._checks.rows import DTYPES

if TYPE_CHECKING:
    from corepy.testing._checks.drawing import Drawing

Draw = Callable[["Drawing", np.dtype], Any]

_INF = np.inf
_NORMS = ("backward", "ortho", "forward")
_PRODUCTS = (
    ((3, 4), (4, 2)),
    ((4,), (4, 2)),
    ((2, 3, 4), (4, 5)),
    ((4,), (4,)),
    ((0, 4), (4, 2)),
    ((3, 0), (0, 2)),
    ((33, 40), (40, 17)),
)


def call(*inputs: Any, **params: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call."""
    return inputs, params


def _power(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    base, exponent = draw.numbers(dtype, shape, 12), draw.numbers(dtype, shape, 12)
    if dtype.kind == "f":  # roots of negative numbers are NaN
        base = np.abs(base)
    elif dtype.kind in "iu":
        exponent = np.abs(exponent)
    return call(base, exponent)


def _shift(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    return call(draw.numbers(dtype, shape), np.abs(draw.numbers(dtype, shape, 28)))


def _division(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    divisor = draw.numbers(dtype, shape)
    return call(draw.numbers(dtype, shape), np.where(divisor == 0, np.ones_like(divisor), divisor))


def _clip(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.with_specials(dtype, draw.shape())
    low, high = np.sort(draw.numbers(dtype, (2,)))
    return call(x, np.asarray(low), np.asarray(high))


def _where(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    other = tuple(1 if draw.flag(3) else size for size in shape)
    condition = draw.numbers("bool", shape)
    return call(condition, draw.with_specials(dtype, shape), draw.with_specials(dtype, other))


def _astype(draw: Drawing, dtype: np.dtype) -> Any:
    to = draw.choice([each for each in DTYPES if each.kind in "fc" or dtype.kind not in "fc"])
    if dtype.kind == "c" and to.kind != "c":
        to = dtype
    return call(draw.numbers(dtype, draw.shape()), to)


def _arange(draw: Drawing, dtype: np.dtype) -> Any:
    if dtype.kind not in "iuf":
        return None
    start, step = draw.integer(0, 4), draw.integer(1, 4)
    return call(start, start + draw.integer(0, 20), step, dtype=dtype)


def _linspace(draw: Drawing, dtype: np.dtype) -> Any:
    if dtype.kind not in "fc":
        return None
    ends = float(draw.integer(-9, 9)), float(draw.integer(-9, 9))
    return call(*ends, draw.integer(0, 9), dtype=dtype, endpoint=draw.flag())


def _take(draw: Drawing, dtype: np.dtype) -> Any:
    x, axis = _with_axis(draw, dtype, 2)
    return call(x, draw.rng.integers(-x.shape[axis], x.shape[axis], 3), axis=axis)


def _take_along_axis(draw: Drawing, dtype: np.dtype) -> Any:
    x, axis = _with_axis(draw, dtype, 2)
    shape = list(x.shape)
    shape[axis] = 2
    return call(x, draw.rng.integers(0, x.shape[axis], shape), axis=axis)


def _sort(draw: Drawing, dtype: np.dtype) -> Any:
    x, axis = _with_axis(draw, dtype, 1)
    return call(x, axis=axis, descending=draw.flag(), stable=True)


def _with_axis(draw: Drawing, dtype: np.dtype, least: int) -> tuple[np.ndarray, int]:
    x = draw.numbers(dtype, draw.shape(least=least))
    return x, draw.integer(-x.ndim, x.ndim)


def _diff(draw: Drawing, dtype: np.dtype) -> Any:
    if dtype.kind == "b":
        return None
    return call(draw.numbers(dtype, (3, 5)), axis=draw.integer(-2, 2), n=1)


def _concat(draw: Drawing, dtype: np.dtype) -> Any:
    parts = tuple(draw.numbers(dtype, (rows, 3)) for rows in (2, 4, 0))
    return call(parts, axis=draw.choice([0, -2]))


def _stack(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    parts = [draw.numbers(dtype, shape) for _ in range(3)]
    return call(parts, axis=draw.integer(-len(shape) - 1, len(shape) + 1))


def _expand_dims(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape())
    return call(x, draw.integer(-x.ndim - 1, x.ndim + 1))


def _flip(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape(least=1))
    return call(x, axis=draw.axes(x.ndim))


def _regular(draw: Drawing, dtype: np.dtype, shape: tuple[int, ...] = (2, 3, 3)) -> np.ndarray:
    """Matrices whose diagonal outweighs the rest, so that they are far from singular."""
    diagonal = np.eye(shape[-2], shape[-1])
    if dtype.kind == "b":
        return np.broadcast_to(diagonal != 0, shape).copy()
    return (draw.numbers(dtype, shape, 8) + 24 * diagonal).astype(dtype)


def _rectangular(draw: Drawing, dtype: np.dtype) -> np.ndarray:
    return _regular(draw, dtype, draw.choice([(4, 3), (3, 3), (2, 3, 4)]))


def _hermitian(draw: Drawing, dtype: np.dtype) -> np.ndarray:
    """Matrices equal to their adjoint, with eigenvalues that are not close."""
    x = draw.numbers(dtype, (2, 3, 3), 8)
    if dtype.kind == "b":
        return x | np.swapaxes(x, -1, -2)
    x = x + np.conj(np.swapaxes(x, -1, -2))
    return (x + np.diag([0, 30, 60])).astype(dtype)


def _cholesky(draw: Drawing, dtype: np.dtype) -> Any:
    x = _hermitian(draw, dtype)
    x = np.eye(3, dtype=bool) if dtype.kind == "b" else (x + 40 * np.eye(3)).astype(dtype)
    return call(x, upper=draw.flag())


def _vector_norm(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape(least=1))
    ord = draw.choice([0, 1, 2, 3, _INF, -_INF])
    return call(x, ord=ord, axis=draw.axis(x.ndim), keepdims=draw.flag())


#: Operations -> function of a drawing and a dtype, which returns the arguments of a call, or None
#: where there are none. A name without its extension stands for all of that name.
_DRAWN: dict[str, Draw] = {
    # elementwise
    "pow": _power,
    "bitwise_left_shift bitwise_right_shift": _shift,
    "floor_divide remainder": _division,
    "clip": _clip,
    "where": _where,
    "astype": _astype,
    # creation
    "arange": _arange,
    "linspace": _linspace,
    "eye": lambda d, t: call(d.integer(0, 5), d.integer(0, 5), k=d.integer(-3, 4), dtype=t),
    "empty ones zeros": lambda d, t: call(d.shape(), dtype=t),
    "full": lambda d, t: call(d.shape(), d.numbers(t, ()).item(), dtype=t),
    "empty_like ones_like zeros_like": lambda d, t: call(d.numbers(t, d.shape())),
    "full_like": lambda d, t: call(d.numbers(t, d.shape()), d.numbers(t, ()).item()),
    "meshgrid": lambda d, t: call(
        *[d.numbers(t, (d.integer(1, 5),)) for _ in range(2)], indexing=d.choice(["xy", "ij"])
    ),
    "tril triu": lambda d, t: call(d.numbers(t, (2, 3, 4)), k=d.integer(-3, 4)),
    "fftfreq rfftfreq": lambda d, t: call(d.integer(1, 9), d=0.5, dtype=t),
    # indices, searching, sets, sorting
    "take": _take,
    "take_along_axis": _take_along_axis,
    "searchsorted": lambda d, t: call(
        np.sort(d.numbers(t, (7,))), d.numbers(t, (4,)), side=d.choice(["left", "right"])
    ),
    "nonzero": lambda d, t: call(d.numbers(t, d.shape(least=1), 8)),
    "unique_all unique_counts unique_inverse unique_values": lambda d, t: call(
        d.numbers(t, d.shape(), 8)
    ),
    "isin": lambda d, t: call(d.numbers(t, d.shape(), 12), d.numbers(t, (3,), 12), invert=d.flag()),
    "argsort sort": _sort,
    "diff": _diff,
    # manipulation
    "broadcast_arrays": lambda d, t: call(d.numbers(t, (3, 1)), d.numbers(t, (4,))),
    "broadcast_to": lambda d, t: call(d.numbers(t, (3, 1)), (2, 3, 4)),
    "concat": _concat,
    "stack": _stack,
    "unstack": lambda d, t: call(d.numbers(t, (2, 3)), axis=d.integer(-2, 2)),
    "expand_dims": _expand_dims,
    "squeeze": lambda d, t: call(d.numbers(t, (1, 3, 1)), d.choice([0, -1, (0, 2)])),
    "flip": _flip,
    "moveaxis": lambda d, t: call(d.numbers(t, (2, 3, 4)), d.choice([0, -1]), d.choice([1, 2])),
    "permute_dims": lambda d, t: call(
        d.numbers(t, (2, 3, 4)), tuple(map(int, d.rng.permutation(3)))
    ),
    "matrix_transpose": lambda d, t: call(d.numbers(t, (2, 3, 4))),
    "repeat": lambda d, t: call(
        d.numbers(t, (3, 4)), 2 if d.flag() else d.rng.integers(0, 3, 4), axis=1
    ),
    "reshape": lambda d, t: call(
        d.numbers(t, (3, 4)), d.choice([(2, 6), (-1,), (12, 1), (2, -1, 3)])
    ),
    "roll": lambda d, t: call(d.numbers(t, (3, 4)), d.integer(-5, 6), axis=d.choice([None, 0, 1])),
    "tile": lambda d, t: call(d.numbers(t, (2, 3)), d.choice([(2,), (2, 1), (1, 2, 2), (0, 1)])),
    "fftshift ifftshift": lambda d, t: call(d.numbers(t, (3, 4)), axes=d.choice([None, 0, (0, 1)])),
    # products
    "matmul": lambda d, t: call(*[d.numbers(t, shape, 12) for shape in d.choice(_PRODUCTS)]),
    "tensordot": lambda d, t: call(
        d.numbers(t, (2, 3, 4), 12),
        d.numbers(t, (3, 4, 2), 12),
        axes=d.choice([2, ((1, 2), (0, 1))]),
    ),
    "vecdot": lambda d, t: call(d.numbers(t, (3, 4), 12), d.numbers(t, (4,), 12), axis=-1),
    "outer": lambda d, t: call(d.numbers(t, (3,)), d.numbers(t, (4,))),
    "cross": lambda d, t: call(d.numbers(t, (2, 3)), d.numbers(t, (2, 3)), axis=-1),
    # matrices
    "det slogdet inv eig eigvals": lambda d, t: call(_regular(d, t)),
    "matrix_power": lambda d, t: call(_regular(d, t), d.integer(-2, 4)),
    "solve": lambda d, t: call(_regular(d, t), d.numbers(t, d.choice([(3,), (3, 2), (2, 3, 1)]))),
    "cholesky": _cholesky,
    "eigh eigvalsh": lambda d, t: call(_hermitian(d, t)),
    "qr": lambda d, t: call(_rectangular(d, t), mode=d.choice(["reduced", "complete"])),
    "svd": lambda d, t: call(_rectangular(d, t), full_matrices=d.flag()),
    "svdvals matrix_rank pinv": lambda d, t: call(_rectangular(d, t)),
    "matrix_norm": lambda d, t: call(
        _regular(d, t), ord=d.choice(["fro", "nuc", 1, -1, 2, -2, _INF, -_INF]), keepdims=d.flag()
    ),
    "vector_norm": _vector_norm,
    "diagonal trace": lambda d, t: call(d.numbers(t, (2, 3, 4)), offset=d.integer(-4, 5)),
    # Fourier transforms
    "fft ifft rfft irfft hfft ihfft": lambda d, t: call(
        d.numbers(t, d.choice([(8,), (3, 5), (2, 12)]), 8),
        n=d.choice([None, 6, 9]),
        norm=d.choice(_NORMS),
    ),
    "fftn ifftn rfftn irfftn": lambda d, t: call(
        d.numbers(t, d.choice([(4, 6), (3, 5), (2, 3, 4)]), 8), norm=d.choice(_NORMS)
    ),
}
CALLS = {name: draw for names, draw in _DRAWN.items() for name in names.split()}
