# Reading and writing where a mask is true, and the positions of true elements.
#
# Needs elementwise, implementations, kernels, operands.

cdef extern from "movement.hpp" namespace "corepy" nogil:
    cdef struct MaskArguments:
        long long n, chunk, chunks
        const char* mask
        long long* counts
    void split_mask(MaskArguments&)
    cdef struct PackShape:
        MaskArguments mask
        long long count
        char* data
        char* packed
    cdef struct FillShape:
        char* data
        const char* mask
        Input value


@cython.final
cdef class MaskPlan:
    """A contiguous mask and the number of true elements in each of its chunks."""

    cdef Tensor mask, counts
    cdef MaskArguments arguments
    cdef Py_ssize_t count


cdef MaskPlan plan_mask(GpuBackend backend, Tensor mask):
    """Count the true elements of a mask."""
    cdef MaskPlan plan = MaskPlan.__new__(MaskPlan)
    cdef Py_ssize_t chunks
    cdef Launch launch
    plan.mask = mask = in_c_order(backend, mask)
    plan.count = 0
    if mask.count == 0:
        return plan
    plan.arguments.n = mask.count
    plan.arguments.mask = mask.data
    split_mask(plan.arguments)
    chunks = plan.arguments.chunks
    plan.counts = backend.empty_on(mask.device, DTYPE_int64, 1, &chunks)
    plan.arguments.counts = <long long*>plan.counts.data
    set_kernel(backend, &launch, mask.device, KIND_count_mask)
    launched(backend, "getitem", launch.call(&plan.arguments, chunks))
    plan.count = backend.to_numpy(plan.counts).sum()
    return plan


cdef int move_masked(
    GpuBackend backend, Kind kind, MaskPlan plan, Tensor x, char* packed
) except -1:
    """Copy masked elements between `x` and a contiguous array."""
    cdef OperandAxes axes
    cdef Launch launch
    cdef PackShape work
    cdef int axis
    for axis in range(x.ndim):
        if kind == KIND_find_positions:
            axes.append_axis(x.dims[axis])
        else:
            axes.add_axis(x.dims[axis], x.steps[axis])
    if kind == KIND_find_positions:
        axes.measure()
    else:
        axes.simplify()
    set_kernel(
        backend, &launch, x.device, kind, dtype_itemsize[x.code], axes.bucket, axes.wide
    )
    work.mask, work.count, work.data, work.packed = plan.arguments, plan.count, x.data, packed
    status = launch_with_space(launch, work, axes, plan.arguments.chunks)
    return launched(backend, "getitem", status)


cdef Tensor read_mask(GpuBackend backend, Tensor x, Tensor mask):
    """``x[mask]`` for a mask of the shape of `x`."""
    cdef MaskPlan plan = plan_mask(backend, mask)
    cdef Tensor out = backend.empty_on(x.device, x.code, 1, &plan.count)
    if plan.count:
        move_masked(backend, KIND_read_mask, plan, x, out.data)
    return out


cdef list nonzero_positions(GpuBackend backend, Tensor x):
    """The indices of the nonzero elements, one int64 tensor for each axis."""
    cdef MaskPlan plan
    cdef Py_ssize_t shape[2]
    cdef Tensor positions
    if x.code != DTYPE_bool:
        x = gpu_astype(backend, x, DTYPES[DTYPE_bool], True)
    plan = plan_mask(backend, x)
    shape[0], shape[1] = x.ndim, plan.count
    positions = backend.empty_on(x.device, DTYPE_int64, 2, shape)
    if plan.count:
        move_masked(backend, KIND_find_positions, plan, plan.mask, positions.data)
    return [backend.getitem(positions, axis) for axis in range(x.ndim)]


@implements("nonzero")
def _nonzero(GpuBackend backend, Tensor x not None):
    return tuple(nonzero_positions(backend, x))


cdef bint write_mask(
    GpuBackend backend, Tensor x, Tensor mask, Tensor source, Operand* value
) except -1:
    """``x[mask] = value`` for a mask over the first axes of `x` and a value of its dtype; false
    for values that vary along the axes of the mask where `x` has further axes.
    """
    cdef MaskPlan plan
    cdef int inner = x.ndim - mask.ndim
    cdef Py_ssize_t count = 1
    cdef int axis
    drop_leading_ones(value, inner)
    if overlaps(x, mask):
        mask = gpu_astype(backend, mask, DTYPES[mask.code], True)
    if value.ndim <= inner:
        fill_where(backend, x, mask, value)
        return True
    if inner or value.ndim > 1:
        return False
    plan = plan_mask(backend, mask)
    if value.dims[0] != plan.count:
        raise ValueError(
            f"setitem: {value.dims[0]} values cannot be written where a mask has {plan.count} "
            "true elements"
        )
    if plan.count:
        source = in_c_order(backend, source)
        move_masked(backend, KIND_write_mask, plan, x, source.data)
    return True


cdef int fill_where(GpuBackend backend, Tensor x, Tensor mask, Operand* value) except -1:
    """Write a value that broadcasts to the axes of `x` after those of the mask."""
    cdef OperandAxes axes
    cdef Launch launch
    cdef FillShape work
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef int axis
    if not broadcast_steps(value, x.ndim, x.dims, steps):
        raise value_shape_error(value, (-1, *x.shape[mask.ndim:]))
    for axis in range(x.ndim):
        axes.add_axis(
            x.dims[axis], x.steps[axis], mask.steps[axis] if axis < mask.ndim else 0, steps[axis]
        )
    if x.count == 0:
        return 0
    axes.sort(0)
    axes.simplify()
    set_kernel(
        backend, &launch, x.device, KIND_fill_mask, dtype_itemsize[x.code], axes.bucket, axes.wide
    )
    work.data, work.mask = x.data, mask.data
    set_input(&work.value, value)
    status = launch_with_space(launch, work, axes, ceil_div(axes.n, 4 * THREADS))
    return launched(backend, "setitem", status)


cdef object value_shape_error(Operand* value, tuple shape):
    given = shape_tuple(value.ndim, value.dims)
    wanted = str(shape).replace("-1", "true elements")
    return ValueError(f"setitem: a value of shape {given} cannot be broadcast to shape {wanted}")
