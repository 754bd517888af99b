"""Implementations to measure: Corepy on each instruction set, and NumPy."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np

import corepy
import corepy.array_api as xp
from corepy._cython.core import simd_in_use, simd_levels, use_simd

from . import complex_functions
from .complex_functions import REAL_POINTS_PER_COMPLEX_POINT, ComplexReference
from .errors import Reference, Worst
from .functions import FUNCTIONS

DTYPES = {"float32": np.float32, "float64": np.float64}
#: The bar: errors larger than this are defects.
LARGEST_ERROR = 1.0


@contextmanager
def instruction_set(name):
    """Run Corepy's kernels on an instruction set of the processor."""
    before = simd_in_use()
    use_simd(name)
    try:
        yield
    finally:
        use_simd(before)


def corepy_worst(reference: Reference | ComplexReference, level) -> Worst:
    """The worst error of Corepy on the instruction set `level`."""
    with instruction_set(level):
        function = getattr(xp, reference.function.name)
        got = function(*(corepy.Tensor(a) for a in reference.arguments))
        return reference.worst(np.asarray(got))


def numpy_worst(reference: Reference | ComplexReference) -> Worst:
    """The worst error of NumPy on the same points."""
    with np.errstate(all="ignore"):
        return reference.worst(reference.function.numpy(*reference.arguments))


def measured():
    """Return the functions and dtypes to measure, each with its bar."""
    rows = {(name, dtype): LARGEST_ERROR for name in FUNCTIONS for dtype in DTYPES}
    for name, function in complex_functions.FUNCTIONS.items():
        rows |= {(name, dtype): function.bar for dtype in complex_functions.DTYPES}
    return rows


def measure(name, dtype, count):
    """Return {"NumPy": Worst, level: Worst, ...} and the number of points for one function."""
    reference: Reference | ComplexReference
    if dtype in DTYPES:
        reference = Reference(FUNCTIONS[name], DTYPES[dtype], count)
    else:
        function, count = complex_functions.FUNCTIONS[name], count // REAL_POINTS_PER_COMPLEX_POINT
        reference = ComplexReference(function, complex_functions.DTYPES[dtype], count)
    rows = {level: corepy_worst(reference, level) for level in simd_levels()}
    return {**rows, "NumPy": numpy_worst(reference)}, reference.arguments[0].size
