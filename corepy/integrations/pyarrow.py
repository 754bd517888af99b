"""PyArrow: arrays of Corepy as arrays, columns, masks and arguments of `pyarrow.compute`.

PyArrow tests for NumPy's class, and takes other arrays for sequences of Python's: an empty one has
the type null, fractions are cut off without an error where integers are asked for, and elements are
copied. Its protocol (``__arrow_array__``) is not told of `mask`, `safe` and `from_pandas`.
`pyarrow.array`, which makes tables, too, is called with arrays of NumPy's over the same memory, and
arrays of Corepy are among the types of arguments of functions that compute. Tested with PyArrow 26.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from corepy._cython.core import Tensor
from corepy.integrations import as_numpy, prepare


def _add_to_arrays(lib: ModuleType) -> None:
    prepare(lib, "array", as_numpy, 0, "obj")
    prepare(lib, "array", as_numpy, 2, "mask")


def _add_to_functions(compute: Any) -> None:
    compute.SUPPORTED_INPUT_ARR_TYPES += (Tensor,)


COMPLETE = {"pyarrow._compute": _add_to_functions, "pyarrow.lib": _add_to_arrays}
