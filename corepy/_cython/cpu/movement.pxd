from corepy._cython.core cimport Tensor

cdef extern from "movement.hpp" namespace "corepy" nogil:
    void join_rows "corepy::join"(
        Py_ssize_t, Py_ssize_t, const char**, const Py_ssize_t*, char*
    ) noexcept

cdef int place(
    Tensor out, char* target, const Py_ssize_t* target_steps, bint contiguous, int code,
    Py_ssize_t ndim, const Py_ssize_t* dims, char* data, const Py_ssize_t* steps,
) except -1
cpdef Tensor concat(object arrays, object axis=*)
cdef Tensor joined(str function, object arrays, object axis)
cpdef Tensor stack(object arrays, object axis=*)
cpdef tuple unstack(object x, object axis=*)
cpdef tuple broadcast_arrays(tuple arrays)

cpdef Tensor roll(object x, object shift, object axis=*)
cpdef Tensor repeat(object x, object repeats, object axis=*)
cpdef Tensor tile(object x, object repetitions)

cpdef Tensor diff(
    object x, object axis=*, object n=*, object prepend=*, object append=*
)
