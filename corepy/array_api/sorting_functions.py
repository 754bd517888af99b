"""Sorting functions.

Array API 2025.12, sorting functions. NaN sorts behind all numbers in ascending order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import sorting

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/sorting_functions.def.
