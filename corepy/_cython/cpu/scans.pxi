# Scans on the CPU.


cdef Tensor cpu_scan(
    Operation op, Tensor x, Py_ssize_t axis, object dtype, bint include_initial
):
    cdef const Entry* found = find_entry(op, SHAPE_scan, x.code)
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t k
    cdef Tensor out, initial
    cdef char* data
    cdef int wanted = -1 if dtype is None else dtype_code(NAMES[<int>op], dtype)
    if not 0 <= axis < x.ndim:
        raise IndexError(f"{NAMES[<int>op]}: a tensor of {x.ndim} axes has no axis {axis}")
    if wanted >= 0 and x.code != wanted:
        # Cast first, so that it is accumulated in the requested dtype.
        x = cast_to(x, wanted)
        found = find_entry(op, SHAPE_scan, x.code)
    for k in range(x.ndim):
        shape[k] = x.dims[k]
    shape[axis] += include_initial
    out = empty(found.result, x.ndim, shape)
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
    return out if wanted < 0 or wanted == out.code else cast_to(out, wanted)
