"""The rows of the schema: the files that the core is generated from are part of the package."""

from __future__ import annotations

from itertools import compress

import numpy as np

from corepy._cython.schema import records
from corepy._cython.schema.records import ROWS, Row

__all__ = ["CATEGORIES", "DTYPES", "ROWS", "Row", "accepted"]

#: The kinds of dtypes of each category that operations accept, as NumPy's letters.
CATEGORIES = {
    name: "".join(compress(("b", "iu", "f", "c"), map(int, bits)))
    for name, *bits, _ in records.CATEGORIES
}
#: The dtypes that NumPy has, too.
DTYPES = tuple(np.dtype(name) for name, *_ in records.DTYPES if hasattr(np, name))


def accepted(row: Row) -> str:
    """Return the kinds of dtypes that the first array of an operation may have."""
    return CATEGORIES[row.accepts[0]]
