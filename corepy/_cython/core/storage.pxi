# Blocks of memory, tensors of a given layout, and ndarray in and out.
#
# Needs backend, convert, device, dtypes, freelist, operands, tensor.

cdef extern from *:
    """
    // PyTraceMalloc_Track and _Untrack, which Python 3.11 declares without extern "C". They
    // return at once unless tracemalloc is tracing.
    #define COREPY_TEXT(name) #name
    #define COREPY_SYMBOL(prefix, name) COREPY_TEXT(prefix) name
    extern "C" int trace_memory(unsigned, uintptr_t, size_t) __asm__(
        COREPY_SYMBOL(__USER_LABEL_PREFIX__, "PyTraceMalloc_Track"));
    extern "C" int untrace_memory(unsigned, uintptr_t) __asm__(
        COREPY_SYMBOL(__USER_LABEL_PREFIX__, "PyTraceMalloc_Untrack"));
    """
    int trace_memory(unsigned int, uintptr_t, size_t) noexcept
    int untrace_memory(unsigned int, uintptr_t) noexcept

cdef enum:
    TRACE_DOMAIN = 389048  # of tracemalloc; NumPy's is 389047


@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class Block:
    """Memory of the pool for elements, aligned to 64 bytes, shared by the views of a tensor; or
    memory of something else, its owner.
    """

    def __dealloc__(self):
        if self.memory != NULL and self.owner is None:
            untrace_memory(TRACE_DOMAIN, <uintptr_t>self.memory)
            release_memory(self.memory, self.capacity)


@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class Export:
    """Base object of ndarrays, buffers and capsules over a tensor's memory."""

    def __dealloc__(self):
        if self.x is not None and type(self.x.storage) is Block:
            (<Block>self.x.storage).exports -= 1


cdef Export exported(Tensor x):
    """A reference to the memory of a tensor, which is exposed for as long as it lives."""
    cdef Export export
    expose(x)
    export = Export.__new__(Export)
    export.x = x
    return export


cdef int expose(Tensor x) except -1:
    """Let code outside of Corepy write to the memory of a tensor at its address from now on: who
    has the address, and for how long, is not known.
    """
    materialize(x)
    before_write(x)
    if type(x.storage) is Block:
        (<Block>x.storage).exports += 1
    return 0


cdef extern from *:
    """
    // Whether an ndarray, or an object that stands for memory of a device, has one reference and
    // owns its memory, or is a view of one of which that is true.
    static bool is_exclusive(PyObject* object, bool on_device) {
      while (object && Py_REFCNT(object) == 1) {
        if (Py_TYPE(object) != &PyArray_Type) return on_device;
        PyArrayObject* const array = reinterpret_cast<PyArrayObject*>(object);
        if (reinterpret_cast<PyArrayObject_fields*>(object)->weakreflist) return false;
        if (PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA)) return true;
        object = PyArray_BASE(array);
        on_device = false;
      }
      return false;
    }
    """
    bint is_exclusive(PyObject*, bint) noexcept


cdef bint is_private(Block block) noexcept:
    """Whether only Corepy's operations change the memory of a block."""
    return not block.exports and (
        block.owner is None or type(block.owner) is Block
        or is_exclusive(<PyObject*>block.owner, block.memory != NULL)
    )


def lend(list values not None):
    """Let operations on memory that code outside of Corepy may write to be deferred within a call,
    which computes its results before it returns.

    Parameters
    ----------
    values : list
        Tensors over such memory are replaced in it by views whose memory counts as Corepy's.

    Returns
    -------
    bool
        Whether there were any.
    """
    cdef Tensor x, view
    cdef Block block
    cdef Py_ssize_t k
    cdef bint found = False
    for k in range(len(values)):
        if not is_tensor(values[k]):
            continue
        x = values[k]
        if in_host_memory(x) and type(x.storage) is Block and not is_private(<Block>x.storage):
            view = view_all(x)
            block = Block.__new__(Block)
            block.owner = x.storage
            view.storage = block
            values[k] = view
            found = True
    return found


cdef Block allocate(Py_ssize_t nbytes):
    cdef Block block = obtained(nbytes)
    if block is None:
        raise no_memory(nbytes)
    return block


cdef Block obtained(Py_ssize_t nbytes, bint zeros=False):
    """A block of memory; None if there is none even after what is deferred has been computed, which
    may keep large operands alive.
    """
    cdef Block block = allocated(nbytes, zeros)
    if block is None and provided.compute_pending != NULL and provided.compute_pending():
        block = allocated(nbytes, zeros)
    return block


cdef Block allocated(Py_ssize_t nbytes, bint zeros=False):
    """A block of memory, zeroed if it is asked for; None if there is none."""
    cdef Block block = Block.__new__(Block)
    if zeros:
        block.memory = acquire_zeroed_memory(nbytes, &block.capacity)
    else:
        block.memory = acquire_memory(nbytes, &block.capacity)
    if block.memory == NULL:
        return None
    trace_memory(TRACE_DOMAIN, <uintptr_t>block.memory, nbytes)
    return block


cdef object no_memory(Py_ssize_t nbytes, str what=""):
    return MemoryError(
        f"cannot allocate {nbytes:,} bytes{what} "
        f"({memory_stats().in_use:,} bytes already in use)"
    )


cdef object no_memory_for(Tensor x):
    """The error for the elements of a tensor, whose layout is known."""
    what = f" for shape {shape_tuple(x.ndim, x.dims)} of dtype {DTYPES[x.code]}"
    return no_memory(x.count * dtype_itemsize[x.code], what)


cdef int set_ndim(Tensor x, Py_ssize_t ndim) except -1:
    """Give a new tensor memory for `ndim` dimensions."""
    if ndim > 8:
        if ndim > MAX_NDIM:
            raise ValueError(f"Tensor: arrays have at most {MAX_NDIM} dimensions, got {ndim}")
        x.long_layout = allocate(2 * ndim * sizeof(Py_ssize_t))
        x.dims = <Py_ssize_t*>(<Block>x.long_layout).memory
        x.steps = x.dims + ndim
    x.ndim = <int8_t>ndim
    return 0


cdef int take_shape(Tensor x, Tensor view) except -1:
    """Give `x` the shape of a view of all its elements.

    Other threads may be reading `dims` and `steps` without the GIL: these stay as they are.
    """
    cdef Py_ssize_t* dims
    cdef Block layout = allocate(2 * max(view.ndim, 1) * sizeof(Py_ssize_t))
    cdef int axis
    dims = <Py_ssize_t*>layout.memory
    for axis in range(view.ndim):
        dims[axis] = view.dims[axis]
        dims[view.ndim + axis] = view.steps[axis]
    x.long_layout = layout if x.long_layout is None else (layout, x.long_layout)
    x.dims, x.steps = dims, dims + view.ndim
    x.ndim, x.flags = view.ndim, view.flags
    if x.storage is not None and view.storage is not x:
        x.storage = view.storage  # of backends without strides
    return 0


cdef inline bint is_contiguous(Tensor x) noexcept:
    cdef Py_ssize_t expected = dtype_itemsize[x.code]
    cdef int axis
    if x.count <= 1:
        return True
    for axis in range(x.ndim - 1, -1, -1):
        if x.dims[axis] != 1:
            if x.steps[axis] != expected:
                return False
            expected *= x.dims[axis]
    return True


cdef bint is_fortran_contiguous(Tensor x) noexcept:
    cdef Py_ssize_t expected = dtype_itemsize[x.code]
    cdef int axis
    if x.count <= 1:
        return True
    for axis in range(x.ndim):
        if x.dims[axis] != 1:
            if x.steps[axis] != expected:
                return False
            expected *= x.dims[axis]
    return True


cdef inline Tensor as_variable(Tensor x):
    """A 0-d tensor where NumPy has an array without axes, not a scalar."""
    x.flags &= ~VALUE
    return x


@cython.nonecheck(False)
cdef int set_shape(Tensor x, Py_ssize_t ndim, const Py_ssize_t* shape) except -1:
    """Lay a new tensor out in C order; x.code is set already. Memory comes separately."""
    cdef Py_ssize_t step = dtype_itemsize[x.code]
    cdef Py_ssize_t count = 1
    cdef Py_ssize_t spanned = step   # the bytes if sizes of 0 were 1: the strides must fit, too
    cdef Py_ssize_t axis
    set_ndim(x, ndim)
    for axis in range(ndim - 1, -1, -1):
        x.dims[axis] = shape[axis]
        x.steps[axis] = spanned
        count *= shape[axis]
        if shape[axis] > 1 and multiply_overflows(spanned, shape[axis], &spanned):
            raise too_big("Tensor", ndim, shape, x.code)
    x.count = count
    x.flags = WRITEABLE | CONTIGUOUS | READY | (VALUE if ndim == 0 else 0)
    return 0


@cython.nonecheck(False)
cdef inline Tensor empty(int code, Py_ssize_t ndim, const Py_ssize_t* shape):
    """A tensor on the CPU, in C order, not initialised."""
    cdef Tensor x = new_tensor()
    cdef Py_ssize_t nbytes
    cdef Block block
    x.code = <int8_t>code
    if ndim == 0:
        x.flags = WRITEABLE | CONTIGUOUS | READY | VALUE
        return x
    set_shape(x, ndim, shape)
    nbytes = x.count * dtype_itemsize[code]
    if nbytes > <Py_ssize_t>sizeof(x.small):
        x.storage = block = obtained(nbytes)
        if block is None:
            raise no_memory_for(x)
        x.data = <char*>block.memory
    return x


cdef Tensor tensor_at(
    Device device, object storage, char* address, int code, Py_ssize_t ndim,
    const Py_ssize_t* shape,
):
    """A tensor in C order at an address in the memory of a device, which `storage` keeps."""
    cdef Tensor x = new_tensor()
    x.code = <int8_t>code
    set_shape(x, ndim, shape)
    x.storage = storage
    x.data = address
    x.backend, x.device = device.backend, device
    return x


@cython.nonecheck(False)
cdef inline Tensor view_of(Tensor base, Py_ssize_t ndim):
    """A tensor over the memory of `base`: dtype and device set, layout up to the caller."""
    cdef Tensor x = new_tensor()
    x.code = base.code
    if not in_host_memory(base):
        x.backend, x.device = base.backend, base.device
    # Inline elements are part of their tensor, which is the owner then.
    x.storage = base if base.storage is None else base.storage
    x.data = base.data
    x.flags = base.flags & ~VALUE
    if type(base) is NDARRAY:
        set_class(x, NDARRAY)
    if ndim > 8:
        set_ndim(x, ndim)
    x.ndim = <int8_t>ndim
    return x


@cython.nonecheck(False)
cdef inline int finish_part(Tensor x) noexcept:
    """`finish_view` for a view of no more elements than its base has: nothing can overflow."""
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    cdef Py_ssize_t count = 1
    cdef bint contiguous = True
    cdef int axis
    if x.ndim == 1:
        count = x.dims[0]
        contiguous = x.steps[0] == itemsize
    else:
        for axis in range(x.ndim - 1, -1, -1):
            contiguous &= (x.dims[axis] == 1) | (x.steps[axis] == count * itemsize)
            count *= x.dims[axis]
    x.count = count
    x.flags = (x.flags & WRITEABLE) | READY | (CONTIGUOUS if contiguous or count <= 1 else 0)
    return 0


cdef inline int finish_view(Tensor x) except -1:
    """Work out the element count and contiguity of a view whose layout has been written."""
    cdef Py_ssize_t nbytes
    if not count_elements(x.ndim, x.dims, &x.count) \
            or multiply_overflows(x.count, dtype_itemsize[x.code], &nbytes):
        raise too_big("Tensor", x.ndim, x.dims, x.code)
    if x.count == 0:
        check_size("Tensor", x.code, x.ndim, x.dims)  # NumPy has no array of that shape, either
    x.flags = (x.flags & WRITEABLE) | READY | (CONTIGUOUS if is_contiguous(x) else 0)
    return 0


cdef inline bint count_elements(
    Py_ssize_t ndim, const Py_ssize_t* shape, Py_ssize_t* count
) noexcept:
    """Write the number of elements of a shape; false when it does not fit an integer."""
    cdef bint overflow = False
    cdef bint none = False
    cdef Py_ssize_t axis
    count[0] = 1
    for axis in range(ndim):
        overflow |= multiply_overflows(count[0], shape[axis], count)
        none |= shape[axis] == 0
    if none:
        count[0] = 0
    return none or not overflow


cdef int check_size(
    str function, int code, Py_ssize_t ndim, const Py_ssize_t* shape
) except -1:
    """Raise where memory cannot address an array, in the name of a function.

    `set_shape` and `finish_view` do so for all tensors, without knowing the function.
    """
    cdef Py_ssize_t nbytes = dtype_itemsize[code]
    cdef bint overflow = False
    cdef Py_ssize_t axis
    for axis in range(ndim):
        if shape[axis] > 1:
            overflow |= multiply_overflows(nbytes, shape[axis], &nbytes)
    if overflow:
        raise too_big(function, ndim, shape, code)
    return 0


cdef object too_big(str function, Py_ssize_t ndim, const Py_ssize_t* shape, int code):
    return ValueError(
        f"{function}: an array of shape {shape_tuple(ndim, shape)} and dtype {DTYPES[code]} "
        "is too big for memory to address"
    )


cdef tuple shape_tuple(Py_ssize_t ndim, const Py_ssize_t* shape):
    if ndim == 1:
        return (shape[0],)
    if ndim == 2:
        return (shape[0], shape[1])
    return tuple([shape[axis] for axis in range(ndim)])


@cython.nonecheck(False)
cdef inline bint is_shape_of(Tensor x, Py_ssize_t ndim, const Py_ssize_t* shape) noexcept:
    cdef Py_ssize_t axis
    if ndim != x.ndim:
        return False
    for axis in range(ndim):
        if shape[axis] != x.dims[axis]:
            return False
    return True


@cython.nonecheck(False)
cdef inline bint same_shape(Tensor a, Tensor b) noexcept:
    return is_shape_of(a, b.ndim, b.dims)


# ---- ndarray in and out ----

cdef cnp.ndarray as_ndarray(Tensor x):
    """An ndarray over the memory of a CPU tensor, without a copy."""
    cdef cnp.dtype dtype = DTYPES[x.code]
    cdef int flags
    cdef Export export = exported(x)
    if not in_host_memory(x):
        raise foreign_error("cpu", x)
    flags = cnp.NPY_ARRAY_WRITEABLE if x.flags & WRITEABLE else 0
    Py_INCREF(dtype)
    array = _new_from_descr(
        <cnp.PyTypeObject*>cnp.ndarray, dtype, x.ndim, <cnp.npy_intp*>x.dims,
        <cnp.npy_intp*>x.steps, x.data, flags, NULL,
    )
    cnp.set_array_base(array, export)
    return array


cdef extern from *:
    """
    #include <cstddef>
    #include "numpy/arrayscalars.h"
    // A scalar of NumPy's numbers is an object's head and the number. PyArray_ScalarAsCtype takes
    // 40 ns to find that.
    static_assert(offsetof(PyByteScalarObject, obval) == sizeof(PyObject) &&
                  offsetof(PyDoubleScalarObject, obval) == sizeof(PyObject) &&
                  offsetof(PyCDoubleScalarObject, obval) == sizeof(PyObject));
    static const char* number_in(PyObject* scalar) {
      return reinterpret_cast<const char*>(scalar) + sizeof(PyObject);
    }
    """
    const char* number_in(object scalar)


cdef Tensor from_numpy_scalar(object scalar):
    """A scalar of NumPy's as a 0-d tensor on the CPU; None of other objects."""
    cdef PyObject* code = PyDict_GetItem(SCALAR_CODES, <object>type(scalar))
    cdef Tensor x
    if code == NULL:
        return None
    x = new_tensor()
    x.code = <int8_t><object>code
    x.flags = WRITEABLE | CONTIGUOUS | READY
    memcpy(x.small, number_in(scalar), dtype_itemsize[x.code])
    return x


cdef int code_of_ndarray(cnp.ndarray array) except -2:
    """Code of the dtype of an ndarray, of any byte order; -1: no Tensor has it."""
    cdef int number = cnp.PyArray_TYPE(array)
    return CODE_OF_TYPE_NUM[number] if 0 <= number < 64 else find_code(array.dtype)


cdef Tensor from_ndarray(str function, object array):
    """A CPU tensor over the memory of an ndarray, copied only if its elements need it."""
    cdef cnp.ndarray source
    cdef Tensor x
    cdef int axis, code
    if not cnp.PyArray_CheckExact(array):
        x = from_numpy_scalar(array)
        if x is not None:
            return x
        array = np.asarray(checked_ndarray(function, array))
    source = array
    code = code_of_ndarray(source)
    if code < 0:
        raise TypeError(
            f"{function}: dtype {array.dtype} is not supported; allowed: {SUPPORTED_DTYPES}"
        )
    if not cnp.PyArray_ISBEHAVED_RO(source):  # misaligned, or of the other byte order
        source = array.astype(DTYPES[code])
    x = new_tensor()
    x.code = <int8_t>code
    set_ndim(x, cnp.PyArray_NDIM(source))
    for axis in range(x.ndim):
        x.dims[axis] = cnp.PyArray_DIM(source, axis)
        x.steps[axis] = cnp.PyArray_STRIDE(source, axis)
    x.data = cnp.PyArray_BYTES(source)
    x.storage = owner_of(source)
    x.flags = WRITEABLE if cnp.PyArray_ISWRITEABLE(source) else 0
    finish_view(x)
    return x


cdef object owner_of(cnp.ndarray array):
    """The storage of a tensor over an ndarray: that of the tensor that it is a view of, if there is
    one, which keeps a chain of tensors over ndarrays over tensors short.
    """
    cdef object base = array
    cdef Block block
    while True:
        if base is None:
            break
        if cnp.PyArray_Check(base):
            base = cnp.get_array_base(base)
        elif type(base) is memoryview:  # through the buffer protocol
            base = base.obj
        else:
            break
    if type(base) is Export:
        base = (<Export>base).x
        return base if (<Tensor>base).storage is None else (<Tensor>base).storage
    block = Block.__new__(Block)
    block.owner = array
    block.capacity = cnp.PyArray_NBYTES(array)
    return block
