"""Arrays as HTML, as Jupyter shows them."""

import base64
import io
import re

import numpy
import pytest

import corepy as np


def thumbnail(x):
    """Return the picture's values and opacity."""
    image = pytest.importorskip("PIL.Image")
    data = re.search(r"base64,([^\"]*)", x._repr_html_())[1]
    with image.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert picture.mode == "LA"
        return numpy.asarray(picture)[..., 0], numpy.asarray(picture)[..., 1]


def test_ipython_shows_it():
    formatters = pytest.importorskip("IPython.core.formatters")
    t = np.asarray([[1.0, 2.0]])
    shown, _ = formatters.DisplayFormatter().format(t)
    assert shown["text/plain"] == repr(t)
    assert shown["text/html"] == t._repr_html_()


def test_facts(device):
    page = np.zeros((3, 256), dtype="float32", device=device)._repr_html_()
    for fact in ("(3, 256)", "float32", device, "3.0 KiB"):
        assert f"<td>{fact}</td>" in page
    assert "<td>0 B</td>" in np.zeros((0, 3))._repr_html_()


def test_elements_are_escaped_text():
    t = np.asarray([1.5, 2.5])
    assert "<pre>array([1.5, 2.5])</pre>" in t._repr_html_()
    assert "<pre>Tensor([1.5, 2.5])</pre>" in np.array_api.asarray([1.5, 2.5])._repr_html_()
    assert "&#x27;reference&#x27;" in t.to_device("reference")._repr_html_()


def test_only_matrices_have_a_thumbnail():
    for shape in ((), (3,), (2, 3, 4), (0, 3)):
        assert "<img" not in np.ones(shape)._repr_html_()


@pytest.mark.parametrize(
    "values, expected",
    [
        ([[0.0, 1.0], [2.0, 4.0]], [[0, 63], [127, 255]]),
        ([[False, True]], [[0, 255]]),
        ([[3 + 4j, 0j]], [[255, 0]]),
        ([[2**64 - 1, 0]], [[255, 0]]),
        ([[1e308, -1e308, 0.0]], [[255, 0, 127]]),
        ([[5, 5]], [[127, 127]]),
    ],
)
def test_a_thumbnail_is_from_black_to_white(values, expected):
    gray, opacity = thumbnail(np.asarray(values))
    assert gray.tolist() == expected
    assert (opacity == 255).all()


def test_values_that_are_not_finite_are_transparent():
    gray, opacity = thumbnail(np.asarray([[np.nan, 1.0], [np.inf, 3.0]]))
    assert opacity.tolist() == [[0, 255], [0, 255]]
    assert gray[:, 1].tolist() == [0, 255]
    assert (thumbnail(np.full((2, 2), np.nan))[1] == 0).all()


def test_of_a_large_matrix_some_rows_and_columns():
    values = numpy.arange(300.0)[:, None] + numpy.zeros(1000)
    gray, _ = thumbnail(np.asarray(values))
    assert gray.shape == (60, 63)
    rows = values[::5, 0]
    assert gray[:, 0].tolist() == (rows / rows.max() * 255).astype("uint8").tolist()
    assert thumbnail(np.asarray(values).T)[0].shape == (63, 60)
    assert len(np.zeros((3000, 3000))._repr_html_()) < 3000
