"""Names beyond the standard that array-agnostic programs look for in a namespace.

Each is NumPy's function of that name, as ``import corepy as np`` has it: with NumPy's signature,
for tensors of any device. `random` has NumPy's generators, which make tensors on the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

NAMES = (
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
    "random",
)

_find: Callable[[str], Any] | None = None


def provide(find: Callable[[str], Any]) -> None:
    """Set the function that returns what has a name; the standard's modules import none of it."""
    global _find
    _find = find


def extra(namespace: str, name: str) -> Any:
    """Return what has a name beyond the standard.

    Raises
    ------
    AttributeError
        It is not one of `NAMES`.
    """
    if name not in NAMES or _find is None:
        raise AttributeError(f"module {namespace!r} has no attribute {name!r}")
    return _find(name)
