"""NumPy's interface beyond the standard's, for ``import corepy as np``.

`corepy` has these names as its own: ``from corepy.linalg import inv`` is the function that this
package makes. `_names` decides what a name is, the other modules have Corepy's own implementations
of NumPy's functions, and `corepy.numpy.dispatch` calls one of them or NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from corepy import array_api
from corepy._cython.core import Tensor
from corepy.numpy import _names, protocols  # noqa: F401
from corepy.numpy._classes import CLASSES
from corepy.numpy.conversion import standards

#: What ``from corepy import *`` gives of NumPy's and the standard's names.
NAMES = sorted({*np.__all__, *array_api.__all__})


def first_names() -> dict[str, Any]:
    """Return what ``corepy`` has from the start: the standard's names, and NumPy's modules."""
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
    return CLASSES[name] if name in CLASSES else _names.at(name)


def find_for_tensors(name: str) -> Callable[..., Any]:
    """Return a function that gives Tensors, unless its first argument is one of the drop-in's."""
    function = find(name)

    @wraps(function, assigned=("__module__", "__name__", "__qualname__"))
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        follows = args and isinstance(args[0], Tensor) and type(args[0]) is not Tensor
        return result if follows else standards(result)

    call.__doc__ = f"See `corepy.{name}`; the results are Tensors."
    return call
