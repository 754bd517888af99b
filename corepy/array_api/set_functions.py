"""Set functions: membership and unique elements.

Array API 2025.12, set functions. Elements are the same if they compare as equal: every NaN is an
element of its own, and -0 and +0 are one. The shapes of the results of the ``unique_`` functions
depend on data. The unique elements come in ascending order on the CPU; the standard leaves the
order open.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import sorting

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/set_functions.def.
