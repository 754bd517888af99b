# The CPU backend: the contract over kernels and views, with NumPy for the rest.
#
# Needs core/backend, core/convert, core/device, core/dispatch, core/dtypes, core/filling,
# core/indexing, core/namespace_backend, core/operands, core/simd, core/storage, core/tensor,
# core/upcalls, core/validation, copies, elementwise, reductions, scans.


cdef extern from *:
    """
    /* function(*inputs, **params), without copies of both. */
    static PyObject* call_with(PyObject* function, PyObject* inputs, PyObject* params) {
      return PyObject_VectorcallDict(
          function, ((PyTupleObject*)inputs)->ob_item, PyTuple_GET_SIZE(inputs),
          params == Py_None ? NULL : params);
    }
    """
    object call_with(object function, tuple inputs, dict params)

cdef dict CPU_IMPLEMENTATIONS = {}

# The names under which instruction sets are known, by those of the kernels.
cdef dict SIMD_NAMES = {
    "avx512": "AVX-512", "avx2": "AVX2", "baseline": "SSE2", "neon": "NEON", "scalar": "scalar"
}


# Operations that have no loops for halves, and are not of their bits alone.
cdef frozenset IN_FLOAT32 = frozenset(
    "unique_all unique_counts unique_inverse linalg.cholesky linalg.cross linalg.det "
    "linalg.eigh linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.matrix_power "
    "linalg.matrix_rank linalg.outer linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd "
    "linalg.svdvals linalg.vector_norm fft.fft fft.ifft fft.fftn fft.ifftn fft.rfft fft.irfft "
    "fft.rfftn fft.irfftn fft.hfft fft.ihfft".split()
)


cdef object implements(str operation):
    """Decorate the CPU's function for an operation; arguments have been checked."""
    def enter(function):
        CPU_IMPLEMENTATIONS[operation] = function
        if operation in IN_FLOAT32:
            NUMERIC.add(function)
        return function
    return enter


cdef set NUMERIC = set()  # the functions of IN_FLOAT32


cdef object call_on_cpu(object function, tuple inputs, dict params):
    """Call one of CPU_IMPLEMENTATIONS, with halves as float32 if it needs numbers; results of
    float32 are rounded then.
    """
    cdef NamespaceBackend backend = CPU.backend
    cdef unsigned int codes = 0
    cdef int code
    for x in inputs:
        if is_tensor(x):
            codes |= <unsigned int>1 << (<Tensor>x).code
    if not codes & HALVES or function not in NUMERIC:
        return call_with(function, inputs, params)
    found = call_with(function, backend._widened(inputs), params)
    code = promoted_all(codes)
    return backend._rounded(found, code, False) if is_half(code) else found


cdef inline int refuse_foreign(Tensor x) except -1:
    """Kernels of the CPU read host memory: the contract, open to Python, takes nothing else."""
    if x is None or not in_host_memory(x):
        raise foreign_error("cpu", x)
    return 0


@cython.final
@cython.binding(False)
cdef class CpuBackend(CheckedBackend):
    """The backend of host memory.

    Kernels come first; an operation, or a dtype of one, that has none is computed by the
    namespace (NumPy's, with the standard's corrections) over the same memory.
    """

    @property
    def simd_level(self):
        """The instruction set of the kernels, as ``"AVX2"``."""
        return SIMD_NAMES.get(simd_in_use(), simd_in_use())

    @property
    def thread_count(self):
        """The number of threads of an operation; see `corepy.set_num_threads`."""
        return num_threads()

    def get_capabilities(self):
        """Return what the processor and the kernels can do; see `Backend.get_capabilities`."""
        found = NamespaceBackend.get_capabilities(self)
        found.update(simd_level=self.simd_level, threads=self.thread_count)
        return found

    def memory_stats(self, Device device=None):
        """Return the counts of the memory pool; see `corepy.memory.stats`."""
        return memory_stats()

    def empty_cache(self, Device device=None):
        """Give what the memory pool has cached back to the system."""
        empty_memory_cache()

    def limit_cache(self, size_t nbytes):
        """Set the most bytes that the memory pool keeps, and free what is beyond."""
        limit_memory_cache(nbytes)

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
        cdef Tensor x = from_ndarray("wrap", native)
        if x.ndim == 0:
            x.flags |= VALUE
        return x

    def unwrap(self, Tensor x not None):
        """Return an ndarray over the memory of a tensor."""
        return as_ndarray(x)

    cdef object execute_checked(self, str operation, tuple inputs, dict params):
        all_operations()
        function = CPU_IMPLEMENTATIONS.get(operation)
        if function is not None:
            result = call_on_cpu(function, inputs, params)
            if result is not NotImplemented:
                return result
        return NamespaceBackend.execute(self, operation, inputs, params)

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        refuse_foreign(x)
        cdef int code = dtype_code("astype", dtype)
        if code == x.code:
            return cast_to(x, code) if copy else x
        return cast_to(x, code, True)

    cpdef object full(self, tuple shape, object value, object dtype, Device device):
        return full("full", shape, value, dtype, CPU)

    cpdef object unary(self, Operation op, Tensor x):
        refuse_foreign(x)
        if may_defer(x) and is_worth_deferring(op, x, False):
            return deferring_backend().unary(op, x)
        return cpu_unary(op, x)

    cpdef object binary(self, Operation op, object x1, object x2):
        if may_defer_any(x1, x2) \
                and is_worth_deferring(op, x1 if is_tensor(x1) else x2, is_tensor(x2)):
            return deferring_backend().binary(op, x1, x2)
        return cpu_binary(op, x1, x2)

    cpdef object where(self, Tensor condition, object x1, object x2):
        refuse_foreign(condition)
        if may_defer_any(x1, x2) or may_defer_any(condition, x1) or may_defer_any(condition, x2):
            return deferring_backend().where(condition, x1, x2)
        return cpu_where(condition, x1, x2)

    cpdef object clip(self, Tensor x, object low, object high):
        refuse_foreign(x)
        if may_defer_any(x, low) or may_defer_any(x, high):
            return deferring_backend().clip(x, low, high)
        return cpu_clip(x, low, high)

    cpdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype,
        double correction,
    ):
        refuse_foreign(x)
        if may_defer(x) and is_worth_deferring(op, x, False):
            return deferring_backend().reduce(op, x, axis, keepdims, dtype, correction)
        return cpu_reduce(op, x, axis, keepdims, dtype, correction)

    cpdef object scan(
        self, Operation op, Tensor x, Py_ssize_t axis, object dtype, bint include_initial
    ):
        refuse_foreign(x)
        if provided.check_errors:
            check_errors(NAMES[<int>op], (x,), {
                "axis": axis, "dtype": dtype, "include_initial": include_initial,
            })
        return cpu_scan(op, x, axis, dtype, include_initial)

    cpdef object inplace(self, Operation op, Tensor x, object other):
        refuse_foreign(x)
        if may_defer_any(x, other):
            return deferring_backend().inplace(op, x, other)
        return cpu_inplace(op, x, other)

    cpdef object getitem(self, Tensor x, object key):
        refuse_foreign(x)
        return cpu_getitem(x, key)

    cpdef object setitem(self, Tensor x, object key, object value):
        refuse_foreign(x)
        cpu_setitem(x, key, value)

    cpdef object from_numpy(self, object array, Device device):
        return from_ndarray("from_numpy", array)

    cpdef object to_numpy(self, Tensor x):
        refuse_foreign(x)
        return as_ndarray(x)

    cdef bint _has(self, int code) except -1:
        return True

    cdef Tensor _float32_of(self, Tensor x):
        return cast_to(x, DTYPE_float32)

    cdef Tensor _half_of(self, Tensor x, int code, bint exact):
        return cast_to(x, code)

    def share(self, Tensor x not None, Device device not None):
        cdef Backend backend = x.backend
        try:
            if backend.dlpack_device(x)[0] == HOST_MEMORY:
                return from_ndarray("asarray", backend.to_numpy(x))
        except (NotImplementedError, AttributeError, BufferError):  # storage without DLPack
            pass
        return None

    cpdef object dlpack(self, Tensor x, dict params):
        cdef int axis
        refuse_foreign(x)
        array = as_ndarray(x)
        for axis in range(x.ndim):
            if x.steps[axis] < 0 and x.dims[axis] > 1:
                # PyTorch aborts the process on negative strides.
                if params.get("copy") is False:
                    raise BufferError(
                        f"__dlpack__: strides {x.strides} cannot be exported without a copy, "
                        "and copy=False was given; allowed: strides that are not negative"
                    )
                params["copy"] = True
                break
        if x.code == DTYPE_bfloat16:  # which NumPy does not export
            array = array.view(np.uint16)
        capsule = array.__dlpack__(**params)
        if x.code == DTYPE_bfloat16:
            words_to_bfloats(capsule)
        return capsule

    cpdef tuple dlpack_device(self, Tensor x):
        refuse_foreign(x)
        return 1, 0  # kDLCPU


def _load_numpy():
    import array_api_compat.numpy
    return array_api_compat.numpy


def _load_numpy_corrections():
    return upcall("corrections_for")("numpy")


#: The one CPU backend.
cpu = CpuBackend("cpu", _load_numpy, "numpy", _load_numpy_corrections)
CPU = cpu.devices()[0]
HOST = cpu
