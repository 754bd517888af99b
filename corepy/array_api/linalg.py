"""The linear algebra extension, ``xp.linalg`` (array API 2025.12, "Linear Algebra Extension").

Matrices are the last two axes, vectors the last one; the axes before are a stack, computed matrix
by matrix. If a function needs floating-point numbers, bools and integers become float64. Operands
of different dtypes are promoted first, operands of different kinds (which the standard leaves open)
as in NumPy. If a decomposition or an inverse of a matrix does not exist, the function raises
``numpy.linalg.LinAlgError``, a ValueError.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import linear_algebra

from corepy.array_api.linear_algebra_functions import (
    matmul,
    matrix_transpose,
    tensordot,
    vecdot,
)

if TYPE_CHECKING:
    from typing import Literal

    from numpy.typing import DTypeLike

    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/linalg.def.
