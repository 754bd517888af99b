"""scikit-learn: arrays of Corepy as parameters, and as the values of parameters that are searched.

The checks of parameters, as of ``compute_class_weight(classes=)``, and ``ParameterGrid`` accept a
list or an array of NumPy's alone, and there is no entry point. They are given arrays of NumPy's
over the same memory. Tested with scikit-learn 1.9.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from corepy.integrations import as_numpy, prepare, preparing


def _with_numpy(grid: Any) -> Any:
    if isinstance(grid, dict):
        return {name: _with_numpy(values) for name, values in grid.items()}
    return [*map(_with_numpy, grid)] if isinstance(grid, (list, tuple)) else as_numpy(grid)


def _add_to_search(search: ModuleType) -> None:
    prepare(search.ParameterGrid, "__init__", _with_numpy, 1)


COMPLETE = {
    "sklearn.model_selection._search": _add_to_search,
    "sklearn.utils._param_validation": preparing(("_InstancesOf.is_satisfied_by", 1, "val")),
}
