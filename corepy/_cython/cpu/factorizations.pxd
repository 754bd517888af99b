from corepy._cython.core cimport Tensor

cpdef Tensor solve(object x1, object x2)
cdef object inverse(str function, Tensor x)
