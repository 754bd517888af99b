# Operations of `corepy.nn` along the last axis, by one kernel each.
#
# Needs implementations, kernels.

from corepy._cython.core cimport in_class_of, is_floating

cdef extern from "launch.hpp" namespace "corepy" nogil:
    cdef struct RowwiseArguments:
        const char* in_ "in"
        char* out
        const char* weight
        const char* bias
        long long rows
        int n
        double eps
    enum:
        ROW_STEP
    int kept_steps(int)

cdef enum:
    # Elements of a row from which on one block takes longer than all blocks in several launches.
    TOO_LONG = 1 << 18


cdef bint is_row_of(object factors, Tensor x) except -1:
    """Whether there is an element for each of the last axis, as kernels read them."""
    cdef Tensor row
    if not is_tensor(factors):
        return False
    row = <Tensor>factors
    materialize(row)
    return row.device is x.device and row.code == x.code and row.flags & CONTIGUOUS \
        and row.ndim == 1 and row.dims[0] == x.dims[x.ndim - 1]


cdef object of_rows(
    GpuBackend backend, str name, Tensor x, Py_ssize_t axis=-1, double eps=0, object weight=None,
    object bias=None,
):
    """Compute an operation of rows; NotImplemented for other axes, mixed dtypes, factors in other
    layouts, and for what the operation's definition refuses.
    """
    cdef RowwiseArguments arguments
    cdef Launch launch
    cdef Tensor given = x, out
    cdef int itemsize = dtype_itemsize[x.code], pack = 16 // itemsize
    cdef bint of_blocks
    materialize(x)
    if not is_floating(x.code) or x.ndim == 0 or axis not in (-1, x.ndim - 1) \
            or x.dims[x.ndim - 1] >= TOO_LONG \
            or not (weight is None or is_row_of(weight, x)) \
            or not (bias is None or is_row_of(bias, x)):
        return NotImplemented
    x = in_c_order(backend, x)
    out = backend.empty_on(x.device, x.code, x.ndim, x.dims)
    if out.count == 0:
        return in_class_of(out, given)
    arguments.in_, arguments.out, arguments.eps = x.data, out.data, eps
    arguments.weight = arguments.bias = NULL
    if weight is not None:
        arguments.weight = (<Tensor>weight).data
    if bias is not None:
        arguments.bias = (<Tensor>bias).data
    arguments.n = out.dims[out.ndim - 1]
    arguments.rows = out.count // arguments.n
    if arguments.n % pack or 0 != 15 & (
        <uintptr_t>x.data | <uintptr_t>out.data | <uintptr_t>arguments.weight
        | <uintptr_t>arguments.bias
    ):
        pack = 1
    of_blocks = arguments.n > 32 * ROW_STEP * kept_steps(itemsize)
    set_kernel(
        backend, &launch, x.device, KIND_rowwise,
        NAMES_OF_NUMBERS["rowwise"].index(name), x.code, pack, of_blocks,
    )
    launched(backend, name, launch.call(
        &arguments, arguments.rows if of_blocks else ceil_div(arguments.rows, THREADS // 32)
    ))
    return in_class_of(out, given)


@implements("softmax")
def _softmax(GpuBackend backend, Tensor x not None, axis=-1):
    return of_rows(backend, "softmax", x, axis)


@implements("log_softmax")
def _log_softmax(GpuBackend backend, Tensor x not None, axis=-1):
    return of_rows(backend, "log_softmax", x, axis)


@implements("rms_norm")
def _rms_norm(GpuBackend backend, Tensor x not None, weight=None, eps=1e-6):
    return of_rows(backend, "rms_norm", x, -1, eps, weight)


@implements("layer_norm")
def _layer_norm(GpuBackend backend, Tensor x not None, weight=None, bias=None, eps=1e-5):
    return of_rows(backend, "layer_norm", x, -1, eps, weight, bias)
