# Operands of kernels: Python scalars.

cdef int set_scalar(str function, Operand* operand, int code, object value) except -1:
    """Make a Python scalar an operand of dtype `code`, with NumPy's casts."""
    set_element(operand, scalar_code(value, code))
    store_named(function, operand.scalar, operand.code, value)
    return 0


cdef extern from "launch.hpp" namespace "corepy" nogil:
    cdef struct Input:
        const char* data
        char scalar[16]


cdef inline void set_input(Input* input, const Operand* value) noexcept:
    """Set an input of a kernel to a value on the device, or a Python scalar, passed by value."""
    input.data = value.data
    if value.data == value.scalar:
        input.data = NULL
    memcpy(input.scalar, value.scalar, 16)
