"""The checks that are most called, for pages to call as C functions."""

from corepy._cython.core cimport Tensor

cdef str KINDS

cpdef Py_ssize_t normalize_axis(str function, object axis, Py_ssize_t ndim) except -1
cpdef object choice(str function, str name, object value, tuple allowed)

cpdef str kind_of(Tensor x)
cpdef object require_ndim(str function, str name, Tensor x, Py_ssize_t ndim)
cpdef object require_min_ndim(str function, str name, Tensor x, Py_ssize_t ndim)
cpdef object require_kinds(str function, Tensor x, str kinds, str allowed)
cpdef object require_integer(str function, str name, Tensor x)
cpdef object require_numeric(str function, Tensor x)
cpdef object require_ordered(str function, Tensor x)

cpdef Tensor floating(str function, object x)
cpdef Tensor countable(str function, object x)
cpdef bint of_one_dtype(Tensor x1, Tensor x2) except -1
cpdef Tensor scalar_beside(Tensor x, object value)
cpdef tuple pair(str function, object x1, object x2)
