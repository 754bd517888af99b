"""Elementary functions of complex numbers: accuracy, and the standard's special cases.

The accuracy of components is measured against mpmath at the points of tests/accuracy. Special cases
are compared with the CPU's, which tests/oracle holds against the standard and C.
"""

import itertools

import mpmath
import numpy as np
import pytest
from accuracy.complex_functions import DTYPES, FUNCTIONS, complex_reference
from accuracy.points import nearest_to_multiples, random_bits
from agreement import to_numpy

#: mpmath takes most of the time.
POINTS = 240
UNARY = sorted(name for name, f in FUNCTIONS.items() if f.operands == 1)
#: What is computed in the own dtype.
PLAIN = ("abs", "reciprocal", "sign")


def on_gpu(gpu, name, *arrays):
    return to_numpy(getattr(gpu, name)(*map(gpu.asarray, arrays)))


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


@pytest.fixture(scope="module", autouse=True)
def _compiled(gpu, gathering):
    """All kernels are compiled in one go."""
    with gathering():
        for dtype in DTYPES.values():
            x = gpu.asarray(np.ones(2, dtype))
            for name in (*UNARY, *PLAIN):
                getattr(gpu, name)(x)
            for name in ("divide", "pow"):
                getattr(gpu, name)(x, x)


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


def random_complex(dtype, seed):
    rng = np.random.default_rng(seed)
    real = np.finfo(dtype).dtype.type
    z = complex_of(random_bits(rng, real, 3000), random_bits(rng, real, 3000), dtype)
    with np.errstate(all="ignore"):
        z.imag[::2] = z.real[::2] * rng.uniform(-2, 2, 1500)
    z[:1000] = rng.normal(size=(1000, 2)).view(np.complex128)[..., 0]
    return z


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_any_operands(agree, dtype):
    z = random_complex(dtype, 7)
    agree("abs", z, ulp=2)
    agree("sign", z, ulp=2)
    agree("divide", z, random_complex(dtype, 8))
    agree("reciprocal", z)


# ---- special cases: tests/oracle compares the CPU's with the standard


@pytest.mark.parametrize("dtype", DTYPES.values())
@pytest.mark.parametrize("name", [*UNARY, *PLAIN])
def test_special_values(agree, name, dtype):
    z = grid(dtype, special_parts(dtype))
    agree(name, z, ulp=2)


@pytest.mark.parametrize("dtype", DTYPES.values())
def test_special_operands(agree, dtype):
    parts = [0.0, -0.0, 0.5, 1.0, -2.0, 3.0, np.inf, -np.inf, np.nan]
    x, y = (v.ravel() for v in np.meshgrid(*[grid(dtype, parts)] * 2))
    agree("pow", x, y, ulp=8, modulus=True, signs=False)
    x, y = (v.ravel() for v in np.meshgrid(*[grid(dtype, special_parts(dtype))] * 2))
    agree("divide", x, y)


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
def test_views(agree, dtype):
    z = random_complex(dtype, 11)[:42].reshape(6, 7)
    for view in (
        lambda x: x.T, lambda x: x[::-1, ::2], lambda x: x[:, 3], lambda x: x[2:2],
        lambda x: x[0, 0],
    ):  # fmt: skip
        agree("exp", z, view=view, ulp=2)
    agree(lambda xp, x: x / x[:, :1], z)
