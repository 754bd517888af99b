# Products with the matrices of `corepy.nn.quantize`.
#
# Needs implementations, kernels.

from corepy._cython.core cimport DTYPE_int8, DTYPE_uint8

cdef extern from "launch.hpp" namespace "corepy" nogil:
    cdef struct QuantizedArguments:
        const char* x
        const char* q
        const char* scales
        const char* minimums
        char* out
        long long rows, columns, group


cdef bint has_factors(Tensor factors, Tensor q, Py_ssize_t group_size) except -1:
    """Whether there is a factor for each group of a row's elements, as kernels read them."""
    materialize(factors)
    return factors.code == DTYPE_float32 and factors.flags & CONTIGUOUS \
        and factors.count == q.dims[0] * ceil_div(q.dims[1], group_size)


@implements("multiply_quantized")
def _multiply_quantized(
    GpuBackend backend, Tensor x not None, Tensor q not None, Tensor scales not None,
    Tensor minimums=None, *, Py_ssize_t group_size,
):
    """Multiply a row with the transpose of a matrix; NotImplemented for several rows, and for what
    is not float32, or of another layout than `quantize` makes.
    """
    cdef QuantizedArguments arguments
    cdef Launch launch
    cdef Tensor given = x, out
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t k
    cdef int pack = 16
    materialize(x)
    materialize(q)
    if x.code != DTYPE_float32 or q.code not in (DTYPE_int8, DTYPE_uint8) \
            or group_size < pack or group_size % pack \
            or x.ndim == 0 or q.ndim != 2 or not q.flags & CONTIGUOUS \
            or x.count == 0 or x.count != q.dims[1] or x.count != x.dims[x.ndim - 1] \
            or not has_factors(scales, q, group_size) \
            or not (minimums is None or has_factors(minimums, q, group_size)):
        return NotImplemented
    x = in_c_order(backend, x)
    for k in range(x.ndim - 1):
        shape[k] = 1
    shape[x.ndim - 1] = q.dims[0]
    out = backend.empty_on(x.device, DTYPE_float32, x.ndim, shape)
    if out.count == 0:
        return in_class_of(out, given)
    arguments.x, arguments.q, arguments.scales = x.data, q.data, scales.data
    arguments.minimums = NULL
    if minimums is not None:
        arguments.minimums = minimums.data
    arguments.out = out.data
    arguments.rows, arguments.columns, arguments.group = out.count, x.count, group_size
    if x.count % pack or 0 != 15 & (<uintptr_t>x.data | <uintptr_t>q.data):
        pack = 1
    set_kernel(backend, &launch, x.device, KIND_quantized, q.code, pack)
    launched(backend, "matmul", launch.call(&arguments, ceil_div(out.count, THREADS // 32)))
    return in_class_of(out, given)
