"""Dask's arrays of the drop-in's: chunks and results are as with NumPy's."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import GAPS, NUMBERS, assert_as_numpy, assert_like

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

ELEMENTWISE = {
    "arithmetic": lambda x: 2 * x + x**2 - x[:1],
    "function": da.exp,
    "NumPy's function": numpy.sin,
    "comparison": lambda x: x > 0,
    "where": lambda x: da.where(x > 0, x, 0.0),
    "clip": lambda x: da.clip(x, 0.0, 1.0),
    "astype": lambda x: x.astype("float32"),
    "beside ndarrays": lambda x: NUMBERS + x,
    "isnan": da.isnan,
}
SHAPES = {
    "slices": lambda x: x[1:3, ::2],
    "integers": lambda x: x[[0, 2]],
    "transposed": lambda x: x.T,
    "reshaped": lambda x: x.reshape(-1),
    "rechunked": lambda x: x.rechunk((4, 2)),
    "joined": lambda x: da.concatenate([x, x], axis=1),
    "stacked": lambda x: da.stack([x, x]),
    "padded": lambda x: da.pad(x, 1, mode="edge"),
    "rolled": lambda x: da.roll(x, 2, axis=0),
    "blocks": lambda x: x.map_blocks(lambda block: block * 2),
    "overlap": lambda x: x.map_overlap(lambda block: block * 2, depth=1),
    "differences": lambda x: da.diff(x),
    "topk": lambda x: da.topk(x, 2, axis=0),
}
PRODUCTS = {
    "matmul": lambda x: x @ x.T,
    "tensordot": lambda x: da.tensordot(x, x, axes=((0,), (0,))),
    "einsum": lambda x: da.einsum("ij,kj->ik", x, x),
    "norm": lambda x: da.linalg.norm(x),
    "svd": lambda x: da.linalg.svd(x.rechunk((2, 6)))[1],
    "cov": lambda x: da.cov(x),
}
REDUCTIONS = "sum mean min max prod std var any all cumsum cumprod".split()
WITHOUT_NAN = "nansum nanmean nanmin nanmax nanstd nanvar nanprod nancumsum".split()


@pytest.fixture(autouse=True)
def at_once():
    with dask.config.set(scheduler="synchronous"):
        yield


def check(call, values, rtol=1e-12):
    lazy, expected = (
        call(da.from_array(array, chunks=(2, 3))) for array in (np.asarray(values), values)
    )
    # Of a scalar Dask makes an array of NumPy's.
    assert type(lazy._meta) is (np.ndarray if lazy.ndim else numpy.ndarray)
    chunks = (dask.compute(*x.to_delayed().ravel()) for x in (lazy, expected))
    for chunk, theirs in zip(*chunks, strict=True):
        assert_as_numpy(chunk, theirs, rtol)
    assert_as_numpy(lazy.compute(), expected.compute(), rtol)


@pytest.mark.parametrize("name", [*ELEMENTWISE, *SHAPES, *PRODUCTS])
def test_operations(name):
    check((ELEMENTWISE | SHAPES | PRODUCTS)[name], NUMBERS)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    check(lambda x: getattr(x, name)(axis=0), NUMBERS)
    if not name.startswith("cum"):
        check(lambda x: getattr(x, name)(), GAPS)


@pytest.mark.parametrize("name", WITHOUT_NAN)
def test_reductions_without_nan(name):
    check(lambda x: getattr(da, name)(x, axis=0), GAPS)


def test_tensors_beside_arrays_of_dask():
    lazy, t = da.from_array(NUMBERS, chunks=2), np.asarray(NUMBERS)
    for result in (lazy + t, t + lazy, numpy.add(t, lazy)):
        assert isinstance(result, da.Array)
        assert_like(result.compute(), NUMBERS + NUMBERS)
    chunks = lazy.map_blocks(np.asarray)
    assert type(chunks.compute()) is np.ndarray


def test_percentiles():
    row = da.from_array(np.asarray(NUMBERS[0]), chunks=6)
    expected = da.percentile(da.from_array(NUMBERS[0], chunks=6), [30, 50]).compute()
    assert_as_numpy(da.percentile(row, [30, 50]).compute(), expected, rtol=1e-12)


def test_in_other_processes():
    with dask.config.set(scheduler="processes"):
        mean = da.from_array(np.asarray(NUMBERS), chunks=3).mean().compute()
    assert_as_numpy(mean, NUMBERS.mean(), rtol=1e-12)
