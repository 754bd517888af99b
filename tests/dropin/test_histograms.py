"""The drop-in's own histograms, against NumPy's."""

import itertools

import numpy as np
import pytest

import corepy
from corepy.numpy import _histograms

from .own import arrays, check, same_signature

REAL = ["int8", "uint8", "int32", "int64", "uint64", "float32", "float64"]
DRAW = np.random.default_rng(5)


def test_signatures_are_as_in_numpy():
    same_signature(_histograms)


@pytest.mark.parametrize("dtype", [*REAL, "bool", "complex128"])
def test_histogram(dtype):
    for x in arrays(dtype):
        own = dtype in REAL
        for bins, limits, density in itertools.product(
            (10, 1, 37), (None, (0, 5), (-2.5, 2.5), (3, 3)), (None, True)
        ):
            if dtype in ("int64", "uint64") and limits is None:
                continue  # NumPy computes the edges of the whole range in another way
            known = own and limits != (3, 3)
            check(_histograms, "histogram", x, bins, limits, density, own=known, tolerance=density)
            check(_histograms, "histogram_bin_edges", x, bins, limits, own=known)
        for edges in (np.array([-3.0, 0, 1, 1, 8]), [0, 1, 2], np.array([-1.5, 2], "f4")):
            check(_histograms, "histogram", x, edges, own=dtype in REAL)
            check(_histograms, "histogram", x, edges, density=True, own=False, tolerance=True)
        for bins in ([3, 1], [1], 0, -1, "auto", 2.5, np.int64(4), [[1, 2]]):
            check(_histograms, "histogram", x, bins, own=False)
        for weights in (np.ones(x.shape), np.linspace(0, 1, x.size).reshape(x.shape), [1.0]):
            check(
                _histograms, "histogram", x, 5, (-2, 2), weights=weights, own=False, tolerance=True
            )


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("bins", [1, 10, 24, 25, 200])
def test_large_histogram(dtype, bins):
    x = (DRAW.normal(size=5000) * 100).astype(dtype)
    check(_histograms, "histogram", x, bins)
    check(_histograms, "histogram", x, bins, (-50.0, 100.0))
    check(_histograms, "histogram", np.round(x), bins, (-50, 50))
    check(_histograms, "histogram", x, bins, weights=DRAW.random(5000), tolerance=True)
    check(_histograms, "histogram", x, np.linspace(-50, 50, bins + 1))
    if dtype != "int32":
        x[7] = np.nan
        check(_histograms, "histogram", x, bins, (-50.0, 100.0))
        check(_histograms, "histogram", x, bins, own=False)
        check(_histograms, "histogram", x, np.linspace(-50, 50, bins + 1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("bins", [1, 10, 3000, 60_000])
def test_sums_of_weights_are_as_in_numpy_to_the_bit(dtype, bins):
    """NumPy adds up stretches of 65,536 elements, as threads do here."""
    x = DRAW.normal(size=200_000).astype(dtype)
    x[5], x[6], x[7] = x.max(), x.min(), 0.0
    weights = DRAW.random(200_000)
    for limits in (None, (-1, 2)):
        check(_histograms, "histogram", x, bins, limits, weights=weights)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_ranges_for_which_bins_are_too_many(dtype):
    for first, width, bins in itertools.product((0, -3e7), (0, 1e-30, 1e-9, 4), (1, 3, 1000)):
        x = (first + width * DRAW.random(50)).astype(dtype)
        for name in ("histogram", "histogram_bin_edges"):
            check(_histograms, name, x, bins)
            check(_histograms, name, x, bins, (first, first + width))
        check(_histograms, "histogram2d", x, x, bins)
    x = corepy.ones(3, dtype=dtype)
    for limits in ((2, 1), (0, float("inf")), (float("nan"), 1.0)):
        with pytest.raises(ValueError, match="histogram: max must be larger than min"):
            corepy.histogram(x, 3, limits)
    with pytest.raises(ValueError, match="histogram: bins must be at least 1, got 0"):
        corepy.histogram(x, 0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool", "complex128"])
def test_histogram2d(dtype):
    own = dtype in REAL
    for size in (1, 50, 4000):
        x, y = (DRAW.normal(size=(2, size)) * 10).astype(dtype)
        for bins in (10, [3, 5], 1):
            check(_histograms, "histogram2d", x, y, bins, own=own)
            check(_histograms, "histogram2d", x, y, bins, [[-3, 3], [0, 2]], own=own)
            check(_histograms, "histogram2d", x, y, bins, density=True, own=own, tolerance=True)
        edges = [np.array([-1.0, 0, 5]), np.array([-2.0, 2.0])]
        check(_histograms, "histogram2d", x, y, edges, own=own)
        check(_histograms, "histogram2d", x, y, [3, edges[0]], own=False)
        check(_histograms, "histogram2d", x, y, edges[0], own=False)
        check(_histograms, "histogram2d", x, y[:-1], own=False)
        check(_histograms, "histogram2d", x, y, 4, weights=np.ones(size), own=False)


def test_bincount():
    for dtype in [*REAL, "bool"]:
        for x in arrays(dtype, ((0,), (5,), (2, 2))):
            check(_histograms, "bincount", np.abs(x % 50) if dtype != "bool" else x, own=False)
    draws, weights = DRAW.integers(0, 20, 300), DRAW.random(300)
    for device in ("cpu", "reference"):
        x, w = (corepy.asarray(values, device=device) for values in (draws, weights))
        for args in ((x,), (x, None, 30), (x, w), (x, w, 5), (x[:0], None, 3), (x[:0], w[:0])):
            result = corepy.bincount(*args)
            expected = np.bincount(
                *[np.asarray(a.to_device("cpu")) if hasattr(a, "ndim") else a for a in args]
            )
            assert result.dtype == expected.dtype
            np.testing.assert_allclose(np.asarray(result.to_device("cpu")), expected, rtol=1e-14)
        for args in ((x, None, -1), (x, w[:5]), (x[None],)):
            with pytest.raises(ValueError, match=r"bincount: .* must"):
                corepy.bincount(*args)
        with pytest.raises(ValueError, match="must not have negative elements, got -"):
            corepy.bincount(-x)


@pytest.mark.parametrize("dtype", [*REAL, "bool", "complex128"])
def test_digitize_and_searchsorted(dtype):
    unordered = [1, 3, 2]
    for x in arrays(dtype, nan=True):
        for bins in ([0, 1, 2.5], [5.0, 1, 1, -2], [1, 1], [0.0, np.nan], np.arange(3), unordered):
            for right in (False, True):
                known = bins[-1] == bins[-1] and bins is not unordered
                own = dtype != "complex128" and known
                check(_histograms, "digitize", x, np.asarray(bins), right, own=own)
        for edges in (np.array([-2.0, 0, 0, 3]), np.arange(4, dtype="f4"), np.arange(3), [1, 2]):
            for side in ("left", "right", "up"):
                own = dtype != "complex128" and side != "up"
                check(_histograms, "searchsorted", edges, x, side, own=own)
    single = np.array([0.1, 0.2], "f4")
    for v in (0.1, 0.2, 1, [0.1], np.float32(0.1), True):
        check(_histograms, "searchsorted", single, v)
    x = DRAW.normal(size=30)
    check(_histograms, "searchsorted", x, x, "left", np.argsort(x))
    check(_histograms, "searchsorted", x, x, sorter=np.zeros(3, int), own=False)
    check(_histograms, "searchsorted", np.eye(2), x, own=False)
