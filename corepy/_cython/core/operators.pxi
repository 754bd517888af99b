# What the operators of the Tensor do.
#
# Needs classes, convert, device, dispatch, dtypes, storage, tensor.


cdef inline bint is_operand(object x):
    """Whether an operator accepts an operand; otherwise it returns NotImplemented."""
    if is_tensor(x) or is_scalar(x) or PyDict_GetItem(SCALAR_CODES, <object>type(x)) != NULL:
        return True
    if isinstance(x, (np.ndarray, np.generic)):
        return not is_for_numpy(x)
    return isinstance(x, (list, tuple))


cdef bint is_for_numpy(object x):
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


cdef inline object operate(Operation op, object x1, object x2):
    return as_operators(operated(op, x1, x2), x1, x2)


cdef inline object as_operators(object result, object x1, object x2):
    """What an operator returns: in the class of its operands, of ndarrays scalars, too."""
    return operators_result(result, x1, x2) if sets_class(x1) or sets_class(x2) else result


cdef object operators_result(object result, object x1, object x2):
    cdef object cls
    if not HAS_PYTHON_CLASS(x1) and not HAS_PYTHON_CLASS(x2):
        return in_ndarray(result, True)
    cls = class_among((x1, x2))
    return result if cls is Tensor else result_in(cls, result, x1 if is_tensor(x1) else x2, True)


cdef inline object operated(Operation op, object x1, object x2):
    if is_tensor(x1):  # most often; `computed_binary` would find the same
        if is_tensor(x2):
            if shares_backend(<Tensor>x1, <Tensor>x2):
                return (<Tensor>x1).backend.binary(op, x1, x2)
        else:
            number = x2 if is_scalar(x2) else as_python(x2, <Tensor>x1)
            if is_scalar(number):
                return (<Tensor>x1).backend.binary(op, x1, number)
    if is_operand(x2) and is_operand(x1):
        return computed_binary(op, x1, x2)
    return operate_by_numpy(OPERATORS[NAMES[<int>op]], getattr(np, NAMES[<int>op]), x1, x2)


cdef inline object operate_on_one(Operation op, Tensor x):
    return as_operators(x.backend.unary(op, x), x, None)


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


cdef object operate_by_numpy(object function, object ufunc, object x1, object x2):
    """An operator of a Tensor and what only NumPy has: masked arrays, matrices, text, dates.

    NumPy computes it over the tensor's memory. What has ``__array_ufunc__`` is asked by it (NEP
    13). Array-likes without operators become tensors. NotImplemented for other operands.
    """
    cdef bint first = is_tensor(x1)
    other = x2 if first else x1
    if not is_for_numpy(other):
        method = getattr(type(other), "__array_ufunc__", NOTHING)
        if method is not NOTHING:
            return NotImplemented if method is None and first else ufunc(x1, x2)
        if is_passive(other):
            other = asarray(other, None, None, None, function.__name__)
            return function(x1, other) if first else function(other, x2)
        return NotImplemented
    array = ndarray_for(x1 if first else x2, other)
    result = function(array, other) if first else function(other, array)
    if isinstance(result, (np.ndarray, np.generic)) and not is_for_numpy(result):
        return from_ndarray(function.__name__, result)
    return result


cdef object compared_by_other(int comparison, Tensor x, object other):
    """``x == other``, ... where the class of `other` alone may have it.

    If it has not, Python compares identities: `x == other` would be False for equal arrays.
    """
    if comparison != Py_EQ and comparison != Py_NE or not is_array_like(other):
        return NotImplemented
    cls = type(other)
    result = cls.__eq__(other, x) if comparison == Py_EQ else cls.__ne__(other, x)
    if result is NotImplemented:
        raise TypeError(
            f"{NAMES[<int>COMPARISONS[comparison]]}: neither {type(x).__name__} nor "
            f"{cls.__module__}.{cls.__qualname__} compares with the other; convert one of them, "
            f"for instance with corepy.asarray"
        )
    return result


cdef object inplace_by_numpy(str name, object ufunc, Tensor x, object other):
    """An in-place operator of a Tensor with what only NumPy has, as `operate_by_numpy`."""
    function = getattr(operator, f"i{name.rstrip('_')}")
    if not is_for_numpy(other):
        if hasattr(type(other), "__array_ufunc__"):
            return ufunc(x, other, out=(x,))
        if is_passive(other):
            return function(x, asarray(other, None, None, None, name))
        return NotImplemented
    array = ndarray_for(x, other)
    result = function(array, other)
    return x if result is array else result


cdef object ndarray_for(Tensor x, object other):
    """An ndarray over a tensor, for an operation of NumPy with `other`."""
    if x.device is not CPU:
        raise TypeError(
            f"{type(other).__name__} of dtype {other.dtype} is NumPy's, and this tensor is on "
            f"{x.device}; move it with x.to_device('cpu')"
        )
    return as_ndarray(x)


cdef object operate_inplace(Operation op, Tensor x, object other):
    # Nothing here adds a reference to `other`.
    if is_tensor(other) and is_deferred(<Tensor>other) and not is_deferred(x) \
            and provided.compute_inplace(op, x, <Tensor>other):
        return x
    return operate_inplace_at_once(op, x, other)


cdef object operate_inplace_at_once(Operation op, Tensor x, object other):
    if not is_operand(other):
        return inplace_by_numpy(
            OPERATORS[NAMES[<int>op]].__name__, getattr(np, NAMES[<int>op]), x, other
        )
    if not is_scalar(other):
        other = operand_like(NAMES[<int>op], other, x.device)
        if not shares_backend(x, <Tensor>other):
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


cdef object COMPLEX64 = np.complex64  # not a complex of Python's, as complex128 is


cdef inline bint has_complex_elements(object x) noexcept:
    """Whether `x` is a complex number, tensor or ndarray."""
    if is_tensor(x):
        return is_complex((<Tensor>x).code)
    return PyComplex_Check(x) or type(x) is COMPLEX64 \
        or (cnp.PyArray_Check(x) and cnp.PyArray_ISCOMPLEX(x))


cdef object ordered_as_numpy(int comparison, Tensor x, object other):
    """``x < other``, ... of complex numbers on the CPU, which the standard leaves undefined: NumPy
    compares real components, and imaginary ones where those are equal.
    """
    cdef str name = NAMES[<int>COMPARISONS[comparison]]
    cdef Tensor out
    if not is_operand(other):
        return operate(COMPARISONS[comparison], x, other)
    if is_tensor(other):
        if not shares_backend(x, <Tensor>other):
            shared_device(name, (x, other))
        other = as_ndarray(to_device(<Tensor>other, CPU))
    out = from_ndarray(name, np.asarray(getattr(np, name)(as_ndarray(to_device(x, CPU)), other)))
    if out.ndim == 0:
        out.flags |= VALUE
    return out


# Operations by the number that Python gives a comparison: <, <=, ==, !=, >, >=.
cdef Operation[6] COMPARISONS
COMPARISONS[:] = [OP_less, OP_less_equal, OP_equal, OP_not_equal, OP_greater, OP_greater_equal]
