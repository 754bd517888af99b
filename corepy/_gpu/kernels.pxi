# Keys of kernels, and the table of compiled ones.

# The dtypes' names in kernels/types.cuh, by code.
cdef tuple CUDA_TYPES = tuple(
    ["bool" if dtype.kind == "b" else f"corepy::{dtype.name}" for dtype in DTYPES]
)

# Kinds of kernels; kind, dtypes and variant form a kernel's key.
cdef enum Kind:
    KIND_elementwise, KIND_reduce, KIND_scan
    KIND_count_mask, KIND_read_mask, KIND_write_mask, KIND_find_positions, KIND_fill_mask
    KIND_gather, KIND_scatter, KIND_prepare_indices
    KIND_transpose, KIND_triangle, KIND_search, KIND_progression
    KIND_product, KIND_dot


cdef inline uint64_t packed(uint64_t key, int value, int bits) noexcept:
    """Append a value of `bits` bits to a key; `kernel_key` leaves room for 50 bits."""
    return key << bits | <uint64_t>value


cdef inline uint64_t kernel_key(
    Kind kind, Device device, int a=0, int b=0, int c=0, int d=0
) noexcept:
    """The key of a kernel; `a` has up to 26 bits, the others 8."""
    cdef uint64_t key = <uint64_t>kind << 58 | <uint64_t>device.index << 50
    return key | <uint64_t>a << 24 | <uint64_t>b << 16 | <uint64_t>c << 8 | <uint64_t>d


cdef bint find_kernel(
    GpuBackend backend, Launch* launch, Device device, uint64_t key
) except -1:
    """Set up a launch in the device's stream; false if the kernel must be added first."""
    launch.launch = backend.launch
    launch.stream = <void*>backend.stream(device.index)
    launch.blocks = backend.blocks[device.index]
    launch.function = backend.entries[key]
    return launch.function != NULL


cdef int add_kernel(
    GpuBackend backend, Launch* launch, Device device, uint64_t key, str kernel
) except -1:
    """Load a kernel, compiled if necessary, and add it under its key."""
    address = backend._runtime.kernel(kernel, device.index)
    backend.entries[key] = launch.function = <void*><uintptr_t>address
    return 0


cdef int launched(GpuBackend backend, str function, int status) except -1:
    """Raise an error if the status of a launch is one."""
    if status != 0:
        backend._runtime.fail(function, status)
    return 0


cdef inline str constant(bint value):
    """A bool in C++."""
    return "true" if value else "false"
