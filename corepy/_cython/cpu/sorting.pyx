# distutils: language = c++
"""Sorting and searching: sort, argsort, elements of given ranks, searchsorted, isin, unique."""

cimport cython
cimport numpy as cnp
from libc.math cimport NAN
from libc.stdint cimport int64_t, uint64_t, uint8_t
from libc.string cimport memset
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    ACCEPTS_argsort_x, ACCEPTS_searchsorted_sorter, ACCEPTS_searchsorted_x1, ACCEPTS_sort_x,
    as_code, as_ndarray, as_tensor, ask_kernel, assign, call_kernel, cast_to, choice, common_order,
    comparable, contiguous, CONTIGUOUS, cpu_binary, cpu_unary, cpu_where, dispatched, Dtype,
    DTYPE_bool, DTYPE_COUNT, DTYPE_int64, dtype_itemsize, DTYPE_uint64, DTYPE_uint8, DTYPES, empty,
    from_ndarray, implements, in_host_memory, is_complex, is_contiguous, is_half, is_here,
    is_integer, is_tensor, is_unsigned, keep_order, MAX_NDIM, new_tensor, normalize_axis, OP_add,
    OP_isnan, OP_logical_not, OP_real, place_in, read_axis, READY, reordered, require_dtype,
    require_ndim, reshape, same_shape, sorted_code, Tensor, transposed, truth, where, zeroed,
)
from corepy._cython.cpu.gathering cimport cpu_take, nonzero_positions, read_mask

cnp.import_array()

cdef extern from *:
    """
    #include "sort.hpp"
    static corepy::line_sorter numpy_sorter(PyArray_Descr* dtype) {
      const PyArray_ArrFuncs* const functions = PyDataType_GetArrFuncs(dtype);
      return functions ? functions->sort[NPY_QUICKSORT] : nullptr;
    }
    """

cdef extern from "sort.hpp" namespace "corepy" nogil:
    ctypedef int (*line_sorter)(void*, Py_ssize_t, void*)
    line_sorter fallback_sorter(Dtype)
    void sort_lines(
        Dtype, line_sorter, cppbool, Py_ssize_t, Py_ssize_t, const char*, char*
    )
    cppbool sort_across(
        Dtype, line_sorter, cppbool, Py_ssize_t, Py_ssize_t, Py_ssize_t, const char*, char*
    )
    void argsort_lines(
        Dtype, line_sorter, cppbool, Py_ssize_t, Py_ssize_t, const char*, int64_t*, uint64_t*
    )

cdef extern from "select.hpp" namespace "corepy" nogil:
    cdef struct RankPair:
        Py_ssize_t first
        Py_ssize_t last
    cppbool select_ranks(
        Dtype, line_sorter, Py_ssize_t, Py_ssize_t, const char*, Py_ssize_t, const RankPair*, char*
    )

cdef extern from *:
    line_sorter numpy_sorter(cnp.dtype)

cdef extern from "numpy/arrayobject.h":
    enum NPY_SELECTKIND:
        NPY_INTROSELECT
    int PyArray_Partition(cnp.ndarray, cnp.ndarray, int, NPY_SELECTKIND) except -1
    object PyArray_ArgPartition(cnp.ndarray, cnp.ndarray, int, NPY_SELECTKIND)

# Functions that sort contiguous elements of a dtype in place. NumPy's need neither an ndarray nor
# the GIL, and use the processor's best instructions; sort.hpp has a fallback.
cdef line_sorter SORTERS[DTYPE_COUNT]


def use_numpy_sorters(bint wanted):
    """Use NumPy's sorters where it has them, or only the fallback. For tests."""
    cdef int code
    for code in range(DTYPE_COUNT):
        SORTERS[code] = numpy_sorter(DTYPES[code]) if wanted and not is_half(code) else NULL
        if SORTERS[code] == NULL:
            SORTERS[code] = fallback_sorter(<Dtype>code)


use_numpy_sorters(True)


cdef Tensor exchanged(Tensor x, Py_ssize_t axis):
    """A view of `x` with an axis and the last one exchanged."""
    cdef Py_ssize_t order[MAX_NDIM]
    cdef int k
    for k in range(x.ndim):
        order[k] = k
    order[axis] = x.ndim - 1
    order[x.ndim - 1] = axis
    return transposed(x, order)


cpdef Tensor sort(object x, object axis=-1, bint descending=False, bint stable=True):
    """Return `x` sorted along an axis. See `corepy.array_api.sort`."""
    cdef Py_ssize_t along = read_axis("sort", axis)
    cdef Tensor source = x if is_tensor(x) else as_tensor("sort", x)
    cdef Tensor out
    cdef Py_ssize_t order[MAX_NDIM]
    require_dtype("sort", "x", source.code, ACCEPTS_sort_x)
    along = normalize_axis("sort", along, source.ndim)
    # The standard orders numbers only; False and True are ordered like 0 and 1.
    if source.code != sorted_code(source.code):
        out = sort(as_code(source, sorted_code(source.code)), along, descending, stable)
        return as_code(out, source.code)
    if in_host_memory(source):
        if source.flags & CONTIGUOUS or not common_order((source,), order):
            return cpu_sort(source, along, descending)
        out = cpu_sort(transposed(source, order), place_in(order, along), descending)
        return reordered(out, order)
    return source.backend.execute_checked(
        "sort", (source,), {"axis": along, "descending": descending, "stable": stable}
    )


cpdef Tensor argsort(object x, object axis=-1, bint descending=False, bint stable=True):
    """Return the indices that sort `x` along an axis. See `corepy.array_api.argsort`."""
    cdef Py_ssize_t along = read_axis("argsort", axis)
    cdef Tensor source = x if is_tensor(x) else as_tensor("argsort", x)
    require_dtype("argsort", "x", source.code, ACCEPTS_argsort_x)
    along = normalize_axis("argsort", along, source.ndim)
    source = as_code(source, sorted_code(source.code))
    if in_host_memory(source) and source.dims[along] < <Py_ssize_t>1 << 32:
        return cpu_argsort(source, along, descending)
    return source.backend.execute_checked(
        "argsort", (source,), {"axis": along, "descending": descending, "stable": stable}
    )


def select(Tensor x not None, Py_ssize_t axis, list ranks not None):
    """Return the elements of some ranks along an axis of a CPU tensor.

    Parameters
    ----------
    ranks : list of tuple of int
        Pairs of ranks that are equal or next to each other.

    Returns
    -------
    Tensor
        The first axis has the two elements of each pair in turn, the others are those of `x`
        without the given one. All elements of a slice with a NaN are NaN.
    """
    cdef Tensor out, memory
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t order[MAX_NDIM]
    cdef Py_ssize_t count = 2 * len(ranks)
    cdef Py_ssize_t n, k
    cdef int code
    cdef RankPair* pairs
    cdef Dtype dtype
    if not is_here(x):
        raise ValueError(f"select: expected a tensor on cpu, got one on {x.device}")
    require_dtype("select", "x", x.code, ACCEPTS_sort_x)
    axis = normalize_axis("select", axis, x.ndim)
    n = x.dims[axis]
    memory = empty(DTYPE_int64, 1, &count)
    pairs = <RankPair*>memory.data
    for k in range(count // 2):
        pairs[k].first, pairs[k].last = ranks[k]
        if not 0 <= pairs[k].first <= pairs[k].last <= min(pairs[k].first + 1, n - 1):
            raise ValueError(f"select: {ranks[k]} are not neighbouring ranks of {n} elements")
    for k in range(x.ndim):
        order[k] = k + (k >= axis)
    order[x.ndim - 1] = axis
    x = contiguous(transposed(x, order))
    for k in range(x.ndim):
        shape[k] = x.dims[k]
        order[k] = k - 1
    shape[x.ndim - 1] = count
    order[0] = x.ndim - 1
    code = x.code
    x = as_code(x, sorted_code(code))
    out = empty(x.code, x.ndim, shape)
    dtype = <Dtype>x.code
    if x.count and not ask_kernel(
        x.count, select_ranks, dtype, SORTERS[<int>dtype], x.count // n, n, x.data, count // 2,
        pairs, out.data,
    ):
        raise MemoryError(f"select: cannot allocate memory for {n:,} elements")
    return transposed(as_code(out, code), order)


cdef bint can_partition(Tensor x, Py_ssize_t kth, Py_ssize_t axis) except -1:
    """Whether a tensor is on the CPU and has an element `kth` along an axis."""
    if not is_here(x) or not -x.ndim <= axis < x.ndim:
        return False
    axis += x.ndim if axis < 0 else 0
    return -x.dims[axis] <= kth < x.dims[axis]


def partition(Tensor x not None, Py_ssize_t kth, Py_ssize_t axis):
    """Sort as far as element `kth` along an axis is in its place, by NumPy's selection.

    None for tensors that are not on the CPU, or if there is no such element.
    """
    cdef Tensor out
    if not can_partition(x, kth, axis):
        return None
    out = empty(x.code, x.ndim, x.dims)
    keep_order(out, x)
    assign("partition", out, x)
    # The memory is not shared yet, so it does not change.
    PyArray_Partition(as_ndarray(out), kth_array(kth), <int>axis, NPY_INTROSELECT)
    return out


def argpartition(Tensor x not None, Py_ssize_t kth, Py_ssize_t axis):
    """Return the indices of `partition`. None likewise."""
    if not can_partition(x, kth, axis):
        return None
    return from_ndarray("argpartition", PyArray_ArgPartition(
        as_ndarray(x), kth_array(kth), <int>axis, NPY_INTROSELECT
    ))


cdef cnp.ndarray kth_array(Py_ssize_t kth):
    cdef cnp.npy_intp* none = NULL
    cdef cnp.ndarray array = cnp.PyArray_EMPTY(0, none, cnp.NPY_INTP, 0)
    (<Py_ssize_t*>cnp.PyArray_DATA(array))[0] = kth
    return array


cdef Tensor sorted_across(Tensor x, Py_ssize_t axis, bint descending):
    """Numbers sorted along an axis that is not the last one."""
    cdef Tensor lines = exchanged(x, axis)
    cdef Tensor out
    cdef Py_ssize_t outer = 1, n = x.dims[axis], inner
    cdef Dtype dtype = <Dtype>x.code
    cdef bint done
    cdef int k
    if is_contiguous(lines) and not is_contiguous(x):
        lines = cpu_sort(lines, x.ndim - 1, descending)
        if lines.storage is None:  # a view would refer to the tensor that its elements are in
            return cast_to(exchanged(lines, axis), x.code)
        return exchanged(lines, axis)
    if x.count:
        for k in range(axis):
            outer *= x.dims[k]
        inner = x.count // (outer * n)
        x = contiguous(x)
        out = empty(x.code, x.ndim, x.dims)
        done = ask_kernel(
            x.count, sort_across, dtype, SORTERS[<int>dtype], descending, outer, n, inner, x.data,
            out.data,
        )
        if done:
            return out
    lines = cpu_sort(lines, x.ndim - 1, descending)
    return cast_to(exchanged(lines, axis), x.code)


cdef Tensor cpu_sort(Tensor x, Py_ssize_t axis, bint descending):
    """Numbers sorted along an axis, counted from 0; stable, also in descending order."""
    cdef Tensor out
    cdef Py_ssize_t count, n
    cdef Dtype dtype
    if axis != x.ndim - 1:
        return sorted_across(x, axis, descending)
    x = contiguous(x)
    out = empty(x.code, x.ndim, x.dims)
    if x.count == 0:
        return out
    n = x.dims[axis]
    count = x.count // n
    dtype = <Dtype>x.code
    call_kernel(
        x.count, sort_lines, dtype, SORTERS[<int>dtype], descending, count, n, x.data, out.data
    )
    return out


cdef Tensor cpu_argsort(Tensor x, Py_ssize_t axis, bint descending):
    """The indices that sort numbers along an axis of fewer than 2^32, stably."""
    cdef Tensor out, lines, scratch
    cdef Py_ssize_t count, n
    cdef Dtype dtype
    if axis != x.ndim - 1:
        lines = cpu_argsort(cast_to(exchanged(x, axis), x.code), x.ndim - 1, descending)
        return cast_to(exchanged(lines, axis), DTYPE_int64)
    x = contiguous(x)
    out = empty(DTYPE_int64, x.ndim, x.dims)
    if x.count == 0:
        return out
    scratch = empty(DTYPE_uint64, 1, &x.count)
    n = x.dims[axis]
    count = x.count // n
    dtype = <Dtype>x.code
    call_kernel(
        x.count, argsort_lines, dtype, SORTERS[<int>DTYPE_uint64], descending, count, n, x.data,
        <int64_t*>out.data, <uint64_t*>scratch.data,
    )
    return out

# ---- searching

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
