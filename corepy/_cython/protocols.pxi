# What Python's and NumPy's protocols get of a Tensor: scalars, ndarrays, buffers, pickles.


cdef object element(Tensor x, str wanted):
    """The element of a 0-d tensor as a Python scalar."""
    if x.rank:
        raise TypeError(
            f"only a 0-d Tensor can become {wanted}, this one has shape {x.shape}; "
            "use x.item() for the only element of another"
        )
    if x.device_ is not CPU:
        x = to_device(x, CPU)
    return load_scalar(x.data, x.code)


cdef int refuse_out(str function, object out) except -1:
    if out is not None:
        raise TypeError(f"{function}: out is not supported; assign the result with out[...] = ")
    return 0


cdef object real_element(Tensor x, str wanted):
    if is_complex(x.code):
        raise TypeError(f"a Tensor of dtype {DTYPES[x.code]} cannot become {wanted}")
    return element(x, wanted)


cdef object spread(
    Operation op, Tensor x, object axis, object dtype, object correction, bint keepdims
):
    if dtype is not None:
        x = astype(x, dtype, False)
    return reduce(op, x, axis, keepdims, None, correction)


cdef object to_dlpack(Tensor x, object stream, object max_version, object dl_device, object copy):
    cdef dict params = {"stream": stream}
    if max_version is not None:
        params["max_version"] = max_version
    if dl_device is not None:
        params["dl_device"] = dl_device
    if copy is not None:
        params["copy"] = copy
    return x.device_.backend.dlpack(x, params)


cdef object array_protocol(Tensor x, object dtype, object copy):
    if x.device_ is not CPU and x.device_.backend.dlpack_device(x)[0] != 1:  # kDLCPU
        raise TypeError(
            f"a Tensor on {x.device_} has no ndarray; move it with x.to_device('cpu')"
        )
    array = x.device_.backend.to_numpy(x)
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(
                f"__array__: casting {array.dtype} to {dtype} needs a copy, "
                "and copy=False was given"
            )
        return array.astype(dtype)
    return array.copy() if copy else array


# struct-module characters of the dtypes, for the buffer protocol.
cdef char* BUFFER_FORMATS[13]
BUFFER_FORMATS[:] = [
    "?", "b", "h", "i", "l", "B", "H", "I", "L", "f", "d", "Zf", "Zd",
]


cdef int fill_buffer(Tensor x, Py_buffer* view, int flags) except -1:
    cdef bint c_order = x.flags & CONTIGUOUS
    cdef bint f_order = is_fortran_contiguous(x)
    if x.device_ is not CPU:
        raise BufferError(
            f"a Tensor on {x.device_} has no buffer; move it with x.to_device('cpu')"
        )
    if flags & PyBUF_WRITABLE and not x.flags & WRITEABLE:
        raise BufferError("the Tensor is read-only")
    if (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS:
        granted = c_order or f_order
    elif (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS:
        granted = f_order
    elif (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS:
        granted = c_order
    else:  # whoever does not take strides sees C order
        granted = c_order or (flags & PyBUF_STRIDES) == PyBUF_STRIDES
    if not granted:
        raise BufferError("the Tensor is not contiguous in the order asked for")
    view.buf = x.data
    view.obj = x
    view.len = x.count * dtype_itemsize[x.code]
    view.readonly = not x.flags & WRITEABLE
    view.format = BUFFER_FORMATS[x.code] if flags & PyBUF_FORMAT else NULL
    view.itemsize = dtype_itemsize[x.code]
    # Whoever asks for no shape gets one run: a memoryview would read a size for each axis.
    view.ndim = x.rank if flags & PyBUF_ND else 1
    view.shape = x.dims if flags & PyBUF_ND else NULL
    view.strides = x.steps if (flags & PyBUF_STRIDES) == PyBUF_STRIDES else NULL
    view.suboffsets = NULL
    view.internal = NULL
    return 0


def from_pickle(array, device):
    """Return the Tensor that was pickled as an ndarray and the name of its device."""
    try:
        target = as_device(device)
    except ValueError as error:
        raise ValueError(f"pickle: the tensor was on {device!r}: {error}") from None
    return target.backend.from_numpy(array, target)
