# distutils: language = c++
"""DLPack's C functions for the exchange of tensors: ``Tensor.__dlpack_c_exchange_api__``.

A consumer reads the attribute of the type once, and calls the functions of the table that it holds
without running Python code. See DLPack's ``dlpack.h``, version 1.3, for the structures and for what
each function promises. `from_dlpack` does not use the tables of other libraries: PyTorch's (2.13)
exports a tensor with the conjugate bit set as if it were not, which ``__dlpack__`` refuses.
"""

cimport cython
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New, PyCapsule_SetName
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int32_t, int64_t, int8_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc

from corepy._cython.core cimport (
    asarray, Block, Device, DTYPE_bfloat16, DTYPE_COUNT, dtype_itemsize, dtype_kind, dtype_part,
    Export, exported, find_reader, finish_view, from_dlpack, in_host_memory, KIND_boolean,
    KIND_complex, KIND_floating, KIND_unsigned, materialize, MAX_NDIM, multiply_overflows,
    new_tensor, set_ndim, Tensor, WRITEABLE,
)
from corepy._cython.core import extend, load_bfloat16

cdef extern from "memory.hpp" namespace "corepy" nogil:
    void* acquire_memory(size_t, size_t*)
    void release_memory(void*, size_t)

cdef extern from "Python.h":
    bint Py_IsInitialized() noexcept nogil


# ---- the structures

cdef enum:
    MAJOR = 1
    MINOR = 3
    IN_HOST_MEMORY = 1  # types of devices
    IN_CUDA_MEMORY = 2
    IN_ROCM_MEMORY = 10
    READ_ONLY = 1       # flags
    IS_COPIED = 2

cdef struct Version:
    uint32_t major
    uint32_t minor

cdef struct Place:
    int32_t kind
    int32_t index

cdef struct ElementType:
    uint8_t kind
    uint8_t bits
    uint16_t lanes

cdef struct View:
    void* data
    Place place
    int32_t ndim
    ElementType dtype
    int64_t* shape
    int64_t* strides  # in elements
    uint64_t byte_offset

cdef struct Managed:
    Version version
    void* context
    void (*release)(Managed*) noexcept nogil
    uint64_t flags
    View view

ctypedef void (*ErrorFunction)(void*, const char*, const char*) noexcept nogil

cdef struct Functions:
    Version version
    void* older
    int (*allocate)(View*, Managed**, void*, ErrorFunction) noexcept nogil
    int (*export_object)(void*, Managed**) noexcept
    int (*import_object)(Managed*, void**) noexcept
    void* view_object
    int (*current_stream)(int32_t, int32_t, void**) noexcept

cdef uint8_t[DTYPE_COUNT] DLPACK_KINDS
for _code in range(DTYPE_COUNT):
    DLPACK_KINDS[_code] = {
        KIND_unsigned: 1, KIND_floating: 2, KIND_complex: 5, KIND_boolean: 6
    }.get(dtype_kind[_code], 0)
DLPACK_KINDS[<int>DTYPE_bfloat16] = 4


cdef int find_code(ElementType dtype) noexcept:
    """The code of a dtype; -1: Corepy has none like it."""
    cdef int code
    for code in range(DTYPE_COUNT):
        if dtype.lanes == 1 and dtype.kind == DLPACK_KINDS[code] \
                and dtype.bits == 8 * dtype_itemsize[code]:
            return code
    return -1


# ---- from tensors

cdef Managed* new_managed(int32_t ndim, size_t more) noexcept nogil:
    """A structure for host memory with room for shape, strides and `more` bytes; NULL: no memory.
    """
    cdef Managed* managed = <Managed*>malloc(sizeof(Managed) + 2 * ndim * sizeof(int64_t) + more)
    if managed != NULL:
        managed.version = Version(MAJOR, MINOR)
        managed.flags = 0
        managed.view.place = Place(IN_HOST_MEMORY, 0)
        managed.view.ndim = ndim
        managed.view.shape = <int64_t*>(managed + 1)
        managed.view.strides = managed.view.shape + ndim
        managed.view.byte_offset = 0
    return managed


cdef void release_export(Managed* managed) noexcept nogil:
    if Py_IsInitialized():  # a thread may outlive the interpreter
        with gil:
            Py_DECREF(<object>managed.context)
    free(managed)


cdef bint has_plain_strides(Tensor x) noexcept:
    """Whether strides are numbers of elements, none of them negative: PyTorch aborts on such."""
    cdef int axis
    for axis in range(x.ndim):
        if x.dims[axis] > 1 and (x.steps[axis] < 0 or x.steps[axis] % dtype_itemsize[x.code]):
            return False
    return True


cdef Managed* export_tensor(Tensor x) except NULL:
    cdef Managed* managed
    cdef Export export
    cdef uint64_t flags = 0
    cdef int axis
    materialize(x)
    if not in_host_memory(x):
        return export_other(x)
    if not has_plain_strides(x):
        x = asarray(x, None, None, True)
        flags = IS_COPIED
    export = exported(x)
    managed = new_managed(x.ndim, 0)
    if managed == NULL:
        raise MemoryError("__dlpack_c_exchange_api__: cannot allocate a DLPack structure")
    managed.flags = flags if x.flags & WRITEABLE else flags | READ_ONLY
    managed.view.data = x.data
    managed.view.dtype = ElementType(DLPACK_KINDS[x.code], 8 * dtype_itemsize[x.code], 1)
    for axis in range(x.ndim):
        managed.view.shape[axis] = x.dims[axis]
        managed.view.strides[axis] = x.steps[axis] // dtype_itemsize[x.code]
    Py_INCREF(export)
    managed.context = <void*>export
    managed.release = release_export
    return managed


cdef Managed* export_other(Tensor x) except NULL:
    """Of a tensor in the memory of another device, by its backend."""
    cdef Managed* managed
    kind, _ = x.__dlpack_device__()
    stream = -1 if kind in (IN_CUDA_MEMORY, IN_ROCM_MEMORY) else None  # -1: no synchronisation
    capsule = x.__dlpack__(stream=stream, max_version=(MAJOR, MINOR))
    managed = <Managed*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
    PyCapsule_SetName(capsule, "used_dltensor_versioned")
    return managed


cdef int export_object(void* x, Managed** out) except -1:
    out[0] = export_tensor(<Tensor?><object>x)
    return 0


# ---- to tensors

@cython.final
@cython.no_gc
cdef class Owner:
    """Owner of another library's memory."""

    cdef Managed* managed

    def __dealloc__(self):
        if self.managed != NULL and self.managed.release != NULL:
            self.managed.release(self.managed)


class Exporter:
    """An exporter of DLPack's for what the core's `from_dlpack` reads in another way."""

    def __init__(self, capsule, device):
        self.capsule, self.device = capsule, device

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return self.device


cdef bint is_readable(const View* view) noexcept:
    """Whether a tensor can be made over the memory: elements of a dtype, in place, in the host's.
    """
    cdef int code = find_code(view.dtype)
    return view.place.kind == IN_HOST_MEMORY and code >= 0 and 0 <= view.ndim <= MAX_NDIM \
        and (<uintptr_t>view.data + view.byte_offset) % dtype_itemsize[dtype_part[code]] == 0


cdef Tensor import_managed(Managed* managed):
    """A tensor over the memory, which it releases at its end."""
    cdef const View* view = &managed.view
    cdef Owner owner = Owner.__new__(Owner)
    cdef Block block = Block.__new__(Block)
    cdef Tensor x
    cdef Py_ssize_t step
    cdef int axis
    owner.managed = managed
    block.owner = owner
    x = new_tensor()
    x.code = <int8_t>find_code(view.dtype)
    if x.code == DTYPE_bfloat16:
        load_bfloat16()
    set_ndim(x, view.ndim)
    step = dtype_itemsize[x.code]
    for axis in range(view.ndim - 1, -1, -1):
        x.dims[axis] = view.shape[axis]
        if x.dims[axis] < 0:
            raise ValueError(f"from_dlpack: axis {axis} has a negative size, {x.dims[axis]}")
        if view.strides == NULL:
            x.steps[axis] = step
            if multiply_overflows(step, max(x.dims[axis], 1), &step):
                raise ValueError("from_dlpack: the array is too big for memory to address")
        elif multiply_overflows(view.strides[axis], dtype_itemsize[x.code], &x.steps[axis]):
            raise ValueError(
                f"from_dlpack: stride {view.strides[axis]} of axis {axis} is too large"
            )
    x.flags = 0 if managed.flags & READ_ONLY else WRITEABLE
    finish_view(x)
    if x.count:
        x.data = <char*>view.data + view.byte_offset
    block.capacity = x.count * dtype_itemsize[x.code]
    x.storage = block
    return x


cdef int import_object(Managed* managed, void** out) except -1:
    cdef Tensor x
    if managed.version.major == MAJOR and is_readable(&managed.view):
        x = import_managed(managed)
    else:
        device = (managed.view.place.kind, managed.view.place.index)
        x = from_dlpack(
            Exporter(PyCapsule_New(managed, "dltensor_versioned", release_capsule), device)
        )
    Py_INCREF(x)
    out[0] = <void*>x
    return 0


cdef void release_capsule(object capsule) noexcept:
    cdef Managed* managed
    try:
        managed = <Managed*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
    except ValueError:  # used: it has another name
        return
    if managed.release != NULL:
        managed.release(managed)


# ---- new memory, and streams

cdef struct Allocation:
    void* memory
    size_t capacity


cdef void release_allocation(Managed* managed) noexcept nogil:
    cdef Allocation* allocation = <Allocation*>managed.context
    release_memory(allocation.memory, allocation.capacity)
    free(managed)


cdef int allocate(View* like, Managed** out, void* context, ErrorFunction fail) noexcept nogil:
    """Memory of the pool for an array of the same shape and dtype, in C order."""
    cdef Managed* managed
    cdef Allocation* allocation
    cdef Py_ssize_t nbytes = (like.dtype.bits * like.dtype.lanes + 7) // 8
    cdef int64_t step = 1
    cdef bint overflow = False
    cdef int axis
    if like.place.kind != IN_HOST_MEMORY:
        fail(context, "BufferError", "Corepy allocates host memory for DLPack alone")
        return -1
    for axis in range(like.ndim):
        overflow |= like.shape[axis] < 0
        overflow |= multiply_overflows(nbytes, like.shape[axis], &nbytes)
    if overflow:
        fail(context, "ValueError", "the array is too big for memory to address")
        return -1
    managed = new_managed(like.ndim, sizeof(Allocation))
    if managed == NULL:
        fail(context, "MemoryError", "cannot allocate a DLPack structure")
        return -1
    allocation = <Allocation*>(managed.view.strides + like.ndim)
    allocation.memory = acquire_memory(nbytes, &allocation.capacity)
    if allocation.memory == NULL:
        free(managed)
        fail(context, "MemoryError", "cannot allocate memory for an array")
        return -1
    managed.context, managed.release = allocation, release_allocation
    managed.view.data, managed.view.dtype = allocation.memory, like.dtype
    for axis in range(like.ndim - 1, -1, -1):
        managed.view.shape[axis] = like.shape[axis]
        managed.view.strides[axis] = step
        step *= max(like.shape[axis], 1)
    out[0] = managed
    return 0


cdef int current_stream(int32_t kind, int32_t index, void** out) except -1:
    cdef Device device
    out[0] = NULL
    if kind == IN_HOST_MEMORY:
        return 0
    device = find_reader(kind, "__dlpack_c_exchange_api__")
    if device is None:
        raise BufferError(f"__dlpack_c_exchange_api__: no device has DLPack's type {kind}")
    out[0] = <void*><uintptr_t>device.backend.current_stream(index)
    return 0


cdef Functions FUNCTIONS
FUNCTIONS.version = Version(MAJOR, MINOR)
FUNCTIONS.older = NULL
FUNCTIONS.allocate = allocate
FUNCTIONS.export_object = <int (*)(void*, Managed**) noexcept>export_object
FUNCTIONS.import_object = <int (*)(Managed*, void**) noexcept>import_object
FUNCTIONS.view_object = NULL  # shape and strides, in elements, would need memory
FUNCTIONS.current_stream = <int (*)(int32_t, int32_t, void**) noexcept>current_stream

extend({"__dlpack_c_exchange_api__": PyCapsule_New(&FUNCTIONS, "dlpack_exchange_api", NULL)})
