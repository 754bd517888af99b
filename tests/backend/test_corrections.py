"""The standard functions, over each native namespace that needs them.

Oracles: the text of the standard itself (its special cases, read from the stubs that come with the
official suite), mpmath, exact rational arithmetic, and plain Python.
"""

import ast
import itertools
import math
import random
import re
from fractions import Fraction
from functools import partial
from pathlib import Path

import mpmath
import numpy as np
import pytest

import corepy
from corepy.backend.corrections import DEPARTURES, STANDARD, corrections_for
from corepy.backend.corrections.parts import accurate_sum, complex_from_parts, two_square, two_sum
from corepy.backend.corrections.special_cases import ROTATED, TABLES, apply_special_cases

inf, nan, pi = math.inf, math.nan, math.pi
REAL = {"complex64": "float32", "complex128": "float64"}


class Namespace:
    """A native namespace, its standard functions, and the way between its arrays and ndarrays."""

    def __init__(self, name):
        self.name = name
        if name == "numpy":
            import array_api_compat.numpy as xp
        else:
            import array_api_strict as xp

            xp.set_array_api_strict_flags(api_version="2025.12")
        self.xp = xp

    def array(self, x):
        return self.xp.asarray(np.asarray(x))

    def call(self, operation, *inputs, **params):
        arrays = [self.array(x) if isinstance(x, np.ndarray) else x for x in inputs]
        params = {k: self.array(x) if isinstance(x, np.ndarray) else x for k, x in params.items()}
        with np.errstate(all="ignore"):
            out = STANDARD[operation](self.xp, *arrays, **params)
        return np.asarray(getattr(out, "_array", out))


@pytest.fixture(scope="module", params=["numpy", "array_api_strict"])
def native(request):
    return Namespace(request.param)


def same(actual, expected):
    """Whether two arrays agree in dtype, shape and every bit, NaN being equal to NaN."""
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return False
    if actual.dtype.kind == "c":
        return same(actual.real, expected.real) and same(actual.imag, expected.imag)
    if actual.dtype.kind != "f":
        return bool(np.all(actual == expected))
    signs = np.signbit(actual) == np.signbit(expected)
    return bool(np.all(((actual == expected) & signs) | (np.isnan(actual) & np.isnan(expected))))


def parts_to_complex(real, imag, dtype):
    z = np.empty(np.shape(real), dtype=dtype)
    z.real, z.imag = real, imag
    return z


# ---- registry


def test_corrections_are_the_standard_functions_that_a_namespace_needs():
    assert set(DEPARTURES) == set(STANDARD)
    for name in ("numpy", "array_api_strict"):
        corrections = corrections_for(name)
        assert "floor_divide" in corrections
        assert all(STANDARD[operation] is function for operation, function in corrections.items())
    assert corrections_for("an unknown namespace") == {}


def test_every_standard_function_is_documented():
    for operation, function in STANDARD.items():
        assert function.__doc__, operation


# ---- complex special cases: the standard's own text

STUBS = (
    Path(__file__).parents[2]
    / "array-api-tests/array-api/src/array_api_stubs/_2025_12/elementwise_functions.py"
)
COMPONENTS = [0.0, 0.5, 1.0, 2.0, 3.0, 1e-3, 100.0, inf]
COMPONENTS = [*COMPONENTS, *(-v for v in COMPONENTS), nan]
SPECIAL = sorted([*TABLES, *ROTATED, "acosh"])
ODD, EVEN = ("asinh", "atanh", "sinh", "tanh"), ("cosh",)
CONDITIONS = {
    "either +0 or -0": lambda v: v == 0,
    "+0": lambda v: v == 0 and math.copysign(1, v) > 0,
    "-0": lambda v: v == 0 and math.copysign(1, v) < 0,
    "NaN": math.isnan,
    "+infinity": lambda v: v == inf,
    "-infinity": lambda v: v == -inf,
    "either +infinity or -infinity": math.isinf,
    "a finite number": math.isfinite,
    "a nonzero finite number": lambda v: math.isfinite(v) and v != 0,
    "a positive finite number": lambda v: math.isfinite(v) and v > 0,
    "a nonzero number": lambda v: v != 0 and not math.isnan(v),
    "not equal to 0": lambda v: v != 0,
    "any value": lambda v: True,
    "1": lambda v: v == 1,
    "-1": lambda v: v == -1,
}
VALUES = {"infinity": inf, "NaN": nan, "π": pi, "π/2": pi / 2, "π/4": pi / 4, "3π/4": 3 * pi / 4}


def condition(text):
    text = re.sub(r" \((i\.e\., greater than ``0``|including ``NaN``)\)", "", text)
    return CONDITIONS[text.replace("`", "").removeprefix(" is").strip()]


def value(text):
    """Return a component of a result of the standard, and whether its sign is given."""
    sign, number = re.fullmatch(r"([+±-]?)(.*)", text).groups()
    number = number.replace("j", "")
    number = VALUES[number] if number in VALUES else float(number)
    return (-number if sign == "-" else number), sign != "±"


def result(text, remark, b):
    """Return ``(real, its sign is given, imag, its sign is given)``."""
    text = text.replace(" ", "")
    if "cis" in text:
        scale = 0.0 if text.startswith("+0") else inf
        real = -1.0 if text == "+0*cis(b)-1.0" else scale * math.cos(b)
        return real, True, (scale * math.sin(b) if b else b), True
    real, imag = re.fullmatch(r"([+±-]?[^+±-]+)([+±-][^+±-]+)", text).groups()
    (real, real_signed), (imag, imag_signed) = value(real), value(imag)
    both = "signs of" in remark
    real_signed &= not (both or re.search("sign of (the )?real", remark))
    imag_signed &= not (both or re.search("sign of (the )?imaginary", remark))
    return real, real_signed, imag, imag_signed


def standard_text():
    if not STUBS.exists():
        pytest.skip("the official suite's submodule is not checked out")
    module = ast.parse(STUBS.read_text(encoding="utf-8"))
    return {f.name: ast.get_docstring(f) for f in module.body if isinstance(f, ast.FunctionDef)}


def rows_of(name):
    text = standard_text()[name]
    text = text[text.index("let ``a = real") :]
    pattern = r"^- If ``a``(.*?) and ``b``(.*?), the result is ``(.*?)``(.*)$"
    for a, b, outcome, remark in re.findall(pattern, text, re.M):
        yield condition(a), condition(b), outcome, remark


def expectations(name):
    """Yield ``a, b, expected`` for every point of the grid that the standard specifies.

    Mirror images count as spoken about: ``f(conj(x)) = conj(f(x))`` for all these functions, and
    odd and even ones are so named by the standard.
    """
    mirrors = [(1, 1, 1, 1), (1, -1, 1, -1)]  # factors of a, b, real and imaginary component
    if name in ODD:
        mirrors += [(-1, -1, -1, -1), (-1, 1, -1, 1)]
    if name in EVEN:
        mirrors += [(-1, -1, 1, 1), (-1, 1, 1, -1)]
    rows = list(rows_of(name))
    assert len(rows) >= 9
    for a, b in itertools.product(COMPONENTS, COMPONENTS):
        if name == "sqrt" and math.isnan(a) and math.isinf(b):
            yield a, b, (inf, True, math.copysign(inf, b), True)  # two rows that disagree
            continue
        for (is_a, is_b, text, remark), (fa, fb, fr, fi) in itertools.product(rows, mirrors):
            if is_a(fa * a) and is_b(fb * b):
                real, real_signed, imag, imag_signed = result(text, remark, fb * b)
                yield a, b, (fr * real, real_signed, fi * imag, imag_signed)


def agrees(actual, expected, sign_is_given, tolerance):
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    if sign_is_given and math.copysign(1, actual) != math.copysign(1, expected):
        return False
    actual, expected = abs(actual), abs(expected)
    return actual == expected or (
        0 < expected < inf and abs(actual - expected) <= tolerance * expected
    )


def with_special_cases(native, name, x):
    """A complex function over a namespace, also where no library needs a correction."""
    if name in STANDARD:
        return native.call(name, x)
    x = native.array(x)
    with np.errstate(all="ignore"):
        out = apply_special_cases(native.xp, name, x, getattr(native.xp, name)(x))
    return np.asarray(getattr(out, "_array", out))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", [name for name in SPECIAL if name not in ("log2", "log10")])
def test_special_cases_are_those_of_the_standards_text(native, name, dtype):
    base = ROTATED.get(name, name)
    points = list(expectations(base))
    a, b = (np.array([p[i] for p in points]) for i in (0, 1))
    if name in ROTATED:  # f(x) = -j g(jx), and cos(x) = cosh(jx): g's argument is (-imag, real)
        x = parts_to_complex(b, -a, dtype)
    else:
        x = parts_to_complex(a, b, dtype)
    out = with_special_cases(native, name, x)
    assert out.dtype == dtype
    tolerance = 1e-13 if dtype == "complex128" else 1e-6
    for z, w, point in zip(x, out, points, strict=True):
        real, real_signed, imag, imag_signed = point[2]
        if name in ROTATED and name != "cos":
            real, real_signed, imag, imag_signed = imag, imag_signed, -real, real_signed
        assert agrees(float(w.real), real, real_signed, tolerance), (z, w, point)
        assert agrees(float(w.imag), imag, imag_signed, tolerance), (z, w, point)
        alone = with_special_cases(native, name, np.asarray(z))
        assert same(alone, np.asarray(w)), (z, alone, w)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", SPECIAL)
def test_special_cases_are_those_of_the_kernels(native, name, dtype):
    # Both are made from one list; the signs that the standard leaves open agree, too.
    a, b = (v.ravel() for v in np.meshgrid(COMPONENTS, COMPONENTS))
    x = parts_to_complex(a, b, dtype)[~(np.isfinite(a) & np.isfinite(b))]
    zeros = native.array(np.zeros_like(x))
    with np.errstate(all="ignore"):
        out = apply_special_cases(native.xp, name, native.array(x), zeros)
    expected = np.asarray(getattr(corepy.array_api, name)(corepy.asarray(x)))
    assert same(np.asarray(getattr(out, "_array", out)), expected)


# ---- accuracy of complex functions

FUNCTIONS = {
    "acosh": mpmath.acosh,
    "expm1": lambda z: mpmath.exp(z) - 1,
    "log1p": lambda z: mpmath.log(1 + z),
    "sign": lambda z: z / abs(z),
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
}


def accuracy_points(dtype, seed, count=400):
    """Points of all magnitudes, near the circle abs(1 + z) = 1, and where exp(a) overflows."""
    rng = random.Random(seed)
    sign = partial(rng.choice, (-1, 1))
    limit = 30 if dtype == "complex64" else 150
    points = []
    for _ in range(count // 5):
        points.append(complex(rng.uniform(-3, 3), rng.uniform(-3, 3)))
        points.append(
            complex(*(sign() * 10 ** rng.uniform(-limit, limit if i else 2) for i in (0, 1)))
        )
        points.append(complex(*(sign() * 10 ** rng.uniform(-12, 0) for _ in (0, 1))))
        b = sign() * 10 ** rng.uniform(-9, 0)
        exact = mpmath.mpf(b)
        a = float(-(exact**2) / (1 + mpmath.sqrt(1 - exact**2)))
        points.append(complex(math.nextafter(a, sign()), b))
        largest = 88.7 if dtype == "complex64" else 709.7
        points.append(complex(largest + rng.uniform(-2, 0.4), sign() * rng.uniform(1e-3, 3)))
    return np.array(points).astype(dtype)


def units(actual, exact, modulus, real_dtype):
    """Return an error in units in the last place of a modulus."""
    spacing = np.spacing(np.asarray(float(modulus), dtype=real_dtype))
    return float(abs(mpmath.mpf(float(actual)) - exact) / mpmath.mpf(float(spacing)))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_accuracy_against_mpmath(native, name, dtype):
    real_dtype = np.dtype(REAL[dtype])
    largest = float(np.finfo(real_dtype).max)
    x = accuracy_points(dtype, seed=7)
    out = native.call(name, x)
    with mpmath.workprec(1200):
        for z, w in zip(x, out, strict=True):
            exact = FUNCTIONS[name](mpmath.mpc(float(z.real), float(z.imag)))
            modulus = abs(exact)
            if modulus > largest:
                continue
            # The real component of expm1 can be arbitrarily smaller than the result.
            by_component = name != "expm1"
            for actual, expected in ((w.real, exact.real), (w.imag, exact.imag)):
                scale = abs(expected) if by_component else modulus
                assert units(actual, expected, scale, real_dtype) <= 6, (z, w, exact)


def test_expm1_and_log1p_of_real_arguments_are_the_native_ones(native):
    x = np.array([-0.5, 1e-20, 3.0, nan, inf])
    for name in ("expm1", "log1p"):
        assert same(native.call(name, x), getattr(np, name)(x))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_sign_of_complex_numbers(native, dtype):
    info = np.finfo(dtype)
    big, tiny = info.max, info.smallest_subnormal
    a = np.array([0.0, -0.0, -0.0, nan, 1.0, big, -tiny, 3.0, -0.0])
    b = np.array([0.0, 0.0, -0.0, 1.0, nan, big, tiny, -4.0, 2.0])
    half = math.sqrt(0.5)
    real = np.array([0.0, 0.0, 0.0, nan, nan, half, -half, 0.6, -0.0])
    imag = np.array([0.0, 0.0, 0.0, nan, nan, half, half, -0.8, 1.0])
    out = native.call("sign", parts_to_complex(a, b, dtype))
    expected = parts_to_complex(real, imag, dtype)
    for actual, wanted in ((out.real, expected.real), (out.imag, expected.imag)):
        np.testing.assert_allclose(actual, wanted, rtol=2 * float(info.eps))
        assert same(np.signbit(actual[~np.isnan(actual)]), np.signbit(wanted[~np.isnan(wanted)]))


# ---- the arithmetic beneath


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_from_parts_keeps_every_bit(native, dtype):
    values = [0.0, 1.5, 1e-30, 1e30, inf]
    values = np.array([*values, *(-v for v in values), nan], dtype=REAL[dtype])
    real, imag = (v.copy() for v in np.meshgrid(values, values))
    for a, b in ((real, imag), (real[0, 0], imag[0, 0]), (real[:0], imag[:0])):
        with np.errstate(all="ignore"):
            out = complex_from_parts(native.xp, native.array(a), native.array(b))
        assert same(np.asarray(getattr(out, "_array", out)), parts_to_complex(a, b, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_error_free_transformations_are_error_free(dtype):
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((2, 500)) * 10.0 ** rng.integers(-8, 8, (2, 500))).astype(dtype)
    s, e = two_sum(a, b)
    p, f = two_square(np, a)
    for i in range(a.size):
        assert Fraction(float(s[i])) + Fraction(float(e[i])) == Fraction(float(a[i])) + Fraction(
            float(b[i])
        )
        assert Fraction(float(p[i])) + Fraction(float(f[i])) == Fraction(float(a[i])) ** 2


def test_accurate_sum_survives_cancellation():
    rng = random.Random(3)
    for _ in range(200):
        terms = [rng.uniform(-1, 1) * 2.0 ** rng.randint(-40, 0) for _ in range(4)]
        terms.append(-math.fsum(terms))
        rng.shuffle(terms)
        exact = math.fsum(terms)
        out = float(accurate_sum([np.array(t) for t in terms]))
        assert abs(out - exact) <= 2 * math.ulp(exact)


# ---- real elementwise functions

OPERANDS = [0.0, 0.5, 1.0, 2.0, 3.0, 7.5, 1e30, inf]
OPERANDS = [*OPERANDS, *(-v for v in OPERANDS), nan]


def floor_divide(x1, x2):
    """Divide as the standard's special cases say, for float64 values."""
    if math.isinf(x1) or math.isinf(x2) or x2 == 0 or math.isnan(x1 + x2):
        with np.errstate(all="ignore"):
            return float(np.float64(x1) / np.float64(x2))
    quotient = math.floor(Fraction(x1) / Fraction(x2))
    return float(quotient) if quotient else math.copysign(0.0, x1 / x2)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floor_divide(native, dtype):
    pairs = np.array(list(itertools.product(OPERANDS, OPERANDS)), dtype=dtype)
    expected = np.array([floor_divide(float(a), float(b)) for a, b in pairs]).astype(dtype)
    actual = native.call("floor_divide", pairs[:, 0].copy(), pairs[:, 1].copy())
    close = np.isclose(actual, expected, rtol=4e-7 if dtype == "float32" else 1e-15, atol=0)
    assert np.all(close | (np.isnan(actual) & np.isnan(expected)))
    finite = ~np.isnan(expected)
    assert same(np.signbit(actual[finite]), np.signbit(expected[finite]))


def test_floor_divide_of_integers_is_pythons(native):
    x1, x2 = np.array([7, -7, 7, -7, 0]), np.array([2, 2, -2, -2, 5])
    assert same(native.call("floor_divide", x1, x2), np.array([3, -4, -4, 3, 0]))


@pytest.mark.parametrize("exponent", [np.array(0.5), np.array([0.5, 0.5, 0.5, 0.5])])
def test_pow_by_one_half_is_not_a_square_root(native, exponent):
    x = np.array([-0.0, -inf, 4.0, -1.0])
    assert same(native.call("pow", x, exponent), np.array([0.0, inf, 2.0, nan]))
    assert same(native.call("pow", np.array(-inf), np.array(0.5)), np.array(inf))


@pytest.mark.parametrize("name", ["ceil", "floor", "trunc"])
def test_rounding_leaves_integers_alone(native, name):
    for dtype in ("int8", "uint64"):
        x = np.array([0, 1, 127], dtype=dtype)
        assert same(native.call(name, x), x)
    x = np.array([-0.0, 1.5, -1.5, inf, nan], dtype="float32")
    assert same(native.call(name, x), getattr(np, name)(x))
    x = corepy.asarray([1, 2], device="reference")
    getattr(corepy, name)(x)[0] = 5
    assert x.tolist() == [1, 2]


INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64"])
def test_clip(native, dtype):
    x = np.array([0, 5, 10, 20], dtype=dtype)
    clip = partial(native.call, "clip")
    assert same(clip(x, 3, 12), np.array([3, 5, 10, 12], dtype=dtype))
    assert same(clip(x, max=12), np.array([0, 5, 10, 12], dtype=dtype))
    assert same(clip(x), x)
    low, high = np.array([[1], [6]], dtype=dtype), np.array(12, dtype=dtype)
    assert same(clip(x, low, high), np.array([[1, 5, 10, 12], [6, 6, 10, 12]], dtype=dtype))
    assert same(clip(x, 8, 3), np.full(4, 3, dtype=dtype))
    assert same(clip(x[:0], 1, 2), x[:0])
    if dtype in INTEGERS:
        assert same(clip(x, -(2**70), 2**70), x)
        assert same(clip(x, 4.5, inf), np.array([5, 5, 10, 20], dtype=dtype))
        with pytest.raises(ValueError, match="clip: "):
            clip(x, nan, 3)


def test_clip_does_not_write_to_its_bounds(native):
    low = np.array([-1000, 3])
    kept = low.copy()
    x = np.array([-5, 1], dtype="int8")
    assert same(native.call("clip", x, low), np.array([-5, 3], dtype="int8"))
    assert same(low, kept)


def test_clip_propagates_nan(native):
    x = np.array([nan, 1.0, 5.0])
    assert same(native.call("clip", x, 0.0, 2.0), np.array([nan, 1.0, 2.0]))
    assert np.all(np.isnan(native.call("clip", x, nan)))
    assert np.all(np.isnan(native.call("clip", x, 0.0, np.full(3, nan))))


# ---- sorting, searching, sets, manipulation


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [0, -1])
def test_sort_is_stable(native, descending, axis):
    rng = np.random.default_rng(1)
    x = rng.choice([0.0, -0.0, 1.0, -1.0, 2.0], size=(40, 30))
    order = np.argsort(-x if descending else x, axis=axis, kind="stable")
    actual = native.call("sort", x, axis=axis, descending=descending)
    assert same(actual, np.take_along_axis(x, order, axis=axis))


def test_sort_agrees_with_argsort_about_nan(native):
    x = np.array([nan, 1.0, nan, -inf, 3.0, inf])
    for descending in (False, True):
        order = native.xp.argsort(native.array(x), descending=descending)
        actual = native.call("sort", x, descending=descending)
        assert same(actual, x[np.asarray(getattr(order, "_array", order))])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_isin(native, dtype):
    x = np.array([[2, 0], [1, 1]], dtype=dtype)
    values = np.array([1, 2, 3], dtype=dtype)
    expected = np.array([[True, False], [True, True]])
    assert same(native.call("isin", x, values), expected)
    assert same(native.call("isin", x, values, invert=True), ~expected)
    for scalar in (1, -1, 1000, 2**70):
        assert same(native.call("isin", x, scalar), np.array(x.tolist()) == scalar)
        assert same(native.call("isin", scalar, x), np.array(scalar in x.ravel().tolist()))
    assert same(native.call("isin", -1, x, invert=True), np.array(-1 not in x))


def test_isin_compares_large_integers_exactly(native):
    x = np.array([2**53, 2**53 + 1, 2**63 + 1], dtype="uint64")
    assert same(native.call("isin", x, 2**53), np.array([True, False, False]))


def test_isin_of_other_dtypes_compares_by_value(native):
    x = np.array([1.0, nan, -0.0, 5.0])
    assert same(
        native.call("isin", x, np.array([[0.0, nan], [1.0, 1.0]])),
        np.array([True, False, True, False]),
    )
    z = np.array([1 + 2j, 1 - 2j])
    assert same(native.call("isin", z, z[:1]), np.array([True, False]))


def test_searchsorted(native):
    x = np.array([0.1, 0.5], dtype="float32")
    assert same(native.call("searchsorted", x, 0.1), np.array(0))
    assert same(native.call("searchsorted", x, 0.1, side="right"), np.array(1))
    x = np.array([3.0, 1.0, 2.0])
    for dtype in INTEGERS:
        sorter = np.array([1, 2, 0], dtype=dtype)
        out = native.call("searchsorted", x, np.array([[0.0, 2.5], [2.0, 9.0]]), sorter=sorter)
        assert same(out, np.array([[0, 2], [1, 3]]))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_repeat(native, dtype):
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    repeats = np.array([2, 0], dtype=dtype)
    assert same(native.call("repeat", x, repeats, axis=0), x[[0, 0]])
    assert same(native.call("repeat", x, 2), np.repeat(x, 2))
    assert same(native.call("repeat", x, np.array(2, dtype=dtype), axis=1), np.repeat(x, 2, 1))


# ---- linalg


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_matrix_rank(native, dtype):
    rank = partial(native.call, "linalg.matrix_rank")
    x = np.stack([np.eye(4), np.diag([1, 1e-2, 0, 0])]).astype(dtype)
    assert same(rank(x), np.array([4, 2]))
    assert same(rank(x, rtol=0.1), np.array([4, 1]))
    rtol = np.array([2.0, 1e-3], dtype=REAL.get(dtype, dtype))
    assert same(rank(x, rtol=rtol), np.array([0, 2]))
    assert same(rank(np.zeros((3, 3), dtype=dtype)), np.array(0))
    for shape in ((0, 0), (3, 0), (0, 3), (2, 0, 3), (0, 2, 3)):
        assert same(rank(np.empty(shape, dtype=dtype)), np.zeros(shape[:-2], dtype="int64"))
    with pytest.raises(ValueError, match=r"^linalg\.matrix_rank: "):
        rank(x[0, 0])


def test_cross_wants_three_components(native):
    cross = partial(native.call, "linalg.cross")
    x = np.arange(12.0).reshape(4, 3)
    y = np.array([1.0, 2.0, 4.0])
    assert same(cross(x, y), np.cross(x, y))
    assert same(cross(x.T.copy(), x.T.copy() + 1, axis=0), np.cross(x.T, x.T + 1, axis=0))
    for bad in (x[:, :2].copy(), x[:, :1].copy()):
        with pytest.raises(ValueError, match=r"^linalg\.cross: "):
            cross(x, bad)
        with pytest.raises(ValueError, match=r"^linalg\.cross: "):
            cross(bad, x)
    with pytest.raises(IndexError, match=r"^linalg\.cross: "):
        cross(x.T.copy(), y, axis=-2)
