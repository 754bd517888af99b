"""Arrays of every dtype and layout, and the comparison of a tensor with an ndarray."""

from types import SimpleNamespace

import hypothesis.extra.numpy as hnp
import numpy as np
from hypothesis import strategies as st

import corepy
from corepy import Tensor
from corepy._cython.core import function_of
from corepy._cython.schema import records
from corepy.testing._checks import rows

DTYPES = [
    np.dtype(name)
    for name in (
        "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 "
        "complex128"
    ).split()
]
DTYPE_NAMES = [str(dtype) for dtype in DTYPES]
HALVES = [np.dtype(np.float16), np.dtype(corepy.array_api.bfloat16)]

CATEGORIES = rows.CATEGORIES  # name in operations.def -> kinds of NumPy dtypes


def read_operations(standard=True):
    """Name, kind of operation, category and rule of the result of each numbered operation.

    Those of the standard, or those that it does not have: NumPy's and of neural networks.
    """
    return [
        (row.name, row.work, row.accepts[0], row.dtype[0])
        for row in records.ROWS
        if row.work and (row.page not in records.BEYOND) == standard
    ]


#: The operations that the standard does not have, as attributes.
BEYOND = SimpleNamespace(**{row[0]: function_of(row[0]) for row in read_operations(standard=False)})


def special_values(dtype):
    """A one-dimensional array of the values of a dtype that are most often got wrong."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = {info.min, info.min + 1, 0, 1, 2, 3, 7, 100, info.max - 1, info.max}
        if dtype.kind == "i":
            values |= {-1, -2, -3, -7, -100}
        return np.array(sorted(values), dtype=dtype)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        positive = [0.0, info.smallest_subnormal, info.tiny, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
        positive += [7.3, 1e10, info.max, np.inf]
        return np.array([*positive, *(-value for value in positive), np.nan], dtype=dtype)
    parts = np.array([0.0, -0.0, 1.0, -2.5, 0.1, 3.0, np.inf, -np.inf, np.nan])
    real, imag = np.meshgrid(parts, parts)
    values = np.empty(real.shape, dtype=dtype)
    values.real, values.imag = real, imag
    return values.ravel()


def elements(dtype):
    """Elements of a dtype, extremes among them."""
    dtype = np.dtype(dtype)
    return st.one_of(hnp.from_dtype(dtype), st.sampled_from(list(special_values(dtype))))


def random_array(dtype, shape, seed=0, near_one=False):
    """Random elements: any integers, and of the others normal ones.

    `near_one` puts the others where the product of a thousand of them is still a number.
    """
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    values = rng.standard_normal(shape)
    if near_one:
        values = np.exp(values / 20)
    if dtype.kind == "c":
        other = rng.standard_normal(shape)
        values = values * np.exp(1j * other) if near_one else values + 1j * other
    return values.astype(dtype)


LAYOUTS = ("contiguous", "strided", "negative", "transposed", "offset", "broadcast")


def with_layout(array, layout):
    """The elements of `array` in other places of memory (``broadcast``: some of them repeated)."""
    if array.ndim == 0:
        return array
    if layout == "strided":
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1] + 1), dtype=array.dtype)
        view = wide[..., 1::2]
        view[...] = array
        return view
    if layout == "negative":
        return np.flip(np.flip(array).copy())
    if layout == "transposed":
        return np.ascontiguousarray(array.T).T
    if layout == "offset":
        wide = np.zeros((array.shape[0] + 3, *array.shape[1:]), dtype=array.dtype)
        wide[2:-1] = array
        return wide[2:-1]
    if layout == "broadcast" and array.shape[0]:
        return np.broadcast_to(array[:1], array.shape)
    return array


def shapes(min_dims=0, max_dims=4, min_side=0, max_side=5):
    """Shapes, empty and 0-d ones among them."""
    return hnp.array_shapes(
        min_dims=max(min_dims, 1), max_dims=max_dims, min_side=min_side, max_side=max_side
    ) | (st.just(()) if min_dims == 0 else st.nothing())


@st.composite
def arrays(draw, dtype=None, shape=None, layouts=LAYOUTS):
    """ndarrays of any dtype, shape and layout."""
    dtype = draw(st.sampled_from(DTYPES)) if dtype is None else np.dtype(dtype)
    shape = draw(shapes()) if shape is None else shape
    array = draw(hnp.arrays(dtype, shape, elements=elements(dtype)))
    return with_layout(array, draw(st.sampled_from(layouts)))


def assert_as_numpy(actual, expected, **options):
    """`assert_same` for what the drop-in returns: an ndarray, or NumPy's scalar."""
    cls = corepy.ndarray if type(expected) is np.ndarray else type(expected)
    assert_same(actual, expected, cls=cls, **options)


def assert_same(actual, expected, *, cls=Tensor, ulp=0, signs=False):
    """Check that a tensor on the CPU is an ndarray's like in dtype, shape and elements.

    NaN is NaN. `ulp` allows for rounding, in units in the last place; `signs` tells zeros apart.
    """
    expected = np.asarray(expected)
    assert type(actual) is cls
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    values = np.asarray(actual.to_device("cpu"))
    if ulp and expected.dtype.kind in "fc":
        real = expected.dtype if expected.dtype.kind == "f" else np.finfo(expected.dtype).dtype
        np.testing.assert_allclose(values, expected, rtol=ulp * np.finfo(real).eps, atol=0)
    else:
        np.testing.assert_array_equal(values, expected)
    if signs and expected.dtype.kind == "f":
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(values)[numbers], np.signbit(expected)[numbers])
