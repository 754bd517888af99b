"""Rows for the linear algebra functions and the linalg extension.

Factorisations are unique up to signs and phases at most: they are checked by what defines them, on
both devices, and against each other in what is unique.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from . import inputs
from .case import Arguments, Case
from .compare import Check, assert_within, close, exact, leaves, magnitude, size, structure
from .inputs import (
    ALL,
    FLOAT,
    INTEGER,
    NUMERIC,
    Call,
    Draw,
    arrays,
    call,
    is_complex,
    is_integer,
    laid_out,
    moderate,
)

CASES: list[Case] = []


def row(name: str, dtypes: tuple[str, ...], arguments: Arguments, check: Check) -> None:
    CASES.append(Case(f"linalg.{name}", dtypes, arguments, check))


def both(name: str, dtypes: tuple[str, ...], arguments: Arguments, check: Check) -> None:
    """A function of the main namespace and of the extension."""
    CASES.append(Case(name, dtypes, arguments, check))
    row(name, dtypes, arguments, check)


entries = moderate(10.0)
product = close(2.0, factor=8.0)


def stacked(draw: Draw, rows: int, columns: int) -> tuple[int, ...]:
    """The shape of a stack of matrices."""
    return (*draw(inputs.shapes(max_dims=1, max_side=3)), rows, columns)


def side(least: int = 0) -> st.SearchStrategy[int]:
    return st.integers(least, 4)


def filled(draw: Draw, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Small entries that are exact in every dtype, quarters of integers."""
    numbers = st.integers(-12, 12).map(lambda v: v / 4)
    if is_complex(dtype):
        numbers = st.builds(complex, numbers, numbers)
    drawn = draw(inputs.xps.arrays(getattr(inputs.xp, dtype), shape, elements=numbers))
    return np.array(drawn)


def square(draw: Draw, dtype: str, least: int = 0) -> Call:
    order = draw(side(least))
    return call(laid_out(draw, filled(draw, dtype, stacked(draw, order, order))))


def rectangular(draw: Draw, dtype: str, least: int = 1) -> Call:
    return call(
        laid_out(draw, filled(draw, dtype, stacked(draw, draw(side(least)), draw(side(least)))))
    )


def dominant(draw: Draw, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Matrices far from singular: the diagonal outweighs the rest."""
    return filled(draw, dtype, shape) + 24 * np.eye(*shape[-2:], dtype=dtype)


def regular(draw: Draw, dtype: str) -> Call:
    order = draw(side())
    return call(laid_out(draw, dominant(draw, dtype, stacked(draw, order, order))))


def hermitian(draw: Draw, dtype: str) -> np.ndarray:
    order = draw(side(1))
    x = filled(draw, dtype, stacked(draw, order, order))
    return x + adjoint(x)


def adjoint(x: np.ndarray) -> np.ndarray:
    return np.conj(np.swapaxes(x, -1, -2))


def positive_definite(draw: Draw, dtype: str) -> Call:
    order = draw(side())
    x = filled(draw, dtype, stacked(draw, order, order))
    x = np.matmul(x, adjoint(x)) + np.eye(order, dtype=dtype)
    return call(laid_out(draw, x), upper=draw(st.booleans()))


# ---- products


def matmul(draw: Draw, dtype: str) -> Call:
    m, k, n = (draw(side()) for _ in range(3))
    form = draw(st.sampled_from(["matrices", "vector first", "vector second", "vectors"]))
    one, two = inputs.broadcastable(draw, 2)
    first = (k,) if form in ("vectors", "vector first") else (*one[-1:], m, k)
    second = (k,) if form in ("vectors", "vector second") else (*two[-1:], k, n)
    other = draw(st.sampled_from([dtype, *[d for d in inputs.promotable(dtype) if d in NUMERIC]]))
    return call(arrays(draw, dtype, first, entries), arrays(draw, other, second, entries))


def matrix_transpose(draw: Draw, dtype: str) -> Call:
    return call(arrays(draw, dtype, draw(inputs.shapes(min_dims=2))))


def tensordot(draw: Draw, dtype: str) -> Call:
    """Contract the last axes of the first with the first of the second, or drawn pairs of axes."""
    contracted = draw(inputs.shapes(max_dims=2, max_side=3))
    first = (*draw(inputs.shapes(max_dims=2, max_side=3)), *contracted)
    second = (*contracted, *draw(inputs.shapes(max_dims=2, max_side=3)))
    x1, x2 = arrays(draw, dtype, first, entries), arrays(draw, dtype, second, entries)
    count = len(contracted)
    if draw(st.booleans()):
        return call(x1, x2, axes=count)
    pairs = draw(st.permutations(range(count)))
    axes1 = tuple(len(first) - count + pair for pair in pairs)
    axes2 = tuple(pair - len(second) if draw(st.booleans()) else pair for pair in pairs)
    return call(x1, x2, axes=(axes1, axes2))


def vecdot(draw: Draw, dtype: str) -> Call:
    one, two = inputs.broadcastable(draw, 2)
    length = draw(side())
    axis = draw(st.integers(-min(len(one), len(two)) - 1, -1))

    def with_axis(shape: tuple[int, ...]) -> tuple[int, ...]:
        at = len(shape) + axis + 1
        return (*shape[:at], length, *shape[at:])

    return call(
        arrays(draw, dtype, with_axis(one), entries),
        arrays(draw, dtype, with_axis(two), entries),
        axis=axis,
    )


def cross(draw: Draw, dtype: str) -> Call:
    shape = list(draw(inputs.shapes(min_dims=1)))
    axis = draw(st.integers(-len(shape), -1))
    shape[axis] = 3
    return call(
        arrays(draw, dtype, tuple(shape), entries),
        arrays(draw, dtype, tuple(shape), entries),
        axis=axis,
    )


def outer(draw: Draw, dtype: str) -> Call:
    return call(
        arrays(draw, dtype, (draw(side()),), entries),
        arrays(draw, dtype, (draw(side()),), entries),
    )


both("matmul", NUMERIC, matmul, product)
both("matrix_transpose", ALL, matrix_transpose, exact)
both("tensordot", NUMERIC, tensordot, close(2.0, factor=64.0))
both("vecdot", NUMERIC, vecdot, product)
row("cross", NUMERIC, cross, product)
row("outer", NUMERIC, outer, product)


def diagonal(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, stacked(draw, draw(side()), draw(side())))
    return call(x, offset=draw(st.integers(-5, 5)))


def trace(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, stacked(draw, draw(side()), draw(side())), entries)
    made = call(x, offset=draw(st.integers(-5, 5)))
    if is_integer(dtype) and draw(st.booleans()):
        made.kwargs["dtype"] = np.dtype("int64" if dtype in INTEGER[:4] else "uint64")
    return made


row("diagonal", ALL, diagonal, exact)
row("trace", NUMERIC, trace, close())

# ---- determinants, inverses, powers


def determinants(draw: Draw, dtype: str) -> Call:
    return square(draw, dtype)


def determinant_check(actual: Any, expected: Any, made: Call) -> None:
    """An error of eps in every entry changes the determinant by the product of the row norms."""
    structure(actual, expected, made)
    x = made.args[0]
    order = x.shape[-1]
    scale = 16 * max(order, 1) * (magnitude(made) * math.sqrt(max(order, 1))) ** order
    assert_within(actual, expected, scale)


def slogdet_check(actual: Any, expected: Any, made: Call) -> None:
    structure(actual, expected, made)
    for one, other in zip(actual, expected, strict=True):
        assert_within(one, other, 64.0)


def solve(draw: Draw, dtype: str) -> Call:
    order = draw(side())
    left, right = inputs.broadcastable(draw, 2)
    x1 = laid_out(draw, dominant(draw, dtype, (*left[-1:], order, order)))
    if draw(st.booleans()):
        return call(x1, laid_out(draw, filled(draw, dtype, (order,))))
    shape = (*right[-1:], order, draw(side()))
    return call(x1, laid_out(draw, filled(draw, dtype, shape)))


def power(draw: Draw, dtype: str) -> Call:
    n = draw(st.integers(-3, 5))
    made = regular(draw, dtype) if n < 0 else square(draw, dtype)
    return call(made.args[0], n)


def power_check(actual: Any, expected: Any, made: Call) -> None:
    x, n = made.args
    order = max(x.shape[-1], 1)
    assert_scaled = 16.0 if n < 0 else 16.0 * (magnitude(made) * order) ** n
    structure(actual, expected, made)
    assert_within(actual, expected, assert_scaled)


def pinv(draw: Draw, dtype: str) -> Call:
    shape = stacked(draw, draw(side(1)), draw(side(1)))
    made = call(laid_out(draw, dominant(draw, dtype, shape)))
    if draw(st.booleans()):
        made.kwargs["rtol"] = tolerance(draw, dtype, shape[:-2])
    return made


def tolerance(draw: Draw, dtype: str, batch: tuple[int, ...]) -> Any:
    """A relative tolerance that no singular value comes near: a scalar, or one for each matrix."""
    if draw(st.booleans()):
        return 1e-3
    real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    return laid_out(draw, np.full(batch, 1e-3, dtype=real))


def rank(draw: Draw, dtype: str) -> Call:
    """Products of integer matrices with few columns, so that many are not of full rank."""
    rows, inner, columns = draw(side()), draw(st.integers(0, 3)), draw(side())
    batch = draw(inputs.shapes(max_dims=1, max_side=3))
    left = np.sign(filled(draw, dtype, (*batch, rows, inner)).real)
    right = np.sign(filled(draw, dtype, (*batch, inner, columns)).real)
    made = call(laid_out(draw, np.matmul(left, right).astype(dtype)))
    if draw(st.booleans()):
        made.kwargs["rtol"] = tolerance(draw, dtype, batch)
    return made


inverse = close(0.0, factor=16.0)
row("det", FLOAT, determinants, determinant_check)
row("slogdet", FLOAT, regular, slogdet_check)
row("inv", FLOAT, regular, inverse)
row("pinv", FLOAT, pinv, inverse)
row("solve", FLOAT, solve, close(1.0, factor=16.0))
row("matrix_power", FLOAT, power, power_check)
row("matrix_rank", FLOAT, rank, exact)

# ---- norms


def matrix_norm(draw: Draw, dtype: str) -> Call:
    made = rectangular(draw, dtype)
    ord = draw(st.sampled_from(["fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf]))
    return Call(made.args, {"ord": ord, "keepdims": draw(st.booleans())})


def vector_norm(draw: Draw, dtype: str) -> Call:
    shape = draw(inputs.shapes(min_side=1))
    ord = draw(st.sampled_from([0, 1, 2, 3, 2.5, -1, -2, math.inf, -math.inf]))
    axis = inputs.axes_or_none(draw, len(shape)) if shape else None
    if axis == ():
        axis = None
    x = laid_out(draw, filled(draw, dtype, shape))
    return call(x, ord=ord, axis=axis, keepdims=draw(st.booleans()))


row("matrix_norm", FLOAT, matrix_norm, close(factor=16.0))
row("vector_norm", FLOAT, vector_norm, close(factor=16.0))

# ---- factorisations: each field's definition, and what is unique of it


def defined_by(define: Any, unique: Any = None) -> Check:
    """Both results meet ``define(close_to, result, x, call)``, and agree in `unique` of them."""

    def check(actual: Any, expected: Any, made: Call) -> None:
        structure(actual, expected, made)
        x = made.args[0].values
        scale = 64.0 * size(made) * magnitude(made)

        def close_to(one: np.ndarray, other: np.ndarray) -> None:
            assert one.shape == other.shape
            kind = leaves(expected)[0].dtype
            eps = np.finfo(kind).eps
            assert np.all(np.abs(one - other) <= eps * scale), f"{one!r} and {other!r}"

        for result in (actual, expected):
            define(close_to, result, x, made)
        if unique is not None:
            assert_within(unique(actual), unique(expected), scale)

    return check


def identity(x: np.ndarray) -> np.ndarray:
    return np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), (*x.shape[:-2], *x.shape[-1:] * 2))


def orthonormal(close_to: Any, q: np.ndarray) -> None:
    close_to(adjoint(q) @ q, identity(q))


def eigen(close_to: Any, result: Any, x: np.ndarray, made: Call) -> None:
    values, vectors = result
    close_to(x @ vectors, vectors * values[..., None, :])
    close_to(np.linalg.norm(vectors, axis=-2), np.ones(values.shape))


def eigenvalues(close_to: Any, values: np.ndarray, x: np.ndarray, made: Call) -> None:
    """The first two sums of powers are traces: well conditioned, as single eigenvalues are not."""
    close_to(values.sum(axis=-1), np.trace(x, axis1=-2, axis2=-1))
    scale = max(magnitude(made), 1.0)
    traces = np.trace(x @ x, axis1=-2, axis2=-1)
    close_to((values**2).sum(axis=-1) / scale, traces / scale)


def triangular(close_to: Any, factor: np.ndarray, x: np.ndarray, made: Call) -> None:
    if made.kwargs["upper"]:
        factor = adjoint(factor)
    assert np.array_equal(factor, np.tril(factor))
    close_to(factor @ adjoint(factor), x)


def qr_definition(close_to: Any, result: Any, x: np.ndarray, made: Call) -> None:
    orthonormal(close_to, result.Q)
    assert np.array_equal(result.R, np.triu(result.R))
    close_to(result.Q @ result.R, x)


def svd_definition(close_to: Any, result: Any, x: np.ndarray, made: Call) -> None:
    orthonormal(close_to, result.U)
    orthonormal(close_to, adjoint(result.Vh))
    assert np.all(result.S >= 0)
    assert np.all(np.diff(result.S, axis=-1) <= 0)
    count = result.S.shape[-1]
    product = (result.U[..., :, :count] * result.S[..., None, :]) @ result.Vh[..., :count, :]
    close_to(product, x)


def hermitian_eigen(close_to: Any, result: Any, x: np.ndarray, made: Call) -> None:
    eigen(close_to, result, x, made)
    orthonormal(close_to, result.eigenvectors)


def nothing(close_to: Any, result: Any, x: np.ndarray, made: Call) -> None:
    """There is nothing to check but agreement."""


def one_hermitian(draw: Draw, dtype: str) -> Call:
    return call(laid_out(draw, hermitian(draw, dtype)))


def some_square(draw: Draw, dtype: str) -> Call:
    return square(draw, dtype, 1)


def qr(draw: Draw, dtype: str) -> Call:
    made = rectangular(draw, dtype)
    return Call(made.args, {"mode": draw(st.sampled_from(["reduced", "complete"]))})


def svd(draw: Draw, dtype: str) -> Call:
    return Call(rectangular(draw, dtype).args, {"full_matrices": draw(st.booleans())})


row("cholesky", FLOAT, positive_definite, defined_by(triangular))
row("eig", FLOAT, some_square, defined_by(eigen))
row("eigvals", FLOAT, some_square, defined_by(eigenvalues))
row("eigh", FLOAT, one_hermitian, defined_by(hermitian_eigen, lambda result: result.eigenvalues))
row("eigvalsh", FLOAT, one_hermitian, defined_by(nothing, lambda result: result))
row("qr", FLOAT, qr, defined_by(qr_definition))
row("svd", FLOAT, svd, defined_by(svd_definition, lambda result: result.S))
row("svdvals", FLOAT, rectangular, defined_by(nothing, lambda result: result))
