"""Set functions."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from corepy.backend.corrections.parts import constant, is_complex, is_integer
from corepy.backend.corrections.registry import standard


def _as_array(xp: Any, scalar: Any, other: Any) -> Any:
    """Return a scalar as an array of the dtype of `other`, or None if it is not representable."""
    if is_integer(xp, other):
        limits = xp.iinfo(other.dtype)
        if scalar != int(scalar) or not int(limits.min) <= scalar <= int(limits.max):
            return None
        scalar = int(scalar)
    return constant(xp, scalar, like=other)


def _find(xp: Any, x1: Any, x2: Any) -> Any:
    if is_integer(xp, x1) and is_integer(xp, x2):
        return xp.isin(x1, x2)
    values = xp.reshape(x2, (-1,))
    return xp.any(xp.equal(xp.expand_dims(x1, axis=-1), values), axis=-1)


@standard("isin", "numpy", "array_api_strict", "torch")
def isin(xp: Any, x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """Test for each element of `x1` whether it is in `x2`.

    array-api-strict ignores `invert` and takes integers alone. NumPy takes an integer given for
    an array as int64 and compares it with uint64 as float64.
    """
    scalars = (bool, int, float, complex)
    if isinstance(x1, scalars):
        shape, like = (), x2
        x1 = _as_array(xp, x1, x2)
    else:
        shape, like = x1.shape, x1
        if isinstance(x2, scalars):
            x2 = _as_array(xp, x2, x1)
    if x1 is None or x2 is None:  # not representable, so in no array of the dtype
        found = xp.broadcast_to(constant(xp, False, like=like, dtype=xp.bool), shape)
        return xp.logical_not(found) if invert else xp.asarray(found, copy=True)
    found = _find(xp, x1, x2)
    return xp.logical_not(found) if invert else found


def _order(xp: Any, x: Any) -> Any:
    """Return the positions that sort a vector; complex numbers by real, then imaginary parts."""
    if not is_complex(xp, x):
        return xp.argsort(x)
    by_imag = xp.argsort(xp.imag(x))
    return xp.take(by_imag, xp.argsort(xp.take(xp.real(x), by_imag, axis=0)), axis=0)


def sorted_unique(xp: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """Return unique values, their first positions, inverse indices and counts, of all of `x`."""
    flat = xp.reshape(x, (-1,))
    size = prod(x.shape)
    order = _order(xp, flat)
    ordered = xp.take(flat, order, axis=0)
    new = xp.not_equal(ordered[1:], ordered[:-1])  # each NaN is distinct
    new = xp.concat([xp.ones((min(size, 1),), dtype=xp.bool, device=x.device), new])
    places = xp.astype(xp.nonzero(new)[0], xp.int64, copy=False)
    end = xp.full((min(size, 1),), size, dtype=xp.int64, device=x.device)
    counts = xp.concat([places[1:], end]) - places
    numbers = xp.cumulative_sum(xp.astype(new, xp.int64), axis=0) - 1
    inverse = xp.take(numbers, xp.argsort(order), axis=0)
    first = xp.take(order, places, axis=0)
    return xp.take(flat, first, axis=0), first, xp.reshape(inverse, x.shape), counts


def unique_functions(unique: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions of unique values, which are parts of the results of the most general:
    values, first positions, inverse indices and counts.
    """

    def only(*parts: int) -> Callable[..., Any]:
        def function(xp: Any, x: Any, /) -> Any:
            """Return unique values, and what else is asked for."""
            found = unique(xp, x)
            return tuple(found[part] for part in parts)

        return function

    def values(xp: Any, x: Any, /) -> Any:
        """Return unique values."""
        return unique(xp, x)[0]

    return {
        "unique_all": only(0, 1, 2, 3),
        "unique_counts": only(0, 3),
        "unique_inverse": only(0, 2),
        "unique_values": values,
    }


# array-api-compat has no `unique_all` for PyTorch, and PyTorch's functions take no complex numbers.
for _operation, _function in unique_functions(sorted_unique).items():
    standard(_operation, "torch")(_function)
