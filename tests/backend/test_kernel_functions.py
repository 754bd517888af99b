"""Elementary functions of kernels, on devices of OpenCL and WebGPU, against NumPy and mpmath."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from kernel_languages import AVAILABLE, skip_without

import corepy
from corepy.backend.kernels.dialects import Buffer
from corepy.backend.kernels.functions import sources

skip_without()

UNARY = """exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh
atanh sqrt reciprocal round floor ceil trunc gelu gelu_tanh sigmoid silu spacing""".split()
BINARY = """divide pow atan2 hypot logaddexp remainder floor_divide copysign nextafter maximum
minimum fmax fmin heaviside ldexp round_fractions round_multiples""".split()
EXACT = """sqrt reciprocal divide round floor ceil trunc spacing remainder floor_divide
copysign nextafter maximum minimum fmax fmin heaviside ldexp round_fractions
round_multiples""".split()

SPECIAL = [0, 0.5, 1, 1.5, 2, 2.5, 3, math.pi, 88.72284, 103.97, 1e-45, 1e-38, 2**-126, 1e-20, 1e30]
SPECIAL += [0.99999994, 1.0000001, 2**23 - 0.5, 2**23 + 1, 2**24 + 2, 3.4028235e38]
SPECIAL += [math.inf, math.nan]


@pytest.fixture(scope="module", params=AVAILABLE)
def runtime(request):
    """The first device of a backend."""
    device = corepy.device(f"{request.param}:0")
    return device.backend.launcher(device).runtime


def compute(runtime, function, *arguments):
    """Return a function's values on a device."""
    dialect, dtype, n = runtime.dialect, str(arguments[0].dtype), arguments[0].size
    buffers = [Buffer(f"x{k}", dtype) for k in range(len(arguments))] + [Buffer("out", dtype, True)]
    values = ", ".join(dialect.load(f"x{k}", dtype, "item") for k in range(len(arguments)))
    store = dialect.store("out", dtype, "item", f"{function}({values})")
    held = [runtime.allocate(n * arguments[0].itemsize) for _ in buffers]
    for buffer, argument in zip(held, arguments, strict=False):
        runtime.write(buffer, argument)
    body = f"if (item < p[0]) {{ {store} }}"
    source = lambda: dialect.kernel(buffers, 1, body, sources([function]))
    runtime.launch(("test", function), source, n, [(buffer, 0) for buffer in held], [n])
    return runtime.read(held[-1], 0, n * arguments[0].itemsize).view(dtype)


def points(rng, n):
    """Return numbers of all sizes, among them all special ones, and many usual ones."""
    usual = [
        rng.normal(size=n),
        rng.uniform(-110, 110, n),
        np.exp(rng.uniform(-20, 20, n)) * rng.choice([-1, 1], n),
        1 + rng.normal(size=n) * rng.choice([1e-3, 0.3], n),
    ]
    bits = rng.integers(0, 2**32, n, dtype=np.uint32).view(np.float32)
    special = np.array(SPECIAL, np.float32)
    return np.concatenate([*(each.astype(np.float32) for each in usual), bits, special, -special])


def pairs(rng, n, name):
    x, y = points(rng, n), rng.permutation(points(rng, n))
    special = np.array(SPECIAL + [-each for each in SPECIAL], np.float32)
    x = np.concatenate([x, np.repeat(special, special.size)])
    y = np.concatenate([y, np.tile(special, special.size)])
    if name == "pow":  # finite powers are rare among these
        base = np.exp(rng.normal(size=n) * rng.choice([0.01, 0.3, 10], n)).astype(np.float32)
        power = rng.uniform(-100, 88, n) / np.log(base.astype(float))
        x, y = np.concatenate([x, base]), np.concatenate([y, power.astype(np.float32)])
    return x, y


# ---- references, of float64 for float32 and of the dtype for float64

C1, C3 = 2 * math.sqrt(2 / math.pi), 2 * math.sqrt(2 / math.pi) * 0.044715
distribution = np.frompyfunc(lambda x: math.erfc(-x * math.sqrt(0.5)) / 2, 1, 1)


def logistic(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def product(x, factor):
    return np.where(np.isinf(x), np.where(x > 0, x, -0.0), x * factor)


def ldexp(x, y):
    n = np.where(np.isnan(y), 0, np.clip(y, -5000, 5000)).astype(int)
    return np.where(np.isnan(y), y, np.ldexp(x, n))


def floor_divide(x, y):
    """Return quotients rounded down, exactly."""
    out = np.floor(x / y)
    for k in np.flatnonzero(np.isfinite(x) & np.isfinite(out) & np.isfinite(y) & (x != 0)):
        quotient = Fraction(x[k]) // Fraction(y[k])
        out[k] = quotient or out[k]
    return out


REFERENCES = {
    "floor_divide": floor_divide,
    "gelu": lambda x: product(x, distribution(x).astype(float)),
    "gelu_tanh": lambda x: product(x, logistic(x * (C1 + C3 * x * x))),
    "sigmoid": logistic,
    "silu": lambda x: product(x, logistic(x)),
    "round": np.rint,
    "ldexp": ldexp,
    "round_fractions": lambda x, y: np.rint(x * y) / y,
    "round_multiples": lambda x, y: np.rint(x / y) * y,
}
#: Of numbers of the dtype itself.
SAME_DTYPE = "spacing nextafter remainder round_fractions round_multiples".split()


#: By mpmath, for float64.
PRECISE = {
    "gelu": lambda x: x * mpmath.ncdf(x),
    "gelu_tanh": lambda x: (
        x / (1 + mpmath.exp(-mpmath.sqrt(8 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)))
    ),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
}


@np.errstate(all="ignore")
def expected(name, *arguments):
    function = REFERENCES.get(name) or getattr(np, name)
    if name not in SAME_DTYPE:
        arguments = [each.astype(float) for each in arguments]
    return np.asarray(function(*arguments), float)


def errors(got, reference):
    """Return errors in units of the last place of float32 or float64; signs of zeros count."""
    rounded = reference.astype(got.dtype)
    most = np.ldexp(got.dtype.type(1), np.finfo(got.dtype).maxexp - 1)
    unit = np.spacing(np.minimum(np.abs(rounded), most))
    error = np.abs(got.astype(float) - reference) / unit
    alike = (got == rounded) & ((got != 0) | (np.signbit(got) == np.signbit(rounded)))
    alike |= np.isnan(got) & np.isnan(rounded)
    apart = ~alike & ~(np.isfinite(got) & np.isfinite(rounded))
    zeros = ~alike & (reference == 0)
    error[apart | zeros] = np.inf
    error[alike & ~(np.isfinite(rounded) & (rounded != 0))] = 0
    return error


@np.errstate(all="ignore")
def check(name, got, arguments, reference, bound):
    error = errors(got, reference)
    if name in ("maximum", "minimum", "fmax", "fmin"):  # of +0 and -0 either
        error[(got == 0) & (reference == 0)] = 0
    if name == "floor_divide":  # beyond 2^24 it is the quotient rounded
        error[(np.abs(reference) >= 2**24) & (error <= 1.0001)] = 0
    if name == "logaddexp":
        # Two powers whose sum is about 1: units of 0.5 in place of those of the logarithm near 0.
        unit = np.spacing(np.maximum(np.abs(reference), 0.5).astype(got.dtype))
        falls = np.isfinite(reference) & (np.maximum(*arguments) < 0)
        error[falls] = (np.abs(got - reference) / unit)[falls]
    worst = int(np.argmax(error))
    given = ", ".join(repr(float(each[worst])) for each in arguments)
    assert error[worst] <= bound, (
        f"{name}({given}) is {float(got[worst])!r}, expected {float(reference[worst])!r}: "
        f"{error[worst]:.3f} units in the last place, at most {bound} are allowed "
        f"({np.count_nonzero(error > bound)} of {error.size} numbers)"
    )


def arguments_of(name, n):
    rng = np.random.default_rng(sum(map(ord, name)))
    return pairs(rng, n, name) if name in BINARY else (points(rng, n),)


@pytest.mark.parametrize("name", UNARY + BINARY)
def test_float32(runtime, name):
    arguments = arguments_of(name, 20_000)
    got = compute(runtime, f"{name}_f32", *arguments)
    check(name, got, arguments, expected(name, *arguments), 0.5001 if name in EXACT else 2)


@pytest.mark.parametrize("name", UNARY + BINARY)
@np.errstate(all="ignore")
def test_float64(runtime, name):
    if "float64" not in runtime.native:
        pytest.skip("the device has no float64")
    arguments = [each.astype(float) for each in arguments_of(name, 500)]
    got = compute(runtime, f"{name}_f64", *arguments)
    reference = expected(name, *arguments)
    if name in PRECISE:
        (x,) = arguments
        finite = np.abs(x) < 1000
        with mpmath.workdps(40):
            values = [float(PRECISE[name](mpmath.mpf(each))) for each in x[finite].tolist()]
        reference[finite] = np.copysign(values, x[finite])
    normal = ~(np.abs(reference) < np.finfo(float).tiny) | (reference == 0)
    check(name, got[normal], [each[normal] for each in arguments], reference[normal], 4)


def test_sources():
    text = sources(["sin_f32", "cos_f32", "exp_f64"])
    assert text.count("fn high_product(") == text.count("fn sin_f32(") == 1
    assert text.index("fn high_product(") < text.index("fn sin_f32(")
    assert "f64 exp_f64(f64 x)" in text and "log_f32" not in text
    assert sources(["divide_f32"], rounded=True).count("fn ") == 1
