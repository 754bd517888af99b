"""What other Cython modules use of `conversion`."""

from cpython.object cimport PyObject

# Whether calls of NumPy's functions are counted.
cdef bint counting

cdef int count_forwarded(str name) except -1
cpdef object call_numpy(str name, object function, tuple args, dict kwargs)
cpdef object standards(object value)
cpdef object plain(object value)
cdef object as_tensors(object value, list pairs)
cdef object call_numpy_by_vector(
    str name, object function, PyObject* first, PyObject** args, Py_ssize_t positional,
    PyObject* names
)
cdef tuple unpacked(PyObject** args, Py_ssize_t positional, PyObject* names)
