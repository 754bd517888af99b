"""NumPy's interface beyond the standard's, for ``import corepy as np``.

`corepy` has these names as its own: ``from corepy.linalg import inv`` is the function that this
package makes. `_names` decides what a name is, the other modules have Corepy's own implementations
of NumPy's functions, and `corepy.numpy.dispatch` calls one of them or NumPy. Programs that use the
standard's namespace alone import none of it but the class of arrays and NumPy's protocols.
"""

from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from corepy import array_api
from corepy._cython.core import Tensor, provide
from corepy._finder import OF_NUMPY
from corepy.numpy import ndarray, protocols  # noqa: F401
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


def find_for_tensors(name: str) -> Any:
    """Return what the standard's namespace has of the name: Tensors are results of its functions,
    unless their first argument is one of the drop-in's arrays.
    """
    function = find(name)
    if not callable(function):  # `random`
        return function

    @wraps(function, assigned=("__module__", "__name__", "__qualname__"))
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        follows = args and isinstance(args[0], Tensor) and type(args[0]) is not Tensor
        return result if follows else standards(result)

    call.__doc__ = f"See `corepy.{name}`; the results are Tensors."
    return call


provide(find_beyond=find_for_tensors)
