"""Zarr: tensors into arrays, and out of them."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import MATRICES, NUMBERS, assert_as_numpy

zarr = pytest.importorskip("zarr")


@pytest.mark.parametrize("values", [*MATRICES, NUMBERS > 0, NUMBERS * 1j])
def test_in_and_out(tmp_path, values):
    zarr.save_array(tmp_path / "t.zarr", np.asarray(values))
    assert_as_numpy(np.asarray(zarr.open_array(tmp_path / "t.zarr")), values)
    array = zarr.create_array({}, shape=values.shape, dtype=values.dtype, chunks=(2, 3))
    array[...] = np.asarray(values)
    assert_as_numpy(np.asarray(array), values)
    assert_as_numpy(np.asarray(array[:, 1:3]), values[:, 1:3])


def test_parts():
    expected = NUMBERS.copy()
    array = zarr.create_array({}, data=np.asarray(NUMBERS), chunks=(3, 4))
    for x, xp in ((array, np), (expected, numpy)):
        x[0] = xp.asarray(NUMBERS[1])
        x[1:3, :2] = xp.asarray(NUMBERS[1:3, :2]) * 2
        x[3, 0] = xp.max(xp.asarray(NUMBERS))
        x[3, 1:] = 0.0
    assert_as_numpy(np.asarray(array), expected)
    assert_as_numpy(np.asarray(array.oindex[np.asarray([0, 2])]), expected[[0, 2]])
    assert_as_numpy(np.asarray(array[np.asarray(expected) > 0]), expected[expected > 0])
