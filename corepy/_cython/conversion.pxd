"""What other Cython modules use of `conversion`."""

cpdef object call_numpy(
    str name, object function, tuple args, dict kwargs, bint scalars=*
)
cdef object as_tensors(object value, list pairs, bint scalars)
