cimport cython

from corepy._cython.core cimport MAX_NDIM, Tensor

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


@cython.final
@cython.no_gc
cdef class IndexPlan:
    cdef Tensor base                 # a view of the indexed tensor
    cdef int axis                    # the arrays index axes of `base` from here on, one each
    cdef list arrays                 # integer tensors, which broadcast together
    cdef int named[MAX_NDIM]         # the axes of the indexed tensor that they index, for errors
    cdef bint trusted                # the indices are those of masks: in range, each there once
    cdef Py_ssize_t n                # elements of the arrays' common shape
    cdef Py_ssize_t index_ndim       # and its axes
    cdef int inner                   # how many axes of `base` are behind the indexed ones
    cdef Py_ssize_t ndim             # of the result
    cdef Py_ssize_t dims[MAX_NDIM]


# The positions of what is true in a mask, one integer tensor for each axis.
ctypedef list (*positions_of)(object backend, Tensor mask)

cdef IndexPlan plan_arrays(
    str function, Tensor base, int axis, list arrays, bint trusted, const int* named
)
# For each axis of a plan's result, the strides of the base, and of an array of its indices.
cdef void plan_steps(
    IndexPlan plan, Tensor indices, Py_ssize_t* base_steps, Py_ssize_t* index_steps
) noexcept
# The shape of what take_along_axis gives, and the strides of both operands along its axes; those of
# `x` along `axis` are 0.
cdef void plan_along_axis(
    Tensor x, Tensor indices, Py_ssize_t axis, Py_ssize_t* dims, Py_ssize_t* base_steps,
    Py_ssize_t* index_steps,
) noexcept
cdef Tensor index_array(str function, Tensor x, object item)
cdef IndexPlan plan_index(
    str function, Tensor x, object key, positions_of positions, object backend
)
cdef object find_bad_index(str function, IndexPlan plan, list arrays)
