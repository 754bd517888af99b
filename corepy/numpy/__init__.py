"""NumPy's interface beyond the standard's, for ``import corepy as np``.

`corepy` has these names as its own: ``from corepy.linalg import inv`` is the function that this
package makes. `_names` decides what a name is, the other modules have Corepy's own implementations
of NumPy's functions, and `corepy.numpy.dispatch` calls one of them or NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce, wraps
from importlib import import_module
from typing import Any

import numpy as np

from corepy import array_api
from corepy._cython.conversion import standards
from corepy._cython.core import Tensor, extend
from corepy.numpy import _names, _protocols
from corepy.numpy.ndarray import ndarray

#: What ``from corepy import *`` gives of NumPy's and the standard's names.
NAMES = sorted({*np.__all__, *array_api.__all__})


class _Later:
    """A method or attribute of ndarray, replaced by that of `_methods` at the first access."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, x: Tensor | None, cls: type) -> Any:
        self.replace()
        return getattr(cls if x is None else x, self.name)

    def __set__(self, x: Tensor, value: Any) -> None:
        self.replace()
        setattr(x, self.name, value)

    def replace(self) -> None:
        """Give ndarray the methods and attributes of `_methods`."""
        from corepy.numpy import _methods

        extend(_methods.METHODS, ndarray)
        attributes = {
            name: property(get, _methods.SETTERS.get(name))
            for name, get in _methods.ATTRIBUTES.items()
        }
        extend(attributes, ndarray)
        if vars(ndarray)[self.name] is self:
            raise AttributeError(f"'ndarray' object has no attribute {self.name!r}")


class _Missing:
    """An attribute that other libraries' arrays have; its error says what a Tensor has instead."""

    def __init__(self, name: str, instead: str) -> None:
        self.text = f"'Tensor' object has no attribute {name!r}; use {instead}"

    def __get__(self, x: Tensor | None, cls: type) -> Any:
        raise AttributeError(self.text)


_ELSEWHERE = {
    "cpu": "x.to_device('cpu')",
    "cuda": "x.to_device('cuda')",
    "numpy": "x.to_numpy()",
}


def first_names() -> dict[str, Any]:
    """Return what ``corepy`` has from the start: the standard's names, and NumPy's modules."""
    names = {name for name in dir(np.ndarray) if not name.startswith("__")} - {*dir(ndarray)}
    extend({name: _Later(name) for name in names}, ndarray)
    extend(_protocols.PROTOCOLS, Tensor)
    extend({name: _Missing(name, instead) for name, instead in _ELSEWHERE.items()}, Tensor)
    modules = _names.add_modules()
    functions = (n for n in array_api.__all__ if n not in modules and not n.startswith("__"))
    return {name: find(name) for name in functions} | modules


def find(name: str) -> Any:
    """Return the attribute of ``corepy`` of a name.

    Raises
    ------
    AttributeError
        Neither the standard nor NumPy has such a name.
    """
    if name == "__config__":
        return np.__config__
    if name in ("random", "testing"):
        return import_module(f"corepy.{name}")
    return _names.find("corepy", name, np, array_api)


def find_for_tensors(name: str) -> Callable[..., Any]:
    """Return a function that gives Tensors, unless its first argument is one of the drop-in's."""
    function = find(name)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        follows = args and isinstance(args[0], Tensor) and type(args[0]) is not Tensor
        return result if follows else standards(result)

    return call


def function_at(path: str) -> Any:
    """Return the function of the drop-in with this path, for pickles."""
    first, *rest = path.split(".")
    return reduce(getattr, rest, import_module(first))
