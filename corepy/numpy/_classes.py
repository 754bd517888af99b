"""NumPy's classes that tensors and functions of Corepy count as instances of."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy.numpy._errors import errstate
from corepy.numpy.conversion import call_numpy
from corepy.numpy.dispatch import UFunc
from corepy.numpy.ndarray import ndarray


class _Instances(type):
    """The type of a class that is NumPy's, and whose instances are also those of `corepys`."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or (
            cls in _EXTENDED and isinstance(instance, _EXTENDED[cls])
        )

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") or cls not in _EXTENDED:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return getattr(_EXTENDED[cls][-1], name)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return super().__subclasscheck__(subclass) or (
            cls in _EXTENDED and issubclass(subclass, _EXTENDED[cls])
        )


class ufunc(metaclass=_Instances):
    """NumPy's `numpy.ufunc`, of which the elementwise functions of Corepy are instances."""


_EXTENDED: dict[type, tuple[type, ...]] = {
    ufunc: (UFunc, np.ufunc),
}


def with_tensors(native: type) -> type:
    """Return a class of NumPy's that takes tensors in calls; its instances are NumPy's.

    Parameters
    ----------
    native : type
    """

    def new(cls: type, *args: Any, **kwargs: Any) -> Any:
        if cls is not made:
            return native.__new__(cls, *args, **kwargs)
        return call_numpy(native.__name__, native, args, kwargs)

    names = {"__new__": new, "__doc__": native.__doc__, "__module__": native.__module__}
    made = _Instances(native.__name__, (native,), names)
    _EXTENDED[made] = (native,)
    return made


#: What the names of the drop-in are that are classes of its own.
CLASSES: dict[str, Any] = {
    "errstate": errstate,
    "ndarray": ndarray,
    "ufunc": ufunc,
}
