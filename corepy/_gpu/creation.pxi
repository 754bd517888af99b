# arange, linspace and eye, with the same results as on the CPU.
#
# Needs elementwise, implementations, kernels, movement, operands.

cdef extern from "movement.hpp" namespace "corepy" nogil:
    cdef struct ProgressionArguments:
        long long n
        char* out
        Sequence plan


cdef Device device_for(GpuBackend backend, object device):
    """The device argument of a creation function, or the first device."""
    backend.runtime
    return backend._devices[0] if device is None else device


cdef int launch_sequence(
    GpuBackend backend, str function, Tensor out, const Sequence& plan, bint wide
) except -1:
    cdef ProgressionArguments arguments
    cdef Launch launch
    if out.count == 0:
        return 0
    arguments.n, arguments.out, arguments.plan = out.count, out.data, plan
    set_kernel(backend, &launch, out.device, KIND_progression, out.code, wide)
    return launched(backend, function, launch.call(&arguments, ceil_div(out.count, THREADS)))


@implements("arange")
def _arange(GpuBackend backend, start, stop, step, *, dtype, Device device=None):
    cdef Sequence plan
    cdef Py_ssize_t count
    cdef Tensor out
    cdef int code = dtype_part[CODES[dtype]]
    if code == DTYPE_bool:
        return NotImplemented
    count = count_numbers(start, stop, step, CODES[dtype])
    plan_arange(&plan, code, count, start, step)
    out = backend.empty_on(device_for(backend, device), code, 1, &count)
    launch_sequence(backend, "arange", out, plan, False)
    return out if DTYPES[code] is dtype else gpu_astype(backend, out, dtype, True)


@implements("linspace")
def _linspace(
    GpuBackend backend, start, stop, Py_ssize_t num, *, dtype, bint endpoint=True,
    Device device=None,
):
    cdef Sequence plan
    cdef Tensor out
    cdef int code = floating_code(CODES[dtype])
    if not plan_linspace(&plan, code, num, start, stop, endpoint):
        return NotImplemented
    out = backend.empty_on(device_for(backend, device), code, 1, &num)
    launch_sequence(backend, "linspace", out, plan, True)
    if is_integer(CODES[dtype]):
        out = gpu_unary(backend, OP_floor, out)
    return out if DTYPES[code] is dtype else gpu_astype(backend, out, dtype, True)


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
        set_scalar("eye", &one, out.code, 1)
        backend.write(
            view_at(
                out, out.data + row * out.steps[0] + column * out.steps[1], 1, &count, &step
            ),
            &one,
        )
    return out
