# distutils: language = c++
"""Convolutions, bits in bytes, and all elements of an array combined by an operation.

Functions return None for operands that are not on the CPU, or of a dtype without a kernel.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    as_code, call_kernel, contiguous, Dtype, DTYPE_bool, DTYPE_float32, dtype_itemsize, DTYPE_uint8,
    empty, entry, flip, is_complex, is_full_float, is_half, is_here, is_integer, kernel,
    OP_bitwise_and, OP_bitwise_or, OP_bitwise_xor, OP_fmax, OP_fmin, Operation, Tensor,
)

cdef extern from "convolution.hpp" namespace "corepy" nogil:
    void pack_bits(Py_ssize_t, const uint8_t*, cppbool, uint8_t*)
    void unpack_bits(Py_ssize_t, const uint8_t*, cppbool, uint8_t*)
    void fold(kernel, Py_ssize_t, Py_ssize_t, const char*, char*)
    cppbool has_convolution(Dtype)
    void convolve_elements "corepy::convolve"(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const char*, Py_ssize_t, Py_ssize_t, char*,
        char*,
    )


# ---- elements of an array combined

cdef dict FOLDS = {
    "bitwise_and": OP_bitwise_and, "bitwise_or": OP_bitwise_or, "bitwise_xor": OP_bitwise_xor,
    "fmax": OP_fmax, "fmin": OP_fmin,
}


def reduce_all(str name not None, Tensor x not None):
    """Combine all elements by an operation of `FOLDS`, fmax and fmin of floating-point numbers,
    the others of integers; None for no elements, too.
    """
    cdef Tensor out
    cdef kernel loop
    cdef Py_ssize_t itemsize
    if is_half(x.code):
        out = reduce_all(name, as_code(x, DTYPE_float32))
        return None if out is None else as_code(out, x.code)
    if not is_here(x) or not x.count or not (is_integer(x.code) or is_full_float(x.code)):
        return None
    loop = entry(<Operation><int>FOLDS[name], <Dtype>x.code).loop
    if loop == NULL:
        return None
    x = contiguous(x)
    itemsize = dtype_itemsize[x.code]
    out = empty(x.code, 0, NULL)
    call_kernel(x.count, fold, loop, itemsize, x.count, x.data, out.data)
    return out


def convolution_part(object mode, Py_ssize_t n, Py_ssize_t m):
    """Return where the part of a full convolution begins and ends that a mode of NumPy's asks for;
    None for other modes. `n` elements are not fewer than `m`.
    """
    if type(mode) is not str and type(mode) is not int:
        return None
    if mode == "full" or mode == 2:
        return 0, n + m - 1
    if mode == "same" or mode == 1:
        return (m - 1) // 2, (m - 1) // 2 + n
    if mode == "valid" or mode == 0:
        return m - 1, n
    return None


def convolve(object a, object v, object mode, bint reverse=False):
    """Convolve two tensors of one axis; with the second reversed for a correlation of real numbers.

    `mode` is NumPy's. None for what is empty, has other modes or different dtypes, too.
    """
    cdef Tensor x, y, out
    cdef bint swapped
    if not is_here(a) or not is_here(v):
        return None
    x, y = <Tensor>a, <Tensor>v
    if x.code != y.code or x.ndim != 1 or y.ndim != 1 or not has_convolution(<Dtype>x.code) \
            or (reverse and is_complex(x.code)):
        return None
    swapped = x.count < y.count
    if swapped:
        x, y = y, x
    part = convolution_part(mode, x.count, y.count)
    if y.count == 0 or part is None:
        return None
    out = convolve_part(x, flip(y) if reverse else y, part[0], part[1])
    return flip(out) if reverse and swapped else out


cdef Tensor convolve_part(Tensor a, Tensor v, Py_ssize_t begin, Py_ssize_t end):
    """Elements `begin` to `end` of the full convolution; `a` is not shorter than `v`."""
    cdef Py_ssize_t count = end - begin, size = 4 * v.count
    cdef Tensor scratch, out
    a, v = contiguous(a), contiguous(v)
    out = empty(a.code, 1, &count)
    scratch = empty(a.code, 1, &size)
    call_kernel(
        count * v.count, convolve_elements, <Dtype>a.code, a.count, a.data, v.count, v.data, begin,
        end, scratch.data, out.data,
    )
    return out


# ---- bits

def packbits(Tensor x not None, bint big):
    """Return the elements, zero or not, as bits of bytes (uint8)."""
    cdef Py_ssize_t whole, count
    cdef uint8_t last[8]
    cdef Tensor out
    if not is_here(x) or not (x.code == DTYPE_bool or x.code == DTYPE_uint8):
        return None
    x = contiguous(x)
    whole = x.count // 8
    count = (x.count + 7) // 8
    out = empty(DTYPE_uint8, 1, &count)
    call_kernel(x.count, pack_bits, whole, <uint8_t*>x.data, big, <uint8_t*>out.data)
    if count > whole:
        memset(last, 0, 8)
        memcpy(last, x.data + 8 * whole, x.count - 8 * whole)
        pack_bits(1, last, big, <uint8_t*>out.data + whole)
    return out


def unpackbits(Tensor x not None, bint big):
    """Return the bits of bytes as uint8, in one axis."""
    cdef Py_ssize_t count = 8 * x.count
    cdef Tensor out
    if not is_here(x) or x.code != DTYPE_uint8:
        return None
    x = contiguous(x)
    out = empty(DTYPE_uint8, 1, &count)
    call_kernel(x.count, unpack_bits, x.count, <uint8_t*>x.data, big, <uint8_t*>out.data)
    return out
