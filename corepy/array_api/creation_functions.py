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
    >>> import corepy.array_api as xp
    >>> xp.asarray([[1, 2], [3, 4]], dtype=xp.float32)
    Tensor([[1., 2.],
            [3., 4.]], dtype=float32)
    """
    x = core.asarray(obj, dtype, device, copy)
    return x if chunks is None else x.device.backend.split(x, chunks)


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

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> import numpy as np
    >>> x = np.asarray([1.0, 2.0])
    >>> y = xp.from_dlpack(x)
    >>> y[0] = 5.0
    >>> x
    array([5., 2.])
    """
    return core.from_dlpack(x, device, copy)


# schema/pages.py writes the other functions, from schema/operations/creation_functions.def.
