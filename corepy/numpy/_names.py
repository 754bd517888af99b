"""What each name of ``import corepy as np`` is.

A function is the standard's first, Corepy's own where only NumPy's signature allows the call, and
NumPy's for the rest (`dispatch`). Dtypes, scalar types and constants are NumPy's.
"""

from __future__ import annotations

from functools import cache, reduce
from importlib import import_module
from types import ModuleType
from typing import Any, get_origin

import numpy as np

from corepy import array_api
from corepy._finder import OF_NUMPY
from corepy.numpy import _own
from corepy.numpy._conditions import CONDITIONS
from corepy.numpy.dispatch import Function, UFunc


class DropIn(ModuleType):
    """A namespace of NumPy's in which functions of the standard take precedence."""

    def __init__(self, name: str, native: str, standard: ModuleType | None = None) -> None:
        super().__init__(name)
        self._native = native
        self._standard = standard

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return import_module(self._native).__all__
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self.__name__}.{name}"
        if path.partition(".")[2] in OF_NUMPY:
            return import_module(path)
        value = find(self.__name__, name, import_module(self._native), self._standard)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*dir(import_module(self._native)), *dir(self._standard)})


@cache
def module(path: str) -> DropIn:
    """Return the drop-in's module at a path such as ``"linalg"``, for the import system."""
    return DropIn(f"corepy.{path}", f"numpy.{path}", getattr(array_api, path, None))


@cache
def at(path: str) -> Any:
    """Return the function of the drop-in at a path such as ``"linalg.svd"``."""
    first, *rest = path.split(".")
    if first in OF_NUMPY:
        return reduce(getattr, rest, import_module(f"corepy.{first}"))
    return reduce(getattr, rest, find("corepy", first, np, array_api))


@cache
def of_numpy(function: Any) -> Any:
    """Return the function of the drop-in for one of NumPy's, or None."""
    module = "numpy" if isinstance(function, np.ufunc) else function.__module__ or ""
    package, _, path = f"{module}.{function.__name__}".partition(".")
    try:
        if package != "numpy" or reduce(getattr, path.split("."), np) is not function:
            return None
        return at(path)
    except AttributeError:
        return None


# NumPy's function would read the memory of another device as host memory.
STANDARD_ALONE = {"corepy.from_dlpack"}


class Indexed:
    """An object of NumPy's that makes arrays of an index.

    Parameters
    ----------
    path : str
        Its own implementation is a function of the index.
    native : object
        NumPy's.
    """

    def __init__(self, path: str, native: Any) -> None:
        self._path = path
        self._function = Function(path, None, native.__getitem__)

    def __getitem__(self, key: Any) -> Any:
        return self._function(key)

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"<{self._path}>"


#: The functions by path, so that several names have the same one.
_found: dict[str, Any] = {}


def find(where: str, name: str, native: ModuleType, standard: ModuleType | None) -> Any:
    """Return the attribute `name` of the drop-in's module `where`.

    Parameters
    ----------
    where : str
        Path of the drop-in's module.
    name : str
    native : module
        NumPy's module of that place.
    standard : module or None
        The standard's.

    Raises
    ------
    AttributeError
        Neither the standard nor NumPy has such a name.
    """
    original, missing = None, ""
    try:
        original = getattr(native, name)
    except AttributeError as error:  # which says what took the place of names that were removed
        missing = str(error).replace(f"module '{native.__name__}'", f"module {where!r}", 1)
    first = getattr(original, "__name__", name)
    if isinstance(original, ModuleType) or (
        first != name and getattr(native, first, None) is not original
    ):
        first = name
    # One of NumPy's names for an object: `concat` is `concatenate`.
    path = f"{where}.{first}"
    if path in _found and "." not in name:
        return _found[path]
    function = None if name in array_api._BEYOND else getattr(standard, name, None)
    if isinstance(function, ModuleType) and not isinstance(original, ModuleType):
        function = None  # a module that makes the standard's namespace
    if function is None and original is not None and standard is not None:
        # Another name of NumPy's for one of the standard's functions, such as `concatenate`.
        # Not `getattr`, with which NumPy imports `fft`.
        names = (other for other in standard.__all__ if vars(native).get(other) is original)
        function = getattr(standard, next(names, ""), None)
    if CONDITIONS.get(path, path) is None:
        function = None
    if path in STANDARD_ALONE and callable(function):
        original = function
    alone = original is None or not callable(function)
    if function is not None and alone:
        return function
    if isinstance(original, ModuleType):
        return DropIn(path, original.__name__)
    if callable(original) and not isinstance(original, type) and get_origin(original) is None:
        made = (UFunc if isinstance(original, np.ufunc) else Function)(path, function, original)
        made.__name__ = made.__qualname__ = first
        made.__module__ = where
        return _found.setdefault(path, made)
    if missing:
        raise AttributeError(missing)
    if isinstance(original, type) or not hasattr(original, "__getitem__") or not _own.find(path):
        return original
    return _found.setdefault(path, Indexed(path, original))  # such as `mgrid`
