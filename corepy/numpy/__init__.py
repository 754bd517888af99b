"""NumPy's interface beyond the standard's, for ``import corepy as np``.

`corepy` has these names as its own: ``from corepy.linalg import inv`` is the function that this
package makes. `_names` decides what a name is, the other modules have Corepy's own implementations
of NumPy's functions, and `corepy.numpy.dispatch` calls one of them or NumPy. Programs that use the
standard's namespace alone import none of it but the class of arrays and NumPy's protocols.
"""

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from corepy import array_api
from corepy._cython.core import Tensor
from corepy._finder import OF_NUMPY
from corepy.numpy import ndarray  # noqa: F401
from corepy.numpy.conversion import standards

#: What ``from corepy import *`` gives of NumPy's and the standard's names.
NAMES = list(dict.fromkeys([*array_api.__all__, *np.__all__]))


def find(name: str) -> Any:
    """Return the attribute of ``corepy`` of a name.

    Raises
    ------
    AttributeError
        Neither the standard nor NumPy has such a name.
    """
    if name == "__config__":
        return np.__config__
    if name in ("random", "testing") or (name in OF_NUMPY and "." not in name):
        return import_module(f"corepy.{name}")
    from corepy.numpy import _names
    from corepy.numpy._classes import CLASSES

    return CLASSES[name] if name in CLASSES else _names.find("corepy", name, np, array_api)


class _Beyond:
    """A function that the standard's namespace has beyond the standard, found at its first use.

    Tensors are its results, unless its first argument is one of the drop-in's arrays.
    """

    def __init__(self, name: str):
        self.__name__ = self.__qualname__ = name
        self.__module__ = "corepy.array_api"
        self.__doc__ = f"See `corepy.{name}`; the results are Tensors."

    @cached_property
    def __wrapped__(self) -> Callable[..., Any]:
        function: Callable[..., Any] = find(self.__name__)
        return function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.__wrapped__(*args, **kwargs)
        follows = args and isinstance(args[0], Tensor) and type(args[0]) is not Tensor
        return result if follows else standards(result)

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__


class _Random(ModuleType):
    """`corepy.random`, which is imported when it is first used, as NumPy's is."""

    def __init__(self) -> None:
        vars(self).clear()  # what a module has from the start is asked of the other one, too

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module("corepy.random"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(import_module("corepy.random"), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(import_module("corepy.random"), name)

    def __dir__(self) -> list[str]:
        return dir(import_module("corepy.random"))

    def __reduce__(self) -> Any:
        return import_module, ("corepy.random",)


for _name in array_api._BEYOND:
    setattr(array_api, _name, _Beyond(_name))
array_api.random = _Random()
