from corepy._cython.core cimport Tensor

cdef int write_integers(
    int code, Py_ssize_t n, char* out, Py_ssize_t start, Py_ssize_t step
) except -1
cpdef Tensor arange(
    object start, object stop=*, object step=*, object dtype=*, object device=*
)
cpdef Tensor linspace(
    object start, object stop, object num, object dtype=*, object device=*,
    object endpoint=*,
)
cpdef Tensor eye(
    object n_rows, object n_cols=*, object k=*, object dtype=*, object device=*
)
cpdef Tensor triangle(str function, object x, object k=*)
cpdef tuple meshgrid(tuple arrays, object indexing=*)
