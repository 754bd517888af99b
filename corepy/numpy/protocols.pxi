# NumPy's functions called with tensors: ``numpy.sin(x)`` is ``corepy.sin(x)``.
#
# NumPy, and what is written for NumPy's arrays, calls the drop-in's functions by these protocols
# (NEP 13 and NEP 18), so that results are tensors on the device of the arguments.

cdef object find_own = None


cdef object own_of(object function):
    """The drop-in's function for one of NumPy's; many programs use none, and import no other."""
    global find_own
    if find_own is None:
        from corepy.numpy._names import of_numpy
        find_own = of_numpy
    return find_own(function)


# ---- functions

# Classes that these protocols take; another class with one of the protocols comes first.
cdef tuple OWN = (Tensor, np.ndarray)


def array_function(self, function, types, args, kwargs):
    """Compute a function of NumPy's. See NEP 18."""
    for cls in types:
        if not issubclass(cls, OWN):
            return NotImplemented
    result = computed(function, args, kwargs)
    for cls in types:
        if issubclass(cls, Tensor) and cls is not Tensor:
            return result
    return standards(result)


cdef object computed(object function, tuple args, dict kwargs):
    computing = getattr(function, "_implementation", None)  # None: called for an argument `like`
    if computing is not None and not holds_tensors((*args, *kwargs.values()), 64):
        # They are in another container, as an array of objects. NumPy's code makes ndarrays of
        # them; NumPy's function would call this one again.
        return call_numpy(function.__name__, computing, args, kwargs)
    own = own_of(function)
    if own is None:
        return call_numpy(function.__name__, function, args, kwargs)
    return own(*args, **kwargs)


cdef bint holds_tensors(object values, int depth) except -1:
    """Whether a tensor is among values, or in lists, tuples and dicts among them."""
    for value in values:
        if is_tensor(value):
            return True
        if type(value) is dict:
            value = value.values()
        elif type(value) is not list and type(value) is not tuple:
            continue
        if depth and holds_tensors(value, depth - 1):
            return True
    return False


# ---- ufuncs

cdef enum:
    MOST_OPERANDS = 32    # of calls without a tuple

cdef dict own_ufuncs = {}   # by NumPy's; None: there is none


cdef object own_ufunc(object ufunc):
    """Return the drop-in's function for a ufunc of NumPy's, or None."""
    found = own_ufuncs.get(ufunc, own_ufuncs)
    if found is own_ufuncs:
        found = own_ufuncs[ufunc] = own_of(ufunc)
    return found


cdef bint has_other_protocol(PyObject** operands, Py_ssize_t count) except -1:
    """Whether an operand is of another class with ``__array_ufunc__``, which comes first."""
    cdef Py_ssize_t k
    for k in range(count):
        operand = <object>operands[k]
        if not is_tensor(operand) and not PyFloat_Check(operand) \
                and not cnp.PyArray_Check(operand) and not cnp.PyArray_CheckScalar(operand) \
                and hasattr(operand, "__array_ufunc__"):
            return True
    return False


@cython.final
cdef class ArrayUfunc:
    """``Tensor.__array_ufunc__``: a ufunc of NumPy's, or a method of one, with tensors (NEP 13).

    NumPy calls it for each operator with one of its scalars on the left.
    """

    cdef vectorcallfunc vectorcall

    def __init__(self):
        self.vectorcall = <vectorcallfunc>call_ufunc

    def __get__(self, instance, owner):
        return self if instance is None else METHOD(self, instance)


cdef object METHOD = MethodType


cdef PyObject* call_ufunc(
    ArrayUfunc self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    # The arguments are the tensor, the ufunc, the method's name, and the operands.
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf)
    if names == NULL and 3 < count <= 3 + MOST_OPERANDS and <object>args[2] == "__call__" \
            and not has_other_protocol(args + 3, count - 3):
        own = own_ufunc(<object>args[1])
        if own is not None:
            return call_for(args + 3, count - 3, own)
    positional, named = unpacked(args, count, names)
    value = apply_ufunc(*positional, **named)
    Py_INCREF(value)
    return <PyObject*>value


cdef int raise_pending() except -1:
    """Raise the error set by a C function."""
    return -1


cdef PyObject* call_for(PyObject** operands, Py_ssize_t count, object own) except NULL:
    """Call a ufunc, whose results are ndarrays if an operand is one."""
    cdef PyObject* found = PyObject_Vectorcall(own, operands, count, NULL)
    cdef Py_ssize_t k
    if found == NULL:
        raise_pending()
    for k in range(count):
        if is_tensor(<object>operands[k]) and type(<object>operands[k]) is not Tensor:
            return found
    value = <object>found
    Py_DECREF(value)
    value = standards(value)
    Py_INCREF(value)
    return <PyObject*>value


def apply_ufunc(Tensor self not None, ufunc, str method, *inputs, **kwargs):
    """Compute any call of `ArrayUfunc`."""
    given = kwargs.get("out", ())
    cdef tuple out = given if type(given) is tuple else (given,)  # Numba passes the array
    if has_other_protocol(tuple_items(inputs), len(inputs)) \
            or has_other_protocol(tuple_items(out), len(out)):
        return NotImplemented
    own = own_ufunc(ufunc)
    if own is None:
        name = f"{ufunc.__name__}.{method}"
        found = call_numpy(name, getattr(ufunc, method), inputs, kwargs)
    else:
        found = (own if method == "__call__" else getattr(own, method))(*inputs, **kwargs)
    # An ndarray in `out` is returned itself, so that ``array += x`` leaves it an ndarray.
    if len(out) == 1:
        return out[0]
    for operand in inputs:
        if is_tensor(operand) and type(operand) is not Tensor:
            return found
    return standards(found)


cdef ArrayUfunc array_ufunc = ArrayUfunc()
call_by_vector(ArrayUfunc, <char*>&array_ufunc.vectorcall - <char*><void*>array_ufunc)
call_as_method(ArrayUfunc)
extend({"__array_function__": array_function, "__array_ufunc__": array_ufunc})
