# From objects to tensors, between dtypes, between devices, and DLPack.
#
# Needs backend, checks, device, dispatch, dtypes, freelist, indexing, nested, protocols, storage,
# tensor, upcalls, views, cpu/copies.


cdef Tensor scalar_tensor(object value, int code):
    """A Python scalar as a 0-d tensor on the CPU."""
    cdef Tensor x = new_tensor()
    x.code = <int8_t>code
    x.flags = WRITEABLE | CONTIGUOUS | READY
    store_scalar(x.small, code, value)
    return x


cdef inline bint is_array(object x):
    """Whether `x` is an array or scalar of NumPy's that a Tensor represents completely.

    Subclasses of ndarray carry more than elements (a mask, matrix products); a Tensor would drop
    it. Only `asarray` converts them, as NumPy's does.
    """
    return type(x) is np.ndarray or isinstance(x, np.generic) or type(x) is np.memmap


cdef bint is_array_like(object x) except -1:
    """Whether NumPy would read `x` as an array: a range, or an object with one of the protocols."""
    if isinstance(x, (str, bytes, np.generic, type)):  # `np.float64` has an attribute __array__
        return False
    return isinstance(x, range) or PyObject_CheckBuffer(x) or hasattr(x, "__array__") \
        or hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__")


cpdef Tensor as_tensor(str function, object x):
    """Return an operand as a Tensor; array-likes are converted, on the CPU.

    Raises
    ------
    TypeError
        `x` cannot be converted to an array, or is a subclass of ndarray that carries more than
        elements; the message begins with `function`.
    """
    if is_tensor(x):
        return x
    if is_scalar(x):
        try:
            return scalar_tensor(x, default_code(x))
        except OverflowError as error:
            raise OverflowError(f"{function}: {error}") from None
    if PyDict_GetItem(SCALAR_CODES, <object>type(x)) != NULL:
        return from_numpy_scalar(x)
    if is_array(x):
        return from_ndarray(function, x)
    if isinstance(x, np.ndarray):
        raise TypeError(
            f"{function}: {type(x).__name__}, a subclass of ndarray, is not supported; "
            "asarray makes a Tensor of its elements"
        )
    if isinstance(x, (list, tuple)):
        numbers = nested_numbers(x, -1)
        return from_ndarray(function, array_of(function, x)) if numbers is None else numbers
    raise TypeError(
        f"{function}: expected a Tensor or something that becomes one (a Python or NumPy scalar, "
        f"an ndarray, a list), got {type(x).__name__}"
    )


cdef inline bint store_as_numpy(char* out, Tensor like, object value) noexcept:
    """Write a scalar of NumPy's with the dtype of a tensor; false for anything else."""
    cdef PyObject* code = PyDict_GetItem(SCALAR_CODES, <object>type(value))
    if code == NULL or <int><object>code != like.code:
        return False
    memcpy(out, number_in(value), dtype_itemsize[like.code])
    return True


cdef object as_python(object x, Tensor like):
    """A scalar of NumPy's with the dtype of `like` as Python's, which has the same result beside
    it in fewer steps; any other operand as it is.
    """
    cdef double element[2]
    if not store_as_numpy(<char*>element, like, x):
        return x
    return load_scalar(<char*>element, like.code)


cdef Tensor operand_like(str function, object x, Device device):
    """An operand beside one on `device`; lists and scalars are copied there."""
    cdef Tensor operand = as_tensor(function, x)
    if is_tensor(x) or isinstance(x, np.ndarray) or device is CPU:
        return operand
    return to_device(operand, device)


cdef int refuse_complex(str function, int source, int code) except -1:
    """Refuse to drop imaginary components; anything may become a bool."""
    if is_complex(source) and not is_complex(code) and code != DTYPE_bool:
        raise TypeError(
            f"{function}: complex numbers cannot become {DTYPES[code]}, a real dtype; "
            "take real(x) or imag(x) first"
        )
    return 0


cdef object frozen(object obj, int depth=MAX_NDIM):
    """Nested lists and tuples as tuples.

    NumPy reads lists while running their items' Python code, which may change them. A list may
    contain itself, so too many levels are an error.
    """
    cdef tuple items
    if not isinstance(obj, (list, tuple)):
        return obj
    if depth == 0:
        raise ValueError(f"lists are nested more than {MAX_NDIM} levels deep")
    items = tuple(obj)
    for item in items:
        if isinstance(item, (list, tuple)):
            return tuple([frozen(item, depth - 1) for item in items])
    return items


cdef object array_of(str function, object obj):
    """An ndarray of any object that NumPy converts to numbers, with the standard's default dtypes.
    """
    array = any_array_of(function, obj)
    if array.dtype.kind not in "biufc":
        for item in array.flat if array.dtype.kind == "O" else ():
            if not is_scalar(item):
                break
            if PyLong_Check(item) and not -(1 << 63) <= item < 1 << 64:
                raise OverflowError(
                    f"{function}: Python integer {shown(item)} is out of range for int64 and uint64"
                )
        raise TypeError(  # SciPy's tests match this text
            f"{function}: Value {reprlib.repr(obj)} is not a number or an array of numbers"
        )
    return array


cdef object any_array_of(str function, object obj):
    """An ndarray of any object that NumPy converts."""
    try:
        return np.asarray(without_tensors(frozen(obj)))
    except (TypeError, ValueError, OverflowError) as error:
        raise named_error(function, error) from None


cdef object without_tensors(object obj):
    """`obj`, or items of nested tuples, as what ``__array__`` returns if that is a tensor, as of a
    class in a program that imports Corepy in NumPy's place: NumPy wants an ndarray.
    """
    if type(obj) is tuple:
        return tuple([without_tensors(item) for item in <tuple>obj])
    if is_tensor(obj) or isinstance(obj, (np.ndarray, np.generic)) or not hasattr(obj, "__array__"):
        return obj
    array = obj.__array__()
    return array_protocol(<Tensor>array, None, None) if is_tensor(array) else array


cdef tuple shape_of_lists(object obj, int depth=MAX_NDIM):
    """The shape of nested lists and arrays; None if lists of one level have several lengths."""
    cdef tuple first = None
    if isinstance(obj, (list, tuple)) and depth:
        for item in obj:
            shape = shape_of_lists(item, depth - 1)
            if shape is None or (first is not None and shape != first):
                return None
            first = shape
        return (len(obj),) + (() if first is None else first)
    return tuple(obj.shape) if is_tensor(obj) or isinstance(obj, np.ndarray) else ()


cdef bint is_text(object obj) except -1:
    """Whether the first item of nested lists is text or None, which no dtype of tensors has."""
    cdef int depth = MAX_NDIM  # lists may contain themselves
    while isinstance(obj, (list, tuple)) and obj and depth:
        obj = obj[0]
        depth -= 1
    return obj is None or isinstance(obj, (str, bytes))


cpdef Tensor held(object obj, Device device=None):
    """Return an array-like as a tensor; None if a Tensor does not represent it completely.

    Parameters
    ----------
    obj : object
        Text, objects, dates, masked arrays, matrices, polynomials, arrays of another byte order and
        lists of several lengths are not represented, nor are integers beyond int64 and uint64.
    device : Device, optional
        Where Python's numbers and lists of them are copied to. Arrays stay where they are.
    """
    cdef Tensor x
    if is_tensor(obj):
        return obj
    if is_scalar(obj):
        if PyLong_Check(obj) and not -(1 << 63) <= obj < 1 << 63:
            return None
        x = scalar_tensor(obj, default_code(obj))
    elif isinstance(obj, np.ndarray):
        return held_array(obj)
    elif isinstance(obj, np.generic):
        x = from_numpy_scalar(obj)
        if x is None:
            return None
    elif isinstance(obj, (list, tuple)):
        x = nested_numbers(obj, -1)
        if x is None:
            if is_text(obj):
                return None
            within = device_within(obj)
            if within is not None and within is not CPU:
                return stacked("asarray", obj, within, MAX_NDIM)
            if shape_of_lists(obj) is None:
                return None
            x = held_array(any_array_of("asarray", obj))
            if x is None:
                return None
    elif hasattr(obj, "__dlpack__"):
        return from_dlpack(obj, None, None, "asarray")
    elif hasattr(obj, "__cuda_array_interface__"):
        return (<Device>find_reader(CUDA_MEMORY, "asarray")).backend.from_cuda_array(obj)
    elif is_array_like(obj) and not isinstance(obj, np.poly1d):
        x = held_array(any_array_of("asarray", obj))
        if x is None:
            return None
    else:
        return None
    return x if device is None or device is CPU else to_device(x, device)


cdef Tensor held_array(object array):
    """A tensor over the memory of an array of NumPy's; None as in `held`."""
    if not is_array(array) or not cnp.PyArray_ISBEHAVED_RO(array) or code_of_ndarray(array) < 0:
        return None
    return from_ndarray("asarray", array)


cpdef object held_dtype(object dtype):
    """Return what stands for a dtype as the dtype of a Tensor; None if no Tensor has it."""
    cdef int code
    if isinstance(dtype, (str, type, np.dtype)):
        code = CODES.get(dtype, -2)
        if code == -2:
            code = find_code(dtype)
        if code < 0:
            np.dtype(dtype)  # raises if it is none
        return None if code < 0 else DTYPES[code]
    return None


cpdef Tensor asarray(
    object obj, object dtype=None, object device=None, object copy=None, str function="asarray"
):
    """Return `obj` as a Tensor; see `corepy.array_api.asarray`. Errors name `function`."""
    return in_class_of(converted(obj, dtype, device, copy, function), obj)


cdef Tensor converted(object obj, object dtype, object device, object copy, str function):
    cdef Tensor x
    cdef Device target = None if device is None else as_device(device, function)
    cdef int code = -1 if dtype is None else dtype_code(function, dtype)
    cdef bint fresh = False  # whether the memory is new
    cdef bint stays = False  # whether it is on a device already, host memory of others included
    if is_tensor(obj):
        x = obj
        stays = True
    elif is_scalar(obj):
        x = scalar_of(function, obj, code)
        fresh = True
    elif isinstance(obj, (list, tuple)):
        x = from_sequence(function, obj, code)
        fresh = True
        stays = x.device is not CPU or (choosing and device_within(obj) is not None)
    elif isinstance(obj, (np.ndarray, np.generic)):
        fresh = not isinstance(obj, np.ndarray)
        x = from_ndarray(function, obj)
        fresh = fresh or x.data != cnp.PyArray_BYTES(obj)  # of other byte order, or misaligned
    elif hasattr(obj, "__dlpack__"):
        x = from_dlpack(obj, None, None, function)
        stays = True
    elif hasattr(obj, "__cuda_array_interface__"):
        x = (<Device>find_reader(CUDA_MEMORY, function)).backend.from_cuda_array(obj)
        stays = True
    else:
        x = from_ndarray(function, array_of(function, obj))
    if fresh and copy is False:
        raise ValueError(
            f"{function}: {type(obj).__name__} cannot become a Tensor without a copy, "
            "and copy=False was given"
        )
    if code >= 0:
        refuse_complex(function, x.code, code)
    if target is None and choosing and not stays:
        target = default_device()
    if target is not None:
        target = target.backend.place(
            target, x.count * dtype_itemsize[x.code if code < 0 else code]
        )
    if target is not None and target is not x.device:
        if copy is False:
            if code >= 0 and code != x.code:
                raise casting_error(function, x, code)
            shared = over_same_memory(x, target)
            if shared is None:
                raise ValueError(
                    f"{function}: moving from {x.device} to {target} needs a copy, "
                    "and copy=False was given"
                )
            return as_variable(shared)
        return as_variable(to_device(x if code < 0 else astype(x, DTYPES[code], False), target))
    if code >= 0 and code != x.code:
        if copy is False:
            raise casting_error(function, x, code)
        if provided.check_errors:
            check_errors("astype", (x, DTYPES[code]), {})
        x = x.backend.astype(x, DTYPES[code], True)
        if copy is True:
            materialize(x)  # memory that code outside of Corepy may write to is read now
        return as_variable(x)
    if copy is True and not fresh:
        materialize(x)
        if in_host_memory(x):
            return as_variable(cast_to(x, x.code, True))
        return as_variable(x.backend.astype(x, DTYPES[x.code], True))
    return as_variable(x) if fresh else x


cdef object casting_error(str function, Tensor x, int code):
    return ValueError(
        f"{function}: casting {DTYPES[x.code]} to {DTYPES[code]} needs a copy, "
        "and copy=False was given"
    )


cdef Tensor over_same_memory(Tensor x, Device target):
    """`x` as a tensor of another device that has the same memory; None: there is no such way."""
    materialize(x)
    return target.backend.share(x, target)


cdef Tensor scalar_of(str function, object value, int code):
    """A Python scalar as any dtype (-1: the default of its kind), with NumPy's casts."""
    try:
        if code < 0:
            return scalar_tensor(value, default_code(value))
        refuse_complex(function, default_code(value), code)
        if scalar_code(value, code) == code:
            return scalar_tensor(value, code)
        return from_ndarray(function, np.asarray(value, dtype=DTYPES[code]))
    except (ValueError, OverflowError) as error:
        raise named_error(function, error) from None


cdef Tensor from_sequence(str function, object obj, int code):
    """A tensor of a nested sequence, whose leaves may be tensors too."""
    cdef Tensor numbers = nested_numbers(obj, code)
    cdef Device device
    if numbers is not None:
        return numbers
    device = device_within(obj)
    if device is not None and device is not CPU:
        return stacked(function, obj, device, MAX_NDIM)
    if code < 0:
        return from_ndarray(function, array_of(function, obj))
    try:
        array = np.asarray(frozen(obj), dtype=DTYPES[code])
    except (TypeError, ValueError, OverflowError) as error:
        raise named_error(function, error) from None
    return from_ndarray(function, array)


cdef Device device_within(object obj):
    """The device of the first tensor in a nested sequence, None if it does not begin with one."""
    for _ in range(MAX_NDIM):
        if not isinstance(obj, (list, tuple)) or not obj:
            break
        for item in obj:
            if is_tensor(item):
                return (<Tensor>item).device
        obj = obj[0]
    return None


cdef Tensor stacked(str function, object obj, Device device, int depth):
    """A tensor of a nested sequence that contains tensors, on their device."""
    cdef list items = []
    if depth == 0:
        raise ValueError(f"{function}: arrays have at most {MAX_NDIM} dimensions")
    for item in obj:
        if isinstance(item, (list, tuple)):
            items.append(stacked(function, item, device, depth - 1))
        elif is_tensor(item):
            items.append(item)
        else:
            items.append(to_device(as_tensor(function, item), device))
    code = CODES[result_type(items)]
    return dispatched("stack", (tuple([as_code(item, code) for item in items]),), {"axis": 0})


cpdef Tensor astype(object x, object dtype, bint copy=True, object device=None):
    """Return `x` as another dtype; see `corepy.array_api.astype`."""
    return in_class_of(as_dtype_on(x, dtype, copy, device), x)


cdef Tensor as_dtype_on(object x, object dtype, bint copy, object device):
    cdef Tensor source = as_tensor("astype", x)
    cdef int code = dtype_code("astype", dtype)
    cdef Device target
    refuse_complex("astype", source.code, code)
    if device is not None:
        target = as_device(device, "astype")
        if target is not source.device:
            return to_device(astype(source, dtype, False), target)
    if code == source.code and copy:
        materialize(source)  # a copy in the same memory order is not deferred
    if in_host_memory(source) and (code == source.code or not may_defer(source)):
        return source if code == source.code and not copy else cast_to(source, code, True)
    backend = deferring_backend() if in_host_memory(source) else source.backend
    return backend.astype(source, DTYPES[code], copy)


cpdef Tensor to_device(object x, object device, object stream=None):
    """Return `x` on `device`, computed: itself if it is there, else a copy."""
    return in_class_of(on_device(x, device, stream), x)


cdef Tensor on_device(object x, object device, object stream):
    cdef Tensor source = as_tensor("to_device", x)
    cdef Device target = as_device(device, "to_device")
    if device is None:
        raise TypeError("to_device: expected a Device or its name, got None")
    target = target.backend.place(target, source.count * dtype_itemsize[source.code])
    materialize(source)
    if stream is None and target is source.device:
        return source
    # Host memory has no streams: the consumer synchronizes.
    return (target.backend if in_host_memory(source) else source.backend).move(
        source, target, stream
    )


cdef extern from *:
    """
    // Kinds of elements in DLPack.
    enum { WORDS = 1, BFLOATS = 4 };

    // Replaces the kind of elements of 16 bits in a capsule; whether it was the one to replace. It
    // follows the address of the elements, the device and the number of axes, and these follow a
    // versioned capsule's head.
    static bool replace_element_kind(PyObject* capsule, uint8_t kind, uint8_t other) {
      const char* const name = PyCapsule_GetName(capsule);
      const bool versioned = name && strcmp(name, "dltensor_versioned") == 0;
      if (!versioned && (!name || strcmp(name, "dltensor") != 0)) return false;
      uint8_t* const view = static_cast<uint8_t*>(PyCapsule_GetPointer(capsule, name));
      uint8_t* const dtype = view + (versioned ? 32 : 0) + 20;
      if (dtype[0] != kind || dtype[1] != 16) return false;
      dtype[0] = other;
      return true;
    }
    """
    int WORDS
    int BFLOATS
    bint replace_element_kind(object, int, int)


cdef bint bfloats_to_words(object capsule) except -1:
    """Make elements of a capsule integers if they are bfloat16; whether they were."""
    return replace_element_kind(capsule, BFLOATS, WORDS)


cdef bint words_to_bfloats(object capsule) except -1:
    return replace_element_kind(capsule, WORDS, BFLOATS)


class ExporterOfWords:
    """An exporter of DLPack's, whose elements are integers if they were bfloat16: NumPy's
    `from_dlpack` has no other type for them.
    """

    def __init__(self, exporter):
        self.exporter = exporter
        self.is_bfloat16 = False

    def __dlpack__(self, **params):
        capsule = self.exporter.__dlpack__(**params)
        self.is_bfloat16 = bfloats_to_words(capsule)
        return capsule

    def __dlpack_device__(self):
        return self.exporter.__dlpack_device__()


cpdef Tensor from_dlpack(
    object x, object device=None, object copy=None, str function="from_dlpack"
):
    """Return a Tensor over the memory of a DLPack exporter; see `corepy.array_api.from_dlpack`.

    Errors name `function`.
    """
    cdef Device target = None if device is None else as_device(device, function)
    cdef Tensor source
    if is_tensor(x):
        if target is None or target is (<Tensor>x).device:
            return asarray(x, None, None, True) if copy is True else view_all(<Tensor>x)
        return imported(function, x, target, copy)
    if not hasattr(x, "__dlpack__"):
        raise AttributeError(
            f"{function}: expected an object with __dlpack__, got {type(x).__name__}"
        )
    reader = None if not hasattr(x, "__dlpack_device__") else find_reader(
        int(x.__dlpack_device__()[0]), function
    )
    if reader is not None:
        source = (<Device>reader).backend.from_dlpack(x)
        if target is None or target is source.device:
            return asarray(source, None, None, True) if copy is True else source
        return imported(function, source, target, copy)
    exporter = ExporterOfWords(x)
    try:
        array = np.from_dlpack(exporter, copy=copy)
    except (RuntimeError, BufferError) as error:  # not readable for NumPy or the exporter
        raise BufferError(f"{function}: {error}") from None
    except ValueError as error:  # a capsule that was used before, a copy despite copy=False
        raise ValueError(f"{function}: {error}") from None
    if exporter.is_bfloat16:
        array = array.view(load_bfloat16())
    source = from_ndarray(function, array)
    return source if target is None or target is CPU else imported(function, source, target, copy)


cdef Tensor imported(str function, Tensor x, Device target, object copy):
    """`x` on another device, over the same memory if possible."""
    cdef Tensor shared
    if copy is not True:
        shared = over_same_memory(x, target)
        if shared is not None:
            return shared
        if copy is False:
            raise moving_error(function, target)
    return to_device(x, target)


cdef object moving_error(str function, Device target):
    return ValueError(f"{function}: moving to {target} needs a copy, and copy=False was given")


cdef Tensor view_all(Tensor x):
    """Another tensor over the same elements."""
    cdef Tensor view
    if not has_layout(x):
        return x.backend.tensor(x.storage, DTYPES[x.code], x.shape, x.device)
    view = view_of(x, x.ndim)
    keep_axes(x, 0, x.ndim, view, 0)
    finish_view(view)
    return view


cpdef object result_type(object operands):
    """Return the promoted dtype of a sequence of arrays, dtypes and Python scalars."""
    cdef unsigned int found = 0
    cdef int code, other
    cdef list scalars = []
    for operand in operands:
        if is_tensor(operand):
            other = (<Tensor>operand).code
        elif is_scalar(operand):
            scalars.append(operand)
            continue
        elif isinstance(operand, (np.ndarray, np.generic)):
            other = dtype_code("result_type", operand.dtype)
        else:
            other = dtype_code("result_type", operand)
        found |= 1 << other
    if found:
        code = promoted_all(found)
    else:
        if not scalars:
            raise ValueError("result_type: at least one array, dtype or scalar is needed")
        code = DTYPE_bool
    for value in scalars:
        code = PROMOTED[code][scalar_code(value, code)]
    return DTYPES[code]


cdef int code_in(str function, object operand) except -1:
    """Code of the dtype of an array, or of the dtype that something names."""
    cdef int code
    if is_tensor(operand):
        return (<Tensor>operand).code
    code = find_code(operand)
    if code >= 0:
        return code
    dtype = getattr(operand, "dtype", None)
    # The scalar types of NumPy have a `dtype` too, but a descriptor.
    return dtype_code(function, dtype if isinstance(dtype, np.dtype) else operand)


cpdef object dtype_of(str function, object operand):
    """Return the dtype of an array, or the supported dtype that something names."""
    return DTYPES[code_in(function, operand)]


cpdef bint can_cast(object source, object target) except -1:
    """Return whether a dtype, or that of an array, promotes to another with it."""
    cdef int to = dtype_code("can_cast", target)
    return PROMOTED[code_in("can_cast", source)][to] == to
