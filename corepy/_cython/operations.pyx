# distutils: language = c++
"""The table of named operations, made from schema/operations.def: what `execute` and `create`
accept, how arguments are checked, and which function computes.
"""

import functools  # no-cython-lint
from math import inf  # no-cython-lint

include "table.pxi"

from corepy._cython.core import complete_operations

enter_operations()
complete_operations()
