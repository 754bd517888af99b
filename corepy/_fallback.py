"""NumPy's names beyond the standard's, for ``import corepy as np``.

A function that only NumPy has is called with ndarrays over the tensors' own memory, and ndarrays
that it returns become tensors, neither with a copy. Classes, dtypes and constants are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from corepy._cython.core import Tensor, asarray


def _to_numpy(value: Any) -> Any:
    if isinstance(value, Tensor):
        return np.asarray(value)
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return type(value)(map(_to_numpy, value))
    if isinstance(value, dict):
        return {key: _to_numpy(item) for key, item in value.items()}
    return value


def _from_numpy(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        try:
            return asarray(value)
        except TypeError:
            return value  # a dtype that tensors do not have: text, dates, objects
    if type(value) in (tuple, list):
        return type(value)(map(_from_numpy, value))
    return value


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out")
        result = function(*_to_numpy(args), **_to_numpy(kwargs))
        return out if isinstance(out, Tensor) else _from_numpy(result)

    return call


class DropIn(ModuleType):
    """A namespace of NumPy's in which the standard's functions, where it has them, come first."""

    def __init__(self, name: str, native: str, standard: ModuleType | None = None) -> None:
        super().__init__(name)
        self._native = native  # imported when a name of its own is first asked for
        self._standard = standard

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._standard is not None and hasattr(self._standard, name):
            value = getattr(self._standard, name)
        else:
            value = find(f"{self.__name__}.{name}", import_module(self._native), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*dir(import_module(self._native)), *dir(self._standard)})


def find(path: str, native: ModuleType, name: str) -> Any:
    """Return what stands for ``native.name`` in the drop-in, as the attribute at `path`.

    Raises
    ------
    AttributeError
        NumPy has no such name either.
    """
    try:
        value = getattr(native, name)
    except AttributeError:
        where, _, _ = path.rpartition(".")
        raise AttributeError(f"module {where!r} has no attribute {name!r}") from None
    if isinstance(value, ModuleType):
        return DropIn(path, value.__name__)
    if callable(value) and not isinstance(value, type):
        return _wrapped(value)
    return value
