"""Every pair of dtypes, and every dtype with every Python scalar, against NumPy's promotion.

The standard leaves pairs of different kinds open; there, too, both devices do what NumPy 2 does.
"""

import itertools

import numpy as np
import pytest

from .case import function
from .compare import exact_up_to_zero_sign, to_host, within
from .inputs import ALL, call, corepy, is_complex, is_float, xp

DEVICES = pytest.mark.parametrize("device", ["cpu", "reference"])
PAIRS = list(itertools.product(ALL, repeat=2))
SCALARS = [True, 3, 2.5, 1 + 2j]
VALUES = [1, 2, 3, 0, 1]


def column(dtype, shift=0):
    return np.roll(np.array(VALUES), shift).astype(dtype)


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_result_type(one, two):
    expected = np.result_type(one, two)
    x1, x2 = (xp.asarray(column(dtype)) for dtype in (one, two))
    for first, second in itertools.product((x1, np.dtype(one)), (x2, np.dtype(two))):
        assert xp.result_type(first, second) == expected


@DEVICES
@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_pairs_of_arrays(one, two, device):
    a, b = column(one), column(two, 1)
    x1, x2 = (xp.asarray(x, device=device) for x in (a, b))
    namespace = corepy.namespace(device)
    both = np.result_type(one, two)
    check = within(4, zero_sign=False)

    def agrees(actual, expected):
        check(to_host(actual), np.asarray(expected), call())

    agrees(namespace.add(x1, x2), np.add(a, b))
    agrees(namespace.multiply(x1, x2), np.multiply(a, b))
    agrees(namespace.where(x1 == x2, x1, x2), np.where(a == b, a, b))
    agrees(namespace.concat([x1, x2]), np.concat([a, b]))
    agrees(namespace.stack([x1, x2]), np.stack([a, b]))
    agrees(namespace.equal(x1, x2), np.equal(a, b))
    if both != np.bool:
        agrees(namespace.subtract(x1, x2), np.subtract(a, b))
    if not is_complex(both.name):
        agrees(namespace.less(x1, x2), np.less(a, b))
        agrees(namespace.maximum(x1, x2), np.maximum(a, b))
    divided = np.add(b, np.array(1, dtype=two))
    quotient = namespace.divide(x1, xp.asarray(divided, device=device))
    # NumPy divides int8 in float64; nothing becomes float16 in either.
    agrees(quotient, np.divide(a, divided))
    if both.kind in "biu":
        agrees(namespace.bitwise_and(x1, x2), np.bitwise_and(a, b)) if one == two or (
            both.kind in "iu" and both != np.float64
        ) else None


@DEVICES
@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
@pytest.mark.parametrize("dtype", ALL)
def test_arrays_beside_scalars(dtype, scalar, device):
    a = column(dtype)
    x = xp.asarray(a, device=device)
    for name in ("add", "multiply", "equal", "not_equal"):
        expected = getattr(np, name)(a, scalar)
        actual = to_host(function(name, device)(x, scalar))
        exact_up_to_zero_sign(actual, expected, call())
        reflected = to_host(function(name, device)(scalar, x))
        exact_up_to_zero_sign(reflected, getattr(np, name)(scalar, a), call())
    if not isinstance(scalar, complex) and not is_complex(dtype):
        for name in ("maximum", "less", "greater_equal"):
            actual = to_host(function(name, device)(x, scalar))
            exact_up_to_zero_sign(actual, getattr(np, name)(a, scalar), call())
    chosen = to_host(function("where", device)(x == 1, x, scalar))
    exact_up_to_zero_sign(chosen, np.where(a == 1, a, scalar), call())
    assert xp.result_type(x, scalar) == xp.result_type(scalar, x.dtype) == np.result_type(a, scalar)


@DEVICES
@pytest.mark.parametrize("dtype", ALL)
def test_elementary_functions_of_every_dtype(dtype, device):
    """Bool and integers of any width become float64; no dtype becomes float16."""
    a = column(dtype)
    x = xp.asarray(a, device=device)
    wide = a if is_float(dtype) else a.astype(np.float64)
    for name in ("sin", "exp", "sqrt", "tanh", "log1p"):
        expected = getattr(np, name)(wide)
        within(4, zero_sign=False)(to_host(function(name, device)(x)), expected, call())
    if dtype != "bool":
        mean = to_host(function("mean", device)(x))
        within(2)(mean, np.asarray(np.mean(wide)), call())


@pytest.mark.parametrize("count", [3, 4])
def test_result_type_does_not_depend_on_the_order(count):
    for names in itertools.combinations(ALL, count):
        dtypes = [np.dtype(name) for name in names]
        expected = np.result_type(*dtypes)
        assert xp.result_type(*dtypes) == xp.result_type(*reversed(dtypes)) == expected
