"""PyArrow: arrays of Corepy as arrays, columns, masks and arguments of `pyarrow.compute`.

PyArrow tests for NumPy's class, and takes other arrays for sequences of Python's: an empty one has
the type null, fractions are cut off without an error where integers are asked for, and elements are
copied. Its protocol (``__arrow_array__``) is not told of `mask`, `safe` and `from_pandas`.
`pyarrow.array`, which makes tables, too, is called with arrays of NumPy's over the same memory, and
arrays of Corepy are among the types of arguments of functions that compute. Tested with PyArrow 26.
"""

from __future__ import annotations

from typing import Any

from corepy._cython.core import Tensor
from corepy.integrations import preparing


def _add_to_functions(compute: Any) -> None:
    compute.SUPPORTED_INPUT_ARR_TYPES += (Tensor,)


COMPLETE = {
    "pyarrow._compute": _add_to_functions,
    "pyarrow.lib": preparing(("array", 0, "obj"), ("array", 2, "mask")),
}
