"""NumPy's interface beyond the standard's, for ``import corepy as np``.

`corepy` has these names as its own: ``from corepy.linalg import inv`` is the function that this
package makes. `_names` decides what a name is, the other modules have Corepy's own implementations
of NumPy's functions, and `corepy._cython.forward` calls one of them or NumPy.
"""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from typing import Any

import numpy as np

from corepy import array_api
from corepy.numpy import _names

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
    if name in ("random", "testing"):
        return import_module(f"corepy.{name}")
    return _names.find("corepy", name, np, array_api)


def function_at(path: str) -> Any:
    """Return the function of the drop-in with this path, for pickles."""
    first, *rest = path.split(".")
    return reduce(getattr, rest, import_module(first))
