"""PyTorch's functions for all dtypes, and with the arguments of the standard's.

`complete` returns a namespace of them, in terms of which the corrections of all libraries are
written. Functions without another remark are in it because PyTorch takes fewer dtypes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

from corepy.backend.corrections import unsigned
from corepy.backend.corrections.indexing import position

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


def complete(native: Any, host: ModuleType) -> Namespace:
    """Return PyTorch's namespace with functions for all dtypes.

    Parameters
    ----------
    native : module
        ``array_api_compat.torch``.
    host : module
        NumPy, for progressions and square roots.
    """
    found = _functions(native, host)

    def lookup(operation: str) -> Function:
        if operation in found:
            return found[operation]
        value = native
        for part in operation.split("."):
            value = getattr(value, part)
        return value

    return Namespace(native, {**found, **unsigned.functions(native, lookup)})


def _functions(xp: Any, host: ModuleType) -> dict[str, Function]:
    """Return functions for bool, and for integers where PyTorch's depart from the standard."""
    found: dict[str, Function] = {}

    def add(operation: str) -> Callable[[Function], Function]:
        def register(function: Function) -> Function:
            found[operation] = function
            return function

        return register

    def is_bool(x: Any) -> bool:
        return hasattr(x, "view") and x.dtype == xp.bool

    def number(x: Any) -> Any:
        return x.view(xp.uint8) if is_bool(x) else x

    def by_number(operation: str, *, result_is_bool: bool) -> None:
        """Compute with uint8 in the place of bool."""
        compute = getattr(xp, operation)

        def function(*inputs: Any, **params: Any) -> Any:
            out = compute(*map(number, inputs), **params)
            return out != 0 if result_is_bool and any(map(is_bool, inputs)) else out

        found[operation] = function

    for name in ("argmax", "argmin"):
        by_number(name, result_is_bool=False)

    def rank(x: Array) -> Array:
        """Return integers in the order of real numbers, the largest for NaN."""
        dtype = xp.int64 if x.dtype == xp.float64 else xp.int32
        limits = xp.iinfo(dtype)
        bits = (x + 0.0).view(dtype)  # + 0.0: one zero
        ranks = xp.where(bits < 0, int(limits.min) - bits, bits)
        return xp.where(x != x, int(limits.max), ranks)

    @add("searchsorted")
    def searchsorted(x1: Array, x2: Array, /, *, side: str = "left", sorter: Any = None) -> Array:
        """Take bool, and NaN as the largest number; PyTorch warns of strided arrays."""
        x1, x2 = number(x1), number(x2)
        if x1.dtype.is_floating_point and bool(xp.any(x1 != x1) | xp.any(x2 != x2)):
            x1, x2 = rank(x1), rank(x2)
        sorter = None if sorter is None else sorter.contiguous()
        return xp.searchsorted(x1.contiguous(), x2.contiguous(), side=side, sorter=sorter)

    @add("isin")
    def isin(x1: Array, x2: Array, /) -> Array:
        """Take bool, and arrays that are not contiguous."""
        return xp.isin(number(x1).contiguous(), number(x2).contiguous())

    def bounded(operation: str) -> None:
        """Raise NumPy's error for an index that is out of bounds."""
        compute = getattr(xp, operation)

        def function(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
            place = (-1 if operation == "take_along_axis" else 0) if axis is None else axis
            indices = position(xp, indices, place, x.shape[place], operation)
            return compute(x, indices, axis=place)

        found[operation] = function

    bounded("take")
    bounded("take_along_axis")

    @add("count_nonzero")
    def count_nonzero(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        """Count along no axis, too."""
        nonzero = xp.astype(x != 0, xp.int64)
        return xp.sum(nonzero, axis=axis, keepdims=keepdims)

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

    def remainder(x1: Array, x2: Array, /) -> Array:
        """Give a zero the sign of `x2`; PyTorch's is NaN where the quotient is very large."""
        if not x1.dtype.is_floating_point:
            return numbers_remainder(x1, x2)
        out = xp.fmod(x1, x2)
        lost = xp.isnan(out) & xp.isfinite(x1) & ~xp.isnan(x2) & (x2 != 0)
        if bool(xp.any(lost)):
            a, b = (xp.broadcast_to(x, out.shape)[lost].tolist() for x in (x1, x2))
            exact = [math.fmod(*operands) for operands in zip(a, b, strict=True)]
            out[lost] = xp.asarray(exact, dtype=out.dtype, device=out.device)
        out = xp.where((out != 0) & ((out < 0) != (x2 < 0)), out + x2, out)
        return xp.where(out == 0, xp.copysign(out, x2), out)

    numbers_remainder = found["remainder"]
    found["remainder"] = remainder
    divided("floor_divide")
    divided("remainder")

    # ---- real functions

    @add("sqrt")
    def sqrt(x: Array, /) -> Array:
        """Round correctly: PyTorch's results on the CPU are the next number now and then."""
        if x.dtype.is_complex or x.device.type != "cpu":
            return xp.sqrt(x)
        with host.errstate(invalid="ignore"):
            return xp.from_numpy(host.asarray(host.sqrt(x.numpy())))

    @add("log1p")
    def log1p(x: Array, /) -> Array:
        """Return subnormal numbers themselves; PyTorch gives 0 for some."""
        out = xp.log1p(x)
        if x.dtype.is_complex:
            return out
        return xp.where(xp.abs(x) < xp.finfo(x.dtype).smallest_normal, x, out)

    # ---- complex numbers

    def by_parts(operation: str) -> None:
        """Compute with each component: PyTorch multiplies by 1 + 0j, or loses signs of zeros."""
        compute = found.get(operation, getattr(xp, operation))

        def function(*inputs: Array) -> Array:
            if not inputs[0].dtype.is_complex:
                return compute(*inputs)
            return xp.view_as_complex(compute(*map(xp.view_as_real, inputs)).contiguous())

        found[operation] = function

    for name in ("add", "negative", "round", "subtract"):
        by_parts(name)

    @add("acos")
    def acos(x: Array, /) -> Array:
        """Give a zero imaginary component the sign that it should have."""
        out = xp.acos(x)
        if not x.dtype.is_complex:
            return out
        return xp.complex(
            out.real, xp.where(out.imag == 0, xp.copysign(out.imag, -x.imag), out.imag)
        )

    @add("pow")
    def pow(x1: Array, x2: Array, /) -> Array:
        """Raise to a power; PyTorch's complex powers of zero, and with exponent 0, are NaN."""
        out = xp.pow(x1, x2)
        if not out.dtype.is_complex:
            return out
        one, zero = xp.ones_like(out), xp.zeros_like(out)
        out = xp.where((x1 == 0) & (x2.real > 0), zero, out)
        return xp.where(x2 == 0, one, out)

    # ---- statistics

    def spread(operation: str) -> None:
        compute = getattr(xp, operation)

        def function(
            x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False
        ) -> Array:
            """Take any correction, and no axis; PyTorch's namespace takes integers."""
            if float(correction).is_integer() and axis != () and 0 not in x.shape:
                return compute(x, axis=axis, correction=correction, keepdims=keepdims)
            if 0 in x.shape:  # PyTorch warns
                return xp.sum(x, axis=axis, keepdims=keepdims)
            squares = xp.square(x - xp.mean(x, axis=axis, keepdims=True))
            total = xp.sum(squares, axis=axis, keepdims=keepdims)
            count = math.prod(x.shape) // max(math.prod(total.shape), 1)
            out = total / (count - correction)
            return xp.sqrt(out) if operation == "std" else out

        found[operation] = function

    spread("std")
    spread("var")

    @add("linalg.vector_norm")
    def vector_norm(x: Array, /, **params: Any) -> Array:
        """Compute norms of moduli; PyTorch warns of some of complex numbers."""
        return xp.linalg.vector_norm(xp.abs(x) if x.dtype.is_complex else x, **params)

    # ---- creation, by NumPy, whose roundings and errors the other backends have too

    def from_host(array: Any, device: Any) -> Array:
        return xp.from_numpy(host.array(array)).to(device)

    def numpy_dtype(dtype: Any) -> Any:
        return None if dtype is None else str(dtype).removeprefix("torch.")

    @add("arange")
    def arange(
        start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None
    ) -> Array:
        return from_host(host.arange(start, stop, step, dtype=numpy_dtype(dtype)), device)

    @add("linspace")
    def linspace(
        start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None,
        endpoint: bool = True,
    ) -> Array:  # fmt: skip
        array = host.linspace(start, stop, num, dtype=numpy_dtype(dtype), endpoint=endpoint)
        return from_host(array, device)

    def frequencies(operation: str) -> None:
        compute = getattr(host.fft, operation)

        def function(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
            return from_host(compute(n, d).astype(numpy_dtype(dtype) or "float64"), device)

        found["fft." + operation] = function

    frequencies("fftfreq")
    frequencies("rfftfreq")

    return found
