"""Dtypes beyond those that the standard requires.

The standard lists the dtypes that a function "should" have. If NumPy takes more and the meaning is
plain, Corepy takes them on every backend; array-api-strict refuses all others. Each function here
converts such operands for the native function.

Operands reach a backend with one dtype, their promoted dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corepy.backend.corrections.registry import standard

#: Of two bool operands: False is 0 and True is 1, and the result has the dtype given here.
_ORDERED = ("greater", "greater_equal", "less", "less_equal", "maximum", "minimum")
_LOGICAL = ("logical_and", "logical_or", "logical_xor")
_CLASSIFYING = ("isfinite", "isinf", "isnan")


def _as_number(xp: Any, x: Any) -> Any:
    return xp.astype(x, xp.uint8) if x.dtype == xp.bool else x


def _truth(xp: Any, x: Any) -> Any:
    return x if x.dtype == xp.bool else x != 0


def _document(function: Callable[..., Any], operation: str, what: str) -> Callable[..., Any]:
    function.__name__ = operation
    function.__doc__ = f"""{what}

    array-api-strict refuses operands of other dtypes than the standard's.

    Notes
    -----
    array API 2025.12, elementwise_functions.{operation}.
    """
    return function


def _ordered(operation: str) -> Callable[..., Any]:
    def function(xp: Any, x1: Any, x2: Any, /) -> Any:
        out = getattr(xp, operation)(_as_number(xp, x1), _as_number(xp, x2))
        is_bool = x1.dtype == xp.bool and x2.dtype == xp.bool
        return xp.astype(out, xp.bool, copy=False) if is_bool else out

    return _document(function, operation, "Order numbers, and False before True.")


def _logical(operation: str) -> Callable[..., Any]:
    def function(xp: Any, x1: Any, x2: Any, /) -> Any:
        return getattr(xp, operation)(_truth(xp, x1), _truth(xp, x2))

    return _document(
        function, operation, "Combine truth values; of numbers, whether they are not 0."
    )


def _classifying(operation: str) -> Callable[..., Any]:
    def function(xp: Any, x: Any, /) -> Any:
        return getattr(xp, operation)(_as_number(xp, x))

    return _document(function, operation, "Classify numbers; a bool is finite.")


for _names, _make in ((_ORDERED, _ordered), (_LOGICAL, _logical), (_CLASSIFYING, _classifying)):
    for _name in _names:
        standard(_name, "array_api_strict")(_make(_name))


@standard("logical_not", "array_api_strict")
def logical_not(xp: Any, x: Any, /) -> Any:
    """Negate truth values; of numbers, return whether they are 0.

    array-api-strict takes bool only.

    Notes
    -----
    array API 2025.12, elementwise_functions.logical_not.
    """
    return xp.logical_not(_truth(xp, x))


@standard("abs", "array_api_strict")
def abs(xp: Any, x: Any, /) -> Any:
    """Compute the absolute value, of a bool itself.

    array-api-strict takes numeric dtypes only.

    Notes
    -----
    array API 2025.12, elementwise_functions.abs.
    """
    return xp.asarray(x, copy=True) if x.dtype == xp.bool else xp.abs(x)


@standard("add", "array_api_strict")
def add(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Add numbers; of two bools, return whether one is True.

    array-api-strict takes numeric dtypes only.

    Notes
    -----
    array API 2025.12, elementwise_functions.add.
    """
    if x1.dtype == xp.bool and x2.dtype == xp.bool:
        return xp.logical_or(x1, x2)
    return xp.add(x1, x2)


@standard("multiply", "array_api_strict")
def multiply(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Multiply numbers; of two bools, return whether both are True.

    array-api-strict takes numeric dtypes only.

    Notes
    -----
    array API 2025.12, elementwise_functions.multiply.
    """
    if x1.dtype == xp.bool and x2.dtype == xp.bool:
        return xp.logical_and(x1, x2)
    return xp.multiply(x1, x2)


@standard("imag", "array_api_strict")
def imag(xp: Any, x: Any, /) -> Any:
    """Return the imaginary component, which is 0 for a real number.

    array-api-strict takes complex dtypes only.

    Notes
    -----
    array API 2025.12, elementwise_functions.imag.
    """
    return xp.imag(x) if xp.isdtype(x.dtype, "complex floating") else xp.zeros_like(x)


@standard("signbit", "array_api_strict")
def signbit(xp: Any, x: Any, /) -> Any:
    """Return whether the sign bit is set; of an integer, whether it is negative.

    array-api-strict takes real floating-point dtypes only.

    Notes
    -----
    array API 2025.12, elementwise_functions.signbit.
    """
    if xp.isdtype(x.dtype, "real floating"):
        return xp.signbit(x)
    return _as_number(xp, x) < 0
