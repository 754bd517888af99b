"""Tells `corepy.integrations` when one of the libraries that it completes is imported."""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importlib.abc takes 20 ms
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType

#: Modules of other libraries that an integration completes, and its file.
MODULES = {
    "dask.array.backends": "dask",
    "dask.array.chunk_types": "dask",
    "dask.sizeof": "dask",
    "einops._backends": "einops",
    "matplotlib.axes._axes": "matplotlib",
    "numpy.testing._private.utils": "numpy_testing",
    "pandas.core.algorithms": "pandas",
    "pandas.core.arrays.boolean": "pandas",
    "pandas.core.arrays.numeric": "pandas",
    "pandas.core.arrays.sparse.array": "pandas",
    "pandas.core.common": "pandas",
    "pandas.core.construction": "pandas",
    "pandas.core.frame": "pandas",
    "pandas.core.groupby.grouper": "pandas",
    "pandas.core.indexes.base": "pandas",
    "pandas.core.indexes.datetimes": "pandas",
    "pandas.core.indexes.timedeltas": "pandas",
    "pandas.core.indexing": "pandas",
    "pandas.core.ops.common": "pandas",
    "pandas.core.series": "pandas",
    "pyarrow._compute": "pyarrow",
    "pyarrow.lib": "pyarrow",
    "scipy.linalg.blas": "scipy",
    "scipy.linalg.lapack": "scipy",
    "scipy.ndimage": "scipy",
    "scipy.optimize._differentiable_functions": "scipy",
    "scipy.signal._peak_finding": "scipy",
    "scipy.sparse._sputils": "scipy",
    "scipy.sparse.linalg._interface": "scipy",
    "sklearn.model_selection._search": "sklearn",
    "sklearn.utils._param_validation": "sklearn",
    "slycot._wrapper": "slycot",
    "statsmodels.base.data": "statsmodels",
    "statsmodels.discrete.discrete_margins": "statsmodels",
    "statsmodels.stats.contingency_tables": "statsmodels",
    "statsmodels.stats.moment_helpers": "statsmodels",
    "threadpoolctl": "threadpoolctl",
    "torch": "torch",
    "torch.utils.data._utils.collate": "torch",
    "xarray.compat.array_api_compat": "xarray",
    "xarray.core.indexing": "xarray",
}

_ENVIRONMENT = os.environ.get("COREPY_INTEGRATIONS", "1")


def wanted() -> list[str]:
    """Return the names of the integrations that take effect when their library is imported."""
    names = set(MODULES.values())
    return sorted(names if _ENVIRONMENT == "1" else names & set(_ENVIRONMENT.split(",")))


def complete(module: "ModuleType") -> None:
    """Complete a module that has been imported."""
    import_module("corepy.integrations").complete_module(module)


class Completing:
    """A loader that completes the module after another loader has executed it."""

    def __init__(self, loader: "Loader") -> None:
        self.loader = loader

    def create_module(self, spec: "ModuleSpec") -> "ModuleType | None":
        return self.loader.create_module(spec)

    def exec_module(self, module: "ModuleType") -> None:
        module.__loader__ = module.__spec__.loader = self.loader  # type: ignore[union-attr]
        self.loader.exec_module(module)
        complete(module)


class Watcher:
    """Finds the modules of `MODULES` as other finders do, and lets `Completing` load them."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def find_spec(
        self, name: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        if name not in self.names:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = Completing(spec.loader)  # type: ignore[assignment]
                return spec
        return None


def watch() -> None:
    """Complete the libraries that are imported, and each of the others when it is."""
    chosen = wanted()
    names = {module for module, name in MODULES.items() if name in chosen}
    for module in names & sys.modules.keys():
        complete(sys.modules[module])
    if names:
        sys.meta_path.insert(0, Watcher(names))
