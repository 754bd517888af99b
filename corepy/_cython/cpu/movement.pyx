# distutils: language = c++
"""Movement and repetition of elements: roll, repeat, tile."""

from libc.stdint cimport int64_t

from corepy._cython.core cimport (
    ACCEPTS_repeat_repeats, as_integer, as_integers, as_tensor, Axes, call_kernel, cast_to,
    check_size, clamped, CONTIGUOUS, dispatched, DTYPE_int64, dtype_itemsize, DTYPES, empty, HOST,
    in_host_memory, keep_order, load_scalar, MAX_NDIM, multiply_overflows, normalize_axes,
    normalize_axis, PY_SSIZE_T_MAX, read_axes, read_axis, require_dtype, reshape, shared_backend,
    Tensor,
)
from corepy._cython.cpu.joining cimport join_rows, place
from corepy._cython.layout.plans cimport copy_rolled

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
