"""safetensors: tensors in files, through `safetensors.numpy`."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import EMPTY, INTEGERS, NUMBERS, STRIDED, assert_as_numpy

files = pytest.importorskip("safetensors.numpy")
safe_open = pytest.importorskip("safetensors").safe_open

ARRAYS = {
    "numbers": NUMBERS, "float32": NUMBERS.astype("float32"), "integers": INTEGERS,
    "mask": NUMBERS > 0, "view": STRIDED, "scalar": numpy.asarray(2.5), "empty": EMPTY,
}  # fmt: skip


def contiguous(arrays):
    """Return arrays of the drop-in in C order: safetensors writes memory as it lies."""
    return {name: np.asarray(x).copy() for name, x in arrays.items()}


def test_files(tmp_path):
    path = tmp_path / "t.safetensors"
    files.save_file(contiguous(ARRAYS), path)
    for name, x in files.load_file(path).items():
        assert_as_numpy(np.asarray(x), ARRAYS[name])
    with safe_open(path, framework="np") as file:
        assert_as_numpy(np.asarray(file.get_slice("numbers")[1:3]), NUMBERS[1:3])
        assert_as_numpy(np.asarray(file.get_tensor("view")), STRIDED)


def test_bytes():
    data = files.save(contiguous(ARRAYS))
    assert data == files.save({name: x.copy(order="C") for name, x in ARRAYS.items()})


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves(dtype, tmp_path):
    x = np.asarray([[1.0, 2.5], [-3.0, 1 / 3]]).astype(dtype)
    files.save_file({"x": x}, tmp_path / "t.safetensors")
    found = np.asarray(files.load_file(tmp_path / "t.safetensors")["x"])
    assert found.dtype == x.dtype == dtype
    assert found.tolist() == x.tolist()
