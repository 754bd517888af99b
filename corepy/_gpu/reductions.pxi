# Reductions on a GPU.
#
# Needs fusion, kernels, operands.

from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    Axes, OP_all, OP_any, OP_argmax, OP_argmin, OP_max, OP_mean, OP_min, OP_prod, OP_std, OP_var,
    SHAPE_reduce, check_choice, mark_axes, read_axes, reduced_shape,
)

cdef extern from "reductions.hpp" namespace "corepy" nogil:
    cdef enum:
        LARGEST_ACCUMULATOR
        COUNTERS
    cdef cppclass Reduction:
        const char* in_ "in"
        char* out
        char* partials
        unsigned* counters
        double divisor
        int itemsize
        bint idempotent
        bint indexed
        bint rows
        int pack
        bint aligned
        int group
        bint one_axis
        bint many_axes
        Py_ssize_t shared
        void add_kept(Py_ssize_t, Py_ssize_t, Py_ssize_t)
        void add_reduced(Py_ssize_t, Py_ssize_t, Py_ssize_t)
        void plan()
        int launch(const Launch&)


cdef object gpu_reduce(
    GpuBackend backend, Operation op, Tensor x, object axis, bint keepdims, object dtype,
    double correction,
):
    cdef str name = NAMES[<int>op]
    cdef Axes axes
    cdef cppbool marked[MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim, elements = 1, k
    cdef int compute, result
    cdef const Entry* found
    cdef Tensor out
    read_axes(name, axis, &axes)
    backend.check(x)
    compute = x.code if dtype is None else CODES[dtype]
    find_entry(op, SHAPE_reduce, x.code)
    found = find_entry(op, SHAPE_reduce, compute)
    result = found.result if dtype is None else compute
    compute = DTYPE_float32 if is_half(compute) else compute  # and rounded once
    mark_axes(name, &axes, x.ndim, marked)
    check_choice(op, &axes, x, marked)
    for k in range(x.ndim):
        elements *= x.dims[k] if marked[k] else 1
    ndim = reduced_shape(x.ndim, x.dims, marked, keepdims, shape)
    out = backend.empty_on(x.device, result, ndim, shape)
    if elements == 0:
        return reduced_nothing(backend, op, out)
    if out.count:
        launch_reduction(backend, op, x, marked, keepdims, compute, elements, correction, out)
    return out


cdef object reduced_nothing(GpuBackend backend, Operation op, Tensor out):
    """`out` with the results of reductions of no elements."""
    cdef Operand operand
    cdef object value
    if op in (OP_mean, OP_var, OP_std):
        value = complex(np.nan, np.nan) if is_complex(out.code) else np.nan
    else:
        value = op == OP_all or op == OP_prod
    if out.count:
        set_scalar(NAMES[<int>op], &operand, out.code, value)
        backend.write(out, &operand)
    return out


cdef int launch_reduction(
    GpuBackend backend, Operation op, Tensor x, const cppbool* marked, bint keepdims, int compute,
    Py_ssize_t elements, double correction, Tensor out, FusedPass computed=None,
) except -1:
    """Write a reduction of `x` into `out`, each result of `elements` elements. With `computed`
    elements, `x` has their dtype and layout, with addresses relative to 0.
    """
    cdef Reduction work
    cdef Launch launch
    cdef uint64_t key
    cdef Py_ssize_t kept = out.ndim, index_step = 1, k
    cdef object partials, counters  # referenced until the launch; then stream order protects them
    work.in_ = x.data
    work.out = out.data
    work.itemsize = dtype_itemsize[x.code]
    work.indexed = op == OP_argmax or op == OP_argmin
    work.idempotent = work.indexed or op in (OP_all, OP_any, OP_max, OP_min)
    work.divisor = elements
    if op == OP_var or op == OP_std:
        work.divisor -= correction
        if not work.divisor > 0:
            work.divisor = float("nan")
    # From the innermost axis outwards, in which index strides grow; plan() sorts.
    for k in range(x.ndim - 1, -1, -1):
        if marked[k]:
            kept -= keepdims
            work.add_reduced(x.dims[k], x.steps[k], index_step)
            index_step *= x.dims[k]
        else:
            kept -= 1
            work.add_kept(x.dims[k], x.steps[k], out.steps[kept])
    work.plan()
    key = packed(packed(packed(op, x.code, 4), compute, 4), out.code, 4)
    key = packed(packed(packed(key, work.rows, 1), work.pack > 1, 1), work.aligned, 1)
    key = packed(packed(packed(key, work.group, 9), work.one_axis, 1), work.many_axes, 1)
    key |= kernel_key(KIND_reduce, out.device)
    if computed is not None:
        computed.find_reduction(backend, &launch, op, x, compute, work, out, key)
    elif not find_kernel(backend, &launch, out.device, key):
        add_kernel(
            backend, &launch, out.device, key, reduction_kernel(op, x, compute, work, out, "")
        )
    if work.shared:
        partials = backend.allocate(work.shared * LARGEST_ACCUMULATOR, out.device.index)
        work.partials = <char*><uintptr_t>partials.ptr
        counters = counters_for(backend, out.device.index, <uintptr_t>launch.stream)
        work.counters = <unsigned*><uintptr_t>counters.ptr
    if computed is not None:
        return launched(backend, NAMES[<int>op], computed.work.launch(launch, work))
    return launched(backend, NAMES[<int>op], work.launch(launch))


cdef str reduction_kernel(
    Operation op, Tensor x, int compute, Reduction& work, Tensor out, str source
):
    """The kernel's class; `source` follows its other arguments."""
    cdef str functor = f"corepy::op::{NAMES[<int>op]}<{CUDA_TYPES[compute]}>"
    cdef str types = f"{functor}, {CUDA_TYPES[x.code]}, {CUDA_TYPES[out.code]}"
    cdef str layout = f"{work.pack}, {constant(work.aligned)}"
    cdef str axes = f"{constant(work.one_axis)}, {MAX_NDIM + 1 if work.many_axes else 4}"
    if work.rows:
        return f"corepy::Rows<{types}, {layout}, {work.group}, {axes}{source}>"
    return f"corepy::Columns<{types}, {layout}, {axes}{source}>"


cdef object counters_for(GpuBackend backend, int device, uintptr_t stream):
    """Zeroed memory for a kernel's counters of finished chunks.

    Kernels of one stream run in sequence, and each resets the counters, so counters of the default
    stream are cached. Other streams can be destroyed while their kernels still run, and their
    handles reused (the per-thread handle stands for many streams): each of their launches has its
    own counters.
    """
    memory = backend.counters.get(device) if stream <= LAST_LASTING_STREAM else None
    if memory is None:
        memory = backend.allocate(COUNTERS * sizeof(unsigned), device)
        backend._runtime.clear(memory.ptr, COUNTERS * sizeof(unsigned), device)
        if stream <= LAST_LASTING_STREAM:
            memory = backend.counters.setdefault(device, memory)  # the first thread's wins
    return memory
