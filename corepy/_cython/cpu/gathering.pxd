from corepy._cython.core cimport Tensor

cdef list nonzero_positions(Tensor x)
cpdef tuple nonzero(object x)
cdef object read_mask(Tensor x, Tensor mask)
cdef bint write_mask(Tensor x, Tensor mask, Tensor value) except -1

cpdef Tensor take(object x, object indices, object axis=*)
cdef Tensor cpu_take(str function, Tensor x, Tensor indices, int axis)
cpdef Tensor take_along_axis(object x, object indices, object axis=*)
