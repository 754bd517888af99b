# The CPU backend: the contract over kernels and views, with NumPy for the rest.


@cython.final
cdef class CpuBackend(NamespaceBackend):
    """The backend of host memory.

    Kernels come first; an operation, or a dtype of one, that has none is computed by the
    namespace (NumPy's, with the standard's corrections) over the same memory.
    """

    def tensor(self, storage, dtype, tuple shape not None, Device device not None):
        """Return the Tensor over the memory of an ndarray of that dtype and shape."""
        cdef Tensor x = from_ndarray("tensor", storage)
        if DTYPES[x.code] != as_dtype("tensor", dtype) or x.shape != shape:
            raise ValueError(
                f"tensor: expected an ndarray of shape {shape} and dtype {dtype}, "
                f"got shape {x.shape} and dtype {DTYPES[x.code]}"
            )
        return x

    def wrap(self, native):
        """Return the Tensor over the memory of an ndarray."""
        return from_ndarray("wrap", native)

    def unwrap(self, Tensor x not None):
        """Return an ndarray over the memory of a tensor."""
        return as_ndarray(x)

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        cdef int code = CODES[dtype]
        return x if code == x.code and not copy else cast_to(x, code)

    cpdef object full(self, tuple shape, object value, object dtype, Device device):
        return cpu_full(shape, value, CODES[dtype])

    cpdef object unary(self, Operation op, Tensor x):
        return cpu_unary(self, op, x)

    cpdef object binary(self, Operation op, object x1, object x2):
        return cpu_binary(self, op, x1, x2)

    cpdef object where(self, Tensor condition, object x1, object x2):
        return cpu_where(self, condition, x1, x2)

    cpdef object reduce(self, Operation op, Tensor x, object axis, bint keepdims, object dtype):
        return cpu_reduce(self, op, x, axis, keepdims, dtype)

    cpdef object inplace(self, Operation op, Tensor x, object other):
        return cpu_inplace(self, op, x, other)

    cpdef object getitem(self, Tensor x, object key):
        return cpu_getitem(x, key)

    cpdef object setitem(self, Tensor x, object key, object value):
        cpu_setitem(x, key, value)

    cpdef object from_numpy(self, object array, Device device):
        return from_ndarray("asarray", array)

    cpdef object to_numpy(self, Tensor x):
        return as_ndarray(x)

    cpdef object dlpack(self, Tensor x, dict params):
        return as_ndarray(x).__dlpack__(**params)

    cpdef tuple dlpack_device(self, Tensor x):
        return as_ndarray(x).__dlpack_device__()


def _load_numpy():
    import array_api_compat.numpy
    return array_api_compat.numpy


def _load_numpy_corrections():
    from corepy.backend.standard import corrections_for
    return corrections_for("numpy")


#: The one CPU backend.
cpu = CpuBackend("cpu", _load_numpy, "numpy", _load_numpy_corrections)
CPU = cpu.devices()[0]
