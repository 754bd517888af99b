# Arguments that are integers or shapes, for all functions.
#
# Needs storage, views.

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


cdef tuple as_items(str function, str name, object values, Py_ssize_t most):
    """The items of a sequence argument, of which no more than `most` are read."""
    cdef list items
    if type(values) is tuple:
        if len(<tuple>values) <= most:
            return <tuple>values
    elif not PySequence_Check(values) or isinstance(values, (str, bytes)):
        raise TypeError(
            f"{function}: {name} must be an integer or a sequence of integers, "
            f"got {type(values).__name__}"
        )
    else:
        items = []
        for item in values:
            if len(items) == most:
                break
            items.append(item)
        else:
            return tuple(items)
    raise ValueError(f"{function}: {name} must have at most {most} entries, got more")


cpdef tuple as_integers(str function, str name, object values, object minimum=None):
    """Return argument `name`, an integer or a sequence of at most 1024, as a tuple of ints."""
    if is_integral(values):
        return (as_integer(function, name, values, minimum),)
    return tuple([
        as_integer(function, f"each entry of {name}", value, minimum)
        for value in as_items(function, name, values, MAX_INTEGERS)
    ])


cdef bint is_integral(object value) except -1:
    """Whether an argument is to be an integer and no sequence: not an array with axes."""
    return PyLong_CheckExact(value) or (
        PyIndex_Check(value) and getattr(value, "ndim", 0) == 0
    )


# ---- integers in C
#
# An object that is not an int runs code of its own when it is converted, and other threads run
# then: shapes of tensors may be others afterwards. So conversion and check are two functions. These
# convert and know no tensor; those that compare with a tensor (`normalize_axis`, `mark_axes`) take
# what these return. A function converts all its arguments before it reads a shape.

cdef Py_ssize_t read_integer(
    str function, str name, object value, object minimum=None
) except? -1:
    """Argument `name` as a C integer, the nearest one beyond their range."""
    return clamped(as_integer(function, name, value, minimum), PY_SSIZE_T_MIN, PY_SSIZE_T_MAX)


cdef Py_ssize_t read_any_axis(str function, object axis) except? -1:
    cdef int overflow = 0
    axis = as_integer(function, "axis", axis)
    cdef Py_ssize_t number = PyLong_AsLongLongAndOverflow(axis, &overflow)
    if overflow:
        raise np.exceptions.AxisError(
            f"{function}: axis {axis} is out of range; arrays have at most {MAX_NDIM} dimensions"
        )
    return number


cdef int read_axes(str function, object axis, Axes* axes) except -1:
    """Read axes, given by None, an int or a sequence of ints."""
    cdef Py_ssize_t k
    cdef tuple items
    axes.all = axis is None
    axes.count = 0
    if axes.all:
        return 0
    axes.single = is_integral(axis)
    if axes.single:
        axes.count = 1
        axes.numbers[0] = read_axis(function, axis)
        return 0
    items = as_items(function, "axis", axis, MAX_NDIM)
    for k in range(len(items)):
        axes.numbers[k] = read_axis(function, items[k])
    axes.count = len(items)
    return 0


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
    sizes = as_shape(function, shape, least)  # of exact ints
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


cdef int read_named_axes(str function, object axis, Axes* axes) except -1:
    """The same, but None is not allowed."""
    if axis is None:
        raise TypeError(
            f"{function}: an axis must be an integer or a sequence of integers, got None"
        )
    return read_axes(function, axis, axes)


cdef object plain_axes(const Axes* axes):
    """Axes as None, an int or a tuple of ints, as they were given."""
    if axes.all:
        return None
    return axes.numbers[0] if axes.single else shape_tuple(axes.count, axes.numbers)
