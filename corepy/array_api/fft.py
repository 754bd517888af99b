"""The Fourier transform extension, ``xp.fft`` (array API 2025.12, "Fourier Transform Functions").

Where complex numbers are wanted, real ones get an imaginary part of zero; where floating-point
numbers are wanted, bools and integers become float64 first. The precision stays: float32 and
complex64 give complex64 or float32.

``norm`` says which direction is divided: "backward" the inverse transforms by the number of
elements ``n``, "forward" the forward ones by ``n``, "ortho" both by ``sqrt(n)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython.core import as_tensor, astype, create, execute

from corepy.array_api._checks import (
    COMPLEX64,
    COMPLEX128,
    choice,
    floating,
    integer,
    integers,
    normalize_axes,
    normalize_axis,
    number,
    optional_dtype,
    require_kinds,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from numpy.typing import DTypeLike

    from corepy._cython.core import Device, Tensor

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def _complex(function: str, x: Any) -> Tensor:
    """Operand `x` as a complex Tensor of the same precision."""
    x = floating(function, x)
    if x.dtype.kind == "c":
        return x
    return astype(x, COMPLEX64 if x.dtype.itemsize == 4 else COMPLEX128)


def _real_or_complex(function: str, x: Any) -> Tensor:
    """Operand `x` of a forward transform: kernels take half the time for real numbers."""
    x = floating(function, x)
    return x if x.device.backend.name == "cpu" else _complex(function, x)


def _real(function: str, x: Any) -> Tensor:
    """Operand `x` as a real floating-point Tensor."""
    x = floating(function, x)
    require_kinds(function, x, "f", "real dtypes")
    return x


def _transform(
    operation: str, x: Tensor, n: Any, axis: Any, norm: Any, *, half: bool = False
) -> Tensor:
    """Run a transform along one axis; `half`: `x` has the first half of what is transformed."""
    choice(operation, "norm", norm, ("backward", "ortho", "forward"))
    axis = normalize_axis(operation, axis, x.ndim)
    if n is not None:
        n = integer(operation, "n", n, 1)
    _require_elements(operation, x, axis, half, n)
    return execute(operation, (x,), {"n": n, "axis": axis, "norm": norm})


def _transform_axes(
    operation: str,
    x: Tensor,
    s: Any,
    axes: Any,
    norm: Any,
    *,
    real: bool = False,
    half: bool = False,
) -> Tensor:
    """Run a transform along several axes; `half`: `x` has the first half along the last of them."""
    choice(operation, "norm", norm, ("backward", "ortho", "forward"))
    sizes = None if s is None else integers(operation, "s", s)
    if axes is None and sizes is not None:
        # With s alone the standard says nothing; as in NumPy it belongs to the last axes.
        axes = range(-len(sizes), 0)
    numbers = normalize_axes(operation, axes, x.ndim, unique=False)
    if sizes is not None and len(sizes) != len(numbers):
        raise ValueError(
            f"{operation}: s and axes must have the same length, "
            f"got {len(sizes)} and {len(numbers)}"
        )
    if not numbers:
        if real or half:
            raise ValueError(f"{operation}: at least one axis is required, got none")
        x = _complex(operation, x)
        return astype(x, x.dtype)
    full = []
    for position, axis in enumerate(numbers):
        last = half and position == len(numbers) - 1
        size = -1 if sizes is None else sizes[position]
        if size < -1 or size == 0:
            raise ValueError(f"{operation}: each entry of s must be at least 1, or -1, got {size}")
        _require_elements(operation, x, axis, last, None if size == -1 else size)
        if size == -1:
            size = 2 * (x.shape[axis] - 1) if last else x.shape[axis]
        full.append(size)
    # -1 is spelled out here, so that no backend has to know it.
    sizes = None if sizes is None else tuple(full)
    return execute(operation, (x,), {"s": sizes, "axes": numbers, "norm": norm})


def _require_elements(operation: str, x: Tensor, axis: int, half: bool, n: int | None) -> None:
    """Raise unless there is something to transform along `axis`."""
    least = 2 if half and n is None else 1
    if n is None and x.shape[axis] < least:
        raise ValueError(
            f"{operation}: without a size given, axis {axis} must have at least {least} "
            f"element{'s' if least > 1 else ''}, got shape {x.shape}"
        )


def fft(
    x: Tensor,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the discrete Fourier transform along an axis.

    Parameters
    ----------
    x : Tensor
        Array, complex or real.
    n : int, optional
        Number of elements to transform along ``axis``: the array is cut off or filled up with zeros
        there. None takes the array as it is.
    axis : int, optional
        Axis to transform along.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with size ``n`` along ``axis``, and the complex dtype of its
        precision.

    Raises
    ------
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.fft.
    """
    return _transform("fft.fft", _real_or_complex("fft.fft", x), n, axis, norm)


def ifft(
    x: Tensor,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the inverse discrete Fourier transform along an axis, the inverse of `fft`.

    Parameters
    ----------
    x : Tensor
        Array, complex or real.
    n : int, optional
        Number of elements to transform along ``axis``: the array is cut off or filled up with zeros
        there. None takes the array as it is.
    axis : int, optional
        Axis to transform along.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with size ``n`` along ``axis``, and the complex dtype of its
        precision.

    Raises
    ------
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.ifft.
    """
    return _transform("fft.ifft", _complex("fft.ifft", x), n, axis, norm)


def fftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the discrete Fourier transform along several axes.

    Parameters
    ----------
    x : Tensor
        Array, complex or real.
    s : sequence of int, optional
        Number of elements to transform along each of ``axes``: the array is cut off or filled up
        with zeros there. -1 and None take the array as it is.
    axes : sequence of int, optional
        Axes to transform along; None means all, or the last ``len(s)`` if only ``s`` is given.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with sizes ``s`` along ``axes``, and the complex dtype of its
        precision.

    Raises
    ------
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.fftn.
    """
    return _transform_axes("fft.fftn", _real_or_complex("fft.fftn", x), s, axes, norm)


def ifftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the inverse discrete Fourier transform along several axes, the inverse of `fftn`.

    Parameters
    ----------
    x : Tensor
        Array, complex or real.
    s : sequence of int, optional
        Number of elements to transform along each of ``axes``: the array is cut off or filled up
        with zeros there. -1 and None take the array as it is.
    axes : sequence of int, optional
        Axes to transform along; None means all, or the last ``len(s)`` if only ``s`` is given.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with sizes ``s`` along ``axes``, and the complex dtype of its
        precision.

    Raises
    ------
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.ifftn.
    """
    return _transform_axes("fft.ifftn", _complex("fft.ifftn", x), s, axes, norm)


def rfft(
    x: Tensor,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the discrete Fourier transform of real numbers along an axis.

    Parameters
    ----------
    x : Tensor
        Array, real.
    n : int, optional
        Number of elements to transform along ``axis``: the array is cut off or filled up with zeros
        there. None takes the array as it is.
    axis : int, optional
        Axis to transform along.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with size ``n//2 + 1`` along ``axis`` (the rest would mirror
        it), and the complex dtype of its precision.

    Raises
    ------
    TypeError
        If ``x`` is complex.
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.rfft.
    """
    return _transform("fft.rfft", _real("fft.rfft", x), n, axis, norm)


def irfft(
    x: Tensor,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the inverse of `rfft` along an axis.

    Parameters
    ----------
    x : Tensor
        Array, complex or real: the frequencies from zero up.
    n : int, optional
        Number of elements along ``axis`` in the result: the array is cut off or filled up with
        zeros to ``n//2 + 1`` elements there. None means ``2*(M - 1)`` for ``M`` elements, which is
        always even; say an odd ``n`` where the signal was odd.
    axis : int, optional
        Axis to transform along.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with size ``n`` along ``axis``, and the real dtype of its
        precision.

    Raises
    ------
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.irfft.
    """
    return _transform("fft.irfft", _complex("fft.irfft", x), n, axis, norm, half=True)


def rfftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the discrete Fourier transform of real numbers along several axes.

    Parameters
    ----------
    x : Tensor
        Array, real.
    s : sequence of int, optional
        Number of elements to transform along each of ``axes``: the array is cut off or filled up
        with zeros there. -1 and None take the array as it is.
    axes : sequence of int, optional
        Axes to transform along; None means all, or the last ``len(s)`` if only ``s`` is given.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with sizes ``s`` along ``axes``, but ``s[-1]//2 + 1`` along the
        last of them, and the complex dtype of its precision.

    Raises
    ------
    TypeError
        If ``x`` is complex.
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.rfftn.
    """
    return _transform_axes("fft.rfftn", _real("fft.rfftn", x), s, axes, norm, real=True)


def irfftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the inverse of `rfftn` along several axes.

    Parameters
    ----------
    x : Tensor
        Array, complex or real.
    s : sequence of int, optional
        Number of elements along each of ``axes`` in the result: the array is cut off or filled up
        with zeros to these sizes, and to ``s[-1]//2 + 1`` along the last of ``axes``. -1 and None
        take the array as it is; that means ``2*(M - 1)`` for ``M`` elements along the last axis,
        which is always even.
    axes : sequence of int, optional
        Axes to transform along; None means all, or the last ``len(s)`` if only ``s`` is given.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with sizes ``s`` along ``axes``, and the real dtype of its
        precision.

    Raises
    ------
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.irfftn.
    """
    return _transform_axes("fft.irfftn", _complex("fft.irfftn", x), s, axes, norm, half=True)


def hfft(
    x: Tensor,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the discrete Fourier transform of a signal with Hermitian symmetry along an axis.

    Parameters
    ----------
    x : Tensor
        Array, complex or real: the first half of the signal.
    n : int, optional
        Number of elements along ``axis`` in the result: the array is cut off or filled up with
        zeros to ``n//2 + 1`` elements there. None means ``2*(M - 1)`` for ``M`` elements, which is
        always even; say an odd ``n`` where the signal was odd.
    axis : int, optional
        Axis to transform along.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with size ``n`` along ``axis``, and the real dtype of its
        precision.

    Raises
    ------
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.hfft.
    """
    return _transform("fft.hfft", _complex("fft.hfft", x), n, axis, norm, half=True)


def ihfft(
    x: Tensor,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> Tensor:
    """Compute the inverse of `hfft` along an axis.

    Parameters
    ----------
    x : Tensor
        Array, real.
    n : int, optional
        Number of elements to transform along ``axis``: the array is cut off or filled up with zeros
        there. None takes the array as it is.
    axis : int, optional
        Axis to transform along.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is divided by the number of elements; see the top of this module.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, with size ``n//2 + 1`` along ``axis``, and the complex dtype of
        its precision.

    Raises
    ------
    TypeError
        If ``x`` is complex.
    ValueError
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is another word.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.ihfft.
    """
    return _transform("fft.ihfft", _real("fft.ihfft", x), n, axis, norm)


def fftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Make the frequencies that the elements of a result of `fft` belong to.

    Parameters
    ----------
    n : int
        Number of elements transformed, at least 1.
    d : float, optional
        Distance of the samples, not 0. The frequencies are in cycles per its unit.
    dtype : dtype, optional
        A real floating-point dtype; None means float64.
    device : Device or str, optional
        Where the array is made; None means the default device.

    Returns
    -------
    Tensor
        Frequencies, of shape ``(n,)``: ``0, 1, ..., (n-1)//2, -(n//2), ..., -1``, over ``d*n``.

    Raises
    ------
    TypeError
        If ``dtype`` is not real floating-point.
    ValueError
        If ``n`` is smaller than 1 or ``d`` is 0.

    Notes
    -----
    Standard: array API 2025.12, fft.fftfreq.

    Examples
    --------
    >>> xp.fft.fftfreq(4, d=0.5)
    Tensor([ 0. ,  0.5, -1. , -0.5])
    """
    return _frequencies("fft.fftfreq", n, d, dtype, device)


def rfftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Make the frequencies that the elements of a result of `rfft` belong to.

    Parameters
    ----------
    n : int
        Number of elements transformed, at least 1.
    d : float, optional
        Distance of the samples, not 0. The frequencies are in cycles per its unit.
    dtype : dtype, optional
        A real floating-point dtype; None means float64.
    device : Device or str, optional
        Where the array is made; None means the default device.

    Returns
    -------
    Tensor
        Frequencies, of shape ``(n//2 + 1,)``: ``0, 1, ..., n//2``, over ``d*n``.

    Raises
    ------
    TypeError
        If ``dtype`` is not real floating-point.
    ValueError
        If ``n`` is smaller than 1 or ``d`` is 0.

    Notes
    -----
    Standard: array API 2025.12, fft.rfftfreq.
    """
    return _frequencies("fft.rfftfreq", n, d, dtype, device)


def _frequencies(operation: str, n: Any, d: Any, dtype: Any, device: Any) -> Tensor:
    """The arguments of both frequency functions, checked; and the work."""
    n = integer(operation, "n", n, 1)
    d = number(operation, "d", d)
    if d == 0:
        raise ValueError(f"{operation}: d must not be 0")
    dtype = optional_dtype(operation, dtype)
    if dtype is not None and dtype.kind != "f":
        raise TypeError(
            f"{operation}: dtype {dtype} is not supported; allowed: real floating-point dtypes"
        )
    return create(operation, device, (n,), {"d": d, "dtype": dtype})


def fftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Move the frequency zero to the middle.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, in the order of `fft` and `fftfreq`.
    axes : int or sequence of int, optional
        Axes to shift along; None means all.

    Returns
    -------
    Tensor
        Array of the shape and dtype of ``x``: its first half, rounded up, comes last.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.fftshift.
    """
    return _shift("fft.fftshift", x, axes)


def ifftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Move the frequency zero to the front again, the inverse of `fftshift`.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, in ascending order of frequencies.
    axes : int or sequence of int, optional
        Axes to shift along; None means all.

    Returns
    -------
    Tensor
        Array of the shape and dtype of ``x``: its first half, rounded down, comes last.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.ifftshift.
    """
    return _shift("fft.ifftshift", x, axes)


def _shift(operation: str, x: Any, axes: Any) -> Tensor:
    """Shift by half along `axes`.

    The standard's functions are for floating-point numbers; of anything else it is the same roll.
    """
    x = as_tensor(operation, x)
    numbers = normalize_axes(operation, axes, x.ndim, unique=False)
    if not numbers:
        return astype(x, x.dtype, True)  # nothing moves
    if x.dtype.kind in "fc":
        return execute(operation, (x,), {"axes": numbers})
    sign = 1 if operation == "fft.fftshift" else -1
    shifts = tuple([sign * (x.shape[axis] // 2) for axis in numbers])
    return execute("roll", (x, shifts), {"axis": numbers})
