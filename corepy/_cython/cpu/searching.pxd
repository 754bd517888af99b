from corepy._cython.core cimport Tensor

cpdef Tensor isin(object x1, object x2, object invert=*)
cpdef Tensor searchsorted(object x1, object x2, object side=*, object sorter=*)
