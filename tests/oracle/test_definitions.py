"""Sorting, searching, sets, transforms and statistics against their definitions in Python."""

import bisect
import cmath
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from . import inputs
from .inputs import ALL, REAL, corepy

DEVICES = pytest.mark.parametrize("device", ["cpu", "reference"])


def to_list(x):
    return np.asarray(x.to_device("cpu")).tolist()


def vector(data, device, dtypes=REAL, values=None, **sizes):
    """A namespace, a tensor of one axis in some layout, and its elements as a list."""
    dtype = data.draw(st.sampled_from(dtypes))
    (size,) = data.draw(inputs.shapes(**{"min_dims": 1, "max_dims": 1, "max_side": 12, **sizes}))
    made = inputs.arrays(data.draw, dtype, (size,), values or inputs.not_nan)
    return corepy.namespace(device), made.on(device), made.values.tolist()


@DEVICES
@given(data=st.data())
def test_sort_is_sorted(device, data):
    xp, x, values = vector(data, device)
    assert to_list(xp.sort(x)) == sorted(values)
    assert to_list(xp.sort(x, descending=True)) == sorted(values, reverse=True)
    order = range(len(values))
    assert to_list(xp.argsort(x)) == sorted(order, key=lambda i: values[i])
    # reverse=True keeps the order of equal elements, as a stable descending sort has to.
    expected = sorted(order, key=lambda i: values[i], reverse=True)
    assert to_list(xp.argsort(x, descending=True)) == expected


@DEVICES
@given(data=st.data())
def test_searchsorted_bisects(device, data):
    xp, x, values = vector(data, device)
    values = sorted(values)
    left = xp.searchsorted(xp.sort(x), x, side="left")
    right = xp.searchsorted(xp.sort(x), x, side="right")
    originals = to_list(x)
    assert to_list(left) == [bisect.bisect_left(values, v) for v in originals]
    assert to_list(right) == [bisect.bisect_right(values, v) for v in originals]


@DEVICES
@given(data=st.data())
def test_extremes_are_the_first(device, data):
    xp, x, values = vector(data, device, min_side=1)
    assert to_list(xp.max(x)) == max(values)
    assert to_list(xp.min(x)) == min(values)
    assert int(xp.argmax(x)) == values.index(max(values))
    assert int(xp.argmin(x)) == values.index(min(values))


@DEVICES
@given(data=st.data())
def test_sets_count(device, data):
    xp, x, values = vector(data, device, ALL)
    expected = Counter(values)
    unique = xp.unique_all(x)
    assert dict(zip(to_list(unique.values), to_list(unique.counts), strict=True)) == expected
    assert len(to_list(unique.values)) == len(expected)
    found = [values.index(v) for v in to_list(unique.values)]
    assert to_list(unique.indices) == found
    assert set(to_list(xp.unique_values(x))) == set(values)


@DEVICES
@given(data=st.data())
def test_membership(device, data):
    xp, x, values = vector(data, device, ALL, inputs.any_value)
    dtype = np.dtype(str(x.dtype)).name
    other = inputs.arrays(data.draw, dtype, data.draw(inputs.shapes()), inputs.any_value)
    among = other.values.reshape(-1).tolist()
    expected = [any(v == w for w in among) for v in values]
    assert to_list(xp.isin(x, other.on(device))) == expected
    assert to_list(xp.isin(x, other.on(device), invert=True)) == [not e for e in expected]


@DEVICES
@given(data=st.data())
def test_truth(device, data):
    """NaN is true, both zeros are false."""
    xp, x, values = vector(data, device, ALL, inputs.any_value)
    assert bool(xp.any(x)) == any(values)
    assert bool(xp.all(x)) == all(values)
    assert int(xp.count_nonzero(x)) == sum(map(bool, values))
    assert to_list(xp.nonzero(x)[0]) == [i for i, v in enumerate(values) if v]
    assert to_list(xp.astype(x, xp.bool)) == [bool(v) for v in values]


# ---- transforms


def transform(values, n, sign):
    """The discrete Fourier transform by its definition, cut or padded to n."""
    values = (values + [0] * n)[:n]
    roots = [cmath.exp(sign * 2j * cmath.pi * k / n) for k in range(n)]
    return [sum(v * roots[j * k % n] for j, v in enumerate(values)) for k in range(n)]


def assert_close(actual, expected, scale, eps):
    assert len(actual) == len(expected)
    for one, other in zip(actual, expected, strict=True):
        assert abs(one - other) <= 32 * eps * scale


@DEVICES
@given(data=st.data())
def test_transforms_are_sums(device, data):
    xp, x, values = vector(
        data, device, ("complex128", "float64"), inputs.moderate(100.0), min_side=1
    )
    n = data.draw(st.integers(1, 12))
    norm = data.draw(st.sampled_from(["backward", "ortho", "forward"]))
    forward = {"backward": 1, "ortho": math.sqrt(n), "forward": n}[norm]
    expected = [v / forward for v in transform(values, n, -1)]
    backward = [v * forward / n for v in transform(values, n, 1)]
    scale = n * (1 + max(map(abs, values)))
    eps = np.finfo(np.float64).eps
    if x.dtype == xp.float64:
        assert_close(to_list(xp.fft.rfft(x, n=n, norm=norm)), expected[: n // 2 + 1], scale, eps)
        half = to_list(xp.fft.ihfft(x, n=n, norm=norm))
        assert_close(
            half, [v * forward / n for v in transform(values, n, 1)][: n // 2 + 1], scale, eps
        )
        x = xp.astype(x, xp.complex128)
    assert_close(to_list(xp.fft.fft(x, n=n, norm=norm)), expected, scale, eps)
    assert_close(to_list(xp.fft.ifft(x, n=n, norm=norm)), backward, scale, eps)


@DEVICES
@pytest.mark.parametrize("n", range(1, 9))
@pytest.mark.parametrize("d", [1.0, 0.25, 3.0])
def test_frequencies(n, d, device):
    xp = corepy.namespace(device)
    every = [*range((n - 1) // 2 + 1), *range(-(n // 2), 0)]
    assert_close(to_list(xp.fft.fftfreq(n, d=d)), [k / (n * d) for k in every], 1 / d, 1e-16)
    half = [k / (n * d) for k in range(n // 2 + 1)]
    assert_close(to_list(xp.fft.rfftfreq(n, d=d)), half, 1 / d, 1e-16)


# ---- statistical functions: the standard's special cases, and exact fractions


@DEVICES
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("correction", [0, 1, 2, 2.5, 3, 7])
def test_no_degrees_of_freedom_are_nan(name, correction, dtype, device):
    """NaN where the number of elements less the correction is 0 or less, and only there."""
    xp = corepy.namespace(device)
    for values in ([], [1.0], [1.0, 3.0], [1.0, 1.0], [1.0, 2.0, 4.0]):
        x = xp.asarray(values, dtype=getattr(xp, dtype))
        result = getattr(xp, name)(x, correction=correction)
        assert math.isnan(float(result)) == (len(values) - correction <= 0)
        rows = getattr(xp, name)(xp.stack([x, x, x]), axis=1, correction=correction, keepdims=True)
        assert rows.shape == (3, 1)
        assert [math.isnan(v) for [v] in to_list(rows)] == [len(values) - correction <= 0] * 3


@DEVICES
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_special_cases_of_means_and_sums(dtype, device):
    xp = corepy.namespace(device)
    empty = xp.zeros((2, 0), dtype=getattr(xp, dtype))
    for axis, shape in ((None, ()), (1, (2,)), (0, (0,)), ((0, 1), ())):
        mean = xp.mean(empty, axis=axis)
        assert mean.shape == shape
        assert mean.dtype == empty.dtype
        assert bool(xp.all(xp.isnan(mean)))
        assert bool(xp.all(xp.sum(empty, axis=axis) == 0))
        assert bool(xp.all(xp.prod(empty, axis=axis) == 1))
    for value in (math.nan, math.inf, -math.inf):
        x = xp.asarray([1.0, value, 2.0], dtype=empty.dtype)
        assert str(complex(xp.mean(x)).real) == str(value)
        assert str(complex(xp.sum(x)).real) == str(value)
        if dtype.startswith("complex"):
            part = xp.asarray([complex(1, 2), complex(3, value)], dtype=empty.dtype)
            assert complex(xp.mean(part)).real == 2.0
            assert str(complex(xp.mean(part)).imag) == str(value)
            assert complex(xp.sum(part)).real == 4.0
        else:
            names = ("var", "std") if value == value else ("var", "std", "max", "min")
            for name in names:
                assert math.isnan(float(getattr(xp, name)(x)))


@DEVICES
@given(data=st.data())
def test_moments_are_exact_fractions_rounded(device, data):
    xp, x, values = vector(data, device, ("float64",), inputs.moderate(100.0), min_side=1)
    correction = data.draw(st.sampled_from([0, 1, 0.5]))
    assume(len(values) > correction)
    exact = [Fraction(v) for v in values]
    mean = sum(exact) / len(exact)
    variance = sum((v - mean) ** 2 for v in exact) / (len(exact) - Fraction(correction))
    scale = 1 + max(map(abs, values))
    assert abs(float(xp.sum(x)) - float(sum(exact))) <= 1e-13 * scale
    assert abs(float(xp.mean(x)) - float(mean)) <= 1e-14 * scale
    assert abs(float(xp.var(x, correction=correction)) - float(variance)) <= 1e-13 * scale**2
    deviation = math.sqrt(variance)
    assert abs(float(xp.std(x, correction=correction)) - deviation) <= 1e-13 * scale
    sums = list(itertools.accumulate(exact))
    assert np.allclose(to_list(xp.cumulative_sum(x)), list(map(float, sums)), atol=1e-12 * scale)
    initial = to_list(xp.cumulative_sum(x, include_initial=True))
    assert np.allclose(initial, [0.0, *map(float, sums)], atol=1e-12 * scale)
    differences = [float(b - a) for a, b in itertools.pairwise(exact)]
    assert to_list(xp.diff(x)) == differences


@DEVICES
@given(data=st.data())
def test_clip_is_minimum_of_maximum(device, data):
    """NaN in x or in a bound gives NaN."""
    xp, x, values = vector(data, device, REAL, inputs.any_value)
    low, high = (data.draw(inputs.any_value(x.dtype.name)) for _ in range(2))
    assume(not low > high)
    bounds = [xp.asarray(np.array(v, dtype=x.dtype)) for v in (low, high)]
    expected = [
        math.nan if v != v or low != low or high != high else min(max(v, low), high) for v in values
    ]
    same = np.testing.assert_array_equal
    same(to_list(xp.clip(x, *bounds)), expected)
    lower = [math.nan if v != v or low != low else max(v, low) for v in values]
    same(to_list(xp.clip(x, bounds[0])), lower)
    same(to_list(xp.clip(x, min=bounds[0])), lower)
