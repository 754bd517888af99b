"""pandas: arrays of Corepy as columns, indices, keys, values and operands.

pandas tests for NumPy's class, and has no entry point for others. It copies NumPy's arrays when it
makes a column or an index of one, and would share the memory of other arrays: a later write to the
array would change the column. A Series of an empty array of another class has the dtype object. As
keys (``df[mask]``, ``df.loc[labels]``), as values for `loc` and as operands of a DataFrame it takes
other arrays for lists. The functions that receive them are called with arrays of NumPy's over the
same memory, which pandas then copies where it copies NumPy's. Tested with pandas 3.1.
"""

from __future__ import annotations

from types import ModuleType

from corepy.integrations import as_numpy, prepare


def _add_to_columns(construction: ModuleType) -> None:
    prepare(construction, "sanitize_array", as_numpy)


def _add_to_series(series: ModuleType) -> None:
    prepare(series.Series, "__init__", as_numpy, 1, "data")


def _add_to_indices(base: ModuleType) -> None:
    prepare(base.Index, "__new__", as_numpy, 1, "data")
    prepare(base.Index, "__getitem__", as_numpy, 1)


def _add_to_keys(common: ModuleType) -> None:
    prepare(common, "apply_if_callable", as_numpy)  # of each key
    prepare(common, "asarray_tuplesafe", as_numpy)  # of each index


def _add_to_values(indexing: ModuleType) -> None:
    prepare(indexing._LocationIndexer, "__setitem__", as_numpy, 2)


def _add_to_operands(common: ModuleType) -> None:
    prepare(common, "item_from_zerodim", as_numpy)  # of each operand


COMPLETE = {
    "pandas.core.common": _add_to_keys,
    "pandas.core.construction": _add_to_columns,
    "pandas.core.indexes.base": _add_to_indices,
    "pandas.core.indexing": _add_to_values,
    "pandas.core.ops.common": _add_to_operands,
    "pandas.core.series": _add_to_series,
}
