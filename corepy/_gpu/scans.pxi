# Scans on a GPU.

from corepy._cython.core cimport OP_cumulative_prod, SHAPE_scan

cdef extern from "scans.hpp" namespace "corepy" nogil:
    cdef cppclass Scan:
        const char* in_ "in"
        char* out
        int itemsize
        int out_itemsize
        Py_ssize_t n
        Py_ssize_t step
        Py_ssize_t out_step
        bint initial
        bint rows
        int pack
        int group
        bint aligned
        bint shared
        bint many
        Py_ssize_t accumulators
        Py_ssize_t marks
        bint totals
        void add_kept(Py_ssize_t, Py_ssize_t, Py_ssize_t)
        void plan()
        int launch(const Launch&, void*, void*)


cdef object gpu_scan(
    GpuBackend backend, Operation op, Tensor x, Py_ssize_t axis, object dtype,
    bint include_initial,
):
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t k
    cdef int compute
    cdef const Entry* found
    cdef Operand operand
    cdef Tensor out
    backend.check(x)
    if not 0 <= axis < x.rank:
        raise IndexError(f"{NAMES[<int>op]}: a tensor of {x.rank} axes has no axis {axis}")
    compute = x.code if dtype is None else CODES[dtype]
    find_entry(op, SHAPE_scan, x.code)
    found = find_entry(op, SHAPE_scan, compute)
    for k in range(x.rank):
        shape[k] = x.dims[k]
    shape[axis] += include_initial
    out = backend.empty_on(x.device_, found.result if dtype is None else compute, x.rank, shape)
    if x.count:
        launch_scan(backend, op, x, axis, include_initial, compute, out)
    elif out.count:
        set_scalar(&operand, out.code, op == OP_cumulative_prod)
        backend.write(out, &operand)
    return out


cdef int launch_scan(
    GpuBackend backend, Operation op, Tensor x, Py_ssize_t axis, bint initial, int compute,
    Tensor out,
) except -1:
    cdef Scan work
    cdef Launch launch
    cdef Py_ssize_t k
    cdef void* partials = NULL
    cdef void* zeros = NULL
    cdef Tensor marks
    cdef object memory
    work.in_ = x.data
    work.out = out.data + (out.steps[axis] if initial else 0)
    work.itemsize = itemsize_of(x.code)
    work.out_itemsize = itemsize_of(out.code)
    work.n = x.dims[axis]
    work.step = x.steps[axis]
    work.out_step = out.steps[axis]
    work.initial = initial
    for k in range(x.rank):
        if k != axis:
            work.add_kept(x.dims[k], x.steps[k], out.steps[k])
    work.plan()
    if work.accumulators:
        memory = backend._runtime.allocate(
            work.accumulators * LARGEST_ACCUMULATOR, out.device_.index
        )
        partials = <void*><uintptr_t>memory.ptr
    if work.marks:
        marks = backend.full((work.marks,), 0, DTYPES[DTYPE_uint32], out.device_)
        zeros = marks.data
    start_launch(backend, &launch, out.device_.index)
    if work.totals:
        launch.function = scan_kernel(backend, op, x, compute, work, out, True)
        status = work.launch(launch, partials, zeros)
        if status != 0:
            backend._runtime.fail(NAMES[<int>op], status)
    launch.function = scan_kernel(backend, op, x, compute, work, out, False)
    status = work.launch(launch, partials, zeros)
    if status != 0:
        backend._runtime.fail(NAMES[<int>op], status)
    return 0


cdef void* scan_kernel(
    GpuBackend backend, Operation op, Tensor x, int compute, Scan& work, Tensor out, bint totals
) except NULL:
    cdef uint64_t key = packed(packed(packed(op, x.code, 4), compute, 4), out.code, 4)
    cdef void* found
    key = packed(packed(packed(key, work.rows, 1), work.pack, 5), work.aligned, 1)
    key = packed(packed(packed(key, work.group, 9), work.shared, 1), work.many, 1)
    key = packed(packed(key, totals, 1), out.device_.index, 6)
    found = backend.reductions[key]
    if found != NULL:
        return found
    types = (
        f"corepy::op::{NAMES[<int>op]}<{CUDA_TYPES[compute]}>, {CUDA_TYPES[x.code]}, "
        f"{CUDA_TYPES[out.code]}"
    )
    axes = MAX_RANK if work.many else 4
    if work.rows:
        kernel = (
            f"corepy::ScanRows<{types}, {work.pack}, {in_cuda(work.aligned)}, {work.group}, "
            f"{in_cuda(work.shared)}, {axes}>"
        )
    else:
        kernel = f"corepy::ScanColumns<{types}, {in_cuda(totals)}, {axes}>"
    found = <void*><uintptr_t>backend._runtime.kernel(kernel, out.device_.index)
    backend.reductions[key] = found
    return found
