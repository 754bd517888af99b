"""The Fourier transform extension, ``xp.fft`` (array API 2025.12, "Fourier Transform Functions").

Where complex numbers are wanted, real ones get an imaginary part of zero; where floating-point
numbers are wanted, bools and integers become float64 first. The precision stays: float32 and
complex64 give complex64 or float32.

``norm`` says which direction is divided: "backward" the inverse transforms by the number of
elements ``n``, "forward" the forward ones by ``n``, "ortho" both by ``sqrt(n)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import transforms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

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


def __dir__() -> list[str]:
    return sorted(__all__)


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.fft.
    """
    return core.compute("fft.fft", (x, n, axis, norm))


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.ifft.
    """
    return core.compute("fft.ifft", (x, n, axis, norm))


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.fftn.
    """
    return core.in_class_of(transforms.transformed("fft.fftn", x, s, axes, norm), x)


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.ifftn.
    """
    return core.in_class_of(transforms.transformed("fft.ifftn", x, s, axes, norm), x)


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.rfft.
    """
    return core.compute("fft.rfft", (x, n, axis, norm))


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.irfft.
    """
    return core.compute("fft.irfft", (x, n, axis, norm))


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.rfftn.
    """
    return core.compute("fft.rfftn", (x, s, axes, norm))


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.irfftn.
    """
    return core.compute("fft.irfftn", (x, s, axes, norm))


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.hfft.
    """
    return core.compute("fft.hfft", (x, n, axis, norm))


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
        If a size is smaller than 1, there is nothing to transform, or ``norm`` is not one of these.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, fft.ihfft.
    """
    return core.compute("fft.ihfft", (x, n, axis, norm))


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
    return transforms.frequencies("fft.fftfreq", n, d, dtype, device)


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
    return transforms.frequencies("fft.rfftfreq", n, d, dtype, device)


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
    return core.in_class_of(transforms.shifted("fft.fftshift", x, axes), x)


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
    return core.in_class_of(transforms.shifted("fft.ifftshift", x, axes), x)
