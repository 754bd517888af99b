from corepy._cython.core cimport Tensor

cpdef Tensor trace(object x, object offset=*, object dtype=*)
cpdef Tensor outer(object x1, object x2)
cpdef Tensor vector_norm(object x, object axis=*, object keepdims=*, object ord=*)
