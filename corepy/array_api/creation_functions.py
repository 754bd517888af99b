"""Creation functions (array API standard 2025.12, "Creation Functions").

In all of them ``dtype=None`` is the default dtype of the kind (bool, int64, float64, complex128),
on every device, and ``device=None`` the default device, unless the function has an array to follow.
A shape is an int or a sequence of ints; numbers may be Python scalars or 0-d arrays.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Literal

import cython
import numpy as np
from cython.cimports.corepy._cython.core import as_dtype, as_tensor, create, execute, reshape
from cython.cimports.corepy._cython.core import asarray as core_asarray
from cython.cimports.corepy._cython.core import from_dlpack as core_from_dlpack
from cython.cimports.corepy._cython.core import full as core_full

from corepy.array_api._checks import choice, integer, integers, optional_dtype, require_min_ndim
from corepy.array_api.data_types import DTYPES, integer_limits

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from corepy._cython.core import Device, Tensor

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

_MAX_NDIM = 64
_MAX_BYTES = 2**63 - 1
_FROM_KIND = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return evenly spaced numbers from an interval that excludes its end.

    Parameters
    ----------
    start : int or float
        First number; if ``stop`` is not given, the end, and the first number is 0.
    stop : int or float, optional
        End of the interval, excluded.
    step : int or float, optional
        Distance between neighbours; not 0.
    dtype : dtype, optional
        None is int64 if all three numbers are integers, else float64.
    device : Device or str, optional
        Where to create the array.

    Returns
    -------
    Tensor
        One axis of ``ceil((stop - start) / step)`` numbers, or none if ``step`` leads away from
        ``stop``.

    Raises
    ------
    ValueError
        If ``step`` is 0, or a number is infinite or NaN.

    Notes
    -----
    With a fractional ``step`` rounding decides whether a number close to ``stop`` is still in;
    `linspace` takes the number of numbers instead.

    References
    ----------
    array API 2025.12, creation_functions.arange

    Examples
    --------
    >>> xp.arange(2, 8, 2)
    Tensor([2, 4, 6])
    """
    start = _real("arange", "start", start)
    step = _real("arange", "step", step)
    if stop is None:
        start, stop = 0, start
    else:
        stop = _real("arange", "stop", stop)
    if step == 0:
        raise ValueError("arange: step must not be 0")
    floating = isinstance(start, float) or isinstance(stop, float) or isinstance(step, float)
    if dtype is None:
        dtype = DTYPES["float64"] if floating else DTYPES["int64"]
    else:
        dtype = as_dtype("arange", dtype)
    _check_arange(start, stop, step, floating, dtype)
    return create("arange", device, (start, stop, step), {"dtype": dtype})


def asarray(
    obj: Any,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
    copy: bool | None = None,
) -> Tensor:
    """Make an array of an object.

    Parameters
    ----------
    obj : Tensor, Python scalar, nested sequence or array of another library
        What to convert. Of other libraries everything with the buffer protocol, ``__array__`` or
        DLPack is taken.
    dtype : dtype, optional
        None infers it: the dtype of an array, and for Python scalars the default dtype of the
        highest kind among them.
    device : Device or str, optional
        Where the result goes. None is the device of ``obj`` if that is a Tensor.
    copy : bool or None, optional
        True always copies, False never does, None if it must.

    Returns
    -------
    Tensor
        An array with the data of ``obj``.

    Raises
    ------
    ValueError
        If ``copy`` is False and a copy cannot be avoided, or if sequences are ragged.

    References
    ----------
    array API 2025.12, creation_functions.asarray

    Examples
    --------
    >>> xp.asarray([[1, 2], [3, 4]], dtype=xp.float32)
    Tensor([[1., 2.],
            [3., 4.]], dtype=float32)
    """
    return core_asarray(obj, optional_dtype("asarray", dtype), device, copy)


def empty(
    shape: int | tuple[int, ...],
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return an array with arbitrary elements, to be written before they are read.

    Parameters
    ----------
    shape : int or tuple of ints
        Shape of the array.
    dtype : dtype, optional
        None is float64.
    device : Device or str, optional
        Where to create the array.

    Returns
    -------
    Tensor
        The array.

    References
    ----------
    array API 2025.12, creation_functions.empty
    """
    return core_full("empty", shape, None, _dtype("empty", dtype), device)


def empty_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: Device | str | None = None
) -> Tensor:
    """Return an array of the shape of another, with arbitrary elements.

    Parameters
    ----------
    x : Tensor
        The array to follow.
    dtype : dtype, optional
        None is the dtype of ``x``.
    device : Device or str, optional
        Where to create the array; None is the device of ``x``.

    Returns
    -------
    Tensor
        The array.

    References
    ----------
    array API 2025.12, creation_functions.empty_like
    """
    x = as_tensor("empty_like", x)
    dtype = x.dtype if dtype is None else as_dtype("empty_like", dtype)
    return core_full("empty_like", x.shape, None, dtype, x.device if device is None else device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return a matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    n_cols : int, optional
        Number of columns; None is as many as rows.
    k : int, optional
        The diagonal: 0 is the main one, positive ones are above it.
    dtype : dtype, optional
        None is float64.
    device : Device or str, optional
        Where to create the matrix.

    Returns
    -------
    Tensor
        The matrix.

    References
    ----------
    array API 2025.12, creation_functions.eye

    Examples
    --------
    >>> xp.eye(2, 3, k=1)
    Tensor([[0., 1., 0.],
            [0., 0., 1.]])
    """
    dtype = _dtype("eye", dtype)
    n_rows = integer("eye", "n_rows", n_rows, 0)
    n_cols = n_rows if n_cols is None else integer("eye", "n_cols", n_cols, 0)
    _shape("eye", (n_rows, n_cols), dtype)
    # A diagonal outside of the matrix is the same wherever it is.
    k = max(-n_rows, min(integer("eye", "k", k), n_cols))
    return create("eye", device, (n_rows, n_cols), {"k": k, "dtype": dtype})


def from_dlpack(
    x: Any, /, *, device: Device | str | None = None, copy: bool | None = None
) -> Tensor:
    """Make an array of another library's through DLPack, without a copy where possible.

    Parameters
    ----------
    x : object
        An array with ``__dlpack__`` and ``__dlpack_device__``.
    device : Device or str, optional
        Where the result goes; None stays on the device of ``x``.
    copy : bool or None, optional
        True always copies, False never does, None if it must.

    Returns
    -------
    Tensor
        The array; unless it was copied, writing to it writes to ``x``.

    Raises
    ------
    AttributeError
        If ``x`` does not have the methods.
    BufferError
        If the data cannot be exchanged, for instance for its dtype.
    ValueError
        If ``copy`` is False and a copy cannot be avoided.

    References
    ----------
    array API 2025.12, creation_functions.from_dlpack
    """
    return core_from_dlpack(x, device, copy)


def full(
    shape: int | tuple[int, ...],
    fill_value: bool | int | float | complex,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return an array of which all elements are one value.

    Parameters
    ----------
    shape : int or tuple of ints
        Shape of the array.
    fill_value : bool, int, float, complex or 0-d array
        The value.
    dtype : dtype, optional
        None is the default dtype of the kind of ``fill_value``, or the dtype of a 0-d array.
    device : Device or str, optional
        Where to create the array.

    Returns
    -------
    Tensor
        The array.

    Raises
    ------
    TypeError
        If ``fill_value`` is complex and ``dtype`` real.
    ValueError
        If ``dtype`` cannot hold ``fill_value``.

    References
    ----------
    array API 2025.12, creation_functions.full

    Examples
    --------
    >>> xp.full((2, 2), 7)
    Tensor([[7, 7],
            [7, 7]])
    """
    value = _number("full", "fill_value", fill_value)
    if dtype is not None:
        dtype = as_dtype("full", dtype)
    elif type(value) is type(fill_value) or isinstance(fill_value, (int, float, complex)):
        dtype = _default_dtype(value)
    else:
        dtype = as_dtype("full", getattr(fill_value, "dtype", _default_dtype(value)))
    return core_full("full", shape, _fill("full", value, dtype), dtype, device)


def full_like(
    x: Tensor,
    /,
    fill_value: bool | int | float | complex,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return an array of the shape of another, of which all elements are one value.

    Parameters
    ----------
    x : Tensor
        The array to follow.
    fill_value : bool, int, float, complex or 0-d array
        The value.
    dtype : dtype, optional
        None is the dtype of ``x``.
    device : Device or str, optional
        Where to create the array; None is the device of ``x``.

    Returns
    -------
    Tensor
        The array.

    Raises
    ------
    TypeError
        If ``fill_value`` is complex and the dtype real.
    ValueError
        If the dtype cannot hold ``fill_value``.

    References
    ----------
    array API 2025.12, creation_functions.full_like
    """
    x = as_tensor("full_like", x)
    dtype = x.dtype if dtype is None else as_dtype("full_like", dtype)
    value = _fill("full_like", _number("full_like", "fill_value", fill_value), dtype)
    return core_full("full_like", x.shape, value, dtype, x.device if device is None else device)


def linspace(
    start: int | float | complex,
    stop: int | float | complex,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
    endpoint: bool = True,
) -> Tensor:
    """Return a number of evenly spaced numbers from an interval.

    Parameters
    ----------
    start, stop : int, float or complex
        Ends of the interval.
    num : int
        How many numbers; zero or more.
    dtype : dtype, optional
        None is complex128 if an end is complex, else float64.
    device : Device or str, optional
        Where to create the array.
    endpoint : bool, optional
        Whether ``stop`` is the last number. If False, the numbers are the first ``num`` of
        ``num + 1`` that end there.

    Returns
    -------
    Tensor
        One axis of ``num`` numbers.

    Raises
    ------
    TypeError
        If an end is complex and ``dtype`` real.
    ValueError
        If ``num`` is negative.

    References
    ----------
    array API 2025.12, creation_functions.linspace

    Examples
    --------
    >>> xp.linspace(0, 1, 5)
    Tensor([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    start = _number("linspace", "start", start)
    stop = _number("linspace", "stop", stop)
    complex_end = isinstance(start, complex) or isinstance(stop, complex)
    if dtype is None:
        chosen = DTYPES["complex128"] if complex_end else DTYPES["float64"]
    else:
        chosen = as_dtype("linspace", dtype)
        if complex_end and chosen.kind != "c":
            raise TypeError(f"linspace: dtype {chosen} cannot hold a complex start or stop")
    (num,) = _shape("linspace", integer("linspace", "num", num, 0), chosen)
    return create(
        "linspace", device, (start, stop, num), {"dtype": chosen, "endpoint": bool(endpoint)}
    )


def meshgrid(*arrays: Tensor, indexing: Literal["xy", "ij"] = "xy") -> tuple[Tensor, ...]:
    """Return the coordinates of the points of a grid.

    Parameters
    ----------
    *arrays : Tensor
        The coordinates along each axis: arrays of one axis (a 0-d array counts as length 1), of one
        dtype.
    indexing : {"xy", "ij"}, optional
        ``"ij"``: the axes of the grid are in the order of the arrays. ``"xy"``: the first two are
        exchanged, as in a plot, where x runs along a row.

    Returns
    -------
    tuple of Tensor
        For each array its coordinate at each point of the grid. For arrays of lengths ``N1``,
        ``N2`` and ``N3`` the shapes are ``(N1, N2, N3)``, or ``(N2, N1, N3)`` for ``"xy"``.

    Raises
    ------
    ValueError
        If an array has more than one axis, or ``indexing`` is something else.

    References
    ----------
    array API 2025.12, creation_functions.meshgrid
    """
    choice("meshgrid", "indexing", indexing, ("xy", "ij"))
    vectors = []
    for position, array in enumerate(arrays):
        x = as_tensor("meshgrid", array)
        if x.ndim == 0:
            x = reshape(x, (1,))
        elif x.ndim > 1:
            raise ValueError(
                f"meshgrid: arrays must have one axis, argument {position} has shape {x.shape}"
            )
        vectors.append(x)
    if not vectors:
        return ()
    return tuple(execute("meshgrid", tuple(vectors), {"indexing": indexing}))


def ones(
    shape: int | tuple[int, ...],
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return an array of ones.

    Parameters
    ----------
    shape : int or tuple of ints
        Shape of the array.
    dtype : dtype, optional
        None is float64.
    device : Device or str, optional
        Where to create the array.

    Returns
    -------
    Tensor
        The array.

    References
    ----------
    array API 2025.12, creation_functions.ones
    """
    return core_full("ones", shape, 1, _dtype("ones", dtype), device)


def ones_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: Device | str | None = None
) -> Tensor:
    """Return an array of ones of the shape of another.

    Parameters
    ----------
    x : Tensor
        The array to follow.
    dtype : dtype, optional
        None is the dtype of ``x``.
    device : Device or str, optional
        Where to create the array; None is the device of ``x``.

    Returns
    -------
    Tensor
        The array.

    References
    ----------
    array API 2025.12, creation_functions.ones_like
    """
    x = as_tensor("ones_like", x)
    dtype = x.dtype if dtype is None else as_dtype("ones_like", dtype)
    return core_full("ones_like", x.shape, 1, dtype, x.device if device is None else device)


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return the lower triangle of a matrix or of each of a stack of matrices.

    Parameters
    ----------
    x : Tensor
        Any dtype, shape ``(..., M, N)``.
    k : int, optional
        The diagonal above which elements become zero: 0 is the main one, positive ones are above
        it.

    Returns
    -------
    Tensor
        A copy of ``x`` with zeros above the diagonal.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes.

    References
    ----------
    array API 2025.12, creation_functions.tril
    """
    return _triangle("tril", x, k)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return the upper triangle of a matrix or of each of a stack of matrices.

    Parameters
    ----------
    x : Tensor
        Any dtype, shape ``(..., M, N)``.
    k : int, optional
        The diagonal below which elements become zero: 0 is the main one, positive ones are above
        it.

    Returns
    -------
    Tensor
        A copy of ``x`` with zeros below the diagonal.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes.

    References
    ----------
    array API 2025.12, creation_functions.triu
    """
    return _triangle("triu", x, k)


def zeros(
    shape: int | tuple[int, ...],
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return an array of zeros.

    Parameters
    ----------
    shape : int or tuple of ints
        Shape of the array.
    dtype : dtype, optional
        None is float64.
    device : Device or str, optional
        Where to create the array.

    Returns
    -------
    Tensor
        The array.

    References
    ----------
    array API 2025.12, creation_functions.zeros
    """
    return core_full("zeros", shape, 0, _dtype("zeros", dtype), device)


def zeros_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: Device | str | None = None
) -> Tensor:
    """Return an array of zeros of the shape of another.

    Parameters
    ----------
    x : Tensor
        The array to follow.
    dtype : dtype, optional
        None is the dtype of ``x``.
    device : Device or str, optional
        Where to create the array; None is the device of ``x``.

    Returns
    -------
    Tensor
        The array.

    References
    ----------
    array API 2025.12, creation_functions.zeros_like
    """
    x = as_tensor("zeros_like", x)
    dtype = x.dtype if dtype is None else as_dtype("zeros_like", dtype)
    return core_full("zeros_like", x.shape, 0, dtype, x.device if device is None else device)


@cython.cfunc
def _dtype(function, dtype):
    """Return the dtype of a new array, float64 if nothing is said."""
    return DTYPES["float64"] if dtype is None else as_dtype(function, dtype)


@cython.cfunc
def _shape(function, shape, dtype):
    """Return a shape as a tuple of Python ints that memory can address."""
    lengths = integers(function, "shape", shape, 0)
    if len(lengths) > _MAX_NDIM:
        raise ValueError(
            f"{function}: an array has at most {_MAX_NDIM} axes, got a shape of {len(lengths)}"
        )
    size = dtype.itemsize
    for length in lengths:
        size = size * (length or 1)
    if size > _MAX_BYTES:
        raise ValueError(
            f"{function}: memory cannot address an array of shape {lengths} and dtype {dtype}"
        )
    return lengths


@cython.cfunc
def _number(function, name, value):
    """Return a number as a Python scalar, whatever holds it."""
    if type(value) in (int, float, bool, complex):
        return value
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, np.dtype):
        if value.ndim == 0 and dtype.kind in _FROM_KIND:
            return _FROM_KIND[dtype.kind](value)
        raise TypeError(
            f"{function}: {name} must be a number or a 0-d array, got an array of shape "
            f"{value.shape} and dtype {dtype}"
        )
    for method, convert in (
        ("__index__", operator.index),
        ("__float__", float),
        ("__complex__", complex),
    ):
        if hasattr(value, method):
            try:
                return convert(value)
            except TypeError:  # an array of another library that is not 0-d, or of another kind
                continue
    raise TypeError(
        f"{function}: {name} must be a number or a 0-d array, got {type(value).__name__}"
    )


@cython.cfunc
def _real(function, name, value):
    """Return a finite real number as a Python scalar."""
    number = _number(function, name, value)
    if isinstance(number, complex):
        raise TypeError(f"{function}: {name} must be an int or a float, got {value!r}")
    if isinstance(number, float) and not math.isfinite(number):
        raise ValueError(f"{function}: {name} must be finite, got {value!r}")
    return number


@cython.cfunc
def _default_dtype(value):
    """Return the default dtype of the kind of a Python scalar."""
    if isinstance(value, bool):
        return DTYPES["bool"]
    if isinstance(value, int):
        return DTYPES["int64"]
    if isinstance(value, float):
        return DTYPES["float64"]
    return DTYPES["complex128"]


@cython.cfunc
def _fill(function, value, dtype):
    """Return a fill value as a Python scalar of the dtype's kind, which is all a backend needs."""
    kind = dtype.kind
    if kind == "c":
        return complex(value)
    if kind == "b":
        return bool(value)
    if isinstance(value, complex):
        raise TypeError(f"{function}: dtype {dtype} cannot hold the complex fill value {value!r}")
    try:
        if kind == "f":
            return float(value)
        value = int(value)  # of infinity or NaN: OverflowError, ValueError
        limits = integer_limits(dtype)
        if limits.min <= value <= limits.max:
            return value
    except (OverflowError, ValueError):
        pass
    raise ValueError(f"{function}: dtype {dtype} cannot hold the fill value {value!r}")


@cython.cfunc
def _check_arange(start, stop, step, floating, dtype):
    """Raise if `arange` has more numbers than memory can address, or numbers beyond 64 bits."""
    try:
        if floating:
            count = math.ceil((stop - start) / step)
        else:
            count = -((start - stop) // step)
    except (OverflowError, ValueError):
        count = _MAX_BYTES
    if count <= 0:
        return
    if count * dtype.itemsize > _MAX_BYTES:
        raise ValueError(
            f"arange: memory cannot address the numbers from {start} to {stop} in steps of {step}"
        )
    # Narrower integers wrap around, as they do everywhere.
    if dtype.kind in "iu" and dtype.itemsize == 8:
        limits = integer_limits(dtype)
        for value in (start, start + (count - 1) * step):
            if not limits.min <= value <= limits.max:
                raise ValueError(f"arange: dtype {dtype} cannot hold {value}")


@cython.cfunc
def _triangle(function, x, k):
    """Run `tril` or `triu`."""
    x = as_tensor(function, x)
    require_min_ndim(function, "x", x, 2)
    # A diagonal outside of the matrix is the same wherever it is.
    rows, columns = x.shape[-2:]
    return execute(
        function, (x,), {"k": max(-rows - 1, min(integer(function, "k", k), columns + 1))}
    )
