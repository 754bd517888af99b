"""Elementary functions of complex numbers: accuracy, and the standard's special cases.

The accuracy of components is measured against mpmath at the points of tests/accuracy. Special cases
are compared with the CPU's, which tests/oracle holds against the standard and C.
"""

import itertools
import re
from pathlib import Path

import mpmath
import numpy as np
import pytest
from accuracy.complex_functions import DTYPES, FUNCTIONS, complex_reference
from accuracy.points import nearest_to_multiples, random_bits
from oracle.test_elementary_oracle import STANDARD_ROWS, assert_same_complex

import corepy
import corepy.array_api as xp

KERNELS = Path(corepy.__file__).parent
#: mpmath takes most of the time.
POINTS = 240
UNARY = sorted(name for name, f in FUNCTIONS.items() if f.operands == 1)
#: What is computed in the own dtype.
PLAIN = ("abs", "reciprocal", "sign")


def on_gpu(gpu, name, *arrays):
    result = getattr(gpu, name)(*(gpu.asarray(a) for a in arrays))
    return np.asarray(result.to_device("cpu"))


def on_cpu(name, *arrays):
    return np.asarray(getattr(xp, name)(*(corepy.Tensor(a) for a in arrays)))


def components(z):
    return z.view(np.finfo(z.dtype).dtype)


def complex_of(real, imag, dtype):
    z = np.empty(np.shape(real), dtype)
    with np.errstate(over="ignore"):
        z.real, z.imag = real, imag
    return z


def grid(dtype, parts):
    """Every number of those parts."""
    return np.array([complex(a, b) for a, b in itertools.product(parts, parts)]).astype(dtype)


def special_parts(dtype):
    info = np.finfo(dtype)
    values = (0.0, 0.5, 1.0, 2.0, 3.0, 700.0, float(info.max), float(info.tiny), np.inf)
    small = float(info.smallest_subnormal)
    return [*values, small, *(-v for v in values), -small, np.nan, -np.nan]


def assert_agree(actual, expected, units, arguments, *, by_modulus=False):
    """The same infinities, NaNs and signs of zeros; numbers within `units` in the last place.

    Of the component, or of the modulus: then what is next to 0 beside it may be 0.
    """
    a, e = components(actual), components(expected)
    size = np.repeat(np.abs(expected), 2) if by_modulus else np.abs(e)
    with np.errstate(all="ignore"):
        same = (np.isnan(a) & np.isnan(e)) | ((a == e) & (np.signbit(a) == np.signbit(e)))
        near = np.isfinite(a) & np.isfinite(e) & (np.abs(a - e) <= units * np.spacing(size))
    wrong = np.flatnonzero(~(same | near))
    if wrong.size:
        i = int(wrong[0]) * actual.size // a.size
        given = [argument[i] for argument in arguments]
        raise AssertionError(f"{given}: {actual[i]}, not {expected[i]} ({wrong.size} components)")


@pytest.fixture(scope="module", autouse=True)
def _compiled(gpu, together):
    """All kernels are compiled in one go."""
    arrays = [gpu.asarray(np.ones(2, dtype)) for dtype in DTYPES.values()]
    calls = [(name, (x,)) for name in (*UNARY, *PLAIN) for x in arrays]
    calls += [(name, (x, x)) for name in ("divide", "pow") for x in arrays]
    together([lambda call=call: getattr(gpu, call[0])(*call[1]) for call in calls])


# ---- accuracy


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_components_are_within_the_bar(gpu, name, dtype):
    reference = complex_reference(name, DTYPES[dtype], POINTS)
    worst = reference.worst(on_gpu(gpu, name, *reference.arguments))
    # complex64 is computed in float64, and rounded once more.
    bar = 0.51 if dtype == "complex64" else FUNCTIONS[name].bar
    assert worst.error <= bar, f"{name}{worst.arguments}: {worst.error} ULP"


@pytest.mark.parametrize("name", ["cos", "exp", "sin", "sinh", "tan", "tanh"])
def test_arguments_next_to_multiples_of_a_right_angle(gpu, name):
    rng = np.random.default_rng(5)
    angle = rng.choice(nearest_to_multiples(np.float64), 200, replace=False)
    growth = rng.uniform(-2, 2, 200)
    turned = FUNCTIONS[name].turned
    z = complex_of(*((angle, growth) if turned else (growth, angle)), np.complex128)
    got = on_gpu(gpu, name, z)
    with mpmath.workprec(1400):
        for v, value in zip(z.tolist(), got.tolist(), strict=True):
            exact = FUNCTIONS[name].exact(mpmath.mpc(v))
            for part, expected in ((value.real, exact.real), (value.imag, exact.imag)):
                error = abs(part - expected) / np.spacing(abs(float(expected)))
                assert error <= 1.5, f"{name}({v}): {value}"


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_magnitudes(gpu, dtype):
    rng = np.random.default_rng(7)
    real = np.finfo(dtype).dtype.type
    a, b = (random_bits(rng, real, 3000) for _ in range(2))
    z = complex_of(a, np.where(rng.random(3000) < 0.5, b, a * rng.uniform(-2, 2, 3000)), dtype)
    got, wide = on_gpu(gpu, "abs", z), z.astype(np.clongdouble)
    with np.errstate(all="ignore"):
        exact = np.hypot(wide.real, wide.imag)
        largest = np.ldexp(np.longdouble(1), np.finfo(real).maxexp)
        error = np.minimum(got, largest) - np.minimum(exact, largest)
        units = np.abs(error) / np.spacing(exact.astype(real))
    finite = exact <= np.finfo(real).max
    assert units[finite].max() <= 1.0
    assert np.isinf(got[exact > largest]).all()


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_directions(gpu, dtype):
    rng = np.random.default_rng(8)
    real = np.finfo(dtype).dtype.type
    z = complex_of(random_bits(rng, real, 3000), random_bits(rng, real, 3000), dtype)
    assert_agree(on_gpu(gpu, "sign", z), on_cpu("sign", z), 2, [z])


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_quotients_are_those_of_the_cpu(gpu, dtype):
    rng = np.random.default_rng(9)
    real = np.finfo(dtype).dtype.type
    parts = [random_bits(rng, real, 3000) for _ in range(4)]
    x, y = (complex_of(a, b, dtype) for a, b in (parts[:2], parts[2:]))
    x[:1000], y[:1000] = (rng.normal(size=(2, 1000, 2)).view(np.complex128)[..., 0]).astype(dtype)
    assert_agree(on_gpu(gpu, "divide", x, y), on_cpu("divide", x, y), 0, [x, y])
    assert_agree(on_gpu(gpu, "reciprocal", x), on_cpu("reciprocal", x), 0, [x])


# ---- special cases


@pytest.mark.parametrize("dtype", DTYPES.values())
@pytest.mark.parametrize("name", [*UNARY, *PLAIN])
def test_special_values(gpu, name, dtype):
    z = grid(dtype, special_parts(dtype))
    assert_agree(on_gpu(gpu, name, z), on_cpu(name, z), 2, [z])


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_rows_of_the_standard(gpu, dtype):
    for name, v, real, imag in STANDARD_ROWS:
        one, conjugate = on_gpu(gpu, name, np.array([v, v.conjugate()], dtype)).tolist()
        assert_same_complex(name, v, one, real, imag)
        mirrored = imag if isinstance(imag, tuple) else -imag
        assert_same_complex(name, v.conjugate(), conjugate, real, mirrored)


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_special_operands(gpu, dtype):
    parts = [0.0, -0.0, 0.5, 1.0, -2.0, 3.0, np.inf, -np.inf, np.nan]
    x, y = (v.ravel() for v in np.meshgrid(*[grid(dtype, parts)] * 2))
    assert_agree(on_gpu(gpu, "pow", x, y), on_cpu("pow", x, y), 8, [x, y], by_modulus=True)
    x, y = (v.ravel() for v in np.meshgrid(*[grid(dtype, special_parts(dtype))] * 2))
    assert_agree(on_gpu(gpu, "divide", x, y), on_cpu("divide", x, y), 0, [x, y])


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_small_whole_powers_of_gaussian_integers_are_exact(gpu, dtype):
    z = grid(dtype, np.arange(-4.0, 5.0))
    z = z[z != 0]
    for n in (1, 2, 3, 5, 8):
        expected = np.array([np.prod([complex(v)] * n) for v in z], dtype)
        assert (on_gpu(gpu, "pow", z, np.full(z.shape, n, dtype)) == expected).all()
    halves = on_gpu(gpu, "pow", np.array([1 + 1j, 2j, -2], dtype), np.array([-2, -1, -3], dtype))
    assert halves.tolist() == [-0.5j, -0.5j, -0.125]


# ---- layouts, and the tables


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_views(gpu, dtype):
    rng = np.random.default_rng(11)
    z = (rng.normal(size=(6, 7)) + 1j * rng.normal(size=(6, 7))).astype(dtype)
    views = [
        lambda x: x.T,
        lambda x: x[::-1, ::2],
        lambda x: x[:, 3],
        lambda x: x[2:2],
        lambda x: x[0, 0],
    ]
    for view in views:
        got = np.asarray(gpu.exp(view(gpu.asarray(z))).to_device("cpu"))
        expected = on_gpu(gpu, "exp", np.array(view(z)))
        assert got.shape == expected.shape and (got == expected).all()
    column = gpu.asarray(z)[:, :1]
    got = np.asarray(gpu.divide(gpu.asarray(z), column).to_device("cpu"))
    assert (got == on_cpu("divide", z, z[:, :1].copy())).all()


def test_tables_are_those_of_the_cpu():
    """They are derived once, by tools/coefficients.py and tools/trig_coefficients.py."""
    number = re.compile(r"-?0x[0-9a-f]\.[0-9a-f]{13}p[-+]\d+|-?\d\.\d{12,}(?:e-\d+)?")
    there = set()
    for path in (KERNELS / "_cython/kernels/simd/math").glob("*.hpp"):
        there.update(number.findall(path.read_text()))
    for path in (KERNELS / "_gpu/kernels").glob("complex*.cuh"):
        for literal in number.findall(path.read_text()):
            assert literal in there, f"{path.name}: {literal}"
