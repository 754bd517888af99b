# Reductions on the CPU.
#
# Needs core/arguments, core/checks, core/dtypes, core/operands, core/storage, core/tensor,
# copies.


cdef int mark_axes(
    str function, const Axes* axes, Py_ssize_t ndim, cppbool* marked
) except -1:
    """Mark axes, which `read_axes` has read."""
    cdef Py_ssize_t k, index
    for k in range(ndim):
        marked[k] = axes.all
    for k in range(axes.count):
        index = normalize_axis(function, axes.numbers[k], ndim)
        if marked[index]:
            raise ValueError(
                f"{function}: axis {axes.numbers[k]} is given twice in "
                f"{shape_tuple(axes.count, axes.numbers)}"
            )
        marked[index] = True
    return 0


cdef int check_choice(Operation op, const Axes* axes, Tensor x, const cppbool* marked) except -1:
    """Refuse a choice among no elements, and positions along several axes."""
    cdef bint is_position = op == OP_argmax or op == OP_argmin
    cdef bint nothing = False
    cdef bint no_result = False
    cdef int k
    if is_position and not (axes.all or axes.single):
        raise TypeError(
            f"{NAMES[<int>op]}: axis must be an int or None, got {plain_axes(axes)}"
        )
    if is_position or op == OP_max or op == OP_min:
        for k in range(x.ndim):
            nothing |= marked[k] and x.dims[k] == 0
            no_result |= not marked[k] and x.dims[k] == 0
        if nothing and (is_position or not no_result):
            raise ValueError(
                f"{NAMES[<int>op]}: no elements to choose from in shape "
                f"{shape_tuple(x.ndim, x.dims)}"
            )
    return 0


cdef Py_ssize_t reduced_shape(
    Py_ssize_t ndim, const Py_ssize_t* dims, const cppbool* marked, bint keepdims,
    Py_ssize_t* shape,
) noexcept:
    """Write the shape after a reduction of the marked axes; return its ndim."""
    cdef Py_ssize_t kept = 0
    cdef Py_ssize_t axis
    for axis in range(ndim):
        if not marked[axis] or keepdims:
            shape[kept] = 1 if marked[axis] else dims[axis]
            kept += 1
    return kept


cdef const Entry* infer_reduction(
    Operation op, int code, Py_ssize_t ndim, const Py_ssize_t* dims, const cppbool* marked,
    bint keepdims, Py_ssize_t* result_ndim, Py_ssize_t* shape,
) except NULL:
    """Return the kernel table's entry for a reduction of the marked axes of an operand of dtype
    `code`, which has the dtype of the result unless one is asked for, and write its shape.
    """
    cdef const Entry* found = find_entry(op, SHAPE_reduce, code)
    result_ndim[0] = reduced_shape(ndim, dims, marked, keepdims, shape)
    return found


cdef bint reduces_as_is(int op, int half) noexcept:
    """Whether a reduction of a half needs no cast to float32 before."""
    return reduces_halves(<Operation>op, <Dtype>half)


cdef Tensor cpu_reduce(
    Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
):
    cdef const Entry* found = find_entry(op, SHAPE_reduce, x.code)
    cdef Axes axes
    cdef cppbool marked[MAX_NDIM]
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Tensor out
    cdef int k, kept, result
    cdef str name = NAMES[<int>op]
    cdef int wanted = -1 if dtype is None else dtype_code(name, dtype)
    if wanted >= 0 and x.code != wanted:
        # Cast first, so that the sum is accumulated in the requested dtype.
        x = cast_to(x, wanted, True)
        found = find_entry(op, SHAPE_reduce, x.code)
    result = found.result if wanted < 0 else wanted
    if is_half(x.code):  # accumulated in float32, and rounded once
        found = find_entry(op, SHAPE_reduce, DTYPE_float32)
        if not reduces_halves(op, <Dtype>x.code) and (
            not x.flags & CONTIGUOUS or x.count <= REDUCE_FEW
        ):
            x = cast_to(x, DTYPE_float32, True)
    if axis is None and not keepdims and x.flags & CONTIGUOUS and 0 < x.count <= REDUCE_FEW:
        out = empty(found.result, 0, NULL)
        reduce_few(op, <Dtype>x.code, x.count, x.data, out.data, correction)
        return out if result == out.code else cast_to(out, result)
    read_axes(name, axis, &axes)
    mark_axes(name, &axes, x.ndim, marked)
    check_choice(op, &axes, x, marked)
    out = empty(
        found.result, reduced_shape(x.ndim, x.dims, marked, keepdims, shape), shape
    )
    # The strides of the result along the axes of `x`.
    kept = 0
    for k in range(x.ndim):
        if marked[k]:
            steps[k] = 0
            kept += keepdims
        else:
            steps[k] = out.steps[kept]
            kept += 1
    if is_half(x.code) and not reduces_halves(op, <Dtype>x.code) and not can_be_widened(
        op, <Dtype>x.code, x.ndim, x.dims, x.data, x.steps, marked, steps
    ):
        x = cast_to(x, DTYPE_float32, True)
    if not ask_kernel(
        x.count, reduce_axes, op, <Dtype>x.code, <Dtype>found.result, x.ndim, x.dims, x.data,
        x.steps, marked, out.data, steps, correction,
    ):
        raise MemoryError(f"{name}: no memory for the accumulators of threads")
    return out if result == out.code else cast_to(out, result)
