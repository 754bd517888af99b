"""Data type functions (array API standard 2025.12, "Data Type Functions").

Where a function takes a dtype it takes everything that NumPy makes one of: ``xp.float32``,
``numpy.float32``, ``"float32"``, ``float``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython
import numpy as np
from cython.cimports.corepy._cython import core

from corepy.array_api.data_types import KINDS

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from corepy._cython.core import Device, Tensor
    from corepy.array_api._limits import FloatLimits, IntegerLimits

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


def astype(
    x: Tensor, dtype: DTypeLike, /, *, copy: bool = True, device: Device | str | None = None
) -> Tensor:
    """Convert an array to a dtype, independent of the promotion rules.

    Parameters
    ----------
    x : Tensor
        Any dtype.
    dtype : dtype
        The dtype to convert to.
    copy : bool, optional
        Whether to copy if there is nothing to convert. If False, ``x`` itself is returned then.
    device : Device or str, optional
        Where the result goes; None stays on the device of ``x``.

    Returns
    -------
    Tensor
        An array of the shape of ``x``.

    Raises
    ------
    TypeError
        If ``x`` is complex and ``dtype`` is real: use `real` or `imag`.

    Notes
    -----
    Numbers become True unless they are zero; True becomes 1. Floating-point numbers are rounded
    towards zero if they become integers; results for NaN, infinities and numbers out of range are
    not specified.

    References
    ----------
    array API 2025.12, data_type_functions.astype

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.astype(xp.asarray([0.0, 1.7, -1.7]), xp.int8)
    Tensor([ 0,  1, -1], dtype=int8)
    >>> xp.astype(xp.asarray([0.0, 0.5, xp.nan]), xp.bool)
    Tensor([False,  True,  True])
    """
    return core.astype(x, dtype, copy, device)


def can_cast(from_: DTypeLike | Tensor, to: DTypeLike, /) -> bool:
    """Tell whether promotion can turn one dtype into another.

    Parameters
    ----------
    from_ : dtype or Tensor
        The dtype to convert, or an array of it.
    to : dtype
        The dtype to convert to.

    Returns
    -------
    bool
        True if ``to`` is the promoted dtype of ``from_`` and ``to``.

    Notes
    -----
    Between kinds, where the standard does not say, the answer follows NumPy's promotion: int32 can
    become float64, but not float32, which does not hold all of its numbers.

    References
    ----------
    array API 2025.12, data_type_functions.can_cast

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.can_cast(xp.int32, xp.float64), xp.can_cast(xp.int32, xp.float32)
    (True, False)
    """
    return core.can_cast(from_, to)


def finfo(type: DTypeLike | Tensor, /) -> FloatLimits:
    """Return the limits of a floating-point dtype.

    Parameters
    ----------
    type : dtype or Tensor
        Floating-point dtype, or an array of one. For a complex dtype the limits are those of a
        component.

    Returns
    -------
    FloatLimits
        ``bits``, ``eps``, ``max``, ``min``, ``smallest_normal`` and ``dtype``, and NumPy's other
        attributes, as Python numbers.

    Raises
    ------
    TypeError
        If the dtype is not a floating-point one.

    References
    ----------
    array API 2025.12, data_type_functions.finfo

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.finfo(xp.float32).eps
    1.1920928955078125e-07
    """
    dtype = core.dtype_of("finfo", type)
    if core.kind_of(dtype) not in "fc":
        raise TypeError(
            f"finfo: dtype {dtype} is not supported; allowed: real and complex floating-point "
            "dtypes (iinfo describes integers)"
        )
    from corepy.array_api import _limits  # which few programs use

    return _limits.float_limits(dtype)


def iinfo(type: DTypeLike | Tensor, /) -> IntegerLimits:
    """Return the limits of an integer dtype.

    Parameters
    ----------
    type : dtype or Tensor
        Integer dtype, or an array of one.

    Returns
    -------
    IntegerLimits
        ``bits``, ``max``, ``min`` and ``dtype``, as Python numbers.

    Raises
    ------
    TypeError
        If the dtype is not an integer one.

    References
    ----------
    array API 2025.12, data_type_functions.iinfo

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.iinfo(xp.int8).max
    127
    """
    dtype = core.dtype_of("iinfo", type)
    if dtype.kind not in "iu":
        raise TypeError(
            f"iinfo: dtype {dtype} is not supported; allowed: integer dtypes (finfo describes "
            "floating-point numbers)"
        )
    from corepy.array_api import _limits

    return _limits.integer_limits(dtype)


def isdtype(dtype: DTypeLike, kind: DTypeLike | tuple[DTypeLike, ...]) -> bool:
    """Tell whether a dtype is of a kind.

    Parameters
    ----------
    dtype : dtype
        The dtype in question.
    kind : dtype, str or tuple of them
        A dtype; or ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"`` (the
        two before), ``"real floating"``, ``"complex floating"`` or ``"numeric"`` (all but bool);
        or a tuple of these, any of which will do.

    Returns
    -------
    bool
        True if ``dtype`` is the dtype or of the kind.

    Raises
    ------
    ValueError
        If ``kind`` is a string that names neither a kind nor a dtype.

    References
    ----------
    array API 2025.12, data_type_functions.isdtype

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.isdtype(xp.uint8, ("signed integer", "unsigned integer"))
    True
    """
    dtype = _any_dtype(dtype, "dtype")
    if not isinstance(kind, tuple):
        return _is_kind(dtype, kind)
    return any(_is_kind(dtype, one) for one in kind)


def result_type(*arrays_and_dtypes: Tensor | int | float | complex | bool | DTypeLike) -> np.dtype:
    """Return the dtype that operands promote to together.

    Parameters
    ----------
    *arrays_and_dtypes : Tensor, dtype or Python scalar
        The operands, or their dtypes; at least one of them not a Python scalar.

    Returns
    -------
    dtype
        The promoted dtype.

    Notes
    -----
    Python scalars count by kind only: an int or a bool does not change the dtype of an array of
    numbers, a float makes integers float64 and leaves float32 alone, a complex makes float32
    complex64. Where the standard leaves promotion open, between integers and floating-point
    numbers, it is NumPy's.

    References
    ----------
    array API 2025.12, data_type_functions.result_type

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.result_type(xp.int8, xp.uint8)
    dtype('int16')
    """
    return core.result_type(arrays_and_dtypes)


@cython.cfunc
def _any_dtype(dtype, name):
    """Return any NumPy dtype, also one that no Tensor has: the question is still answered."""
    if isinstance(dtype, np.dtype):
        return dtype
    if dtype is not None:
        try:
            return np.dtype(dtype)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"isdtype: {name} must be a dtype, got {dtype!r}")


@cython.cfunc
def _is_kind(dtype, kind):
    """Answer `isdtype` for one kind."""
    if isinstance(kind, str):
        characters = KINDS.get(kind)
        if characters is not None:
            return core.kind_of(dtype) in characters
        try:
            return dtype == np.dtype(kind)
        except TypeError:
            allowed = ", ".join(map(repr, KINDS))
            raise ValueError(
                f"isdtype: {kind!r} is not a kind; allowed: {allowed}, dtypes and tuples of them"
            ) from None
    return dtype == _any_dtype(kind, "kind")
