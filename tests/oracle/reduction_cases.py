"""Rows for the statistical, searching, sorting, set and utility functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from . import inputs
from .case import Arguments, Case
from .compare import (
    Check,
    close,
    exact,
    exact_up_to_zero_sign,
    leaves,
    structure,
    within,
)
from .inputs import (
    ALL,
    FLOAT,
    INTEGER,
    NUMERIC,
    REAL,
    REAL_FLOAT,
    Call,
    Draw,
    any_value,
    arrays,
    call,
    is_complex,
    is_float,
    is_integer,
    moderate,
    not_nan,
)

CASES: list[Case] = []


def row(name: str, dtypes: tuple[str, ...], arguments: Arguments, check: Check = exact) -> None:
    CASES.append(Case(name, dtypes, arguments, check))


def reduction(values: Any = any_value, min_side: int = 0) -> Arguments:
    """An array, one axis, several or all, and keepdims."""

    def arguments(draw: Draw, dtype: str) -> Call:
        shape = draw(inputs.shapes(min_side=min_side))
        axis = inputs.axes_or_none(draw, len(shape))
        x = arrays(draw, dtype, shape, values)
        return call(x, axis=axis, keepdims=draw(st.booleans()))

    return arguments


summands = moderate(1000.0, math.inf, -math.inf, math.nan)
factors = moderate(2.0)


def any_integers(values: Any) -> Any:
    """Integers of the whole range: sums of them wrap around, on every device in the same way."""
    return lambda dtype: any_value(dtype) if is_integer(dtype) else values(dtype)


def wider(dtype: str) -> tuple[str, ...]:
    """The dtypes in which a sum may be asked for."""
    if dtype == "bool":
        return INTEGER
    if is_integer(dtype):
        kind = dtype.rstrip("0123456789")
        same = [d for d in INTEGER if d.startswith(kind)]
        return tuple(d for d in same if np.dtype(d).itemsize >= np.dtype(dtype).itemsize)
    return tuple(d for d in FLOAT if is_complex(d) == is_complex(dtype) and d >= dtype)


def accumulation(values: Any) -> Arguments:
    def arguments(draw: Draw, dtype: str) -> Call:
        made = reduction(values)(draw, dtype)
        if draw(st.booleans()):
            made.kwargs["dtype"] = np.dtype(draw(st.sampled_from(wider(dtype))))
        return made

    return arguments


def cumulation(values: Any) -> Arguments:
    def arguments(draw: Draw, dtype: str) -> Call:
        shape = draw(inputs.shapes(min_dims=1))
        axis = draw(st.integers(-len(shape), len(shape) - 1))
        x = arrays(draw, dtype, shape, values)
        made = call(x, axis=axis, include_initial=draw(st.booleans()))
        if len(shape) == 1 and draw(st.booleans()):
            made.kwargs["axis"] = None
        if draw(st.booleans()):
            made.kwargs["dtype"] = np.dtype(draw(st.sampled_from(wider(dtype))))
        return made

    return arguments


# ---- statistical functions

row("sum", NUMERIC, accumulation(any_integers(summands)), close())
row("prod", NUMERIC, accumulation(any_integers(factors)), within(256, zero_sign=False))
row("cumulative_sum", NUMERIC, cumulation(any_integers(summands)), close())
row("cumulative_prod", NUMERIC, cumulation(any_integers(factors)), within(64, zero_sign=False))
row("mean", FLOAT, reduction(summands), close())
row("max", REAL, reduction(min_side=1), exact_up_to_zero_sign)
row("min", REAL, reduction(min_side=1), exact_up_to_zero_sign)


def spread(draw: Draw, dtype: str) -> Call:
    made = reduction(moderate(100.0, math.nan))(draw, dtype)
    made.kwargs["correction"] = draw(st.sampled_from([0, 1, 0.0, 1.0, 0.5, 2, 5]))
    return made


row("var", REAL_FLOAT, spread, close(2.0))
row("std", REAL_FLOAT, spread, close(1.0))

# ---- utility functions


def diff(draw: Draw, dtype: str) -> Call:
    shape = draw(inputs.shapes(min_dims=1))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    made = call(arrays(draw, dtype, shape), axis=axis, n=draw(st.integers(0, 3)))
    for name in ("prepend", "append"):
        if draw(st.booleans()):
            beside = list(shape)
            beside[axis] = draw(st.integers(0, 2))
            made.kwargs[name] = arrays(draw, dtype, tuple(beside))
    return made


row("all", ALL, reduction())
row("any", ALL, reduction())
row("diff", NUMERIC, diff)

# ---- searching functions


def one_axis(draw: Draw, dtype: str) -> Call:
    shape = draw(inputs.shapes(min_side=1))
    axis = inputs.axis_or_none(draw, len(shape))
    return call(arrays(draw, dtype, shape, not_nan), axis=axis, keepdims=draw(st.booleans()))


def nonzero(draw: Draw, dtype: str) -> Call:
    return call(arrays(draw, dtype, draw(inputs.shapes(min_dims=1))))


def searchsorted(draw: Draw, dtype: str) -> Call:
    """Both arrays of one dtype, the first sorted by itself or through `sorter`."""
    (size,) = draw(inputs.shapes(min_dims=1, max_dims=1, max_side=6))
    x1 = arrays(draw, dtype, (size,), not_nan)
    values = x1.values
    kwargs: dict[str, Any] = {"side": draw(st.sampled_from(["left", "right"]))}
    if draw(st.booleans()):
        order = np.argsort(values, kind="stable").astype(draw(st.sampled_from(["int64", "int32"])))
        kwargs["sorter"] = inputs.laid_out(draw, order)
    else:
        x1 = inputs.laid_out(draw, np.sort(values))
    if draw(st.integers(0, 3)) == 0:
        return Call((x1, draw(not_nan(dtype))), kwargs)
    return Call((x1, arrays(draw, dtype, draw(inputs.shapes()), not_nan)), kwargs)


row("argmax", REAL, one_axis)
row("argmin", REAL, one_axis)
row("count_nonzero", ALL, reduction())
row("nonzero", ALL, nonzero)
row("searchsorted", REAL, searchsorted)

# ---- sorting functions


def sorting(draw: Draw, dtype: str) -> Call:
    shape = draw(inputs.shapes(min_dims=1, max_side=6))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    kwargs = {"axis": axis, "descending": draw(st.booleans()), "stable": draw(st.booleans())}
    return Call((arrays(draw, dtype, shape, few_values),), kwargs)


def few_values(dtype: str) -> Any:
    """Values with ties among them."""
    if dtype == "bool":
        return st.booleans()
    return st.integers(0, 3).map(float if is_float(dtype) else int) | not_nan(dtype)


def sorted_indices(actual: Any, expected: Any, made: Call) -> None:
    """The same indices; if the sort need not be stable, indices of the same values."""
    if made.kwargs["stable"]:
        exact(actual, expected, made)
        return
    structure(actual, expected, made)
    x, axis = made.args[0].values, made.kwargs["axis"]
    for indices in (actual, expected):
        every = np.sort(indices, axis=axis)
        steps = np.moveaxis(every, axis, -1)
        assert (steps == np.arange(x.shape[axis])).all(), "not a permutation"
    one, other = (np.take_along_axis(x, i, axis=axis) for i in (actual, expected))
    exact_up_to_zero_sign(one, other, made)


row("argsort", REAL, sorting, sorted_indices)
row("sort", REAL, sorting, exact_up_to_zero_sign)

# ---- set functions


def unique(draw: Draw, dtype: str) -> Call:
    values: Any = any_value(dtype) if dtype == "bool" else few_values(dtype)
    if is_float(dtype):
        values = values | st.just(math.nan)
    return call(arrays(draw, dtype, draw(inputs.shapes()), lambda _: values))


def isin(draw: Draw, dtype: str) -> Call:
    def drawn(shape: tuple[int, ...]) -> Any:
        return arrays(draw, dtype, shape, lambda d: any_value(d) | few_values(d))

    first: Any = drawn(draw(inputs.shapes()))
    second: Any = drawn(draw(inputs.shapes()))
    scalar_at = draw(st.sampled_from([None, None, None, 0, 1]))
    if is_integer(dtype) and scalar_at == 0:
        first = draw(any_value(dtype))
    elif is_integer(dtype) and scalar_at == 1:
        second = draw(any_value(dtype))
    return call(first, second, invert=draw(st.booleans()))


def canonical(values: np.ndarray) -> np.ndarray:
    """The order of unique elements in which they are compared: ascending, NaN last."""
    if values.dtype.kind == "c":
        return np.lexsort((values.imag, values.real, np.isnan(values)))
    return np.argsort(values, kind="stable")


def unique_check(*fields: str) -> Check:
    """Each result agrees with x by the standard's definition; then both have the same elements."""

    def check(actual: Any, expected: Any, made: Call) -> None:
        structure(actual, expected, made)
        x = made.args[0].values
        for result in (actual, expected):
            parts = dict(zip(fields, leaves(result), strict=True))
            values = parts["values"]
            flat = x.reshape(-1)
            ordinary = values[values == values].tolist()
            assert len(set(ordinary)) == len(ordinary), "not unique"
            assert np.sum(values != values) == np.sum(x != x), "each NaN is distinct"
            if "indices" in parts:
                exact_up_to_zero_sign(flat[parts["indices"]], values, made)
                first = {v: i for i, v in reversed(list(enumerate(flat.tolist()))) if v == v}
                for value, index in zip(values.tolist(), parts["indices"].tolist(), strict=True):
                    assert value != value or first[value] == index, "not the first occurrence"
            if "inverse_indices" in parts:
                assert parts["inverse_indices"].shape == x.shape
                restored = np.asarray(values[parts["inverse_indices"]])
                exact_up_to_zero_sign(restored, x, made)
            if "counts" in parts:
                equal = values[:, None] == flat
                counts = np.where(values == values, equal.sum(axis=1), 1)
                exact(parts["counts"], counts, made)
        one, other = leaves(actual)[0], leaves(expected)[0]
        exact_up_to_zero_sign(one[canonical(one)], other[canonical(other)], made)

    return check


row("isin", ALL, isin)
row("unique_all", ALL, unique, unique_check("values", "indices", "inverse_indices", "counts"))
row("unique_counts", ALL, unique, unique_check("values", "counts"))
row("unique_inverse", ALL, unique, unique_check("values", "inverse_indices"))
row("unique_values", ALL, unique, unique_check("values"))
