"""The corrections, and the namespaces that need each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

#: Operation (dotted for extensions, as in ``"linalg.matrix_rank"``) -> ``function(xp, *inputs,
#: **params)``.
STANDARD: dict[str, Callable[..., Any]] = {}

#: Operation -> the namespaces that depart from the standard there.
DEPARTURES: dict[str, frozenset[str]] = {}


def standard(operation: str, *namespaces: str) -> Callable[[Function], Function]:
    """Register a function as the correction of an operation.

    Parameters
    ----------
    operation : str
        The standard's name of the operation; ``"linalg."`` or ``"fft."`` in front for an extension.
    *namespaces : str
        The native namespaces that depart from the standard there.

    Returns
    -------
    callable
        A decorator that returns the function unchanged.
    """

    def register(function: Function) -> Function:
        if operation in STANDARD:
            raise ValueError(f"standard: operation {operation!r} is registered twice")
        STANDARD[operation] = function
        DEPARTURES[operation] = frozenset(namespaces)
        return function

    return register


def corrections_for(namespace_name: str) -> dict[str, Callable[..., Any]]:
    """Return the corrections of a native namespace.

    Parameters
    ----------
    namespace_name : str
        The name of the native namespace: ``"numpy"`` (array-api-compat over NumPy),
        ``"cupy"`` (the same over CuPy) or ``"array_api_strict"``.

    Returns
    -------
    dict of str to callable
        Operation -> ``function(xp, *inputs, **params)``, to be called with the native
        namespace first. Empty for an unknown namespace.
    """
    return {
        operation: function
        for operation, function in STANDARD.items()
        if namespace_name in DEPARTURES[operation]
    }
