"""Creation functions (array API standard 2025.12, "Creation Functions").

In all of them ``dtype=None`` is the default dtype of the kind (bool, int64, float64, complex128),
on every device, and ``device=None`` the default device, unless the function has an array to follow.
A shape is an int or a sequence of ints; numbers may be Python scalars or 0-d arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import creation

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
    return creation.arange(start, stop, step, dtype, device)


def asarray(
    obj: Any,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
    copy: bool | None = None,
    chunks: Any = None,
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
    chunks : int, tuple, dict or str, optional
        Sizes of the chunks, as in ``dask.array``, on the device ``dask``. None leaves them as they
        are; new arrays have chunks of at most 128 MiB.

    Returns
    -------
    Tensor
        An array with the data of ``obj``.

    Raises
    ------
    ValueError
        If ``copy`` is False and a copy cannot be avoided, if sequences are ragged, or if the device
        does not store chunks and ``chunks`` is given.

    References
    ----------
    array API 2025.12, creation_functions.asarray

    Examples
    --------
    >>> xp.asarray([[1, 2], [3, 4]], dtype=xp.float32)
    Tensor([[1., 2.],
            [3., 4.]], dtype=float32)
    """
    x = core.asarray(obj, dtype, device, copy)
    return x if chunks is None else x.device.backend.split(x, chunks)


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
    return core.full("empty", shape, None, dtype, device)


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
    return core.full_like("empty_like", x, None, dtype, device)


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
    return creation.eye(n_rows, n_cols, k, dtype, device)


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
    return core.from_dlpack(x, device, copy)


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
    return core.full_with(shape, fill_value, dtype, device)


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
    return core.full_like_with(x, fill_value, dtype, device)


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
    return creation.linspace(start, stop, num, dtype, device, endpoint)


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
    return core.in_class_of_all(creation.meshgrid(arrays, indexing), arrays)


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
    return core.full("ones", shape, 1, dtype, device)


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
    return core.full_like("ones_like", x, 1, dtype, device)


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
    return core.in_class_of(creation.triangle("tril", x, k), x)


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
    return core.in_class_of(creation.triangle("triu", x, k), x)


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
    return core.full("zeros", shape, 0, dtype, device)


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
    return core.full_like("zeros_like", x, 0, dtype, device)
