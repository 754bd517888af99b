# Backend, the interface of all backends.
#
# Needs arguments, convert, device, dispatch, dtypes, filling, freelist, indexing,
# namespace_backend, operands, storage, tensor, upcalls, validation, cpu/copies,
# cpu/elementwise, cpu/reductions.


cdef inline int refuse_none(str function, Tensor x) except -1:
    """Methods can be called from Python, where None is accepted for an extension type."""
    if x is None:
        raise TypeError(f"{function}: expected a Tensor, got None")
    return 0


cpdef object checked_ndarray(str function, object array):
    """An ndarray, or a scalar of NumPy's; TypeError for what NumPy would have to convert."""
    if not isinstance(array, (np.ndarray, np.generic)):
        raise TypeError(f"{function}: expected an ndarray, got {type(array).__name__}")
    return array


cdef Tensor as_code(Tensor x, int code):
    """`x` as the dtype of that code; `x` itself if it has that dtype."""
    return x if x.code == code else x.backend.astype(x, DTYPES[code], True)


cdef Tensor scalar_on(str function, Device device, object value, int code):
    """A Python scalar as a 0-d tensor on any device; errors name `function`."""
    if not is_scalar(value):
        raise TypeError(f"{function}: expected a Tensor or a scalar, got {type(value).__name__}")
    try:
        array = np.asarray(value, dtype=DTYPES[code])
    except OverflowError as error:
        raise OverflowError(f"{function}: {error}") from None
    return device.backend.from_numpy(array, device)


cdef bint is_beyond(object value, int code) except -1:
    """Whether a Python integer is out of the range of an integer dtype."""
    cdef char ignored[16]
    if not PyLong_Check(value) or not is_integer(code):
        return False
    try:
        store_integer(ignored, code, value)
    except OverflowError:
        return True
    return False


cdef tuple promoted(Operation op, object x1, object x2, int* code):
    """Both operands as tensors of one device; writes the code of their common dtype."""
    cdef Tensor like = <Tensor>x1 if is_tensor(x1) else <Tensor?>x2
    if is_tensor(x1) and is_tensor(x2):
        code[0] = PROMOTED[like.code][(<Tensor>x2).code]
        return x1, x2
    code[0] = scalar_code_in(op, x2 if is_tensor(x1) else x1, like.code)
    if is_tensor(x1):
        x2 = scalar_on(NAMES[<int>op], like.device, x2, code[0])
    else:
        x1 = scalar_on(NAMES[<int>op], like.device, x1, code[0])
    code[0] = PROMOTED[code[0]][like.code]
    return x1, x2


cdef object compared_exactly(Backend backend, Operation op, Tensor x1, Tensor x2):
    """The comparison of signed and unsigned integers whose common dtype is a floating-point one."""
    cdef bint first = not is_unsigned(x1.code)
    negative = backend.binary(OP_less, x1 if first else x2, 0)
    result = backend.binary(op, as_code(x1, DTYPE_uint64), as_code(x2, DTYPE_uint64))
    # A negative number is the lesser one.
    if op == OP_not_equal or op == (OP_less if first else OP_greater) \
            or op == (OP_less_equal if first else OP_greater_equal):
        return backend.binary(OP_logical_or, result, negative)
    return backend.binary(OP_logical_and, result, backend.unary(OP_logical_not, negative))


cdef object complex_spread(
    Backend backend, Operation op, Tensor x, object axis, bint keepdims, double correction
):
    """The variance of complex numbers, or its root, for backends that support real ones.

    It is the sum of the variances of the components: |x - mean|^2 is the sum of their squares.
    """
    parts = [
        backend.reduce(OP_var, backend.unary(part, x), axis, keepdims, None, correction)
        for part in (OP_real, OP_imag)
    ]
    variance = backend.binary(OP_add, parts[0], parts[1])
    return backend.unary(OP_sqrt, variance) if op == OP_std else variance


@cython.binding(False)
@cython.embedsignature(True)
@cython.embedsignature.format("clinic")
cdef class Backend:
    """The computations on tensors of one kind of storage.

    A backend must have `execute`. By default it has one device, of its own name, and its tensors
    are stored as ndarrays. A backend with other storage overrides `from_numpy`, `to_numpy`,
    `getitem` and `setitem`; one with several devices overrides `devices`. It can override shapes
    of work (`unary`, `binary`, `where`, `reduce`, `scan`) to be faster; by default they call
    `execute`. `NamespaceBackend` implements all methods for storage with an array API namespace.

    Parameters
    ----------
    name : str, optional
        The name of its devices: ``name`` or ``name:index``. By default the name under which it is
        registered.

    Attributes
    ----------
    remote : bool
        Whether data leave the machine or the process. Such a backend is used only if the user
        chose it by name. False unless the class says otherwise.

    Raises
    ------
    TypeError
        The class lacks `execute`.
    """

    remote = False

    def __cinit__(self, *args, **kwargs):
        kind = type(self)
        if getattr(kind, "execute") is getattr(Backend, "execute"):
            raise TypeError(
                f"{kind.__name__}: a backend must define execute(operation, inputs, params)"
            )

    def __init__(self, str name=None):
        if name is not None:
            self.name = name

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"

    # ---- facts

    def missing(self):
        """Return the reason why the backend cannot be used on this machine; empty if it can."""
        return ""

    def is_available(self):
        """Return whether the backend can be used on this machine."""
        return not self.missing()

    def devices(self):
        """Return the list of the backend's devices: by default one, which has its name."""
        if self.only is None:
            self.only = Device(self)
        return [self.only]

    def chosen_automatically(self, Device device not None):
        """Return whether a device may be used by those who did not name it.

        Not so if it is slower than the CPU's, as where a driver computes on the processor.
        """
        return True

    def get_capabilities(self):
        """Return what the backend's devices can do.

        Returns
        -------
        dict
            The standard's keys ``"boolean indexing"``, ``"data-dependent shapes"`` and ``"max
            dimensions"``. ``"simd_level"``: the instruction set, or None. ``"threads"``: the number
            of threads of an operation, or None where it is not known. ``"fp64_support"`` and
            ``"fp16_support"``: whether there is arithmetic of float64 and of float16.
        """
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": MAX_NDIM,
            "simd_level": None,
            "threads": None,
            "fp64_support": True,
            "fp16_support": False,
        }

    def supports(self, str operation not None, dtype=None):
        """Return whether the backend computes an operation.

        Parameters
        ----------
        operation : str
            The standard's name; functions of an extension as ``"linalg.svd"``.
        dtype : dtype, optional
            The dtype of its arrays.

        Raises
        ------
        ValueError
            The standard has no such operation.
        """
        row = find_operation(operation)
        return dtype is None or is_accepted(row, dtype_code("supports", dtype))

    def synchronize(self):
        """Wait until all work submitted so far is done."""

    def memory_stats(self, Device device=None):
        """Return the counts of a device's memory pool; see `corepy.memory.stats`."""
        raise ValueError(f"memory.stats: {self!r} has no memory pool")

    def empty_cache(self, Device device=None):
        """Return the cached memory of a device's pool to the system."""
        raise ValueError(f"memory.empty_cache: {self!r} has no memory pool")

    # ---- conversion between tensors and native arrays

    def token(self, Tensor x not None):
        """Return what tells a tensor from others, of its elements' bits."""
        import hashlib
        array = np.ascontiguousarray(self.to_numpy(x))
        content = hashlib.blake2b(array.reshape(-1).view(np.uint8).data, digest_size=20)
        return "corepy.Tensor", str(x.device), x.shape, str(x.dtype), content.hexdigest()

    def unwrap(self, Tensor x not None):
        """Return the storage of a tensor of this backend, a native array."""
        if x.backend is not self:
            raise ValueError(f"unwrap: the tensor is on {x.device}, not on a device of {self!r}")
        return x.storage

    def tensor(self, storage, dtype, tuple shape not None, Device device not None):
        """Return the Tensor around `storage`, a native array of that dtype and shape.

        The storage must not refer to the tensor: tensors are not garbage-collected.
        """
        cdef Py_ssize_t dims[MAX_NDIM]
        cdef Py_ssize_t ndim = read_shape("tensor", shape, dims)
        cdef Tensor x = new_tensor()
        if device.backend is not self:
            raise ValueError(f"tensor: {device!r} is not a device of {self!r}")
        x.code = <int8_t>dtype_code("tensor", dtype)
        set_shape(x, ndim, dims)
        x.flags = WRITEABLE | READY | (x.flags & VALUE)
        x.data = NULL
        x.storage = storage
        x.backend, x.device = device.backend, device
        return x

    def replace(self, Tensor x not None, storage):
        """Give a tensor other storage, a native array of its dtype and shape.

        For libraries whose arrays are not written to, and for arrays that have been computed.
        Views of the tensor keep what they have.
        """
        self.unwrap(x)  # raises for a tensor of another backend
        x.storage = storage

    cpdef object from_numpy(self, object array, Device device):
        """Return a Tensor on `device` with the elements of an ndarray."""
        array = np.array(checked_ndarray("from_numpy", array), order="C")
        return self.tensor(array, array.dtype, array.shape, device)

    cpdef object to_numpy(self, Tensor x):
        """Return an ndarray with the elements of `x`, a view if possible."""
        return self._array_of("to_numpy", x)

    cdef object _array_of(self, str method, Tensor x):
        """The storage of a tensor, an ndarray or, of a `NamespaceBackend`, another native array."""
        refuse_none(method, x)
        array = self.unwrap(x)
        if not isinstance(array, np.ndarray):
            raise NotImplementedError(
                f"{method}: {type(self).__name__} stores {type(array).__name__} instead of "
                f"ndarrays, and must define {method}"
            )
        return array

    cdef object _unwrapped(self, object value):
        """An argument with native arrays for tensors, in a tuple or list, too."""
        if is_tensor(value):
            return self._array_of("unwrap", value)
        if type(value) is tuple or type(value) is list:
            items = [self._array_of("unwrap", item) if is_tensor(item) else item for item in value]
            return items if type(value) is list else tuple(items)
        return value

    def move(self, Tensor x not None, Device device not None, stream=None):
        """Return a copy of `x` on another device, of this or another backend.

        Backends with streams copy in `stream`.
        """
        if stream is not None:
            raise ValueError(
                f"to_device: {x.device} and {device} have no streams, got stream={stream!r}"
            )
        if device is x.device:
            return x
        array = x.backend.to_numpy(x)
        if device is CPU:
            array = np.array(array)  # the tensors stay independent of each other
        return device.backend.from_numpy(array, device)

    def split(self, Tensor x not None, chunks):
        """Return `x` in chunks of other sizes, on a backend that stores arrays in chunks."""
        raise ValueError(
            f"asarray: arrays on {x.device} are not stored in chunks, got chunks={chunks!r}"
        )

    def represent(self, Tensor x not None):
        """Return ``repr(x)`` for a backend that computes elements later; None: the elements are
        shown.
        """
        return None

    def compute(self, tuple tensors):
        """Compute tensors of this backend together, in place, if it computes them later."""

    def persist(self, tuple tensors):
        """Compute tensors of this backend together, in place, and keep them where they are."""
        self.compute(tensors)

    def share(self, Tensor x not None, Device device not None):
        """Return a tensor on `device` over the memory of `x`, which is on another device.

        None: there is no such tensor without a copy. `to_device` copies always.
        """
        return None

    def from_dlpack(self, exporter):
        """Return the Tensor over the memory of a DLPack exporter on one of the devices."""
        raise BufferError(f"from_dlpack: {self!r} does not support DLPack import")

    cpdef object dlpack(self, Tensor x, dict params):
        """Return the DLPack capsule for ``x.__dlpack__(**params)``."""
        return self._array_of("dlpack", x).__dlpack__(**params)

    cpdef tuple dlpack_device(self, Tensor x):
        """Return DLPack's (device type, device id) of `x`."""
        kind, index = self._array_of("dlpack_device", x).__dlpack_device__()
        return int(kind), int(index)

    def cuda_array_interface(self, Tensor x not None):
        """Return ``x.__cuda_array_interface__``; AttributeError if CUDA cannot read `x`."""
        raise AttributeError(f"__cuda_array_interface__: {x.device} is not a CUDA device")

    def from_cuda_array(self, exporter):
        """Return the Tensor over the memory of an object with ``__cuda_array_interface__``."""
        raise BufferError(f"asarray: {self!r} does not support __cuda_array_interface__")

    cpdef Device place(self, Device device, Py_ssize_t nbytes):
        """Return where an array of that size is put that is wanted on one of the devices."""
        return device

    # ---- every operation

    cpdef object execute(self, str operation, object inputs, dict params=None):
        """Compute an operation of the standard by its name.

        Parameters
        ----------
        operation : str
            The standard's name; functions of an extension as ``"linalg.svd"``.
        inputs : tuple or list
            The function's positional arguments; tensors in it, also in a tuple or list, are on
            one device of this backend.
        params : dict, optional
            Its keyword arguments; dtypes are NumPy dtypes.

        Returns
        -------
        Tensor or tuple or list of Tensor

        Raises
        ------
        NotImplementedError
            The backend does not have the operation; another backend computes it then, see
            `corepy.config`.
        """
        raise NotImplementedError(f"{type(self).__name__}.execute")

    cpdef object create(self, str operation, tuple inputs, dict params, Device device):
        """Compute an operation of no tensors on one of the backend's devices."""
        return to_device(self.execute(operation, inputs, params), device)

    # Called by the core with checked arguments; see `CheckedBackend`.

    cdef object execute_checked(self, str operation, tuple inputs, dict params):
        return upcall("compute")(self, operation, inputs, params, None)

    cdef object create_checked(self, str operation, tuple inputs, dict params, Device device):
        return upcall("compute")(self, operation, inputs, params, device)

    # ---- kinds of operations, each of which falls back on execute

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        """Return `x` as `dtype`; `x` itself if it has that dtype and `copy` is false."""
        refuse_none("astype", x)
        if not copy and DTYPES[x.code] is dtype:
            return x
        return self.execute_checked("astype", (x, dtype), {"copy": copy})

    cpdef object full(self, tuple shape, object value, object dtype, Device device):
        """Return a new tensor filled with a scalar; None: not initialised."""
        if value is None:
            return self.create_checked("empty", (shape,), {"dtype": dtype}, device)
        return self.create_checked("full", (shape, value), {"dtype": dtype}, device)

    cpdef object unary(self, Operation op, Tensor x):
        """Compute an elementwise operation of one tensor."""
        refuse_none("unary", x)
        cdef const Entry* found = find_entry(op, SHAPE_unary, x.code)
        x = as_code(x, found.compute)
        return as_code(self.execute_checked(NAMES[<int>op], (x,), {}), found.result)

    cpdef object binary(self, Operation op, object x1, object x2):
        """Compute an elementwise operation of two operands, one of which may be a scalar."""
        cdef int code
        cdef const Entry* found
        check_operation(op, SHAPE_binary)
        if is_comparison(op):
            like, value = (x1, x2) if is_tensor(x1) else (x2, x1)
            if is_beyond(value, (<Tensor?>like).code):
                return to_device(compared_out_of_range(op, x1, x2), (<Tensor>like).device)
        x1, x2 = promoted(op, x1, x2, &code)
        if is_comparison(op) and code == DTYPE_float64 and is_integer((<Tensor>x1).code) \
                and is_integer((<Tensor>x2).code):
            return compared_exactly(self, op, x1, x2)
        found = find_entry(op, SHAPE_binary, code)
        check_stacks(
            NAMES[<int>op], (<Tensor>x1).ndim, (<Tensor>x1).dims, (<Tensor>x2).ndim,
            (<Tensor>x2).dims,
        )
        x1, x2 = as_code(x1, found.compute), as_code(x2, found.compute)
        return as_code(self.execute_checked(NAMES[<int>op], (x1, x2), {}), found.result)

    cpdef object where(self, Tensor condition, object x1, object x2):
        """Select elementwise from two operands, one of which may be a scalar."""
        refuse_none("where", condition)
        cdef int code
        x1, x2 = promoted(OP_where, x1, x2, &code)
        x1, x2 = as_code(x1, code), as_code(x2, code)
        return self.execute_checked("where", (as_code(condition, DTYPE_bool), x1, x2), {})

    cpdef object clip(self, Tensor x, object low, object high):
        """Limit elements to an interval; `low` and `high` as in `corepy.array_api.clip`."""
        refuse_none("clip", x)
        return self.execute_checked("clip", (x, low, high), {})

    cpdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype,
        double correction,
    ):
        """Reduce over one axis, several (a tuple) or all (None).

        Only sum and prod have a `dtype`, only std and var a `correction`.
        """
        refuse_none("reduce", x)
        cdef const Entry* found = find_entry(op, SHAPE_reduce, x.code)
        cdef dict params
        cdef Axes axes
        cdef cppbool marked[MAX_NDIM]
        cdef Tensor result
        read_axes(NAMES[<int>op], axis, &axes)
        axis = plain_axes(&axes)
        params = {"axis": axis, "keepdims": keepdims}
        mark_axes(NAMES[<int>op], &axes, x.ndim, marked)
        check_choice(op, &axes, x, marked)
        if x.code == DTYPE_bool and op in (OP_max, OP_min, OP_argmax, OP_argmin):
            result = self.reduce(op, as_code(x, DTYPE_uint8), axis, keepdims, None, 0.0)
            return as_code(result, found.result)
        if op == OP_std or op == OP_var:
            if is_complex(x.code):
                return complex_spread(self, op, x, axis, keepdims, correction)
            x = as_code(x, found.result)
            params["correction"] = correction
        elif dtype is not None:
            x = as_code(x, CODES[dtype])
            params["dtype"] = dtype
        elif x.code == DTYPE_bool and (op == OP_sum or op == OP_prod):
            x = as_code(x, DTYPE_int64)
        elif op == OP_mean:
            x = as_code(x, found.result)
        return self.execute_checked(NAMES[<int>op], (x,), params)

    cpdef object scan(
        self, Operation op, Tensor x, Py_ssize_t axis, object dtype, bint include_initial
    ):
        """Accumulate along an axis, in `dtype` if that is not None."""
        refuse_none("scan", x)
        find_entry(op, SHAPE_scan, x.code)
        if x.code == DTYPE_bool:
            x = as_code(x, DTYPE_int64)
        params = {"axis": axis, "dtype": dtype, "include_initial": include_initial}
        return self.execute_checked(NAMES[<int>op], (x,), params)

    cpdef object inplace(self, Operation op, Tensor x, object other):
        """Compute ``x = op(x, other)`` in the memory of `x`, and return `x`."""
        refuse_none("inplace", x)
        cdef Tensor result = self.binary(op, x, other)
        check_inplace(op, x, result.code)
        if not same_shape(x, result):
            raise inplace_shape_error(op, x, shape_tuple(result.ndim, result.dims))
        self.setitem(x, Ellipsis, as_code(result, x.code))
        return x

    cpdef object getitem(self, Tensor x, object key):
        """Return ``x[key]``."""
        array = self._array_of("getitem", x)
        return self._taken(x, key, self.native_getitem(array, self._native_key("getitem", x, key)))

    cpdef object setitem(self, Tensor x, object key, object value):
        """Do ``x[key] = value``; a tensor `value` is on the device of `x`."""
        refuse_none("setitem", x)
        # Reading the index and the value may run code of the program, which may write to `x`.
        key = self._native_key("setitem", x, key)
        source = self._assigned(x, value)
        self.native_setitem(self._array_of("setitem", x), key, self._array_of("setitem", source))

    cdef object _native_key(self, str method, Tensor x, object key):
        """An index with native arrays."""
        return self._unwrapped(key_beside(method, x, key))

    cdef Tensor _taken(self, Tensor x, object key, object native):
        """The result of ``x[key]``, a native array, as a tensor."""
        native = np.asarray(native)
        if native.ndim == 0 and all_integers(key):
            native = native.copy()  # a value, as in NumPy and on the CPU backend, not a view
        return self.tensor(native, DTYPES[x.code], native.shape, x.device)

    cdef Tensor _assigned(self, Tensor x, object value):
        """A value to assign to elements of `x`, as a tensor of its dtype."""
        cdef Tensor source
        if is_tensor(value):
            source = as_assigned(x, value)
        else:
            value = written_number(x, value)
            source = scalar_on("setitem", x.device, value, scalar_code(value, x.code))
            check_assignable(x, source.code)
        return as_code(source, x.code)

    def native_getitem(self, native, key):
        """Return ``native[key]``; for storage with less indexing than NumPy's."""
        try:
            return native[key]
        except (IndexError, ValueError) as error:
            raise index_error("getitem", str(error)) from None

    def native_setitem(self, native, key, value):
        """Do ``native[key] = value``; see `native_getitem`."""
        try:
            native[key] = value
        except IndexError as error:
            raise index_error("setitem", str(error)) from None
        except ValueError as error:
            raise ValueError(f"setitem: {error}") from None


def index_beside(str function not None, Tensor x not None, key):
    """Return an index of `x` with its tensors on the device of `x`; moves them if that is allowed.
    """
    return key_beside(function, x, key)


def assigned_to(Tensor x not None, value):
    """Return what ``x[key] = value`` writes, as a tensor of the dtype of `x` on its device."""
    return x.backend._assigned(x, value)


def operation_name(Operation op):
    """Return the standard's name of the operation of a number."""
    if not 0 <= <int>op < <int>OP_COUNT:
        raise ValueError(f"operation_name: there is no operation of number {<int>op}")
    return NAMES[<int>op]


def name_backend(Backend backend not None, str name not None):
    """Name a backend that has no name yet."""
    if backend.name is None:
        backend.name = name
