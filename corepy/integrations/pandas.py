"""pandas: arrays of Corepy as columns, indices, keys and operands.

pandas tests for NumPy's class, and has no entry point for others. It copies NumPy's arrays when it
makes a column or an index of one, and would share the memory of other arrays: a later write to the
array would change the column. As keys (``df[mask]``, ``df.loc[labels]``) and as operands of a
DataFrame it takes other arrays for lists. The functions that receive them are called with arrays of
NumPy's: copies for columns and indices, over the same memory for keys and operands. Tested with
pandas 3.0.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from corepy._cython.core import Tensor
from corepy.integrations import as_numpy, prepare


def _as_copy(x: Any) -> Any:
    return x.to_numpy().copy() if isinstance(x, Tensor) else x


def _add_to_columns(construction: ModuleType) -> None:
    prepare(construction, "sanitize_array", _as_copy)


def _add_to_indices(base: ModuleType) -> None:
    prepare(base.Index, "__new__", _as_copy, 1)
    prepare(base.Index, "__getitem__", as_numpy, 1)


def _add_to_keys(common: ModuleType) -> None:
    prepare(common, "apply_if_callable", as_numpy)  # of each key
    prepare(common, "asarray_tuplesafe", _as_copy)  # of each index


def _add_to_operands(common: ModuleType) -> None:
    prepare(common, "item_from_zerodim", as_numpy)  # of each operand


COMPLETE = {
    "pandas.core.common": _add_to_keys,
    "pandas.core.construction": _add_to_columns,
    "pandas.core.indexes.base": _add_to_indices,
    "pandas.core.ops.common": _add_to_operands,
}
