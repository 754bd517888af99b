"""Convolution and pooling of images: arrays of shape (N, C, H, W)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from corepy._cython.core import Tensor
from corepy._cython.cpu.networks import correlate
from corepy.nn._checks import check_ndim, floats, pair, rounded_once
from corepy.nn._native import native


def padded(xp: Any, x: Any, padding: tuple[int, int], value: float) -> Any:
    """Return images with `value` around them."""
    for axis, width in ((2, padding[0]), (3, padding[1])):
        if width:
            shape = (*x.shape[:axis], width, *x.shape[axis + 1 :])
            edge = xp.full(shape, value, dtype=x.dtype, device=x.device)
            x = xp.concat([edge, x, edge], axis=axis)
    return x


def windows(
    function: str, x: Any, size: tuple[int, int], stride: tuple[int, int], dilation: tuple[int, int]
) -> Iterator[tuple[int, int, Any]]:
    """Yield each place (i, j) in windows of some size, and the elements there of all windows."""
    keys: list[list[slice]] = []
    for axis in range(2):
        reach = dilation[axis] * (size[axis] - 1) + 1
        if x.shape[2 + axis] < reach:
            raise ValueError(
                f"{function}: expected images, with their padding, of at least the size of the "
                f"window, {reach} along axis {2 + axis}, got {x.shape[2 + axis]}"
            )
        last = x.shape[2 + axis] - reach
        begins = range(0, dilation[axis] * size[axis], dilation[axis])
        keys.append([slice(begin, begin + last + 1, stride[axis]) for begin in begins])
    for i, rows in enumerate(keys[0]):
        for j, columns in enumerate(keys[1]):
            yield i, j, x[:, :, rows, columns]


@rounded_once
def conv2d(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
) -> Any:
    """Correlate images with kernels, as the layers of networks that are named after convolution do.

    Parameters
    ----------
    x : array
        Floating-point numbers of shape (N, C, H, W).
    weight : array
        Of shape (O, C / groups, KH, KW).
    bias : array, optional
        Of shape (O,).
    stride, dilation : int or (int, int)
        The distances of windows, and of elements in a window, along the last two axes.
    padding : int or (int, int)
        Zeros on each side of the images.
    groups : int
        Parts of the channels, of which each has its part of the kernels.

    Returns
    -------
    array
        Of shape (N, O, (H + 2 * padding - dilation * (KH - 1) - 1) // stride + 1, the same of W).
    """
    xp = floats("conv2d", x=x, weight=weight)
    check_ndim("conv2d", "x", x, 4, "(N, C, H, W)")
    check_ndim("conv2d", "weight", weight, 4, "(O, C / groups, KH, KW)")
    channels = x.shape[1]
    kernels, depth, *size = weight.shape
    if groups < 1 or channels != depth * groups or kernels % groups or 0 in size:
        raise ValueError(
            f"conv2d: expected x of shape (N, C, H, W) and weight (O, C / groups, KH, KW), with "
            f"groups that divide C and O, got {x.shape}, {weight.shape} and groups={groups}"
        )
    if bias is not None:
        floats("conv2d", bias=bias)
        if bias.shape != (kernels,):
            raise ValueError(f"conv2d: expected bias of shape {(kernels,)}, got {bias.shape}")
    steps = pair("conv2d", "stride", stride, 1), pair("conv2d", "dilation", dilation, 1)
    widths = pair("conv2d", "padding", padding, 0)
    y = None
    if isinstance(x, Tensor) and isinstance(weight, Tensor):
        y = correlate(x, weight, steps[0], widths, steps[1], groups)
        if y is None and x.dtype == weight.dtype:
            options = {"padding": widths, "dilation": steps[1], "groups": groups}
            y = native("conv2d", x, weight, stride=steps[0], **options)
    if y is None:
        y = correlated(xp, padded(xp, x, widths, 0.0), weight, *steps, groups)
    return y if bias is None else y + xp.reshape(bias, (kernels, 1, 1))


def correlated(
    xp: Any, x: Any, weight: Any, stride: tuple[int, int], dilation: tuple[int, int], groups: int
) -> Any:
    """Correlate images by a product of matrices for each place in the window."""
    images = x.shape[0]
    kernels, depth, *size = weight.shape
    parts = xp.reshape(weight, (1, groups, kernels // groups, depth, *size))
    y, height, width = 0.0, 0, 0
    for i, j, pixels in windows("conv2d", x, (size[0], size[1]), stride, dilation):
        height, width = pixels.shape[2:]
        columns = xp.reshape(pixels, (images, groups, depth, height * width))
        y = y + xp.matmul(parts[..., i, j], columns)
    return xp.reshape(y, (images, kernels, height, width))


def pool(
    function: str,
    x: Any,
    combine: str,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    outside: float,
) -> tuple[Any, int]:
    """Combine the elements of windows by a function of the standard; also return how many a window
    has.
    """
    xp = floats(function, x=x)
    check_ndim(function, "x", x, 4, "(N, C, H, W)")
    size = pair(function, "kernel_size", kernel_size, 1)
    steps = size if stride is None else pair(function, "stride", stride, 1)
    widths = pair(function, "padding", padding, 0)
    if widths[0] > size[0] // 2 or widths[1] > size[1] // 2:
        raise ValueError(
            f"{function}: expected padding of at most half of kernel_size, "
            f"got {padding} and {kernel_size}"
        )
    y = None
    for *_, elements in windows(function, padded(xp, x, widths, outside), size, steps, (1, 1)):
        y = elements if y is None else getattr(xp, combine)(y, elements)
    return y, math.prod(size)


def max_pool2d(
    x: Any,
    kernel_size: int | tuple[int, int],
    stride: int | tuple[int, int] | None = None,
    padding: int | tuple[int, int] = 0,
) -> Any:
    """Return the largest element of each window; NaN if there is one.

    Parameters
    ----------
    x : array
        Floating-point numbers of shape (N, C, H, W).
    kernel_size : int or (int, int)
        The size of windows.
    stride : int or (int, int), optional
        The distances of windows, ``kernel_size`` without it.
    padding : int or (int, int)
        Elements of -inf on each side, at most half of ``kernel_size``.

    Returns
    -------
    array
        Of shape (N, C, (H + 2 * padding - KH) // stride + 1, the same of W).
    """
    return pool("max_pool2d", x, "maximum", kernel_size, stride, padding, -math.inf)[0]


@rounded_once
def avg_pool2d(
    x: Any,
    kernel_size: int | tuple[int, int],
    stride: int | tuple[int, int] | None = None,
    padding: int | tuple[int, int] = 0,
) -> Any:
    """Return the mean of each window, of which zeros on the sides are part.

    Parameters
    ----------
    x : array
        Floating-point numbers of shape (N, C, H, W).
    kernel_size : int or (int, int)
        The size of windows.
    stride : int or (int, int), optional
        The distances of windows, ``kernel_size`` without it.
    padding : int or (int, int)
        Zeros on each side, at most half of ``kernel_size``.

    Returns
    -------
    array
        Of shape (N, C, (H + 2 * padding - KH) // stride + 1, the same of W).
    """
    total, count = pool("avg_pool2d", x, "add", kernel_size, stride, padding, 0.0)
    return total / count
