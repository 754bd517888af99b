# Scans on a GPU.
#
# Needs kernels, operands.

from corepy._cython.core cimport OP_cumulative_prod, SHAPE_scan

cdef extern from "scans.hpp" namespace "corepy" nogil:
    cdef cppclass Scan:
        const char* in_ "in"
        char* out
        char* partials
        unsigned* flags
        long long n, stride, out_stride
        bint initial
        int itemsize
        int out_itemsize
        bint small
        bint rows
        int pack
        int group
        bint aligned
        bint shared
        bint many_axes
        Py_ssize_t accumulators
        Py_ssize_t zeros
        bint totals
        void add_kept(Py_ssize_t, Py_ssize_t, Py_ssize_t)
        void plan()
        int launch(const Launch&)


cdef object gpu_scan(
    GpuBackend backend, Operation op, Tensor x, Py_ssize_t axis, object dtype,
    bint include_initial,
):
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t k
    cdef int compute, result
    cdef const Entry* found
    cdef Operand operand
    cdef Tensor out
    backend.check(x)
    if not 0 <= axis < x.ndim:
        raise IndexError(f"{NAMES[<int>op]}: a tensor of {x.ndim} axes has no axis {axis}")
    compute = x.code if dtype is None else CODES[dtype]
    find_entry(op, SHAPE_scan, x.code)
    found = find_entry(op, SHAPE_scan, compute)
    result = found.result if dtype is None else compute
    compute = DTYPE_float32 if is_half(compute) else compute  # and rounded once
    for k in range(x.ndim):
        shape[k] = x.dims[k]
    shape[axis] += include_initial
    out = backend.empty_on(x.device, result, x.ndim, shape)
    if x.count:
        launch_scan(backend, op, x, axis, include_initial, compute, out)
    elif out.count:
        set_scalar(NAMES[<int>op], &operand, out.code, op == OP_cumulative_prod)
        backend.write(out, &operand)
    return out


cdef int launch_scan(
    GpuBackend backend, Operation op, Tensor x, Py_ssize_t axis, bint initial, int compute,
    Tensor out,
) except -1:
    cdef Scan work
    cdef Launch launch
    cdef Py_ssize_t k
    cdef object partials, flags
    work.in_ = x.data
    work.out = out.data + (out.steps[axis] if initial else 0)
    work.itemsize = dtype_itemsize[x.code]
    work.out_itemsize = dtype_itemsize[out.code]
    work.n = x.dims[axis]
    work.stride = x.steps[axis]
    work.out_stride = out.steps[axis]
    work.initial = initial
    # Products of floating-point numbers have separate exponents.
    work.small = not is_complex(compute) and (op != OP_cumulative_prod or is_integer(compute))
    for k in range(x.ndim):
        if k != axis:
            work.add_kept(x.dims[k], x.steps[k], out.steps[k])
    work.plan()
    if work.accumulators:
        partials = backend.allocate(work.accumulators * LARGEST_ACCUMULATOR, out.device.index)
        work.partials = <char*><uintptr_t>partials.ptr
    if work.zeros:
        flags = backend.allocate(work.zeros * sizeof(unsigned), out.device.index)
        backend._runtime.clear(flags.ptr, work.zeros * sizeof(unsigned), out.device.index)
        work.flags = <unsigned*><uintptr_t>flags.ptr
    if work.totals:
        find_scan(backend, &launch, op, x, compute, work, out, True)
        launched(backend, NAMES[<int>op], work.launch(launch))
    find_scan(backend, &launch, op, x, compute, work, out, False)
    return launched(backend, NAMES[<int>op], work.launch(launch))


cdef int find_scan(
    GpuBackend backend, Launch* launch, Operation op, Tensor x, int compute, Scan& work,
    Tensor out, bint totals,
) except -1:
    """Set up a launch of a scan, or of the kernel that computes totals of chunks for it."""
    cdef uint64_t key = packed(packed(packed(op, x.code, 4), compute, 4), out.code, 4)
    key = packed(packed(packed(key, work.rows, 1), work.pack, 5), work.aligned, 1)
    key = packed(packed(packed(key, work.group, 9), work.shared, 1), work.many_axes, 1)
    key = packed(key, totals, 1) | kernel_key(KIND_scan, out.device)
    if find_kernel(backend, launch, out.device, key):
        return 0
    types = (
        f"corepy::op::{NAMES[<int>op]}<{CUDA_TYPES[compute]}>, {CUDA_TYPES[x.code]}, "
        f"{CUDA_TYPES[out.code]}"
    )
    axes = MAX_NDIM if work.many_axes else 4
    if work.rows:
        kernel = (
            f"corepy::ScanRows<{types}, {work.pack}, {constant(work.aligned)}, {work.group}, "
            f"{constant(work.shared)}, {axes}>"
        )
    else:
        kernel = f"corepy::ScanColumns<{types}, {constant(totals)}, {axes}>"
    return add_kernel(backend, launch, out.device, key, kernel)
