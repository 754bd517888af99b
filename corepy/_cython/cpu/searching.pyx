# distutils: language = c++
"""Searching: searchsorted, isin, unique elements."""

cimport cython
from libc.math cimport NAN
from libc.stdint cimport uint8_t, int64_t, uint64_t
from libc.string cimport memset
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    ACCEPTS_searchsorted_sorter, ACCEPTS_searchsorted_x1, as_tensor, ask_kernel, call_kernel,
    cast_to, choice, comparable, CONTIGUOUS, contiguous, cpu_binary, cpu_unary, cpu_where,
    dispatched, Dtype, DTYPE_bool, DTYPE_int64, dtype_itemsize, DTYPE_uint8, empty, implements,
    in_host_memory, is_complex, is_integer, is_unsigned, new_tensor, OP_add, OP_isnan,
    OP_logical_not, OP_real, READY, require_dtype, require_ndim, reshape, same_shape, sorted_code,
    Tensor, truth, where, zeroed,
)
from corepy._cython.cpu.gathering cimport cpu_take
from corepy._cython.cpu.masks cimport nonzero_positions, read_mask
from corepy._cython.cpu.sorting cimport cpu_argsort, sort

cdef extern from "search.hpp" namespace "corepy" nogil:
    Py_ssize_t FEW
    void search_sorted(
        Dtype, cppbool, Py_ssize_t, const char*, Py_ssize_t, const char*, int64_t*
    )
    void find_in_sorted(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const char*, uint8_t*
    )
    void find_among_few(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const char*, uint8_t*
    )
    void range_of_integers(Dtype, Py_ssize_t, const char*, int64_t*, uint64_t*)
    void find_in_range(
        Dtype, Py_ssize_t, const char*, int64_t, uint64_t, Py_ssize_t, const char*, uint8_t*,
        uint8_t*,
    )
    void mark_in_range(Dtype, Py_ssize_t, const char*, int64_t, uint64_t, uint8_t*)
    void mark_first(Dtype, Py_ssize_t, const char*, uint8_t*)
    Py_ssize_t number_distinct(
        Dtype, Py_ssize_t, const char*, int, int64_t*, int64_t*, int64_t*, int64_t*
    )
    void find_distinct(
        Dtype, Py_ssize_t, const char*, const char*, int, const int64_t*, uint8_t*
    )
    void sort_by_imaginary(Dtype, Py_ssize_t, const char*, int64_t*)
    void invert_order(Py_ssize_t, const uint8_t*, const int64_t*, int64_t*)


cdef Py_ssize_t MAX_INDICES = <Py_ssize_t>1 << 32  # of argsort


cdef Tensor searchable(Tensor x):
    """`x` in C order, in the dtype that its elements are compared in."""
    cdef int code = sorted_code(x.code)
    return contiguous(x) if code == x.code else cast_to(x, code)


cdef Tensor flat_input(Tensor x):
    """The elements of `x` in one contiguous dimension."""
    return reshape(contiguous(x), (-1,) if x.count else (0,))


cdef Tensor zeros(int code, Py_ssize_t count):
    cdef Tensor out = empty(code, 1, &count)
    memset(out.data, 0, count * dtype_itemsize[code])
    return out


cpdef Tensor searchsorted(object x1, object x2, object side="left", object sorter=None):
    """Find where values belong in a sorted array. See `corepy.array_api.searchsorted`."""
    cdef Tensor table, wanted, order, found
    table, wanted, within = comparable("searchsorted", x1, x2)
    require_ndim("searchsorted", "x1", table, 1)
    require_dtype("searchsorted", "x1", table.code, ACCEPTS_searchsorted_x1)
    side = choice("searchsorted", "side", side, ("left", "right"))
    if sorter is not None:
        order = as_tensor("searchsorted", sorter)
        require_dtype("searchsorted", "sorter", order.code, ACCEPTS_searchsorted_sorter)
        if not same_shape(order, table):
            raise ValueError(
                f"searchsorted: sorter must have the shape of x1, {table.shape}, "
                f"got shape {order.shape}"
            )
        sorter = order
    if in_host_memory(table) and in_host_memory(wanted) \
            and (sorter is None or in_host_memory(order)):
        found = cpu_searchsorted(table, wanted, side, sorter)
    else:
        found = dispatched("searchsorted", (table, wanted), {"side": side, "sorter": sorter})
    if within is None:
        return found
    # Values that the table cannot have lie beyond one of its ends.
    return where(within, found, 0 if is_unsigned(table.code) else table.count)


cdef Tensor cpu_searchsorted(Tensor table, Tensor wanted, str side, object sorter):
    cdef Tensor out
    cdef cppbool right = side == "right"
    cdef Dtype dtype
    if sorter is not None:
        table = cpu_take("searchsorted", table, sorter, 0)
    table, wanted = searchable(table), searchable(wanted)
    dtype = <Dtype>table.code
    out = empty(DTYPE_int64, wanted.ndim, wanted.dims)
    call_kernel(
        wanted.count * 8, search_sorted, dtype, right, wanted.count, wanted.data, table.count,
        table.data, <int64_t*>out.data,
    )
    return out


@implements("searchsorted")
def _searchsorted(Tensor x1 not None, Tensor x2 not None, str side, sorter):
    return cpu_searchsorted(x1, x2, side, sorter)


cpdef Tensor isin(object x1, object x2, object invert=False):
    """Test for elements of one array whether another has them. See `corepy.array_api.isin`."""
    cdef Tensor wanted, table, found
    invert = truth("isin", "invert", invert)
    table, wanted, within = comparable("isin", x2, x1)
    if in_host_memory(table) and in_host_memory(wanted):
        found = _isin(wanted, table, invert)
    else:
        found = dispatched("isin", (wanted, table), {"invert": invert})
    return found if within is None else where(within, found, invert)


@implements("isin")
def _isin(Tensor wanted not None, Tensor table not None, bint invert):
    cdef Tensor out, bytes_
    cdef int64_t least = 0
    cdef uint64_t distance = 0
    cdef Dtype dtype
    cdef Distinct distinct
    wanted, table = searchable(wanted), searchable(table)
    dtype = <Dtype>table.code
    out = empty(DTYPE_bool, wanted.ndim, wanted.dims)
    bytes_ = None
    if table.count > FEW and not is_complex(dtype):
        if is_integer(dtype):
            call_kernel(
                table.count, range_of_integers, dtype, table.count, table.data, &least, &distance
            )
            if distance < <uint64_t>(1024 + 8 * (wanted.count + table.count)):
                bytes_ = zeros(DTYPE_uint8, <Py_ssize_t>distance + 1)
        if bytes_ is None:
            table = sort(flat_input(table))
    elif table.count > FEW:
        distinct = distinct_numbers(table)
    if table.count <= FEW:
        call_kernel(
            wanted.count, find_among_few, dtype, wanted.count, wanted.data, table.count,
            table.data, <uint8_t*>out.data,
        )
    elif is_complex(dtype):
        call_kernel(
            wanted.count, find_distinct, dtype, wanted.count, wanted.data, table.data,
            distinct.bits, <const int64_t*>distinct.slots.data, <uint8_t*>out.data,
        )
    elif bytes_ is not None:
        call_kernel(
            wanted.count, find_in_range, dtype, wanted.count, wanted.data, least, distance,
            table.count, table.data, <uint8_t*>bytes_.data, <uint8_t*>out.data,
        )
    else:
        call_kernel(
            wanted.count, find_in_sorted, dtype, wanted.count, wanted.data, table.count,
            table.data, <uint8_t*>out.data,
        )
    return cpu_unary(OP_logical_not, out) if invert else out


# ---- unique elements: the elements of a sorted array that differ from the element before

cdef Tensor first_of_equals(Tensor sorted_):
    """A mask of the elements of a sorted array that differ from the element before."""
    cdef Tensor mask = empty(DTYPE_bool, 1, &sorted_.count)
    call_kernel(
        sorted_.count, mark_first, <Dtype>sorted_.code, sorted_.count, sorted_.data,
        <uint8_t*>mask.data,
    )
    return mask


cdef Tensor counts_between(Tensor starts, Py_ssize_t count):
    """The distances of ascending positions to the next one, of the last to `count`."""
    cdef Tensor out = empty(DTYPE_int64, 1, &starts.count)
    cdef const int64_t* start = <const int64_t*>starts.data
    cdef int64_t* counts = <int64_t*>out.data
    cdef Py_ssize_t k
    with nogil:
        for k in range(starts.count):
            counts[k] = (start[k + 1] if k + 1 < starts.count else count) - start[k]
    return out


cdef Tensor values_in_range(Tensor x):
    """The unique elements of integers in a small range, or None for other integers."""
    cdef int64_t least = 0
    cdef uint64_t distance = 0
    cdef Dtype dtype = <Dtype>x.code
    cdef Tensor bytes_, positions, shift
    if x.count < 64 or not is_integer(x.code):
        return None
    call_kernel(x.count, range_of_integers, dtype, x.count, x.data, &least, &distance)
    if distance >= <uint64_t>(4 * x.count):
        return None
    bytes_ = zeros(DTYPE_bool, <Py_ssize_t>distance + 1)
    call_kernel(
        x.count, mark_in_range, dtype, x.count, x.data, least, distance, <uint8_t*>bytes_.data
    )
    positions = nonzero_positions(bytes_)[0]
    shift = new_tensor()
    shift.code = DTYPE_int64
    shift.flags = CONTIGUOUS | READY
    (<int64_t*>shift.small)[0] = least
    return cast_to(cpu_binary(OP_add, positions, shift), x.code)


@cython.final
cdef class Distinct:
    """The distinct elements of a contiguous tensor of complex numbers; see search.hpp."""
    cdef Tensor slots, first, counts, numbers
    cdef Py_ssize_t count
    cdef int bits


cdef Distinct distinct_numbers(Tensor x):
    cdef Distinct found = Distinct.__new__(Distinct)
    cdef Py_ssize_t size
    found.bits = 1
    while <Py_ssize_t>1 << found.bits < 2 * x.count:
        found.bits += 1
    size = <Py_ssize_t>1 << found.bits
    found.slots = zeroed(DTYPE_int64, 1, &size)
    found.first = empty(DTYPE_int64, 1, &x.count)
    found.counts = empty(DTYPE_int64, 1, &x.count)
    found.numbers = empty(DTYPE_int64, x.ndim, x.dims)
    found.count = ask_kernel(
        x.count, number_distinct, <Dtype>x.code, x.count, x.data, found.bits,
        <int64_t*>found.slots.data, <int64_t*>found.first.data, <int64_t*>found.counts.data,
        <int64_t*>found.numbers.data,
    )
    return found


cdef object unique_complex(Tensor x):
    """`unique_all` of complex numbers: hashing finds the distinct ones, which are then sorted."""
    cdef Distinct distinct
    cdef Tensor values, key, order, ranks
    if x.count >= MAX_INDICES:
        return NotImplemented
    x = contiguous(x)
    distinct = distinct_numbers(x)
    first, counts = distinct.first[:distinct.count], distinct.counts[:distinct.count]
    values = cpu_take("unique_all", flat_input(x), first, 0)
    key = cpu_unary(OP_real, values)
    key = cpu_where(cpu_unary(OP_isnan, values), NAN, key)
    order = cpu_argsort(key, 0, False)
    ranks = empty(DTYPE_int64, 1, &values.count)
    with nogil:
        sort_by_imaginary(<Dtype>values.code, values.count, values.data, <int64_t*>order.data)
        invert_order(values.count, NULL, <const int64_t*>order.data, <int64_t*>ranks.data)
    return (
        cpu_take("unique_all", values, order, 0), cpu_take("unique_all", first, order, 0),
        cpu_take("unique_all", ranks, distinct.numbers, 0),
        cpu_take("unique_all", counts, order, 0),
    )


@implements("unique_values")
def _unique_values(Tensor x not None):
    if is_complex(x.code):
        parts = unique_complex(x)
        return parts if parts is NotImplemented else parts[0]
    if x.code != sorted_code(x.code):
        return cast_to(unique_values(cast_to(x, sorted_code(x.code))), x.code)
    return unique_values(x)


cdef Tensor unique_values(Tensor x):
    """The unique elements of numbers."""
    cdef Tensor flat, sorted_, values
    flat = flat_input(x)
    values = values_in_range(flat)
    if values is not None:
        return values
    sorted_ = sort(flat)
    return read_mask(sorted_, first_of_equals(sorted_))


@implements("unique_counts")
def _unique_counts(Tensor x not None):
    cdef Tensor sorted_, mask, starts
    if is_complex(x.code):
        parts = unique_complex(x)
        return parts if parts is NotImplemented else (parts[0], parts[3])
    sorted_ = sort(flat_input(x))
    mask = first_of_equals(sorted_)
    starts = nonzero_positions(mask)[0]
    return read_mask(sorted_, mask), counts_between(starts, sorted_.count)


cdef tuple unique_parts(Tensor x):
    """The unique values, the indices that sort `x`, the mask of sorted elements that differ from
    the element before, and the inverse indices.
    """
    cdef Tensor flat = flat_input(x)
    cdef Tensor order = cpu_argsort(flat, 0, False)
    cdef Tensor sorted_ = cpu_take("unique_all", flat, order, 0)
    cdef Tensor mask = first_of_equals(sorted_)
    cdef Tensor inverse = empty(DTYPE_int64, x.ndim, x.dims)
    call_kernel(
        flat.count, invert_order, flat.count, <const uint8_t*>mask.data,
        <const int64_t*>order.data, <int64_t*>inverse.data,
    )
    return read_mask(sorted_, mask), order, mask, inverse


@implements("unique_inverse")
def _unique_inverse(Tensor x not None):
    if x.count >= MAX_INDICES:
        return NotImplemented
    if is_complex(x.code):
        values, _, inverse, _ = unique_complex(x)
        return values, inverse
    values, _, _, inverse = unique_parts(x)
    return values, inverse


@implements("unique_all")
def _unique_all(Tensor x not None):
    if x.count >= MAX_INDICES:
        return NotImplemented
    if is_complex(x.code):
        return unique_complex(x)
    values, order, mask, inverse = unique_parts(x)
    starts = nonzero_positions(mask)[0]
    firsts = cpu_take("unique_all", order, starts, 0)
    return values, firsts, inverse, counts_between(starts, x.count)
