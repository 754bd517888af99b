# distutils: language = c++
"""Reading and writing where a mask is true, and the positions where one is."""

from libc.stdint cimport int8_t, uint8_t, int64_t

from corepy._cython.core cimport (
    as_tensor, assign, call_kernel, cast_to, CONTIGUOUS, contiguous, Dtype, DTYPE_bool, DTYPE_int64,
    dtype_itemsize, empty, entry, has_repeated_elements, in_host_memory, is_tensor, MAX_NDIM,
    OP_where, Operand, overlaps, run, set_operand, Tensor,
)

cdef extern from "masks.hpp" namespace "corepy" nogil:
    cdef struct MaskPlan:
        Py_ssize_t count()
    void plan_mask(Py_ssize_t, const uint8_t*, MaskPlan*)
    void read_masked(const MaskPlan&, const uint8_t*, Py_ssize_t, const char*, char*)
    void write_masked(const MaskPlan&, const uint8_t*, Py_ssize_t, const char*, char*)
    void fill_masked(Py_ssize_t, const uint8_t*, Py_ssize_t, const char*, char*)
    void find_nonzero(
        const MaskPlan&, const uint8_t*, int, const Py_ssize_t*, int64_t* const*
    )


cdef int make_plan(Tensor mask, MaskPlan* plan) except -1:
    """Count the true elements of a contiguous mask."""
    call_kernel(mask.count, plan_mask, mask.count, <const uint8_t*>mask.data, plan)
    return 0


cdef list nonzero_positions(Tensor x):
    """The positions of the elements that are not zero, one int64 tensor for each axis."""
    cdef MaskPlan plan
    cdef int64_t* addresses[MAX_NDIM]
    cdef Py_ssize_t count
    cdef Tensor mask, positions
    cdef list out = []
    cdef int axis
    mask = contiguous(x) if x.code == DTYPE_bool else cast_to(x, DTYPE_bool)
    make_plan(mask, &plan)
    count = plan.count()
    for axis in range(mask.ndim):
        positions = empty(DTYPE_int64, 1, &count)
        addresses[axis] = <int64_t*>positions.data
        out.append(positions)
    if not count:
        return out
    call_kernel(
        mask.count, find_nonzero, plan, <const uint8_t*>mask.data, mask.ndim, mask.dims, addresses
    )
    return out


cpdef tuple nonzero(object x):
    """Return the positions of nonzero elements. See `corepy.array_api.nonzero`."""
    cdef Tensor source = x if is_tensor(x) else as_tensor("nonzero", x)
    if source.ndim == 0:
        raise ValueError("nonzero: x must have at least 1 dimension, got shape ()")
    if in_host_memory(source):
        return tuple(nonzero_positions(source))
    return tuple(source.backend.execute_checked("nonzero", (source,), {}))


cdef object read_mask(Tensor x, Tensor mask):
    """``x[mask]`` for a mask of the shape of `x`."""
    cdef MaskPlan plan
    cdef Py_ssize_t count
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    cdef Tensor out
    mask = contiguous(mask)
    x = contiguous(x)
    make_plan(mask, &plan)
    count = plan.count()
    out = empty(x.code, 1, &count)
    call_kernel(
        mask.count, read_masked, plan, <const uint8_t*>mask.data, itemsize, x.data, out.data
    )
    return out


cdef int fill_mask(Tensor x, Tensor mask, Tensor value) except -1:
    """``x[mask] = value`` for one value."""
    cdef Operand operands[3]
    cdef int8_t computed[3]
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    if x.flags & CONTIGUOUS:
        mask = contiguous(mask)
        call_kernel(
            mask.count, fill_masked, mask.count, <const uint8_t*>mask.data, itemsize, value.data,
            x.data,
        )
        return 0
    set_operand(&operands[0], mask)
    set_operand(&operands[1], value)
    operands[1].ndim = 0
    set_operand(&operands[2], x)
    computed[0] = DTYPE_bool
    computed[1] = computed[2] = x.code
    return run(entry(OP_where, <Dtype>x.code).loop, 3, operands, computed, x.code, x)


cdef bint write_mask(Tensor x, Tensor mask, Tensor value) except -1:
    """``x[mask] = value`` for a mask of the shape of `x` and a value of its dtype; false if another
    function must handle it.
    """
    cdef MaskPlan plan
    cdef Tensor target
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    if value.ndim > 1 or has_repeated_elements(x):
        return False
    if overlaps(x, mask):
        mask = cast_to(mask, mask.code)
    if value.count == 1:
        if overlaps(x, value):
            value = cast_to(value, value.code)
        fill_mask(x, mask, value)
        return True
    mask = contiguous(mask)
    make_plan(mask, &plan)
    if plan.count() != value.count:
        return False
    value = cast_to(value, value.code) if overlaps(x, value) else contiguous(value)
    target = contiguous(x)
    call_kernel(
        mask.count, write_masked, plan, <const uint8_t*>mask.data, itemsize, value.data, target.data
    )
    if target is not x:
        assign("setitem", x, target)
    return True
