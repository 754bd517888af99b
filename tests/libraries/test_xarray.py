"""xarray's arrays of the drop-in's: results are those with NumPy's arrays, in its class."""

import operator

import numpy
import pytest

import corepy as np
import corepy.array_api as xp
from libraries.beside_numpy import GAPS, INTEGERS, NUMBERS, STRIDED, assert_like

xr = pytest.importorskip("xarray")

REDUCTIONS = "count sum mean min max prod std var median argmin argmax cumsum cumprod".split()


def check(call, values, scalars=True):
    """Compare `call` of a DataArray of the drop-in's array with that of one of NumPy's.

    If `scalars` are what it makes in place of arrays without axes, xarray makes NumPy's of them.
    """
    coords = {"x": [1.0, 2.0, 4.0, 8.0], "y": numpy.arange(values.shape[1]) % 3}
    arrays = [
        xr.DataArray(array, dims=("x", "y"), coords=coords)
        for array in (values, np.asarray(values))
    ]
    expected, actual = [call(array) for array in arrays]
    assert type(actual.data) is (np.ndarray if actual.ndim or not scalars else numpy.ndarray)
    assert actual.dims == expected.dims
    assert_like(actual.data, expected.data)
    xr.testing.assert_equal(actual.drop_vars(actual.coords), actual.drop_vars(actual.coords))
    assert all(actual[name].equals(expected[name]) for name in expected.coords)


def test_the_functions_are_corepys_before_and_after_the_import():
    from xarray.core import duck_array_ops, nputils

    for module in (duck_array_ops, nputils):
        assert module.get_array_namespace(xp.ones(2)) is np
        assert module.get_array_namespace(numpy.ones(2)) is numpy


@pytest.mark.parametrize("values", [GAPS, INTEGERS, STRIDED[:, :6]], ids=["float", "int", "view"])
def test_arithmetic(values):
    for call in (operator.add, operator.sub, operator.mul, operator.truediv, operator.gt):
        check(lambda x, call=call: call(x, x.isel(x=0)), values)
        check(lambda x, call=call: call(2.5, x), values)
    check(lambda x: abs(-x) ** 2, values)
    check(numpy.sin, values)
    check(xr.ufuncs.exp, values)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("values", [NUMBERS, GAPS, INTEGERS], ids=["float", "NaN", "int"])
@pytest.mark.parametrize("dim", [None, "x", "y", ("x", "y")], ids=str)
def test_reductions(name, values, dim):
    if name.startswith("arg") and dim is not None and not isinstance(dim, str):
        pytest.skip("xarray gives a dict of arrays")
    for skipna in (None, True, False):
        options = {} if skipna is None or name == "count" else {"skipna": skipna}
        check(lambda x, options=options: getattr(x, name)(dim, **options), values)


def test_reductions_of_booleans_and_further_arguments():
    check(lambda x: (x > 0).any("x"), GAPS)
    check(lambda x: (x > 0).all(), GAPS)
    check(lambda x: x.std("x", ddof=1), GAPS)
    check(lambda x: x.var("y", ddof=1, skipna=False), NUMBERS)
    check(lambda x: x.sum("x", min_count=4), GAPS)


@pytest.mark.parametrize("values", [GAPS, INTEGERS], ids=["float", "int"])
def test_shift_and_pad(values):
    check(lambda x: x.shift(x=1), values)
    check(lambda x: x.shift(x=-1, y=2, fill_value=0), values)
    check(lambda x: x.roll(x=1), values)
    check(lambda x: x.pad(x=1), values)
    modes = "constant edge reflect symmetric wrap linear_ramp maximum mean median minimum".split()
    for mode in modes:
        check(lambda x, mode=mode: x.drop_vars("y").pad(x=(1, 2), mode=mode), values)


@pytest.mark.parametrize("values", [GAPS, INTEGERS], ids=["float", "int"])
def test_rolling(values):
    for name in "sum mean min max std var median count prod".split():
        check(lambda x, name=name: getattr(x.rolling(y=3), name)(), values)
    check(lambda x: x.rolling(y=3, min_periods=1, center=True).sum(), values)
    check(lambda x: x.rolling(x=2, y=3).mean(), values)
    check(lambda x: x.drop_vars("y").rolling(y=3).construct("window"), values)
    check(lambda x: x.coarsen(y=2).mean(), values)


def test_dot():
    check(lambda x: xr.dot(x, x.isel(x=0), dim="y"), NUMBERS)
    check(lambda x: x @ x, NUMBERS, scalars=False)
    check(lambda x: xr.dot(x, x, x, dim="x"), GAPS)


def test_quantile():
    for skipna in (None, True, False):
        check(lambda x, skipna=skipna: x.quantile(0.3, skipna=skipna), GAPS, scalars=False)
        check(lambda x, skipna=skipna: x.quantile([0.1, 0.5], "y", skipna=skipna), GAPS)


@pytest.mark.parametrize("values", [GAPS, INTEGERS], ids=["float", "int"])
def test_groupby(values):
    for name in "sum mean min max std var median count prod first last".split():
        check(lambda x, name=name: getattr(x.groupby("y"), name)(), values)
    check(lambda x: x.groupby("y").map(lambda group: group - group.mean()), values)
    check(lambda x: x.groupby("y") - x.groupby("y").mean(), values)
    check(lambda x: x.groupby("y").quantile(0.5), values)
    check(lambda x: x.groupby_bins("y", [-1, 0, 3]).sum(), values)


def test_an_element_is_a_view():
    check(lambda x: x[0, 1], NUMBERS, scalars=False)
    x = xr.DataArray(np.asarray(NUMBERS, copy=True))
    element = x[0, 1]
    element[...] = 5.0
    assert x.data[0, 1] == 5.0


def test_selection_and_missing_values():
    check(lambda x: x.sel(x=2.0), GAPS)
    check(lambda x: x.isel(x=[2, 0], y=slice(None, None, -1)), GAPS)
    check(lambda x: x.where(x > 0).fillna(-1.0), GAPS)
    check(lambda x: x.dropna("x"), GAPS)
    check(lambda x: xr.concat([x, x.T], "x"), GAPS)


def test_the_text_has_the_tensors():
    assert "array([1, 2])" in repr(xr.DataArray(np.asarray([1, 2])))
    assert "memory" in xr.DataArray(np.asarray([1, 2]))._repr_html_()
