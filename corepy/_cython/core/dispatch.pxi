# Dispatch: operands are normalised here, once for all functions, and given to a backend.
#
# Needs arguments, backend, checks, classes, convert, device, dtypes, operands, tensor, views.


cpdef object unary(Operation op, object x):
    """Compute an elementwise operation of one operand."""
    cdef Tensor operand
    check_operation(op, SHAPE_unary)
    operand = x if is_tensor(x) else as_tensor(NAMES[<int>op], x)
    return in_class_of(operand.backend.unary(op, operand), x)


cpdef object binary(Operation op, object x1, object x2):
    """Compute an elementwise operation of two operands; Python scalars follow the other."""
    check_operation(op, SHAPE_binary)
    return in_class_of_two(computed_binary(op, x1, x2), x1, x2)


cdef object computed_binary(Operation op, object x1, object x2):
    cdef Backend backend
    if is_tensor(x1):
        backend = (<Tensor>x1).backend
        if is_tensor(x2):
            if not shares_backend(<Tensor>x1, <Tensor>x2):
                if (<Tensor>x1).device is (<Tensor>x2).device:
                    backend = DEFERRING
                else:
                    x1, x2 = on_one_device(NAMES[<int>op], x1, x2)
                    backend = (<Tensor>x1).backend
            return backend.binary(op, x1, x2)
        if not is_scalar(x2):
            x2 = as_python(x2, <Tensor>x1)
        if is_scalar(x2):
            return backend.binary(op, x1, x2)
        return computed_binary(op, x1, operand_like(NAMES[<int>op], x2, (<Tensor>x1).device))
    if not is_tensor(x2):
        if is_scalar(x1) and not is_scalar(x2):
            return computed_binary(op, x1, as_tensor(NAMES[<int>op], x2))
        return computed_binary(op, as_tensor(NAMES[<int>op], x1), x2)
    backend = (<Tensor>x2).backend
    if not is_scalar(x1):
        x1 = as_python(x1, <Tensor>x2)
    if is_scalar(x1):
        return backend.binary(op, x1, x2)
    return computed_binary(op, operand_like(NAMES[<int>op], x1, (<Tensor>x2).device), x2)


cdef inline bint is_host_operand(object operand) noexcept:
    """Whether a kernel of the CPU can read an operand now, as it can Python scalars."""
    return not is_tensor(operand) or in_host_memory(<Tensor>operand)


cdef inline bint is_operand_for(Tensor x, object other) noexcept:
    """Whether an operand is on the device of `x`, as Python scalars are on every one."""
    return not is_tensor(other) or shares_backend(x, <Tensor>other)


cpdef object where(object condition, object x1, object x2):
    """Select elements of `x1` where `condition` is true, else of `x2`."""
    result = selected(condition, x1, x2)
    if sets_class(condition) or sets_class(x1) or sets_class(x2):
        return result_of(result, (x1, x2, condition))
    return result


cdef inline object selected(object condition, object x1, object x2):
    cdef Device device
    cdef Backend backend
    cdef Tensor mask
    if is_tensor(condition) and is_tensor(x1) and is_tensor(x2):
        if shares_backend(<Tensor>condition, <Tensor>x1) \
                and shares_backend(<Tensor>condition, <Tensor>x2):
            return (<Tensor>condition).backend.where(condition, x1, x2)
    if is_tensor(condition):
        device = (<Tensor>condition).device
    elif is_tensor(x1):
        device = (<Tensor>x1).device
    elif is_tensor(x2):
        device = (<Tensor>x2).device
    else:
        device = CPU
    mask = condition if is_tensor(condition) else operand_like("where", condition, device)
    if not is_tensor(x1) and (not is_scalar(x1) or is_scalar(x2)):
        x1 = operand_like("where", x1, device)
    if not is_tensor(x2) and not is_scalar(x2):
        x2 = operand_like("where", x2, device)
    if is_operand_for(mask, x1) and is_operand_for(mask, x2):
        return mask.backend.where(mask, x1, x2)
    backend = shared_backend("where", tensors_in((mask, x1, x2), None))
    if backend is None:
        device = meeting_device(tensors_in((mask, x1, x2), None))
        mask, x1, x2 = moved(mask, device), moved(x1, device), moved(x2, device)
        backend = device.backend
    return backend.where(mask, x1, x2)


cdef object limit_of(object limit, int code):
    """None, or a Python scalar that dtype `code` can hold: integers are kept within its range."""
    cdef char ignored[16]
    if limit is None:
        return None
    try:
        store_named("clip", ignored, code, limit)
    except OverflowError:
        if not is_integer(code):
            raise
        return int(np.iinfo(DTYPES[code]).max if limit > 0 else np.iinfo(DTYPES[code]).min)
    return limit


cpdef object clip(object x, object low, object high):
    """Limit elements to an interval, whose ends are None, scalars or arrays, after promotion."""
    cdef Tensor operand = x if is_tensor(x) else as_tensor("clip", x)
    cdef Device device
    cdef Backend backend
    cdef unsigned int codes = 1 << operand.code
    cdef int code
    cdef bint plain_low = low is None or is_scalar(low)
    cdef bint plain_high = high is None or is_scalar(high)
    if not plain_low:
        low = as_tensor("clip", low)
        codes |= 1 << (<Tensor>low).code
    if not plain_high:
        high = as_tensor("clip", high)
        codes |= 1 << (<Tensor>high).code
    code = promoted_all(codes)
    if plain_low and low is not None:
        code = PROMOTED[code][scalar_code(low, code)]
    if plain_high and high is not None:
        code = PROMOTED[code][scalar_code(high, code)]
    find_entry(OP_clip, SHAPE_ternary, code)
    low = limit_of(low, code) if plain_low else as_code(low, code)
    high = limit_of(high, code) if plain_high else as_code(high, code)
    operand = as_code(operand, code)
    backend = operand.backend
    if not (plain_low and plain_high):
        backend = shared_backend("clip", tensors_in((operand, low, high), None))
        if backend is None:
            device = meeting_device(tensors_in((operand, low, high), None))
            operand, low, high = moved(operand, device), moved(low, device), moved(high, device)
            backend = device.backend
    return result_of(backend.clip(operand, low, high), (x, low, high))


cpdef object reduce(
    Operation op, object x, object axis=None, bint keepdims=False, object dtype=None,
    object correction=None,
):
    """Reduce over one axis, several (a tuple) or all (None)."""
    cdef Tensor operand
    cdef Axes axes
    cdef double subtracted = 0.0
    check_operation(op, SHAPE_reduce)
    if axis is not None and not PyLong_CheckExact(axis):
        read_axes(NAMES[<int>op], axis, &axes)
        axis = plain_axes(&axes)
    operand = x if is_tensor(x) else as_tensor(NAMES[<int>op], x)
    if dtype is not None:
        dtype = as_dtype(NAMES[<int>op], dtype)
    if correction is not None:
        subtracted = real_number(NAMES[<int>op], "correction", correction)
    return in_class_of(operand.backend.reduce(op, operand, axis, keepdims, dtype, subtracted), x)


cpdef object scan(
    Operation op, object x, object axis=None, object dtype=None, bint include_initial=False
):
    """Accumulate along an axis, which may be None for an array of at most one."""
    cdef Tensor operand
    cdef Py_ssize_t along = 0
    check_operation(op, SHAPE_scan)
    if axis is not None:
        along = read_axis(NAMES[<int>op], axis)
    if dtype is not None:
        dtype = as_dtype(NAMES[<int>op], dtype)
    operand = x if is_tensor(x) else as_tensor(NAMES[<int>op], x)
    if axis is None:
        if operand.ndim > 1:
            raise ValueError(
                f"{NAMES[<int>op]}: axis is required unless x has at most one dimension, "
                f"got {operand.ndim}"
            )
        if operand.ndim == 0:
            operand = reshape(operand, (1,), None)
    result = operand.backend.scan(
        op, operand, normalize_axis(NAMES[<int>op], along, operand.ndim), dtype, include_initial
    )
    return in_class_of(result, x)


cdef object dispatched(str operation, tuple inputs, dict params):
    """Compute an operation, whose arguments have been checked, on the device of its inputs."""
    return result_of(computed_where_inputs_are(operation, inputs, params), inputs)


cdef object computed_where_inputs_are(str operation, tuple inputs, dict params):
    cdef tuple tensors
    cdef Tensor first = None
    cdef Device device
    cdef Backend backend
    # Most often the inputs are tensors of one device, and the parameters have none.
    for value in inputs:
        if not is_tensor(value) or not (first is None or shares_backend(first, <Tensor>value)):
            first = None
            break
        first = <Tensor>value
    if first is not None:
        for value in params.values():
            if is_tensor(value):
                break
        else:
            return first.backend.execute_checked(operation, inputs, params)
    tensors = tensors_in(inputs, params)
    backend = shared_backend(operation, tensors)
    if backend is None:
        device = meeting_device(tensors)
        inputs = tuple([moved(value, device) for value in inputs])
        params = {name: moved(value, device) for name, value in params.items()}
        backend = device.backend
    return backend.execute_checked(operation, inputs, params)
