# distutils: language = c++
"""Joining, movement and repetition of elements, and differences of neighbours."""

from libc.stdint cimport int64_t, int8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from corepy._cython.core cimport (
    ACCEPTS_repeat_repeats, as_code, as_integer, as_integers, as_tensor, astype, Axes, binary,
    broadcast_error, broadcast_to, call_kernel, cast_kernel, cast_to, check_size, clamped,
    common_order, CONTIGUOUS, dispatched, Dtype, DTYPE_bool, DTYPE_int64, dtype_itemsize, DTYPES,
    empty, Entry, expand_dims, find_entry, finish_part, finish_view, HOST, in_host_memory,
    is_scalar, is_tensor, keep_axes, keep_order, kernel, load_scalar, MAX_NDIM, moveaxis,
    multiply_overflows, no_memory, normalize_axes, normalize_axis, OP_not_equal, OP_subtract,
    Operand, Operation, place_in, promoted_all, PY_SSIZE_T_MAX, read_axes, read_axis, read_integer,
    RELEASE_GIL, reordered, require_dtype, require_least_ndim, reshape, run, scalar_beside,
    SHAPE_binary, shape_tuple, shared_backend, Tensor, transposed, view_all, view_of,
)
from corepy._cython.layout.broadcasting cimport broadcast_shape
from corepy._cython.layout.plans cimport copy_rolled

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
        raise ValueError(f"{function}: arrays must be a non-empty tuple or list, got an empty one")
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

cdef extern from "movement.hpp" namespace "corepy" nogil:
    cdef cppclass Counts:
        Py_ssize_t total()
    bint add_counts(Py_ssize_t, const int64_t*, Counts*) noexcept
    void repeat_all "corepy::repeat"(
        Py_ssize_t, Py_ssize_t, Py_ssize_t, const char*, char*
    ) noexcept
    void repeat_each(Py_ssize_t, Py_ssize_t, const Counts&, const char*, char*) noexcept
    void repeat_start(char*, Py_ssize_t, Py_ssize_t) noexcept

cdef extern from "Python.h":
    bint PyLong_Check(object)

# ---- rolling

cpdef Tensor roll(object x, object shift, object axis=None):
    """Return `x` with its elements shifted cyclically along axes; None: as if flat."""
    cdef tuple shifts = as_integers("roll", "shift", shift)
    cdef Axes named
    cdef tuple axes
    cdef Tensor source, out
    read_axes("roll", axis, &named)
    source = as_tensor("roll", x)
    if axis is None:
        total = shifts[0] if len(shifts) == 1 else sum(shifts)
        if not in_host_memory(source):
            return dispatched("roll", (source, total), {"axis": None})
        return rolled_flat(source, total % source.count if source.count else 0)
    axes = normalize_axes("roll", &named, source.ndim, False)
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    elif len(axes) == 1:
        axes = axes * len(shifts)
    if len(shifts) != len(axes):
        raise ValueError(
            f"roll: shift and axis must have the same length, got {len(shifts)} and {len(axes)}"
        )
    if not in_host_memory(source):
        if not axes:
            return source.backend.astype(source, DTYPES[source.code], True)
        return dispatched("roll", (source, shifts), {"axis": axes})
    out = empty(source.code, source.ndim, source.dims)
    keep_order(out, source)
    copy_rolled(out, source, shifts, axes, copy_part, None)
    return out


cdef Tensor rolled_flat(Tensor x, Py_ssize_t places):
    cdef Tensor out = empty(x.code, x.ndim, x.dims)
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    cdef const char* parts[2]
    cdef Py_ssize_t sizes[2]
    if not x.flags & CONTIGUOUS:
        x = cast_to(x, x.code)
    parts[0] = x.data + (x.count - places) * itemsize
    parts[1] = x.data
    sizes[0] = places * itemsize
    sizes[1] = (x.count - places) * itemsize
    call_kernel(x.count, join_rows, 1, 2, parts, sizes, out.data)
    return out


cdef int copy_part(
    object backend, Tensor out, char* target, Tensor x, char* source, const Py_ssize_t* dims
) except -1:
    return place(
        out, target, out.steps, x.flags & CONTIGUOUS and source == x.data and target == out.data,
        x.code, x.ndim, dims, source, x.steps,
    )


# ---- repeating

cpdef Tensor repeat(object x, object repeats, object axis=None):
    """Return `x` with each element, or slice along an axis, repeated; None: flattened."""
    cdef Tensor source, counts = None
    cdef Py_ssize_t size
    cdef Py_ssize_t along = -1 if axis is None else read_axis("repeat", axis)
    if PyLong_Check(repeats):
        count = as_integer("repeat", "repeats", repeats, 0)
    else:
        counts = as_tensor("repeat", repeats)
    source = as_tensor("repeat", x)
    size = source.count
    if axis is not None:
        along = normalize_axis("repeat", along, source.ndim)
        size = source.dims[along]
    where = None if axis is None else along
    if counts is None:
        if not in_host_memory(source):
            check_repeated(source, along, count)
            return dispatched("repeat", (source, count), {"axis": where})
        return repeated(source, along, None, count)
    require_dtype("repeat", "repeats", counts.code, ACCEPTS_repeat_repeats)
    if counts.ndim == 0:
        counts = reshape(counts, (1,))
    if counts.ndim != 1 or (counts.dims[0] != 1 and counts.dims[0] != size):
        raise ValueError(
            f"repeat: repeats must be an integer or have shape (1,) or ({size},), "
            f"got shape {counts.shape}"
        )
    if shared_backend("repeat", (source, counts)) is not HOST:
        return dispatched("repeat", (source, counts), {"axis": where})
    if counts.dims[0] == 1 and size != 1:
        count = load_scalar(counts.data, counts.code)
        count = as_integer("repeat", "each entry of repeats", count, 0)
        return repeated(source, along, None, count)
    if counts.code != DTYPE_int64 or not counts.flags & CONTIGUOUS:
        counts = cast_to(counts, DTYPE_int64)  # uint64 out of range becomes negative: refused
    return repeated(source, along, counts, None)


cdef int check_repeated(Tensor x, Py_ssize_t along, object count) except -1:
    """Raise where memory cannot address `count` of each element, or slice along an axis (-1: all
    elements). Done for all backends: NumPy writes out of bounds where a size overflows.
    """
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t k, n = x.count if along < 0 else x.dims[along]
    if multiply_overflows(n, clamped(count, 0, PY_SSIZE_T_MAX), &dims[max(along, 0)]):
        raise too_many(n, count)
    for k in range(x.ndim if along >= 0 else 0):
        if k != along:
            dims[k] = x.dims[k]
    return check_size("repeat", x.code, x.ndim if along >= 0 else 1, dims)


cdef Tensor repeated(Tensor x, Py_ssize_t along, Tensor counts, object count):
    """`repeat` on the CPU: a number for each element (int64, contiguous), or one for all."""
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t rows = 1
    cdef Py_ssize_t inner = dtype_itemsize[x.code]
    cdef Py_ssize_t ndim, k, n
    cdef Py_ssize_t times = 0
    cdef Counts numbers
    cdef bint counted = counts is not None
    cdef Tensor out
    if not counted:
        check_repeated(x, along, count)
    if along < 0:
        ndim, n, dims[0] = 1, x.count, x.count
        along = 0
    else:
        ndim, n = x.ndim, x.dims[along]
        for k in range(ndim):
            dims[k] = x.dims[k]
            if k < along:
                rows *= x.dims[k]
            elif k > along:
                inner *= x.dims[k]
    if not counted:
        times = clamped(count, 0, PY_SSIZE_T_MAX)
        dims[along] = n * times
    elif add_counts(n, <const int64_t*>counts.data, &numbers):
        dims[along] = numbers.total()
        check_size("repeat", x.code, ndim, dims)
    else:
        raise counts_error(n, <const int64_t*>counts.data)
    out = empty(x.code, ndim, dims)
    if out.count == 0:
        return out
    if not x.flags & CONTIGUOUS:
        x = cast_to(x, x.code)
    if counted:
        call_kernel(out.count, repeat_each, rows, inner, numbers, x.data, out.data)
    else:
        call_kernel(out.count, repeat_all, rows * n, inner, times, x.data, out.data)
    return out


cdef object counts_error(Py_ssize_t n, const int64_t* counts):
    cdef Py_ssize_t k
    for k in range(n):
        if counts[k] < 0:
            return ValueError(f"repeat: each entry of repeats must be at least 0, got {counts[k]}")
    return too_many(n, "so many")


cdef object too_many(Py_ssize_t n, object count):
    return ValueError(f"repeat: {n} elements, repeated {count} times, are too many for an array")


cpdef Tensor tile(object x, object repetitions):
    """Return `x` repeated along its axes."""
    cdef tuple counts = as_integers("tile", "repetitions", repetitions, 0)
    cdef Tensor source = as_tensor("tile", x)
    cdef Py_ssize_t ndim = max(source.ndim, len(counts))
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t times[MAX_NDIM]
    cdef Py_ssize_t k, size, repeated_axes = 0
    cdef Tensor out
    if ndim > MAX_NDIM:
        raise ValueError(
            f"tile: expected at most {MAX_NDIM} repetitions, got {len(counts)}"
        )
    for k in range(ndim):
        times[k] = 1
        if k >= ndim - len(counts):
            times[k] = clamped(counts[k - ndim + len(counts)], 0, PY_SSIZE_T_MAX)
        size = 1 if k < ndim - source.ndim else source.dims[k - ndim + source.ndim]
        if multiply_overflows(times[k], size, &dims[k]):
            raise ValueError(
                f"tile: shape {source.shape}, repeated {counts} times, is too big for an array"
            )
        repeated_axes += times[k] != 1
    check_size("tile", source.code, ndim, dims)
    if not in_host_memory(source):
        return dispatched("tile", (source, counts), {})
    out = empty(source.code, ndim, dims)
    if out.count == 0:
        return out
    if 2 * source.ndim > MAX_NDIM:
        return dispatched("tile", (source, counts), {})
    lay_tiles(out, source, times)
    return out


cdef int lay_tiles(Tensor out, Tensor x, const Py_ssize_t* times) except -1:
    """Fill `out` with copies of `x`.

    One block of as many rows as `x` has, along its outermost axis, is laid; then the rest of
    `out`, which repeats it, is copied from there.
    """
    cdef Py_ssize_t dims[MAX_NDIM]       # of the block: a pair of axes for each axis of x
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef Py_ssize_t targets[MAX_NDIM]
    cdef Py_ssize_t block = dtype_itemsize[out.code]
    cdef Py_ssize_t total = out.count * dtype_itemsize[out.code]
    cdef Py_ssize_t n = 0
    cdef Py_ssize_t k, offset = out.ndim - x.ndim
    for k in range(x.ndim):
        block *= x.dims[k] * (times[offset + k] if k else 1)
        if k and times[offset + k] != 1:
            dims[n], steps[n] = times[offset + k], 0
            targets[n] = out.steps[offset + k] * x.dims[k]
            n += 1
        dims[n], steps[n], targets[n] = x.dims[k], x.steps[k], out.steps[offset + k]
        n += 1
    place(
        out, out.data, targets, n == x.ndim and x.flags & CONTIGUOUS, x.code, n, dims, x.data, steps
    )
    call_kernel(total, repeat_start, out.data, block, total)
    return 0

# ---- differences

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
