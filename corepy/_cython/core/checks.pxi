# Checks of arguments, shared by all functions. Each takes the name of the function first, because
# its message begins with it.
#
# Needs backend, convert, dispatch, dtypes, tensor.

# LAPACK's iteration does not terminate for some matrices with an infinite element.
LinAlgError = np.linalg.LinAlgError
NOT_FINITE = "x has elements that are not finite, for which there are no singular values"


cdef object choice(str function, str name, object value, tuple allowed):
    """Argument `name`, one of `allowed`: words, numbers or None."""
    if type(value) is str and value in allowed:
        return value
    if isinstance(value, np.generic):
        value = value.item()
    # Arrays are refused first: `in` would not give a bool.
    if not isinstance(value, (str, int, float, type(None))) or value not in allowed:
        listed = ", ".join(map(repr, allowed))
        raise ValueError(f"{function}: {name} must be one of {listed}, got {value!r}")
    return value


cpdef object named_error(str function, object error):
    """An error of code that is not Corepy's, with the name of the function in front."""
    try:
        return type(error)(f"{function}: {error}")
    except TypeError:  # a subclass with other arguments than a message
        for kind in (TypeError, ValueError, IndexError, OverflowError, MemoryError):
            if isinstance(error, kind):
                return kind(f"{function}: {error}")
        return error


cdef bint truth(str function, str name, object value) except -1:
    """Argument `name` as a bool."""
    if PyBool_Check(value):
        return value is True
    try:
        return bool(value)
    except (TypeError, ValueError) as error:
        raise named_error(f"{function}: {name} must be a bool", error) from None


cdef double real_number(str function, str name, object value) except? -1.0:
    """Argument `name` as a real number."""
    if PyFloat_Check(value):
        return PyFloat_AS_DOUBLE(value)
    if not PyLong_Check(value) and (
        isinstance(value, (complex, str, bytes)) or not hasattr(value, "__float__")
        or (isinstance(value, np.ndarray) and not is_array(value))  # a mask would be lost
    ):
        raise TypeError(f"{function}: {name} must be a real number, got {type(value).__name__}")
    try:
        return float(value)
    except TypeError:
        raise TypeError(
            f"{function}: {name} must be a single real number, got {type(value).__name__}"
        ) from None
    except OverflowError as error:
        raise OverflowError(f"{function}: {name}: {error}") from None


cdef tuple normalize_axes(str function, const Axes* axes, Py_ssize_t ndim, bint unique):
    """Axes as a tuple counted from 0."""
    cdef Py_ssize_t k
    cdef tuple numbers
    if axes.all:
        return tuple(range(ndim))
    numbers = tuple([
        normalize_axis(function, axes.numbers[k], ndim) for k in range(axes.count)
    ])
    if unique and len(set(numbers)) != len(numbers):
        raise ValueError(
            f"{function}: axes must be unique, got {shape_tuple(axes.count, axes.numbers)}"
        )
    return numbers


cdef Py_ssize_t common_axis(str function, Py_ssize_t axis, Tensor x1, Tensor x2) except 0:
    """An axis of two operands, counted from the end (-1, -2, ...).

    The standard counts from the end only. An axis from the front is the same axis if both operands
    have the same ndim.
    """
    cdef Py_ssize_t ndim = min(x1.ndim, x2.ndim)
    if x1.ndim != x2.ndim and axis >= 0:
        raise np.exceptions.AxisError(
            f"{function}: axis must be negative for operands with {x1.ndim} and {x2.ndim} "
            f"dimensions, got {axis}"
        )
    return normalize_axis(function, axis, ndim) - ndim


cdef int require_ndim(str function, str name, Tensor x, Py_ssize_t ndim) except -1:
    """Raise unless `x` has exactly `ndim` dimensions."""
    if x.ndim != ndim:
        raise ValueError(f"{function}: {name} must be {ndim}-dimensional, got shape {x.shape}")
    return 0


cdef int require_least_ndim(str function, str name, Tensor x, Py_ssize_t ndim) except -1:
    """Raise unless `x` has at least `ndim` dimensions."""
    if x.ndim < ndim:
        raise ValueError(
            f"{function}: {name} must have at least {ndim} dimension{'' if ndim == 1 else 's'}, "
            f"got shape {x.shape}"
        )
    return 0


cdef int require_dtype(str function, str name, int code, int category) except -1:
    """Raise unless an argument (None: the operands together) may have dtype `code`.

    `category` is that of the schema: ACCEPTS_function_name, or an operation's own.
    """
    if not accepts(<Category>category, <Dtype>code):
        raise TypeError(
            f"{function}: dtype {DTYPES[code]} is not supported"
            f"{'' if name is None else ' for ' + name}; "
            f"allowed: {in_words(<Category>category).decode()}"
        )
    return 0


# ---- operands

cdef inline Tensor floating_operand(str function, object x):
    """An operand as a tensor of floating-point numbers: bools and integers become float64."""
    cdef Tensor operand = x if is_tensor(x) else as_tensor(function, x)
    return as_code(operand, floating_code(operand.code))


cdef Tensor complex_operand(str function, object x):
    """An operand as a tensor of complex numbers, those of bools and integers complex128."""
    cdef Tensor operand = floating_operand(function, x)
    return as_code(operand, PROMOTED[operand.code][<int>DTYPE_complex64])


cdef tuple pair(str function, object x1, object x2):
    """Two operands as tensors of one dtype; a Python scalar is put on the device of the other."""
    cdef Tensor a, b
    cdef int code
    a, b = two_tensors(function, x1, x2)
    code = PROMOTED[a.code][b.code]
    return as_code(a, code), as_code(b, code)


cdef tuple two_tensors(str function, object x1, object x2):
    """Two operands as tensors; a Python scalar takes dtype and device of the other."""
    cdef Tensor a, b
    if is_scalar(x1) and not is_scalar(x2):
        b = as_tensor(function, x2)
        return scalar_beside(function, b, x1), b
    a = as_tensor(function, x1)
    return a, scalar_beside(function, a, x2) if is_scalar(x2) else as_tensor(function, x2)


cdef tuple comparable(str function, object like, object x):
    """Two operands as tensors of one dtype, for functions that compare their values, and a mask.

    int64 and uint64 promote to float64, which cannot represent all large integers. So the first
    keeps its kind then, and the second is cast to it, with zeros for elements out of range; the
    mask is True for all others. It is None for all other dtypes.
    """
    cdef Tensor a, b
    cdef object within = None
    cdef int code
    a, b = two_tensors(function, like, x)
    code = PROMOTED[a.code][b.code]
    if is_integer(a.code) and is_integer(b.code) and not is_integer(code):
        if is_unsigned(a.code):
            code, within = DTYPE_uint64, binary(OP_greater_equal, b, 0)
        else:
            code, within = DTYPE_int64, binary(OP_less_equal, b, 0x7FFFFFFFFFFFFFFF)
        b = where(within, b, 0)
    return as_code(a, code), as_code(b, code), within


cdef Tensor scalar_beside(str function, Tensor x, object value):
    """A Python scalar as a 0-d tensor on the device of `x`, in its dtype for operations with `x`.

    An integer that this dtype cannot hold has int64 or uint64: values are only compared here, and
    a comparison with one out of range has an answer.
    """
    cdef Tensor scalar
    cdef int code = scalar_code(value, x.code)
    if is_beyond(value, code):
        code = DTYPE_uint64 if is_beyond(value, DTYPE_int64) else DTYPE_int64
    try:
        scalar = scalar_tensor(value, code)
    except OverflowError as error:
        raise OverflowError(f"{function}: {error}") from None
    return scalar if x.device is CPU else to_device(scalar, x.device)


# ---- numbers

cdef object python_number(str function, str name, object value):
    """A number as a Python scalar, whatever holds it."""
    if type(value) is float or type(value) is int or type(value) is bool or type(value) is complex:
        return value
    if is_tensor(value) or isinstance(value, (np.ndarray, np.generic)):
        if value.ndim == 0 and (is_tensor(value) or is_array(value)) \
                and value.dtype.kind in "biufc":
            return value.item()
        raise TypeError(
            f"{function}: {name} must be a number or a 0-d array, "
            f"got an array of shape {value.shape} and dtype {value.dtype}"
        )
    for method, convert in (
        ("__index__", operator.index), ("__float__", float), ("__complex__", complex),
    ):
        if hasattr(value, method):
            try:
                return convert(value)
            except TypeError:
                continue
    raise TypeError(
        f"{function}: {name} must be a number or a 0-d array, got {type(value).__name__}"
    )


cdef object finite_number(str function, str name, object value):
    """A finite real number as a Python int or float."""
    if PyLong_CheckExact(value) or (type(value) is float and isfinite(PyFloat_AS_DOUBLE(value))):
        return value
    number = python_number(function, name, value)
    if PyComplex_Check(number):
        raise TypeError(f"{function}: {name} must be an int or a float, got {value!r}")
    if PyFloat_Check(number) and not isfinite(PyFloat_AS_DOUBLE(number)):
        raise ValueError(f"{function}: {name} must be finite, got {value!r}")
    return number


cdef object fill_element(str function, object value, int code):
    """A Python scalar as one of the kind of a dtype, which must be able to hold it."""
    cdef char ignored[16]
    if PyFloat_Check(value) and is_floating(code):
        return value
    if is_complex(code):
        return complex(value)
    if code == DTYPE_bool:
        return bool(value)
    if PyComplex_Check(value):
        raise TypeError(
            f"{function}: dtype {DTYPES[code]} cannot hold the complex fill value {value!r}"
        )
    try:
        value = float(value) if is_floating(code) else int(value)
        store_scalar(ignored, code, value)
        return value
    except (OverflowError, ValueError):
        raise ValueError(
            f"{function}: dtype {DTYPES[code]} cannot hold the fill value {value!r}"
        ) from None


cdef Py_ssize_t normalize_axis(str function, Py_ssize_t axis, Py_ssize_t ndim) except -1:
    """An axis, which `read_axis` has read, counted from 0."""
    if not -ndim <= axis < ndim:
        allowed = f"{-ndim} to {ndim - 1}" if ndim else "none"
        raise np.exceptions.AxisError(
            f"{function}: axis {axis} is out of range for an array of {ndim} dimensions; "
            f"allowed: {allowed}"
        )
    return axis + ndim if axis < 0 else axis
