"""xarray: NumPy's functions for arrays of Corepy, and elements that are views.

xarray asks an array for its namespace and then wants more of it than the standard has (``pad``,
``quantile``, ``std(x, ddof=1)``), and it reads elements as arrays without axes. There is no entry
point. `xarray.compat.array_api_compat.get_array_namespace` returns the drop-in instead of
`corepy.array_api`; ``ArrayApiIndexingAdapter`` of `xarray.core.indexing` reads with an Ellipsis.
Tested with xarray 2026.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from corepy._cython.core import Tensor
from corepy.integrations import replace


def _add_namespace(compat: ModuleType) -> None:
    import corepy

    def change(find: Callable[..., Any]) -> Callable[..., Any]:
        def get_array_namespace(*values: Any) -> Any:
            namespace = find(*values)
            return corepy if namespace.__name__.startswith("corepy") else namespace

        return get_array_namespace

    replace(compat, "get_array_namespace", change)


def _add_views(indexing: ModuleType) -> None:
    def change(get: Callable[..., Any]) -> Callable[..., Any]:
        def getitem(self: Any, indexer: Any) -> Any:
            if not isinstance(self.array, Tensor):
                return get(self, indexer)
            self._check_and_raise_if_non_basic_indexer(indexer)
            return self.array[(*indexer.tuple, ...)]

        return getitem

    replace(indexing.ArrayApiIndexingAdapter, "__getitem__", change)


COMPLETE = {
    "xarray.compat.array_api_compat": _add_namespace,
    "xarray.core.indexing": _add_views,
}
