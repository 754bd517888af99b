"""HDF5: tensors into data sets and attributes, and out of them."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import MATRICES, NUMBERS, assert_as_numpy

h5py = pytest.importorskip("h5py")


@pytest.fixture
def file(tmp_path):
    with h5py.File(tmp_path / "t.h5", "w") as file:
        yield file


@pytest.mark.parametrize("values", [*MATRICES, NUMBERS > 0, NUMBERS * 1j])
def test_in_and_out(file, values):
    file["t"] = np.asarray(values)
    numpy.testing.assert_array_equal(file["t"][...], values)
    assert_as_numpy(np.asarray(file["t"]), values)
    assert_as_numpy(np.asarray(file["t"][:, ::2]), values[:, ::2])


def test_parts(file):
    expected = NUMBERS.copy()
    data = file.create_dataset("t", data=np.asarray(NUMBERS), chunks=(2, 3), compression="gzip")
    for x, xp in ((data, np), (expected, numpy)):
        x[0] = xp.asarray(NUMBERS[1])
        x[1:3, ::2] = xp.asarray(NUMBERS[1:3, ::2]) * 2
        x[3, 0] = xp.max(xp.asarray(NUMBERS))
    assert_as_numpy(np.asarray(data), expected)
    assert_as_numpy(np.asarray(data[np.asarray([0, 2])]), expected[[0, 2]])
    assert_as_numpy(np.asarray(data[(np.asarray(expected) > 0).to_numpy()]), expected[expected > 0])


def test_reading_into_a_tensors_memory(file):
    file["t"] = np.asarray(NUMBERS)
    t = np.zeros((4, 6))
    file["t"].read_direct(t.to_numpy())
    assert_as_numpy(t, NUMBERS)


def test_attributes(file):
    file.attrs["row"] = np.asarray(NUMBERS[0])
    file.attrs["scalar"] = np.sum(np.asarray([1, 2]))
    assert_as_numpy(np.asarray(file.attrs["row"]), NUMBERS[0])
    assert file.attrs["scalar"] == 3
