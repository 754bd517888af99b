"""The drop-in's own statistics, against NumPy's."""

import itertools
import warnings

import numpy as np
import pytest

import corepy
from corepy.numpy import _nan, _quantiles, _statistics

from .own import arrays, check, same_signature, to_tensors

REAL = ["bool", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64"]
FLOATS = ["float32", "float64"]
NUMBERS = [*REAL, "complex128"]
AXES = (None, 0, -1, (0, 1), 5)


@pytest.mark.parametrize("module", [_statistics, _quantiles, _nan])
def test_signatures_are_as_in_numpy(module):
    same_signature(module)


def cases(dtype, nan=False):
    for x in arrays(dtype, nan=nan):
        for axis in AXES:
            yield x, axis


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all", "argmin", "argmax"])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_reductions(name, dtype):
    own = {"min", "max", "argmin", "argmax"}.isdisjoint([name]) or dtype != "complex128"
    for x, axis in cases(dtype):
        common = own and x.size > 0 and x.ndim > 0 and axis in (None, 0, -1)
        for keepdims in (True, False):
            check(_statistics, name, x, axis, keepdims=keepdims, own=common, tolerance=True)
        if name not in ("argmin", "argmax"):
            # what is not identified by a value
            mask = np.arange(x.size).reshape(x.shape) % 3 > 0
            keywords = {"where": mask, "axis": axis}
            given = name in ("min", "max")
            if given:
                keywords["initial"] = 3
            common = common and not (dtype == "bool" and given)
            check(_statistics, name, x, own=common, tolerance=True, **keywords)


def test_initial():
    x = np.arange(1.0, 6.0)
    for name, dtype in itertools.product(("sum", "prod", "min", "max"), NUMBERS):
        for initial in (2, 100, -1, 2.5, True, 300, 1j):
            check(_statistics, name, x.astype(dtype), initial=initial, own=False)
    check(_statistics, "sum", x, initial=2.5)
    check(_statistics, "max", x.astype("int32"), initial=7)
    check(_statistics, "min", np.zeros((0, 3)), 0, initial=7, own=False)


def test_out():
    x = np.arange(6.0).reshape(2, 3)
    for name in ("sum", "prod", "mean", "min", "max", "std", "var", "ptp"):
        function, out = getattr(corepy, name), corepy.zeros(3)
        assert function.route(to_tensors(x), 0, out=out) is not None
        assert function(to_tensors(x), 0, out=out) is out
        np.testing.assert_allclose(np.asarray(out), getattr(np, name)(x, axis=0), rtol=1e-15)
        assert function.route(to_tensors(x), 0, out=np.zeros(3)) is None
        with pytest.raises(ValueError, match="shape"):
            function(to_tensors(x), 0, out=corepy.zeros(2))
        out = corepy.zeros(3, dtype="int32")
        if name == "ptp":
            with pytest.raises(TypeError, match="dtype int32"):
                function(to_tensors(x), 0, out=out)
        else:  # NumPy casts
            assert function.route(to_tensors(x), 0, out=out) is None


@pytest.mark.parametrize("dtype", NUMBERS)
def test_moments(dtype):
    for x, axis in cases(dtype):
        mask = np.arange(x.size).reshape(x.shape) % 3 > 0
        for name in ("mean", "var", "std"):
            own = bool(x.size) and axis != 5
            own = own and axis != (0, 1)
            more = {} if name == "mean" else {"ddof": 1}
            common = x.ndim and own and (axis is None or x.shape[axis] > 1) and x.size > 1
            if dtype in ("int64", "uint64"):
                continue
            check(_statistics, name, x, axis, own=bool(common), tolerance=True, **more)
            check(_statistics, name, x, axis, own=False, tolerance=True, where=mask, **more)
            if dtype != "int32":
                check(_statistics, name, x, axis, dtype="float32", own=False, tolerance=True)
    x = np.arange(12.0).reshape(3, 4)
    for name in ("var", "std"):
        check(_statistics, name, x, 1, mean=x.mean(1, keepdims=True), tolerance=True)
        check(_statistics, name, x, 1, where=x > 1, ddof=1, keepdims=True, tolerance=True)
        check(_statistics, name, x, 1, correction=1, tolerance=True)
        check(_statistics, name, x, 1, correction=1, ddof=1, own=False, tolerance=True)
    check(_statistics, "mean", x, 1, where=x > 1, tolerance=True)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_spread_and_counts(dtype):
    for x, axis in cases(dtype):
        check(_statistics, "ptp", x, axis, own=False)
        check(_statistics, "ptp", x, axis, keepdims=True, own=False)
        check(_statistics, "count_nonzero", x, axis, own=axis in (None, -1) and x.ndim > 0)
    check(_statistics, "ptp", np.arange(12.0).reshape(3, 4), 0)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_average(dtype):
    for x, axis in cases(dtype):
        if dtype in ("int64", "uint64"):
            x = x % 7
        weights = np.arange(1, x.size + 1).reshape(x.shape)
        own = x.size > 0 and axis in (None, -1) and x.ndim > 0
        check(_statistics, "average", x, axis, tolerance=True, own=own)
        check(_statistics, "average", x, axis, returned=True, own=False, tolerance=True)
        check(_statistics, "average", x, axis, weights, own=own, tolerance=True)
        check(_statistics, "average", x, axis, weights, True, own=False, tolerance=True)
        if x.ndim > 1 and isinstance(axis, int) and axis < x.ndim:
            line = np.linspace(0.5, 2, x.shape[axis])
            check(_statistics, "average", x, axis, line, own=x.size > 0, tolerance=True)
            check(_statistics, "average", x, axis, line, True, own=False, tolerance=True)
            check(_statistics, "average", x, axis, line, keepdims=True, own=False, tolerance=True)
        check(_statistics, "average", x, axis, np.zeros(x.shape), own=False, tolerance=True)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "float32", "float64", "complex128"])
def test_covariance(dtype):
    for x in arrays(dtype):
        for keywords in ({}, {"rowvar": False}, {"bias": True}, {"ddof": 0}, {"y": x}):
            own = 1 <= x.ndim < 3 and min(x.shape) > 1 and keywords != {"ddof": 2}
            check(_statistics, "cov", x, own=own, tolerance=True, **keywords)
        for keywords in ({}, {"rowvar": False}, {"y": x}):
            own = 1 <= x.ndim < 3 and min(x.shape) > 1 and dtype != "complex128"
            check(_statistics, "corrcoef", x, own=own, tolerance=True, **keywords)
    x = np.random.default_rng(0).normal(size=(3, 20))
    check(_statistics, "cov", x, x[0], own=True, tolerance=True)
    check(_statistics, "cov", x[0], x[1:], own=True, tolerance=True)
    check(_statistics, "cov", x.T, x[:2].T, False, own=True, tolerance=True)


@pytest.mark.parametrize("nan", [False, True])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_median(dtype, nan):
    for x, axis in cases(dtype, nan):
        for keepdims in (True, False):
            own = x.size > 0 and dtype != "complex128" and axis in (None, -1) and x.ndim > 0
            check(_quantiles, "median", x, axis, keepdims=keepdims, own=own)
    check(_quantiles, "median", np.arange(24.0).reshape(2, 3, 4), (0, -1))
    for x in ([np.inf, np.inf], [-np.inf, np.inf], [1.0, np.inf, 2], [np.nan]):
        check(_quantiles, "median", np.array(x))


METHODS = """linear lower higher midpoint nearest inverted_cdf averaged_inverted_cdf hazen weibull
closest_observation interpolated_inverted_cdf median_unbiased normal_unbiased none""".split()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", NUMBERS)
def test_quantiles(dtype, method):
    if method != "linear" and dtype not in ("int8", "float32", "float64"):
        return
    for nan in (False, True) if dtype in FLOATS else (False,):
        few = ((1,), (6,), (41,), (4, 5)) if method == "linear" else ((1,), (4, 5))
        for x, axis in itertools.product(arrays(dtype, few, nan), (None, -1)):
            own = x.size > 0 and dtype not in ("complex128", "bool") and method != "none"
            own = own and (axis is None or x.ndim > 0)
            for q in (0.0, 50, 37.5, 100, np.float64(30), [10, 90.0], [0, 100], np.array([[5]])):
                known = own and np.ndim(q) < 2 and not (nan and type(q) is np.float64)
                check(_quantiles, "percentile", x, q, axis, method=method, own=known)
            for q in (0.25, 1.0, [0.1, 0.5, 0.75], 1, [0, 1], 1.5, np.nan):
                known = own and np.all(np.asarray(q) <= 1) and np.asarray(q).dtype.kind == "f"
                check(_quantiles, "quantile", x, q, axis, method=method, keepdims=True, own=known)
    x = np.arange(24.0).reshape(2, 3, 4)
    check(_quantiles, "quantile", x, [0.2, 0.3], (0, 2), method=method, own=False, keepdims=True)
    assert corepy.percentile.route(to_tensors(x), np.ma.array([5.0])) is None
    check(_quantiles, "quantile", np.array([1, np.inf]), 1.0, method=method, own=False)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
@pytest.mark.parametrize(
    "shape", ["random", "ties", "constant", "sorted", "periodic", "nan", "inf"]
)
@pytest.mark.parametrize("n", [1_001, 300_001])  # partitioned, and found by a sample
def test_ranks_of_large_tensors(n, dtype, shape):
    draw = np.random.default_rng(3)
    x = draw.normal(size=n) * 1000
    if shape == "ties":
        x = np.round(x / 1000)
    elif shape == "constant":
        x[:] = 3
    elif shape == "sorted":
        x.sort()
    elif shape == "periodic":
        x = np.where(np.arange(n) % 3 == 0, -5.0, x)
        x[::7] = 1e6
    elif shape == "nan" and dtype != "int32":
        x[77] = np.nan
    elif shape == "inf" and dtype != "int32":
        x[::2] = np.inf
    x = x.astype(dtype)
    for part in (x, x[:-1], x[::-1]):
        check(_quantiles, "median", part)
        check(_quantiles, "percentile", part, [0, 0.001, 5, 50, 99.99, 100])
        check(_nan, "nanmedian", part)
        check(_nan, "nanpercentile", part, 30)


@pytest.mark.parametrize("name", _nan.__all__)
@pytest.mark.parametrize("dtype", NUMBERS)
def test_what_ignores_nan(name, dtype):
    more = ([25], [[10.0, 80.0]]) if name.endswith("ile") else ([],)
    if name == "nanquantile":
        more = ([0.25], [[0.1, 0.8]])
    if dtype in ("int64", "uint64") and name in ("nanmean", "nanvar", "nanstd"):
        return  # sums of extremes
    for nan, q in itertools.product((False, True), more):
        for x, axis in cases(dtype, nan):
            own = dtype in FLOATS and x.ndim > 0 and x.size > 6 and axis in (None, -1)
            own = own and not (x.ndim == 2 and nan and "a" in name and x.shape[-1] < 3)
            check(_nan, name, x, *q, axis=axis, tolerance=True, own=own)
            check(_nan, name, x, *q, axis=axis, keepdims=True, tolerance=True, own=own)
    x = np.full((3, 4), np.nan)
    x[1] = [1, np.nan, 3, np.inf]
    for part, axis in itertools.product((x, x[0], x[1], x[:2].T), (None, 0, -1)):
        check(_nan, name, part.astype(dtype if dtype in FLOATS else "f8"), *q, axis=axis, own=False)


def test_no_elements_are_warned_of():
    x = to_tensors(np.array([[1.0, 2.0], [np.nan, np.nan]]))
    for name in ("nanmin", "nanmax", "nanmean"):
        assert getattr(corepy, name).route(x, 1) is getattr(_nan, name)
        with pytest.warns(RuntimeWarning):
            assert np.isnan(getattr(corepy, name)(x, 1)).tolist() == [False, True]


EMPTY = [
    ("mean", [], {}),
    ("mean", np.zeros((0, 3)), {}),
    ("mean", np.zeros((0, 3)), {"axis": 0}),
    ("mean", np.zeros((0, 3)), {"axis": 1}),
    ("var", [], {}),
    ("std", [1.0], {"ddof": 1}),
    ("std", [[1.0, 2.0]], {"axis": 0, "ddof": 1}),
    ("var", np.ones((3, 1)), {"ddof": 1}),
    ("var", np.ones((3, 1)), {"axis": 1, "ddof": 1}),
    ("var", 1.0, {"ddof": 1}),
    ("nanmean", [np.nan], {}),
    ("nanstd", [np.nan], {}),
]


@pytest.mark.parametrize(("name", "elements", "keywords"), EMPTY)
def test_moments_of_nothing_warn_as_numpy(name, elements, keywords):
    def messages(module, operand):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = getattr(module, name)(operand, **keywords)
        return np.asarray(found).tolist(), sorted(str(each.message) for each in caught)

    expected = messages(np, np.asarray(elements))
    for operand in (corepy.asarray(elements, dtype="float64"), elements, np.asarray(elements)):
        assert str(messages(corepy, operand)) == str(expected)
