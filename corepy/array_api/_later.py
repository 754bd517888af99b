"""Names of the namespace whose modules are imported when they are first used.

A module with ``__getattr__`` would do it, too, but CPython does not specialise the attributes of
one: each call of ``xp.exp`` would take 20 ns more.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from corepy._cython.core import load_bfloat16

if TYPE_CHECKING:
    from corepy.array_api.info import Info


class LaterModule(ModuleType):
    # A module that is imported when one of its names is first used. Importing one of
    # ``corepy.array_api`` also replaces this object there.

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return import_module(self.__name__).__doc__

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return dir(import_module(self.__name__))


class LaterDtype(type):
    """The class of `bfloat16`. NumPy takes it for a dtype, because it has one."""

    @property
    def dtype(cls) -> np.dtype:
        """The dtype of the package ml_dtypes, whose import takes 9 ms."""
        return load_bfloat16()

    def __call__(cls, *args: Any) -> Any:
        return cls.dtype.type(*args)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.dtype.type)


class bfloat16(metaclass=LaterDtype):
    """The dtype bfloat16, which stands for the scalar type of the package ml_dtypes."""

    __module__ = "corepy.array_api"


#: Whether there is the package. None in `sys.modules` says that there is not.
HAS_BFLOAT16 = sys.modules.get("ml_dtypes", PathFinder) and PathFinder.find_spec("ml_dtypes")


def __array_namespace_info__() -> Info:
    """Return the namespace of inspection functions.

    Returns
    -------
    Info
        An object with the methods `~Info.capabilities`, `~Info.default_device`,
        `~Info.default_dtypes`, `~Info.devices` and `~Info.dtypes`.

    References
    ----------
    array API 2025.12, info.__array_namespace_info__

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.__array_namespace_info__().default_device()
    Device('cpu')
    """
    info: Info = import_module("corepy.array_api.info").Info()
    return info
