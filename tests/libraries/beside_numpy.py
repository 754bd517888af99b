"""Comparison of what a library makes of tensors with what it makes of NumPy's arrays."""

import numpy
from numpy.testing import assert_allclose

import corepy as np
from corepy import Tensor

_RNG = numpy.random.default_rng(0)
#: Matrices of numbers, of numbers with NaN, of integers, an empty one, and one with other strides.
NUMBERS = _RNG.normal(size=(4, 6))
GAPS = numpy.where(NUMBERS > 1, numpy.nan, NUMBERS)
INTEGERS = _RNG.integers(-5, 5, size=(4, 6))
EMPTY = numpy.zeros((0, 6))
STRIDED = _RNG.normal(size=(6, 8))[::-1, ::2].T
MATRICES = [NUMBERS, GAPS, INTEGERS, EMPTY, STRIDED]


def assert_like(actual, expected, rtol=1e-12):
    """Check that arrays have the same dtype, shape and elements; NaN is NaN."""
    actual, expected = numpy.asarray(actual), numpy.asarray(expected)
    assert actual.dtype == expected.dtype
    assert_allclose(actual, expected, rtol=rtol, atol=rtol, equal_nan=True, strict=True)


def assert_agrees(call, *arrays, result=Tensor, rtol=1e-12):
    """Check that `call` makes of tensors what it makes of ndarrays, as an instance of `result`."""
    expected = call(*arrays)
    actual = call(*(np.asarray(array) for array in arrays))
    assert isinstance(actual, result)
    assert_like(actual, expected, rtol)
