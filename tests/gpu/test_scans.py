"""Scans of the GPU backend, its kernels compiled for the host, against NumPy and the CPU's."""

from __future__ import annotations

import math

import numpy as np
import pytest

import corepy

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip
OPERATIONS = {"cumulative_sum": np.cumsum, "cumulative_prod": np.cumprod}


def numbers(shape, dtype: str, seed: int = 0) -> np.ndarray:
    """Numbers near 1, so that products stay among numbers."""
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "biu":
        return random.integers(0, 3, shape).astype(dtype)
    x = np.exp(random.normal(size=shape) / 8)
    if np.dtype(dtype).kind == "c":
        x = x * np.exp(1j * random.normal(size=shape))
    return np.asarray(x).astype(dtype)


def agree(got, want: np.ndarray, dtype: str, x: np.ndarray, **keywords) -> None:
    got = np.asarray(got.to_device("cpu"))
    assert got.shape == want.shape
    assert got.dtype == dtype
    if got.dtype.kind in "fc":
        digits = (4 + x.shape[keywords["axis"]] / 4) * np.finfo(got.dtype).eps
        np.testing.assert_allclose(got, want, rtol=digits, atol=0)
    else:
        np.testing.assert_array_equal(got, want)


@pytest.fixture
def compare(gpu, together):
    """Note a scan that is to agree with the CPU's and NumPy's; all are done in the end."""
    noted = []

    def note(operation: str, x: np.ndarray, on_gpu=None, **keywords) -> None:
        keywords.setdefault("axis", 0)
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
        want = np.asarray(on_cpu)
        agree(got, want, want.dtype.name, x, **keywords)
        with np.errstate(invalid="ignore"):
            scanned = OPERATIONS[operation](x, axis=keywords["axis"], dtype=want.dtype)
        if keywords.get("include_initial"):
            first = np.full_like(scanned.take([0], axis=keywords["axis"]),
                                 operation == "cumulative_prod")  # fmt: skip
            scanned = np.concatenate([first, scanned], axis=keywords["axis"])
        agree(got, scanned, want.dtype.name, x, **keywords)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_dtype(compare, operation):
    for dtype in DTYPES:
        compare(operation, numbers((150,), dtype))
        compare(operation, numbers((20, 9), dtype), include_initial=True)


LENGTHS = [1, 2, 31, 32, 33, 64, 127, 128, 129, 511, 513, 2047, 2048, 2049, 4097, 8193, 12000]


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_lengths_around_warps_and_blocks(compare, gpu, dtype):
    for n in LENGTHS:
        x = numbers((n + 1,), dtype, seed=n)
        compare("cumulative_sum", x[:n])
        compare("cumulative_sum", x[1:], gpu.asarray(x)[1:])
        compare("cumulative_sum", numbers((3, n), dtype, seed=n), axis=1)
        compare("cumulative_sum", numbers((n, 3), dtype, seed=n), axis=0)
        compare("cumulative_sum", x[:n], include_initial=True)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_tiles_that_blocks_share(compare, operation):
    """As many as have groups."""
    compare(operation, numbers((140000,), "float32"))
    compare(operation, numbers((70001,), "int16"), include_initial=True)
    compare(operation, numbers((2, 30000), "float64"), axis=1)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_layouts(compare, gpu, axis):
    x = numbers((6, 40, 34), "float32")
    on_gpu = gpu.asarray(x)
    views = [
        lambda a: a[::2, ::3, ::-1],
        lambda a: a[::-1, :, 1:],
        lambda a: a[:, ::-2, 2:9],
        lambda a: a[1:4, :1, :],
        lambda a: a[:, :, :32],
    ]
    for view in views:
        compare("cumulative_sum", view(x), view(on_gpu), axis=axis)
        compare("cumulative_sum", view(x), view(on_gpu), axis=axis, include_initial=True)
    for axes in [(2, 1, 0), (1, 2, 0), (0, 2, 1)]:
        compare("cumulative_sum", x.transpose(axes), gpu.permute_dims(on_gpu, axes), axis=axis)
    row = numbers((1, 40, 1), "float32")
    shape = (4, 40, 3)
    broadcast = gpu.broadcast_to(gpu.asarray(row), shape)
    compare("cumulative_sum", np.broadcast_to(row, shape), broadcast, axis=axis)


def test_many_axes(compare, gpu):
    x = numbers((2,) * 11, "float64")
    view = (slice(None, None, -1),) * 11
    for axis in (0, 5, 10):
        compare("cumulative_sum", x[view], gpu.asarray(x)[view], axis=axis)


def test_0d_and_nothing(gpu):
    one = gpu.cumulative_sum(gpu.asarray(3.0), include_initial=True)
    assert np.asarray(one.to_device("cpu")).tolist() == [0.0, 3.0]
    for shape, axis in [((0,), 0), ((0, 3), 0), ((0, 3), 1), ((3, 0), 1)]:
        for initial in (False, True):
            for name in OPERATIONS:
                x = gpu.zeros(shape, dtype=gpu.int16)
                got = getattr(gpu, name)(x, axis=axis, include_initial=initial)
                want = getattr(corepy.array_api, name)(
                    corepy.array_api.zeros(shape, dtype=corepy.array_api.int16),
                    axis=axis, include_initial=initial,
                )  # fmt: skip
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(np.asarray(got.to_device("cpu")), np.asarray(want))


@pytest.mark.parametrize(("dtype", "wanted"), [
    ("int8", "int16"), ("uint8", "float32"), ("float32", "float64"), ("bool", "uint8"),
    ("float64", "int32"),
])  # fmt: skip
def test_dtype_casts_first(gpu, dtype, wanted):
    x = numbers((300,), dtype)
    got = gpu.cumulative_sum(gpu.asarray(x), dtype=getattr(gpu, wanted))
    want = np.cumsum(x.astype(wanted), dtype=wanted)
    agree(got, want, wanted, x, axis=0)


def test_special_numbers(compare):
    infinity = math.inf
    for values in [[1.0, math.nan, 2.0], [infinity, -infinity, 1.0], [-0.0, -0.0], [0.0, -0.0]]:
        compare("cumulative_sum", np.asarray(values * 20))
    for values in [[1.0, math.nan, 2.0], [infinity, 0.0, 1.0], [2.0, -infinity]]:
        compare("cumulative_prod", np.asarray(values))
    compare("cumulative_prod", np.asarray([complex(infinity, 0.0), complex(2.0, 0.0)]))


def test_zeros_keep_their_sign(gpu):
    x = gpu.full((300,), -0.0)
    assert np.all(np.signbit(np.asarray(gpu.cumulative_sum(x).to_device("cpu"))))


def test_products_come_back_to_the_range_of_numbers(gpu):
    values = [1e200, 1e200, 1e-200, 1e-200, 1e-200, 1e-200, 1e200, 1e200]
    got = np.asarray(gpu.cumulative_prod(gpu.asarray(values)).to_device("cpu"))
    want = [1e200, math.inf, 1e200, 1.0, 1e-200, 0.0, 1e-200, 1.0]
    np.testing.assert_allclose(got, want, rtol=1e-15)


def test_integers_wrap(compare):
    for dtype in ("int64", "uint64", "int32"):
        x = np.full(1000, np.iinfo(dtype).max, dtype=dtype)
        compare("cumulative_sum", x)
        compare("cumulative_prod", x)


def test_sums_are_accurate(gpu):
    x = np.random.default_rng(1).random(30000)
    want = [math.fsum(x[: i + 1]) for i in range(0, x.size, 997)]
    for tensor in (gpu.asarray(x), gpu.asarray(np.stack([x, x], axis=1))):
        got = np.asarray(gpu.cumulative_sum(tensor, axis=0).to_device("cpu"))
        got = got.reshape(x.size, -1)[::997, 0]
        # NumPy's are 100 last places off.
        assert np.max(np.abs(got - want) / np.spacing(want)) <= 24
    y = x.astype(np.float32)
    got = np.asarray(gpu.cumulative_sum(gpu.asarray(y)).to_device("cpu"))
    want = np.cumsum(y.astype(np.longdouble))
    assert np.max(np.abs(got - want) / np.spacing(want.astype(np.float32))) <= 0.5001


def test_the_number_of_blocks_does_not_matter(gpu, together, set_blocks):
    random = np.random.default_rng(3)
    cases = [
        (gpu.asarray(random.normal(size=90000)), 0),
        (gpu.asarray(random.normal(size=(700, 40)).astype(np.float32)), 0),
        (gpu.asarray(random.normal(size=(40, 700))), 1),
        (gpu.asarray(random.normal(size=(3, 6000)).astype(np.float32)), 1),
    ]
    calls = [lambda x=x, axis=axis: gpu.cumulative_sum(x, axis=axis) for x, axis in cases]
    results = []
    for blocks in (1, 3, 100000):
        set_blocks(blocks)
        results.append([
            np.asarray(result.to_device("cpu")).tobytes() for result in together(calls)
        ])  # fmt: skip
    assert results[0] == results[1] == results[2]


def test_alignment_does_not_matter(gpu):
    x = np.random.default_rng(4).normal(size=20001)
    beside = gpu.cumulative_sum(gpu.asarray(x)[1:])
    apart = gpu.cumulative_sum(gpu.asarray(x[1:]))
    assert np.array_equal(np.asarray(beside.to_device("cpu")), np.asarray(apart.to_device("cpu")))
