"""Scans and reductions between blocks, of 5 million elements and more, on a GPU.

On the host, where blocks run one after the other, such arrays take too long, and no block waits for
another: the order in which blocks of a GPU publish their sums is what these tests vary.
"""

import math

import numpy as np
import pytest
from agreement import to_numpy

import corepy

NAME = next((n for n in ("cuda:0", "rocm:0") if n in map(str, corepy.available_devices())), None)
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(NAME is None, reason="there is no GPU here"),
]
#: Beside even sizes some that end within a tile; the last has several groups of 1,024 tiles.
SIZES = [5_000_000, 5_000_011, (1 << 24) + 1, 100_000_000]
REPEATED = 20


@pytest.fixture(scope="module")
def xp():
    return corepy.namespace(NAME)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint64"])
def test_cumulative_sums_of_integers(xp, n, dtype):
    x = np.random.default_rng(n).integers(0, 100, n).astype(dtype)
    want = np.cumsum(x, dtype=np.uint64 if dtype == "uint64" else np.int64)
    there = xp.asarray(x)
    assert np.array_equal(to_numpy(xp.cumulative_sum(there)), want)
    found = to_numpy(xp.cumulative_sum(there, include_initial=True))
    assert found[0] == 0 and np.array_equal(found[1:], want)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_cumulative_sums_have_the_same_bits_each_time(xp, dtype):
    """Whichever blocks are first."""
    x = np.random.default_rng(5).random(20_000_003).astype(dtype)
    there = xp.asarray(x)
    first = to_numpy(xp.cumulative_sum(there))
    for _ in range(REPEATED):
        assert np.array_equal(to_numpy(xp.cumulative_sum(there)), first)
    places = [0, 4095, 4_194_304, 20_000_002]
    want = [math.fsum(x.real[: place + 1].astype("float64")) for place in places]
    np.testing.assert_allclose(first.real[places], want, rtol=1e-6)


def test_cumulative_products(xp):
    n = 5_000_000
    x = np.ones(n)
    x[::1000], x[500::1000] = 2.0, 0.5
    assert np.array_equal(to_numpy(xp.cumulative_prod(xp.asarray(x))), np.cumprod(x))


def test_scans_of_several_long_rows_and_columns(xp):
    x = np.random.default_rng(1).integers(0, 9, (3, 2_000_001))
    assert np.array_equal(to_numpy(xp.cumulative_sum(xp.asarray(x), axis=1)), x.cumsum(axis=1))
    y = np.ascontiguousarray(x.T)
    assert np.array_equal(to_numpy(xp.cumulative_sum(xp.asarray(y), axis=0)), y.cumsum(axis=0))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
def test_reductions(xp, n, dtype):
    x = np.random.default_rng(n).integers(-100, 100, n).astype(dtype)
    there = xp.asarray(x)
    want = x.sum(dtype="float64")  # exact
    if dtype == "float32":
        want = np.float32(want)  # which has not every whole number of this size
    for _ in range(REPEATED):  # the counters of finished blocks are 0 again
        assert float(xp.sum(there)) == float(want)
    for name in ("max", "min", "argmax", "argmin", "count_nonzero"):
        assert float(getattr(xp, name)(there)) == float(getattr(np, name)(x)), name
    if dtype != "int8":
        assert math.isclose(float(xp.var(there)), float(x.var(dtype="float64")), rel_tol=1e-6)


@pytest.mark.parametrize("shape", [(5000, 1001), (1001, 5000), (3, 2_000_000), (2_000_000, 3)])
def test_reductions_of_axes(xp, shape):
    x = np.random.default_rng(2).integers(-100, 100, shape).astype("float32")
    there = xp.asarray(x)
    for axis in (0, 1, (0, 1)):
        want = x.sum(axis=axis, dtype="float64").astype("float32")
        for _ in range(3):
            assert np.array_equal(to_numpy(xp.sum(there, axis=axis)), want)
        assert np.array_equal(to_numpy(xp.max(there, axis=axis)), x.max(axis=axis))


@pytest.mark.parametrize("n", SIZES)
def test_masks(xp, n):
    rng = np.random.default_rng(n)
    x, mask = rng.integers(0, 1000, n).astype("int32"), rng.random(n) < 0.5
    there, flags = xp.asarray(x), xp.asarray(mask)
    assert np.array_equal(to_numpy(there[flags]), x[mask])
    assert np.array_equal(to_numpy(xp.nonzero(flags)[0]), np.nonzero(mask)[0])
