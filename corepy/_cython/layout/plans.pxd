from corepy._cython.core cimport Tensor

cdef extern from "../layout/progression.hpp" namespace "corepy" nogil:
    cdef struct Progression:
        double first[2]
        double step[2]
        unsigned long long whole_first
        unsigned long long whole_step
    cdef struct Sequence:
        Progression terms
        int given
        bint ends
        char starts[32]
        char last[16]

# Copies a box of `x` that begins at `source` to `target`, an address in `out`.
ctypedef int (*copy_box)(
    object backend, Tensor out, char* target, Tensor x, char* source, const Py_ssize_t* dims
) except -1

cdef Py_ssize_t count_numbers(object start, object stop, object step, int code) except -1
cdef Py_ssize_t grid_axis(Py_ssize_t position, Py_ssize_t ndim, str indexing)
cdef int plan_arange(
    Sequence* plan, int code, Py_ssize_t count, object start, object step
) except -1
cdef bint plan_linspace(
    Sequence* plan, int code, Py_ssize_t count, object start, object stop, bint endpoint
) except -1
cdef int copy_rolled(
    Tensor out, Tensor x, tuple shifts, tuple axes, copy_box copy, object backend
) except -1
