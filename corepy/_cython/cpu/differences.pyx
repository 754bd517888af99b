# distutils: language = c++
"""Differences of neighbouring elements (diff)."""

from corepy._cython.core cimport (
    as_tensor, astype, binary, broadcast_to, call_kernel, CONTIGUOUS, DTYPE_bool, dtype_itemsize,
    DTYPES, empty, Entry, find_entry, finish_part, in_host_memory, is_scalar, is_tensor, keep_axes,
    kernel, MAX_NDIM, normalize_axis, OP_not_equal, OP_subtract, Operation, read_axis, read_integer,
    require_least_ndim, scalar_beside, SHAPE_binary, Tensor, view_all, view_of,
)
from corepy._cython.cpu.joining cimport joined

cdef extern from "iterate.hpp" namespace "corepy" nogil:
    void apply_contiguous(kernel, int, Py_ssize_t, char**, const Py_ssize_t*) noexcept


cpdef Tensor diff(
    object x, object axis=-1, object n=1, object prepend=None, object append=None
):
    """Subtract each element from the next one along an axis. See `corepy.array_api.diff`."""
    cdef Py_ssize_t along = read_axis("diff", axis)
    cdef Py_ssize_t times = read_integer("diff", "n", n, 0)
    cdef Tensor source = x if is_tensor(x) else as_tensor("diff", x)
    if prepend is not None and not is_scalar(prepend):
        prepend = as_tensor("diff", prepend)
    if append is not None and not is_scalar(append):
        append = as_tensor("diff", append)
    require_least_ndim("diff", "x", source, 1)
    along = normalize_axis("diff", along, source.ndim)
    if prepend is not None or append is not None:
        source = extended(source, along, prepend, append)
    if times > 0 and source.dims[along] == 0:
        return astype(source, DTYPES[source.code])
    # Differences of no elements are empty.
    times = min(times, source.dims[along])
    while times > 0:
        source = differences(source, along)
        times -= 1
    return source


cdef Tensor extended(Tensor x, Py_ssize_t axis, object before, object after):
    """`x` with the arguments `prepend` and `append` of `diff` joined along an axis."""
    cdef list parts = []
    cdef Tensor operand
    for part in (before, x, after):
        if part is None:
            continue
        operand = scalar_beside("diff", x, part) if is_scalar(part) else as_tensor("diff", part)
        if operand.ndim == 0:
            operand = broadcast_to(operand, x.shape[:axis] + (1,) + x.shape[axis + 1:])
        parts.append(operand)
    return joined("diff", tuple(parts), axis)


cdef Tensor differences(Tensor x, Py_ssize_t axis):
    """Each element along an axis, of one or more, less the one before it."""
    # Bools cannot be subtracted.
    cdef Operation op = OP_not_equal if x.code == DTYPE_bool else OP_subtract
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t steps[3]
    cdef char* data[3]
    cdef const Entry* found
    cdef Tensor out, after, before
    cdef Py_ssize_t k, step
    if not in_host_memory(x):
        key = (slice(None),) * axis
        return binary(op, x[key + (slice(1, None), ...)], x[key + (slice(None, -1), ...)])
    step = x.steps[axis]
    for k in range(x.ndim):
        dims[k] = x.dims[k]
    dims[axis] -= 1
    found = find_entry(op, SHAPE_binary, x.code)
    if axis == 0 and x.flags & CONTIGUOUS and in_host_memory(x) and found.loop != NULL \
            and found.compute == x.code:
        out = empty(found.result, x.ndim, dims)
        if out.count:
            data[0], data[1], data[2] = out.data, x.data + step, x.data
            steps[0] = steps[1] = steps[2] = dtype_itemsize[x.code]
            call_kernel(out.count, apply_contiguous, found.loop, 3, out.count, data, steps)
        return out
    before = view_of(x, x.ndim)
    keep_axes(x, 0, x.ndim, before, 0)
    before.dims[axis] -= 1
    finish_part(before)
    after = view_all(before)
    if before.count:
        after.data += step
    return binary(op, after, before)
