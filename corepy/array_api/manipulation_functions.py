"""Manipulation functions: shape, order and joining of arrays.

Array API 2025.12, manipulation functions. On the CPU, functions that only describe the same
elements differently (`broadcast_to`, `expand_dims`, `flip`, `moveaxis`, `permute_dims`, `reshape`,
`squeeze`, `unstack`) return views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import joining, movement

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """Bring arrays to one common shape.

    Parameters
    ----------
    *arrays : Tensor
        Any number of arrays whose shapes broadcast together, of any dtypes.

    Returns
    -------
    tuple of Tensor
        One array per argument, each of the common shape and of its own dtype. On the CPU they are
        views: elements that were repeated share their memory.

    Raises
    ------
    ValueError
        If the shapes do not broadcast together.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.broadcast_arrays.

    Examples
    --------
    >>> rows, columns = xp.broadcast_arrays(xp.zeros((3, 1)), xp.zeros(4))
    >>> rows.shape, columns.shape
    ((3, 4), (3, 4))
    """
    return core.in_class_of_all(joining.broadcast_arrays(arrays), arrays)


def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Find the shape that several shapes broadcast to.

    Parameters
    ----------
    *shapes : tuple of int
        Any number of shapes. Sizes are matched from the last axis on; a size of 1 stretches.

    Returns
    -------
    tuple of int
        The common shape; ``()`` without arguments.

    Raises
    ------
    ValueError
        If two sizes of one axis differ and neither is 1.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.broadcast_shapes.

    Examples
    --------
    >>> xp.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    return core.broadcast_shapes(shapes)


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """Stretch an array to a shape by repeating it along axes of size 1 and new leading axes.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    shape : tuple of int
        Shape that the shape of ``x`` broadcasts to.

    Returns
    -------
    Tensor
        Array of shape ``shape`` and the dtype of ``x``; on the CPU a view of ``x``.

    Raises
    ------
    ValueError
        If the shape of ``x`` does not broadcast to ``shape``.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.broadcast_to.
    """
    return core.broadcast_to(x, shape)


def concat(arrays: tuple[Tensor, ...] | list[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Join arrays along an axis that they have.

    Parameters
    ----------
    arrays : tuple or list of Tensor
        At least one array. The shapes agree except along ``axis``.
    axis : int or None, optional
        Axis to join along, from ``-N`` to ``N - 1`` for arrays of ``N`` axes. With None every array
        is flattened (row-major) first.

    Returns
    -------
    Tensor
        The joined array, in the dtype that the dtypes of ``arrays`` promote to.

    Raises
    ------
    TypeError
        If ``arrays`` is not a tuple or list.
    ValueError
        If ``arrays`` is empty, the shapes do not agree, there is no such axis, or an array has no
        axes and ``axis`` is not None.

    Notes
    -----
    Dtypes of different kinds (int64 and float32), which the standard leaves open, promote as in
    NumPy.

    Standard: array API 2025.12, manipulation_functions.concat.
    """
    return core.in_class_of_all(joining.concat(arrays, axis), arrays)


def expand_dims(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """Insert axes of size 1.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with ``N`` axes.
    axis : int or tuple of int
        Positions of the ``k`` new axes in the result, each from ``-M`` to ``M - 1`` with
        ``M = N + k``.

    Returns
    -------
    Tensor
        Array with ``N + k`` axes and the dtype of ``x``; on the CPU a view of ``x``.

    Raises
    ------
    numpy.exceptions.AxisError
        If a position is out of range (an IndexError, and a ValueError as well).
    ValueError
        If two positions are the same.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.expand_dims.

    Examples
    --------
    >>> xp.expand_dims(xp.zeros((2, 3)), axis=(0, -1)).shape
    (1, 2, 3, 1)
    """
    return core.expand_dims(x, axis)


def flip(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """Reverse the order of the elements along axes.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    axis : int, tuple of int or None, optional
        Axes to reverse; None reverses all.

    Returns
    -------
    Tensor
        Array of the shape and dtype of ``x``; on the CPU a view of ``x``.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.flip.
    """
    return core.flip(x, axis)


def moveaxis(
    x: Tensor,
    source: int | tuple[int, ...],
    destination: int | tuple[int, ...],
    /,
) -> Tensor:
    """Move axes to other positions; the remaining axes keep their order.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    source : int or tuple of int
        Axes to move, each named once.
    destination : int or tuple of int
        Where each of them goes, as many positions as there are in ``source``, each named once.

    Returns
    -------
    Tensor
        Array of the dtype of ``x`` with its axes in the new order; on the CPU a view of ``x``.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.
    ValueError
        If an axis is named twice, or the lengths differ.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.moveaxis.

    Examples
    --------
    >>> xp.moveaxis(xp.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return core.moveaxis(x, source, destination)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """Put the axes of an array in another order.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with ``N`` axes.
    axes : tuple of int
        Each axis from ``0`` to ``N - 1`` once (negative axes count from the end); axis ``i`` of the
        result is axis ``axes[i]`` of ``x``.

    Returns
    -------
    Tensor
        Array of the dtype of ``x``; on the CPU a view of ``x``.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.
    ValueError
        If ``axes`` does not name each axis once.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.permute_dims.
    """
    return core.permute_dims(x, axes)


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Repeat each element of an array, or each slice along an axis.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    repeats : int or Tensor
        How often, not negative: one number for all, or an array of shape ``(1,)`` or ``(S,)`` and
        an integer dtype, where ``S`` is the size of ``axis`` (of ``x``, if ``axis`` is None).
    axis : int or None, optional
        Axis to repeat along. With None ``x`` is flattened (row-major) first.

    Returns
    -------
    Tensor
        Array of the dtype of ``x``: its shape except along ``axis``, or one axis if ``axis`` is
        None.

    Raises
    ------
    TypeError
        If ``repeats`` does not hold integers.
    ValueError
        If a number of repetitions is negative, or there is not one for each element.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    With an array of repetitions the shape of the result depends on data, so that a device whose
    work is queued has to be waited for.

    Standard: array API 2025.12, manipulation_functions.repeat.

    Examples
    --------
    >>> xp.repeat(xp.asarray([1, 2]), xp.asarray([2, 1]))
    Tensor([1, 1, 2])
    """
    return core.in_class_of(movement.repeat(x, repeats, axis), x)


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """Give the elements of an array another shape, in row-major order.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    shape : tuple of int
        New shape, for as many elements as ``x`` has. One size may be -1: it is computed from the
        others.
    copy : bool or None, optional
        True copies always, False never, None only if the layout of ``x`` requires it.

    Returns
    -------
    Tensor
        Array of shape ``shape`` and the dtype of ``x``.

    Raises
    ------
    ValueError
        If the number of elements does not fit, more than one size is -1, or ``copy`` is False and
        the elements would have to be copied.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.reshape.
    """
    return core.reshape(x, shape, copy)


def roll(
    x: Tensor,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> Tensor:
    """Shift elements along axes; elements beyond one end reappear at the other.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    shift : int or tuple of int
        Number of places, towards larger indices if positive. A tuple gives one number for each of
        ``axis``; one number serves for all of them.
    axis : int, tuple of int or None, optional
        Axes to shift along. With None the array is shifted as if it were flat and keeps its shape.

    Returns
    -------
    Tensor
        Array of the shape and dtype of ``x``.

    Raises
    ------
    ValueError
        If ``shift`` and ``axis`` are tuples of different lengths.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.roll.

    Examples
    --------
    >>> xp.roll(xp.asarray([1, 2, 3]), 1)
    Tensor([3, 1, 2])
    """
    return core.in_class_of(movement.roll(x, shift, axis), x)


def squeeze(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """Remove axes of size 1.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    axis : int or tuple of int
        Axes to remove, each of size 1.

    Returns
    -------
    Tensor
        Array of the dtype of ``x`` without these axes; on the CPU a view of ``x``.

    Raises
    ------
    ValueError
        If one of the axes has another size than 1, or is named twice.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.squeeze.
    """
    return core.squeeze(x, axis)


def stack(arrays: tuple[Tensor, ...] | list[Tensor], /, *, axis: int = 0) -> Tensor:
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : tuple or list of Tensor
        At least one array, all of the same shape with ``N`` axes.
    axis : int, optional
        Position of the new axis in the result, from ``-N - 1`` to ``N``.

    Returns
    -------
    Tensor
        Array with ``N + 1`` axes, in the dtype that the dtypes of ``arrays`` promote to (dtypes of
        different kinds, which the standard leaves open, as in NumPy).

    Raises
    ------
    TypeError
        If ``arrays`` is not a tuple or list.
    ValueError
        If ``arrays`` is empty or the shapes differ.
    numpy.exceptions.AxisError
        If the position is out of range.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.stack.
    """
    return core.in_class_of_all(joining.stack(arrays, axis), arrays)


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """Lay copies of an array side by side.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with ``N`` axes.
    repetitions : tuple of int
        Number of copies along each axis, ``M`` numbers that are not negative. If ``M < N`` they
        belong to the last axes; if ``M > N`` the array gets new leading axes.

    Returns
    -------
    Tensor
        Array with ``max(N, M)`` axes and the dtype of ``x``; each size is multiplied by its number
        of repetitions.

    Raises
    ------
    TypeError
        If ``repetitions`` does not hold integers.
    ValueError
        If a number is negative.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.tile.

    Examples
    --------
    >>> xp.tile(xp.asarray([1, 2]), (2, 2))
    Tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    return core.in_class_of(movement.tile(x, repetitions), x)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Split an array into its slices along an axis; the inverse of `stack`.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with at least one axis.
    axis : int, optional
        Axis to split.

    Returns
    -------
    tuple of Tensor
        One array for each index along ``axis``, of the shape of ``x`` without that axis and the
        dtype of ``x``; on the CPU views of ``x``.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.unstack.
    """
    return core.in_class_of(joining.unstack(x, axis), x)
