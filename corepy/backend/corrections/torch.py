"""PyTorch's functions for all dtypes, and with the arguments of the standard's.

`complete` returns a namespace of them, in terms of which the corrections of all libraries are
written. Functions without another remark are in it because PyTorch takes fewer dtypes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from corepy.backend.corrections import unsigned

Array = Any
Function = Callable[..., Any]


class Namespace:
    """A namespace some of whose functions are replaced.

    Parameters
    ----------
    native : module
        The namespace that has all other names.
    functions : dict
        The replacements; those of an extension as ``"linalg.svd"``.
    """

    def __init__(self, native: Any, functions: dict[str, Function]) -> None:
        self._native = native
        extensions: dict[str, dict[str, Function]] = {}
        for name, function in functions.items():
            extension, dot, short = name.rpartition(".")
            if dot:
                extensions.setdefault(extension, {})[short] = function
            else:
                setattr(self, name, function)
        for extension, members in extensions.items():
            setattr(self, extension, Namespace(getattr(native, extension), members))

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._native, name)
        setattr(self, name, value)
        return value


def complete(native: Any) -> Namespace:
    """Return PyTorch's namespace with functions for all dtypes.

    Parameters
    ----------
    native : module
        ``array_api_compat.torch``.
    """
    found = _functions(native)

    def lookup(operation: str) -> Function:
        if operation in found:
            return found[operation]
        value = native
        for part in operation.split("."):
            value = getattr(value, part)
        return value

    return Namespace(native, {**found, **unsigned.functions(native, lookup)})


def _functions(xp: Any) -> dict[str, Function]:
    """Return functions for bool, and for integers where PyTorch's depart from the standard."""
    found: dict[str, Function] = {}

    def add(operation: str) -> Callable[[Function], Function]:
        def register(function: Function) -> Function:
            found[operation] = function
            return function

        return register

    def by_number(operation: str, *, result_is_bool: bool) -> None:
        """Compute with uint8 in the place of bool."""
        compute = getattr(xp, operation)

        def function(*inputs: Any, **params: Any) -> Any:
            is_bool = False
            converted = []
            for x in inputs:
                if hasattr(x, "view") and x.dtype == xp.bool:
                    is_bool = True
                    x = x.view(xp.uint8)
                converted.append(x)
            out = compute(*converted, **params)
            return out != 0 if is_bool and result_is_bool else out

        found[operation] = function

    for name in ("argmax", "argmin", "searchsorted", "isin"):
        by_number(name, result_is_bool=False)
    for name in ("matmul", "tensordot", "vecdot", "remainder"):
        by_number(name, result_is_bool=True)

    def integers_too(operation: str) -> None:
        """Return integers and bool themselves."""
        compute = getattr(xp, operation)

        def function(x: Array, /) -> Array:
            return compute(x) if x.dtype.is_floating_point or x.dtype.is_complex else x.clone()

        found[operation] = function

    for name in ("ceil", "conj", "floor", "positive", "real", "round", "trunc"):
        integers_too(name)

    @add("real")
    def real(x: Array, /) -> Array:
        return x.real.clone()

    @add("imag")
    def imag(x: Array, /) -> Array:
        return x.imag.clone() if x.dtype.is_complex else xp.zeros_like(x)

    @add("abs")
    def abs(x: Array, /) -> Array:
        return x.clone() if x.dtype == xp.bool else xp.abs(x)

    def divided(operation: str) -> None:
        """Return 0 for integers divided by zero, for which PyTorch raises an error."""
        compute = found.get(operation, getattr(xp, operation))

        def function(x1: Array, x2: Array, /) -> Array:
            if x1.dtype.is_floating_point:
                return compute(x1, x2)
            zero = x2 == 0
            out = compute(x1, xp.where(zero, xp.ones_like(x2), x2))
            return xp.where(zero, xp.zeros_like(out), out)

        found[operation] = function

    divided("floor_divide")
    divided("remainder")

    # ---- creation, by NumPy, whose roundings and errors the other backends have too

    def from_host(array: Any, device: Any) -> Array:
        return xp.from_numpy(np.array(array)).to(device)

    def numpys(dtype: Any) -> Any:
        return None if dtype is None else str(dtype).removeprefix("torch.")

    @add("arange")
    def arange(
        start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None
    ) -> Array:
        return from_host(np.arange(start, stop, step, dtype=numpys(dtype)), device)

    @add("linspace")
    def linspace(
        start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None,
        endpoint: bool = True,
    ) -> Array:  # fmt: skip
        array = np.linspace(start, stop, num, dtype=numpys(dtype), endpoint=endpoint)
        return from_host(array, device)

    return found
