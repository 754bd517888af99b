# Writing into a tensor: in place, and at an index of slices and integers.
#
# Needs elementwise, gathering, operands.

cdef Tensor written_inplace(GpuBackend backend, Operation op, Tensor x, object other):
    """``x op= other``."""
    cdef Operand operands[2]
    cdef const Entry* found
    cdef Tensor result
    cdef int code
    backend.check(x)
    if not x.flags & WRITEABLE:
        raise read_only_error(NAMES[<int>op])
    found = plan_inplace(x.device, op, x, other, operands)
    code = -1 if found == NULL else PROMOTED[operands[0].code][operands[1].code]
    if op == OP_pow and PyLong_Check(other) and is_square(code, x, other):
        launch_elementwise(backend, "square", OP_square, x.code, x, 1, operands)
        return x
    if found == NULL or has_repeated_elements(x) or (
        is_tensor(other) and other is not x and overlaps(x, <Tensor>other)
    ):
        # Elements would be read after they are written: compute into a temporary.
        result = gpu_binary(backend, op, x, other)
        set_tensor(&operands[0], result)
        backend.write(x, operands)
    else:
        if op == OP_pow and x.count and is_tensor(other):
            check_exponents(backend, code, other)
        launch_elementwise(backend, NAMES[<int>op], op, found.compute, x, 2, operands)
    return x


cdef int write_elements(GpuBackend backend, Tensor x, object key, object value) except -1:
    """``x[key] = value``."""
    cdef Operand operand
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef bint element
    cdef Tensor view, source
    cdef int code
    backend.check(x)
    if not x.flags & WRITEABLE:
        raise read_only_error("setitem")
    view = x if key is Ellipsis else basic_view("setitem", x, key, &element)
    if view is None:
        return write_at(backend, x, key, value)
    if is_tensor(value):
        backend.check(<Tensor>value)
        source = as_assigned(x, value)
        if overlaps(view, source):
            source = gpu_astype(backend, source, DTYPES[source.code], True)
        set_tensor(&operand, source)
        drop_leading_ones(&operand, view.ndim)
    else:
        value = written_number(x, value)
        code = scalar_code(value, x.code)
        check_assignable(x, code)
        set_scalar("setitem", &operand, code, value)
    if not broadcast_steps(&operand, view.ndim, view.dims, steps):
        raise ValueError(
            f"setitem: a value of shape {shape_tuple(operand.ndim, operand.dims)} "
            f"cannot be broadcast to shape {view.shape}"
        )
    return backend.write(view, &operand)
