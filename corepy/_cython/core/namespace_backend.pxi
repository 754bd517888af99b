# NamespaceBackend, over a namespace of the standard, and backends that check arguments themselves.
#
# Needs backend, checks, convert, device, dtypes, tensor, threads, validation.


# Held while a namespace is loaded, so that no thread uses it partly loaded.
cdef object LOADING = _thread.RLock()
renew_after_fork(LOADING)


@cython.binding(False)
@cython.embedsignature(True)
@cython.embedsignature.format("clinic")
cdef class NamespaceBackend(Backend):
    """A backend over an array API namespace.

    Parameters
    ----------
    name : str
        Name of the backend and of its device.
    load : callable
        Returns the namespace; called when the backend is first used.
    requires : str
        The package that must be installed for it.
    corrections : callable, optional
        Returns a dict from operations' names to functions ``f(namespace, *inputs, **params)``
        that replace the namespace's where these depart from the standard (see
        `corepy.backend.corrections`); called after `load`.
    """

    def __init__(self, str name not None, load, str requires not None, corrections=None):
        super().__init__(name)
        self.requires = requires
        self.load = load
        self.load_corrections = corrections
        self.functions = {}

    @property
    def namespace(self):
        """The native array namespace, loaded at first use."""
        if self._namespace is None:
            with LOADING:
                if self._namespace is None:
                    self._load_namespace()
        return self._namespace

    cdef int _load_namespace(self) except -1:
        namespace = self.load()
        corrections = {} if self.load_corrections is None else self.load_corrections()
        for operation, function in corrections.items():
            self.functions[operation] = corrected(function, namespace)
        self.native_dtypes = {
            DTYPE_NAMES.index(name): native
            for name, native in self.native_dtypes_of(namespace).items()
        }
        self._namespace = namespace  # last: from now on other threads use all of it
        return 0

    def missing(self):
        """Return that the required package is not installed; empty if it is."""
        from importlib.util import find_spec
        return "" if find_spec(self.requires) is not None else f"{self.requires} is not installed"

    def supports(self, str operation not None, dtype=None):
        """Return whether there is a function for the operation, and the dtype."""
        if dtype is not None and not is_half(dtype_code("supports", dtype)) \
                and self.native_dtype(np.dtype(dtype)) is None:
            return False
        return Backend.supports(self, operation, dtype) and self._function(operation) is not None

    # ---- hooks: what libraries differ in

    def native_dtypes_of(self, namespace):
        """Return the namespace's dtypes by their names, without those that it does not have."""
        return {
            name: getattr(namespace, name) for name in DTYPE_NAMES if hasattr(namespace, name)
        }

    def native_device(self, Device device not None):
        """Return the value of ``device=`` for creations on a device; None: it is not passed."""

    def device_of(self, native):
        """Return the device that a native array is on: the only one, unless the class says else."""
        return NamespaceBackend.devices(self)[0] if self.only is None else self.only

    def native_shape(self, native):
        """Return the shape of a native array; computes it where it is not known yet."""
        return tuple(native.shape)

    def native_to_numpy(self, native):
        """Return an ndarray with the elements of a native array, a view if possible."""
        return np.from_dlpack(native)

    def native_from_numpy(self, array, Device device not None):
        """Return a native array with the elements of an ndarray, which no one else uses."""
        where = self.native_device(device)
        if where is None:
            return self.namespace.asarray(array, copy=True)
        return self.namespace.asarray(array, device=where, copy=True)

    # ---- between tensors and native arrays

    def native_dtype(self, dtype):
        """Return the namespace's dtype for a NumPy dtype; None: it has none."""
        namespace = self.namespace  # loads the table
        return self.native_dtypes.get(CODES.get(dtype))

    def wrap(self, native):
        """Return the Tensor around a native array."""
        if isinstance(native, np.generic):  # NumPy's 0-d results
            native = np.asarray(native)
        if self._namespace is None:
            self.namespace  # loads the table
        native_dtype = native.dtype
        for code, candidate in self.native_dtypes.items():
            if candidate == native_dtype:
                dtype = load_bfloat16() if code == <int>DTYPE_bfloat16 else DTYPES[code]
                shape = self.native_shape(native)
                return self.tensor(native, dtype, shape, self.device_of(native))
        raise TypeError(
            f"wrap: dtype {native_dtype} of backend {self.name!r} is not supported; "
            f"allowed: {SUPPORTED_DTYPES}"
        )

    cdef object _unwrapped(self, object value):
        if not isinstance(value, np.dtype):
            return Backend._unwrapped(self, value)
        native = self.native_dtype(value)
        if native is None:
            raise NotImplementedError(f"{self!r} does not have dtype {value}")
        return native

    cdef object _function(self, str operation):
        """The function over native arrays that computes an operation; None: there is none."""
        namespace = self.namespace  # the first access also sets the corrections
        function = self.functions.get(operation)
        if function is None:
            find_operation(operation)
            try:
                function = operator.attrgetter(operation)(namespace)
            except AttributeError:
                return None
            self.functions[operation] = function
        return function

    cdef object _wrapped(self, object result):
        if isinstance(result, (tuple, list)):
            kind = list if isinstance(result, list) else tuple
            return kind([self._wrapped(item) for item in result])
        return self.wrap(result)

    # ---- halves, which are computed in float32, and stored so if the namespace does not have them

    cdef bint _has(self, int code) except -1:
        """Whether elements of a half are stored as such."""
        namespace = self.namespace  # loads the table
        return code in self.native_dtypes

    cdef Tensor _float32_of(self, Tensor x):
        """Halves as float32."""
        if not self._has(x.code):
            return self.wrap(x.storage)
        native = self._function("astype")(x.storage, self.native_dtypes[<int>DTYPE_float32])
        return self.wrap(native)

    cdef Tensor _half_of(self, Tensor x, int code, bint exact):
        """float32 as halves; `exact`: they are halves' numbers."""
        if self._has(code):
            return self.wrap(self._function("astype")(x.storage, self.native_dtypes[code]))
        if not exact:
            array = self.to_numpy(x).astype(DTYPES[code]).astype(np.float32)
            x = self.from_numpy(array, x.device)
        return self.tensor(x.storage, DTYPES[code], x.shape, x.device)

    cdef object _widened(self, object value):
        """An argument with float32 for halves, in a tuple or list, too."""
        if type(value) is tuple or type(value) is list:
            return type(value)([self._widened(item) for item in value])
        if isinstance(value, np.dtype):
            return DTYPES[<int>DTYPE_float32] if is_half(CODES.get(value, -1)) else value
        if is_tensor(value) and is_half((<Tensor>value).code):
            return self._float32_of(value)
        return value

    cdef object _rounded(self, object result, int code, bint exact):
        """A result with halves for float32."""
        if type(result) is tuple or type(result) is list:
            return type(result)([self._rounded(item, code, exact) for item in result])
        if (<Tensor>result).code != DTYPE_float32:
            return result
        return self._half_of(result, code, exact)

    cdef object _executed_in_float32(self, str operation, tuple inputs, dict params):
        cdef unsigned int codes = 0
        cdef int code = -1
        for value in (*inputs, *params.values()):
            if isinstance(value, np.dtype):
                code = CODES.get(value, -1)
        for x in tensors_in(inputs, params):
            codes |= <unsigned int>1 << (<Tensor>x).code
        if operation in ("repeat", "take", "take_along_axis"):  # other tensors are integers
            code = (<Tensor>inputs[0]).code
        elif code < 0:
            code = promoted_all(codes)
        if operation in ("nextafter", "spacing"):  # in the dtype itself
            device = (<Tensor>inputs[0]).device
            inputs = tuple([CPU.backend.from_numpy(self.to_numpy(x), CPU) for x in inputs])
            return to_device(CPU.backend.execute(operation, inputs), device)
        params = {name: self._widened(value) for name, value in params.items()}
        result = self.execute(operation, self._widened(inputs), params)
        return self._rounded(result, code, operation in MOVES) if is_half(code) else result

    # ---- the contract

    cpdef object execute(self, str operation, object inputs, dict params=None):
        function = self._function(operation)
        if function is None:
            raise NotImplementedError(f"{operation}: not supported by {self!r}")
        inputs, params = tuple(inputs), params or {}
        if has_halves(inputs, params) and not (operation in MOVES and self._has(DTYPE_float16)
                                               and self._has(DTYPE_bfloat16)):
            return self._executed_in_float32(operation, inputs, params)
        inputs = tuple([self._unwrapped(value) for value in inputs])
        params = {name: self._unwrapped(value) for name, value in params.items()}
        try:
            with np.errstate(all="ignore"):  # NaN and infinity in the result suffice
                result = function(*inputs, **params)
        except (TypeError, ValueError, IndexError, OverflowError, MemoryError) as error:
            raise named_error(operation, error) from None
        return self._wrapped(result)

    cpdef object from_numpy(self, object array, Device device):
        # The copy makes the tensor's memory private and writeable.
        cdef int half
        array = np.array(checked_ndarray("from_numpy", array))
        half = CODES.get(array.dtype, -1)
        if not is_half(half) or self._has(half):
            return self.wrap(self.native_from_numpy(array, device))
        native = self.native_from_numpy(array.astype(np.float32), device)
        return self.tensor(native, array.dtype, array.shape, device)

    cpdef object create(self, str operation, tuple inputs, dict params, Device device):
        where = self.native_device(device)
        if where is None:
            return to_device(self.execute(operation, inputs, params), device)
        params = {**({} if params is None else params), "device": where}
        return self.execute(operation, inputs, params)

    cpdef object to_numpy(self, Tensor x):
        refuse_none("to_numpy", x)
        array = self.native_to_numpy(self.unwrap(x))
        return array.astype(DTYPES[x.code]) if is_half(x.code) and not self._has(x.code) else array

    cpdef object dlpack(self, Tensor x, dict params):
        if is_half(x.code) and not self._has(x.code):
            raise BufferError(f"__dlpack__: {x.device} stores {DTYPES[x.code]} as float32")
        return Backend.dlpack(self, x, params)

    cdef object _array_of(self, str method, Tensor x):
        refuse_none(method, x)
        return self.unwrap(x)

    cdef Tensor _taken(self, Tensor x, object key, object native):
        cdef Tensor result = self.wrap(native)
        if result.code != x.code:  # halves that are stored as float32
            result = self._half_of(result, x.code, True)
        if result.ndim == 0 and all_integers(key):
            # A single element is a value, not a view, as in NumPy and on the CPU backend.
            return self.astype(result, DTYPES[result.code], True)
        return result


# Operations whose results have the bits of their operands.
cdef frozenset MOVES = frozenset(
    "broadcast_arrays broadcast_to concat expand_dims flip matrix_transpose meshgrid moveaxis "
    "permute_dims repeat reshape roll squeeze stack take take_along_axis tile tril triu unstack "
    "where".split()
)


cdef bint has_halves(tuple inputs, dict params) except -1:
    """Whether an argument is a tensor of halves, or their dtype."""
    for x in tensors_in(inputs, params):
        if is_half((<Tensor>x).code):
            return True
    for value in (*inputs, *params.values()):
        if isinstance(value, np.dtype) and is_half(CODES.get(value, -1)):
            return True
    return False


@cython.binding(False)
cdef class CheckedBackend(NamespaceBackend):
    """A backend with functions that trust their arguments.

    `execute` and `create` refuse tensors and devices of other backends, check arguments by the
    table of operations, and call `execute_checked` and `create_checked`.
    """

    def supports(self, str operation not None, dtype=None):
        """Return whether arrays of the operation may have that dtype: there is every operation."""
        return Backend.supports(self, operation, dtype)

    cpdef object execute(self, str operation, object inputs, dict params=None):
        cdef Tensor x
        find_operation(operation)
        if type(inputs) is not tuple:
            if type(inputs) is not list:
                raise TypeError(
                    f"{operation}: inputs must be a tuple or a list, got {type(inputs).__name__}"
                )
            inputs = tuple(inputs)
        for x in tensors_in(inputs, params):
            if x.backend is not self:
                raise TypeError(
                    f"{operation}: expected tensors of {self!r}, got one on {x.device}"
                )
        return execute(operation, inputs, params)

    cpdef object create(self, str operation, tuple inputs, dict params, Device device):
        if device is None or device.backend is not self:
            raise TypeError(f"{operation}: expected a device of {self!r}, got {device!r}")
        return create(operation, device, inputs, params)

    cdef object create_checked(self, str operation, tuple inputs, dict params, Device device):
        return self.execute_checked(operation, inputs, params)


cdef object corrected(object function, object namespace):
    """`function` with the native namespace as its first argument."""
    def call(*inputs, **params):
        return function(namespace, *inputs, **params)
    return call


cdef bint all_integers(object key):
    if isinstance(key, tuple):
        return all([PyIndex_Check(item) and not PyBool_Check(item) for item in key])
    return PyIndex_Check(key) and not PyBool_Check(key)
