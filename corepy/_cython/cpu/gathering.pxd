from corepy._cython.core cimport Tensor

cpdef Tensor take(object x, object indices, object axis=*)
cdef Tensor cpu_take(str function, Tensor x, Tensor indices, int axis)
cpdef Tensor take_along_axis(object x, object indices, object axis=*)
