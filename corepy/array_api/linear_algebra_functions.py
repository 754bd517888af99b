"""Linear algebra functions of the main namespace: products and the transpose.

Array API 2025.12, linear algebra functions. Operands of different dtypes are promoted first, those
of different kinds (which the standard leaves open) as in NumPy. Products of bools, for which the
standard says nothing, are an "or" of "and"s and give bool, as in NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import linear_algebra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/linear_algebra_functions.def.
