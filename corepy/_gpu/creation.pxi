# arange, linspace, eye: bit for bit the CPU's results.

cdef extern from "movement.hpp" namespace "corepy" nogil:
    cdef struct ProgressionArguments:
        long long n
        char* out
        double first[2]
        double step[2]
        unsigned long long whole_first, whole_step
        int given
        bint ends
        char starts[32]
        char last[16]
    int write_progression(const Launch&, ProgressionArguments)


cdef Device device_for(GpuBackend backend, object device):
    """The device that a creation function was given, or the first one."""
    backend.runtime
    return backend._devices[0] if device is None else device


cdef int launch_progression(
    GpuBackend backend, str function, Tensor out, ProgressionArguments& terms, bint wide
) except -1:
    cdef Launch launch
    cdef uint64_t key = kernel_key(KIND_progression, out.device_, out.code, wide)
    if out.count == 0:
        return 0
    terms.n, terms.out = out.count, out.data
    if not find_kernel(backend, &launch, out.device_, key):
        add_kernel(
            backend, &launch, out.device_, key,
            f"corepy::Progress<{CUDA_TYPES[out.code]}, {constant(wide)}>",
        )
    return launched(backend, function, write_progression(launch, terms))


@implements("arange")
def _arange(GpuBackend backend, start, stop, step, *, dtype, Device device=None):
    cdef ProgressionArguments terms
    cdef Py_ssize_t count
    cdef Tensor out
    cdef int code = CODES[dtype]
    cdef int size = dtype_itemsize[code]
    cdef bint floating = isinstance(start, float) or isinstance(stop, float) \
        or isinstance(step, float)
    if not (is_floating(code) or (is_integer(code) and not floating)):
        return NotImplemented
    count = count_numbers(start, stop, step, code)
    memset(&terms, 0, sizeof(terms))
    terms.given = min(count, 2)
    try:
        if count > 0:
            store_scalar(terms.starts, code, start)
        if count > 1:
            store_scalar(terms.starts + size, code, start + step)
    except OverflowError:
        return NotImplemented
    # The step is the difference of the first two elements as rounded, as in NumPy.
    if code == DTYPE_float64:
        terms.first[0] = (<double*>terms.starts)[0]
        terms.step[0] = (<double*>terms.starts)[1] - terms.first[0]
    elif code == DTYPE_float32:
        terms.first[0] = (<float*>terms.starts)[0]
        terms.step[0] = (<float*>terms.starts)[1] - (<float*>terms.starts)[0]
    else:
        memcpy(&terms.whole_first, terms.starts, size)
        memcpy(&terms.whole_step, terms.starts + size, size)
        terms.whole_step -= terms.whole_first
    out = backend.empty_on(device_for(backend, device), code, 1, &count)
    launch_progression(backend, "arange", out, terms, False)
    return out


@implements("linspace")
def _linspace(
    GpuBackend backend, start, stop, Py_ssize_t num, *, dtype, bint endpoint=True,
    Device device=None,
):
    cdef ProgressionArguments terms
    cdef double ends[2][2]
    cdef double distance
    cdef Py_ssize_t steps = num - 1 if endpoint else num
    cdef Tensor out
    cdef int code = CODES[dtype]
    cdef int k
    if not is_inexact(code):
        return NotImplemented
    memset(&terms, 0, sizeof(terms))
    try:
        store_scalar(<char*>ends[0], DTYPE_complex128, start)
        store_scalar(<char*>ends[1], DTYPE_complex128, stop)
    except OverflowError:  # an integer beyond the range of floats
        return NotImplemented
    for k in range(2 if is_complex(code) else 1):
        distance = ends[1][k] - ends[0][k]
        terms.first[k] = ends[0][k]
        terms.step[k] = distance / steps if steps > 0 else distance
        if terms.step[k] == 0 and distance != 0:  # a step that underflows
            return NotImplemented
    if endpoint and num > 1:
        terms.ends = True
        store_scalar(terms.last, code, stop)
    out = backend.empty_on(device_for(backend, device), code, 1, &num)
    launch_progression(backend, "linspace", out, terms, True)
    return out


@implements("eye")
def _eye(
    GpuBackend backend, Py_ssize_t n_rows, Py_ssize_t n_cols, *, Py_ssize_t k=0, dtype,
    Device device=None,
):
    cdef Operand one
    cdef Py_ssize_t row = max(-k, 0), column = max(k, 0)
    cdef Py_ssize_t count, step
    cdef Tensor out = backend.full((n_rows, n_cols), 0, dtype, device_for(backend, device))
    if row < n_rows and column < n_cols:
        count = min(n_rows - row, n_cols - column)
        step = out.steps[0] + out.steps[1]
        one.code = out.code
        one.data = one.scalar
        one.ndim = 0
        one.dims = one.steps = NULL
        store_scalar(one.scalar, out.code, 1)
        backend.write(
            view_at(
                out, out.data + row * out.steps[0] + column * out.steps[1], 1, &count, &step
            ),
            &one,
        )
    return out
