"""Elementary functions against mpmath, and complex special cases against Python's cmath."""

import cmath
import math
import random

import mpmath
import numpy as np
import pytest

from . import inputs
from .case import function
from .compare import ulp_distance
from .inputs import COMPLEX, REAL_FLOAT

DEVICES = ["cpu", "reference"]
#: NumPy, which computes until the SIMD kernels come, is within 4 ULP.
LARGEST_ERROR = 4


def logaddexp(a, b):
    return mpmath.log(mpmath.exp(a) + mpmath.exp(b))


# name -> (mpmath's function, range of the arguments)
UNARY = {
    "acos": (mpmath.acos, (-1, 1)),
    "acosh": (mpmath.acosh, (1, 1e30)),
    "asin": (mpmath.asin, (-1, 1)),
    "asinh": (mpmath.asinh, (-1e30, 1e30)),
    "atan": (mpmath.atan, (-1e30, 1e30)),
    "atanh": (mpmath.atanh, (-1, 1)),
    "cos": (mpmath.cos, (-1e5, 1e5)),
    "cosh": (mpmath.cosh, (-80, 80)),
    "exp": (mpmath.exp, (-80, 80)),
    "expm1": (mpmath.expm1, (-80, 80)),
    "log": (mpmath.log, (0, 1e30)),
    "log10": (mpmath.log10, (0, 1e30)),
    "log1p": (mpmath.log1p, (-1, 1e30)),
    "log2": (lambda v: mpmath.log(v, 2), (0, 1e30)),
    "sin": (mpmath.sin, (-1e5, 1e5)),
    "sinh": (mpmath.sinh, (-80, 80)),
    "sqrt": (mpmath.sqrt, (0, 1e30)),
    "tan": (mpmath.tan, (-1e5, 1e5)),
    "tanh": (mpmath.tanh, (-80, 80)),
    "reciprocal": (lambda v: 1 / v, (-1e30, 1e30)),
}
BINARY = {
    "atan2": (mpmath.atan2, (-1e10, 1e10), (-1e10, 1e10)),
    "hypot": (mpmath.hypot, (-1e10, 1e10), (-1e10, 1e10)),
    "logaddexp": (logaddexp, (-80, 80), (-80, 80)),
    "pow": (mpmath.power, (0, 100), (-18, 18)),
}


def points(low, high, dtype, seed, count=300):
    """Points of all magnitudes in a range, evenly in their logarithm, and some evenly."""
    rng = random.Random(seed)
    drawn = [rng.uniform(max(low, -10), min(high, 10)) for _ in range(count // 2)]
    for bound in (low, high):
        if bound:
            largest = math.log10(abs(bound)) if abs(bound) != 1 else -0.01
            exponents = [rng.uniform(-20, largest) for _ in range(count // 4)]
            drawn += [math.copysign(10**exponent, bound) for exponent in exponents]
    values = np.array(drawn, dtype=dtype)
    return values[(values > low) & (values < high)]


def assert_accurate(name, actual, exact, columns):
    """`exact` are mpmath numbers; the error is measured against their nearest doubles or floats."""
    with np.errstate(over="ignore", under="ignore"):
        expected = np.array([float(v) for v in exact]).astype(actual.dtype)
    # logaddexp loses digits where the result is next to zero, in every implementation.
    kept = np.abs(expected) > 1e-3 if name == "logaddexp" else np.ones(expected.shape, dtype=bool)
    distance = ulp_distance(actual[kept], expected[kept])
    worst = int(np.argmax(distance))
    where = [column[kept][worst] for column in columns]
    assert distance[worst] <= LARGEST_ERROR, f"{name}{where}: {distance[worst]} ULP"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", REAL_FLOAT)
@pytest.mark.parametrize("name", UNARY)
def test_real_functions_of_one_operand(name, dtype, device):
    exact, (low, high) = UNARY[name]
    x = points(low, high, dtype, name)
    actual = function(name, device)(inputs.xp.asarray(x, device=device))
    with mpmath.workprec(200):
        expected = [exact(mpmath.mpf(float(v))) for v in x]
        assert_accurate(name, np.asarray(actual.to_device("cpu")), expected, [x])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", REAL_FLOAT)
@pytest.mark.parametrize("name", BINARY)
def test_real_functions_of_two_operands(name, dtype, device):
    exact, *ranges = BINARY[name]
    x1, x2 = (points(*r, dtype, f"{name}{i}", 1200) for i, r in enumerate(ranges))
    size = min(x1.size, x2.size, 300)
    rng = random.Random(name)
    x1, x2 = (np.array(rng.sample(x.tolist(), size), dtype=dtype) for x in (x1, x2))
    actual = function(name, device)(*(inputs.xp.asarray(x, device=device) for x in (x1, x2)))
    with mpmath.workprec(200):
        expected = [
            exact(*(mpmath.mpf(float(v)) for v in pair)) for pair in zip(x1, x2, strict=True)
        ]
        assert_accurate(name, np.asarray(actual.to_device("cpu")), expected, [x1, x2])


COMPLEX_FUNCTIONS = {
    **{
        name: getattr(mpmath, name)
        for name in (
            *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1"),
            *("log", "log10", "log1p", "sin", "sinh", "sqrt", "tan", "tanh"),
        )
    },
    "log2": lambda v: mpmath.log(v, 2),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", COMPLEX_FUNCTIONS)
def test_complex_functions(name, dtype, device):
    """The error is measured against the modulus of the result."""
    real = "float32" if dtype == "complex64" else "float64"
    x = (points(-8, 8, real, name) + 1j * points(-8, 8, real, name + "imag")).astype(dtype)
    actual = function(name, device)(inputs.xp.asarray(x, device=device))
    actual = np.asarray(actual.to_device("cpu")).tolist()
    eps = np.finfo(dtype).eps
    with mpmath.workprec(200):
        for v, value in zip(x.tolist(), actual, strict=True):
            expected = COMPLEX_FUNCTIONS[name](mpmath.mpc(v))
            error = abs(mpmath.mpc(value) - expected)
            assert error <= 8 * eps * abs(expected), f"{name}({v}): {value}, not {expected}"


# ---- special cases: cmath follows the C standard, whose table the array API's is

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
    """What cmath has; None where Python raises for what is an infinity or NaN in C."""
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
