# Nested lists and tuples of scalars, read without NumPy; NumPy reads all others.
#
# Needs backend, device, dtypes, storage, tensor.


cdef extern from "Python.h":
    bint PyList_CheckExact(object)
    bint PyTuple_CheckExact(object)
    Py_ssize_t PyList_GET_SIZE(object)
    Py_ssize_t PyTuple_GET_SIZE(object)
    PyObject* PyList_GET_ITEM(object, Py_ssize_t)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    bint PyFloat_CheckExact(object)


cdef object FLOAT64 = np.float64


cdef inline Py_ssize_t length_of(object obj) noexcept:
    """The length of a list or tuple, -1 for anything else."""
    if PyList_CheckExact(obj):
        return PyList_GET_SIZE(obj)
    return PyTuple_GET_SIZE(obj) if PyTuple_CheckExact(obj) else -1


cdef inline object item_of(object sequence, Py_ssize_t index):
    if PyList_CheckExact(sequence):
        return <object>PyList_GET_ITEM(sequence, index)
    return <object>PyTuple_GET_ITEM(sequence, index)


cdef Tensor nested_numbers(object obj, int wanted):
    """A tensor of a nested sequence of scalars, or of a sequence of contiguous tensors of one shape
    and dtype; None for other objects.

    `wanted` is the code of the dtype, -1 for the default dtype of the highest kind in it.
    """
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t ndim = 0
    cdef Py_ssize_t length
    cdef int code, higher
    cdef char* target
    cdef Tensor out
    item = obj
    length = length_of(item)
    if length > 0 and is_tensor(item_of(item, 0)):
        out = stacked_in_memory(tuple(obj), wanted)
        if out is not None:
            return out
    while length >= 0:
        if length == 0 or ndim == MAX_NDIM:
            return None
        dims[ndim] = length
        ndim += 1
        item = item_of(item, 0)
        length = length_of(item)
    if not is_plain_number(item) and (
        code_of_element(item) < 0 or (wanted >= 0 and code_of_element(item) != wanted)
    ) or not is_regular(obj, 0, ndim, dims):
        return None
    code = code_of_element(item)
    if code >= 0 and not is_float(item):  # all must be of this dtype
        out = empty(code, ndim, dims)
        target = out.data
        return out if read_elements(obj, 0, ndim, dims, code, &target) else None
    code = default_code(item) if wanted < 0 else wanted
    while True:
        out = empty(code, ndim, dims)
        target = out.data
        higher = read_numbers(obj, 0, ndim, dims, code, &target)
        if higher == code:
            return out
        if higher < 0 or wanted >= 0:
            return None
        code = higher


cdef Tensor stacked_in_memory(tuple items, int code):
    """A tensor of contiguous tensors on the CPU, of one shape and dtype (and of `code`, if it is
    not negative); None for other items.
    """
    cdef Tensor x, out, first = items[0]
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t k, nbytes
    if first.ndim == MAX_NDIM or (code >= 0 and code != first.code):
        return None
    for item in items:
        if is_tensor(item):
            materialize(<Tensor>item)
    for item in items:
        if not is_tensor(item):
            return None
        x = item
        if not in_host_memory(x) or x.code != first.code or not x.flags & CONTIGUOUS \
                or not is_shape_of(x, first.ndim, first.dims):
            return None
    dims[0] = len(items)
    memcpy(dims + 1, first.dims, first.ndim * sizeof(Py_ssize_t))
    nbytes = first.count * dtype_itemsize[first.code]
    out = empty(first.code, first.ndim + 1, dims)
    for k in range(dims[0]):
        memcpy(out.data + k * nbytes, (<Tensor>items[k]).data, nbytes)
    return out


cdef inline bint is_plain_number(object item) noexcept:
    return (
        is_float(item) or PyLong_CheckExact(item) or PyBool_Check(item)
        or PyComplex_CheckExact(item)
    )


cdef inline bint is_float(object item) noexcept:
    """Whether an item is a float, or NumPy's of the same precision."""
    return PyFloat_CheckExact(item) or type(item) is FLOAT64


cdef inline int code_of_element(object item) noexcept:
    """The dtype of a 0-d tensor or of a scalar of NumPy's; -1 for others."""
    cdef PyObject* code
    if is_tensor(item):
        return (<Tensor>item).code \
            if (<Tensor>item).ndim == 0 and in_host_memory(<Tensor>item) else -1
    code = PyDict_GetItem(SCALAR_CODES, <object>type(item))
    return -1 if code == NULL else <int><object>code


cdef inline const char* memory_of_element(object item) noexcept:
    """Where the number of an item is that `code_of_element` takes."""
    if is_tensor(item):
        return (<Tensor>item).data
    return number_in(item)


cdef bint read_elements(
    object sequence, Py_ssize_t axis, Py_ssize_t ndim, const Py_ssize_t* dims, int code,
    char** target,
) noexcept:
    """Write the 0-d tensors and NumPy's scalars in a sequence of that shape; false if there are
    other items in it.
    """
    cdef Py_ssize_t k
    if length_of(sequence) != dims[axis]:
        return False
    for k in range(dims[axis]):
        item = item_of(sequence, k)
        if axis + 1 < ndim:
            if not read_elements(item, axis + 1, ndim, dims, code, target):
                return False
            continue
        if code_of_element(item) != code:
            return False
        memcpy(target[0], memory_of_element(item), dtype_itemsize[code])
        target[0] += dtype_itemsize[code]
    return True


cdef bint is_regular(
    object sequence, Py_ssize_t axis, Py_ssize_t ndim, const Py_ssize_t* dims
) noexcept:
    """Whether all sequences on one level have one length."""
    cdef Py_ssize_t k
    if length_of(sequence) != dims[axis]:
        return False
    if axis + 1 == ndim:
        return True
    for k in range(dims[axis]):
        if not is_regular(item_of(sequence, k), axis + 1, ndim, dims):
            return False
    return True


cdef int read_numbers(
    object sequence, Py_ssize_t axis, Py_ssize_t ndim, const Py_ssize_t* dims, int code,
    char** target,
) except -2:
    """Write the numbers in a sequence of that shape; returns `code` if all are written.

    Otherwise the default dtype of a number that `code` cannot represent, or -1 if NumPy must
    decide, for instance because a list has changed its length.
    """
    cdef Py_ssize_t k
    cdef int found
    if length_of(sequence) != dims[axis]:
        return -1
    for k in range(dims[axis]):  # no Python code runs from here on
        item = item_of(sequence, k)
        if axis + 1 < ndim:
            found = read_numbers(item, axis + 1, ndim, dims, code, target)
        elif code == DTYPE_float64 and is_float(item):
            (<double*>target[0])[0] = PyFloat_AS_DOUBLE(item)
            target[0] += sizeof(double)
            continue
        else:
            found = read_number(item, code, target[0])
            target[0] += dtype_itemsize[code]
        if found != code:
            return found
    return code


cdef int read_number(object item, int code, char* target) except -2:
    """`read_numbers` for one number."""
    cdef int overflow = 0
    cdef long long number
    if PyLong_CheckExact(item):
        number = PyLong_AsLongLongAndOverflow(item, &overflow)
        if code == DTYPE_int64 and not overflow:
            (<long long*>target)[0] = number
            return code
        if code == DTYPE_bool:
            return DTYPE_int64
        if overflow or is_beyond(item, code):  # NumPy converts it, or raises
            return -1
        store_scalar(target, code, item)
        return code
    if is_float(item):
        if not is_inexact(code):
            return DTYPE_float64
    elif PyComplex_CheckExact(item):
        if not is_complex(code):
            return DTYPE_complex128
    elif not PyBool_Check(item):
        return -1
    store_scalar(target, code, item)
    return code
