# Elementwise work on the CPU: dtype and layout -> kernel -> loop over contiguous runs.

# Operation -> its interned name.
cdef tuple NAMES = tuple(
    [PyUnicode_InternFromString(operations[i].name) for i in range(OP_COUNT)]
)

ctypedef struct Operand:
    char* data
    const Py_ssize_t* dims
    const Py_ssize_t* steps
    Py_ssize_t rank
    char scalar[16]        # the element, when the operand is a Python scalar (aligned to 8)
    int code


cdef inline bint is_operation(Operation op, Shape shape) noexcept nogil:
    return <unsigned int>op < OP_COUNT and operations[<int>op].shape == shape


cdef inline int check_operation(Operation op, Shape shape) except -1:
    if not is_operation(op, shape):
        raise ValueError(f"operation {<int>op} does not exist, or is of another shape of work")
    return 0


cdef const Entry* find_entry(Operation op, Shape shape, int code) except NULL:
    """The kernel table's entry, or TypeError when the operation does not take this dtype."""
    cdef const Entry* found
    check_operation(op, shape)
    found = &entry(op, <Dtype>code)
    if found.compute < 0:
        raise TypeError(
            f"{NAMES[<int>op]}: dtype {DTYPES[code]} is not supported; "
            f"allowed: {operations[<int>op].allowed.decode()}"
        )
    return found


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


cdef object read_only_error(str function):
    return ValueError(f"{function}: the tensor is read-only; write to a copy of it")


cdef inline int set_operand(Operand* operand, Tensor x) except -1:
    if x is None or x.data == NULL:
        raise TypeError("expected a Tensor in host memory")
    operand.data = x.data
    operand.dims = x.dims
    operand.steps = x.steps
    operand.rank = x.rank
    operand.code = x.code
    return 0


cdef int broadcast_into(
    str function, Operand* operands, int n, Py_ssize_t* rank, Py_ssize_t* shape
) except -1:
    """Broadcast the shapes of `n` operands together."""
    cdef Py_ssize_t axis, size, offset
    cdef int k
    rank[0] = 0
    for k in range(n):
        if operands[k].rank > rank[0]:
            rank[0] = operands[k].rank
    for axis in range(rank[0]):
        shape[axis] = 1
    for k in range(n):
        offset = rank[0] - operands[k].rank
        for axis in range(operands[k].rank):
            size = operands[k].dims[axis]
            if size != 1 and size != shape[offset + axis]:
                if shape[offset + axis] != 1:
                    shapes = [shape_tuple(operands[k].rank, operands[k].dims) for k in range(n)]
                    raise ValueError(
                        f"{function}: shapes {', '.join(map(str, shapes))} "
                        "cannot be broadcast together"
                    )
                shape[offset + axis] = size
    return 0


cdef int run(
    kernel loop, int inputs, Operand* operands, const int8_t* computed, int result, Tensor out
) except -1:
    """Compute the elements of `out`, whose shape the operands broadcast to.

    `computed` are the dtypes in which the loop takes its inputs, `result` is the one it gives.
    """
    cdef Py_ssize_t steps[MAX_OPERANDS][MAX_RANK]
    cdef Argument arguments[MAX_OPERANDS]
    cdef Py_ssize_t axis, offset
    cdef int k
    arguments[0].data = out.data
    arguments[0].strides = out.steps
    arguments[0].itemsize = dtype_itemsize[out.code]
    arguments[0].loop_itemsize = dtype_itemsize[result]
    arguments[0].cast = NULL
    if result != out.code:
        arguments[0].cast = cast_kernel(<Dtype>result, <Dtype>out.code)
    for k in range(inputs):
        arguments[k + 1].data = operands[k].data
        arguments[k + 1].strides = steps[k + 1]
        arguments[k + 1].itemsize = dtype_itemsize[operands[k].code]
        arguments[k + 1].loop_itemsize = dtype_itemsize[computed[k]]
        arguments[k + 1].cast = NULL
        if operands[k].code != computed[k]:
            arguments[k + 1].cast = cast_kernel(<Dtype>operands[k].code, <Dtype>computed[k])
        offset = out.rank - operands[k].rank
        for axis in range(out.rank):
            if axis < offset or operands[k].dims[axis - offset] == 1:
                steps[k + 1][axis] = 0
            else:
                steps[k + 1][axis] = operands[k].steps[axis - offset]
    if out.count >= RELEASE_GIL:
        with nogil:
            apply(loop, inputs + 1, out.rank, out.dims, arguments)
    else:
        apply(loop, inputs + 1, out.rank, out.dims, arguments)
    return 0


cdef inline int run_contiguous(
    kernel loop, int inputs, Tensor out, Tensor x1, Tensor x2, Tensor x3
) except -1:
    """Compute `out` from inputs of its shape, all in C order and of the dtypes that the loop takes.

    Where there are fewer than three inputs the last is given again.
    """
    cdef char* data[MAX_OPERANDS]
    cdef Py_ssize_t steps[MAX_OPERANDS]
    data[0] = out.data
    data[1] = x1.data
    data[2] = x2.data
    data[3] = x3.data
    steps[0] = dtype_itemsize[out.code]
    steps[1] = dtype_itemsize[x1.code]
    steps[2] = dtype_itemsize[x2.code]
    steps[3] = dtype_itemsize[x3.code]
    if out.count >= RELEASE_GIL:
        with nogil:
            apply_contiguous(loop, inputs + 1, out.count, data, steps)
    else:
        loop(out.count, data, steps)
    return 0


cdef Tensor empty_like_operands(
    int code, Py_ssize_t rank, const Py_ssize_t* shape, const Operand* operands, int n
):
    """A new tensor in the order of memory that its operands have in common, as NumPy has it.

    What is transposed then stays so, and the operation is one run. Operands that are broadcast
    have no say; if the others disagree the tensor is in C order.
    """
    cdef Tensor out = empty(code, rank, shape)
    cdef int order[MAX_RANK]
    cdef Py_ssize_t step
    cdef int k, i, axis
    cdef int known = -1   # axes in the order, once there is one
    if rank < 2 or out.count < 2:
        return out
    for k in range(n):
        if not fills(&operands[k], out):
            continue
        if known < 0:
            known = 0
            for axis in range(rank):
                if out.dims[axis] == 1:
                    continue
                i = known
                while i > 0 and distance(&operands[k], order[i - 1]) < distance(&operands[k], axis):
                    order[i] = order[i - 1]
                    i -= 1
                order[i] = axis
                known += 1
        for i in range(1, known):
            if distance(&operands[k], order[i - 1]) < distance(&operands[k], order[i]):
                return out
    if known < 0:
        return out
    step = dtype_itemsize[code]
    for i in range(known - 1, -1, -1):
        out.steps[order[i]] = step
        step *= out.dims[order[i]]
    if not is_contiguous(out):
        out.flags &= ~CONTIGUOUS
    return out


cdef inline bint fills(const Operand* operand, Tensor out) noexcept:
    """Whether an operand has the shape of `out`, with an element of its own for each."""
    cdef int axis
    if operand.rank != out.rank:
        return False
    for axis in range(out.rank):
        if out.dims[axis] != 1 and (operand.dims[axis] == 1 or operand.steps[axis] == 0):
            return False
    return True


cdef inline Py_ssize_t distance(const Operand* operand, int axis) noexcept:
    return operand.steps[axis] if operand.steps[axis] >= 0 else -operand.steps[axis]


cdef Tensor cast_to(Tensor x, int code, bint keep_order=False):
    """A new tensor with the elements of `x` as another dtype: in C order, or in its own."""
    cdef Tensor out
    cdef Operand operand
    set_operand(&operand, x)
    if keep_order:
        out = empty_like_operands(code, x.rank, x.dims, &operand, 1)
    else:
        out = empty(code, x.rank, x.dims)
    run_cast(&operand, out)
    return out


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
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    if overlaps(out, x):
        x = cast_to(x, x.code)
    set_operand(&operands[0], x)
    while operands[0].rank > out.rank and operands[0].dims[0] == 1:
        operands[0].rank -= 1
        operands[0].dims += 1
        operands[0].steps += 1
    set_operand(&operands[1], out)
    broadcast_into(function, operands, 2, &rank, shape)
    if not is_shape_of(out, rank, shape):
        raise ValueError(
            f"{function}: a value of shape {shape_tuple(x.rank, x.dims)} cannot be broadcast to "
            f"shape {shape_tuple(out.rank, out.dims)}"
        )
    return run_cast(operands, out)


cdef inline bint is_shape_of(Tensor x, Py_ssize_t rank, const Py_ssize_t* shape) noexcept:
    cdef Py_ssize_t axis
    if rank != x.rank:
        return False
    for axis in range(rank):
        if shape[axis] != x.dims[axis]:
            return False
    return True


cdef bint overlaps(Tensor a, Tensor b) noexcept:
    return may_overlap(
        a.data, a.rank, a.dims, a.steps, dtype_itemsize[a.code],
        b.data, b.rank, b.dims, b.steps, dtype_itemsize[b.code],
    )


cdef Tensor cpu_unary(Backend backend, Operation op, Tensor x):
    cdef const Entry* found = find_entry(op, SHAPE_unary, x.code)
    cdef Operand operand
    cdef Tensor out
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
    """Fill in both operands and return the dtype code that they promote to.

    -1 means that a Python integer lies outside the dtype of the array that it is compared with.
    """
    cdef int code
    cdef bint first = type(x1) is Tensor
    if first and type(x2) is Tensor:
        set_operand(&operands[0], <Tensor>x1)
        set_operand(&operands[1], <Tensor>x2)
        return PROMOTED[operands[0].code][operands[1].code]
    if not first and type(x2) is not Tensor:
        raise TypeError("expected at least one Tensor")
    cdef Operand* scalar = &operands[1] if first else &operands[0]
    set_operand(&operands[0] if first else &operands[1], <Tensor>x1 if first else <Tensor>x2)
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
    cdef Tensor answer = Tensor.__new__(Tensor)
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


cdef Tensor cpu_binary(Backend backend, Operation op, object x1, object x2):
    cdef const Entry* found
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    cdef Operand operands[2]
    cdef int8_t computed[2]
    cdef Tensor a, b, out
    cdef int code
    if type(x1) is Tensor and type(x2) is Tensor and is_operation(op, SHAPE_binary):
        a = <Tensor>x1
        b = <Tensor>x2
        if a.code == b.code and a.flags & b.flags & CONTIGUOUS and same_shape(a, b):
            found = &entry(op, <Dtype>a.code)
            if found.compute == a.code and found.loop != NULL \
                    and (op != OP_pow or is_floating(a.code)):
                out = empty(found.result, a.rank, a.dims)
                run_contiguous(found.loop, 2, out, a, b, b)
                return out
    code = set_binary_operands(op, x1, x2, operands)
    if code == -1:
        return compared_out_of_range(op, x1, x2)
    whole = False  # whether a power is one of an integer that is known not to be negative
    if op == OP_pow and type(x1) is Tensor and PyLong_Check(x2):
        if x2 == 2 and code == (<Tensor>x1).code and code != DTYPE_bool:
            return cpu_unary(backend, OP_square, <Tensor>x1)
        whole = is_integer(code) and x2 >= 0
    found = find_entry(op, SHAPE_binary, code)
    if is_floating(code) and is_comparison(op) and is_integer(operands[0].code) \
            and is_integer(operands[1].code):
        # int64 and uint64 meet in float64, which cannot tell large ones apart; NumPy's loops do.
        return backend.execute(NAMES[<int>op], (x1, x2), {})
    if found.loop == NULL or (op == OP_pow and not is_unsigned(code) and not is_floating(code)
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
    scalar = Tensor.__new__(Tensor)
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


cdef Tensor cpu_inplace(Backend backend, Operation op, Tensor x, object other):
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    cdef int8_t computed[2]
    cdef const Entry* found
    cdef int code
    if not x.flags & WRITEABLE:
        raise read_only_error(NAMES[<int>op])
    code = set_binary_operands(op, x, other, operands)
    found = find_entry(op, SHAPE_binary, code)
    check_inplace(op, x, found.result)
    broadcast_into(NAMES[<int>op], operands, 2, &rank, shape)
    if not is_shape_of(x, rank, shape):
        raise inplace_shape_error(op, x, shape_tuple(rank, shape))
    if found.loop == NULL or (op == OP_pow and not is_floating(code)):
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


cdef bint has_repeated_elements(Tensor x) noexcept:
    """Whether some element may be in several places; a false alarm is possible, a miss is not."""
    cdef Py_ssize_t spans[MAX_RANK]   # of the axes seen so far, by ascending stride
    cdef Py_ssize_t steps[MAX_RANK]
    cdef Py_ssize_t step, reach
    cdef int axis, k
    cdef int n = 0
    for axis in range(x.rank):
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


cdef Tensor cpu_where(Backend backend, Tensor condition, object x1, object x2):
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    cdef int8_t computed[3]
    cdef const Entry* found
    cdef Tensor a, b, out
    if type(x1) is Tensor and type(x2) is Tensor and condition.code == DTYPE_bool:
        a = <Tensor>x1
        b = <Tensor>x2
        if a.code == b.code and condition.flags & a.flags & b.flags & CONTIGUOUS \
                and same_shape(condition, a) and same_shape(a, b):
            found = &entry(OP_where, <Dtype>a.code)
            out = empty(a.code, a.rank, a.dims)
            run_contiguous(found.loop, 3, out, condition, a, b)
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
        set_operand(operand, <Tensor>limit)
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
