from corepy._cython.core cimport Tensor

cpdef Tensor matmul(object x1, object x2)
cdef Tensor cpu_matmul(Tensor a, Tensor b)
cpdef Tensor vecdot(object x1, object x2, object axis=*)
cpdef Tensor tensordot(object x1, object x2, object axes=*)
