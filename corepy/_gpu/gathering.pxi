# Gather and scatter: indexing with integer arrays, also combined with integers, slices and masks.
#
# Needs elementwise, implementations, kernels, masks, operands.

cdef extern from "movement.hpp" namespace "corepy" nogil:
    cdef enum:
        MAX_INDEX_ARRAYS
    cdef cppclass IndexArguments:
        long long n
        int count
        const long long* index[64]
        long long sizes[64]
        long long strides[64]
        long long* offsets
        long long* winners
        unsigned long long* keys
        int shift
        long long* flag
    cdef struct GatherShape:
        char* out
        const char* base
        const char* index
        long long size, stride
        long long* report
    cdef struct ScatterShape:
        char* base
        Input value
        const char* offsets


cdef Tensor flat_indices(GpuBackend backend, IndexPlan plan, int k):
    """Index array k as int64, in C order and broadcast to the common shape."""
    cdef Tensor array = plan.arrays[k]
    shape = shape_tuple(plan.index_ndim, plan.dims + plan.axis)
    return as_code_in_c_order(backend, broadcast_to(array, shape), DTYPE_int64)


cdef Tensor prepared_offsets(GpuBackend backend, IndexPlan plan, bint wanted, bint once):
    """The offsets in bytes of the indices; None if an index is out of range.

    `wanted`: whether offsets are used. `once`: of equal indices only the last keeps its offset.
    """
    cdef IndexArguments arguments
    cdef Device device = plan.base.device
    cdef Py_ssize_t rows = 1
    cdef Py_ssize_t slots = 2
    cdef Tensor offsets, winners, keys, flag = None
    cdef int kind = 0            # of Winners in kernels/gather.cuh
    cdef list arrays = [flat_indices(backend, plan, k) for k in range(len(plan.arrays))]
    cdef int k
    arguments.n = plan.n
    arguments.count = <int>len(arrays)
    for k in range(arguments.count):
        arguments.index[k] = <const long long*>(<Tensor>arrays[k]).data
        arguments.sizes[k] = plan.base.dims[plan.axis + k]
        arguments.strides[k] = plan.base.steps[plan.axis + k]
        rows *= arguments.sizes[k]
    offsets = backend.empty_on(device, DTYPE_int64, 1, &plan.n)
    arguments.offsets = <long long*>offsets.data
    if plan.n == 0:
        return offsets
    arguments.flag = NULL
    if not plan.trusted:
        flag = take_flag(backend, device)
        arguments.flag = <long long*>flag.data
        if once and wanted:
            # At least two slots for each index, so that there are few collisions.
            arguments.shift = 63
            while slots < 2 * plan.n:
                slots *= 2
                arguments.shift -= 1
            kind = 1 if rows <= 2 * slots else 2
            if kind == 1:
                slots = rows
            else:
                keys = backend.full((slots,), -1, DTYPES[DTYPE_int64], device)
                arguments.keys = <unsigned long long*>keys.data
            winners = backend.empty_on(device, DTYPE_int64, 1, &slots)
            arguments.winners = <long long*>winners.data
    prepare_stage(backend, device, arguments, 0, kind)
    if flag is not None and is_raised(backend, flag):
        return None
    if kind:
        prepare_stage(backend, device, arguments, 1, kind)
        prepare_stage(backend, device, arguments, 2, kind)
    return offsets


cdef int prepare_stage(
    GpuBackend backend, Device device, IndexArguments& arguments, int stage, int winners
) except -1:
    cdef Launch launch
    set_kernel(backend, &launch, device, KIND_prepare_indices, stage, winners)
    return launched(
        backend, "getitem", launch.call(&arguments, ceil_div(arguments.n, THREADS))
    )


cdef int gather_at(
    GpuBackend backend, OperandAxes& axes, Tensor out, Tensor base, Tensor index, Py_ssize_t size,
    Py_ssize_t stride, uint64_t alignment, bint checked, str function, object named,
) except -1:
    """Launch Gather. Checked indices may be out of range; the error names `function` and the axis.
    `alignment` is the bitwise or of all offsets to the address of the base.
    """
    cdef Device device = out.device
    cdef Launch launch
    cdef GatherShape work
    cdef int unit
    axes.simplify()
    # `out` is in C order: its other strides are multiples of the bytes of its last axis.
    unit = axes.widen(dtype_itemsize[out.code], <uint64_t>base.data | alignment)
    set_kernel(
        backend, &launch, device, KIND_gather, unit, axes.bucket, axes.wide, index.code, checked
    )
    work.out, work.base, work.index = out.data, base.data, index.data
    work.size, work.stride = size, stride
    work.report = NULL
    if checked:
        work.report = backend.reports.take(backend)
    status = launch_with_space(launch, work, axes, ceil_div(axes.n, 4 * THREADS))
    if status and checked:
        backend.reports.free.append(<uintptr_t>work.report)
    launched(backend, function, status)
    if checked:
        backend.reports.launched(backend, work.report, device, function, named, size)
    return 0


cdef inline Tensor as_gathered_index(GpuBackend backend, Tensor array):
    """An array in an index dtype of Gather."""
    if array.code == DTYPE_int64 or array.code == DTYPE_int32:
        return array
    return gpu_astype(backend, array, DTYPES[DTYPE_int64], True)


cdef Tensor gathered(GpuBackend backend, str function, IndexPlan plan):
    """The elements at an index; None if it is known that an index is out of range."""
    cdef Tensor out, base = plan.base, index
    cdef OperandAxes axes
    cdef Py_ssize_t steps[2][MAX_NDIM]
    cdef uint64_t alignment = 0
    cdef Py_ssize_t size = 0, stride = 1
    cdef int axis, k
    cdef int count = <int>len(plan.arrays)
    cdef bint checked = count == 1 and not plan.trusted
    out = backend.empty_on(base.device, base.code, plan.ndim, plan.dims)
    if out.count == 0 or (base.count == 0 and not plan.trusted):
        return None if prepared_offsets(backend, plan, False, False) is None else out
    if count == 1:
        index = as_gathered_index(backend, plan.arrays[0])
        size, stride = base.dims[plan.axis], base.steps[plan.axis]
        alignment = <uint64_t>stride
    else:
        index = prepared_offsets(backend, plan, True, False)
        if index is None:
            return None
        index = reshape(index, shape_tuple(plan.index_ndim, plan.dims + plan.axis))
        for k in range(count):
            alignment |= <uint64_t>base.steps[plan.axis + k]
    plan_steps(plan, index, steps[0], steps[1])
    for axis in range(plan.ndim):
        axes.add_axis(plan.dims[axis], out.steps[axis], steps[0][axis], steps[1][axis])
    gather_at(
        backend, axes, out, base, index, size, stride, alignment, checked, function,
        plan.named[0] if checked else None,
    )
    return out


cdef object bad_index_error(GpuBackend backend, str function, IndexPlan plan):
    """The error for the first index that is out of range."""
    return find_bad_index(
        function, plan,
        [backend.to_numpy(as_code_in_c_order(backend, x, DTYPE_int64)) for x in plan.arrays],
    )


cdef int write_gathered(
    GpuBackend backend, IndexPlan plan, Tensor source, Operand* value
) except -1:
    """Write a value of the dtype of the base at an index."""
    cdef Tensor offsets, base = plan.base
    cdef OperandAxes axes
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef Py_ssize_t base_steps[MAX_NDIM]
    cdef Py_ssize_t offset_steps[MAX_NDIM]
    cdef Py_ssize_t count = 1
    cdef Launch launch
    cdef ScatterShape work
    cdef uint64_t alignment = <uint64_t>base.data | <uint64_t>value.data
    cdef int axis, k, unit
    cdef int arrays = <int>len(plan.arrays)
    cdef bint uniform = True     # whether one value is written at all indices
    drop_leading_ones(value, plan.ndim)
    if not broadcast_steps(value, plan.ndim, plan.dims, steps):
        raise value_shape_error(value, shape_tuple(plan.ndim, plan.dims))
    for axis in range(plan.ndim):
        count *= plan.dims[axis]
        uniform &= steps[axis] == 0 or not plan.axis <= axis < plan.axis + plan.index_ndim
    offsets = prepared_offsets(backend, plan, count != 0, not uniform)
    if offsets is None:
        raise bad_index_error(backend, "setitem", plan)
    if count == 0:
        return 0
    offsets = reshape(offsets, shape_tuple(plan.index_ndim, plan.dims + plan.axis))
    plan_steps(plan, offsets, base_steps, offset_steps)
    for axis in range(plan.ndim):
        axes.add_axis(plan.dims[axis], base_steps[axis], steps[axis], offset_steps[axis])
    for k in range(arrays):
        alignment |= <uint64_t>base.steps[plan.axis + k]
    axes.simplify()
    unit = axes.widen(dtype_itemsize[base.code], alignment)
    set_kernel(backend, &launch, base.device, KIND_scatter, unit, axes.bucket, axes.wide)
    work.base, work.offsets = base.data, offsets.data
    set_input(&work.value, value)
    status = launch_with_space(launch, work, axes, ceil_div(axes.n, THREADS))
    return launched(backend, "setitem", status)


# ---- reading and writing

cdef list positions_in_mask(object backend, Tensor mask):
    return nonzero_positions(backend, mask)


cdef object read_at(GpuBackend backend, Tensor x, object key):
    """``x[key]`` for an index with masks or integer arrays."""
    cdef IndexPlan plan
    cdef Tensor array, out
    key = key_beside("getitem", x, key)
    cdef tuple items = tuple(key) if isinstance(key, tuple) else (key,)
    if len(items) == 1:
        array = index_array("getitem", x, items[0])
        if array is not None:
            if array.code == DTYPE_bool and array.ndim and is_shape_of(x, array.ndim, array.dims):
                return read_mask(backend, x, array)
            items = (array,)
    plan = plan_index("getitem", x, items, positions_in_mask, backend)
    out = gathered(backend, "getitem", plan)
    if out is None:
        raise bad_index_error(backend, "getitem", plan)
    return out


cdef int write_at(GpuBackend backend, Tensor x, object key, object value) except -1:
    """``x[key] = value`` for such an index."""
    cdef Operand operand
    cdef Tensor array, source = None
    cdef IndexPlan plan
    cdef int axis
    cdef bint fits
    key = key_beside("setitem", x, key)
    cdef tuple items = tuple(key) if isinstance(key, tuple) else (key,)
    if is_tensor(value):
        backend.check(<Tensor>value)
        source = as_assigned(x, value)
    else:
        value = written_number(x, value)
        operand.code = scalar_code(value, x.code)
        check_assignable(x, operand.code)
        if operand.code == x.code:
            set_scalar("setitem", &operand, x.code, value)
        else:
            source = backend.full((), value, DTYPES[operand.code], x.device)
    if source is not None:
        if source.code != x.code:
            source = gpu_astype(backend, source, DTYPES[x.code], True)
        elif overlaps(x, source):
            source = gpu_astype(backend, source, DTYPES[source.code], True)
        set_tensor(&operand, source)
    if len(items) == 1:
        array = index_array("setitem", x, items[0])
        if array is not None:
            items = (array,)
            fits = array.code == DTYPE_bool and 0 < array.ndim <= x.ndim
            for axis in range(array.ndim if fits else 0):
                fits = fits and array.dims[axis] == x.dims[axis]
            if fits and write_mask(backend, x, array, source, &operand):
                return 0
    plan = plan_index("setitem", x, items, positions_in_mask, backend)
    return write_gathered(backend, plan, source, &operand)


@implements("take")
def _take(GpuBackend backend, Tensor x not None, Tensor indices not None, *, int axis=0):
    cdef IndexPlan plan = plan_arrays("take", x, axis, [indices], False, &axis)
    cdef Tensor out = gathered(backend, "take", plan)
    if out is None:
        raise bad_index_error(backend, "take", plan)
    return out


@implements("take_along_axis")
def _take_along_axis(
    GpuBackend backend, Tensor x not None, Tensor indices not None, *, int axis=-1
):
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t steps[2][MAX_NDIM]
    cdef Py_ssize_t k
    cdef OperandAxes axes
    cdef Tensor out, index = as_gathered_index(backend, indices)
    if axis < 0:
        axis += x.ndim
    plan_along_axis(x, index, axis, dims, steps[0], steps[1])
    out = backend.empty_on(x.device, x.code, x.ndim, dims)
    if out.count:
        for k in range(x.ndim):
            axes.add_axis(dims[k], out.steps[k], steps[0][k], steps[1][k])
        gather_at(
            backend, axes, out, x, index, x.dims[axis], x.steps[axis], 1, True, "take_along_axis",
            axis,
        )
    return out
