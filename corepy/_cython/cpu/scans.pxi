# Scans on the CPU.


cdef Tensor cpu_scan(
    Operation op, Tensor x, Py_ssize_t axis, object dtype, bint include_initial
):
    cdef const Entry* found = find_entry(op, SHAPE_scan, x.code)
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t k
    cdef Operand operand
    cdef Tensor out, initial
    cdef char* data
    cdef int wanted = -1 if dtype is None else dtype_code(NAMES[<int>op], dtype)
    if not 0 <= axis < x.ndim:
        raise IndexError(f"{NAMES[<int>op]}: a tensor of {x.ndim} axes has no axis {axis}")
    if wanted >= 0 and x.code != wanted:
        # Cast first, so that it is accumulated in the requested dtype.
        x = cast_to(x, wanted, True)
        found = find_entry(op, SHAPE_scan, x.code)
    for k in range(x.ndim):
        shape[k] = x.dims[k]
    shape[axis] += include_initial
    set_tensor(&operand, x)
    out = empty_like_operands(found.result, x.ndim, shape, &operand, 1)
    data = out.data
    if include_initial:
        initial = view_of(out, x.ndim)
        for k in range(x.ndim):
            initial.dims[k] = x.dims[k]
            initial.steps[k] = out.steps[k]
        initial.dims[axis] = 1
        finish_view(initial)
        first = scalar_on(NAMES[<int>op], CPU, op == OP_cumulative_prod, out.code)
        assign(NAMES[<int>op], initial, first)
        data += out.steps[axis]
    if x.count >= RELEASE_GIL:
        with nogil:
            scan_axis(
                op, <Dtype>x.code, x.ndim, x.dims, <int>axis, x.data, x.steps, data, out.steps
            )
    else:
        scan_axis(op, <Dtype>x.code, x.ndim, x.dims, <int>axis, x.data, x.steps, data, out.steps)
    return out if wanted < 0 or wanted == out.code else cast_to(out, wanted, True)


def accumulate(str name not None, object array, object axis=0):
    """Combine each element along an axis with all before it, by an operation that gives the same
    result in any order, one of `ACCUMULATIONS`.

    Returns NotImplemented where there is no kernel, and for what is not a tensor.
    """
    cdef object found
    cdef Operation op
    cdef Py_ssize_t along
    cdef Tensor x, out
    if not is_tensor(array) or type(axis) is not int:
        return NotImplemented
    x = <Tensor>array
    settle(x)
    found = ACCUMULATIONS.get(name)
    if found is None or not in_host_memory(x) or not x.ndim:
        return NotImplemented
    op = <Operation><int>found
    if not has_scan(op, <Dtype>x.code):
        return NotImplemented
    along = normalize_axis(name, read_axis(name, axis), x.ndim)
    out = empty(x.code, x.ndim, x.dims)
    keep_order(out, x)
    if x.count >= RELEASE_GIL:
        with nogil:
            scan_axis(
                op, <Dtype>x.code, x.ndim, x.dims, <int>along, x.data, x.steps, out.data, out.steps
            )
    else:
        scan_axis(
            op, <Dtype>x.code, x.ndim, x.dims, <int>along, x.data, x.steps, out.data, out.steps
        )
    return out


ACCUMULATIONS = {
    "maximum": OP_maximum, "minimum": OP_minimum, "bitwise_and": OP_bitwise_and,
    "bitwise_or": OP_bitwise_or, "bitwise_xor": OP_bitwise_xor,
}
