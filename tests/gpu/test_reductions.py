"""Reductions of the GPU backend, its kernels compiled for the host, against NumPy and math.fsum."""

from __future__ import annotations

import math

import numpy as np
import pytest

import corepy

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip
OPERATIONS = [
    "sum", "prod", "min", "max", "all", "any", "count_nonzero", "argmin", "argmax", "mean", "var",
    "std",
]  # fmt: skip
ON_ORDER = ("min", "max", "argmin", "argmax")


def accepts(operation: str, dtype: str) -> bool:
    return operation not in ON_ORDER or not dtype.startswith("complex")


def numbers(shape, dtype: str, seed: int = 0) -> np.ndarray:
    """Few different elements, so that the best is there several times, and zeros."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.random(shape) < 0.7
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(max(limits.min, -100), min(limits.max, 100), shape).astype(dtype)
    x = np.round(random.normal(size=shape) * 4) / 3
    if dtype.kind == "c":
        x = x + 1j * np.round(random.normal(size=shape) * 4) / 3
    return np.asarray(x).astype(dtype)


def expected(operation: str, x: np.ndarray, **keywords) -> np.ndarray:
    """What NumPy says, of floating-point numbers in more digits."""
    wide = {"float32": "float64", "float64": "longdouble", "complex64": "complex128",
            "complex128": "clongdouble"}.get(x.dtype.name)  # fmt: skip
    if wide and operation in ("sum", "prod", "mean", "var", "std"):
        x = x.astype(wide)
    with np.errstate(all="ignore"):
        return np.asarray(getattr(np, operation)(x, **keywords))


def agree(got, want, dtype: str, accuracy: float = 1.0, scale: float = 0.0) -> None:
    """`accuracy` is in last places of the results, or of what is `scale` as large."""
    want = np.asarray(want)
    got = np.asarray(got.to_device("cpu"))
    assert got.shape == want.shape
    assert got.dtype == dtype
    if got.dtype.kind in "fc":
        digits = accuracy * np.finfo(got.dtype).eps
        scale = np.max(np.abs(want[np.isfinite(want)]), initial=scale)
        np.testing.assert_allclose(got, want, rtol=digits, atol=float(digits * scale))
    else:
        np.testing.assert_array_equal(got, want)


@pytest.fixture
def compare(gpu, together):
    """Note a reduction that is to agree with NumPy; all are done, together, in the end."""
    noted = []

    def note(operation: str, x: np.ndarray, on_gpu=None, **keywords) -> None:
        noted.append((operation, x, gpu.asarray(x) if on_gpu is None else on_gpu, keywords))

    yield note
    results = together([
        lambda operation=operation, on_gpu=on_gpu, keywords=keywords: getattr(gpu, operation)(
            on_gpu, **keywords
        )
        for operation, _, on_gpu, keywords in noted
    ])  # fmt: skip
    for (operation, x, _, keywords), got in zip(noted, results, strict=True):
        on_cpu = getattr(corepy.array_api, operation)(corepy.array_api.asarray(x), **keywords)
        # The digits of a sum are those of its terms.
        scale = np.sum(np.abs(x[np.isfinite(x)])) if operation == "sum" else 0.0
        agree(got, expected(operation, x, **keywords), on_cpu.dtype.name, 8.0, scale)


# ---- dtypes, and shapes of work

CASES = [
    ((1,), None), ((3,), None), ((40,), None), ((700,), None), ((2100,), None), ((40, 64), 1),
    ((9, 5), 1), ((5, 40), 0), ((37, 64), 0), ((3, 20, 5), 1), ((3, 8, 4), (0, 2)),
]  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_dtype(gpu, compare, operation):
    for dtype in DTYPES:
        if not accepts(operation, dtype):
            with pytest.raises(TypeError, match=operation):
                getattr(gpu, operation)(gpu.ones((2,), dtype=getattr(gpu, dtype)))
            continue
        for shape, axis in [((300,), None), ((5, 40), 0)]:
            if operation == "prod":
                shape = tuple(min(size, 12) for size in shape)
            compare(operation, numbers(shape, dtype), axis=axis)


@pytest.mark.parametrize("operation", ["sum", "argmax", "var", "any"])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_shapes_of_work(compare, operation, dtype):
    for shape, axis in CASES:
        if operation == "argmax" and isinstance(axis, tuple):
            axis = None
        compare(operation, numbers(shape, dtype), axis=axis)


LENGTHS = [1, 4, 15, 16, 17, 31, 32, 33, 127, 129, 511, 513, 1023, 1025, 2047, 2049, 4097, 20000]


@pytest.mark.parametrize("operation", ["sum", "argmin", "max"])
def test_lengths_around_blocks_and_warps(gpu, compare, operation):
    for n in LENGTHS:
        x = numbers((n + 1,), "float64", seed=n)
        compare(operation, x[:n])
        compare(operation, x[1:], gpu.asarray(x)[1:])
        rows = numbers((3, n), "float64", seed=n)
        compare(operation, rows, axis=1)
        compare(operation, np.ascontiguousarray(rows.T), axis=0)


@pytest.mark.parametrize("operation", ["sum", "argmin", "std"])
@pytest.mark.parametrize("axis", [None, 0, 1, 2])
def test_layouts(gpu, compare, operation, axis):
    x = numbers((6, 10, 14), "float32")
    on_gpu = gpu.asarray(x)
    views = [
        lambda a: a[::2, ::3, ::-1],
        lambda a: a[::-1, :, 1:],
        lambda a: a[:, ::-2, 2:9],
        lambda a: a[1:4, :1, :],
    ]
    for view in views:
        compare(operation, view(x), view(on_gpu), axis=axis)
    for axes in [(2, 1, 0), (1, 2, 0), (0, 2, 1)]:
        compare(operation, x.transpose(axes), gpu.permute_dims(on_gpu, axes), axis=axis)


@pytest.mark.parametrize("operation", ["sum", "argmax", "mean", "all", "var"])
def test_broadcast(gpu, compare, operation):
    row = numbers((1, 50, 1), "float32")
    shape = (4, 50, 3)
    x = np.broadcast_to(row, shape)
    on_gpu = gpu.broadcast_to(gpu.asarray(row), shape)
    for axis in (None, 0, 1, 2):
        compare(operation, x, on_gpu, axis=axis)


def test_many_axes(gpu, compare):
    x = numbers((2,) * 12, "float64")
    view = (slice(None, None, -1),) * 12
    on_gpu = gpu.asarray(x)
    for axis in [tuple(range(0, 12, 2)), tuple(range(1, 12, 2)), (3, 4, 5), (0, 11)]:
        compare("sum", x, on_gpu, axis=axis, keepdims=True)
        compare("max", x[view], on_gpu[view], axis=axis)
    compare("argmax", x[view], on_gpu[view], axis=7)


def test_keepdims_and_0d(gpu, compare):
    x = numbers((3, 4, 5), "float64")
    for axis in (None, 1, -1, (0, 2), ()):
        compare("sum", x, axis=axis, keepdims=True)
    compare("argmin", x, axis=1, keepdims=True)
    one = np.asarray(2.5)
    for operation in OPERATIONS:
        compare(operation, one)


# ---- dtype=


@pytest.mark.parametrize(("dtype", "wanted"), [
    ("int8", "int16"), ("uint8", "float32"), ("float32", "float64"), ("float64", "float32"),
    ("bool", "uint8"), ("int32", "complex64"),
])  # fmt: skip
@pytest.mark.parametrize("operation", ["sum", "prod"])
def test_dtype_casts_first(gpu, operation, dtype, wanted):
    x = numbers((3, 11), dtype)
    got = getattr(gpu, operation)(gpu.asarray(x), axis=0, dtype=getattr(gpu, wanted))
    with np.errstate(over="ignore"):
        want = getattr(np, operation)(x.astype(wanted), axis=0, dtype=wanted)
    agree(got, want, wanted, 8.0)


# ---- without elements


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nothing_to_reduce(gpu, operation):
    function, on_cpu = getattr(gpu, operation), getattr(corepy.array_api, operation)
    for dtype in ("float32", "complex64", "int16", "bool"):
        if not accepts(operation, dtype):
            continue
        for shape, axis in [((0,), None), ((0, 3), 0), ((0, 3), 1), ((3, 0), 0)]:
            x = gpu.zeros(shape, dtype=getattr(gpu, dtype))
            y = corepy.array_api.zeros(shape, dtype=getattr(corepy.array_api, dtype))
            try:
                want = on_cpu(y, axis=axis)
            except ValueError as error:
                with pytest.raises(ValueError) as raised:
                    function(x, axis=axis)
                assert str(raised.value) == str(error)
            else:
                got = np.asarray(function(x, axis=axis).to_device("cpu"))
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(got, np.asarray(want))


def test_errors(gpu):
    x = gpu.ones((2, 3))
    with pytest.raises(np.exceptions.AxisError, match="sum"):
        gpu.sum(x, axis=2)
    with pytest.raises(ValueError, match="given twice"):
        gpu.sum(x, axis=(0, -2))


# ---- special numbers


@pytest.mark.parametrize(("shape", "axis"), [((4096,), None), ((4096, 2), 0), ((2, 4096), 1)])
def test_nan(compare, shape, axis):
    for place in (0, 5, 300, 1023, 4000):
        x = np.random.default_rng(place).normal(size=shape)
        along = 0 if axis is None else axis
        np.moveaxis(x, along, 0)[place] = np.nan
        np.moveaxis(x, along, 0)[4050] = np.nan
        for operation in ("max", "min", "sum", "var", "argmax", "argmin"):
            compare(operation, x, axis=axis)


def test_infinities_and_signs(gpu, compare):
    infinity = np.inf
    for values in [
        [-infinity], [infinity, -infinity], [-infinity] * 40, [infinity, 1.0], [0.0, -0.0],
        [-0.0] * 600,
    ]:  # fmt: skip
        x = np.asarray(values)
        for operation in ("sum", "mean", "max", "min", "argmax", "argmin", "prod"):
            compare(operation, x)
    for n in (1, 3, 40, 700, 3000):
        zero = gpu.sum(gpu.full((n,), -0.0))
        assert math.copysign(1.0, float(zero)) == -1.0
    zero = np.asarray(gpu.sum(gpu.full((70,), complex(-0.0, -0.0))).to_device("cpu"))
    assert math.copysign(1.0, zero.real) == math.copysign(1.0, zero.imag) == 1.0


def test_extremes(gpu, compare):
    largest = np.finfo(np.float32).max
    x = np.asarray([largest, largest, -largest, -largest, 1.0], dtype=np.float32)
    agree(gpu.sum(gpu.asarray(x)), 1.0, "float32")
    # As large as a sum is, so is the mean of it.
    assert math.isinf(float(gpu.mean(gpu.asarray(x[:2]))))
    assert float(gpu.prod(gpu.asarray([1e200, 1e200, 1e-200, 1e-200] * 300))) == pytest.approx(1.0)
    tiny = np.asarray([5e-324, 1e300, 1e20])
    assert float(gpu.prod(gpu.asarray(tiny))) == pytest.approx(4.94065645841246544e-4)
    assert float(gpu.prod(gpu.asarray([1e-200, 1e-120, 1.0]))) == 1e-200 * 1e-120
    assert math.isinf(float(gpu.prod(gpu.full((5000,), 2.0))))
    assert float(gpu.prod(gpu.full((5000,), 0.5))) == 0.0
    i = complex(0.0, 1.0)
    values = [1e200, 1e200 * i, 1e-200, 1e-200 * i] * 50
    agree(gpu.prod(gpu.asarray(values)), 1.0 + 0j, "complex128", 500)
    for dtype in ("int8", "uint8", "int64", "uint64"):
        limits = np.iinfo(dtype)
        x = np.asarray([limits.max, limits.min, limits.max] * 100, dtype=dtype)
        for operation in ("sum", "min", "max", "argmin", "argmax"):
            compare(operation, x)


# ---- accuracy


def error_in_ulps(got, want: float, dtype: str) -> float:
    return abs(float(got) - want) / np.spacing(np.asarray(abs(want), dtype=dtype)).item()


def test_sums_are_accurate(gpu):
    random = np.random.default_rng(1)
    for n in (1000, 60000):
        x = random.random(n)
        assert error_in_ulps(gpu.sum(gpu.asarray(x)), math.fsum(x), "float64") <= 4
        y = random.random(n).astype(np.float32)
        assert error_in_ulps(gpu.sum(gpu.asarray(y)), math.fsum(y), "float32") <= 0.5001
        z = gpu.asarray(np.stack([x, x], axis=1))
        for total in np.asarray(gpu.sum(z, axis=0).to_device("cpu")):
            assert error_in_ulps(total, math.fsum(x), "float64") <= 4


@pytest.mark.parametrize("outlier", [False, True])
def test_spread_keeps_its_digits(gpu, outlier):
    """Also where the mean is large, and where the first element is far from all others."""
    random = np.random.default_rng(2)
    for shift in (0.0, 1e6, 1e9):
        x = random.normal(size=3000) + shift
        if outlier:
            x[0] += 50.0
        exact = x.astype(np.longdouble)
        want = float(np.var(exact))
        for got in (gpu.var(gpu.asarray(x)), gpu.var(gpu.asarray(x[:, None]), axis=0)[0]):
            assert abs(float(got) - want) <= 1e-14 * want
        got = gpu.std(gpu.asarray(x), correction=1)
        assert float(got) == pytest.approx(float(np.std(exact, ddof=1)), rel=1e-14)


def test_correction(gpu):
    x = gpu.asarray([1.0, 2.0, 4.0])
    assert float(gpu.var(x, correction=1.5)) == pytest.approx(np.var([1.0, 2.0, 4.0]) * 2)
    assert math.isnan(float(gpu.var(x, correction=3)))
    assert math.isnan(float(gpu.std(x, correction=4)))


# ---- the same bits, whoever computes


def bits(x) -> bytes:
    return np.asarray(x.to_device("cpu")).tobytes()


def test_the_number_of_blocks_does_not_matter(gpu, together, set_blocks):
    random = np.random.default_rng(3)
    x = gpu.asarray(random.normal(size=30000))
    y = gpu.asarray(random.normal(size=(700, 40)).astype(np.float32))
    cases = [(x, None), (y, 0), (y, 1), (y, None), (gpu.asarray(random.normal(size=(9000, 3))), 0)]
    calls = [
        lambda operation=operation, a=a, axis=axis: getattr(gpu, operation)(a, axis=axis)
        for a, axis in cases
        for operation in ("sum", "var", "prod")
    ]
    results = []
    for blocks in (1, 3, 100000):
        set_blocks(blocks)
        results.append([bits(result) for result in together(calls)])
    assert results[0] == results[1] == results[2]


def test_alignment_does_not_matter(gpu, together):
    random = np.random.default_rng(4)
    calls = []
    for dtype, shape, axis in [("float32", (5000,), None), ("float32", (90, 64), 0),
                               ("float64", (7, 96), 1)]:  # fmt: skip
        x = random.normal(size=shape).astype(dtype)
        apart = gpu.asarray(np.concatenate([[0], x.ravel()]).astype(dtype))
        for operation in ("sum", "var"):
            for tensor in (gpu.reshape(apart[1:], shape), gpu.asarray(x)):
                calls.append(
                    lambda operation=operation, tensor=tensor, axis=axis: getattr(gpu, operation)(
                        tensor, axis=axis
                    )
                )
    results = [bits(result) for result in together(calls)]
    assert results[::2] == results[1::2]
