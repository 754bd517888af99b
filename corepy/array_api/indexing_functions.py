"""Indexing functions: selecting by arrays of indices.

Array API 2025.12, indexing functions. Negative indices count from the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import gathering

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/indexing_functions.def.
