# Elementwise operations on the CPU: dtype and layout -> kernel -> loop over contiguous runs.


cdef Tensor components(Tensor x, bint imaginary):
    """The real or the imaginary components of complex numbers: a view, as NumPy's."""
    cdef Tensor view = view_of(x, x.rank)
    cdef int axis
    view.code = DTYPE_float32 if x.code == DTYPE_complex64 else DTYPE_float64
    for axis in range(x.rank):
        view.dims[axis] = x.dims[axis]
        view.steps[axis] = x.steps[axis]
    if imaginary and x.count:
        view.data += dtype_itemsize[view.code]
    finish_part(view)
    return view


cdef Tensor cpu_unary(Backend backend, Operation op, Tensor x):
    cdef const Entry* found = find_entry(op, SHAPE_unary, x.code)
    cdef Operand operand
    cdef Tensor out
    if (op == OP_real or op == OP_imag) and is_complex(x.code):
        return components(x, op == OP_imag)
    set_operand(&operand, x)
    if found.loop == NULL:
        if x.code != found.compute:
            x = cast_to(x, found.compute)
        out = backend.execute(NAMES[<int>op], (x,), {})
        return out if out.code == found.result else cast_to(out, found.result)
    if x.code == found.compute and x.flags & CONTIGUOUS:
        out = empty(found.result, x.rank, x.dims)
        run_contiguous(found.loop, 1, out, x, x, x)
        return out
    if found.compute == found.result and x.flags & CONTIGUOUS and x.count < RELEASE_GIL:
        # Cast to where the result goes, and computed there.
        out = cast_to(x, found.compute)
        run_contiguous(found.loop, 1, out, out, out, out)
        return out
    out = empty_like_operands(found.result, x.rank, x.dims, &operand, 1)
    run(found.loop, 1, &operand, &found.compute, found.result, out)
    return out


cdef inline bint is_comparison(Operation op) noexcept:
    return op in (OP_equal, OP_not_equal, OP_less, OP_less_equal, OP_greater, OP_greater_equal)


cdef inline int scalar_code_in(Operation op, object value, int other) noexcept:
    """`scalar_code`, but an integer that is made floating anyway need not fit the other's dtype."""
    cdef int code = scalar_code(value, other)
    if is_integer(code) and op != OP_where and entry(op, <Dtype>code).compute == DTYPE_float64:
        return DTYPE_float64
    return code


cdef int set_binary_operands(Operation op, object x1, object x2, Operand* operands) except -2:
    return set_binary_operands_on(CPU, op, x1, x2, operands)


cdef int set_binary_operands_on(
    Device device, Operation op, object x1, object x2, Operand* operands
) except -2:
    """Fill in both operands and return the dtype code that they promote to.

    -1 means that a Python integer lies outside the dtype of the array that it is compared with.
    """
    cdef int code
    cdef bint first = type(x1) is Tensor
    if first and type(x2) is Tensor:
        set_operand_on(device, &operands[0], <Tensor>x1)
        set_operand_on(device, &operands[1], <Tensor>x2)
        return PROMOTED[operands[0].code][operands[1].code]
    if not first and type(x2) is not Tensor:
        raise TypeError("expected at least one Tensor")
    cdef Operand* scalar = &operands[1] if first else &operands[0]
    set_operand_on(
        device, &operands[0] if first else &operands[1], <Tensor>x1 if first else <Tensor>x2
    )
    value = x2 if first else x1
    code = scalar_code_in(op, value, (<Tensor>x1 if first else <Tensor>x2).code)
    scalar.data = scalar.scalar
    scalar.rank = 0
    scalar.dims = scalar.steps = NULL
    scalar.code = code
    try:
        store_scalar(scalar.data, code, value)
    except OverflowError:
        if is_comparison(op) and code < DTYPE_float32:
            return -1
        raise
    return PROMOTED[operands[0].code][operands[1].code]


cdef Tensor compared_out_of_range(Operation op, object x1, object x2):
    """Compare a tensor with a Python integer that its dtype cannot hold: one answer for all."""
    cdef Tensor x = <Tensor>x1 if type(x1) is Tensor else <Tensor>x2
    cdef Tensor out = empty(DTYPE_bool, x.rank, x.dims)
    cdef bint above = (x2 if type(x1) is Tensor else x1) > 0   # the scalar, beyond the dtype
    cdef bint x_is_less = above == (type(x1) is Tensor)        # whether "first < second" holds
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


cdef bint has_negative(Tensor x) except -1:
    """Whether an element of a tensor of integers is negative."""
    if not is_integer(x.code) or is_unsigned(x.code) or 0 in x.shape:
        return False
    return int(reduce(OP_min, x)) < 0


cdef Tensor cpu_binary(Backend backend, Operation op, object x1, object x2):
    cdef const Entry* found
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t steps[3]
    cdef Py_ssize_t rank
    cdef Operand operands[2]
    cdef int8_t computed[2]
    cdef char* data[3]
    cdef double scalar
    cdef Tensor a, b, out
    cdef int code
    if type(x1) is Tensor and type(x2) is Tensor and is_operation(op, SHAPE_binary):
        a = <Tensor>x1
        b = <Tensor>x2
        if a.code == b.code and a.flags & b.flags & CONTIGUOUS and same_shape(a, b) \
                and a.device_ is b.device_ is CPU:
            found = &entry(op, <Dtype>a.code)
            if found.compute == a.code and found.loop != NULL \
                    and (op != OP_pow or a.code >= DTYPE_float32):
                out = empty(found.result, a.rank, a.dims)
                run_contiguous(found.loop, 2, out, a, b, b)
                return out
    elif type(x1) is Tensor and PyFloat_Check(x2) and is_operation(op, SHAPE_binary):
        a = <Tensor>x1
        found = &entry(op, <Dtype>a.code)
        if a.flags & CONTIGUOUS and a.count < RELEASE_GIL and found.compute == a.code \
                and a.device_ is CPU \
                and found.loop != NULL \
                and straight_operand(x2, a, <char*>&scalar, &data[2], &steps[2]):
            out = empty(found.result, a.rank, a.dims)
            data[0], data[1] = out.data, a.data
            steps[0], steps[1] = dtype_itemsize[out.code], dtype_itemsize[a.code]
            found.loop(out.count, data, steps)
            return out
    code = set_binary_operands(op, x1, x2, operands)
    if code == -1:
        return compared_out_of_range(op, x1, x2)
    whole = False  # whether a power is one of an integer that is known not to be negative
    if op == OP_pow and type(x1) is Tensor and PyLong_Check(x2):
        if x2 == 2 and code == (<Tensor>x1).code and code != DTYPE_bool:
            return cpu_unary(backend, OP_square, <Tensor>x1)
        whole = is_integer(code) and x2 >= 0
    elif op == OP_pow and type(x2) is Tensor and is_integer(code) and not is_unsigned(code):
        whole = not has_negative(<Tensor>x2)
    found = find_entry(op, SHAPE_binary, code)
    if is_floating(code) and is_comparison(op) and is_integer(operands[0].code) \
            and is_integer(operands[1].code):
        # int64 and uint64 meet in float64, which cannot tell large ones apart; NumPy's loops do.
        return backend.execute(NAMES[<int>op], (x1, x2), {})
    if found.loop == NULL or (op == OP_pow and not is_unsigned(code) and code < DTYPE_float32
                              and not whole):
        # Integers to a negative power are NumPy's error to raise.
        return backend_binary(backend, op, found, x1, x2, operands)
    broadcast_into(NAMES[<int>op], operands, 2, &rank, shape)
    out = empty_like_operands(found.result, rank, shape, operands, 2)
    computed[0] = computed[1] = found.compute
    run(found.loop, 2, operands, computed, found.result, out)
    return out


cdef Tensor operand_tensor(object x, Operand* operand, int code):
    """An operand as a tensor of dtype `code`."""
    cdef Tensor scalar
    if type(x) is Tensor:
        return x if (<Tensor>x).code == code else cast_to(x, code)
    scalar = new_tensor()
    scalar.code = <int8_t>operand.code
    scalar.flags = CONTIGUOUS | READY
    memcpy(scalar.small, operand.data, 16)
    return scalar if operand.code == code else cast_to(scalar, code)


cdef Tensor backend_binary(
    Backend backend, Operation op, const Entry* found, object x1, object x2, Operand* operands
):
    """A binary operation without a kernel: promoted here, computed by `execute`."""
    cdef Tensor out
    x1 = operand_tensor(x1, &operands[0], found.compute)
    x2 = operand_tensor(x2, &operands[1], found.compute)
    out = backend.execute(NAMES[<int>op], (x1, x2), {})
    return out if out.code == found.result else cast_to(out, found.result)


cdef int check_inplace(Operation op, Tensor x, int result) except -1:
    """Refuse a result that writing into `x` would change in kind."""
    if kind_rank(result) > kind_rank(x.code):
        raise TypeError(
            f"{NAMES[<int>op]}: in-place result of dtype {DTYPES[result]} cannot be written into "
            f"a tensor of dtype {DTYPES[x.code]}; compute out of place, or cast first"
        )
    return 0


cdef object inplace_shape_error(Operation op, Tensor x, tuple shape):
    return ValueError(
        f"{NAMES[<int>op]}: in-place result of shape {shape} cannot be written into "
        f"a tensor of shape {shape_tuple(x.rank, x.dims)}"
    )


@cython.nonecheck(False)
cdef inline bint run_in_place(Operation op, Tensor x, Tensor other) except -1:
    """``x = op(x, other)`` for tensors of one dtype and shape, both in C order, where the result
    has that dtype, too, and elements of `other` are those of `x` or apart from them; else false.
    """
    cdef const Entry* found
    cdef Py_ssize_t nbytes
    if x.code != other.code or not x.flags & other.flags & CONTIGUOUS or other.device_ is not CPU \
            or not same_shape(x, other):
        return False
    found = &entry(op, <Dtype>x.code)
    if found.loop == NULL or found.compute != x.code or found.result != x.code \
            or (op == OP_pow and x.code < DTYPE_float32):
        return False
    nbytes = x.count * dtype_itemsize[x.code]
    if x.data != other.data and x.data < other.data + nbytes and other.data < x.data + nbytes:
        return False
    run_contiguous(found.loop, 2, x, x, other, other)
    return True


cdef Tensor cpu_inplace(Backend backend, Operation op, Tensor x, object other):
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    cdef int8_t computed[2]
    cdef const Entry* found
    cdef int code
    if not x.flags & WRITEABLE:
        raise read_only_error(NAMES[<int>op])
    if type(other) is Tensor and is_operation(op, SHAPE_binary) \
            and run_in_place(op, x, <Tensor>other):
        return x
    code = set_binary_operands(op, x, other, operands)
    found = find_entry(op, SHAPE_binary, code)
    check_inplace(op, x, found.result)
    broadcast_into(NAMES[<int>op], operands, 2, &rank, shape)
    if not is_shape_of(x, rank, shape):
        raise inplace_shape_error(op, x, shape_tuple(rank, shape))
    if found.loop == NULL or (op == OP_pow and code < DTYPE_float32):
        assign(NAMES[<int>op], x, cpu_binary(backend, op, x, other))
        return x
    if type(other) is Tensor and other is not x and overlaps(x, <Tensor>other):
        other = cast_to(other, (<Tensor>other).code)
        set_operand(&operands[1], <Tensor>other)
    if has_repeated_elements(x):
        # An output that holds one element in several places (a broadcast made writeable by its
        # maker) would be read after it was written: compute beside it.
        assign(NAMES[<int>op], x, cpu_binary(backend, op, x, other))
        return x
    computed[0] = computed[1] = found.compute
    run(found.loop, 2, operands, computed, found.result, x)
    return x


cdef Tensor cpu_where(Backend backend, Tensor condition, object x1, object x2):
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t steps[4]
    cdef Py_ssize_t rank
    cdef int8_t computed[3]
    cdef char* data[4]
    cdef double scalars[2]
    cdef const Entry* found
    cdef Tensor like, out
    if condition.code == DTYPE_bool and condition.flags & CONTIGUOUS and (
        type(x1) is Tensor or type(x2) is Tensor
    ):
        like = <Tensor>x1 if type(x1) is Tensor else <Tensor>x2
        if like.flags & CONTIGUOUS and same_shape(condition, like) \
                and is_on(x1, CPU) and is_on(x2, CPU) \
                and straight_operand(x1, like, <char*>&scalars[0], &data[2], &steps[2]) \
                and straight_operand(x2, like, <char*>&scalars[1], &data[3], &steps[3]) \
                and (like.count < RELEASE_GIL or type(x1) is type(x2)):
            found = &entry(OP_where, <Dtype>like.code)
            out = empty(like.code, like.rank, like.dims)
            if like.count >= RELEASE_GIL:
                run_contiguous(found.loop, 3, out, condition, x1, x2)
                return out
            data[0], data[1] = out.data, condition.data
            steps[0], steps[1] = dtype_itemsize[like.code], 1
            found.loop(out.count, data, steps)
            return out
    set_operand(&operands[0], condition)
    found = find_entry(OP_where, SHAPE_ternary, set_binary_operands(OP_where, x1, x2, &operands[1]))
    broadcast_into("where", operands, 3, &rank, shape)
    out = empty_like_operands(found.result, rank, shape, operands, 3)
    computed[0] = DTYPE_bool
    computed[1] = computed[2] = found.compute
    run(found.loop, 3, operands, computed, found.result, out)
    return out


cdef int set_limit(Operand* operand, Tensor x, object limit) except -2:
    """Fill in one end of an interval; false when its dtype or range is not that of `x`."""
    if type(limit) is Tensor:
        set_operand_on(x.device_, operand, <Tensor>limit)
        return operand.code == x.code
    operand.data = operand.scalar
    operand.rank = 0
    operand.dims = operand.steps = NULL
    operand.code = scalar_code(limit, x.code)
    if operand.code != x.code:
        return False
    try:
        store_scalar(operand.data, operand.code, limit)
    except OverflowError:
        return False
    return True


cdef Tensor cpu_clip(Backend backend, Tensor x, object low, object high):
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    cdef int8_t computed[3]
    cdef const Entry* found = find_entry(OP_clip, SHAPE_ternary, x.code)
    cdef Tensor out
    if low is None and high is None:
        return cast_to(x, x.code)
    set_operand(&operands[0], x)
    if (low is not None and not set_limit(&operands[1], x, low)) \
            or (high is not None and not set_limit(&operands[2], x, high)):
        return backend.execute("clip", (x, low, high), {})
    if low is None:
        return cpu_binary(backend, OP_minimum, x, high)
    if high is None:
        return cpu_binary(backend, OP_maximum, x, low)
    broadcast_into("clip", operands, 3, &rank, shape)
    out = empty_like_operands(found.result, rank, shape, operands, 3)
    computed[0] = computed[1] = computed[2] = found.compute
    run(found.loop, 3, operands, computed, found.result, out)
    return out
