"""Names beyond the standard that array-agnostic programs look for in a namespace.

Each is NumPy's function of that name, as ``import corepy as np`` has it: with NumPy's signature,
for tensors of any device. Results are Tensors, unless an argument is an array of the drop-in.
`random` is that of the drop-in.

They are attributes from the start: a module with ``__getattr__`` has slower attributes in CPython,
whose interpreter does not specialize them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

FUNCTIONS = (
    "bincount",
    "einsum",
    "gradient",
    "median",
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "pad",
    "percentile",
    "quantile",
)


class LaterModule(ModuleType):
    """A module that is imported when one of its names is first used."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return dir(import_module(self.__name__))


def extras(find: Callable[[str], Any]) -> dict[str, Any]:
    """Return what a namespace has beyond the standard.

    Parameters
    ----------
    find : callable
        Returns a function of the drop-in by its name; the standard's modules import none of it.
    """
    return {name: find(name) for name in FUNCTIONS} | {"random": LaterModule("corepy.random")}
