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

Function = Callable[..., Any]


def _as_number(xp: Any, x: Any) -> Any:
    """Return 0 for False and 1 for True, which is then finite and in that order."""
    return xp.astype(x, xp.uint8) if x.dtype == xp.bool else x


def _truth(xp: Any, x: Any) -> Any:
    """Return whether numbers are not 0."""
    return x if x.dtype == xp.bool else x != 0


def _converted(operation: str, convert: Function) -> Function:
    def function(xp: Any, /, *inputs: Any) -> Any:
        """Compute an operation of converted operands; of bools the result is bool."""
        out = getattr(xp, operation)(*(convert(xp, x) for x in inputs))
        return xp.astype(out, xp.bool, copy=False) if inputs[0].dtype == xp.bool else out

    return function


def _of_bools(operation: str, logical: str) -> Function:
    def function(xp: Any, x1: Any, x2: Any, /) -> Any:
        """Compute an operation; of two bools a logical one."""
        return getattr(xp, logical if x1.dtype == xp.bool else operation)(x1, x2)

    return function


for _convert, _operations in {
    _as_number: (
        "greater greater_equal isfinite isinf isnan less less_equal maximum minimum".split()
    ),
    _truth: "logical_and logical_not logical_or logical_xor".split(),
}.items():
    for _operation in _operations:
        standard(_operation, "array_api_strict")(_converted(_operation, _convert))
standard("add", "array_api_strict")(_of_bools("add", "logical_or"))
standard("multiply", "array_api_strict")(_of_bools("multiply", "logical_and"))


@standard("abs", "array_api_strict")
def abs(xp: Any, x: Any, /) -> Any:
    """Compute the absolute value, of a bool itself.

    NumPy's of complex numbers has errors of up to 2 ULP where the processor has AVX-512.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.hypot(xp.real(x), xp.imag(x))
    return xp.asarray(x, copy=True) if x.dtype == xp.bool else xp.abs(x)


@standard("imag", "array_api_strict")
def imag(xp: Any, x: Any, /) -> Any:
    """Return the imaginary component, which is 0 for a real number."""
    return xp.imag(x) if xp.isdtype(x.dtype, "complex floating") else xp.zeros_like(x)


@standard("signbit", "array_api_strict")
def signbit(xp: Any, x: Any, /) -> Any:
    """Return whether the sign bit is set; of an integer, whether it is negative."""
    if xp.isdtype(x.dtype, "real floating"):
        return xp.signbit(x)
    return _as_number(xp, x) < 0
