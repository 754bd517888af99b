from corepy._cython.core cimport Tensor

cpdef Tensor roll(object x, object shift, object axis=*)
cpdef Tensor repeat(object x, object repeats, object axis=*)
cpdef Tensor tile(object x, object repetitions)
