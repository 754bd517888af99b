# Python's and NumPy's protocols of a Tensor: scalars, ndarrays, buffers, pickles.
#
# Needs classes, convert, device, dtypes, indexing, storage, tensor.


cdef object element(str function, Tensor x):
    """The element of a 0-d tensor as a Python scalar."""
    if x.ndim:
        raise TypeError(
            f"{function}: expected a 0-d Tensor, got shape {x.shape}; "
            "x.item() returns the element of any Tensor of one element"
        )
    return only_element(x)


cdef object only_element(Tensor x):
    """The only element of a tensor of any shape, as a Python scalar."""
    if not in_host_memory(x):
        x = to_device(x, CPU)
    return load_scalar(x.data, x.code)


cdef tuple position_in_c_order(Tensor x, object number):
    """The index of an element by its number in C order, which may be negative."""
    cdef Py_ssize_t k = operator.index(number)
    cdef list index = []
    cdef int axis
    if not -x.count <= k < x.count:
        raise IndexError(f"item: index {k} is out of bounds for {x.count} elements")
    k += x.count if k < 0 else 0
    for axis in range(x.ndim - 1, -1, -1):
        index.append(k % x.dims[axis])
        k //= x.dims[axis]
    return tuple(reversed(index))


cdef extern from "Python.h":
    PyObject* new_float "PyFloat_FromDouble"(double) except NULL
    void set_list_item "PyList_SET_ITEM"(list, Py_ssize_t, PyObject*)


cdef object nested_list(Tensor x, int axis, const char* address):
    """The elements from an address on, along axis `axis` and the axes after it, as nested lists."""
    cdef Py_ssize_t i, size
    cdef list items
    if axis == x.ndim:
        return load_scalar(address, x.code)
    size = x.dims[axis]
    items = PyList_New(size)
    for i in range(size):
        if axis + 1 < x.ndim:
            item = nested_list(x, axis + 1, address + i * x.steps[axis])
        elif x.code == DTYPE_float64:
            set_list_item(
                items, i, new_float((<const double*>(address + i * x.steps[axis]))[0])
            )
            continue
        else:
            item = load_scalar(address + i * x.steps[axis], x.code)
        Py_INCREF(item)  # the list takes a reference, and Cython counts its own
        PyList_SET_ITEM(items, i, item)
    return items


cdef object rows_of(Tensor x):
    """An iterator over the first axis."""
    cdef TensorIterator rows = TensorIterator.__new__(TensorIterator)
    rows.x = x
    return rows


@cython.final
@cython.internal
@cython.freelist(8)
cdef class TensorIterator:
    """What `iter` makes of a Tensor: its elements, or its views along the first axis."""

    cdef Tensor x
    cdef Py_ssize_t position

    def __iter__(self):
        return self

    def __length_hint__(self):
        return max(self.x.dims[0] - self.position, 0) if self.x.ndim else 0

    def __next__(self):
        cdef Tensor x = self.x
        cdef Py_ssize_t position = self.position
        # The shape may be another one than at the step before; NumPy's iterators end, too.
        if not x.ndim or position >= x.dims[0]:
            raise StopIteration
        self.position = position + 1
        if not in_host_memory(x) or HAS_PYTHON_CLASS(x):
            return x[position]
        if x.ndim > 1:
            return row_of(x, position)
        if type(x) is Tensor:
            return element_at(x, x.data + position * x.steps[0])
        return scalar_at(x.data + position * x.steps[0], x.code)


cdef object real_element(str function, Tensor x):
    if is_complex(x.code):
        raise TypeError(
            f"{function}: dtype {DTYPES[x.code]} is not supported; allowed: bool and real dtypes"
        )
    return element(function, x)


# No argument.
cdef object NOTHING = np._NoValue


cdef bint lacks_elements(Tensor x, object axis, double subtracted) except -1:
    """Whether a mean or variance on the CPU divides by a number of elements, less `subtracted`,
    that is below 1. NumPy warns then.
    """
    cdef Py_ssize_t k, count = 1
    if x.device is not CPU:
        return False
    if axis is None:
        return x.count <= subtracted
    for k in (axis if type(axis) is tuple else (axis,)):
        if not -x.ndim <= k < x.ndim:
            return False
        count *= x.dims[k + x.ndim if k < 0 else k]
    return count <= subtracted


cdef object to_dlpack(Tensor x, object stream, object max_version, object dl_device, object copy):
    cdef dict params = {"stream": stream}
    if max_version is not None:
        params["max_version"] = max_version
    if dl_device is not None:
        params["dl_device"] = dl_device
    if copy is not None:
        params["copy"] = copy
    return x.backend.dlpack(x, params)


cdef object array_protocol(Tensor x, object dtype, object copy):
    if not in_host_memory(x) and x.backend.dlpack_device(x)[0] != 1:  # kDLCPU
        raise TypeError(
            f"__array__: NumPy cannot read a Tensor on {x.device}; move it with x.to_device('cpu')"
        )
    array = x.backend.to_numpy(x)
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(
                f"__array__: casting {array.dtype} to {dtype} needs a copy, "
                "and copy=False was given"
            )
        return array.astype(dtype)
    return array.copy() if copy else array


# struct-module characters of the dtypes, for the buffer protocol; it has none for bfloat16.
cdef list BUFFER_FORMATS = [
    None if code == <int>DTYPE_bfloat16
    else (b"Z" if is_complex(code) else b"") + DTYPES[dtype_part[code]].char.encode()
    for code in range(DTYPE_COUNT)
]


cdef int fill_buffer(Tensor x, Py_buffer* view, int flags) except -1:
    cdef bint c_order, f_order
    materialize(x)
    if not in_host_memory(x):
        raise BufferError(
            f"memoryview: expected a Tensor in host memory, got one on {x.device}; "
            "move it with x.to_device('cpu')"
        )
    c_order, f_order = x.flags & CONTIGUOUS, is_fortran_contiguous(x)
    if flags & PyBUF_FORMAT and BUFFER_FORMATS[x.code] is None:
        raise BufferError(f"memoryview: the buffer protocol has no {DTYPES[x.code]}")
    if flags & PyBUF_WRITABLE and not x.flags & WRITEABLE:
        raise BufferError("memoryview: the Tensor is read-only")
    if (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS:
        granted = c_order or f_order
    elif (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS:
        granted = f_order
    elif (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS:
        granted = c_order
    else:  # consumers without strides read C order
        granted = c_order or (flags & PyBUF_STRIDES) == PyBUF_STRIDES
    if not granted:
        raise BufferError("memoryview: the Tensor is not contiguous in the requested order")
    view.buf = x.data
    view.obj = exported(x)
    view.len = x.count * dtype_itemsize[x.code]
    view.readonly = not x.flags & WRITEABLE
    view.format = <char*><bytes>BUFFER_FORMATS[x.code] if flags & PyBUF_FORMAT else NULL
    view.itemsize = dtype_itemsize[x.code]
    # A buffer without a shape must have one dimension: a memoryview reads a size for each axis.
    view.ndim = x.ndim if flags & PyBUF_ND else 1
    view.shape = x.dims if flags & PyBUF_ND else NULL
    view.strides = x.steps if (flags & PyBUF_STRIDES) == PyBUF_STRIDES else NULL
    view.suboffsets = NULL
    view.internal = NULL
    return 0


def from_pickle(array, device):
    """Return a Tensor that was pickled as an ndarray and the name of its device."""
    cdef Device target = as_device(device, "pickle.loads")
    return target.backend.from_numpy(array, target)
