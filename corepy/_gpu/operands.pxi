# Operands of kernels: tensors and Python scalars.

cdef inline void set_tensor(Operand* operand, Tensor x) noexcept:
    operand.data = x.data
    operand.dims = x.dims
    operand.steps = x.steps
    operand.ndim = x.ndim
    operand.code = x.code


cdef int set_scalar(str function, Operand* operand, int code, object value) except -1:
    """Make a Python scalar an operand of dtype `code`, with NumPy's casts."""
    operand.data = operand.scalar
    operand.dims = operand.steps = NULL
    operand.ndim = 0
    operand.code = scalar_code(value, code)
    store_named(function, operand.scalar, operand.code, value)
    return 0


cdef inline const char* address_of(const Operand* value) noexcept:
    """The address of a value on the device; NULL for a Python scalar, which is an argument."""
    if value.data == value.scalar:
        return NULL
    return value.data


cdef inline bint broadcast_steps(
    const Operand* operand, Py_ssize_t ndim, const Py_ssize_t* dims, Py_ssize_t* steps
) noexcept:
    """Compute an operand's strides along axes of those sizes; false where it does not broadcast."""
    cdef Py_ssize_t offset = ndim - operand.ndim
    cdef Py_ssize_t axis
    cdef bint fits = offset >= 0
    for axis in range(ndim):
        if axis < offset or operand.dims[axis - offset] == 1:
            steps[axis] = 0
        else:
            steps[axis] = operand.steps[axis - offset]
            fits &= operand.dims[axis - offset] == dims[axis]
    return fits


cdef inline void drop_leading_ones(Operand* operand, Py_ssize_t ndim) noexcept:
    """Drop leading axes of size 1 of an operand of more than `ndim` axes."""
    while operand.ndim > ndim and operand.dims[0] == 1:
        operand.ndim -= 1
        operand.dims += 1
        operand.steps += 1
