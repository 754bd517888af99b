cdef extern from "../layout/broadcasting.hpp" namespace "corepy" nogil:
    bint broadcast_shape(Py_ssize_t*, Py_ssize_t*, Py_ssize_t, const Py_ssize_t*)
    bint broadcast_strides(
        Py_ssize_t, const Py_ssize_t*, const Py_ssize_t*, Py_ssize_t, const Py_ssize_t*,
        Py_ssize_t*,
    )
