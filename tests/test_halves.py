"""float16 and bfloat16: computed in float32, rounded once.

COREPY_HALVES_PAIRS is the number of pairs of each function of two arguments.
"""

import itertools
import os
import pickle

import numpy as np
import pytest
from running import output_of
from strategies import BEYOND, CATEGORIES, DTYPES, HALVES, read_operations

import corepy
import corepy.array_api as xp
from corepy import nn
from corepy._cython.core import kind_of, simd_in_use

PAIRS = int(os.environ.get("COREPY_HALVES_PAIRS", "100000"))
ALL = [*DTYPES, *HALVES]
DEVICES = [str(d) for d in corepy.available_devices()]
# Bits of the significand, and the exponent of the smallest normal number.
FORMATS = {"float16": (11, -14), "bfloat16": (8, -126)}
NAMES = {"reciprocal": lambda x: 1 / x, "spacing": None, "nextafter": None}


def table(work):
    """Names of the operations of one kind that take floating-point numbers."""
    rows = [*read_operations(), *read_operations(standard=False)]
    return [
        name for name, kind, category, _ in rows if kind == work and "f" in CATEGORIES[category]
    ]


def function(name):
    return getattr(xp, name, None) or getattr(BEYOND, name)


def all_values(dtype):
    return np.arange(2**16, dtype=np.uint16).view(dtype)


def bits(x):
    """The elements as integers, in which all NaN are alike."""
    x = np.array(x)
    if kind_of(x) == "f":
        x[np.isnan(x)] = np.nan
    return x.view(f"u{x.itemsize}") if x.dtype.kind != "c" else x


def assert_rounded(found, wide, dtype):
    """Assert that results are those of float32, rounded."""
    found, wide = np.asarray(found), np.asarray(wide)
    if wide.dtype == np.float32:
        wide = wide.astype(dtype)
    assert found.dtype == wide.dtype
    np.testing.assert_array_equal(bits(found), bits(wide))


def assert_within(found, exact, dtype, units=0.51):
    """Assert that results are within a part of a unit in the last place of exact ones."""
    digits, least = FORMATS[dtype.name]
    same = bits(found) == bits(exact.astype(dtype))
    found = np.asarray(found).astype(np.float64)
    exponents = np.maximum(np.frexp(np.where(np.isfinite(exact), exact, 1.0))[1] - 1, least)
    error = abs(found - exact) / 2.0 ** (exponents - digits + 1)
    assert np.all(same | (error <= units)), np.nanmax(np.where(same, 0, error))


@pytest.fixture(params=HALVES, ids=str)
def dtype(request):
    return request.param


# ---- elementwise


@pytest.mark.parametrize("name", table("unary"))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_value(name, dtype):
    x = all_values(dtype)
    found = function(name)(xp.asarray(x))
    numpy_function = getattr(np, name, None)
    if name == "spacing":
        expected = np.abs(np.nextafter(abs(x), np.asarray(np.inf, dtype)) - abs(x))
        expected = np.where(np.isfinite(x), np.where(x < 0, -expected, expected), np.nan)
        expected = expected.astype(dtype)
        np.testing.assert_array_equal(bits(found), bits(expected))
    elif numpy_function is None:  # the loops of float32 have tests of their own
        assert_rounded(found, function(name)(xp.asarray(x.astype(np.float32))), dtype)
    else:
        exact = numpy_function(x.astype(np.float64))
        if exact.dtype == np.float64:
            assert found.dtype == dtype
            assert_within(found, exact, dtype)
        else:
            np.testing.assert_array_equal(np.asarray(found), exact)


@pytest.mark.parametrize("name", table("binary"))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_pairs(name, dtype):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 2**16, (2, PAIRS), dtype=np.uint16).view(dtype)
    moderate = rng.standard_normal((2, PAIRS)).astype(dtype) * np.asarray(4, dtype)
    x, y = np.concat([x, moderate[0]]), np.concat([y, moderate[1]])
    for each in (x, y):
        each[np.isnan(each)] = np.nan  # quiet ones: of others C libraries say other things
    found = function(name)(xp.asarray(x), xp.asarray(y))
    if name == "nextafter":
        np.testing.assert_array_equal(bits(found), bits(np.nextafter(x, y)))
        return
    wide = function(name)(xp.asarray(x.astype(np.float32)), xp.asarray(y.astype(np.float32)))
    assert_rounded(found, wide, dtype)
    if hasattr(np, name) and name != "ldexp":  # whose exponents are integers in NumPy
        exact = getattr(np, name)(x.astype(np.float64), y.astype(np.float64))
        if exact.dtype == np.float64 and name not in ("floor_divide", "remainder"):
            assert_within(found, exact, dtype)


def on_devices(name, dtype, device):
    """The results of an operation on a device and on the CPU."""
    rng = np.random.default_rng(8)
    x, y = (rng.standard_normal((2, 60, 70)) * 3).astype(dtype)
    x.flat[:7] = [0, -0.0, np.inf, -np.inf, np.nan, 1, 7e4]
    arrays = (x, y) if name in table("binary") else (x,)
    if name in table("reduce"):
        arrays = (x[1:],)
    expected = function(name)(*map(xp.asarray, arrays))
    found = function(name)(*(xp.asarray(a, device=device, copy=True) for a in arrays))
    return found, expected


def devices_agree(name, dtype, device):
    """Assert that an operation has the same results on a device as on the CPU."""
    found, expected = on_devices(name, dtype, device)
    assert found.dtype == expected.dtype
    found, expected = (np.asarray(t.to_device("cpu")).astype("f8") for t in (found, expected))
    if name in ("nextafter", "spacing"):
        np.testing.assert_array_equal(found, expected)
    else:
        rtol = 2 * float(xp.finfo(dtype).eps)
        np.testing.assert_allclose(found, expected, rtol, float(xp.finfo(dtype).smallest_subnormal))


@pytest.mark.parametrize("device", DEVICES[1:])
@pytest.mark.parametrize("name", [*table("unary"), *table("binary"), *table("reduce")])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_devices_agree(name, dtype, device):
    devices_agree(name, dtype, device)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("other", ALL, ids=str)
def test_casts(dtype, other):
    x = all_values(dtype)
    if kind_of(other) in "iu":
        x = np.where(abs(x.astype(np.float64)) < 100, abs(x), 0).astype(dtype)
    with np.errstate(all="ignore"):
        expected = x.astype(np.float64).astype(other)
    np.testing.assert_array_equal(bits(xp.astype(xp.asarray(x), other)), bits(expected))


@pytest.mark.parametrize("other", [other for other in ALL if other.kind != "c"], ids=str)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_casts_round_once(dtype, other):
    rng = np.random.default_rng(4)
    values = all_values(dtype).astype(np.float64)
    values = values[np.isfinite(values)]
    middles = np.sort(values)[:-1] + np.diff(np.sort(values)) / 2
    if kind_of(other) in "iu":
        info = xp.iinfo(other)
        x = rng.integers(info.min, info.max, 10**5, dtype=other, endpoint=True)
        near = [int(m) + d for m in middles if m == int(m) for d in (-1, 0, 1)]
        near = [n for n in near if info.min <= n <= info.max]
        x = np.concat([x, x >> rng.integers(0, 8 * x.itemsize, x.size, dtype=other),
                       np.array(near, dtype=other)])  # fmt: skip
        # The nearest in one step: with the last bit set of what float64 does not hold.
        exact = np.array([_odd(int(n)) for n in x])
    else:
        near = np.concat([np.nextafter(middles, -np.inf), middles, np.nextafter(middles, np.inf)])
        x = near.astype(other)
        exact = x.astype(np.float64)
    expected = _nearest(exact, dtype)
    np.testing.assert_array_equal(bits(xp.astype(xp.asarray(x), dtype, copy=True)), bits(expected))


def _odd(n):
    """An integer as float64, whose last bit is set where it is not exact."""
    shift = max(abs(n).bit_length() - 53, 0)
    kept = abs(n) >> shift
    kept |= bool(abs(n) & ((1 << shift) - 1))
    return float(kept << shift) * (1 if n >= 0 else -1)


def _nearest(x, dtype):
    """float64 rounded to the nearest half, ties to even, by arithmetic of float64."""
    digits, least = FORMATS[dtype.name]
    exponents = np.maximum(np.frexp(np.where(np.isfinite(x), x, 1.0))[1] - 1, least) - digits + 1
    rounded = np.ldexp(np.rint(np.ldexp(x, -exponents)), exponents)
    largest = xp.finfo(dtype).max
    rounded = np.where(abs(rounded) > largest, np.copysign(np.inf, x), rounded)
    return rounded.astype(np.float32).astype(dtype)


def test_operands_are_promoted(dtype):
    other = HALVES[1 - HALVES.index(dtype)]
    assert xp.result_type(dtype, other) == np.float32
    for wide in (np.float32, np.float64, np.complex64, np.complex128):
        assert xp.result_type(dtype, wide) == wide
    assert xp.result_type(dtype, np.bool) == dtype
    for integer in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint64):
        expected = dtype if dtype.name == "bfloat16" else np.result_type(dtype, integer)
        assert xp.result_type(dtype, integer) == expected
    x = xp.ones(3, dtype=dtype)
    assert (x + 1).dtype == (2.5 * x).dtype == (x**0.5).dtype == dtype
    assert (x + 1j).dtype == np.complex64
    assert (x + xp.ones(3, dtype=xp.int8)).dtype == dtype
    x += 1.5
    np.testing.assert_array_equal(np.asarray(x, np.float32), 2.5)


# ---- reductions, scans


LAYOUTS = [
    lambda x: x, lambda x: x.T, lambda x: x[:, ::2], lambda x: x[::-1], lambda x: x[:0],
    lambda x: x[:3, :3], lambda x: x[:1, ::3],
]  # fmt: skip


@pytest.mark.parametrize("name", table("reduce"))
def test_reductions(name, dtype):
    rng = np.random.default_rng(5)
    data = (1 + rng.standard_normal((70, 3000)) * 0.01).astype(dtype)
    for layout in LAYOUTS:
        x, wide = (layout(xp.asarray(a)) for a in (data, data.astype(np.float32)))
        for axis in (None, 0, 1):
            if x.size == 0 and name in ("max", "min", "argmax", "argmin"):
                continue
            with np.errstate(all="ignore"):
                found = function(name)(x, axis=axis)
                expected = function(name)(wide, axis=axis)
            if layout is LAYOUTS[0] or x.shape[0] < 5:  # in the same order
                assert_rounded(found, expected, dtype)
            else:
                with np.errstate(over="ignore"):
                    expected = np.asarray(expected).astype(found.dtype).astype(np.float64)
                np.testing.assert_allclose(np.asarray(found, np.float64), expected, rtol=1e-2)


@pytest.mark.parametrize("name", table("reduce"))
def test_reductions_of_any_axes(name, dtype):
    data = (1 + np.random.default_rng(10).standard_normal((11, 9, 8, 12)) * 0.1).astype(dtype)
    for shape in ((11, 9, 8, 12), (3, 3, 1056), (9504, 1), (24, 1, 396)):
        x = data.reshape(shape)
        some = [axes for n in range(1, x.ndim) for axes in itertools.combinations(range(x.ndim), n)]
        for axis in (axes[0] if len(axes) == 1 else axes for axes in some):
            if name in ("argmax", "argmin") and isinstance(axis, tuple):
                continue
            found, wide = (function(name)(xp.asarray(y), axis=axis) for y in (x, x.astype("f4")))
            assert_rounded(found, wide, dtype)


def test_sums_of_thousands(dtype):
    x = xp.ones(5000, dtype=dtype)
    assert float(xp.sum(x)) == float(np.asarray(5000).astype(dtype))
    assert float(xp.mean(x)) == 1.0
    assert float(xp.var(x)) == 0.0
    assert float(xp.cumulative_sum(x)[-1]) == float(np.asarray(5000).astype(dtype))
    assert float(xp.vecdot(x, x)) == float(np.asarray(5000).astype(dtype))
    assert float(xp.sum(x, dtype=xp.float32)) == 5000
    x = xp.full(300, 200.0, dtype=dtype)  # the sum of squares is beyond float16
    assert float(xp.sqrt(xp.mean(xp.astype(x, xp.float32) ** 2))) == 200.0


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("axis", [0, 1])
def test_scans(name, axis, dtype):
    data = (1 + np.random.default_rng(6).standard_normal((40, 50)) * 0.1).astype(dtype)
    found, wide = (function(name)(xp.asarray(x), axis=axis) for x in (data, data.astype("f4")))
    assert_rounded(found, wide, dtype)


# ---- all other functions


_RNG = np.random.default_rng(7)
A, B = _RNG.standard_normal((2, 4, 5)) * 3
V = _RNG.standard_normal(9)
SQUARE = _RNG.standard_normal((4, 4)) + 4 * np.eye(4)
FUNCTIONS = {
    "argsort": lambda x: xp.argsort(x(A)),
    "astype": lambda x: xp.astype(x(A), xp.int32),
    "clip": lambda x: (xp.clip(x(A), -1, 1), xp.clip(x(A), x(B) - 3, x(B) + 3)),
    "concat": lambda x: xp.concat([x(A), x(B)]),
    "diff": lambda x: xp.diff(x(A)),
    "flip": lambda x: xp.flip(x(A)),
    "getitem": lambda x: (x(A)[1:, ::2], x(A)[x(A) > 0], x(A)[xp.asarray([1, 2]), 2]),
    "isin": lambda x: xp.isin(x(A), x(A[:1])),
    "matmul": lambda x: (xp.matmul(x(A), x(B.T)), xp.matmul(x(A), x(B[0])), x(A) @ x(B.T)),
    "meshgrid": lambda x: tuple(xp.meshgrid(x(V), x(V))),
    "nonzero": lambda x: xp.nonzero(x(A)),
    "permute_dims": lambda x: xp.permute_dims(x(A), (1, 0)),
    "repeat": lambda x: xp.repeat(x(A), 2),
    "roll": lambda x: xp.roll(x(A), 2),
    "searchsorted": lambda x: xp.searchsorted(x(np.sort(V)), x(A)),
    "sort": lambda x: (xp.sort(x(A)), xp.sort(x(A), axis=0, descending=True)),
    "stack": lambda x: xp.stack([x(A), x(B)]),
    "take": lambda x: xp.take(x(A), xp.asarray([1, 0]), axis=0),
    "take_along_axis": lambda x: xp.take_along_axis(x(A), xp.argsort(x(A), axis=0), axis=0),
    "tensordot": lambda x: xp.tensordot(x(A), x(B.T), axes=1),
    "tile": lambda x: xp.tile(x(A), (2,)),
    "tril": lambda x: (xp.tril(x(A)), xp.triu(x(A))),
    "unique": lambda x: (xp.unique_values(x(A)), *xp.unique_all(x(A)), *xp.unique_counts(x(A))),
    "unstack": lambda x: xp.unstack(x(A)),
    "vecdot": lambda x: xp.vecdot(x(A), x(B)),
    "where": lambda x: xp.where(x(A) > 0, x(A), x(B)),
    "fft": lambda x: (xp.fft.fft(x(V)), xp.fft.rfft(x(V))),
    "cholesky": lambda x: xp.linalg.cholesky(x(SQUARE) @ x(SQUARE.T)),
    "cross": lambda x: xp.linalg.cross(x(V[:3]), x(V[3:6])),
    "det": lambda x: (xp.linalg.det(x(SQUARE)), *xp.linalg.slogdet(x(SQUARE))),
    "eigvalsh": lambda x: xp.linalg.eigvalsh(x(SQUARE + SQUARE.T)),
    "inv": lambda x: (xp.linalg.inv(x(SQUARE)), xp.linalg.pinv(x(SQUARE))),
    "matrix_norm": lambda x: (xp.linalg.matrix_norm(x(SQUARE)), xp.linalg.vector_norm(x(V))),
    "matrix_power": lambda x: xp.linalg.matrix_power(x(SQUARE), 2),
    "outer": lambda x: xp.linalg.outer(x(V), x(V)),
    "qr": lambda x: tuple(xp.linalg.qr(x(SQUARE))),
    "solve": lambda x: xp.linalg.solve(x(SQUARE), x(SQUARE)),
    "svdvals": lambda x: xp.linalg.svdvals(x(SQUARE)),
    "trace": lambda x: xp.linalg.trace(x(SQUARE)),
}


def same_functions(name, dtype, device):
    """Assert that a function's results are those of float32, rounded, on a device."""
    with corepy.use_device(device):
        half = FUNCTIONS[name](lambda x: xp.asarray(x.astype(dtype), copy=True))
        wide = FUNCTIONS[name](lambda x: xp.asarray(x.astype(dtype).astype(np.float32), copy=True))
    if not isinstance(half, tuple):
        half, wide = (half,), (wide,)
    for y, z in zip(half, wide, strict=True):
        assert y.device == z.device == corepy.device(device)
        assert y.dtype == (dtype if z.dtype == np.float32 else z.dtype)
        if name in ("clip", "cholesky"):  # of arguments that are rounded results
            y, z = (np.asarray(x.to_device("cpu")).astype(np.float64) for x in (y, z))
            np.testing.assert_allclose(y, z, rtol=0.05, atol=0.05)
        else:
            assert_rounded(y.to_device("cpu"), z.to_device("cpu"), dtype)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, dtype, device):
    same_functions(name, dtype, device)


def test_assigning(dtype):
    for kind in (dtype, np.dtype(np.float32)):
        x = xp.zeros((3, 4), dtype=kind)
        x[0] = 1.1
        x[1, 1:3] = xp.asarray([0.1, 70000.0])
        x[x == 0] = -2
        if kind == dtype:
            half = x
    assert_rounded(half, x, dtype)


def test_creation(dtype):
    assert xp.arange(5, dtype=dtype).dtype == dtype
    np.testing.assert_array_equal(np.asarray(xp.arange(5, dtype=dtype), float), range(5))
    assert_rounded(
        xp.linspace(0, 1, 7, dtype=dtype), np.linspace(0, 1, 7).astype(np.float32), dtype
    )
    ones = [xp.ones(3, dtype=dtype), xp.full(3, 1.0, dtype=dtype), xp.eye(1, dtype=dtype)[0]]
    ones += [xp.asarray([1, 1.0], dtype=dtype), xp.ones_like(xp.empty(2, dtype=dtype))]
    for x in ones:
        assert x.dtype == dtype
        assert bool(xp.all(x == 1))


# ---- limits, text, exchange


def test_limits(dtype):
    info = xp.finfo(dtype)
    assert info.bits == 16
    assert info.dtype == dtype
    x = all_values(dtype).astype(np.float64)
    assert info.max == x[np.isfinite(x)].max() == -info.min
    assert info.smallest_normal == 2.0 ** FORMATS[dtype.name][1]
    assert info.eps == 2.0 ** (1 - FORMATS[dtype.name][0])
    assert xp.isdtype(dtype, "real floating")
    assert not xp.isdtype(dtype, ("integral", "complex floating"))
    assert dtype not in corepy.array_api.__array_namespace_info__().dtypes().values()


def test_text(dtype):
    x = xp.asarray([1.0, 2.5], dtype=dtype)
    assert str(dtype) in repr(x)
    assert [float(t) for t in str(x)[1:-1].split()] == [1, 2.5]
    assert float(x[1]) == 2.5


def test_copies(dtype, tmp_path):
    x = corepy.asarray(np.array([1.0, 2.5, np.inf]).astype(dtype))
    assert_rounded(pickle.loads(pickle.dumps(x)), x, dtype)
    assert_rounded(corepy.asarray(np.asarray(x)), x, dtype)
    assert np.shares_memory(np.asarray(x), np.asarray(xp.asarray(np.asarray(x))))
    corepy.save(tmp_path / "x.npy", x)
    assert_rounded(corepy.load(tmp_path / "x.npy"), x, dtype)
    corepy.savez(tmp_path / "x.npz", x=x)
    assert_rounded(corepy.load(tmp_path / "x.npz")["x"], x, dtype)


def test_buffers():
    x = xp.asarray([1.0, 2.5], dtype=xp.float16)
    assert memoryview(x).format == "e"
    assert np.array(memoryview(x)).tolist() == [1.0, 2.5]
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(xp.asarray([1.0], dtype=xp.bfloat16))


def test_dlpack(dtype):
    x = xp.asarray([1.0, 2.5], dtype=dtype)
    assert_rounded(xp.from_dlpack(x), x, dtype)
    torch = pytest.importorskip("torch")
    twin = torch.from_dlpack(x)
    assert twin.dtype == getattr(torch, dtype.name)
    twin[0] = 3.0
    assert float(x[0]) == 3.0
    back = xp.from_dlpack(twin)
    assert_rounded(back, x, dtype)
    back[1] = 4.0
    assert float(twin[1]) == 4.0


def test_jax(dtype):
    jax = pytest.importorskip("jax")
    x = xp.asarray(np.arange(64.0).astype(dtype))
    twin = jax.numpy.from_dlpack(x)
    assert twin.dtype == dtype
    assert_rounded(xp.from_dlpack(twin), x, dtype)


def test_the_package_is_loaded_when_it_is_asked_for():
    program = """
    import sys, corepy, corepy.array_api as xp
    xp.ones(3, dtype=xp.float16) + 1
    assert "ml_dtypes" not in sys.modules
    assert corepy.bfloat16 is xp.bfloat16 is corepy.namespace("cpu").bfloat16
    assert "ml_dtypes" not in sys.modules
    print(xp.ones(2, dtype=xp.bfloat16))
    assert "ml_dtypes" in sys.modules
    """
    assert output_of(_lines(program)).strip() == "[1 1]"


def test_what_stands_for_the_package():
    import ml_dtypes

    x = xp.ones(2, dtype=xp.bfloat16)
    assert x.dtype == xp.bfloat16 and xp.bfloat16 == x.dtype and np.dtype("f4") != xp.bfloat16
    assert np.dtype(xp.bfloat16) == xp.finfo(xp.bfloat16).dtype == ml_dtypes.bfloat16
    assert np.issubdtype(xp.bfloat16, np.generic) and np.zeros(1, xp.bfloat16).dtype == x.dtype
    assert xp.bfloat16 == ml_dtypes.bfloat16 == xp.bfloat16 != xp.float32
    assert issubclass(x.dtype.type, xp.bfloat16) and ml_dtypes.bfloat16 in {xp.bfloat16}
    assert type(xp.bfloat16(1.25)) is ml_dtypes.bfloat16 and xp.bfloat16(1.25) == 1.25
    assert isinstance(np.asarray(x)[0], xp.bfloat16)
    assert not isinstance(1.25, xp.bfloat16)
    assert pickle.loads(pickle.dumps(xp.bfloat16)) is xp.bfloat16


def test_without_the_package(tmp_path):
    corepy.save(tmp_path / "x.npy", np.ones(3, dtype=HALVES[1]))
    program = f"""
    import sys
    sys.modules["ml_dtypes"] = None
    import corepy, corepy.array_api as xp
    assert not hasattr(xp, "bfloat16") and not hasattr(corepy, "bfloat16")
    assert not hasattr(corepy.namespace("cpu"), "bfloat16")
    for use in (lambda: xp.ones(2, dtype="bfloat16"),
                lambda: corepy.load({str(tmp_path / "x.npy")!r})):
        try:
            use()
        except ImportError as error:
            print(error)
    """
    lines = output_of(_lines(program)).strip().splitlines()
    assert len(lines) == 2
    assert all("bfloat16" in line and "ml_dtypes" in line for line in lines)


def _lines(program):
    head = len(program.splitlines()[1]) - len(program.splitlines()[1].lstrip())
    return "\n".join(line[head:] for line in program.splitlines())


@pytest.mark.parametrize("shape", [(), (1,), (3,), (7,)])
@pytest.mark.parametrize(("rows", "terms"), [(300, 200), (5, 9000), (40000, 3)])
def test_matrices_and_vectors(dtype, rows, terms, shape):
    rng = np.random.default_rng(9)
    matrix = rng.standard_normal((rows, terms)).astype(dtype)
    vectors = rng.standard_normal((terms, *shape)).astype(dtype)
    for other in (dtype, np.float32):
        for x, y in ((matrix, vectors.astype(other)), (vectors.astype(other).T, matrix.T)):
            found = xp.asarray(x) @ xp.asarray(y)
            exact = x.astype("f8") @ y.astype("f8")
            assert found.dtype == other
            scale = abs(x.astype("f8")) @ abs(y.astype("f8"))
            error = abs(np.asarray(found).astype("f8") - exact)
            assert np.all(error <= 0.51 * float(xp.finfo(other).eps) * abs(exact) + 1e-5 * scale)


def test_sums_are_added_in_one_order(dtype):
    """The order of float32, also where large terms cancel."""
    rng = np.random.default_rng(0)
    values = rng.standard_normal(35000) * 2.0 ** rng.integers(-20, 14, 35000)
    array = np.concat([values, -values]).astype(dtype)[rng.permutation(70000)]
    for shape in [(70000,), (1, 70000), (7, 10000)]:
        x = xp.asarray(array.reshape(shape), copy=True)
        wide = xp.astype(xp.sum(xp.astype(x, xp.float32), axis=-1), dtype)
        for threshold in (0, 10**9):
            with corepy.config(fusion=True, fusion_threshold=threshold):
                np.testing.assert_array_equal(bits(xp.sum(x, axis=-1)), bits(wide))
                np.testing.assert_array_equal(bits(xp.sum(x * 1, axis=-1)), bits(wide))


WINDOWS = _RNG.standard_normal((1, 2, 9, 9)), _RNG.standard_normal((3, 2, 4, 4))
NETWORKS = {
    "softmax": lambda x: nn.softmax(x(A)),
    "log_softmax": lambda x: nn.log_softmax(x(A), axis=0),
    "rms_norm": lambda x: nn.rms_norm(x(A), x(B[0])),
    "layer_norm": lambda x: nn.layer_norm(x(A), x(B[0]), bias=x(B[1])),
    "rope": lambda x: nn.rope(x(SQUARE), x(A[:, :2]), x(B[:, :2])),
    "attention": lambda x: nn.scaled_dot_product_attention(x(A), x(B), x(A)),
    "conv2d": lambda x: nn.conv2d(x(WINDOWS[0]), x(WINDOWS[1]), padding=1),
    "avg_pool2d": lambda x: nn.avg_pool2d(x(WINDOWS[0]), 3),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name, dtype, device):
    """Functions of several operations are computed in float32, and rounded once."""
    here = corepy.namespace(device)

    def wide(x):
        return here.asarray(x.astype(dtype).astype(np.float32))

    found = NETWORKS[name](lambda x: here.asarray(x.astype(dtype)))
    assert_rounded(found.to_device("cpu"), NETWORKS[name](wide).to_device("cpu"), dtype)


# ---- the drop-in

MATRICES = [
    ((1, 40), (40, 40)), ((13, 1), (1, 33)), ((31, 511), (511, 33)), ((97, 512), (512, 64)),
    ((200, 1025), (1025, 5)), ((12, 0), (0, 32)), ((3, 40, 50), (50, 60)),
    ((2, 1, 30, 64), (3, 64, 31)),
]  # fmt: skip


@pytest.mark.parametrize("transposed", list(itertools.product([False, True], repeat=2)))
@pytest.mark.parametrize("shapes", MATRICES, ids=str)
def test_products_of_matrices(dtype, shapes, transposed):
    """Sums of products are as exact as in float32, and are rounded once."""
    rng = np.random.default_rng(3)
    arrays, operands = [], []
    for shape, swap in zip(shapes, transposed, strict=True):
        array = rng.standard_normal(shape).astype(dtype)
        operand = xp.asarray(np.swapaxes(array, -1, -2) if swap else array, copy=True)
        arrays.append(array.astype(np.float64))
        operands.append(xp.matrix_transpose(operand) if swap else operand)
    exact = np.matmul(*arrays)
    error = 2.0**-23 * shapes[0][-1] * np.matmul(*map(np.abs, arrays))
    found = np.asarray(xp.matmul(*operands)).astype(np.float64)
    digits, least = FORMATS[dtype.name]
    ulp = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(exact), 2.0**least))) - digits + 1)
    assert np.all(np.abs(found - exact) <= ulp / 2 + error)


@pytest.mark.parametrize("steps", [(2, 1), (-1, 3), (-1, -2)])
def test_products_of_slices(dtype, steps):
    rng = np.random.default_rng(4)
    a, b = (xp.asarray(rng.standard_normal((150, 150)).astype(dtype), copy=True) for _ in range(2))
    a, b = a[:: steps[0], :: steps[1]], b[: a[:: steps[0], :: steps[1]].shape[1], :: steps[1]]
    wide = xp.matmul(xp.asarray(a, copy=True), xp.asarray(b, copy=True))
    np.testing.assert_array_equal(bits(xp.matmul(a, b)), bits(wide))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_products_of_what_is_not_finite(dtype):
    a = np.ones((40, 41), dtype=dtype)
    a[3, 5], a[4, 40], a[5, 0], a[6, :2] = np.nan, np.inf, -np.inf, [np.inf, -np.inf]
    with np.errstate(all="ignore"):
        exact = a.astype(np.float32) @ np.ones((41, 40), dtype=np.float32)
    found = xp.matmul(xp.asarray(a), xp.ones((41, 40), dtype=dtype))
    np.testing.assert_array_equal(bits(found), bits(exact.astype(dtype)))


@pytest.mark.parametrize("name", ["fmax", "fmin", "maximum", "add", "logaddexp"])
def test_reductions_of_ufuncs(name, dtype):
    data = np.array([1.5, np.nan, 0.1, 2.5])
    data = data[~np.isnan(data)] if name in ("add", "logaddexp") else data
    ufunc = getattr(corepy, name)
    found = ufunc.reduce(corepy.asarray(data.astype(dtype)))
    expected = getattr(np, name).reduce(data.astype(dtype).astype(np.float64))
    np.testing.assert_allclose(float(found), expected, rtol=float(xp.finfo(dtype).eps))


@pytest.mark.parametrize("name", ["deg2rad", "degrees", "fmod", "divmod", "modf", "float_power"])
def test_functions_of_several_operations(name, dtype):
    ufunc, data = getattr(corepy, name), 3 + abs(_RNG.standard_normal((2, 20))).astype(dtype)
    halves = [corepy.asarray(x) for x in data[: ufunc.nin]]
    found = ufunc(*halves)
    expected = ufunc(*(x.astype("float32") for x in halves))
    if name == "float_power":
        assert found.dtype == expected.dtype == np.float64
        return
    for y, z in zip(*((t if ufunc.nout > 1 else (t,)) for t in (found, expected)), strict=True):
        assert_rounded(y, z, dtype)
    if ufunc.nout == 1:
        out = corepy.zeros_like(halves[0])
        assert ufunc(*halves, out=out) is out
        assert_rounded(out, expected, dtype)


def test_einsum_into(dtype):
    x = corepy.asarray((1 + _RNG.standard_normal((40, 50)) * 0.1).astype(dtype))
    out = corepy.zeros(40, dtype=dtype)
    assert corepy.einsum("ij,ij->i", x, x, out=out) is out
    wide = x.astype("float32")
    assert_rounded(out, corepy.einsum("ij,ij->i", wide, wide), dtype)


def test_astype_by_name():
    program = """
    import corepy as np
    print(np.ones(2).astype("bfloat16").dtype)
    """
    assert output_of(_lines(program)).strip() == "bfloat16"


@pytest.mark.parametrize("shape", [(1,), (15,), (4099,), (33, 17), (5, 40, 3)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_chains_of_halves(dtype, shape):
    """Elements of every exponent, infinities and NaN, at the ends of rows as well."""
    words = np.random.default_rng(3).integers(0, 1 << 16, (3, *shape)).astype(np.uint16)
    x, y, z = (xp.asarray(each.view(dtype), copy=True) for each in words)

    def chain(x, y, z):
        return xp.where(x > y, (x * y - z) / 3, xp.sqrt(xp.abs(z)) + y)

    with corepy.config(fusion=False):
        expected = [chain(x, y, z), chain(x[..., ::-1], y, z[..., :1])]
    with corepy.config(fusion=True, fusion_threshold=0):
        found = [chain(x, y, z), chain(x[..., ::-1], y, z[..., :1])]
        group = corepy.explain(found[0]).groups[0]
        # With conversions, which are not operations of their own.
        in_registers = group.in_registers >= len(group.operations)
        assert in_registers == (simd_in_use() in ("avx2", "avx512"))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(bits(one), bits(other))
