# Arguments that are integers or shapes, for all functions.

cpdef object as_integer(str function, str name, object value, object minimum=None):
    """Return argument `name` as an int that is at least `minimum`."""
    if not PyLong_CheckExact(value):
        try:
            value = operator.index(value)
        except TypeError:
            raise TypeError(
                f"{function}: {name} must be an integer, got {type(value).__name__}"
            ) from None
    if minimum is not None and value < minimum:
        raise ValueError(f"{function}: {name} must be at least {minimum}, got {value}")
    return value


cpdef tuple as_integers(str function, str name, object values, object minimum=None):
    """Return argument `name`, an integer or a sequence of them, as a tuple of ints."""
    if PyLong_CheckExact(values):
        return (as_integer(function, name, values, minimum),)
    if isinstance(values, (tuple, list)):
        return tuple([as_integer(function, f"each entry of {name}", v, minimum) for v in values])
    try:
        return (as_integer(function, name, values, minimum),)
    except TypeError:
        iterable = hasattr(values, "__iter__") and getattr(values, "ndim", 1) != 0
        if iterable and not isinstance(values, (str, bytes)):
            return as_integers(function, name, list(values), minimum)
        raise TypeError(
            f"{function}: {name} must be an integer or a sequence of integers, "
            f"got {type(values).__name__}"
        ) from None


cdef Py_ssize_t read_shape(
    str function, object shape, Py_ssize_t* dims, Py_ssize_t least=0
) except -1:
    """Write the sizes of a shape, an int or a sequence of ints that are at least `least`, and
    return how many they are.
    """
    cdef int overflow = 0
    cdef Py_ssize_t axis
    cdef tuple sizes
    if PyLong_CheckExact(shape):
        dims[0] = PyLong_AsLongLongAndOverflow(shape, &overflow)
        if dims[0] >= least and not overflow:
            return 1
    elif type(shape) is tuple and len(<tuple>shape) <= MAX_NDIM:
        sizes = <tuple>shape
        for axis in range(len(sizes)):
            if not small_integer(sizes[axis], &dims[axis]) or dims[axis] < least:
                break
        else:
            return len(sizes)
    sizes = as_shape(function, shape, least)
    for axis in range(len(sizes)):
        dims[axis] = sizes[axis]
    return len(sizes)


cdef Py_ssize_t clamped(object value, Py_ssize_t low, Py_ssize_t high) except? -1:
    """A Python integer, clamped to the interval."""
    cdef int overflow = 0
    cdef Py_ssize_t number = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        return low if overflow < 0 else high
    return min(max(number, low), high)
