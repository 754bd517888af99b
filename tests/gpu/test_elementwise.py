"""Elementwise operations on the GPU backend: every operation and dtype against NumPy."""

import itertools
import operator
from fractions import Fraction

import numpy as np
import pytest
from elementwise import (
    BINARY,
    COMPARISONS,
    OPERATIONS,
    UNARY,
    accepts,
    comparison_of,
    expected_binary,
    expected_unary,
    samples,
)
from strategies import DTYPES, assert_same, special_values

TERNARY = [name for name, shape, _, _ in OPERATIONS if shape == "ternary"]
# Operations on complex numbers that are written beside those on real ones; the others have tests
# of their own (test_complex.py).
OF_COMPLEX = (
    "add subtract multiply square negative positive conj real imag equal not_equal logical_not "
    "logical_and logical_or logical_xor isnan isinf isfinite round"
).split()
# Elements that are some turns of blocks, and some that are not enough for one.
LENGTH = 3 * 8192 + 37


def dtypes_of(operation):
    complex_too = operation in OF_COMPLEX
    return [
        dtype
        for dtype in DTYPES
        if accepts(operation, dtype) and (dtype.kind != "c" or complex_too)
    ]


def repeated(array):
    return np.resize(array, LENGTH + array.size - LENGTH % array.size)


# How operands lie in memory. Each operation has each dtype in runs, and one other layout in turn.
LAYOUTS = {
    "runs": lambda x: x,
    "misaligned": lambda x: x[1:],
    "strided": lambda x: x[::3],
    "backwards": lambda x: x[::-1],
    "matrix": lambda x: x[: x.size // 64 * 64].reshape(-1, 64)[:, 16:48],
    "ragged": lambda x: x[: x.size // 37 * 37].reshape(37, -1).T[::2, :9],
}


def layouts(*turn):
    others = [name for name in LAYOUTS if name != "runs"]
    return [LAYOUTS["runs"], LAYOUTS[others[sum(map(len, turn)) % len(others)]]]


def run_and_compare(together, cases):
    """Cases: (function of no arguments, what it is expected to return, how they are compared)."""
    results = together([function for function, _, _ in cases])
    for result, (_, expected, comparison) in zip(results, cases, strict=True):
        assert_same(result, expected, **comparison)


@pytest.mark.parametrize("operation", UNARY)
def test_operations_of_one_operand(operation, gpu, together):
    function = getattr(gpu, operation)
    cases = []
    for turn, dtype in enumerate(dtypes_of(operation)):
        values = repeated(samples(operation, dtype))
        tensor = gpu.asarray(values)
        for layout in layouts(operation, "." * turn):
            cases.append((
                lambda tensor=tensor, layout=layout: function(layout(tensor)),
                expected_unary(operation, layout(values)),
                comparison_of(operation),
            ))  # fmt: skip
    run_and_compare(together, cases)


@pytest.mark.parametrize("operation", BINARY)
def test_operations_of_two_operands(operation, gpu, together):
    function = getattr(gpu, operation)
    cases = []
    for turn, dtype in enumerate(dtypes_of(operation)):
        values = samples(operation, dtype)
        a, b = (repeated(grid.ravel()) for grid in np.meshgrid(values, values))
        if operation == "pow" and values.dtype.kind == "i":
            continue  # exponents are read first: test_integers_to_the_power_of_integer_tensors
        x, y = gpu.asarray(a), gpu.asarray(b)
        for layout in layouts(operation, "." * turn):
            cases.append((
                lambda x=x, y=y, layout=layout: function(layout(x), layout(y)),
                expected_binary(operation, layout(a), layout(b)),
                comparison_of(operation),
            ))  # fmt: skip
    run_and_compare(together, cases)


def assert_choices(gpu, together, operation, values):
    """where and clip: each element of `values` in each place."""
    first = np.array([False, True]) if operation == "where" else values
    a, b, c = (
        repeated(grid.ravel()) for grid in np.meshgrid(first, values[::-1], values, indexing="ij")
    )
    x, y, z = (gpu.asarray(array) for array in (a, b, c))
    function, in_numpy = getattr(gpu, operation), getattr(np, operation)
    cases = []
    for layout in layouts(operation, str(values.dtype)):
        cases.append((
            lambda layout=layout: function(layout(x), layout(y), layout(z)),
            in_numpy(layout(a), layout(b), layout(c)),
            {"signs": operation == "where"},
        ))  # fmt: skip
    run_and_compare(together, cases)


@pytest.mark.parametrize("dtype", [str(dtype) for dtype in DTYPES])
def test_where(dtype, gpu, together):
    assert_choices(gpu, together, "where", special_values(dtype))


@pytest.mark.parametrize("dtype", [str(dtype) for dtype in DTYPES if dtype.kind in "iuf"])
def test_clip(dtype, gpu, together):
    assert_choices(gpu, together, "clip", special_values(dtype))


def test_every_shape_of_work_is_tested():
    assert sorted(TERNARY) == ["clip", "where"]


# ---- what special values give, said here and not by NumPy

inf, nan = np.inf, np.nan
ONE = [
    ("sign", [-0.0, 0.0, nan, -inf, 1e-40], [0.0, 0.0, nan, -1.0, 1.0]),
    ("signbit", [-0.0, 0.0, -nan, nan, -inf], [True, False, True, False, True]),
    ("round", [0.5, 1.5, 2.5, -0.5, -1.5], [0.0, 2.0, 2.0, -0.0, -2.0]),
    ("trunc", [-0.5, 0.5, -inf, nan], [-0.0, 0.0, -inf, nan]),
    ("ceil", [-0.5, 0.5, -0.0], [-0.0, 1.0, -0.0]),
    ("sqrt", [-0.0, -1.0, inf], [-0.0, nan, inf]),
    ("reciprocal", [-0.0, 0.0, -inf], [-inf, inf, -0.0]),
    ("log1p", [-0.0, -1.0, -2.0, inf], [-0.0, -inf, nan, inf]),
    ("expm1", [-0.0, -inf, inf], [-0.0, -1.0, inf]),
    ("log", [-0.0, 0.0, 1.0, -1.0], [-inf, -inf, 0.0, nan]),
    ("atanh", [1.0, -1.0, 2.0, -0.0], [inf, -inf, nan, -0.0]),
    ("acosh", [1.0, 0.5, inf], [0.0, nan, inf]),
    ("asinh", [-0.0, -inf, inf], [-0.0, -inf, inf]),
    ("sin", [-0.0, inf, -inf, nan], [-0.0, nan, nan, nan]),
    ("tan", [-0.0, inf], [-0.0, nan]),
    ("cosh", [-inf, 0.0], [inf, 1.0]),
    ("tanh", [-inf, inf, -0.0], [-1.0, 1.0, -0.0]),
]
TWO = [
    ("maximum", [nan, 1.0, inf], [1.0, nan, nan], [nan, nan, nan]),
    ("minimum", [nan, 1.0, -inf], [1.0, nan, nan], [nan, nan, nan]),
    ("pow", [1.0, -1.0, nan, -8.0, -0.0], [nan, inf, 0.0, 1 / 3, -1.0],
     [1.0, 1.0, 1.0, nan, -inf]),
    ("pow", [-0.0, -inf, -inf, 0.5, -2.0], [3.0, -3.0, 3.0, -inf, 3.0],
     [-0.0, -0.0, -inf, inf, -8.0]),
    ("hypot", [inf, nan, -0.0], [nan, -inf, -0.0], [inf, inf, 0.0]),
    ("atan2", [0.0, -0.0, 0.0, inf, -inf], [-0.0, -0.0, 0.0, -inf, inf],
     [np.pi, -np.pi, 0.0, 3 * np.pi / 4, -np.pi / 4]),
    ("copysign", [1.0, nan, 0.0, -inf], [-0.0, -1.0, -nan, 1.0], [-1.0, -nan, -0.0, inf]),
    ("nextafter", [0.0, -0.0, inf, 1.0, nan], [-1.0, 0.0, 0.0, 1.0, 1.0],
     [-5e-324, 0.0, 1.7976931348623157e308, 1.0, nan]),
    ("logaddexp", [-inf, inf, inf, 0.0], [-inf, inf, -inf, nan], [-inf, inf, inf, nan]),
    ("remainder", [5.0, -5.0, -1.0, 1.0, -1.0], [-3.0, 3.0, inf, -inf, -inf],
     [-1.0, 1.0, inf, -inf, -1.0]),
    ("remainder", [-6.0, 6.0, inf, 1.0, -0.0], [3.0, -3.0, 1.0, 0.0, 1.0],
     [0.0, -0.0, nan, nan, 0.0]),
    ("floor_divide", [inf, -1.0, 1.0, 0.0, -7.0], [1.0, inf, -inf, -1.0, 2.0],
     [inf, -0.0, -0.0, -0.0, -4.0]),
    ("floor_divide", [1.0, -1.0, 0.0, nan], [0.0, 0.0, 0.0, 1.0], [inf, -inf, nan, nan]),
]  # fmt: skip


def test_special_values_of_floats(gpu, together):
    cases = []
    for dtype in ("float64", "float32"):
        for name, *arrays, expected in [*ONE, *TWO]:
            if dtype == "float32" and name == "nextafter":
                continue
            x = [gpu.asarray(np.array(array, dtype=dtype)) for array in arrays]
            expected = np.array(expected)
            if expected.dtype.kind == "f":
                expected = expected.astype(dtype)
            call = lambda name=name, x=x: getattr(gpu, name)(*x)
            cases.append((call, expected, {"signs": True, "ulp": 2}))
    run_and_compare(together, cases)


def test_logaddexp_of_float32_next_to_its_zeros(gpu):
    x = -np.random.default_rng(0).uniform(0.05, 1, 1000).astype("float32")
    y = np.log1p(-np.exp(x.astype("float64"))).astype("float32")
    exact = np.logaddexp(x.astype("longdouble"), y.astype("longdouble")).astype("float32")
    result = np.asarray(gpu.logaddexp(gpu.asarray(x), gpu.asarray(y)).to_device("cpu"))
    # The sum of float64 that it is computed as is rounded once.
    np.testing.assert_allclose(result, exact, rtol=2.0**-22, atol=2.0**-52)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_quotients_rounded_down_are_exact(dtype, gpu):
    """Against fractions: operands of all magnitudes, and those whose quotient rounds up."""
    rng = np.random.default_rng(0)
    x = np.ldexp(rng.integers(-1000, 1000, 3000), rng.integers(-40, 40, 3000)).astype(dtype)
    y = np.ldexp(rng.integers(1, 1000, 3000), rng.integers(-40, 40, 3000)).astype(dtype)
    digits = np.finfo(dtype).nmant
    y[:1000] = rng.integers(1, 2**digits, 1000)
    x[:1000] = y[:1000] * rng.integers(1, 50, 1000).astype(dtype)
    x[:500] = np.nextafter(x[:500], x.dtype.type(0))
    y *= rng.choice([-1, 1], 3000).astype(dtype)
    a, b = gpu.asarray(x), gpu.asarray(y)
    rest, quotient = (
        np.asarray(f(a, b).to_device("cpu")).tolist() for f in (gpu.remainder, gpu.floor_divide)
    )
    for p, q, r, n in zip(x.tolist(), y.tolist(), rest, quotient, strict=True):
        # The divisor may be added to the rest, which rounds.
        assert r == x.dtype.type(float(Fraction(p) % Fraction(q)))
        if abs(n) < 2**digits:
            assert n == Fraction(p) // Fraction(q)


@pytest.mark.parametrize("dtype", [str(dtype) for dtype in DTYPES if dtype.kind in "iu"])
def test_integer_arithmetic_wraps(dtype, gpu, together):
    """Against Python's integers, reduced to the bits of the dtype."""
    values = special_values(dtype)
    a, b = (grid.ravel() for grid in np.meshgrid(values, values))
    x, y = gpu.asarray(a), gpu.asarray(b)
    bits = 8 * np.dtype(dtype).itemsize

    def left(p, n):
        return p << n if 0 <= n < bits else 0

    def right(p, n):
        return p >> n if 0 <= n < bits else -(p < 0)

    definitions = {
        "add": lambda p, q: p + q,
        "subtract": lambda p, q: p - q,
        "multiply": lambda p, q: p * q,
        "floor_divide": lambda p, q: p // q if q else 0,
        "remainder": lambda p, q: p % q if q else 0,
        "bitwise_left_shift": left,
        "bitwise_right_shift": right,
    }
    cases = []
    for name, definition in definitions.items():
        exact = [definition(p, q) % 2**bits for p, q in zip(a.tolist(), b.tolist(), strict=True)]
        expected = np.array(exact, dtype=f"uint{bits}").view(dtype)
        cases.append((lambda name=name: getattr(gpu, name)(x, y), expected, {}))
    cases.append((lambda: -x, np.negative(a), {}))
    cases.append((lambda: gpu.abs(x), np.abs(a), {}))
    run_and_compare(together, cases)


def test_integers_to_the_power_of_integers(gpu):
    x = np.arange(-5, 6)
    assert_same(gpu.asarray(x) ** 3, x**3)
    assert_same(gpu.asarray(x) ** 2, x**2)
    assert_same(2 ** gpu.asarray(abs(x)), 2 ** abs(x))
    t = gpu.asarray(x)
    with pytest.raises(ValueError, match=r"^pow: .*negative"):
        t**-1
    with pytest.raises(ValueError, match=r"^pow: .*negative"):
        t **= -1
    assert_same(t, x)
    t **= 2
    assert_same(t, x**2)
    floats = gpu.asarray([2.0, -4.0])
    assert_same(floats**-1, np.array([0.5, -0.25]))
    floats **= 2
    assert_same(floats, np.array([4.0, 16.0]))


INTEGERS = [str(dtype) for dtype in DTYPES if dtype.kind in "iu"]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_to_the_power_of_integer_tensors(dtype, gpu):
    values = samples("pow", dtype)
    exponents = values[values >= 0]
    a, b = (repeated(grid.ravel()) for grid in np.meshgrid(values, exponents))
    x, y = gpu.asarray(a), gpu.asarray(b)
    for layout in layouts("pow", dtype):
        assert_same(layout(x) ** layout(y), expected_binary("pow", layout(a), layout(b)))
    t = gpu.asarray(a, copy=True)
    t **= y
    assert_same(t, expected_binary("pow", a, b))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_negative_exponents_of_integers_raise_before_anything_is_written(dtype, gpu):
    values = np.array([[2, 1, -1], [0, 3, 5]], dtype)
    x = gpu.asarray(values)
    exponents = np.array([3, 0, -1], dtype)
    for y in (gpu.asarray(exponents), gpu.asarray(exponents[2:]), gpu.asarray(exponents)[2]):
        for call in (
            lambda y=y: x**y, lambda y=y: 2**y, lambda y=y: gpu.pow(x, y),
            lambda y=y: operator.ipow(x, y),
        ):  # fmt: skip
            with pytest.raises(ValueError, match=r"^pow: integers to negative integer powers"):
                call()
    assert_same(x, values)
    assert_same(x ** gpu.asarray(exponents[:2])[0], values**3)
    assert_same(
        x.astype("float64") ** gpu.asarray(exponents), values.astype("float64") ** exponents
    )
    with pytest.raises(ValueError, match=r"^pow: .*broadcast"):
        x ** gpu.asarray(exponents[1:])
    nothing = gpu.asarray(values[:0])
    assert_same(nothing ** gpu.asarray(exponents), values[:0])
    nothing **= gpu.asarray(exponents)
    assert_same(x ** gpu.asarray(values[:1, :0].reshape(0, 1, 1)), np.empty((0, 2, 3), dtype))
    assert_same(
        x ** gpu.asarray(np.array([True, False, True])), values ** np.array([1, 0, 1], dtype)
    )


def test_integers_beyond_float64_are_compared_exactly(gpu, together):
    signed = np.array([2**63 - 1, -1, 2**53 + 1, -(2**63), 0])
    unsigned = np.array([2**63, 2**64 - 1, 2**53, 2**63, 0], dtype="uint64")
    narrow = np.array([-1, 1, 2, -128, 0], dtype="int8")
    cases = []
    for name in COMPARISONS:
        for a, b in itertools.permutations((signed, unsigned, narrow), 2):
            if {a.dtype.kind, b.dtype.kind} != {"i", "u"}:
                continue
            exact = getattr(np, name)(a.astype(object), b.astype(object)).astype(bool)
            x, y = gpu.asarray(a), gpu.asarray(b)
            function = getattr(gpu, name)
            cases.append((lambda f=function, x=x, y=y: f(x, y), exact, {}))
    run_and_compare(together, cases)
    assert_same(gpu.asarray(unsigned) > -1, np.ones(5, dtype=bool))
    assert_same(gpu.asarray(narrow) < 300, np.ones(5, dtype=bool))


@pytest.mark.parametrize("dtype", [str(dtype) for dtype in DTYPES])
def test_operations_refuse_what_the_cpu_refuses(dtype, gpu):
    x = gpu.ones(3, dtype=dtype)
    for operation in UNARY + BINARY:
        if not accepts(operation, dtype):
            operands = (x,) if operation in UNARY else (x, x)
            with pytest.raises(TypeError, match=rf"^{operation}: .*{dtype}"):
                getattr(gpu, operation)(*operands)
