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
from corepy.integrations import as_numpy, prepare, preparing


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


COMPLETE = {
    "pandas.core.algorithms": _add_to_functions,
    "pandas.core.arrays.boolean": _add_to_nullable,
    "pandas.core.arrays.numeric": _add_to_nullable,
    "pandas.core.arrays.sparse.array": _add_to_nullable,
    # Of each key, and of each index.
    "pandas.core.common": preparing(("apply_if_callable",), ("asarray_tuplesafe",)),
    "pandas.core.construction": preparing(("sanitize_array",), ("array", 0, "data")),
    "pandas.core.frame": preparing(("DataFrame.__init__", 1, "data")),
    "pandas.core.groupby.grouper": _add_to_groups,
    "pandas.core.indexes.base": preparing(("Index.__new__", 1, "data"), ("Index.__getitem__", 1)),
    "pandas.core.indexes.datetimes": preparing(("DatetimeIndex.__new__", 1, "data")),
    "pandas.core.indexes.timedeltas": preparing(("TimedeltaIndex.__new__", 1, "data")),
    "pandas.core.indexing": preparing(("_LocationIndexer.__setitem__", 2)),
    "pandas.core.ops.common": preparing(("item_from_zerodim",)),  # of each operand
    "pandas.core.series": preparing(("Series.__init__", 1, "data")),
}
