"""What other Cython modules use of `conversion`."""

from cpython.object cimport PyObject

cpdef object call_numpy(
    str name, object function, tuple args, dict kwargs, bint scalars=*
)
cdef object as_tensors(object value, list pairs, bint scalars)
cdef object call_without_tensors(
    object function, PyObject** args, Py_ssize_t count, PyObject* names
)
cdef int raise_pending() except -1
cdef bint is_plain(object value) noexcept
