"""Quotients of float64 are the nearest numbers, however they are computed: hard cases of rounding,
the edges of the range, special values, on every instruction set."""

from fractions import Fraction

import numpy as np
import pytest

import corepy.array_api as xp
from corepy import Tensor


def hard_cases(divisors):
    """Quotients within a few times 2^-107 of halfway between two numbers.

    That is, whole a, b of 53 bits and a whole odd m of 54 with a * 2**s = b * m + r for a small r.
    """
    found = []
    for b in divisors:
        for shift in (53, 54):
            inverse = pow(b, -1, 1 << shift)
            for r in (-7, -5, -3, -1, 1, 3, 5, 7):
                m = -r * inverse % (1 << shift) | (1 << 53)
                a, rest = divmod(b * m + r, 1 << shift)
                if rest == 0 and a.bit_length() == 53:
                    found.append((a, b))
    return np.array(found, dtype=np.float64).T


def divisors(rng, count):
    """Odd whole numbers of 53 bits: any, and next to the powers of two on either side."""
    near = [(1 << 53) - k for k in range(1, 200, 2)] + [(1 << 52) + k for k in range(1, 200, 2)]
    return near + [int(k) | 1 for k in rng.integers(1 << 52, 1 << 53, count)]


def assert_nearest(quotients, a, b):
    """Compare with exact arithmetic; Python rounds a fraction to the nearest float."""
    for quotient, x, y in zip(quotients, a, b, strict=True):
        assert quotient == float(Fraction(x) / Fraction(y)), (x.hex(), y.hex())


def test_hard_cases(level):
    a, b = hard_cases(divisors(np.random.default_rng(1), 1000))
    assert a.size > 3000
    assert_nearest(np.asarray(Tensor(a) / Tensor(b)).tolist(), a.tolist(), b.tolist())


def test_a_power_of_two_over_what_is_just_below_one(level):
    x = xp.full(64, 2.0**52)
    y = Tensor(np.arange(2**53 - 64, 2**53).astype(np.float64))
    assert_nearest(np.asarray(x / y).tolist(), np.asarray(x).tolist(), np.asarray(y).tolist())


@pytest.mark.parametrize("spread", [1, 400, 2000])
def test_any_bits(level, spread):
    rng = np.random.default_rng(spread)
    exponents = 1023 + rng.integers(-spread // 2, spread // 2 + 1, (2, 20000)).clip(-1023, 1023)
    bits = exponents << 52 | rng.integers(0, 1 << 52, (2, 20000)) | rng.integers(0, 2, (2, 1)) << 63
    a, b = bits.view(np.float64)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.asarray(Tensor(a) / Tensor(b)), a / b)
        np.testing.assert_array_equal(np.asarray(Tensor(a) / float(b[0])), a / b[0])
        np.testing.assert_array_equal(np.asarray(float(a[0]) / Tensor(b)), a[0] / b)


def test_special_values(level):
    tiny, huge = 5e-324, np.finfo(float).max
    values = np.array([0.0, 1.0, 3.0, tiny, 2.0**-1022, 2.0**500, 2.0**501, huge, np.inf, np.nan])
    values = np.concatenate([values, -values])
    a, b = (each.ravel() for each in np.meshgrid(values, values))
    with np.errstate(all="ignore"):
        expected = a / b
    found = np.asarray(Tensor(a) / Tensor(b))
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))
