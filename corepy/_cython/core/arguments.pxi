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


cdef long long FAR = 0x1000000000000000   # differences of integers below it do not overflow
cdef long long EXACT = 0x20000000000000   # integers up to it are float64 numbers


cdef Py_ssize_t count_numbers(object start, object stop, object step, int code) except -1:
    """The number of elements of `arange`; ValueError if no memory or dtype can hold them."""
    cdef long long a, b, c
    cdef double x, y, z
    cdef int overflow[3]
    if not (PyFloat_Check(start) or PyFloat_Check(stop) or PyFloat_Check(step)):
        a = PyLong_AsLongLongAndOverflow(start, &overflow[0])
        b = PyLong_AsLongLongAndOverflow(stop, &overflow[1])
        c = PyLong_AsLongLongAndOverflow(step, &overflow[2])
        if not (overflow[0] or overflow[1] or overflow[2]) and code != DTYPE_uint64 \
                and -FAR < a < FAR and -FAR < b < FAR:
            if (b <= a) if c > 0 else (b >= a):
                return 0
            a = (b - a - 1) // c + 1 if c > 0 else (b - a + 1) // c + 1
            return a if a < EXACT else count_any(start, stop, step, code)
    elif is_floating(code) and as_exact(start, &x) and as_exact(stop, &y) and as_exact(step, &z):
        x = (y - x) / z
        if x >= 1e-300 and x < 1e15:
            return <Py_ssize_t>ceil(x)
    return count_any(start, stop, step, code)


cdef inline bint as_exact(object value, double* number) noexcept:
    """Write a Python float, or an int that float64 represents exactly; false for other ints."""
    cdef int overflow = 0
    cdef long long whole
    if PyFloat_Check(value):
        number[0] = PyFloat_AS_DOUBLE(value)
        return True
    whole = PyLong_AsLongLongAndOverflow(value, &overflow)
    number[0] = <double>whole
    return not overflow and -EXACT <= whole <= EXACT


cdef Py_ssize_t count_any(object start, object stop, object step, int code) except -1:
    """`count_numbers` for numbers of any kind and size."""
    try:
        if PyFloat_Check(start) or PyFloat_Check(stop) or PyFloat_Check(step):
            distance = stop - start
            steps = distance / step
            if steps == 0 and distance != 0:  # underflow
                return (step > 0) == (distance > 0)
            count = math.ceil(steps)
        else:
            count = -((start - stop) // step)
    except (OverflowError, ValueError):
        count = PY_SSIZE_T_MAX
    if count <= 0:
        return 0
    if count * dtype_itemsize[code] > PY_SSIZE_T_MAX:
        raise ValueError(
            f"arange: memory cannot address the numbers from {start} to {stop} in steps of {step}"
        )
    # Narrower integers wrap around, as in all operations.
    if code == DTYPE_int64 or code == DTYPE_uint64:
        limits = np.iinfo(DTYPES[code])
        for value in (start, start + (count - 1) * step):
            if not limits.min <= value <= limits.max:
                raise ValueError(f"arange: dtype {DTYPES[code]} cannot hold {value}")
    return count


cdef Py_ssize_t grid_axis(Py_ssize_t position, Py_ssize_t ndim, str indexing):
    """The axis of a grid along which the coordinates of one of its vectors change."""
    return 1 - position if ndim > 1 and position < 2 and indexing == "xy" else position
