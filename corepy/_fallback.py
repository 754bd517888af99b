"""NumPy's names and habits beyond the standard's, for ``import corepy as np``.

A function that only NumPy has is called with ndarrays over the tensors' own memory, and ndarrays
that it returns become tensors, neither with a copy. So is a function of the standard's in a call
that only NumPy's signature allows, such as ``np.sum(x, 0)``. Classes, dtypes and constants are
NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Any

import numpy as np

from corepy._cython.core import Tensor, asarray


def _to_numpy(value: Any) -> Any:
    if isinstance(value, Tensor):
        if value.device != "cpu":
            raise ValueError(
                "NumPy's functions compute on the CPU, and this tensor is on "
                f"{value.device}; move it with x.to_device('cpu')"
            )
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
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_from_numpy, value))
    return value


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out")
        result = function(*_to_numpy(args), **_to_numpy(kwargs))
        return out if isinstance(out, Tensor) else _from_numpy(result)

    return call


def with_habits(standard: Any, native: ModuleType) -> Any:
    """Return the standard's function, taking also the calls that only NumPy's of that name allows.

    NumPy's ufuncs are called as the standard's functions are, so those are returned as they are.
    """
    name = getattr(standard, "__name__", "")
    if not callable(standard) or isinstance(standard, type):
        return standard
    numpys = getattr(native, name, None)
    if not callable(numpys) or isinstance(numpys, (type, np.ufunc)):
        return standard
    fallback = _wrapped(numpys)

    @wraps(standard)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return standard(*args, **kwargs)
        except TypeError:
            if _fits(standard, args, kwargs):
                raise
        return fallback(*args, **kwargs)

    return call


_signature = cache(signature)


def _fits(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Tell whether a function can be called with these arguments, whatever it makes of them."""
    try:
        _signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


class DropIn(ModuleType):
    """A namespace of NumPy's in which the standard's functions, where it has them, come first."""

    def __init__(self, name: str, native: str, standard: ModuleType | None = None) -> None:
        super().__init__(name)
        self._native = native  # imported when a name of its own is first asked for
        self._standard = standard

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        native = import_module(self._native)
        if self._standard is not None and hasattr(self._standard, name):
            value = with_habits(getattr(self._standard, name), native)
        else:
            value = find(f"{self.__name__}.{name}", native, name)
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
