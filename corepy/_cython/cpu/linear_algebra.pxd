from corepy._cython.core cimport Dtype, Tensor

cdef extern from "kernels.hpp" namespace "corepy" nogil:
    cdef struct MatrixProduct:
        Py_ssize_t rows, terms, columns
        const char* a
        Py_ssize_t a_row, a_step
        const char* b
        Py_ssize_t b_row, b_column
        char* out
        Py_ssize_t out_row

cdef extern from "products.hpp" namespace "corepy" nogil:
    void dot_vectors(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const char*, Py_ssize_t, int,
        const Py_ssize_t*, const Py_ssize_t*, const Py_ssize_t*, char*,
    ) noexcept

cpdef Tensor matmul(object x1, object x2)
cdef Tensor cpu_matmul(Tensor a, Tensor b)
cpdef Tensor vecdot(object x1, object x2, object axis=*)
cpdef Tensor tensordot(object x1, object x2, object axes=*)

cpdef Tensor solve(object x1, object x2)
cdef object inverse(str function, Tensor x)

cpdef Tensor trace(object x, object offset=*, object dtype=*)
cpdef Tensor outer(object x1, object x2)
cpdef Tensor vector_norm(object x, object axis=*, object keepdims=*, object ord=*)
