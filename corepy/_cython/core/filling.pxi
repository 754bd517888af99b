# Tensors filled with one value.
#
# Needs arguments, checks, convert, device, dtypes, freelist, operands, storage, tensor, views.

cdef Tensor zeroed(int code, Py_ssize_t ndim, const Py_ssize_t* dims):
    """A tensor of zeros; the system clears the pages of a large one at the first access."""
    cdef Tensor out = new_tensor()
    cdef Py_ssize_t nbytes
    cdef Block block
    out.code = <int8_t>code
    set_shape(out, ndim, dims)
    nbytes = out.count * dtype_itemsize[code]
    if nbytes >= <Py_ssize_t>LAZY_ZEROS:
        block = obtained(nbytes, True)
    elif nbytes > <Py_ssize_t>sizeof(out.small):
        block = obtained(nbytes)
    else:
        memset(out.small, 0, sizeof(out.small))
        return out
    if block is None:
        raise no_memory_for(out)
    out.data = <char*>block.memory
    out.storage = block
    if nbytes < <Py_ssize_t>LAZY_ZEROS:
        fill_with(out, ZEROS)
    return out


cdef char ZEROS[16]


cdef int fill_with(Tensor out, const char* element) except -1:
    """Fill `out`, which is contiguous, with one element of its dtype."""
    call_kernel(
        out.count, fill_elements, out.count, dtype_itemsize[out.code], element, out.data
    )
    return 0


cdef Tensor filled(int code, Py_ssize_t ndim, const Py_ssize_t* dims, object value):
    """A tensor filled with a Python scalar; None: not initialised."""
    cdef char element[16]
    cdef Tensor out
    if value is None:
        return empty(code, ndim, dims)
    if PyLong_CheckExact(value) and value == 0:  # all bits zero, in every dtype
        return zeroed(code, ndim, dims)
    store_scalar(element, code, value)
    out = empty(code, ndim, dims)
    fill_with(out, element)
    return out


cpdef Tensor full(str function, object shape, object value, object dtype, object device):
    """Return a new tensor filled with a Python scalar of the dtype's kind.

    A value of None leaves the elements uninitialised. Errors name `function`.
    """
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef Device target = as_device(device, function)
    cdef int code = DTYPE_float64 if dtype is None else dtype_code(function, dtype)
    if target is CPU:
        ndim = read_shape(function, shape, dims)
        check_size(function, code, ndim, dims)
        return as_variable(filled(code, ndim, dims, value))
    return as_variable(
        target.backend.full(as_shape(function, shape), value, DTYPES[code], target)
    )


cpdef Tensor full_like(str function, object x, object value, object dtype, object device):
    """Return a new tensor of the shape of `x`, in its order of memory, and by default of its dtype;
    otherwise as `full`.
    """
    cdef Tensor like = as_tensor(function, x)
    cdef Device target = like.device if device is None else as_device(device, function)
    cdef int code = like.code if dtype is None else dtype_code(function, dtype)
    cdef Tensor out
    if target is CPU:
        out = filled(code, like.ndim, like.dims, value)
    else:
        out = target.backend.full(shape_tuple(like.ndim, like.dims), value, DTYPES[code], target)
    if has_layout(out):
        keep_order(out, like)
    return in_class_of(as_variable(out), like)


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
    cdef Tensor like = x if is_tensor(x) else as_tensor("full_like", x)
    cdef int code = like.code if dtype is None else dtype_code("full_like", dtype)
    cdef object value = python_number("full_like", "fill_value", fill_value)
    element = fill_element("full_like", value, code)
    return full_like("full_like", like, element, DTYPES[code], device)
