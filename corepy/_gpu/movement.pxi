# Transposed copies, concat, roll, repeat, tile, triangles; searchsorted.
#
# Needs creation, elementwise, gathering, implementations, kernels, reductions.

cdef extern from "movement.hpp" namespace "corepy" nogil:
    cdef cppclass TransposePlan:
        OperandAxes outer
        bint plan(Elementwise&)
        int side(int)
        int launch(const Launch&, char*, const char*, int)
    cdef struct TriangleArguments:
        long long n, rows, columns, diagonal
        bint upper
        char* out
        const char* in_ "in"
    cdef struct SearchArguments:
        long long n
        const char* wanted
        const char* table
        long long table_n
        long long* out

cdef enum:
    TRANSPOSE_PAYS = 1024  # elements
    MANY_ARRAYS = 32       # more are concatenated faster by the library's one kernel


cdef bint write_transposed(GpuBackend backend, Tensor out, const Operand* operand) except -1:
    """Write the elements of an operand into `out` by tiles; false if that is not faster."""
    cdef Elementwise work
    cdef TransposePlan plan
    cdef Launch launch
    cdef int side
    cdef int out_size = dtype_itemsize[out.code], in_size = dtype_itemsize[operand.code]
    set_operands(work, out, 1, operand)
    if not plan.plan(work):
        return False
    side = plan.side(max(out_size, in_size))
    if out.code == operand.code:
        set_kernel(
            backend, &launch, out.device, KIND_transpose, side, plan.outer.bucket, plan.outer.wide,
            out_size, in_size,
        )
    else:
        set_kernel(
            backend, &launch, out.device, KIND_transposed_cast, side, plan.outer.bucket,
            plan.outer.wide, out.code, operand.code,
        )
    launched(backend, "copy", plan.launch(launch, work.data[0], work.data[1], side))
    return True


# ---- copies of views

cdef Tensor view_at(
    Tensor base, char* address, Py_ssize_t ndim, const Py_ssize_t* dims, const Py_ssize_t* steps
):
    """A view of the memory of `base` with another layout."""
    cdef Tensor view = tensor_at(base.device, base.storage, address, base.code, ndim, dims)
    memcpy(view.steps, steps, ndim * sizeof(Py_ssize_t))
    view.flags = (base.flags & WRITEABLE) | (view.flags & ~(WRITEABLE | CONTIGUOUS))
    return view


cdef int copy_part(
    GpuBackend backend, Tensor out, char* target, const Py_ssize_t* target_steps, Tensor x,
    char* source, Py_ssize_t ndim, const Py_ssize_t* dims, const Py_ssize_t* steps,
) except -1:
    """Copy elements at `source` to `target`, an address in the memory of `out`."""
    cdef Operand operand
    cdef Tensor part = view_at(out, target, ndim, dims, target_steps)
    operand.data, operand.code = source, x.code
    operand.ndim, operand.dims, operand.steps = ndim, dims, steps
    return backend.write(part, &operand)


@implements("concat")
def _concat(GpuBackend backend, arrays, *, axis=0):
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t along, k
    cdef Tensor x, out, first
    cdef char* target
    if len(arrays) > MANY_ARRAYS:
        return NotImplemented
    if axis is None:
        arrays = [reshape(x, (-1,) if x.count else (0,)) for x in arrays]
        axis = 0
    first = arrays[0]
    along = axis + first.ndim if axis < 0 else axis
    for k in range(first.ndim):
        dims[k] = first.dims[k]
    dims[along] = 0
    for x in arrays:
        dims[along] += x.dims[along]
    out = backend.empty_on(first.device, first.code, first.ndim, dims)
    if out.count == 0:
        return out
    target = out.data
    for x in arrays:
        copy_part(backend, out, target, out.steps, x, x.data, x.ndim, x.dims, x.steps)
        target += x.dims[along] * out.steps[along]
    return out


@implements("stack")
def _stack(GpuBackend backend, arrays, *, Py_ssize_t axis=0):
    if len(arrays) > MANY_ARRAYS:
        return NotImplemented
    return _concat(backend, [expand_dims(x, axis) for x in arrays], axis=axis)


cdef int copy_rolled_part(
    object backend, Tensor out, char* target, Tensor x, char* source, const Py_ssize_t* dims
) except -1:
    return copy_part(backend, out, target, out.steps, x, source, x.ndim, dims, x.steps)


@implements("roll")
def _roll(GpuBackend backend, Tensor x not None, shift, *, axis=None):
    cdef Tensor out
    if axis is None:
        flat = reshape(x, (x.count,))
        return reshape(_roll(backend, flat, (shift,), axis=(0,)), x.shape)
    out = backend.empty_on(x.device, x.code, x.ndim, x.dims)
    copy_rolled(out, x, tuple(shift), tuple(axis), copy_rolled_part, backend)
    return out


@implements("repeat")
def _repeat(GpuBackend backend, Tensor x not None, repeats, *, axis=None):
    """Repeat all elements equally often: one copy of a broadcast view."""
    cdef Tensor wide
    cdef tuple shape
    if is_tensor(repeats):
        return repeated_each(backend, x, repeats, axis)
    if axis is None:
        x, axis = reshape(x, (x.count,)), 0
    shape = x.shape
    wide = expand_dims(x, axis + 1)
    wide = broadcast_to(wide, shape[:axis + 1] + (repeats,) + shape[axis + 1:])
    return reshape(
        gpu_astype(backend, wide, DTYPES[x.code], True),
        shape[:axis] + (shape[axis] * repeats,) + shape[axis + 1:],
    )


cdef Tensor repeated_each(GpuBackend backend, Tensor x, Tensor repeats, object axis):
    """Repeat elements with an array of counts."""
    cdef Tensor counts = as_code_in_c_order(backend, repeats, DTYPE_int64)
    cdef Tensor ends, indices
    if axis is None:
        x, axis = reshape(x, (x.count,)), 0
    if counts.ndim == 0 or counts.count != x.dims[axis]:
        counts = broadcast_to(counts, (x.dims[axis],))
    if counts.count == 0:
        return gpu_astype(backend, x, DTYPES[x.code], True)
    least = int(backend.to_numpy(gpu_reduce(backend, OP_min, counts, None, False, None, 0.0))[()])
    if least < 0:
        raise ValueError(f"repeat: each entry of repeats must be at least 0, got {least}")
    ends = backend.scan(OP_cumulative_sum, counts, 0, None, False)
    total = int(backend.to_numpy(backend.getitem(ends, -1))[()])
    # An output element is a copy of the first input element whose copies end after it.
    indices = _searchsorted(
        backend, ends, _arange(backend, 0, total, 1, dtype=DTYPES[DTYPE_int64], device=x.device),
        side="right",
    )
    return _take(backend, x, indices, axis=axis)


@implements("tile")
def _tile(GpuBackend backend, Tensor x not None, tuple repetitions):
    """Tile an array: one copy of a broadcast view."""
    cdef list shape = [], wide = [], final = []
    cdef Py_ssize_t ndim = max(x.ndim, len(repetitions))
    cdef tuple sizes = (1,) * (ndim - x.ndim) + x.shape
    repetitions = (1,) * (ndim - len(repetitions)) + repetitions
    if 2 * ndim > MAX_NDIM:
        return NotImplemented
    for size, times in zip(sizes, repetitions):
        shape += [1, size]
        wide += [times, size]
        final.append(times * size)
    whole = broadcast_to(reshape(x, tuple(shape)), tuple(wide))
    return reshape(gpu_astype(backend, whole, DTYPES[x.code], True), tuple(final))


# ---- matrices

cdef Tensor triangle(GpuBackend backend, Tensor x, Py_ssize_t diagonal, bint upper):
    cdef TriangleArguments arguments
    cdef Launch launch
    cdef Tensor out = backend.empty_on(x.device, x.code, x.ndim, x.dims)
    if x.count == 0:
        return out
    x = in_c_order(backend, x)
    arguments.n = x.count
    arguments.rows, arguments.columns = x.dims[x.ndim - 2], x.dims[x.ndim - 1]
    arguments.diagonal, arguments.upper = diagonal, upper
    arguments.out, arguments.in_ = out.data, x.data
    set_kernel(backend, &launch, x.device, KIND_triangle, dtype_itemsize[x.code])
    status = launch.call(&arguments, ceil_div(x.count, 4 * THREADS))
    launched(backend, "triu" if upper else "tril", status)
    return out


@implements("tril")
def _tril(GpuBackend backend, Tensor x not None, *, Py_ssize_t k=0):
    return triangle(backend, x, k, False)


@implements("triu")
def _triu(GpuBackend backend, Tensor x not None, *, Py_ssize_t k=0):
    return triangle(backend, x, k, True)


# ---- sorting and searching

@implements("sort")
def _sort(
    GpuBackend backend, Tensor x not None, *, int axis=-1, bint descending=False, bint stable=True
):
    """Copy, with NaNs made positive, and have the library sort the copy in place.

    Descending order is that of the reversed copy, so that equal values (-0 and +0) keep theirs.
    """
    cdef Operand operand
    cdef Tensor out
    cdef int index = x.device.index
    if x.ndim == 0 or x.count == 0:
        return gpu_astype(backend, x, DTYPES[x.code], True)
    if descending:
        x = flip(x, axis)
    out = backend.empty_on(x.device, x.code, x.ndim, x.dims)
    set_tensor(&operand, x)
    if is_inexact(x.code):
        launch_elementwise(
            backend, "positive_nan", FAMILY_positive_nan, x.code, out, 1, &operand
        )
    else:
        backend.write(out, &operand)
    native = backend.native_over(out, out.storage)
    with backend._runtime.on(index):
        backend._runtime.with_memory_freed(
            partial(native.sort, axis=axis, kind="stable"), "sort: {}".format, index
        )
    return flip(out, axis) if descending else out


@implements("searchsorted")
def _searchsorted(GpuBackend backend, x1, x2, *, str side="left", sorter=None):
    cdef Tensor table, wanted, out
    cdef SearchArguments arguments
    cdef Launch launch
    cdef bint right = side == "right"
    if not is_tensor(x1) or not is_tensor(x2):
        return NotImplemented
    table, wanted = x1, x2
    if table.ndim != 1 or table.code != wanted.code or is_complex(table.code):
        return NotImplemented
    if sorter is not None:
        table = _take(backend, table, sorter, axis=0)
    table, wanted = in_c_order(backend, table), in_c_order(backend, wanted)
    out = backend.empty_on(wanted.device, DTYPE_int64, wanted.ndim, wanted.dims)
    if out.count == 0:
        return out
    arguments.n, arguments.wanted = wanted.count, wanted.data
    arguments.table_n, arguments.table = table.count, table.data
    arguments.out = <long long*>out.data
    set_kernel(backend, &launch, table.device, KIND_search, table.code, right)
    launched(backend, "searchsorted", launch.call(&arguments, ceil_div(out.count, THREADS)))
    return out
