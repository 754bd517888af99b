"""What other libraries are told about arrays of Corepy, when they are imported.

Most libraries take arrays by the array API standard, NumPy's protocols, DLPack or the buffer
protocol, and need nothing of this. For those that do not, there is one file here, with the
library's name, whose docstring says what it registers or replaces, and why. Corepy imports none of
them: a file is loaded when its library is.

The environment variable ``COREPY_INTEGRATIONS`` switches them off (``0``), or names those that are
wanted (``dask,xarray``). ``corepy.config(integrations=False)`` does so for a block of code.
`active` lists those that are in effect.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from corepy._cython.core import Tensor
from corepy._cython.settings import setting

if TYPE_CHECKING:  # importlib.abc takes 20 ms
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec

__all__ = ["active", "wanted", "watch"]

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
_active: list[str] = []


def active() -> list[str]:
    """Return the names of the integrations that are in effect in this process."""
    return sorted(set(_active))


def wanted() -> list[str]:
    """Return the names of the integrations that take effect when their library is imported."""
    names = set(MODULES.values())
    return sorted(names if _ENVIRONMENT == "1" else names & set(_ENVIRONMENT.split(",")))


def replace(owner: Any, name: str, change: Callable[[Callable[..., Any]], Any]) -> None:
    """Replace a function by what `change` makes of it, also where its package has imported it.

    With ``corepy.config(integrations=False)`` it does what it did before.
    """
    former = getattr(owner, name)
    changed = change(former)

    @wraps(former)
    def function(*args: Any, **kwargs: Any) -> Any:
        return (changed if setting("integrations") else former)(*args, **kwargs)

    setattr(owner, name, function)
    if isinstance(owner, ModuleType):
        package = owner.__name__.partition(".")[0]
        for other, module in list(sys.modules.items()):
            if other.partition(".")[0] == package and vars(module).get(name) is former:
                setattr(module, name, function)


def as_numpy(x: Any) -> Any:
    """Return an array of Corepy as NumPy's over the same memory, and anything else as it is."""
    return x.to_numpy() if isinstance(x, Tensor) else x


def prepare(
    owner: Any,
    name: str,
    convert: Callable[[Any], Any],
    position: int = 0,
    keyword: str | None = None,
) -> None:
    """Have a function or method called with the argument at `position`, or `keyword`, converted."""

    def change(function: Callable[..., Any]) -> Callable[..., Any]:
        def prepared(*args: Any, **kwargs: Any) -> Any:
            if len(args) > position:
                args = (*args[:position], convert(args[position]), *args[position + 1 :])
            elif keyword is not None and keyword in kwargs:
                kwargs[keyword] = convert(kwargs[keyword])
            return function(*args, **kwargs)

        return prepared

    replace(owner, name, change)


def preparing(*arguments: tuple[Any, ...]) -> Callable[[ModuleType], None]:
    """Return a function that has functions of a module called with arrays of NumPy's.

    Parameters
    ----------
    *arguments : tuple
        The path of a function or method in the module, and as in `prepare` the position of an
        argument and its keyword.
    """

    def complete(module: ModuleType) -> None:
        for path, *where in arguments:
            owner, _, name = path.rpartition(".")
            prepare(getattr(module, owner) if owner else module, name, as_numpy, *where)

    return complete


def _complete(module: ModuleType) -> None:
    name = MODULES[module.__name__]
    complete = import_module(f"corepy.integrations.{name}").COMPLETE[module.__name__]
    try:
        complete(module)
    except (AttributeError, ImportError) as error:
        import logging  # only for an error

        logging.getLogger("corepy").warning(
            "this version of %s is not known to corepy.integrations: %s", name, error
        )
    else:
        _active.append(name)


class _Completing:
    """A loader that completes the module after another loader has executed it."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = module.__spec__.loader = self.loader  # type: ignore[union-attr]
        self.loader.exec_module(module)
        _complete(module)


class _Finder:
    """Finds the modules of `MODULES` as other finders do, and lets `_Completing` load them."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self.names:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Completing(spec.loader)  # type: ignore[assignment]
                return spec
        return None


def watch() -> None:
    """Complete the libraries that are imported, and each of the others when it is."""
    names = {module for module, name in MODULES.items() if name in wanted()}
    for module in names & sys.modules.keys():
        _complete(sys.modules[module])
    if names:
        sys.meta_path.insert(0, _Finder(names))
