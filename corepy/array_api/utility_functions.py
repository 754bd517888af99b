"""Utility functions: tests over whole arrays, and differences.

Array API 2025.12, utility functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import movement

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/utility_functions.def.
