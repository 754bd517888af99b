# Scans on the CPU.
#
# Needs core/backend, core/checks, core/device, core/dtypes, core/indexing, core/operands,
# core/storage, core/tensor, copies.


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
    if is_half(x.code):
        wide = cpu_scan(op, cast_to(x, DTYPE_float32, True), axis, None, include_initial)
        return cast_to(wide, found.result, True)
    for k in range(x.ndim):
        shape[k] = x.dims[k]
    shape[axis] += include_initial
    set_tensor(&operand, x)
    out = empty_like_operands(found.result, x.ndim, shape, &operand, 1)
    data = out.data
    if include_initial:
        initial = view_of(out, x.ndim)
        keep_axes(out, 0, x.ndim, initial, 0)
        initial.dims[axis] = 1
        finish_view(initial)
        first = scalar_on(NAMES[<int>op], CPU, op == OP_cumulative_prod, out.code)
        assign(NAMES[<int>op], initial, first)
        data += out.steps[axis]
    call_kernel(
        x.count, scan_axis, op, <Dtype>x.code, x.ndim, x.dims, <int>axis, x.data, x.steps, data,
        out.steps,
    )
    return out if wanted < 0 or wanted == out.code else cast_to(out, wanted, True)


def can_accumulate(str name not None, Tensor x not None):
    """Whether `accumulate` has a kernel for the dtype and device of a tensor."""
    found = ACCUMULATIONS.get(name)
    materialize(x)
    return found is not None and in_host_memory(x) and x.ndim > 0 \
        and has_scan(<Operation><int>found, <Dtype>x.code)


def accumulate(str name not None, Tensor x not None, Py_ssize_t axis=0):
    """Combine each element along an axis with all before it, by an operation that gives the same
    result in any order, one of `ACCUMULATIONS`.
    """
    cdef Operation op
    cdef Py_ssize_t along
    cdef Tensor out
    if not can_accumulate(name, x):
        raise TypeError(f"{name}.accumulate: dtype {DTYPES[x.code]} is not supported")
    op = <Operation><int>ACCUMULATIONS[name]
    along = normalize_axis(name, axis, x.ndim)
    out = empty(x.code, x.ndim, x.dims)
    keep_order(out, x)
    call_kernel(
        x.count, scan_axis, op, <Dtype>x.code, x.ndim, x.dims, <int>along, x.data, x.steps,
        out.data, out.steps,
    )
    return out


ACCUMULATIONS = {
    "maximum": OP_maximum, "minimum": OP_minimum, "bitwise_and": OP_bitwise_and,
    "bitwise_or": OP_bitwise_or, "bitwise_xor": OP_bitwise_xor,
}
