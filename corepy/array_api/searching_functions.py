"""Searching functions: where elements are, and choosing between arrays.

Array API 2025.12, searching functions. Indices have dtype int64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import gathering, sorting

if TYPE_CHECKING:
    from typing import Literal

    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/searching_functions.def.
