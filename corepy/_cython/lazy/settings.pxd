"""Where operations are deferred, and from how many elements on."""


cdef class Fusion:
    cdef readonly bint on
    cdef readonly Py_ssize_t threshold
    cdef readonly long scope
    cdef readonly bint codegen


cdef Fusion current()
