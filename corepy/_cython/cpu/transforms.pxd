from corepy._cython.core cimport Parameter, Tensor

cpdef Tensor shifted(str function, object x, object axes=*)
cpdef Tensor frequencies(str function, object n, object d=*, object dtype=*,
                         object device=*)
cdef object transform_operand(str function, Parameter parameter, object value, list values)
cdef object complex_transform_operand(str function, Parameter parameter, object value, list values)
cdef object real_transform_operand(str function, Parameter parameter, object value, list values)
cdef object transform_size(str function, list values)
cdef object half_transform_size(str function, list values)
cdef object transform_sizes(str function, list values)
cdef object real_transform_sizes(str function, list values)
cdef object half_transform_sizes(str function, list values)
