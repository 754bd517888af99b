# distutils: language = c++
"""Products of matrices of 8 or 4 bits with rows of float32.

`multiply` returns None for operands that are not on the CPU, or of another dtype.
"""

from libc.string cimport memset
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    ask_kernel, contiguous, DTYPE_float32, DTYPE_uint8, empty, in_class_of, is_here, MAX_NDIM,
    RELEASE_GIL, Tensor,
)

cdef extern from "quantized.hpp" namespace "corepy" nogil:
    cdef struct QuantizedProduct:
        int bits
        cppbool half
        Py_ssize_t rows, columns, groups
        const char* matrix
        float* out
    Py_ssize_t BLOCK_ROWS, GROUP
    Py_ssize_t block_bytes(int, cppbool)
    cppbool multiply_quantized(QuantizedProduct, Py_ssize_t, const float*) noexcept


def multiply(object matrix, int bits, bint half, Py_ssize_t columns, object x):
    """Multiply x (..., K) with the transpose of a matrix (columns, K), the bytes of whose blocks
    `matrix` has, for a result of shape (..., columns). `half` says that its factors are float16.
    """
    cdef Tensor blocks, rows, out
    cdef QuantizedProduct p
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t terms, line
    cdef int axis
    if not is_here(matrix) or not is_here(x):
        return None
    rows = <Tensor>x
    if rows.code != DTYPE_float32 or rows.ndim == 0:
        return None
    # From here to the kernel no other thread can change a shape.
    blocks, rows = contiguous(<Tensor>matrix), contiguous(rows)
    p.bits, p.half, p.columns, p.rows = bits, half, columns, 1
    for axis in range(rows.ndim - 1):
        shape[axis] = rows.dims[axis]
        p.rows *= rows.dims[axis]
    shape[rows.ndim - 1] = columns
    terms = rows.dims[rows.ndim - 1]
    p.groups = (terms + GROUP - 1) // GROUP
    # The bytes of a group of all rows; there cannot be more rows than bytes.
    line = (min(columns, blocks.count + 1) + BLOCK_ROWS - 1) // BLOCK_ROWS * block_bytes(bits, half)
    if bits not in (4, 8) or columns < 0 or blocks.code != DTYPE_uint8 or (
        blocks.count != 0 if line == 0
        else blocks.count % line != 0 or blocks.count // line != p.groups
    ):
        raise ValueError(
            f"quantize: expected the blocks of a matrix of shape ({columns}, {terms}) and {bits} "
            f"bits, got {blocks.count} bytes"
        )
    out = empty(DTYPE_float32, rows.ndim, shape)
    if out.count == 0:
        return in_class_of(out, x)
    if terms == 0:
        memset(out.data, 0, out.count * sizeof(float))
        return in_class_of(out, x)
    p.matrix, p.out = blocks.data, <float*>out.data
    if not ask_kernel(RELEASE_GIL, multiply_quantized, p, terms, <const float*>rows.data):
        raise MemoryError(f"matmul: no memory for {rows.count} elements of 8 bits")
    return in_class_of(out, x)
