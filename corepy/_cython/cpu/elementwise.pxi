# Elementwise operations on the CPU: dtype and layout -> kernel -> loop over contiguous runs.
#
# Needs core/convert, core/device, core/dispatch, core/dtypes, core/filling, core/freelist,
# core/indexing, core/operands, core/storage, core/tensor, copies.


cdef Tensor components(Tensor x, bint imaginary):
    """The real or the imaginary components of complex numbers: a view, as NumPy's."""
    cdef Tensor view = view_of(x, x.ndim)
    view.code = dtype_part[x.code]
    keep_axes(x, 0, x.ndim, view, 0)
    if imaginary and x.count:
        view.data += dtype_itemsize[view.code]
    finish_part(view)
    return view


cdef int set_components(Tensor x, bint imaginary, object value) except -1:
    """Assign to the real or the imaginary components of `x`."""
    cdef str name = "imag" if imaginary else "real"
    if not is_complex(x.code):
        if imaginary:
            raise TypeError(f"imag: dtype {DTYPES[x.code]} has no imaginary components to set")
        x[...] = value
        return 0
    materialize(x)
    if not in_host_memory(x):
        raise TypeError(f"{name}: the components of a Tensor on {x.device} cannot be set; "
                        "assign complex numbers to x[...]")
    components(x, imaginary)[...] = value
    return 0


cdef Tensor cpu_unary(Operation op, Tensor x):
    cdef const Entry* found = find_entry(op, SHAPE_unary, x.code)
    cdef Operand operand
    cdef Tensor out
    if op == OP_real or op == OP_imag:
        if is_complex(x.code):
            return components(x, op == OP_imag)
        if op == OP_real:
            return view_all(x)
        out = zeroed(x.code, x.ndim, x.dims)
        out.flags &= ~WRITEABLE  # what is written there would be lost; NumPy's is read-only too
        return out
    set_operand(&operand, x)
    if x.code == found.compute and x.flags & CONTIGUOUS:
        out = empty(found.result, x.ndim, x.dims)
        run_contiguous(found.loop, 1, out, x, x, x)
        return out
    if found.compute == found.result and x.flags & CONTIGUOUS and x.count < RELEASE_GIL:
        # Cast into the memory of the result, and computed in place.
        out = cast_to(x, found.compute)
        if x.ndim == 0:
            out.flags |= VALUE
        run_contiguous(found.loop, 1, out, out, out, out)
        return out
    out = empty_like_operands(found.result, x.ndim, x.dims, &operand, 1)
    run(found.loop, 1, &operand, &found.compute, found.stored, out)
    return out


cdef int set_binary_operands(Operation op, object x1, object x2, Operand* operands) except -2:
    return set_binary_operands_on(CPU, op, x1, x2, operands)


cdef Tensor compared_out_of_range(Operation op, object x1, object x2):
    """Compare a tensor with a Python integer that its dtype cannot hold: one answer for all."""
    cdef Tensor x = <Tensor>x1 if is_tensor(x1) else <Tensor>x2
    cdef Tensor out = empty(DTYPE_bool, x.ndim, x.dims)
    cdef bint above = (x2 if is_tensor(x1) else x1) > 0   # the scalar, beyond the dtype
    cdef bint x_is_less = above == (is_tensor(x1))        # whether "first < second" holds
    cdef Tensor answer = new_tensor()
    if op == OP_equal:
        answer.small[0] = False
    elif op == OP_not_equal:
        answer.small[0] = True
    elif op == OP_less or op == OP_less_equal:
        answer.small[0] = x_is_less
    else:
        answer.small[0] = not x_is_less
    answer.code = DTYPE_bool
    assign(NAMES[<int>op], out, answer)
    return out


cdef bint has_negative(object x) except -1:
    """Whether an integer, or an element of a tensor of integers, is negative."""
    if not is_tensor(x):
        return x < 0
    return dtype_kind[(<Tensor>x).code] == KIND_signed and int(reduce(OP_min, x)) < 0


@cython.nonecheck(False)
cdef inline Tensor with_scalar(const Entry* found, Tensor x, char* scalar, bint first):
    """An operation of `x`, which is the `first` operand or the second, and one element, by a loop
    that takes their dtype; None where the loop cannot take all elements of `x` at once.
    """
    cdef char* data[3]
    cdef Py_ssize_t steps[3]
    cdef Py_ssize_t step = straight_step(x)
    cdef int own = 1 if first else 2
    cdef Tensor out
    if not step:
        return None
    out = empty(found.result, x.ndim, x.dims)
    data[0] = out.data
    steps[0] = dtype_itemsize[out.code]
    data[own] = x.data
    steps[own] = step
    data[3 - own] = scalar
    steps[3 - own] = 0
    run_straight(found.loop, 3, out.count, data, steps)
    return out


cdef Tensor cpu_binary(Operation op, object x1, object x2):
    cdef const Entry* found
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef Operand operands[2]
    cdef int8_t computed[2]
    cdef double scalar
    cdef Tensor a, b, out
    cdef int code
    cdef bint first
    cdef kernel loop
    if is_tensor(x1) and is_tensor(x2) and is_operation(op, SHAPE_binary):
        a = <Tensor>x1
        b = <Tensor>x2
        if a.code == b.code and in_host_memory(a) and in_host_memory(b):
            found = &entry(op, <Dtype>a.code)
            if found.compute == a.code and found.loop != NULL \
                    and (op != OP_pow or is_inexact(a.code)):
                if a.flags & b.flags & CONTIGUOUS and same_shape(a, b):
                    out = empty(found.result, a.ndim, a.dims)
                    run_contiguous(found.loop, 2, out, a, b, b)
                    return out
                if a.ndim == 0 or b.ndim == 0:
                    first = b.ndim == 0
                    out = with_scalar(
                        found, a if first else b, b.data if first else a.data, first
                    )
                    if out is not None:
                        return out
    elif is_operation(op, SHAPE_binary) and op != OP_pow \
            and (is_tensor(x1) or is_tensor(x2)):
        first = is_tensor(x1)
        a = <Tensor>x1 if first else <Tensor>x2
        found = &entry(op, <Dtype>a.code)
        if found.compute == a.code and found.loop != NULL and in_host_memory(a) \
                and store_plain_scalar(<char*>&scalar, a.code, x2 if first else x1):
            out = with_scalar(found, a, <char*>&scalar, first)
            if out is not None:
                return out
    code = set_binary_operands(op, x1, x2, operands)
    if code == -1:
        return compared_out_of_range(op, x1, x2)
    if op == OP_pow and is_tensor(x1) and not is_tensor(x2):
        out = power_by_number(<Tensor>x1, x2, code, None)
        if out is not None:
            return out
    check_operation(op, SHAPE_binary)
    found = infer_elementwise(op, operands, 2, &ndim, shape)
    loop = loop_of_two(op, found, operands, computed)
    out = empty_like_operands(found.result, ndim, shape, operands, 2)
    if op == OP_pow and dtype_kind[code] == KIND_signed and out.count and has_negative(x2):
        raise negative_power_error()
    run(loop, 2, operands, computed, found.stored, out)
    return out


cdef Tensor power_by_number(Tensor x, object exponent, int code, Tensor out):
    """``x ** exponent``, which promote to dtype `code`, in `out` (None: a new tensor), where there
    is a shorter way than pow's; otherwise None.
    """
    cdef const Entry* found = find_entry(OP_pow, SHAPE_binary, code)
    cdef Operand operand
    cdef kernel loop
    if (PyLong_CheckExact(exponent) or PyFloat_Check(exponent)) and exponent == 0:
        if out is None:
            return filled(found.result, x.ndim, x.dims, 1)
        assign("pow", out, scalar_tensor(1, out.code))
        return out
    loop = power_loop(exponent, found.compute)
    if loop == NULL:
        return None
    set_operand(&operand, x)
    if out is None:
        out = empty_like_operands(found.result, x.ndim, x.dims, &operand, 1)
    if x.code == out.code == found.compute and x.flags & out.flags & CONTIGUOUS:
        run_contiguous(loop, 1, out, x, x, x)
    else:
        run(loop, 1, &operand, &found.compute, found.stored, out)
    return out


@cython.nonecheck(False)
cdef inline bint run_in_place(Operation op, Tensor x, object other) except -1:
    """``x = op(x, other)`` for tensors of one dtype and shape, both in C order, where the result
    has that dtype, too, and elements of `other` are those of `x` or apart from them, or where
    `other` is a number; false for anything else.
    """
    cdef const Entry* found = &entry(op, <Dtype>x.code)
    cdef char* data[3]
    cdef Py_ssize_t steps[3]
    cdef Py_ssize_t nbytes = x.count * dtype_itemsize[x.code]
    cdef double scalar
    if found.loop == NULL or found.compute != x.code or found.result != x.code \
            or (op == OP_pow and (not is_inexact(x.code) or not is_tensor(other))):
        return False
    steps[0] = steps[1] = straight_step(x)
    if is_tensor(other):
        if not x.flags & CONTIGUOUS or not in_host_memory(<Tensor>other) \
                or not straight_operand(other, x, NULL, &data[2], &steps[2]):
            return False
        if x.data != data[2] and x.data < data[2] + nbytes and data[2] < x.data + nbytes:
            return False
    else:
        # Overlapping elements are read before they are written.
        if -dtype_itemsize[x.code] < steps[0] < dtype_itemsize[x.code] \
                or not store_plain_scalar(<char*>&scalar, x.code, other):
            return False
        data[2] = <char*>&scalar
        steps[2] = 0
    data[0] = data[1] = x.data
    run_straight(found.loop, 3, x.count, data, steps)
    return True


cdef bint is_apart(object x, Tensor out) except -1:
    """Whether `out` may be written while an operand is read: a number, or a tensor in other memory,
    or one whose elements are those of `out`, one by one.
    """
    cdef Tensor other
    if not is_tensor(x):
        return is_scalar(x)
    other = <Tensor>x
    if not in_host_memory(other):
        return False
    return not overlaps(other, out) or (
        other.data == out.data and other.code == out.code and other.flags & CONTIGUOUS
        and same_shape(other, out)
    )


cdef inline bint is_plain_output(Tensor out) noexcept:
    """Whether loops may write to a tensor that a program gave for results, in C order."""
    return in_host_memory(out) and (out.flags & (CONTIGUOUS | WRITEABLE)) \
        == (CONTIGUOUS | WRITEABLE)


cdef bint compute_out(Operation op, Tensor out, object x1, object x2) except -1:
    """Compute ``op(x1, x2)``, or ``op(x1)`` for None, in the memory of `out`; false, and nothing is
    written, where the result would not be a tensor like it, or the order of writes would matter.
    """
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef int8_t computed[2]
    cdef const Entry* found
    cdef int code
    cdef kernel loop
    if not is_plain_output(out) or not is_apart(x1, out):
        return False
    if provided.check_errors and may_defer_any(x1, x2):
        return False
    if x2 is None:
        if not is_operation(op, SHAPE_unary) or not is_tensor(x1) \
                or not same_shape(<Tensor>x1, out):
            return False
        found = &entry(op, <Dtype>(<Tensor>x1).code)
        if found.loop == NULL or found.result != out.code:
            return False
        set_operand(operands, <Tensor>x1)
        before_write(out)
        run(found.loop, 1, operands, &found.compute, found.stored, out)
        return True
    if not is_operation(op, SHAPE_binary) or not is_apart(x2, out) \
            or (not is_tensor(x1) and not is_tensor(x2)):
        return False
    code = set_binary_operands(op, x1, x2, operands)
    if code == -1 or (op == OP_pow and (not is_inexact(code) or not is_tensor(x2))):
        return False
    found = infer_elementwise(op, operands, 2, &ndim, shape)
    if found.result != out.code or not is_shape_of(out, ndim, shape):
        return False
    loop = loop_of_two(op, found, operands, computed)
    before_write(out)
    run(loop, 2, operands, computed, found.stored, out)
    return True


cdef Tensor cpu_inplace(Operation op, Tensor x, object other):
    cdef Operand operands[2]
    cdef int8_t computed[2]
    cdef const Entry* found
    cdef int code
    if not x.flags & WRITEABLE:
        check_operation(op, SHAPE_binary)
        raise read_only_error(NAMES[<int>op])
    before_write(x)
    if is_operation(op, SHAPE_binary) and run_in_place(op, x, other):
        return x
    found = plan_inplace(CPU, op, x, other, operands)
    if found == NULL:
        assign(NAMES[<int>op], x, compared_out_of_range(op, x, other))
        return x
    code = PROMOTED[operands[0].code][operands[1].code]
    if op == OP_pow and not is_tensor(other) and not has_repeated_elements(x) \
            and power_by_number(x, other, code, x) is not None:
        return x
    if (op == OP_pow and not is_inexact(code)) or is_comparison(op):
        assign(NAMES[<int>op], x, cpu_binary(op, x, other))
        return x
    if is_tensor(other) and other is not x and overlaps(x, <Tensor>other):
        other = cast_to(other, (<Tensor>other).code)
        set_operand(&operands[1], <Tensor>other)
    if has_repeated_elements(x):
        # An output that holds one element in several places (a broadcast made writeable by its
        # maker) would be read after it was written: compute beside it.
        assign(NAMES[<int>op], x, cpu_binary(op, x, other))
        return x
    computed[0] = computed[1] = found.compute
    run(found.loop, 2, operands, computed, found.stored, x)
    return x


cdef Tensor cpu_where(Tensor condition, object x1, object x2):
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t steps[4]
    cdef Py_ssize_t ndim
    cdef int8_t computed[3]
    cdef char* data[4]
    cdef double scalars[2]
    cdef const Entry* found
    cdef Tensor like, out
    if condition.code == DTYPE_bool and condition.flags & CONTIGUOUS and (
        is_tensor(x1) or is_tensor(x2)
    ):
        like = <Tensor>x1 if is_tensor(x1) else <Tensor>x2
        if like.flags & CONTIGUOUS and same_shape(condition, like) \
                and is_host_operand(x1) and is_host_operand(x2) \
                and straight_operand(x1, like, <char*>&scalars[0], &data[2], &steps[2]) \
                and straight_operand(x2, like, <char*>&scalars[1], &data[3], &steps[3]):
            found = &entry(OP_where, <Dtype>like.code)
            out = empty(like.code, like.ndim, like.dims)
            data[0], data[1] = out.data, condition.data
            steps[0], steps[1] = dtype_itemsize[like.code], 1
            run_straight(found.loop, 4, out.count, data, steps)
            return out
    set_operand(&operands[0], condition)
    set_binary_operands(OP_where, x1, x2, &operands[1])
    found = infer_elementwise(OP_where, operands, 3, &ndim, shape)
    out = empty_like_operands(found.result, ndim, shape, operands, 3)
    computed[0] = DTYPE_bool
    computed[1] = computed[2] = found.compute
    run(found.loop, 3, operands, computed, found.stored, out)
    return out


cdef Tensor cpu_clip(Tensor x, object low, object high):
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef int8_t computed[3]
    cdef const Entry* found = &entry(OP_clip, <Dtype>x.code)
    cdef int op = plan_clip(CPU, x, low, high, operands, &ndim, shape)
    cdef Tensor out
    if op == OP_positive:
        out = cast_to(x, x.code)
        out.flags |= VALUE if out.ndim == 0 else 0
        return out
    if op == OP_COUNT:
        return clip(x, low, high)
    if op != OP_clip:
        return cpu_binary(<Operation>op, x, high if low is None else low)
    out = empty_like_operands(found.result, ndim, shape, operands, 3)
    computed[0] = computed[1] = computed[2] = found.compute
    run(found.loop, 3, operands, computed, found.stored, out)
    return out


def clip_into(Tensor out not None, Tensor x not None, object low, object high):
    """Limit the elements of `x` in the memory of `out`; return whether that was done.

    Not where the result would not be a tensor like `out`, or the order of writes would matter.
    """
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef int8_t computed[3]
    cdef const Entry* found = &entry(OP_clip, <Dtype>x.code)
    cdef int op
    if not is_plain_output(out) or x.code != out.code or not same_shape(x, out) \
            or not is_apart(x, out) or provided.check_errors and may_defer_any(x, None):
        return False
    for limit in (low, high):
        if limit is not None and not is_apart(limit, out):
            return False
    op = plan_clip(CPU, x, low, high, operands, &ndim, shape)
    if op == OP_COUNT or op == OP_positive:
        return False
    if op != OP_clip:
        return compute_out(<Operation>op, out, x, high if low is None else low)
    if not is_shape_of(out, ndim, shape):
        return False
    before_write(out)
    computed[0] = computed[1] = computed[2] = found.compute
    run(found.loop, 3, operands, computed, found.stored, out)
    return True


def write_where(Tensor out not None, Tensor condition not None, object values):
    """Write values to the elements of `out` where a condition is true; return whether that was
    done: not where one of them is not in C order, or would have to be broadcast or converted.
    """
    cdef Py_ssize_t steps[4]
    cdef char* data[4]
    cdef double scalar[2]
    if not is_plain_output(out) or not in_host_memory(condition) or condition.code != DTYPE_bool \
            or not condition.flags & CONTIGUOUS or not same_shape(condition, out) \
            or not is_apart(condition, out) or not is_apart(values, out) \
            or not straight_operand(values, out, <char*>scalar, &data[2], &steps[2]):
        return False
    before_write(out)
    data[0] = data[3] = out.data
    data[1] = condition.data
    steps[0] = steps[3] = dtype_itemsize[out.code]
    steps[1] = 1
    run_straight(entry(OP_where, <Dtype>out.code).loop, 4, out.count, data, steps)
    return True


cdef int check_kernels() except -1:
    """Every elementwise operation must have a loop for each dtype that it takes."""
    cdef int op, code
    cdef const Entry* found
    for op in range(OP_COUNT):
        if operations[op].shape == SHAPE_unary or operations[op].shape == SHAPE_binary:
            for code in range(DTYPE_COUNT):
                found = &entry(<Operation>op, <Dtype>code)
                if found.compute >= 0 and found.loop == NULL:
                    raise ImportError(
                        f"operation {operations[op].name.decode()} has no kernel for dtype "
                        f"{dtype_names[code].decode()}"
                    )
    return 0


check_kernels()
