# Keys of kernels, and the table of compiled ones.

# The dtypes' names in kernels/types.cuh, by code.
cdef tuple CUDA_TYPES = tuple(
    ["bool" if name == "bool" else f"corepy::{name}" for name in DTYPE_NAMES]
)

# Kinds of kernels; kind, device and what a kernel is compiled for form its key.
cdef enum Kind:
    KIND_elementwise, KIND_reduce, KIND_scan
    KIND_count_mask, KIND_read_mask, KIND_write_mask, KIND_find_positions, KIND_fill_mask
    KIND_gather, KIND_scatter, KIND_prepare_indices
    KIND_transpose, KIND_transposed_cast, KIND_triangle, KIND_search, KIND_progression
    KIND_product, KIND_dot, KIND_rowwise, KIND_quantized

# The classes of kernels, with places for the numbers of their keys, which may stand for names.
cdef dict KERNELS = {
    KIND_count_mask: "CountMask",
    KIND_read_mask: "Compact<corepy::ReadMasked<corepy::unit<{0}>, {1}, {2:bool}>>",
    KIND_write_mask: "Compact<corepy::WriteMasked<corepy::unit<{0}>, {1}, {2:bool}>>",
    KIND_find_positions: "Compact<corepy::FindPositions<{1}, {2:bool}>>",
    KIND_fill_mask: "FillMask<corepy::unit<{0}>, {1}, {2:bool}>",
    KIND_gather: "Gather<corepy::unit<{0}>, {3:dtype}, {1}, {2:bool}, {4:bool}>",
    KIND_scatter: "Scatter<corepy::unit<{0}>, {1}, {2:bool}>",
    KIND_prepare_indices: "PrepareIndices<corepy::Stage::{0:stage}, corepy::Winners::{1:winners}>",
    KIND_transpose: "Transpose<corepy::unit<{3}>, corepy::unit<{4}>, {0}, {1}, {2:bool}>",
    KIND_transposed_cast: "Transpose<{3:dtype}, {4:dtype}, {0}, {1}, {2:bool}>",
    KIND_triangle: "Triangle<corepy::unit<{0}>>",
    KIND_search: "SearchSorted<{0:dtype}, {1:bool}>",
    KIND_progression: "Progress<{0:dtype}, {1:bool}>",
    KIND_product: "Multiply<{0:dtype}, {2}, {1}>",
    KIND_dot: "Dot<{0:dtype}, {2:bool}, {3:bool}, {1}>",
    KIND_rowwise: "Rowwise<corepy::op::{0:rowwise}, {1:dtype}, {2}, {3:bool}>",
    KIND_quantized: "MultiplyQuantized<{0:dtype}, {1}>",
}
NAMES_OF_NUMBERS = {
    "bool": ("false", "true"),
    "dtype": CUDA_TYPES,
    "rowwise": ("softmax", "log_softmax", "rms_norm", "layer_norm"),
    "stage": ("check", "choose", "drop"),
    "winners": ("none", "direct", "hashed"),
}


class NumberOfKey(int):
    """A number of a kernel's key, formatted as itself or as one of `NAMES_OF_NUMBERS`."""

    def __format__(self, names):
        return NAMES_OF_NUMBERS[names][self] if names else str(int(self))


cdef inline uint64_t packed(uint64_t key, int value, int bits) noexcept:
    """Append a value of `bits` bits to a key; `kernel_key` leaves room for 50 bits."""
    return key << bits | <uint64_t>value


cdef inline uint64_t kernel_key(Kind kind, Device device) noexcept:
    """The part of a key that is common to all kernels of a kind on a device."""
    return <uint64_t>kind << 58 | <uint64_t>device.index << 50


cdef int set_kernel(
    GpuBackend backend, Launch* launch, Device device, Kind kind,
    int a=0, int b=0, int c=0, int d=0, int e=0,
) except -1:
    """Set up a launch, in the device's stream, of one of `KERNELS` with some numbers of 8 bits."""
    cdef uint64_t key = packed(packed(packed(packed(a, b, 8), c, 8), d, 8), e, 8)
    key |= kernel_key(kind, device)
    if not find_kernel(backend, launch, device, key):
        kernel = (<str>KERNELS[kind]).format(*map(NumberOfKey, (a, b, c, d, e)))
        add_kernel(backend, launch, device, key, f"corepy::{kernel}")
    return 0


cdef int set_stream(GpuBackend backend, Launch* launch, Device device) except -1:
    """Set up a launch in the device's stream, but for its kernel."""
    launch.launch = backend.launch
    launch.stream = <void*>backend.stream(device.index)
    launch.blocks = backend.blocks[device.index]
    return 0


cdef bint find_kernel(
    GpuBackend backend, Launch* launch, Device device, uint64_t key
) except -1:
    """Set up a launch in the device's stream; false if the kernel must be added first."""
    set_stream(backend, launch, device)
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
