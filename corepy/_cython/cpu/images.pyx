# distutils: language = c++
"""Correlation of images with kernels on the CPU."""

from corepy._cython.core cimport (
    call_kernel, contiguous, Dtype, dtype_itemsize, empty, in_class_of, is_full_float, is_here,
    Tensor,
)
from corepy._cython.cpu.products cimport MatrixProduct

cdef extern from "kernels.hpp" namespace "corepy" nogil:
    cdef struct Correlation:
        MatrixProduct product
        Py_ssize_t height, width, out_width
        Py_ssize_t[2] size, stride, padding, dilation

cdef extern from "products.hpp" namespace "corepy" nogil:
    void correlate_images(Dtype, const Correlation&, Py_ssize_t, Py_ssize_t)


def correlate(
    Tensor x not None, Tensor weight not None, tuple stride not None, tuple padding not None,
    tuple dilation not None, Py_ssize_t groups,
):
    """Correlate images (N, C, H, W) with kernels (O, C / groups, KH, KW), see `corepy.nn.conv2d`.
    None if one of them is on another device, or they have different dtypes.
    """
    cdef Correlation c
    cdef Py_ssize_t shape[4]
    cdef Py_ssize_t size, span
    cdef Tensor given = x
    cdef Tensor out
    cdef int k, of_rows, of_columns
    if not is_here(x) or not is_here(weight) or x.code != weight.code or not is_full_float(x.code):
        return None
    x, weight = contiguous(x), contiguous(weight)
    of_rows, of_columns = stride  # as C's int: sums of a few cannot overflow
    c.stride[0], c.stride[1] = of_rows, of_columns
    of_rows, of_columns = padding
    c.padding[0], c.padding[1] = of_rows, of_columns
    of_rows, of_columns = dilation
    c.dilation[0], c.dilation[1] = of_rows, of_columns
    # From here to the kernel no other thread can change a shape.
    if x.ndim != 4 or weight.ndim != 4 or groups < 1 or x.dims[1] != weight.dims[1] * groups \
            or weight.dims[0] % groups:
        raise ValueError(
            f"conv2d: expected x (N, C, H, W) and weight (O, C / groups, KH, KW), got {x.shape}, "
            f"{weight.shape} and groups={groups}"
        )
    shape[0], shape[1] = x.dims[0], weight.dims[0]
    for k in range(2):
        c.size[k] = weight.dims[2 + k]
        span = c.dilation[k] * (c.size[k] - 1) + 1
        if c.size[k] < 1 or c.stride[k] < 1 or c.padding[k] < 0 or c.dilation[k] < 1:
            raise ValueError("conv2d: expected windows, strides and dilations of at least 1")
        if x.dims[2 + k] + 2 * c.padding[k] < span:
            raise ValueError(
                f"conv2d: expected images, with their padding, of at least the size of the "
                f"window, {span} along axis {2 + k}, got {x.dims[2 + k] + 2 * c.padding[k]}"
            )
        shape[2 + k] = (x.dims[2 + k] + 2 * c.padding[k] - span) // c.stride[k] + 1
    out = empty(x.code, 4, shape)
    size = dtype_itemsize[x.code]
    c.height, c.width, c.out_width = x.dims[2], x.dims[3], shape[3]
    c.product.rows = weight.dims[0] // groups
    c.product.terms = weight.dims[1] * c.size[0] * c.size[1]
    c.product.columns = shape[2] * shape[3]
    c.product.a, c.product.a_row, c.product.a_step = weight.data, c.product.terms * size, size
    c.product.b = x.data
    c.product.out, c.product.out_row = out.data, c.product.columns * size
    if not c.product.terms:
        return None
    if out.count:
        call_kernel(
            out.count * c.product.terms, correlate_images, <Dtype>x.code, c, x.dims[0], groups
        )
    return in_class_of(out, given)
