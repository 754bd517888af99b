"""Matplotlib draws of tensors what it draws of NumPy's arrays."""

import io

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import GAPS, NUMBERS

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

DRAWINGS = {
    "plot": lambda axes, x: axes.plot(x[0], x[1]),
    "plot of columns": lambda axes, x: axes.plot(x),
    "imshow": lambda axes, x: axes.imshow(x, vmin=x.min(), vmax=x.max()),
    "imshow of a mask": lambda axes, x: axes.imshow(x > 0),
    "hist": lambda axes, x: axes.hist(x[0], bins=5),
    "hist of columns": lambda axes, x: axes.hist(x),
    "scatter": lambda axes, x: axes.scatter(x[0], x[1], c=x[2], s=abs(x[3]) * 50),
    "contour": lambda axes, x: axes.contour(x),
    "errorbar": lambda axes, x: axes.errorbar(x[0], x[1], yerr=abs(x[2])),
    "fill": lambda axes, x: axes.fill_between(x[0], x[1], x[2]),
    "stream lines": lambda axes, x: axes.streamplot(
        range(6), range(4), x, -x, color=abs(x), linewidth=abs(x), density=0.3
    ),
    "bar": lambda axes, x: axes.bar([0, 1, 2, 3], x[:, 0]),
    "limits": lambda axes, x: axes.set_xlim(x[0].min(), x[0].max()),
}


def picture(draw, values):
    figure, axes = pyplot.subplots(figsize=(2, 2))
    try:
        draw(axes, values)
        file = io.BytesIO()
        figure.savefig(file, format="raw")
        return numpy.frombuffer(file.getvalue(), dtype="uint8")
    finally:
        pyplot.close(figure)


@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.parametrize("values", [NUMBERS, NUMBERS[::-1, ::-1]], ids=["array", "view"])
def test_pictures_are_the_same(name, values):
    expected = picture(DRAWINGS[name], values)
    numpy.testing.assert_array_equal(picture(DRAWINGS[name], np.asarray(values)), expected)
    in_numpy = np.asarray(values).to_numpy()
    numpy.testing.assert_array_equal(picture(DRAWINGS[name], in_numpy), expected)


def test_nan_is_a_gap():
    for name in ("plot", "imshow", "contour"):
        expected = picture(DRAWINGS[name], GAPS)
        numpy.testing.assert_array_equal(picture(DRAWINGS[name], np.asarray(GAPS)), expected)
