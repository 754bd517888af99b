"""Complex special cases against Python's cmath and the standard; see tests/accuracy for values."""

import cmath
import math

import numpy as np
import pytest

from . import inputs
from .case import function
from .inputs import COMPLEX

DEVICES = ["cpu", "reference"]


# cmath follows the C standard, whose table the array API's is.
CMATH = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "sin"),
    *("sinh", "sqrt", "tan", "tanh"),
)


#: Where the standard says more than C, or something else: name -> condition on abs(real) and
#: abs(imag). What it says there is in STANDARD_ROWS.
STANDARD_DIFFERS = {
    "acosh": lambda a, b: a == 0 and math.isnan(b),
    "atan": lambda a, b: math.isinf(a) and math.isnan(b),
    "exp": lambda a, b: math.isinf(a) and not math.isfinite(b),
    "tan": lambda a, b: math.isinf(b) or (math.isnan(a) and b == 0),
    "tanh": lambda a, b: math.isinf(a) or (a == 0 and math.isnan(b)),
}
inf, nan, pi = math.inf, math.nan, math.pi
#: The signs of components in parentheses are not compared.
STANDARD_ROWS = [
    ("acosh", complex(0.0, nan), nan, (pi / 2,)),
    ("atan", complex(inf, nan), pi / 2, (0.0,)),
    ("exp", complex(-inf, inf), (0.0,), (0.0,)),
    ("exp", complex(-inf, nan), (0.0,), (0.0,)),
    ("exp", complex(inf, inf), (inf,), nan),
    ("exp", complex(inf, nan), (inf,), nan),
    ("expm1", complex(0.0, 0.0), 0.0, 0.0),
    ("expm1", complex(1.0, inf), nan, nan),
    ("expm1", complex(inf, 0.0), inf, 0.0),
    ("expm1", complex(-inf, 1.0), -1.0, 0.0),
    ("expm1", complex(inf, 1.0), inf, inf),
    ("expm1", complex(-inf, inf), -1.0, (0.0,)),
    ("expm1", complex(-inf, nan), -1.0, (0.0,)),
    ("expm1", complex(nan, 0.0), nan, 0.0),
    ("log1p", complex(-1.0, 0.0), -inf, 0.0),
    ("log1p", complex(1.0, inf), inf, pi / 2),
    ("log1p", complex(-inf, 1.0), inf, pi),
    ("log1p", complex(inf, 1.0), inf, 0.0),
    ("log1p", complex(-inf, inf), inf, 3 * pi / 4),
    ("log1p", complex(inf, inf), inf, pi / 4),
    ("log1p", complex(nan, inf), inf, nan),
    ("log1p", complex(inf, nan), inf, nan),
    ("tan", complex(1.0, inf), 0.0, 1.0),
    ("tan", complex(nan, 0.0), nan, 0.0),
    ("tanh", complex(inf, 1.0), 1.0, 0.0),
    ("tanh", complex(-inf, -1.0), -1.0, -0.0),
    ("tanh", complex(inf, -2.5), 1.0, -0.0),
    ("tanh", complex(inf, inf), 1.0, (0.0,)),
    ("tanh", complex(inf, nan), 1.0, (0.0,)),
    ("tanh", complex(0.0, nan), 0.0, nan),
    ("tanh", complex(-0.0, nan), -0.0, nan),
    ("tanh", complex(0.0, inf), 0.0, nan),
]


def python_value(name, v):
    """The result of cmath; None if Python raises instead of C's infinity or NaN."""
    if STANDARD_DIFFERS.get(name, lambda a, b: False)(abs(v.real), abs(v.imag)):
        return None
    try:
        return getattr(cmath, name)(v)
    except (ValueError, OverflowError):
        return None


def same(actual, expected):
    """Equal, up to rounding; the sign of zero and of infinity counts."""
    if isinstance(expected, tuple):
        return same(abs(actual), expected[0])
    if math.isnan(expected):
        return math.isnan(actual)
    signs = math.copysign(1, actual) == math.copysign(1, expected)
    return signs and math.isclose(actual, expected, rel_tol=1e-5)


def assert_same_complex(name, v, actual, real, imag):
    agree = same(actual.real, real) and same(actual.imag, imag)
    assert agree, f"{name}({v}): {actual}, not {real} + {imag}j"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", CMATH)
def test_complex_special_cases(name, dtype, device):
    """The sign of a component is not compared where the other is NaN: C leaves those open."""
    values = inputs.special_values(dtype)
    x = inputs.xp.asarray(np.array(values, dtype=dtype), device=device)
    actual = np.asarray(function(name, device)(x).to_device("cpu")).tolist()
    for v, value in zip(values, actual, strict=True):
        expected = python_value(name, v)
        if expected is None:
            continue
        parts = [expected.real, expected.imag]
        if cmath.isnan(expected):
            parts = [p if math.isnan(p) else (abs(p),) for p in parts]
        assert_same_complex(name, v, value, *parts)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize(("name", "v", "real", "imag"), STANDARD_ROWS)
def test_complex_special_cases_of_the_standard(name, v, real, imag, dtype, device):
    """Each row at its point and, for functions with f(conj(x)) = conj(f(x)), at the conjugate."""
    x = inputs.xp.asarray(np.array([v, v.conjugate()], dtype=dtype), device=device)
    one, conjugate = np.asarray(function(name, device)(x).to_device("cpu")).tolist()
    assert_same_complex(name, v, one, real, imag)
    mirrored = imag if isinstance(imag, tuple) else -imag
    assert_same_complex(name, v.conjugate(), conjugate, real, mirrored)
