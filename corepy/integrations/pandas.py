"""pandas: arrays of Corepy as columns, indices, keys, values and operands.

pandas tests for NumPy's class, and has no entry point for others. It copies NumPy's arrays when it
makes a column or an index of one, and would share the memory of other arrays: a later write to the
array would change the column. A Series of an empty array of another class has the dtype object, a
DataFrame of one loses its columns, and ``pandas.array`` takes the dtype from the elements. As keys
(``df[mask]``, ``df.loc[labels]``), also of `groupby`, values for `loc` and operands of a DataFrame
it takes other arrays for lists, and arrays without axes that a function given to `map` returns for
objects. The functions that receive them are called with arrays of NumPy's over the same memory,
which pandas then copies where it copies NumPy's. Its arrays of nullable numbers have a list of the
classes that they take as operands. Tested with pandas 3.1.
"""

from __future__ import annotations

from functools import wraps
from types import ModuleType
from typing import Any

from corepy._cython.core import Tensor
from corepy.integrations import as_numpy, prepare


def _add_to_columns(construction: ModuleType) -> None:
    prepare(construction, "sanitize_array", as_numpy)
    prepare(construction, "array", as_numpy, 0, "data")


def _add_to_frames(frame: ModuleType) -> None:
    prepare(frame.DataFrame, "__init__", as_numpy, 1, "data")


def _add_to_series(series: ModuleType) -> None:
    prepare(series.Series, "__init__", as_numpy, 1, "data")


def _add_to_indices(base: ModuleType) -> None:
    prepare(base.Index, "__new__", as_numpy, 1, "data")
    prepare(base.Index, "__getitem__", as_numpy, 1)


def _add_to_times(times: ModuleType) -> None:
    for name in {"DatetimeIndex", "TimedeltaIndex"} & vars(times).keys():
        prepare(getattr(times, name), "__new__", as_numpy, 1, "data")


def _add_to_functions(algorithms: ModuleType) -> None:
    def returning_numpy(function: Any) -> Any:
        if not callable(function) or isinstance(function, type):
            return function

        @wraps(function)
        def numbers(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            return as_numpy(result) if isinstance(result, Tensor) and not result.ndim else result

        return numbers

    prepare(algorithms, "map_array", returning_numpy, 1, "mapper")


def _add_to_nullable(arrays: ModuleType) -> None:
    for name in {"NumericArray", "BooleanArray", "SparseArray"} & vars(arrays).keys():
        cls = getattr(arrays, name)
        cls._HANDLED_TYPES = (*cls._HANDLED_TYPES, Tensor)


def _add_to_groups(grouper: ModuleType) -> None:
    def in_numpy(keys: Any) -> Any:
        return list(map(as_numpy, keys)) if isinstance(keys, list) else as_numpy(keys)

    prepare(grouper, "get_grouper", in_numpy, 1, "key")


def _add_to_keys(common: ModuleType) -> None:
    prepare(common, "apply_if_callable", as_numpy)  # of each key
    prepare(common, "asarray_tuplesafe", as_numpy)  # of each index


def _add_to_values(indexing: ModuleType) -> None:
    prepare(indexing._LocationIndexer, "__setitem__", as_numpy, 2)


def _add_to_operands(common: ModuleType) -> None:
    prepare(common, "item_from_zerodim", as_numpy)  # of each operand


COMPLETE = {
    "pandas.core.algorithms": _add_to_functions,
    "pandas.core.arrays.boolean": _add_to_nullable,
    "pandas.core.arrays.numeric": _add_to_nullable,
    "pandas.core.arrays.sparse.array": _add_to_nullable,
    "pandas.core.common": _add_to_keys,
    "pandas.core.construction": _add_to_columns,
    "pandas.core.frame": _add_to_frames,
    "pandas.core.groupby.grouper": _add_to_groups,
    "pandas.core.indexes.base": _add_to_indices,
    "pandas.core.indexes.datetimes": _add_to_times,
    "pandas.core.indexes.timedeltas": _add_to_times,
    "pandas.core.indexing": _add_to_values,
    "pandas.core.ops.common": _add_to_operands,
    "pandas.core.series": _add_to_series,
}
