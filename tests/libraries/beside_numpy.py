"""Comparison of what a library makes of arrays of the drop-in with what it makes of NumPy's."""

import numpy
from numpy.testing import assert_allclose

import corepy as np

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


def assert_as_numpy(actual, expected, rtol=0.0):
    """Check that a result is NumPy's scalar, or an ndarray of the drop-in like NumPy's."""
    assert type(actual) is (np.ndarray if type(expected) is numpy.ndarray else type(expected))
    assert_like(actual, expected, rtol)


def assert_agrees(call, *arrays, rtol=1e-12):
    """Check that `call` makes of arrays of the drop-in what it makes of NumPy's."""
    expected = call(*arrays)
    assert_as_numpy(call(*(np.asarray(array) for array in arrays)), expected, rtol)
