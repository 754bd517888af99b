# Arrays made from nothing, from a few numbers, or from one diagonal of another.

# ---- of one value

cdef Tensor zeroed(int code, Py_ssize_t rank, const Py_ssize_t* dims):
    """A tensor of zeros; a large one is cleared when it is touched, page by page."""
    cdef Tensor out = new_tensor()
    cdef Py_ssize_t nbytes
    cdef Block block
    out.code = <int8_t>code
    set_shape(out, rank, dims)
    nbytes = out.count * dtype_itemsize[code]
    if nbytes >= <Py_ssize_t>LAZY_ZEROS:
        block = Block.__new__(Block)
        block.memory = acquire_zeroed_memory(nbytes, &block.capacity)
        if block.memory == NULL:
            raise no_memory(nbytes)
    elif nbytes > <Py_ssize_t>sizeof(out.small):
        block = allocate(nbytes)
    else:
        memset(out.small, 0, sizeof(out.small))
        return out
    out.data = <char*>block.memory
    out.storage = block
    if nbytes < <Py_ssize_t>LAZY_ZEROS:
        fill_with(out, ZEROS)
    return out


cdef char ZEROS[16]


cdef int fill_with(Tensor out, const char* element) noexcept:
    """Write one element, of the dtype of `out`, which is contiguous, everywhere."""
    cdef Py_ssize_t itemsize = dtype_itemsize[out.code]
    if out.count < RELEASE_GIL:
        fill_elements(out.count, itemsize, element, out.data)
    else:
        with nogil:
            fill_elements(out.count, itemsize, element, out.data)
    return 0


cdef Tensor filled(int code, Py_ssize_t rank, const Py_ssize_t* dims, object value):
    """A tensor filled with a Python scalar; None leaves it as it is."""
    cdef char element[16]
    cdef Tensor out
    if value is None:
        return empty(code, rank, dims)
    if PyLong_CheckExact(value) and value == 0:  # all bits zero, in every dtype
        return zeroed(code, rank, dims)
    store_scalar(element, code, value)
    out = empty(code, rank, dims)
    fill_with(out, element)
    return out


cpdef Tensor full(str function, object shape, object value, object dtype, object device):
    """Return a new tensor filled with a Python scalar of the dtype's kind.

    A value of None leaves the elements uninitialised. Errors name `function`.
    """
    cdef Py_ssize_t dims[MAX_RANK]
    cdef Py_ssize_t rank
    cdef Device target = CPU if device is None else as_device(device, function)
    cdef int code = DTYPE_float64 if dtype is None else dtype_code(function, dtype)
    if target is CPU:
        rank = read_shape(function, shape, dims)
        check_size(function, code, rank, dims)
        return filled(code, rank, dims, value)
    return target.backend.full(as_shape(function, shape), value, DTYPES[code], target)


cpdef Tensor full_like(str function, object x, object value, object dtype, object device):
    """Return a new tensor of the shape of `x`, and by default its dtype; otherwise as `full`."""
    cdef Tensor like = as_tensor(function, x)
    cdef Device target = like.device_ if device is None else as_device(device, function)
    cdef int code = like.code if dtype is None else dtype_code(function, dtype)
    if target is CPU:
        return filled(code, like.rank, like.dims, value)
    return target.backend.full(shape_tuple(like.rank, like.dims), value, DTYPES[code], target)


cpdef Tensor full_with(object shape, object fill_value, object dtype=None, object device=None):
    """Return a new tensor filled with a number. See `corepy.array_api.full`."""
    cdef object value = python_number("full", "fill_value", fill_value)
    cdef int code
    if dtype is not None:
        code = dtype_code("full", dtype)
    elif is_scalar(fill_value):
        code = default_code(value)
    else:
        code = dtype_code("full", getattr(fill_value, "dtype", DTYPES[default_code(value)]))
    return full("full", shape, fill_element("full", value, code), DTYPES[code], device)


cpdef Tensor full_like_with(object x, object fill_value, object dtype=None, object device=None):
    """Return a new tensor of the shape of `x`. See `corepy.array_api.full_like`."""
    cdef Tensor like = x if type(x) is Tensor else as_tensor("full_like", x)
    cdef int code = like.code if dtype is None else dtype_code("full_like", dtype)
    cdef object value = python_number("full_like", "fill_value", fill_value)
    element = fill_element("full_like", value, code)
    return full_like("full_like", like, element, DTYPES[code], device)


# ---- progressions

cdef long long FAR = 0x1000000000000000   # differences of integers below it do not overflow
cdef long long EXACT = 0x20000000000000   # integers up to it are float64 numbers


cdef Py_ssize_t count_numbers(object start, object stop, object step, int code) except -1:
    """How many numbers `arange` gives; ValueError when no memory or dtype can hold them."""
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
    """Write a Python float, or an int that is exactly one; false for other ints."""
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
            if steps == 0 and distance != 0:  # too small a share for a float, but some
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
    # Narrower integers wrap around, as they do everywhere.
    if code == DTYPE_int64 or code == DTYPE_uint64:
        limits = np.iinfo(DTYPES[code])
        for value in (start, start + (count - 1) * step):
            if not limits.min <= value <= limits.max:
                raise ValueError(f"arange: dtype {DTYPES[code]} cannot hold {value}")
    return count


cdef bint write_arange(Tensor out, object start, object step) except -1:
    """Write start, start + step, ...; false when the dtype cannot hold the first two."""
    cdef Progression terms
    cdef char first[16]
    cdef char second[16]
    if out.count == 0:
        return True
    try:
        store_scalar(first, out.code, start)
        if out.count == 1:
            memcpy(out.data, first, dtype_itemsize[out.code])
            return True
        store_scalar(second, out.code, start + step)
    except OverflowError:
        return False
    if out.count > 2:
        memset(&terms, 0, sizeof(terms))
        # The step is what lies between the first two once they are elements, as in NumPy.
        if out.code == DTYPE_float64:
            terms.first[0] = (<double*>first)[0]
            terms.step[0] = (<double*>second)[0] - terms.first[0]
        elif out.code == DTYPE_float32:
            terms.first[0] = (<float*>first)[0]
            terms.step[0] = (<float*>second)[0] - (<float*>first)[0]
        else:
            memcpy(&terms.whole_first, first, dtype_itemsize[out.code])
            memcpy(&terms.whole_step, second, dtype_itemsize[out.code])
            terms.whole_step -= terms.whole_first
        write_terms(out, PRECISION_own, &terms)
    memcpy(out.data, first, dtype_itemsize[out.code])
    memcpy(out.data + dtype_itemsize[out.code], second, dtype_itemsize[out.code])
    return True


cdef int write_terms(Tensor out, Precision precision, const Progression* terms) except -1:
    if out.count >= RELEASE_GIL:
        with nogil:
            write_progression(<Dtype>out.code, precision, terms[0], out.count, out.data)
    else:
        write_progression(<Dtype>out.code, precision, terms[0], out.count, out.data)
    return 0


cdef Tensor arange_of_integers(int code, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step):
    """`arange` of small integers, as int64 or float64."""
    cdef Progression terms
    cdef Py_ssize_t count = stop - start if step > 0 else start - stop
    cdef Tensor out
    if step == 0:
        raise ValueError("arange: step must not be 0")
    if count < 0:
        count = 0
    if step != 1:
        count = (count + (step if step > 0 else -step) - 1) // (step if step > 0 else -step)
    out = empty(code, 1, &count)
    terms.first[0], terms.step[0] = start, step
    terms.whole_first, terms.whole_step = start, step
    terms.first[1] = terms.step[1] = 0
    write_terms(out, PRECISION_own, &terms)
    return out


cpdef Tensor arange(
    object start, object stop=None, object step=1, object dtype=None, object device=None
):
    """Return start, start + step, ... up to stop. See `corepy.array_api.arange`."""
    cdef Device target = CPU if device is None else as_device(device, "arange")
    cdef bint floating
    cdef int code = DTYPE_int64
    cdef Py_ssize_t first, last, between, count
    cdef Tensor out
    if stop is None:
        start, stop = 0, start
    if dtype is not None:
        code = dtype_code("arange", dtype)
    if (code == DTYPE_int64 or code == DTYPE_float64) and target is CPU \
            and small_integer(start, &first) and small_integer(stop, &last) \
            and small_integer(step, &between):
        return arange_of_integers(code, first, last, between)
    start = finite_number("arange", "start", start)
    stop = finite_number("arange", "stop", stop)
    step = finite_number("arange", "step", step)
    if step == 0:
        raise ValueError("arange: step must not be 0")
    floating = PyFloat_Check(start) or PyFloat_Check(stop) or PyFloat_Check(step)
    if dtype is None and floating:
        code = DTYPE_float64
    count = count_numbers(start, stop, step, code)
    if target is CPU and (is_floating(code) or (is_integer(code) and not floating)):
        out = empty(code, 1, &count)
        if write_arange(out, start, step):
            return out
    return target.backend.create_checked(
        "arange", (start, stop, step), {"dtype": DTYPES[code]}, target
    )


cdef bint write_linspace(Tensor out, object start, object stop, bint endpoint) except -1:
    """Write evenly spaced numbers; false for distances that NumPy has a special way with."""
    cdef Progression terms
    cdef char last[16]
    cdef double ends[2][2]
    cdef double distance
    cdef Py_ssize_t steps = out.count - 1 if endpoint else out.count
    cdef int k
    try:
        store_scalar(<char*>ends[0], DTYPE_complex128, start)
        store_scalar(<char*>ends[1], DTYPE_complex128, stop)
    except OverflowError:  # an integer beyond all floats
        return False
    memset(&terms, 0, sizeof(terms))
    for k in range(2 if is_complex(out.code) else 1):
        distance = ends[1][k] - ends[0][k]
        terms.first[k] = ends[0][k]
        terms.step[k] = distance / steps if steps > 0 else distance
        if terms.step[k] == 0 and distance != 0:  # a step below the least float
            return False
    write_terms(out, PRECISION_wide, &terms)
    if endpoint and out.count > 1:
        store_scalar(last, out.code, stop)
        memcpy(
            out.data + (out.count - 1) * dtype_itemsize[out.code], last, dtype_itemsize[out.code]
        )
    return True


cpdef Tensor linspace(
    object start, object stop, object num, object dtype=None, object device=None,
    object endpoint=True,
):
    """Return `num` evenly spaced numbers. See `corepy.array_api.linspace`."""
    cdef Device target = CPU if device is None else as_device(device, "linspace")
    start = python_number("linspace", "start", start)
    stop = python_number("linspace", "stop", stop)
    cdef bint complex_end = PyComplex_Check(start) or PyComplex_Check(stop)
    cdef int code = DTYPE_complex128 if complex_end else DTYPE_float64
    cdef Py_ssize_t count = clamped(as_integer("linspace", "num", num, 0), 0, PY_SSIZE_T_MAX)
    cdef bint closed = truth("linspace", "endpoint", endpoint)
    cdef Tensor out
    if dtype is not None:
        code = dtype_code("linspace", dtype)
        if complex_end and not is_complex(code):
            raise TypeError(f"linspace: dtype {DTYPES[code]} cannot hold a complex start or stop")
    if count > PY_SSIZE_T_MAX // dtype_itemsize[code]:
        raise unaddressable("linspace", (num,), code)
    if target is CPU and is_inexact(code):
        out = empty(code, 1, &count)
        if write_linspace(out, start, stop, closed):
            return out
    return target.backend.create_checked(
        "linspace", (start, stop, count), {"dtype": DTYPES[code], "endpoint": closed}, target
    )


cdef object unaddressable(str function, tuple shape, int code):
    return ValueError(
        f"{function}: an array of shape {shape} and dtype {DTYPES[code]} "
        "is too big for memory to address"
    )


# ---- matrices

cpdef Tensor eye(
    object n_rows, object n_cols=None, object k=0, object dtype=None, object device=None
):
    """Return a matrix with ones on its k-th diagonal; n_cols=None stands for n_rows."""
    cdef Device target = CPU if device is None else as_device(device, "eye")
    cdef int code = DTYPE_float64 if dtype is None else dtype_code("eye", dtype)
    cdef Py_ssize_t sizes[2]
    cdef Py_ssize_t diagonal, row, column, nbytes
    cdef Tensor out
    cdef char one[16]
    cdef char* data[2]
    cdef Py_ssize_t steps[2]
    sizes[0] = clamped(as_integer("eye", "n_rows", n_rows, 0), 0, PY_SSIZE_T_MAX)
    sizes[1] = sizes[0]
    if n_cols is not None:
        sizes[1] = clamped(as_integer("eye", "n_cols", n_cols, 0), 0, PY_SSIZE_T_MAX)
    nbytes = dtype_itemsize[code]
    if (sizes[0] and multiply_overflows(nbytes, sizes[0], &nbytes)) \
            or (sizes[1] and multiply_overflows(nbytes, sizes[1], &nbytes)):
        raise unaddressable("eye", (n_rows, n_rows if n_cols is None else n_cols), code)
    # A diagonal outside of the matrix is the same wherever it is.
    diagonal = clamped(as_integer("eye", "k", k), -sizes[0], sizes[1])
    if target is not CPU:
        return target.backend.create_checked(
            "eye", (sizes[0], sizes[1]), {"k": diagonal, "dtype": DTYPES[code]}, target
        )
    out = empty(code, 2, sizes)
    fill_with(out, ZEROS)  # now: the ones touch every page
    row, column = max(-diagonal, 0), max(diagonal, 0)
    if row < sizes[0] and column < sizes[1]:
        store_scalar(one, code, 1)
        data[0] = out.data + row * out.steps[0] + column * out.steps[1]
        data[1] = one
        steps[0] = out.steps[0] + out.steps[1]
        steps[1] = 0
        cast_kernel(<Dtype>code, <Dtype>code)(
            min(sizes[0] - row, sizes[1] - column), data, steps
        )
    return out


cpdef Tensor triangle(str function, object x, object k=0):
    """Return a copy of matrices without what is above (``tril``) or below (``triu``) a diagonal."""
    cdef Tensor source = as_tensor(function, x)
    cdef Py_ssize_t rows, columns, diagonal, count
    cdef bint upper = function == "triu"
    cdef Tensor out
    if source.rank < 2:
        raise ValueError(
            f"{function}: x must have at least 2 dimensions, got shape {source.shape}"
        )
    rows, columns = source.dims[source.rank - 2], source.dims[source.rank - 1]
    # A diagonal outside of the matrix is the same wherever it is.
    diagonal = clamped(as_integer(function, "k", k), -rows - 1, columns + 1)
    if not in_host_memory(source):
        return dispatched(function, (source,), {"k": diagonal})
    if not source.flags & CONTIGUOUS:
        source = cast_to(source, source.code)
    out = empty(source.code, source.rank, source.dims)
    if source.count == 0:
        return out
    count = source.count // (rows * columns)
    if source.count >= RELEASE_GIL:
        with nogil:
            copy_triangle(
                count, rows, columns, dtype_itemsize[out.code], diagonal, upper, source.data,
                out.data,
            )
    else:
        copy_triangle(
            count, rows, columns, dtype_itemsize[out.code], diagonal, upper, source.data, out.data
        )
    return out


cpdef tuple meshgrid(tuple arrays, object indexing="xy"):
    """Return the coordinates, along each of the axes, of the points of a grid."""
    cdef list vectors = []
    cdef list grids = []
    cdef Py_ssize_t dims[MAX_RANK]
    cdef Py_ssize_t steps[MAX_RANK]
    cdef Py_ssize_t position, axis, rank
    cdef Device device
    cdef Tensor x, out
    for position in range(len(arrays)):
        x = as_tensor("meshgrid", arrays[position])
        if x.rank == 0:
            x = reshape(x, (1,))
        elif x.rank > 1:
            raise ValueError(
                f"meshgrid: arrays must have one axis, argument {position} has shape {x.shape}"
            )
        vectors.append(x)
    indexing = choice("meshgrid", "indexing", indexing, ("xy", "ij"))
    rank = len(vectors)
    if rank == 0:
        return ()
    device = shared_device("meshgrid", tuple(vectors))
    if device is not CPU or rank > MAX_RANK:
        return tuple(dispatched("meshgrid", tuple(vectors), {"indexing": indexing}))
    for position in range(rank):
        dims[grid_axis(position, rank, indexing)] = (<Tensor>vectors[position]).dims[0]
    for axis in range(rank):
        steps[axis] = 0
    for position in range(rank):
        x = vectors[position]
        axis = grid_axis(position, rank, indexing)
        steps[axis] = x.steps[0]
        out = empty(x.code, rank, dims)
        place(out, out.data, out.steps, False, x.code, rank, dims, x.data, steps)
        steps[axis] = 0
        grids.append(out)
    return tuple(grids)


cdef Py_ssize_t grid_axis(Py_ssize_t position, Py_ssize_t rank, str indexing):
    """The axis of a grid along which the coordinates of one of its vectors change."""
    return 1 - position if rank > 1 and position < 2 and indexing == "xy" else position
