# Operands, and plans of elementwise operations for the CPU, GPUs and deferred tensors; the loop
# over elements on the CPU.
#
# Needs checks, device, dtypes, storage, tensor, views.

# Operation -> its interned name.
cdef tuple NAMES = tuple(
    [PyUnicode_InternFromString(operations[i].name) for i in range(OP_COUNT)]
)

cdef inline bint is_operation(Operation op, Shape shape) noexcept nogil:
    return <unsigned int>op < OP_COUNT and operations[<int>op].shape == shape


cdef Shape operation_shape(int operation) noexcept:
    """The kind of operation of an operation."""
    return operations[operation].shape


cdef inline int check_operation(Operation op, Shape shape) except -1:
    if not is_operation(op, shape):
        raise ValueError(f"operation {<int>op} does not exist or has another kind of operation")
    return 0


cdef const Entry* find_entry(Operation op, Shape shape, int code) except NULL:
    """The kernel table's entry, or TypeError when the operation does not take this dtype."""
    cdef const Entry* found
    check_operation(op, shape)
    found = &entry(op, <Dtype>code)
    if found.compute < 0:
        require_dtype(NAMES[<int>op], None, code, operations[<int>op].category)
    return found


cdef object read_only_error(str function):
    return ValueError(f"{function}: the tensor is read-only; write to a copy of it")


cdef object negative_power_error():
    return ValueError("pow: integers to negative integer powers are not allowed")


cdef object foreign_error(str expected, Tensor x):
    got = "None" if x is None else f"one on {x.device}"
    if x is not None and is_deferred(x):
        got += " that is deferred"
    return TypeError(f"expected a Tensor on {expected}, got {got}")


cdef inline int set_operand(Operand* operand, Tensor x) except -1:
    return set_operand_on(CPU, operand, x)


cdef inline bint is_deferrable(Tensor x) noexcept:
    """Whether operations on a tensor that is not deferred itself can be."""
    return in_host_memory(x) or x.backend.executor is not None


cdef inline int set_operand_on(Device device, Operand* operand, Tensor x) except -1:
    """Take address and layout from a tensor of a device whose tensors have them; of None: from a
    deferred tensor, or one that operations on which can be deferred.
    """
    if x is None or not (
        is_deferred(x) or is_deferrable(x) if device is None
        else x.device is device and not is_deferred(x)
    ):
        raise foreign_error("a device that defers" if device is None else str(device), x)
    set_tensor(operand, x)
    return 0


cdef void drop_leading_ones(Operand* operand, Py_ssize_t ndim) noexcept:
    """Drop leading axes of size 1 of an operand of more than `ndim` axes."""
    while operand.ndim > ndim and operand.dims[0] == 1:
        operand.ndim -= 1
        operand.dims += 1
        operand.steps += 1


cdef int broadcast_into(
    str function, const Operand* operands, int n, Py_ssize_t* ndim, Py_ssize_t* shape
) except -1:
    """Broadcast the shapes of `n` operands together."""
    cdef int k
    ndim[0] = 0
    for k in range(n):
        if not broadcast_shape(ndim, shape, operands[k].ndim, operands[k].dims):
            raise broadcast_error(
                function, [shape_tuple(operands[k].ndim, operands[k].dims) for k in range(n)]
            )
    return 0


cdef object broadcast_error(str function, list shapes):
    return ValueError(
        f"{function}: shapes {', '.join(map(str, shapes))} cannot be broadcast together"
    )


cdef const Entry* infer_elementwise(
    Operation op, const Operand* operands, int n, Py_ssize_t* ndim, Py_ssize_t* shape
) except NULL:
    """Return the kernel table's entry for an elementwise operation on operands, which has the dtype
    of the result, and write the result's shape.

    Only dtypes and shapes of operands are read. A Python scalar has 0 dimensions, and the dtype
    that it takes beside the others. The operands of clip have one dtype.
    """
    cdef int code = operands[n - 1].code
    cdef const Entry* found
    cdef int k
    for k in range(op == OP_where, n - 1):  # the condition's dtype does not matter
        code = PROMOTED[code][operands[k].code]
    found = find_entry(op, operations[<int>op].shape, code)
    broadcast_into(NAMES[<int>op], operands, n, ndim, shape)
    return found


cdef int run(
    kernel loop, int inputs, Operand* operands, const int8_t* computed, int result, Tensor out
) except -1:
    """Compute the elements of `out`, whose shape the operands broadcast to.

    `computed` are the dtypes in which the loop takes its inputs, `result` is the one it gives.
    """
    cdef Py_ssize_t steps[MAX_OPERANDS][MAX_NDIM]
    cdef Argument arguments[MAX_OPERANDS]
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
        broadcast_steps(&operands[k], out.ndim, out.dims, steps[k + 1])
    call_kernel(out.count, apply, loop, inputs + 1, out.ndim, out.dims, arguments)
    return 0


@cython.nonecheck(False)
cdef inline Py_ssize_t straight_step(Tensor x) noexcept:
    """How far it is from one element to the next, where a loop can take all of them at once: those
    of a tensor in C order, or a few along one axis. 0 for others.
    """
    if x.flags & CONTIGUOUS:
        return dtype_itemsize[x.code]
    if x.ndim == 1 and x.count < RELEASE_GIL:
        return x.steps[0]
    return 0


@cython.nonecheck(False)
cdef inline int run_straight(
    kernel loop, int operands, Py_ssize_t count, char** data, const Py_ssize_t* steps
) except -1:
    """Call a loop for operands that it takes as they are: in C order, or with a step of 0."""
    if count >= RELEASE_GIL:
        call_kernel(count, apply_contiguous, loop, operands, count, data, steps)
    else:
        loop(count, data, steps)
    return 0


@cython.nonecheck(False)
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
    return run_straight(loop, inputs + 1, out.count, data, steps)


@cython.nonecheck(False)
cdef inline bint straight_operand(
    object x, Tensor like, char* scalar, char** data, Py_ssize_t* step
) except -1:
    """Give a loop an operand that it can take as it is beside `like`, a tensor in C order.

    That is a tensor of its dtype and shape, in C order too, or a Python scalar that takes its
    dtype, which is written to `scalar`. False for any other.
    """
    if is_tensor(x):
        data[0] = (<Tensor>x).data
        step[0] = dtype_itemsize[like.code]
        return (<Tensor>x).code == like.code and (<Tensor>x).flags & CONTIGUOUS \
            and same_shape(<Tensor>x, like)
    data[0] = scalar
    step[0] = 0
    return store_plain_scalar(scalar, like.code, x)


cdef Tensor empty_like_operands(
    int code, Py_ssize_t ndim, const Py_ssize_t* shape, const Operand* operands, int n
):
    """A new tensor in the common memory order of its operands, as in NumPy.

    For transposed operands the operation is then one run. Broadcast operands are ignored; if the
    others differ the tensor is in C order.
    """
    cdef Tensor out = empty(code, ndim, shape)
    take_order(out, operands, n)
    return out


cdef inline bint is_in_c_order(const Operand* operand, Tensor out) noexcept:
    """Whether axes that an operand shares with a tensor are in their order in memory."""
    cdef Py_ssize_t axis, last = PY_SSIZE_T_MAX
    for axis in range(out.ndim):
        if out.dims[axis] != 1:
            if distance(operand, axis) > last:
                return False
            last = distance(operand, axis)
    return True


cdef void take_order(Tensor out, const Operand* operands, int n) noexcept:
    """Lay a new tensor out in the order of memory that its operands have in common."""
    cdef int order[MAX_NDIM]
    cdef Py_ssize_t step
    cdef int k, i, axis
    cdef int known = -1   # axes in the order, once there is one
    if out.ndim < 2 or out.count < 2:
        return
    for k in range(n):
        if not fills(&operands[k], out):
            continue
        if known < 0:
            if is_in_c_order(&operands[k], out):
                return
            known = 0
            for axis in range(out.ndim):
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
                return
    if known < 0:
        return
    step = dtype_itemsize[out.code]
    for i in range(known - 1, -1, -1):
        out.steps[order[i]] = step
        step *= out.dims[order[i]]
    if not is_contiguous(out):
        out.flags &= ~CONTIGUOUS


cdef void keep_order(Tensor out, Tensor x) noexcept:
    """Lay a new tensor out in the order of memory of `x`, which has the same axes."""
    cdef Py_ssize_t order[MAX_NDIM]
    cdef Py_ssize_t step = dtype_itemsize[out.code]
    cdef int k
    if x.flags & CONTIGUOUS or not has_layout(x) or not common_order((x,), order):
        return
    for k in range(out.ndim - 1, -1, -1):
        out.steps[order[k]] = step
        step *= out.dims[order[k]]
    out.flags = (out.flags & ~CONTIGUOUS) | (CONTIGUOUS if is_contiguous(out) else 0)


cdef bint common_order(tuple arrays, Py_ssize_t* order) noexcept:
    """Write the axes of tensors of one ndim in their common order of memory, the outermost first.

    As NumPy sorts axes: by strides, where all tensors agree, and else in C order. False: that is
    the order that the axes have.
    """
    cdef Py_ssize_t ndim = (<Tensor>arrays[0]).ndim
    cdef Py_ssize_t i, k, place, axis
    cdef bint changed = False
    cdef int inner
    for axis in range(ndim):
        place = axis
        for k in range(axis - 1, -1, -1):
            inner = lies_inside(arrays, order[k], axis)
            if inner > 0:
                break
            if inner < 0:
                place = k
        for i in range(axis, place, -1):
            order[i] = order[i - 1]
        order[place] = axis
        changed |= place != axis
    return changed


cdef int lies_inside(tuple arrays, Py_ssize_t outer, Py_ssize_t inner) noexcept:
    """1: an axis has smaller or equal strides in a tensor; -1: in none; 0: they have size 1."""
    cdef Tensor x
    cdef Py_ssize_t first, second
    cdef int found = 0
    for item in arrays:
        x = <Tensor>item
        if x.dims[outer] == 1 or x.dims[inner] == 1:
            continue
        first, second = x.steps[outer], x.steps[inner]
        if (second if second >= 0 else -second) <= (first if first >= 0 else -first):
            return 1
        found = -1
    return found


cdef Py_ssize_t place_in(const Py_ssize_t* order, Py_ssize_t axis) noexcept:
    cdef Py_ssize_t place = 0
    while order[place] != axis:
        place += 1
    return place


cdef Tensor reordered(Tensor x, const Py_ssize_t* order):
    """A new tensor, which nothing else refers to, with its axes brought from `order` to theirs."""
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef int axis
    memcpy(dims, x.dims, x.ndim * sizeof(Py_ssize_t))
    memcpy(steps, x.steps, x.ndim * sizeof(Py_ssize_t))
    for axis in range(x.ndim):
        x.dims[order[axis]] = dims[axis]
        x.steps[order[axis]] = steps[axis]
    x.flags = (x.flags & ~CONTIGUOUS) | (CONTIGUOUS if is_contiguous(x) else 0)
    return x


cdef inline bint fills(const Operand* operand, Tensor out) noexcept:
    """Whether an operand has the shape of `out`, with an element of its own for each."""
    cdef int axis
    if operand.ndim != out.ndim:
        return False
    for axis in range(out.ndim):
        if out.dims[axis] != 1 and (operand.dims[axis] == 1 or operand.steps[axis] == 0):
            return False
    return True


cdef inline Py_ssize_t distance(const Operand* operand, int axis) noexcept:
    return operand.steps[axis] if operand.steps[axis] >= 0 else -operand.steps[axis]


cdef bint is_comparison(Operation op) noexcept:
    return op in (OP_equal, OP_not_equal, OP_less, OP_less_equal, OP_greater, OP_greater_equal)


cdef inline int scalar_code_in(Operation op, object value, int other) noexcept:
    """`scalar_code`, but an integer that is made floating anyway need not fit the other's dtype."""
    cdef int code = scalar_code(value, other)
    if is_integer(code) and op != OP_where and entry(op, <Dtype>code).compute == DTYPE_float64:
        return DTYPE_float64
    return code


cdef int set_binary_operands_on(
    Device device, Operation op, object x1, object x2, Operand* operands
) except -2:
    """Fill in both operands and return the dtype code that they promote to.

    -1 means that a Python integer lies outside the dtype of the array that it is compared with.
    """
    cdef int code
    cdef bint first = is_tensor(x1)
    if <unsigned int>op >= OP_COUNT:
        check_operation(op, SHAPE_binary)  # raises
    if first and is_tensor(x2):
        set_operand_on(device, &operands[0], <Tensor>x1)
        set_operand_on(device, &operands[1], <Tensor>x2)
        return PROMOTED[operands[0].code][operands[1].code]
    if not first and not is_tensor(x2):
        raise TypeError(f"{NAMES[<int>op]}: expected at least one Tensor")
    cdef Operand* scalar = &operands[1] if first else &operands[0]
    set_operand_on(
        device, &operands[0] if first else &operands[1], <Tensor>x1 if first else <Tensor>x2
    )
    value = x2 if first else x1
    code = scalar_code_in(op, value, (<Tensor>x1 if first else <Tensor>x2).code)
    set_element(scalar, code)
    try:
        store_scalar(scalar.data, code, value)
    except OverflowError as error:
        if is_comparison(op) and not is_inexact(code):
            return -1
        raise OverflowError(f"{NAMES[<int>op]}: {error}") from None
    return PROMOTED[operands[0].code][operands[1].code]


cdef kernel loop_of_two(
    Operation op, const Entry* found, const Operand* operands, int8_t* computed
) noexcept:
    """The loop of a binary operation on operands; writes the dtypes that it takes."""
    cdef bint first
    computed[0] = computed[1] = found.compute
    if is_floating(found.compute) and is_comparison(op) and is_integer(operands[0].code) \
            and is_integer(operands[1].code):
        # int64 and uint64 promote to float64, which cannot represent all large ones.
        first = is_unsigned(operands[0].code)
        computed[not first], computed[first] = DTYPE_uint64, DTYPE_int64
        return kernels().mixed_comparisons[first][<int>op]
    return found.loop


cdef kernel power_loop(object exponent, int code) noexcept:
    """The loop for ``x ** exponent`` of elements of dtype `code`, for a number for which there is a
    shorter way than pow's; NULL for others.
    """
    cdef Py_ssize_t whole
    cdef double number
    if PyFloat_Check(exponent):
        number = PyFloat_AS_DOUBLE(exponent)
    elif small_integer(exponent, &whole):
        number = <double>whole
    else:
        return NULL
    if number == 2:
        return entry(OP_square, <Dtype>code).loop
    if number == 1:
        return entry(OP_positive, <Dtype>code).loop
    if not is_floating(code):
        return NULL
    if number == -1:
        return entry(OP_reciprocal, <Dtype>code).loop
    if number == 0.5:
        return kernels().powers.half[code]
    if number == 3:
        return kernels().powers.third[code]
    if number == 4:
        return kernels().powers.fourth[code]
    return NULL


cdef int check_inplace(Operation op, Tensor x, int result) except -1:
    """Refuse a result that writing into `x` would change in kind."""
    if kind_rank(result) > kind_rank(x.code):
        raise TypeError(
            f"{NAMES[<int>op]}: in-place result of dtype {DTYPES[result]} cannot be written into "
            f"a tensor of dtype {DTYPES[x.code]}; compute out of place, or cast first"
        )
    return 0


cdef const Entry* plan_inplace(
    Device device, Operation op, Tensor x, object other, Operand* operands
) except? NULL:
    """Fill in the operands of ``x = op(x, other)``, and refuse a result that `x` cannot hold; NULL
    where a Python integer lies outside the dtype of `x`, with which it is compared.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef const Entry* found
    cdef int code = set_binary_operands_on(device, op, x, other, operands)
    if code == -1:
        return NULL
    found = find_entry(op, SHAPE_binary, code)
    check_inplace(op, x, found.result)
    broadcast_into(NAMES[<int>op], operands, 2, &ndim, shape)
    if not is_shape_of(x, ndim, shape):
        raise inplace_shape_error(op, x, shape_tuple(ndim, shape))
    return found


cdef object inplace_shape_error(Operation op, Tensor x, tuple shape):
    return ValueError(
        f"{NAMES[<int>op]}: in-place result of shape {shape} cannot be written into "
        f"a tensor of shape {shape_tuple(x.ndim, x.dims)}"
    )


cdef int set_limit(Device device, Operand* operand, Tensor x, object limit) except -2:
    """Fill in one end of an interval; false when its dtype or range is not that of `x`."""
    if is_tensor(limit):
        set_operand_on(device, operand, <Tensor>limit)
        return operand.code == x.code
    set_element(operand, scalar_code(limit, x.code))
    if operand.code != x.code:
        return False
    try:
        store_scalar(operand.data, operand.code, limit)
    except OverflowError:
        return False
    return True


cdef int plan_clip(
    Device device, Tensor x, object low, object high, Operand* operands, Py_ssize_t* ndim,
    Py_ssize_t* shape,
) except -1:
    """Fill in the operands of `clip`, and return the operation that computes it: OP_clip,
    OP_minimum or OP_maximum of `x` and the one limit, OP_positive without limits; OP_COUNT for
    limits that do not have the dtype of `x`.
    """
    cdef int count = 1
    find_entry(OP_clip, SHAPE_ternary, x.code)
    if low is None and high is None:
        return OP_positive
    set_operand_on(device, &operands[0], x)
    if low is not None:
        if not set_limit(device, &operands[1], x, low):
            return OP_COUNT
        count = 2
    if high is not None:
        if not set_limit(device, &operands[count], x, high):
            return OP_COUNT
        count += 1
    broadcast_into("clip", operands, count, ndim, shape)
    return OP_clip if count == 3 else OP_minimum if low is None else OP_maximum
