"""The functions of array-api-extra: of tensors on every device, and of the drop-in's arrays."""

import numpy
import pytest

import corepy
from corepy import Tensor
from libraries.beside_numpy import GAPS, NUMBERS, assert_like

xpx = pytest.importorskip("array_api_extra")

CALLS = {
    "angle": lambda xp, x: xpx.angle(x + 1j * x[::-1, :]),
    "apply_where": lambda xp, x: xpx.apply_where(x > 0, x, xp.sqrt, fill_value=0.0),
    "argpartition": lambda xp, x: xp.sort(xpx.argpartition(x, 3)[:, :3]),
    "at": lambda xp, x: xpx.at(x)[0, :].set(3.0),
    "at of a mask": lambda xp, x: xpx.at(x)[x > 0].add(3.0),
    "atleast_nd": lambda xp, x: xpx.atleast_nd(x, ndim=3),
    "cov": lambda xp, x: xpx.cov(x),
    "create_diagonal": lambda xp, x: xpx.create_diagonal(x[0, :], offset=1),
    "deg2rad": lambda xp, x: xpx.deg2rad(x),
    "expand_dims": lambda xp, x: xpx.expand_dims(x, axis=(0, 2)),
    "isclose": lambda xp, x: xpx.isclose(x, x + 1e-12),
    "isin": lambda xp, x: xpx.isin(x, x[0, :]),
    "kron": lambda xp, x: xpx.kron(x, x),
    "nan_to_num": lambda xp, x: xpx.nan_to_num(x / 0.0),
    "nunique": lambda xp, x: xp.asarray(xpx.nunique(xp.sign(x))),
    "one_hot": lambda xp, x: xpx.one_hot(xp.asarray([0, 2, 1]), 4),
    "pad": lambda xp, x: xpx.pad(x, ((1, 0), (2, 1)), constant_values=3.0),
    "partition": lambda xp, x: xp.sort(xpx.partition(x, 3)[:, :3]),
    "rad2deg": lambda xp, x: xpx.rad2deg(x),
    "searchsorted": lambda xp, x: xpx.searchsorted(xp.sort(x[0, :]), x[1, :]),
    "setdiff1d": lambda xp, x: xpx.setdiff1d(x[0, :], x[0, :3]),
    "sinc": lambda xp, x: xpx.sinc(x),
    "union1d": lambda xp, x: xpx.union1d(x[0, :], x[1, :]),
    "unravel_index": lambda xp, x: xpx.unravel_index(xp.asarray([3, 7]), (2, 4))[0],
    "tril_indices": lambda xp, x: xpx.tril_indices(3, xp=xp)[0],
    "triu_indices": lambda xp, x: xpx.triu_indices(3, xp=xp)[1],
    "diag_indices": lambda xp, x: xpx.diag_indices(3, xp=xp)[0],
}
# These make new arrays of the standard's namespace.
NEW_ARRAYS = {"create_diagonal", "isin", "pad"}
WITHOUT_NAN = ["nanmax", "nanmean", "nanmin", "nansum"]
NO_ARRAYS = {"broadcast_shapes", "default_dtype", "lazy_apply", "testing", "__version__"}


def needs(name):
    """Skip functions of later versions: the extra `libraries` allows 0.9 and newer."""
    if not hasattr(xpx, name):
        pytest.skip(f"array-api-extra {xpx.__version__} has no {name}, which later versions have")


@pytest.mark.parametrize("name", CALLS)
def test_functions(xp, device, name):
    needs(name.partition(" ")[0])
    actual = CALLS[name](xp, xp.asarray(NUMBERS, copy=True))
    assert type(actual) is Tensor
    assert str(actual.device) == device
    assert_like(actual, CALLS[name](numpy, NUMBERS.copy()))


@pytest.mark.parametrize("name", CALLS)
def test_functions_of_ndarrays(name):
    needs(name.partition(" ")[0])
    actual = CALLS[name](corepy, corepy.asarray(NUMBERS, copy=True))
    assert type(actual) is (Tensor if name in NEW_ARRAYS else corepy.ndarray)
    assert_like(actual, CALLS[name](numpy, NUMBERS.copy()))


@pytest.mark.parametrize("name", WITHOUT_NAN)
def test_reductions_without_nan(xp, name):
    needs(name)
    function = getattr(xpx, name)
    actual = function(xp.asarray(GAPS), axis=0)
    assert type(actual) is Tensor
    assert_like(actual, function(GAPS, axis=0))
    ndarray = function(corepy.asarray(GAPS), axis=0)
    assert type(ndarray) is corepy.ndarray
    assert_like(ndarray, function(GAPS, axis=0))


def test_every_function_is_called():
    called = {name.partition(" ")[0] for name in CALLS}
    assert {*xpx.__all__} <= called | {*WITHOUT_NAN} | NO_ARRAYS


def test_functions_without_arrays():
    xp = corepy.array_api
    assert xpx.default_dtype(xp) == xp.float64
    assert xpx.broadcast_shapes((2, 1), (1, 3)) == (2, 3)
    doubled = xpx.lazy_apply(lambda x: x * 2, xp.asarray(NUMBERS))
    assert_like(doubled, NUMBERS * 2)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
def test_elements(dtype):
    """Those of tensors are arrays with dtypes that promote; those of ndarrays NumPy's scalars."""
    xp = corepy.array_api
    x = xp.asarray([1, 0], dtype=getattr(xp, dtype))
    for one, zero in (x, corepy.asarray(x)):
        assert xpx.isclose(one, 1)
        assert not xpx.isclose(zero, one)
    result = xpx.isclose(x[0], xp.asarray([1.0, 2.0], dtype=xp.float32))
    assert result.tolist() == [True, False]
    assert_like(xpx.atleast_nd(corepy.asarray(x)[0], ndim=1), numpy.asarray([1], dtype=dtype))
