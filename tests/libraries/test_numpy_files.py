"""Files of NumPy's formats, and tensors over memory maps."""

import numpy
import pytest

import corepy as np
from corepy.lazy import is_deferred
from libraries.beside_numpy import MATRICES, NUMBERS, assert_as_numpy


@pytest.mark.parametrize("save", [np.save, numpy.save])
@pytest.mark.parametrize("values", MATRICES)
def test_npy(tmp_path, save, values):
    save(tmp_path / "t.npy", np.asarray(values))
    assert_as_numpy(np.load(tmp_path / "t.npy"), values)
    numpy.testing.assert_array_equal(numpy.load(tmp_path / "t.npy"), values)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed, numpy.savez])
def test_npz(tmp_path, save):
    save(tmp_path / "t.npz", np.asarray(NUMBERS), mask=np.asarray(NUMBERS > 0))
    with np.load(tmp_path / "t.npz") as file:
        assert isinstance(file, np.lib.npyio.NpzFile)
        assert_as_numpy(file["arr_0"], NUMBERS)
        assert_as_numpy(file.f.mask, NUMBERS > 0)
        assert_as_numpy(dict(file)["mask"], NUMBERS > 0)


def test_operations_on_arrays_of_files_are_deferred(tmp_path):
    np.savez(tmp_path / "t.npz", x=np.zeros(10000))
    np.save(tmp_path / "t.npy", np.zeros(10000))
    (tmp_path / "t.txt").write_text("1\n" * 10000)
    shared = numpy.loadtxt(tmp_path / "t.txt")  # the program may write to it
    with np.config(fusion_threshold=0), np.fuse():
        for x in (
            np.load(tmp_path / "t.npz")["x"],
            np.load(tmp_path / "t.npy"),
            np.loadtxt(tmp_path / "t.txt"),
        ):
            assert is_deferred(x + 1.0)
        assert not is_deferred(np.asarray(shared) + 1.0)


def test_memory_maps(tmp_path):
    np.save(tmp_path / "t.npy", np.asarray(NUMBERS))
    mapped = np.asarray(np.load(tmp_path / "t.npy", mmap_mode="r+"))
    assert_as_numpy(mapped, NUMBERS)
    mapped[0, :] = 7.0
    assert_as_numpy(np.load(tmp_path / "t.npy")[0], numpy.full(6, 7.0))
    read_only = np.asarray(np.load(tmp_path / "t.npy", mmap_mode="r"))
    with pytest.raises(ValueError, match="read-only"):
        read_only[0, 0] = 1.0
    assert_as_numpy(np.sum(read_only, axis=1)[:1], numpy.full(1, 42.0))


def test_a_new_memory_map(tmp_path):
    array = numpy.memmap(tmp_path / "t.bin", dtype="float64", mode="w+", shape=(4, 6))
    t = np.asarray(array)
    t[...] = NUMBERS
    array.flush()
    assert_as_numpy(np.fromfile(tmp_path / "t.bin").reshape(4, 6), NUMBERS)


def test_text_and_bytes(tmp_path):
    t = np.asarray(NUMBERS)
    np.savetxt(tmp_path / "t.txt", t)
    assert_as_numpy(np.loadtxt(tmp_path / "t.txt"), NUMBERS)
    t.tofile(tmp_path / "t.bin")
    assert_as_numpy(np.fromfile(tmp_path / "t.bin"), NUMBERS.ravel())
    assert_as_numpy(np.frombuffer(t.tobytes()), NUMBERS.ravel())
