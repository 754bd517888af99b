"""Pillow: images of tensors, and tensors of images."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import assert_as_numpy

Image = pytest.importorskip("PIL.Image")

BYTES = numpy.arange(48, dtype="uint8").reshape(4, 4, 3)


@pytest.mark.parametrize(
    "values",
    [BYTES, BYTES[..., 0], BYTES[::-1, ::2], BYTES.T[0], BYTES[..., 0].astype("float32"),
     BYTES[..., 0].astype("int32"), BYTES[..., 0] > 20],
    ids=["RGB", "gray", "view", "transposed", "float32", "int32", "bool"],
)  # fmt: skip
def test_there_and_back(values):
    image = Image.fromarray(np.asarray(values))
    expected = Image.fromarray(values)
    assert (image.mode, image.size) == (expected.mode, expected.size)
    assert image.tobytes() == expected.tobytes()
    assert_as_numpy(np.asarray(image), values)


def test_modes():
    image = Image.fromarray(BYTES)
    for mode in ("L", "RGBA", "1", "F", "CMYK"):
        assert_as_numpy(np.asarray(image.convert(mode)), numpy.asarray(image.convert(mode)))


def test_devices_refuse():
    t = np.asarray(BYTES).to_device("reference")
    assert not hasattr(t, "__array_interface__")
    assert_as_numpy(np.asarray(Image.fromarray(t.to_numpy())), BYTES)
