# Operands of kernels: Python scalars.

cdef int set_scalar(str function, Operand* operand, int code, object value) except -1:
    """Make a Python scalar an operand of dtype `code`, with NumPy's casts."""
    set_element(operand, scalar_code(value, code))
    store_named(function, operand.scalar, operand.code, value)
    return 0


cdef inline const char* address_of(const Operand* value) noexcept:
    """The address of a value on the device; NULL for a Python scalar, which is passed by value."""
    if value.data == value.scalar:
        return NULL
    return value.data
