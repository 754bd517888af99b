# Sorting on the CPU: lines are laid out side by side and sorted by kernels/sort.cpp.

cdef extern from *:
    """
    #include "sort.hpp"
    static corepy::line_sorter sorter_of(PyArray_Descr* dtype) {
      return PyDataType_GetArrFuncs(dtype)->sort[NPY_QUICKSORT];
    }
    """

cdef extern from "sort.hpp" namespace "corepy" nogil:
    ctypedef int (*line_sorter)(void*, Py_ssize_t, void*)
    void sort_lines(
        Dtype, line_sorter, cppbool, Py_ssize_t, Py_ssize_t, const char*, char*
    )
    void argsort_lines(
        Dtype, line_sorter, cppbool, Py_ssize_t, Py_ssize_t, const char*, int64_t*, uint64_t*
    )

cdef extern from *:
    line_sorter sorter_of(cnp.dtype)

# NumPy's functions that sort contiguous elements of a dtype in place: they need neither an ndarray
# nor the GIL, and use the best instructions that the processor has.
cdef line_sorter SORTERS[13]


cdef int _find_sorters() except -1:
    cdef int code
    for code in range(13):
        SORTERS[code] = sorter_of(DTYPES[code])
    return 0


_find_sorters()


cdef Tensor exchanged(Tensor x, int axis):
    """A view of `x` with an axis and the last one exchanged."""
    cdef Py_ssize_t order[MAX_RANK]
    cdef int k
    for k in range(x.rank):
        order[k] = k
    order[axis] = x.rank - 1
    order[x.rank - 1] = axis
    return transposed(x, order)


cdef inline bint is_sortable(Tensor x, int axis) noexcept:
    return not is_complex(x.code) and 0 <= axis < x.rank


@own("sort")
def _sort(Tensor x not None, *, int axis=-1, bint descending=False, bint stable=True):
    cdef Tensor out, lines
    cdef Py_ssize_t count, n
    cdef Dtype dtype
    axis = axis + x.rank if axis < 0 else axis
    if not is_sortable(x, axis):
        return NotImplemented
    if x.code == DTYPE_bool:
        return cast_to(_sort(cast_to(x, DTYPE_uint8), axis=axis, descending=descending), DTYPE_bool)
    if axis != x.rank - 1:
        lines = exchanged(x, axis)
        lines = _sort(cast_to(lines, x.code), axis=x.rank - 1, descending=descending)
        return cast_to(exchanged(lines, axis), x.code)
    x = contiguous(x)
    out = empty(x.code, x.rank, x.dims)
    if x.count == 0:
        return out
    n = x.dims[axis]
    count = x.count // n
    dtype = <Dtype>x.code
    if x.count >= RELEASE_GIL:
        with nogil:
            sort_lines(dtype, SORTERS[<int>dtype], descending, count, n, x.data, out.data)
    else:
        sort_lines(dtype, SORTERS[<int>dtype], descending, count, n, x.data, out.data)
    return out


@own("argsort")
def _argsort(Tensor x not None, *, int axis=-1, bint descending=False, bint stable=True):
    cdef Tensor out, lines, scratch
    cdef Py_ssize_t count, n
    cdef Dtype dtype
    axis = axis + x.rank if axis < 0 else axis
    if not is_sortable(x, axis) or x.dims[axis] >= <Py_ssize_t>1 << 32:
        return NotImplemented
    if axis != x.rank - 1:
        lines = exchanged(x, axis)
        lines = _argsort(cast_to(lines, x.code), axis=x.rank - 1, descending=descending)
        return cast_to(exchanged(lines, axis), DTYPE_int64)
    x = contiguous(x)
    out = empty(DTYPE_int64, x.rank, x.dims)
    if x.count == 0:
        return out
    scratch = empty(DTYPE_uint64, 1, &x.count)
    n = x.dims[axis]
    count = x.count // n
    dtype = <Dtype>x.code
    if x.count >= RELEASE_GIL:
        with nogil:
            argsort_lines(
                dtype, SORTERS[<int>DTYPE_uint64], descending, count, n, x.data,
                <int64_t*>out.data, <uint64_t*>scratch.data,
            )
    else:
        argsort_lines(
            dtype, SORTERS[<int>DTYPE_uint64], descending, count, n, x.data,
            <int64_t*>out.data, <uint64_t*>scratch.data,
        )
    return out
