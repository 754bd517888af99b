# distutils: language = c++
"""Joining and splitting arrays: concat, stack, unstack, broadcast_arrays."""

from libc.stdint cimport int8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from corepy._cython.core cimport (
    as_code, as_tensor, broadcast_error, broadcast_to, call_kernel, cast_kernel, common_order,
    CONTIGUOUS, dispatched, Dtype, dtype_itemsize, empty, expand_dims, finish_view, HOST,
    in_host_memory, is_tensor, keep_axes, MAX_NDIM, moveaxis, no_memory, normalize_axis, Operand,
    place_in, promoted_all, read_axis, RELEASE_GIL, reordered, run, shape_tuple, shared_backend,
    Tensor, transposed, view_of,
)
from corepy._cython.layout.broadcasting cimport broadcast_shape

cdef extern from "iterate.hpp" namespace "corepy" nogil:
    void copy_elements "corepy::copy"(
        Py_ssize_t, int, const Py_ssize_t*, char*, const Py_ssize_t*, const char*,
        const Py_ssize_t*,
    ) noexcept

cdef extern from * nogil:
    bint add_overflows "__builtin_add_overflow"(Py_ssize_t, Py_ssize_t, Py_ssize_t*)

cdef int place(
    Tensor out, char* target, const Py_ssize_t* target_steps, bint contiguous, int code,
    Py_ssize_t ndim, const Py_ssize_t* dims, char* data, const Py_ssize_t* steps,
) except -1:
    """Write elements of dtype `code`, cast to that of `out`, into a part of it.

    The part begins at `target`; `contiguous` says that both it and the elements are one run.
    """
    cdef Py_ssize_t itemsize = dtype_itemsize[out.code]
    cdef Py_ssize_t count = 1
    cdef Py_ssize_t axis
    cdef Operand operand
    cdef int8_t computed = <int8_t>code
    cdef Tensor part
    for axis in range(ndim):
        count *= dims[axis]
    if count == 0:
        return 0
    if code == out.code:
        if contiguous and count < RELEASE_GIL:
            memcpy(target, data, count * itemsize)
        else:
            call_kernel(
                count, copy_elements, itemsize, <int>ndim, dims, target, target_steps, data, steps
            )
        return 0
    part = view_of(out, ndim)
    for axis in range(ndim):
        part.dims[axis] = dims[axis]
        part.steps[axis] = target_steps[axis]
    part.data = target
    finish_view(part)
    operand.data = data
    operand.dims = dims
    operand.steps = steps
    operand.ndim = ndim
    operand.code = code
    return run(cast_kernel(<Dtype>code, <Dtype>out.code), 1, &operand, &computed, out.code, part)


cdef tuple operands_in(str function, object arrays, int* code):
    """A non-empty tuple or list of operands as tensors; writes their promoted dtype."""
    cdef list found = []
    cdef unsigned int codes = 0
    cdef Tensor x
    if type(arrays) is tuple and len(<tuple>arrays):
        for item in <tuple>arrays:
            if not is_tensor(item):
                break
            codes |= 1 << (<Tensor>item).code
        else:
            code[0] = promoted_all(codes)
            return arrays
        codes = 0
    if not isinstance(arrays, (tuple, list)):
        raise TypeError(
            f"{function}: arrays must be a non-empty tuple or list, got {type(arrays).__name__}"
        )
    for item in arrays:
        x = item if is_tensor(item) else as_tensor(function, item)
        codes |= 1 << x.code
        found.append(x)
    if not found:
        raise ValueError(f"{function}: arrays must be a non-empty tuple or list, got none")
    code[0] = promoted_all(codes)
    return tuple(found)


cdef int check_shapes(str function, tuple arrays, Py_ssize_t but) except -1:
    """Raise unless all arrays have one shape, except along axis `but`."""
    cdef Tensor first = arrays[0]
    cdef Tensor x
    cdef Py_ssize_t position, axis
    cdef bint same
    for position in range(1, len(arrays)):
        x = arrays[position]
        same = x.ndim == first.ndim
        for axis in range(first.ndim):
            same = same and (axis == but or x.dims[axis] == first.dims[axis])
        if not same:
            except_along = "" if but < 0 else f" except along axis {but}"
            raise ValueError(
                f"{function}: arrays must have the same shape{except_along}, got {first.shape} "
                f"at position 0 and {x.shape} at position {position}"
            )
    return 0


cdef bint are_in_c_order(tuple arrays) noexcept:
    for x in arrays:
        if not (<Tensor>x).flags & CONTIGUOUS:
            return False
    return True


cdef object joined_elsewhere(str function, tuple arrays, int code, object axis):
    """Join arrays that are not all on the CPU, in their common dtype."""
    return dispatched(function, (tuple([as_code(x, code) for x in arrays]),), {"axis": axis})


cpdef Tensor concat(object arrays, object axis=0):
    """Join arrays along an existing axis; None: flattened."""
    return joined("concat", arrays, axis)


cdef Tensor joined(str function, object arrays, object axis):
    """`concat`; errors name `function`."""
    cdef int code
    cdef Py_ssize_t along = -1 if axis is None else read_axis(function, axis)
    cdef tuple operands = operands_in(function, arrays, &code)
    cdef Py_ssize_t ndim = (<Tensor>operands[0]).ndim
    cdef Py_ssize_t order[MAX_NDIM]
    if axis is not None:
        along = normalize_axis(function, along, ndim)
        check_shapes(function, operands, along)
    if shared_backend(function, operands) is not HOST:
        return joined_elsewhere("concat", operands, code, None if axis is None else along)
    if axis is not None and not are_in_c_order(operands) and common_order(operands, order):
        operands = tuple([transposed(<Tensor>item, order) for item in operands])
        return reordered(
            joined_in_c_order(function, operands, place_in(order, along), False, code), order
        )
    return joined_in_c_order(function, operands, along, axis is None, code)


cdef Tensor joined_in_c_order(
    str function, tuple operands, Py_ssize_t along, bint flat, int code
):
    """Operands that have been checked, joined on the CPU along an axis, or flattened."""
    cdef Tensor first = operands[0]
    cdef Tensor x, out
    cdef Py_ssize_t total = 0
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t k
    for x in operands:
        if add_overflows(total, x.count if flat else x.dims[along], &total):
            raise ValueError(f"{function}: the arrays together are too big for memory to address")
    if flat:
        out = empty(code, 1, &total)
        along = 0
    else:
        for k in range(first.ndim):
            dims[k] = total if k == along else first.dims[k]
        out = empty(code, first.ndim, dims)
    join(out, operands, along, not flat)
    return out


cpdef Tensor stack(object arrays, object axis=0):
    """Join arrays of one shape along a new axis."""
    cdef int code
    cdef Py_ssize_t along = read_axis("stack", axis)
    cdef tuple operands = operands_in("stack", arrays, &code)
    cdef Tensor first = operands[0]
    cdef Tensor out
    cdef Py_ssize_t dims[MAX_NDIM + 1]
    cdef Py_ssize_t k
    check_shapes("stack", operands, -1)
    along = normalize_axis("stack", along, first.ndim + 1)
    if shared_backend("stack", operands) is not HOST:
        return joined_elsewhere("stack", operands, code, along)
    if not are_in_c_order(operands):
        return joined("stack", tuple([expand_dims(item, along) for item in operands]), along)
    for k in range(first.ndim + 1):
        dims[k] = len(operands) if k == along else first.dims[k if k < along else k - 1]
    out = empty(code, first.ndim + 1, dims)
    join(out, operands, along, False)
    return out


cdef int join(Tensor out, tuple arrays, Py_ssize_t along, bint existing_axis) except -1:
    """Write arrays into `out` one after the other along one of its axes.

    If `existing_axis`, the arrays have the axis; otherwise it is a new one, or, in a flat result,
    all of theirs.
    """
    cdef Py_ssize_t rows = 1
    cdef Py_ssize_t k, skipped
    cdef Tensor x
    cdef char* target = out.data
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef bint plain = True    # runs of bytes side by side
    if out.count == 0:
        return 0
    for k in range(along):
        rows *= out.dims[k]
    for x in arrays:
        plain = plain and x.code == out.code and x.flags & CONTIGUOUS
    if plain:
        return join_runs(out, arrays, rows)
    for x in arrays:
        if existing_axis:
            for k in range(x.ndim):
                steps[k] = out.steps[k]
        elif out.ndim == 1:
            c_steps(x, dtype_itemsize[out.code], steps)
        else:
            skipped = 0
            for k in range(out.ndim):
                if k == along:
                    skipped = 1
                else:
                    steps[k - skipped] = out.steps[k]
        place(
            out, target, steps, False, x.code, x.ndim, x.dims, x.data,
            x.steps,
        )
        if existing_axis:
            target += x.dims[along] * out.steps[along]
        else:
            target += out.steps[along] * (x.count if out.ndim == 1 else 1)
    return 0


cdef inline int c_steps(Tensor x, Py_ssize_t step, Py_ssize_t* steps) noexcept:
    """Write the strides of the shape of `x` in C order."""
    cdef Py_ssize_t k
    for k in range(x.ndim - 1, -1, -1):
        steps[k] = step
        step *= x.dims[k]
    return 0


cdef int join_runs(Tensor out, tuple arrays, Py_ssize_t rows) except -1:
    """`join` of contiguous arrays of one dtype: every row is a row of each, side by side."""
    cdef const char* few_parts[16]
    cdef Py_ssize_t few_sizes[16]
    cdef const char** parts = few_parts
    cdef Py_ssize_t* sizes = few_sizes
    cdef Py_ssize_t n = len(arrays)
    cdef Py_ssize_t k
    cdef Tensor x
    if n > 16:
        parts = <const char**>malloc(n * (sizeof(char*) + sizeof(Py_ssize_t)))
        if parts == NULL:
            raise no_memory(n * (sizeof(char*) + sizeof(Py_ssize_t)))
        sizes = <Py_ssize_t*>(parts + n)
    for k in range(n):
        x = <Tensor>arrays[k]
        parts[k] = x.data
        sizes[k] = x.count // rows * dtype_itemsize[x.code]
    try:
        call_kernel(out.count, join_rows, rows, n, parts, sizes, out.data)
    finally:
        if n > 16:
            free(parts)
    return 0


cpdef tuple unstack(object x, object axis=0):
    """Return the slices of `x` along an axis; on the CPU they are views."""
    cdef Py_ssize_t number = read_axis("unstack", axis)
    cdef Tensor source = as_tensor("unstack", x)
    cdef Py_ssize_t along = normalize_axis("unstack", number, source.ndim)
    cdef Py_ssize_t k, position
    cdef Tensor view
    cdef list slices = []
    if not in_host_memory(source):
        source = moveaxis(source, along, 0)
        return tuple([source[k, ...] for k in range(source.dims[0])])
    for position in range(source.dims[along]):
        view = view_of(source, source.ndim - 1)
        view.data += position * source.steps[along]
        keep_axes(source, 0, along, view, 0)
        keep_axes(source, <int>along + 1, view.ndim - along, view, <int>along)
        finish_view(view)
        slices.append(view)
    return tuple(slices)


cpdef tuple broadcast_arrays(tuple arrays):
    """Return arrays broadcast to their common shape; on the CPU they are views."""
    cdef list operands = [as_tensor("broadcast_arrays", array) for array in arrays]
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t ndim = 0
    cdef Tensor x
    for x in operands:
        if not broadcast_shape(&ndim, dims, x.ndim, x.dims):
            raise broadcast_error("broadcast_arrays", [operand.shape for operand in operands])
    shape = shape_tuple(ndim, dims)
    return tuple([broadcast_to(operand, shape) for operand in operands])
