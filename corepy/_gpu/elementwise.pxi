# Elementwise operations on a GPU.
#
# Needs kernels, reductions.

cdef extern from "launch.hpp" namespace "corepy" nogil:
    cdef cppclass OperandAxes:
        int operands
        int bucket
        bint wide
        void add_axis(Py_ssize_t, Py_ssize_t)
        void add_axis(Py_ssize_t, Py_ssize_t, Py_ssize_t)
        void add_axis(Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t)
        void append_axis(Py_ssize_t)
        void sort(int)
        void simplify()
        void measure()
        int widen(int, uint64_t)
        long long n
    int launch_with_space[Shape](const Launch&, const Shape&, const OperandAxes&, long long)
    cdef cppclass Elementwise(OperandAxes):
        char* data[4]
        int itemsizes[4]
        char scalars[4][16]
        bint runs
        bint vector
        int single
        void add_axes(int, const Py_ssize_t*, const Py_ssize_t* const*)
        void plan()
        int launch(const Launch&)


cdef void set_operands(
    Elementwise& work, Tensor out, int inputs, const Operand* operands
) noexcept:
    """Set the output and its inputs, which are broadcast to its shape."""
    cdef Py_ssize_t broadcast[MAX_OPERANDS][MAX_NDIM]
    cdef const Py_ssize_t* strides[MAX_OPERANDS]
    cdef int k
    work.operands = inputs + 1
    work.data[0], work.itemsizes[0], strides[0] = out.data, dtype_itemsize[out.code], out.steps
    for k in range(inputs):
        broadcast_steps(&operands[k], out.ndim, out.dims, broadcast[k])
        strides[k + 1] = broadcast[k]
        work.itemsizes[k + 1] = dtype_itemsize[operands[k].code]
        if operands[k].data == operands[k].scalar:
            work.data[k + 1] = NULL
            memcpy(work.scalars[k + 1], operands[k].scalar, 16)
        else:
            work.data[k + 1] = operands[k].data
    work.add_axes(out.ndim, out.dims, strides)


# Families of functors that are no operations, beyond all operations.
cdef enum:
    FAMILY_positive_nan = 126
    FAMILY_copy = 127


cdef int launch_elementwise(
    GpuBackend backend, str functor, int family, int compute, Tensor out, int inputs,
    Operand* operands,
) except -1:
    """Write `functor` of the operands, cast to dtype `compute`, into `out`.

    `family` is the operation, or a FAMILY of other functors.
    """
    cdef Elementwise work
    cdef Launch launch
    cdef uint64_t key
    cdef int k
    if out.count == 0:
        return 0
    set_operands(work, out, inputs, operands)
    work.plan()
    key = packed(packed(family, compute, 4), out.code, 4)
    for k in range(inputs):
        key = packed(key, operands[k].code, 4)
    key = packed(packed(packed(key, inputs, 2), work.runs, 1), work.vector, 1)
    if work.runs:
        key = packed(key, work.single, 6)
    else:
        key = packed(packed(key, work.wide, 1), work.bucket // 4, 5)
    key |= kernel_key(KIND_elementwise, out.device)
    if not find_kernel(backend, &launch, out.device, key):
        add_kernel(
            backend, &launch, out.device, key,
            elementwise_kernel(functor, compute, out, inputs, operands, work),
        )
    return launched(backend, functor, work.launch(launch))


cdef str elementwise_kernel(
    str functor, int compute, Tensor out, int inputs, Operand* operands, Elementwise& work
):
    """The kernel's class."""
    cdef int k
    dtypes = [CUDA_TYPES[out.code]] + [CUDA_TYPES[operands[k].code] for k in range(inputs)]
    types = "".join([f", {name}" for name in dtypes])
    function = f"corepy::op::{functor}<{CUDA_TYPES[compute]}>"
    if work.runs:
        return f"corepy::Run<{function}, {constant(work.vector)}, {work.single}{types}>"
    return (
        f"corepy::Box<{function}, {work.bucket}, {constant(work.vector)}, "
        f"{constant(work.wide)}{types}>"
    )


# ---- operations, computed at once

cdef Tensor gpu_unary(GpuBackend backend, Operation op, Tensor x):
    cdef Operand operand
    cdef const Entry* found
    cdef Tensor out
    backend.check(x)
    found = find_entry(op, SHAPE_unary, x.code)
    set_tensor(&operand, x)
    out = backend.new_result(x.device, found.result, x.ndim, x.dims, &operand, 1)
    launch_elementwise(backend, NAMES[<int>op], op, found.compute, out, 1, &operand)
    return out


cdef Tensor gpu_binary(GpuBackend backend, Operation op, object x1, object x2):
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef const Entry* found
    cdef Tensor like = <Tensor>x1 if is_tensor(x1) else <Tensor?>x2
    cdef Tensor out
    cdef int code
    backend.check(like)
    code = set_binary_operands_on(like.device, op, x1, x2, operands)
    if code == -1:
        return to_device(compared_out_of_range(op, x1, x2), like.device)
    found = find_entry(op, SHAPE_binary, code)
    if op == OP_pow and PyLong_Check(x2) and is_square(code, like, x2):
        return gpu_unary(backend, OP_square, like)
    broadcast_into(NAMES[<int>op], operands, 2, &ndim, shape)
    out = backend.new_result(like.device, found.result, ndim, shape, operands, 2)
    if op == OP_pow and out.count and is_tensor(x2):
        check_exponents(backend, code, x2)
    launch_elementwise(backend, NAMES[<int>op], op, found.compute, out, 2, operands)
    return out


cdef Tensor gpu_where(GpuBackend backend, Tensor condition, object x1, object x2):
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef Tensor out
    cdef int code
    backend.check(condition)
    set_tensor(&operands[0], condition)
    code = set_binary_operands_on(condition.device, OP_where, x1, x2, &operands[1])
    broadcast_into("where", operands, 3, &ndim, shape)
    out = backend.new_result(condition.device, code, ndim, shape, operands, 3)
    launch_elementwise(backend, "where", OP_where, code, out, 3, operands)
    return out


cdef Tensor gpu_clip(GpuBackend backend, Tensor x, object low, object high):
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef Tensor out
    cdef int op
    backend.check(x)
    op = plan_clip(x.device, x, low, high, operands, &ndim, shape)
    if op == OP_positive:
        return gpu_astype(backend, x, DTYPES[x.code], True)
    if op == OP_COUNT:
        return backend.execute_checked("clip", (x, low, high), {})
    if op != OP_clip:
        return gpu_binary(backend, <Operation>op, x, high if low is None else low)
    out = backend.new_result(x.device, x.code, ndim, shape, operands, 3)
    launch_elementwise(backend, "clip", OP_clip, x.code, out, 3, operands)
    return out


cdef Tensor gpu_astype(GpuBackend backend, Tensor x, object dtype, bint copy):
    cdef Operand operand
    cdef Tensor out
    backend.check(x)
    cdef int code = CODES[dtype]
    if code == x.code and not copy:
        return x
    out = backend.empty_on(x.device, code, x.ndim, x.dims)
    set_tensor(&operand, x)
    backend.write(out, &operand)
    return out


cdef bint is_square(int code, Tensor x, object exponent) except -1:
    """Whether a power is a square; ValueError for negative powers of integers."""
    if exponent < 0 and not is_inexact(code):
        raise negative_power_error()
    return exponent == 2 and code == x.code and code != DTYPE_bool


cdef int check_exponents(GpuBackend backend, int code, Tensor exponents) except -1:
    """Raise ValueError if an exponent of integers is negative.

    Kernels cannot raise, and an in-place operator must raise before it writes, so the smallest
    exponent is read first. Only powers of signed integers with tensor exponents synchronize.
    """
    cdef Tensor least
    if not is_inexact(code) and dtype_kind[exponents.code] == KIND_signed and exponents.count:
        least = gpu_reduce(backend, OP_min, exponents, None, False, None, 0.0)
        if backend.to_numpy(least)[()] < 0:
            raise negative_power_error()
    return 0
