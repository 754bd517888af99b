# What the operators of the Tensor do.


cdef inline bint is_operand(object x):
    """Whether an operator accepts an operand; otherwise it returns NotImplemented."""
    if type(x) is Tensor or is_scalar(x) or PyDict_GetItem(SCALAR_CODES, <object>type(x)) != NULL:
        return True
    if isinstance(x, (np.ndarray, np.generic)):
        return not is_numpys(x)
    return isinstance(x, (list, tuple))


cdef bint is_numpys(object x):
    """Whether `x` is a NumPy array or scalar that a Tensor cannot represent."""
    if isinstance(x, np.ndarray):
        return not is_array(x) or find_code(x.dtype) < 0
    return isinstance(x, np.generic) and find_code(x.dtype) < 0


cdef bint is_passive(object x) except -1:
    """Whether `x` is an array-like that leaves operators with arrays to the arrays.

    NumPy has the same rule, by the first two names.
    """
    for name in ("__array_ufunc__", "__array_priority__", "__array_namespace__"):
        if hasattr(x, name):
            return False
    return is_array_like(x)


@cython.nonecheck(False)
cdef inline bint is_plain(object x) noexcept:
    """Whether `x` is a tensor with axes that others refer to: neither a number nor a temporary."""
    return type(x) is Tensor and (<Tensor>x).ndim and not has_one_reference(<PyObject*>x)


cdef inline bint is_times(Tensor x, object other) noexcept:
    """Whether a product repeats a list: an integer that is a result counts, as NumPy's scalars.

    Operators leave it to the list then, which also repeats itself in place.
    """
    return (type(other) is list or type(other) is tuple) and x.ndim == 0 and x.flags & VALUE \
        and is_integer(x.code)


cdef inline object operate(Operation op, object x1, object x2):
    cdef Tensor out
    if is_plain(x1):  # most often; the tests below would find the same
        if is_scalar(x2) or (is_plain(x2) and is_beside(<Tensor>x1, <Tensor>x2)):
            return (<Tensor>x1).backend.binary(op, x1, x2)
        if type(x2) is not Tensor:
            number = as_python(x2, <Tensor>x1)  # x2 keeps its references, which are counted below
            if is_scalar(number):
                return (<Tensor>x1).backend.binary(op, x1, number)
    if (is_number(x1) or is_number(x2)) and not may_defer_any(x1, x2):
        out = operate_on_numbers(op, x1, x2)
        if out is not None:
            return out
    if is_complex_product(op, x1, x2):
        out = multiply_at_once(op, x1, x2)
        if out is not None:
            return out
    if is_operand(x2) and is_operand(x1):
        if may_be_temporary(x1) or may_be_temporary(x2):
            out = reused(op, x1, x2)
            if out is not None:
                return out
        return binary(op, x1, x2)
    return operate_numpys(OPERATORS[NAMES[<int>op]], getattr(np, NAMES[<int>op]), x1, x2)


cdef inline object operate_on_one(Operation op, Tensor x):
    cdef Tensor out
    cdef int code
    if is_number(x) and not may_defer(x):
        out = new_tensor()
        code = operate_on_element(op, x.code, x.data, out.small)
        if code >= 0:
            out.code = <int8_t>code
            out.flags = WRITEABLE | CONTIGUOUS | READY | VALUE
            return out
    if may_be_temporary(x):
        out = reused(op, x, None)
        if out is not None:
            return out
    return unary(op, x)


# Operation -> the function of Python's module `operator`.
cdef dict OPERATORS = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "divide": operator.truediv, "floor_divide": operator.floordiv, "remainder": operator.mod,
    "pow": operator.pow, "bitwise_and": operator.and_, "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor, "bitwise_left_shift": operator.lshift,
    "bitwise_right_shift": operator.rshift, "less": operator.lt, "less_equal": operator.le,
    "equal": operator.eq, "not_equal": operator.ne, "greater": operator.gt,
    "greater_equal": operator.ge,
}


cdef object operate_numpys(object function, object ufunc, object x1, object x2):
    """An operator of a Tensor and what only NumPy has: masked arrays, matrices, text, dates.

    NumPy computes it over the tensor's memory. What has ``__array_ufunc__`` is asked by it (NEP
    13). Array-likes without operators become tensors. NotImplemented for other operands.
    """
    cdef bint first = type(x1) is Tensor
    other = x2 if first else x1
    if not is_numpys(other):
        method = getattr(type(other), "__array_ufunc__", NOTHING)
        if method is not NOTHING:
            return NotImplemented if method is None and first else ufunc(x1, x2)
        if is_passive(other):
            other = asarray(other, None, None, None, function.__name__)
            return function(x1, other) if first else function(other, x2)
        return operate_as_scalar(function, x1, x2)
    array = beside_numpys(x1 if first else x2, other)
    result = function(array, other) if first else function(other, array)
    if isinstance(result, (np.ndarray, np.generic)) and not is_numpys(result):
        return from_ndarray(function.__name__, result)
    return result


cdef object operate_as_scalar(object function, object x1, object x2):
    """An operator of an element, or a 0-d result, as NumPy's scalar, and an object that is no
    array: a Fraction, a timedelta, a tensor of PyTorch. NotImplemented for other tensors.
    """
    cdef bint first = type(x1) is Tensor
    cdef Tensor x = x1 if first else x2
    if not x.flags & VALUE or x.device is not CPU:
        return NotImplemented
    cdef Tensor out
    number = as_ndarray(x)[()]
    try:
        result = function(number, x2) if first else function(x1, number)
    except TypeError:  # Python's own names the operands
        return NotImplemented
    out = from_numpy_scalar(result)
    if out is None:
        return result
    out.flags |= VALUE
    return out


cdef object inplace_numpys(str name, object ufunc, Tensor x, object other):
    """An in-place operator of a Tensor with what only NumPy has, as `operate_numpys`."""
    function = getattr(operator, f"i{name.rstrip('_')}")
    if not is_numpys(other):
        if hasattr(type(other), "__array_ufunc__"):
            return ufunc(x, other, out=(x,))
        if is_passive(other):
            return function(x, asarray(other, None, None, None, name))
        return NotImplemented
    array = beside_numpys(x, other)
    result = function(array, other)
    return x if result is array else result


cdef object beside_numpys(Tensor x, object other):
    """An ndarray over a tensor, for an operation of NumPy with `other`."""
    if x.device is not CPU:
        raise TypeError(
            f"{type(other).__name__} of dtype {other.dtype} is NumPy's, and this tensor is on "
            f"{x.device}; move it with x.to_device('cpu')"
        )
    return as_ndarray(x)


cdef object operate_inplace(Operation op, Tensor x, object other):
    if x.flags & VALUE:  # as a number: other names of it keep the value
        return operate(op, x, other)
    # Nothing here adds a reference to `other`.
    if type(other) is Tensor and is_deferred(<Tensor>other) and not is_deferred(x) \
            and provided.compute_inplace(op, x, <Tensor>other):
        return x
    return operate_inplace_at_once(op, x, other)


cdef object operate_inplace_at_once(Operation op, Tensor x, object other):
    if not is_operand(other):
        return inplace_numpys(
            OPERATORS[NAMES[<int>op]].__name__, getattr(np, NAMES[<int>op]), x, other
        )
    if not is_scalar(other):
        other = operand_like(NAMES[<int>op], other, x.device)
        if not is_beside(x, <Tensor>other):
            shared_device(NAMES[<int>op], (x, other))
            other = to_device(other, x.device)
    return x.backend.inplace(op, x, other)


cdef object matmul_inplace(Tensor x, object other):
    result = provided.matmul(x, other)
    if (<Tensor>result).code != x.code or not same_shape(result, x):
        raise ValueError(
            f"matmul: in-place result of shape {result.shape} and dtype {result.dtype} cannot "
            f"be written into a tensor of shape {x.shape} and dtype {x.dtype}"
        )
    x[...] = result
    return x


@cython.nonecheck(False)
cdef inline bint is_number(object x) noexcept:
    """Whether `x` is a 0-d tensor in host memory."""
    return type(x) is Tensor and (<Tensor>x).ndim == 0 and in_host_memory(<Tensor>x)


cdef inline bint is_square(object exponent) noexcept:
    """Whether ``x ** exponent`` is ``x * x``."""
    cdef Py_ssize_t whole
    if PyFloat_Check(exponent):
        return PyFloat_AS_DOUBLE(exponent) == 2
    return small_integer(exponent, &whole) and whole == 2


cdef object COMPLEX64 = np.complex64  # not a complex of Python's, as complex128 is


cdef inline bint is_value(Tensor x) noexcept:
    """Whether `x` is where NumPy has a scalar, not a 0-d array."""
    return x.ndim == 0 and x.flags & VALUE != 0


@cython.nonecheck(False)
cdef inline bint is_complex_number(object x) noexcept:
    """Whether `x` is a complex element or result, deferred or not, or a complex scalar."""
    if type(x) is Tensor:
        return is_complex((<Tensor>x).code) and is_value(<Tensor>x)
    return PyComplex_Check(x) or type(x) is COMPLEX64


cdef inline bint is_complex_product(Operation op, object x1, object x2) noexcept:
    """Whether an operator multiplies two complex numbers."""
    if op == OP_multiply:
        return is_complex_number(x1) and is_complex_number(x2)
    return op == OP_pow and is_complex_number(x1) and is_square(x2)


cdef Tensor multiply_at_once(Operation op, object x1, object x2):
    """A product of complex numbers where it might be deferred: that would change its last bits."""
    if provided.check_errors:
        check_errors(NAMES[<int>op], (x1, x2), {})
    for x in (x1, x2):
        if type(x) is Tensor and (<Tensor>x).device is CPU:
            settle(<Tensor>x)
    return operate_on_numbers(op, x1, x2) if is_number(x1) or is_number(x2) else None


cdef bint store_number(char* out, Tensor like, object value) noexcept:
    """`store_plain_scalar` beside a tensor, of NumPy's scalars and for complex elements, too."""
    cdef Py_ssize_t whole = 0
    cdef double real, imag = 0.0
    if is_complex(like.code):
        if PyComplex_CheckExact(value):
            real, imag = PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value)
        elif PyFloat_CheckExact(value) \
                or (PyFloat_Check(value) and like.code == DTYPE_complex128):
            real = PyFloat_AS_DOUBLE(value)
        elif small_integer(value, &whole):
            real = whole
        else:
            return store_numpys(out, like, value)
        store_real(out, like.code, real)
        store_real(out + dtype_itemsize[like.code] // 2, like.code, imag)
        return True
    return store_numpys(out, like, value)


@cython.nonecheck(False)
cdef Tensor operate_on_numbers(Operation op, object x1, object x2):
    """``op(x1, x2)`` of a 0-d tensor and another of its dtype, or a Python scalar that takes it:
    what loops over elements consist of. None for what is left to `binary`.
    """
    cdef Tensor like
    cdef Tensor out
    cdef const char* a
    cdef const char* b
    cdef double scalar[2]
    cdef int code
    if is_number(x1):
        like = <Tensor>x1
        a = like.data
        if type(x2) is Tensor:
            if not is_number(x2) or (<Tensor>x2).code != like.code:
                return None
            b = (<Tensor>x2).data
        elif store_plain_scalar(<char*>scalar, like.code, x2) \
                or store_number(<char*>scalar, like, x2):
            b = <char*>scalar
        else:
            return None
    else:
        like = <Tensor>x2
        b = like.data
        if type(x1) is Tensor or not (
            store_plain_scalar(<char*>scalar, like.code, x1)
            or store_number(<char*>scalar, like, x1)
        ):
            return None
        a = <char*>scalar
    if op == OP_pow:
        if b != <char*>scalar or not is_square(x2):
            return None
        op, b = OP_multiply, a
    if op == OP_multiply and is_complex(like.code) and not (
        is_value(like) and (type(x2) is not Tensor or is_value(<Tensor>x2))
    ):
        return None  # a kernel's product, as of NumPy's 0-d arrays
    out = new_tensor()
    code = operate_on_elements(op, like.code, a, b, out.small)
    if code < 0:
        return None
    out.code = <int8_t>code
    out.flags = WRITEABLE | CONTIGUOUS | READY | VALUE
    return out


@cython.nonecheck(False)
cdef inline Tensor compared_numbers(Operation op, Tensor a, Tensor b):
    """A comparison of 0-d tensors of one dtype; None if it is not one of real numbers."""
    cdef PyObject* last = take_answer(DTYPE_bool, WRITEABLE | CONTIGUOUS | READY | VALUE)
    cdef Tensor out
    if last != NULL:
        out = <Tensor>last
        return out if operate_on_elements(op, a.code, a.data, b.data, out.small) >= 0 else None
    out = new_tensor()
    if operate_on_elements(op, a.code, a.data, b.data, out.small) < 0:
        return None
    out.code = DTYPE_bool
    out.flags = WRITEABLE | CONTIGUOUS | READY | VALUE
    keep_answer(<PyObject*>out)
    return out


cdef inline bint has_complex_elements(object x) noexcept:
    """Whether `x` is a complex number, tensor or ndarray."""
    if type(x) is Tensor:
        return is_complex((<Tensor>x).code)
    return PyComplex_Check(x) or type(x) is COMPLEX64 \
        or (cnp.PyArray_Check(x) and cnp.PyArray_ISCOMPLEX(x))


cdef object ordered_as_numpys(int comparison, Tensor x, object other):
    """``x < other``, ... of complex numbers on the CPU, which the standard leaves undefined: NumPy
    compares real components, and imaginary ones where those are equal.
    """
    cdef str name = NAMES[<int>COMPARISONS[comparison]]
    cdef Tensor out
    if not is_operand(other):
        return operate(COMPARISONS[comparison], x, other)
    if type(other) is Tensor:
        if not is_beside(x, <Tensor>other):
            shared_device(name, (x, other))
        other = as_ndarray(to_device(<Tensor>other, CPU))
    out = from_ndarray(name, np.asarray(getattr(np, name)(as_ndarray(to_device(x, CPU)), other)))
    if out.ndim == 0:
        out.flags |= VALUE
    return out


# Operations by the number that Python gives a comparison: <, <=, ==, !=, >, >=.
cdef Operation[6] COMPARISONS
COMPARISONS[:] = [OP_less, OP_less_equal, OP_equal, OP_not_equal, OP_greater, OP_greater_equal]
