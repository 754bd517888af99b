# Native arrays, and copies between devices and the host.

cdef Block block_over(object owner, uintptr_t address, Py_ssize_t nbytes):
    """A block for device memory that `owner` keeps alive; while `owner` has other references, other
    code may write to it.
    """
    cdef Block block = Block.__new__(Block)
    block.memory = <void*>address
    block.capacity = nbytes
    block.owner = owner
    return block


cdef Block block_of(GpuBackend backend, object memory, uintptr_t address, Py_ssize_t nbytes):
    """The block for the memory of a native array."""
    cdef Block block
    if type(memory) is Export:  # an array over the memory of a tensor
        return <Block>(<Export>memory).x.storage
    block = block_over(memory, address, nbytes)
    if not backend._runtime.is_own(memory):
        block.exports = 1  # of unknown owners
    return block


cdef Tensor tensor_over(GpuBackend backend, object native):
    """The tensor over the memory of a native array."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t axis
    cdef Tensor x
    cdef bint contiguous = True
    cdef Py_ssize_t step
    if isinstance(native, np.generic):
        native = np.asarray(native)
    runtime = backend.runtime
    for axis in range(native.ndim):
        shape[axis] = native.shape[axis]
    memory, address, index = runtime.memory_of(native)
    if any([offset % native.itemsize for offset in (address, *native.strides)]):
        # GPUs load aligned elements only. Views of memory as another dtype may be misaligned: they
        # are copied.
        native = native.copy()
        memory, address, index = runtime.memory_of(native)
    code = CODES.get(native.dtype)
    if code is None:
        raise TypeError(
            f"wrap: dtype {native.dtype} of backend {backend.name!r} is not supported"
        )
    block = block_of(backend, memory, address, native.nbytes)
    x = tensor_at(
        backend._devices[index], block, <char*><uintptr_t>address, code, native.ndim, shape
    )
    step = dtype_itemsize[x.code]
    for axis in range(x.ndim - 1, -1, -1):
        x.steps[axis] = native.strides[axis]
        contiguous &= x.dims[axis] == 1 or x.steps[axis] == step
        step *= x.dims[axis]
    if not contiguous and x.count > 1:
        x.flags &= ~CONTIGUOUS
    if runtime.is_read_only(native):
        x.flags &= ~WRITEABLE
    return x


cdef Tensor uploaded(GpuBackend backend, object array, Device device):
    """A tensor on `device` with the elements of an ndarray."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t axis
    cdef Tensor x
    backend.runtime
    array = np.asarray(checked_ndarray("from_numpy", array), order="C")
    for axis in range(array.ndim):
        shape[axis] = array.shape[axis]
    x = backend.empty_on(device, CODES[array.dtype], array.ndim, shape)
    if x.count:
        backend._runtime.upload(array, <uintptr_t>x.data, device.index)
    return x


cdef object moved(GpuBackend backend, Tensor x, Device device, object stream):
    """A copy of `x` on another device, of this backend or not."""
    cdef Device owner = device if device.backend is backend else x.device
    cdef Tensor out
    runtime = backend.runtime
    if device is x.device:
        return x
    with runtime.on(owner.index) if stream is None else runtime.on_stream(stream, owner.index):
        if device.backend is not backend:
            return device.backend.from_numpy(backend.to_numpy(x), device)
        if x.backend is not backend:
            return uploaded(backend, x.backend.to_numpy(x), device)
        out = tensor_over(backend, runtime.move(backend.native_over(x, x.storage), device.index))
        out.code = x.code
        return out
