from corepy._cython.core cimport Parameter, Tensor

cpdef Tensor shifted(str function, object x, object axes=*)
cpdef Tensor frequencies(str function, object n, object d=*, object dtype=*,
                         object device=*)
cpdef Tensor transformed(str function, object x, object s=*, object axes=*,
                         object norm=*)
cdef object transform_operand(str function, Parameter parameter, object value, list values)
cdef object complex_numbers(str function, Parameter parameter, object value, list values)
cdef object normalization(str function, Parameter parameter, object value, list values)
cdef object axis_of_transform(str function, Parameter parameter, object value, list values)
cdef object axis_of_half_transform(str function, Parameter parameter, object value, list values)
cdef object axes_of_real_transform(str function, Parameter parameter, object value, list values)
cdef object axes_of_half_transform(str function, Parameter parameter, object value, list values)
