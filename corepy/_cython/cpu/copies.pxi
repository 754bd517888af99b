# Copies of elements from one tensor into another: casts, copies, assignment, shared memory.
#
# Needs core/operands, core/storage, core/tensor.


cdef Tensor cast_to(Tensor x, int code, bint keep_order=False):
    """A new tensor with the elements of `x` as another dtype, in C order or in the order of `x`."""
    cdef Tensor out
    cdef Operand operand
    cdef char* data[2]
    cdef Py_ssize_t steps[2]
    if in_host_memory(x) and x.flags & CONTIGUOUS and x.count < RELEASE_GIL:
        out = empty(code, x.ndim, x.dims)
        out.flags &= x.flags | ~VALUE  # the copy of an array is one
        if code == x.code:
            memcpy(out.data, x.data, x.count * dtype_itemsize[code])
        else:
            data[0], data[1] = out.data, x.data
            steps[0], steps[1] = dtype_itemsize[code], dtype_itemsize[x.code]
            cast_kernel(<Dtype>x.code, <Dtype>code)(x.count, data, steps)
        return out
    set_operand(&operand, x)
    if keep_order:
        out = empty_like_operands(code, x.ndim, x.dims, &operand, 1)
    else:
        out = empty(code, x.ndim, x.dims)
    if code == x.code and x.flags & out.flags & CONTIGUOUS:
        copy_run(out, x)
    else:
        run_cast(&operand, out)
    return out


cdef int copy_run(Tensor out, Tensor x) except -1:
    """Copy many elements between tensors in C order, which do not overlap."""
    cdef Py_ssize_t nbytes = x.count * dtype_itemsize[x.code]
    cdef const char* data = x.data
    call_kernel(x.count, join_rows, 1, 1, &data, &nbytes, out.data)
    return 0


cdef int run_cast(Operand* operand, Tensor out) except -1:
    """Write the elements of `operand`, which broadcasts to the shape of `out`, into it."""
    cdef int8_t source = <int8_t>operand.code
    cdef kernel loop = NULL   # a copy
    if operand.code != out.code:
        loop = cast_kernel(<Dtype>operand.code, <Dtype>out.code)
    return run(loop, 1, operand, &source, out.code, out)


cdef int assign(str function, Tensor out, Tensor x) except -1:
    """Write the elements of `x`, broadcast and cast, into `out`, which may share its memory."""
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    if x.code == out.code and same_shape(out, x):
        if x.flags & out.flags & CONTIGUOUS and out.count < RELEASE_GIL:
            memmove(out.data, x.data, out.count * dtype_itemsize[out.code])
            return 0
        if same_steps(out, x) and (x.data == out.data or (overlaps(out, x) and move(out, x))):
            return 0
    if overlaps(out, x):
        x = cast_to(x, x.code)
    elif x.code == out.code and x.flags & out.flags & CONTIGUOUS and same_shape(out, x):
        copy_run(out, x)
        return 0
    set_operand(&operands[0], x)
    drop_leading_ones(operands, out.ndim)
    set_operand(&operands[1], out)
    broadcast_into(function, operands, 2, &ndim, shape)
    if not is_shape_of(out, ndim, shape):
        raise ValueError(
            f"{function}: a value of shape {shape_tuple(x.ndim, x.dims)} cannot be broadcast to "
            f"shape {shape_tuple(out.ndim, out.dims)}"
        )
    return run_cast(operands, out)


cdef bint move(Tensor out, Tensor x) except -1:
    """Copy the elements of `x` to `out`, another part of the same memory in the same layout; false
    where an element of `out` may be in several places.
    """
    return ask_kernel(
        out.count, move_elements, dtype_itemsize[out.code], out.ndim, out.dims, out.steps, out.data,
        x.data,
    )


cdef inline bint same_steps(Tensor a, Tensor b) noexcept:
    """Whether two tensors of one shape have the same strides."""
    cdef int axis
    for axis in range(a.ndim):
        if a.steps[axis] != b.steps[axis] and a.dims[axis] != 1:
            return False
    return True


cdef bint overlaps(Tensor a, Tensor b) noexcept:
    return may_overlap(
        a.data, a.ndim, a.dims, a.steps, dtype_itemsize[a.code],
        b.data, b.ndim, b.dims, b.steps, dtype_itemsize[b.code],
    )


cdef bint has_repeated_elements(Tensor x) noexcept:
    """Whether several indices may share an element; may return true wrongly, never false."""
    cdef Py_ssize_t spans[MAX_NDIM]   # of the axes seen so far, by ascending stride
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef Py_ssize_t step, reach
    cdef int axis, k
    cdef int n = 0
    for axis in range(x.ndim):
        if x.dims[axis] <= 1:
            continue
        step = x.steps[axis] if x.steps[axis] >= 0 else -x.steps[axis]
        k = n
        while k > 0 and steps[k - 1] > step:
            steps[k], spans[k] = steps[k - 1], spans[k - 1]
            k -= 1
        steps[k], spans[k] = step, step * (x.dims[axis] - 1)
        n += 1
    reach = dtype_itemsize[x.code]
    for k in range(n):
        if steps[k] < reach:
            return True
        reach += spans[k]
    return False


cdef inline Tensor contiguous(Tensor x):
    """`x`, or a copy in C order."""
    return x if x.flags & CONTIGUOUS else cast_to(x, x.code)
