"""Checks of arguments, shared by the pages of this namespace.

Every check takes the name of the public function first, because each message starts with it, says
what was given and what is allowed. Bad input is found here, before a backend sees it, so that all
backends raise the same errors. `_checks.pxd` declares the most called as C functions, and lets them
look at the fields of a tensor (`rank`, `code`) that Python does not see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.exceptions import AxisError

from cython.cimports.corepy._cython.core import (
    as_dtype,
    as_tensor,
    asarray,
    astype,
    broadcast_shapes,
    execute,
    result_type,
)

from corepy._cython.core import as_integer as integer
from corepy._cython.core import as_integers as integers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from corepy._cython.core import Tensor

BOOL = np.dtype("bool")
UINT8 = np.dtype("uint8")
INT64 = np.dtype("int64")
FLOAT64 = np.dtype("float64")
COMPLEX64 = np.dtype("complex64")
COMPLEX128 = np.dtype("complex128")

# np.float64 and np.complex128 are subclasses of float and complex: they count as Python scalars.
SCALARS = (bool, int, float, complex)

# NumPy's letters for the kinds of dtypes, by the dtypes' codes.
KINDS = "biiiiuuuuffcc"


# Integers, numbers and words


def number(function: str, name: str, value: Any) -> float:
    """Argument `name` as a real Python number."""
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, (complex, str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"{function}: {name} must be a real number, got {type(value).__name__}")
    try:
        return float(value)
    except TypeError:
        raise TypeError(
            f"{function}: {name} must be a single real number, got {type(value).__name__}"
        ) from None


def choice(function: str, name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """Argument `name`, one of `allowed`."""
    if type(value) is str and value in allowed:
        return value
    if isinstance(value, np.generic):
        value = value.item()
    # Arrays are kept out first: they would not answer `in` with a bool.
    if not isinstance(value, (str, int, float, type(None))) or value not in allowed:
        listed = ", ".join(map(repr, allowed))
        raise ValueError(f"{function}: {name} must be one of {listed}, got {value!r}")
    return value


# Axes


def normalize_axis(function: str, axis: Any, ndim: int) -> int:
    """`axis` counted from 0, for an array of `ndim` axes.

    Raises
    ------
    TypeError
        If `axis` is not an integer.
    numpy.exceptions.AxisError
        If there is no such axis (a ValueError and an IndexError).
    """
    count = axis if type(axis) is int else integer(function, "axis", axis)
    if not -ndim <= count < ndim:
        raise AxisError(out_of_range(function, count, ndim))
    return count + ndim if count < 0 else count


def out_of_range(function: str, axis: int, ndim: int) -> str:
    """The message for an axis that an array of `ndim` axes does not have."""
    allowed = f"{-ndim} to {ndim - 1}" if ndim else "none"
    return (
        f"{function}: axis {axis} is out of range for an array of {ndim} dimensions; "
        f"allowed: {allowed}"
    )


def normalize_axes(function: str, axis: Any, ndim: int, *, unique: bool = True) -> tuple[int, ...]:
    """`axis`, an integer, a sequence of them or None (all axes), as a tuple counted from 0."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple([normalize_axis(function, a, ndim) for a in integers(function, "axis", axis)])
    if unique and len(set(axes)) != len(axes):
        raise ValueError(f"{function}: axes must differ from each other, got {axis!r}")
    return axes


def common_axis(function: str, axis: Any, x1: Tensor, x2: Tensor) -> int:
    """`axis` of two operands, counted from the end (-1, -2, ...).

    The standard counts from the end only. A non-negative axis means the same thing as long as both
    operands have equally many axes, so it is taken then.
    """
    result = integer(function, "axis", axis)
    if result < 0:
        normalize_axis(function, result, min(x1.ndim, x2.ndim))
        return result
    if x1.ndim != x2.ndim:
        raise AxisError(
            f"{function}: axis must be negative for operands with {x1.ndim} and {x2.ndim} "
            f"dimensions, got {result}"
        )
    return normalize_axis(function, result, x1.ndim) - x1.ndim


# Shapes


def require_ndim(function: str, name: str, x: Tensor, ndim: int) -> None:
    """Raise unless `x` has exactly `ndim` axes."""
    if x.rank != ndim:  # type: ignore[attr-defined]
        raise ValueError(f"{function}: {name} must be {ndim}-dimensional, got shape {x.shape}")


def require_min_ndim(function: str, name: str, x: Tensor, ndim: int) -> None:
    """Raise unless `x` has at least `ndim` axes."""
    if x.rank < ndim:  # type: ignore[attr-defined]
        plural = "" if ndim == 1 else "s"
        raise ValueError(
            f"{function}: {name} must have at least {ndim} dimension{plural}, got shape {x.shape}"
        )


def require_square(function: str, name: str, x: Tensor) -> None:
    """Raise unless `x` is a square matrix or a stack of square matrices."""
    shape = x.shape
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ValueError(f"{function}: {name} must have shape (..., M, M), got shape {shape}")


def broadcast(function: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that `shapes` broadcast to, with the function's name in the error."""
    try:
        return broadcast_shapes(shapes)
    except ValueError:
        listed = ", ".join(map(str, shapes))
        raise ValueError(f"{function}: shapes {listed} cannot be broadcast together") from None


# Dtypes


def kind_of(x: Tensor) -> str:
    """The kind of the dtype of `x`: NumPy's letter."""
    return KINDS[x.code]  # type: ignore[attr-defined]


def require_kinds(function: str, x: Tensor, kinds: str, allowed: str) -> None:
    """Raise unless the dtype of `x` is of one of `kinds` (NumPy's letters)."""
    if kind_of(x) not in kinds:
        raise TypeError(f"{function}: dtype {x.dtype} is not supported; allowed: {allowed}")


def require_integer(function: str, name: str, x: Tensor) -> None:
    """Raise unless `x` holds integers."""
    if kind_of(x) not in "iu":
        raise TypeError(f"{function}: {name} must have an integer dtype, got {x.dtype}")


def require_numeric(function: str, x: Tensor) -> None:
    """Raise if `x` holds bools."""
    require_kinds(function, x, "iufc", "numeric dtypes")


def require_ordered(function: str, x: Tensor) -> None:
    """Raise if `x` holds complex numbers, which have no order."""
    require_kinds(function, x, "biuf", "bool and real dtypes (complex numbers have no order)")


def optional_dtype(function: str, dtype: Any) -> np.dtype | None:
    """`dtype` as a supported dtype; None stays None."""
    return None if dtype is None else as_dtype(function, dtype)


# Operands


def floating(function: str, x: Any) -> Tensor:
    """Operand `x` as a floating-point Tensor: bools and integers become float64."""
    x = as_tensor(function, x)
    return astype(x, FLOAT64) if kind_of(x) in "biu" else x


def countable(function: str, x: Any) -> Tensor:
    """Operand `x` of a sum or product: bools are counted, as int64."""
    x = as_tensor(function, x)
    return astype(x, INT64) if x.dtype == BOOL else x


def promote(*arrays: Tensor) -> tuple[Tensor, ...]:
    """`arrays` in the dtype they promote to; an array that has it already is passed through."""
    dtype = arrays[0].dtype
    for x in arrays:
        if x.dtype != dtype:
            break
    else:
        return arrays
    dtype = result_type([x.dtype for x in arrays])
    return tuple([x if x.dtype == dtype else astype(x, dtype) for x in arrays])


def scalar_beside(x: Tensor, value: complex) -> Tensor:
    """A Python scalar as a 0-d Tensor on the device of `x`, in the dtype it takes beside `x`.

    An integer that the dtype of `x` cannot hold keeps an integer dtype of its own: such values are
    only compared here, and a comparison with a value out of range has an answer.
    """
    try:
        return asarray(value, dtype=result_type((x, value)), device=x.device)
    except OverflowError:
        return asarray(value, device=x.device)


def of_one_dtype(x1: Tensor, x2: Tensor) -> bool:
    """Whether two tensors have the same dtype."""
    return x1.code == x2.code  # type: ignore[attr-defined]


def pair(function: str, x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
    """Two operands as Tensors of one dtype; a Python scalar goes to the device of the other."""
    if type(x1) is Tensor and type(x2) is Tensor and of_one_dtype(x1, x2):
        return x1, x2
    if isinstance(x1, SCALARS) and not isinstance(x2, SCALARS):
        x2 = as_tensor(function, x2)
        x1 = scalar_beside(x2, x1)
    else:
        x1 = as_tensor(function, x1)
        if isinstance(x2, SCALARS):
            x2 = scalar_beside(x1, x2)
        else:
            x2 = as_tensor(function, x2)
    return promote(x1, x2)  # type: ignore[return-value]


def require_same_shapes(function: str, arrays: Sequence[Tensor], but_axis: int | None) -> None:
    """Raise unless all `arrays` have one shape, not looking at axis `but_axis`."""
    ndim = arrays[0].ndim
    first = _without(arrays[0].shape, but_axis)
    for position, x in enumerate(arrays):
        if x.ndim != ndim or _without(x.shape, but_axis) != first:
            but = "" if but_axis is None else f" except along axis {but_axis}"
            raise ValueError(
                f"{function}: arrays must have the same shape{but}, got {arrays[0].shape} "
                f"at position 0 and {x.shape} at position {position}"
            )


def _without(shape: tuple[int, ...], axis: int | None) -> tuple[int, ...]:
    return shape if axis is None else shape[:axis] + shape[axis + 1 :]
