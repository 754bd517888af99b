"""How results of two computations are compared.

A check is a function ``check(actual, expected, call)`` of host values (ndarrays, tuples and lists
of them, Python values) that raises AssertionError. `structure` is part of every check: the same
kind of sequence, dtype and shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import corepy

from .inputs import Call

Check = Callable[[Any, Any, Call], None]


def to_host(value: Any) -> Any:
    """`value` with every Tensor as an ndarray."""
    if isinstance(value, corepy.Tensor):
        return np.asarray(value.to_device("cpu"))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(to_host(item) for item in value))
    if isinstance(value, (tuple, list)):
        return type(value)(to_host(item) for item in value)
    return value


def structure(actual: Any, expected: Any, call: Call) -> None:
    """The same kind of value: dtype and shape of arrays, type and fields of sequences."""
    assert type(actual) is type(expected), f"{type(actual)} and {type(expected)}"
    if isinstance(actual, np.ndarray):
        assert actual.dtype == expected.dtype, f"dtype {actual.dtype} and {expected.dtype}"
        assert actual.shape == expected.shape, f"shape {actual.shape} and {expected.shape}"
    elif isinstance(actual, (tuple, list)):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            structure(one, other, call)


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def components(x: np.ndarray) -> np.ndarray:
    """A complex array as a real one with an axis more; others unchanged, with one axis at least."""
    if x.dtype.kind != "c":
        return np.atleast_1d(x)
    return np.stack([x.real, x.imag], axis=-1)


def _show(bad: np.ndarray, actual: np.ndarray, expected: np.ndarray, what: str) -> str:
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{what} at {where}: {actual[where]!r} and {expected[where]!r}"


def ulp_distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How many floating-point numbers lie between the elements; infinity is next to the largest."""
    kind = np.dtype(f"int{a.dtype.itemsize * 8}")
    limit = np.iinfo(kind).min

    def rank(x: np.ndarray) -> np.ndarray:
        bits = np.ascontiguousarray(x).view(kind).astype(object)
        return np.where(bits < 0, int(limit) - bits, bits)

    return np.abs(rank(a) - rank(b)) if a.size else np.zeros(a.shape, dtype=np.int64)


def assert_close_ulp(actual: np.ndarray, expected: np.ndarray, ulp: int, zero_sign: bool) -> None:
    """Real arrays: NaN in the same places, else at most `ulp` numbers apart."""
    nan = np.isnan(expected)
    bad = np.isnan(actual) != nan
    assert not bad.any(), _show(bad, actual, expected, "NaN")
    bad = ~nan & (actual != expected)
    if bad.any():
        bad[bad] = ulp_distance(actual[bad], expected[bad]) > ulp
        assert not bad.any(), _show(bad, actual, expected, f"more than {ulp} ULP apart")
    if zero_sign:
        zero = (expected == 0) & (actual == 0)
        bad = zero & (np.signbit(actual) != np.signbit(expected))
        assert not bad.any(), _show(bad, actual, expected, "sign of zero")


def _leaf_within(actual: Any, expected: Any, ulp: int, zero_sign: bool) -> None:
    if not isinstance(actual, np.ndarray) or actual.dtype.kind in "biu":
        bad = np.asarray(actual != expected)
        assert not bad.any(), f"{actual!r} and {expected!r}"
        return
    if actual.dtype.kind == "c" and ulp:
        _complex_within(actual, expected, ulp, zero_sign)
        return
    assert_close_ulp(components(actual), components(expected), ulp, zero_sign)


def _complex_within(actual: np.ndarray, expected: np.ndarray, ulp: int, zero_sign: bool) -> None:
    """Complex arrays: the error measured against the modulus; infinities and NaN as they are."""
    a, b = components(actual), components(expected)
    finite = (np.isfinite(a) & np.isfinite(b)).all(axis=-1)
    assert_close_ulp(a[~finite], b[~finite], ulp, zero_sign)
    a, b = a[finite].astype(np.longdouble), b[finite].astype(np.longdouble)
    limits = np.finfo(actual.real.dtype)
    scale = np.hypot(b[..., 0], b[..., 1])[..., None]
    bad = np.abs(a - b) > ulp * (limits.eps * scale + limits.smallest_subnormal)
    assert not bad.any(), _show(bad, a, b, f"more than {ulp} eps of the modulus apart")


def exact(actual: Any, expected: Any, call: Call) -> None:
    """Equal, NaN to NaN, the sign of zero too."""
    within(0)(actual, expected, call)


def exact_up_to_zero_sign(actual: Any, expected: Any, call: Call) -> None:
    """Equal, NaN to NaN; the standard leaves the sign of zero open."""
    within(0, zero_sign=False)(actual, expected, call)


def within(ulp: int, *, zero_sign: bool = True) -> Check:
    """At most `ulp` floating-point numbers apart (of the modulus for complex numbers)."""

    def check(actual: Any, expected: Any, call: Call) -> None:
        structure(actual, expected, call)
        for one, other in zip(leaves(actual), leaves(expected), strict=True):
            _leaf_within(one, other, ulp, zero_sign)

    return check


def magnitude(call: Call) -> float:
    """The largest finite absolute value among the arguments, at least 1."""
    largest = 1.0
    for made in call.made:
        values = np.abs(components(made.values).astype(np.float64))
        values = values[np.isfinite(values)]
        if values.size:
            largest = max(largest, float(values.max()))
    return largest


def size(call: Call) -> int:
    return max([1, *(int(np.prod(made.shape)) for made in call.made)])


def close(power: float = 1.0, factor: float = 4.0) -> Check:
    """Within ``factor * eps * size * magnitude**power``: the error of a sum of products.

    `power` is how many values of the arguments are multiplied to a term. Integers are exact.
    """

    def check(actual: Any, expected: Any, call: Call) -> None:
        structure(actual, expected, call)
        scale = factor * size(call) * magnitude(call) ** power
        for one, other in zip(leaves(actual), leaves(expected), strict=True):
            assert_within(one, other, scale)

    return check


def assert_within(actual: Any, expected: Any, scale: float) -> None:
    """Arrays equal up to `scale` times their dtype's eps; infinities and NaN equal."""
    if not isinstance(actual, np.ndarray) or actual.dtype.kind in "biu":
        _leaf_within(actual, expected, 0, False)
        return
    a, b = components(actual), components(expected)
    finite = np.isfinite(a) & np.isfinite(b)
    assert_close_ulp(a[~finite], b[~finite], 0, False)
    tolerance = float(np.finfo(actual.dtype).eps) * scale
    bad = finite.copy()
    bad[finite] = np.abs(a[finite].astype(np.float64) - b[finite]) > tolerance
    assert not bad.any(), _show(bad, a, b, f"more than {tolerance:.2g} apart")


def attributes(*names: str) -> Check:
    """Objects whose attributes of these names are equal and of one type."""

    def check(actual: Any, expected: Any, call: Call) -> None:
        for name in names:
            one, other = getattr(actual, name), getattr(expected, name)
            assert type(one) is type(other) and one == other, f"{name}: {one!r} and {other!r}"

    return check
