# Operands of a kernel, their common shape, and the loop over their elements.

# Operation -> its interned name.
cdef tuple NAMES = tuple(
    [PyUnicode_InternFromString(operations[i].name) for i in range(OP_COUNT)]
)

cdef inline bint is_operation(Operation op, Shape shape) noexcept nogil:
    return <unsigned int>op < OP_COUNT and operations[<int>op].shape == shape


cdef Shape operation_shape(int operation) noexcept:
    """The shape of work of an operation."""
    return operations[operation].shape


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
        require_dtype(NAMES[<int>op], None, code, operations[<int>op].category)
    return found


cdef object read_only_error(str function):
    return ValueError(f"{function}: the tensor is read-only; write to a copy of it")


cdef inline int set_operand(Operand* operand, Tensor x) except -1:
    return set_operand_on(CPU, operand, x)


cdef inline bint is_deferrable(Tensor x) noexcept:
    """Whether operations on a tensor that is not deferred itself can be."""
    return x.device_ is CPU or x.device_.backend.executor is not None


cdef inline int set_operand_on(Device device, Operand* operand, Tensor x) except -1:
    """Take address and layout from a tensor of a device whose tensors have them."""
    if x is None or (x.device_ is not device and not (device is DEFERRED and is_deferrable(x))):
        raise TypeError(f"expected a Tensor on {device}")
    operand.data = x.data
    operand.dims = x.dims
    operand.steps = x.steps
    operand.ndim = x.ndim
    operand.code = x.code
    return 0


cdef int broadcast_into(
    str function, const Operand* operands, int n, Py_ssize_t* ndim, Py_ssize_t* shape
) except -1:
    """Broadcast the shapes of `n` operands together."""
    cdef Py_ssize_t axis, size, offset
    cdef int k
    ndim[0] = 0
    for k in range(n):
        if operands[k].ndim > ndim[0]:
            ndim[0] = operands[k].ndim
    for axis in range(ndim[0]):
        shape[axis] = 1
    for k in range(n):
        offset = ndim[0] - operands[k].ndim
        for axis in range(operands[k].ndim):
            size = operands[k].dims[axis]
            if size != 1 and size != shape[offset + axis]:
                if shape[offset + axis] != 1:
                    shapes = [shape_tuple(operands[k].ndim, operands[k].dims) for k in range(n)]
                    raise ValueError(
                        f"{function}: shapes {', '.join(map(str, shapes))} "
                        "cannot be broadcast together"
                    )
                shape[offset + axis] = size
    return 0


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
        offset = out.ndim - operands[k].ndim
        for axis in range(out.ndim):
            if axis < offset or operands[k].dims[axis - offset] == 1:
                steps[k + 1][axis] = 0
            else:
                steps[k + 1][axis] = operands[k].steps[axis - offset]
    if out.count >= RELEASE_GIL:
        with nogil:
            apply(loop, inputs + 1, out.ndim, out.dims, arguments)
    else:
        apply(loop, inputs + 1, out.ndim, out.dims, arguments)
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
) noexcept:
    """Call a loop for operands that it takes as they are: in C order, or with a step of 0."""
    if count >= RELEASE_GIL:
        with nogil:
            apply_contiguous(loop, operands, count, data, steps)
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
    if type(x) is Tensor:
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
    """A new tensor in the order of memory that its operands have in common, as NumPy has it.

    What is transposed then stays so, and the operation is one run. Operands that are broadcast
    have no say; if the others disagree the tensor is in C order.
    """
    cdef Tensor out = empty(code, ndim, shape)
    take_order(out, operands, n)
    return out


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
