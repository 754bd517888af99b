from corepy._cython.core cimport Tensor

cpdef Tensor sort(object x, object axis=*, bint descending=*, bint stable=*)
cpdef Tensor argsort(object x, object axis=*, bint descending=*, bint stable=*)
cdef Tensor cpu_argsort(Tensor x, Py_ssize_t axis, bint descending)

cpdef Tensor isin(object x1, object x2, object invert=*)
cpdef Tensor searchsorted(object x1, object x2, object side=*, object sorter=*)
