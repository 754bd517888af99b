# distutils: language = c++
"""Linear algebra beside products and factorizations."""

from cpython.long cimport PyLong_CheckExact
from libc.math cimport INFINITY
from libc.stdint cimport int8_t

from corepy._cython.core cimport (
    as_code, as_dtype, as_tensor, astype, Axes, binary, broadcast_into, broadcast_to, cast_to,
    check_errors, CONTIGUOUS, CPU, cpu_reduce, dispatched, Dtype, DTYPE_bool, DTYPE_float32,
    DTYPE_int64, dtype_itemsize, DTYPES, empty, Entry, entry, find_entry, finish_part, finish_view,
    floating_operand, implements, in_host_memory, is_complex, is_full_float, is_half, is_tensor,
    keep_axes, materialize, MAX_NDIM, normalize_axes, OP_abs, OP_count_nonzero, OP_max, OP_min,
    OP_multiply, OP_pow, OP_sqrt, OP_square, OP_subtract, OP_sum, Operand, pair, provided,
    read_axes, read_integer, real_number, reduce, RELEASE_GIL, require_least_ndim, require_ndim,
    reshape, run, set_operand, SHAPE_binary, summed_code, Tensor, truth, unary, VALUE, view_of,
    WRITEABLE,
)
from corepy._cython.cpu.creation cimport eye
from corepy._cython.cpu.factorizations cimport inverse
from corepy._cython.cpu.products cimport cpu_matmul, dot_vectors

cdef extern from "reduce.hpp" namespace "corepy":
    enum:
        REDUCE_FEW


@implements("linalg.matrix_power")
def _cpu_matrix_power(Tensor x not None, n):
    cdef Tensor out = None
    if n == 0:
        out = eye(x.dims[x.ndim - 1], None, 0, DTYPES[x.code])
        return cast_to(broadcast_to(out, x.shape), x.code)
    power = inverse("linalg.matrix_power", x) if n < 0 else x
    if power is NotImplemented:
        return power
    bits = abs(n)
    while True:
        if bits & 1:
            out = power if out is None else cpu_matmul(out, power)
        bits >>= 1
        if not bits:
            return cast_to(out, out.code) if out is x else out
        power = cpu_matmul(power, power)


@implements("linalg.cross")
def _cpu_cross(Tensor x1 not None, Tensor x2 not None, Py_ssize_t axis):
    cdef const Entry* multiply = find_entry(OP_multiply, SHAPE_binary, x1.code)
    cdef const Entry* subtract = find_entry(OP_subtract, SHAPE_binary, x1.code)
    cdef Operand components[2]
    cdef Operand products[2]
    cdef Py_ssize_t dims[3][MAX_NDIM]  # of the operands and the result, with one component
    cdef Py_ssize_t ndim, k, n
    cdef Py_ssize_t steps[2]
    cdef int8_t computed[2]
    cdef Tensor x, out, part, other
    if provided.check_errors:
        check_errors("cross", (x1, x2), {"axis": axis})
    computed[0] = computed[1] = x1.code
    for n in range(2):
        x = x1 if n == 0 else x2
        set_operand(&components[n], x)
        for k in range(x.ndim):
            dims[n][k] = x.dims[k]
    broadcast_into("linalg.cross", components, 2, &ndim, dims[2])
    out = empty(x1.code, ndim, dims[2])
    part = view_of(out, ndim)
    for n in range(2):
        x = x1 if n == 0 else x2
        dims[n][x.ndim + axis] = 1
        components[n].dims = dims[n]
        steps[n] = x.steps[x.ndim + axis]
    dims[2][ndim + axis] = 1
    for k in range(ndim):
        part.dims[k], part.steps[k] = dims[2][k], out.steps[k]
    finish_part(part)
    other = empty(x1.code, ndim, dims[2])
    for k in range(3 if out.count else 0):
        for n in range(2):
            x = part if n == 0 else other
            components[0].data = x1.data + (k + 1 + n) % 3 * steps[0]
            components[1].data = x2.data + (k + 2 - n) % 3 * steps[1]
            run(multiply.loop, 2, components, computed, x1.code, x)
            set_operand(&products[n], x)
        run(subtract.loop, 2, products, computed, x1.code, part)
        part.data += out.steps[ndim + axis]
    return out


@implements("linalg.diagonal")
def _cpu_diagonal(Tensor x not None, Py_ssize_t offset):
    return diagonal_of(x, offset)


cdef Tensor diagonal_of(Tensor x, Py_ssize_t offset):
    """A view, read-only as NumPy's."""
    cdef Tensor out = view_of(x, x.ndim - 1)
    cdef Py_ssize_t rows = x.dims[x.ndim - 2], columns = x.dims[x.ndim - 1]
    keep_axes(x, 0, x.ndim - 2, out, 0)
    if offset >= 0:
        columns = columns - offset if columns > offset else 0
    else:
        rows = rows + offset if rows > -offset else 0
    out.dims[x.ndim - 2] = min(rows, columns)
    out.steps[x.ndim - 2] = x.steps[x.ndim - 2] + x.steps[x.ndim - 1]
    if out.dims[x.ndim - 2] > 0:
        out.data += offset * x.steps[x.ndim - 1] if offset >= 0 else -offset * x.steps[x.ndim - 2]
    out.flags &= ~WRITEABLE
    finish_view(out)
    return out


cpdef Tensor trace(object x, object offset=0, object dtype=None):
    """Add up diagonals. See `corepy.array_api.linalg.trace`."""
    cdef Py_ssize_t diagonal = read_integer("linalg.trace", "offset", offset)
    cdef Tensor source = x if is_tensor(x) else as_tensor("linalg.trace", x)
    if dtype is not None:
        dtype = as_dtype("linalg.trace", dtype)
    require_least_ndim("linalg.trace", "x", source, 2)
    if source.code == DTYPE_bool:  # counted
        source = as_code(source, DTYPE_int64)
    # All diagonals outside of the matrices are empty.
    diagonal = min(max(diagonal, -source.dims[source.ndim - 2]), source.dims[source.ndim - 1])
    if in_host_memory(source):
        return cpu_trace(source, diagonal, dtype)
    return source.backend.execute_checked(
        "linalg.trace", (source,), {"offset": diagonal, "dtype": dtype}
    )


cdef Tensor cpu_trace(Tensor x, Py_ssize_t offset, object dtype):
    cdef Tensor diagonal = diagonal_of(x, offset)
    if provided.check_errors:
        check_errors("trace", (x,), {"offset": offset, "axis1": -2, "axis2": -1})
    if x.ndim == 2 and diagonal.count <= REDUCE_FEW:  # the sum of a contiguous copy is faster
        return cpu_reduce(OP_sum, cast_to(diagonal, x.code), None, False, dtype, 0.0)
    return cpu_reduce(OP_sum, diagonal, -1, False, dtype, 0.0)


cpdef Tensor outer(object x1, object x2):
    """Multiply each element of a vector by each of another. See `corepy.array_api.linalg.outer`."""
    cdef Tensor a, b
    a, b = pair("linalg.outer", x1, x2)
    require_ndim("linalg.outer", "x1", a, 1)
    require_ndim("linalg.outer", "x2", b, 1)
    if a.code != summed_code(a.code):  # of bools the logical and
        wide = summed_code(a.code)
        return as_code(outer(as_code(a, wide), as_code(b, wide)), a.code)
    if in_host_memory(a) and in_host_memory(b):
        return cpu_outer(a, b)
    return dispatched("linalg.outer", (a, b), {})


cdef Tensor cpu_outer(Tensor x1, Tensor x2):
    cdef const Entry* found = find_entry(OP_multiply, SHAPE_binary, x1.code)
    cdef Py_ssize_t dims[2]
    cdef Py_ssize_t column[2]
    cdef Py_ssize_t steps[3]
    cdef Operand operands[2]
    cdef int8_t computed[2]
    cdef char* data[3]
    cdef Tensor out
    dims[0], dims[1] = x1.dims[0], x2.dims[0]
    out = empty(x1.code, 2, dims)
    if out.count < RELEASE_GIL and dims[1] >= 4 or out.count == 1:
        steps[0], steps[1], steps[2] = dtype_itemsize[out.code], 0, x2.steps[0]
        data[0], data[1], data[2] = out.data, x1.data, x2.data
        for _ in range(dims[0]):
            found.loop(dims[1], data, steps)
            data[0] += out.steps[0]
            data[1] += x1.steps[0]
        return out
    set_operand(&operands[0], x1)
    set_operand(&operands[1], x2)
    dims[1] = 1
    column[0], column[1] = x1.steps[0], 0
    operands[0].ndim, operands[0].dims, operands[0].steps = 2, dims, column
    computed[0] = computed[1] = out.code
    run(found.loop, 2, operands, computed, out.code, out)
    return out


@implements("linalg.outer")
def _cpu_outer(Tensor x1 not None, Tensor x2 not None):
    return cpu_outer(x1, x2)


cpdef Tensor vector_norm(object x, object axis=None, object keepdims=False, object ord=2):
    """Compute norms of vectors. See `corepy.array_api.linalg.vector_norm`."""
    cdef bint kept = truth("linalg.vector_norm", "keepdims", keepdims)
    cdef object out = NotImplemented
    cdef Axes axes
    cdef Tensor source
    read_axes("linalg.vector_norm", axis, &axes)
    if not PyLong_CheckExact(ord):
        ord = real_number("linalg.vector_norm", "ord", ord)
    source = floating_operand("linalg.vector_norm", x)
    if is_half(source.code):
        return as_code(
            vector_norm(as_code(source, DTYPE_float32), axis, keepdims, ord), source.code
        )
    if axis is not None:
        axis = normalize_axes("linalg.vector_norm", &axes, source.ndim, True)
    if source.device is CPU:
        out = cpu_vector_norm(source, axis, kept, ord)
    if out is NotImplemented:
        params = {"axis": axis, "keepdims": kept, "ord": ord}
        out = source.backend.execute_checked("linalg.vector_norm", (source,), params)
    (<Tensor?>out).flags |= VALUE if (<Tensor>out).ndim == 0 else 0
    return out


cdef Tensor norm_of_few(Tensor x):
    """The square root of the sum of squares of contiguous numbers."""
    cdef Tensor out = empty(x.code, 0, NULL)
    cdef char* data[2]
    cdef Py_ssize_t steps[2]
    cdef Py_ssize_t step = dtype_itemsize[x.code]
    dot_vectors(
        <Dtype>x.code, x.count, x.data, step, x.data, step, 0, NULL, NULL, NULL, out.data
    )
    data[0] = data[1] = out.data
    steps[0] = steps[1] = step
    entry(OP_sqrt, <Dtype>x.code).loop(1, data, steps)
    return out


cdef object cpu_vector_norm(Tensor x, object axis, bint keepdims, object ord):
    cdef Tensor out
    if ord == 2:
        if axis is None and x.flags & CONTIGUOUS and is_full_float(x.code):
            materialize(x)
            if x.count < RELEASE_GIL:
                out = norm_of_few(x)
            else:
                flat = reshape(x, (-1,))
                out = unary(OP_sqrt, cpu_matmul(flat, flat))
            return reshape(out, (1,) * x.ndim) if keepdims else out
        if is_complex(x.code):
            x = unary(OP_abs, x)
        return unary(OP_sqrt, reduce(OP_sum, unary(OP_square, x), axis, keepdims))
    x = unary(OP_abs, x)
    if ord == 1:
        return reduce(OP_sum, x, axis, keepdims)
    if ord == 0:
        return astype(reduce(OP_count_nonzero, x, axis, keepdims), DTYPES[x.code])
    if ord == INFINITY or ord == -INFINITY:
        return NotImplemented if x.count == 0 else reduce(
            OP_max if ord > 0 else OP_min, x, axis, keepdims
        )
    return binary(
        OP_pow, reduce(OP_sum, binary(OP_pow, x, float(ord)), axis, keepdims), 1 / float(ord)
    )


@implements("linalg.matrix_norm")
def _cpu_matrix_norm(Tensor x not None, bint keepdims, ord):
    if ord == "fro":
        return cpu_vector_norm(x, (x.ndim - 2, x.ndim - 1), keepdims, 2)
    if x.count == 0 or ord not in (1, -1, INFINITY, -INFINITY):
        return NotImplemented
    sums = reduce(OP_sum, unary(OP_abs, x), -2 if ord in (1, -1) else -1, True)
    return reduce(OP_max if ord > 0 else OP_min, sums, (-2, -1), keepdims)
