# distutils: language = c++
"""Sorting along an axis: sort, argsort, and the elements of given ranks."""

cimport numpy as cnp
from libc.stdint cimport int64_t, uint64_t
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    ACCEPTS_argsort_x, ACCEPTS_sort_x, as_code, as_ndarray, as_tensor, ask_kernel, assign,
    call_kernel, cast_to, common_order, CONTIGUOUS, contiguous, Dtype, DTYPE_COUNT, DTYPE_int64,
    DTYPE_uint64, DTYPES, empty, from_ndarray, is_half, in_host_memory, is_contiguous, is_here,
    is_tensor, keep_order, MAX_NDIM, normalize_axis, place_in, read_axis, reordered, require_dtype,
    sorted_code, Tensor, transposed,
)

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
