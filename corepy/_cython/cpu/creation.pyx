# distutils: language = c++
"""Creation of arrays: arange, linspace, eye, meshgrid, triangles."""

from cpython.complex cimport PyComplex_Check
from cpython.float cimport PyFloat_Check
from libc.string cimport memcpy, memset

from corepy._cython.core cimport (
    as_device, as_integer, as_tensor, assign, call_kernel, cast_kernel, cast_to, choice, clamped,
    CONTIGUOUS, CPU, cpu_binary, cpu_unary, Device, dispatched, Dtype, DTYPE_bool, dtype_code,
    DTYPE_complex128, DTYPE_float64, DTYPE_int64, dtype_itemsize, dtype_part, DTYPES, empty,
    fill_with, finite_number, floating_code, HOST, in_host_memory, is_complex, is_half, is_integer,
    MAX_NDIM, multiply_overflows, OP_add, OP_divide, OP_floor, OP_imag, OP_multiply, OP_real,
    PY_SSIZE_T_MAX, python_number, read_integer, reshape, shared_backend, small_integer,
    store_scalar, Tensor, truth,
)
from corepy._cython.cpu.movement cimport place
from corepy._cython.layout.plans cimport (
    count_numbers, grid_axis, plan_arange, plan_linspace, Progression, Sequence,
)

cdef extern from "movement.hpp" namespace "corepy" nogil:
    void copy_triangle "corepy::triangle"(
        Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t, bint, const char*, char*
    ) noexcept

cdef extern from "sequences.hpp" namespace "corepy" nogil:
    cdef enum Precision:
        PRECISION_of_dtype "corepy::Precision::dtype"
        PRECISION_wide "corepy::Precision::wide"
    bint write_progression(Dtype, Precision, const Progression&, Py_ssize_t, char*) noexcept

# ---- progressions

cdef int write_terms(
    int code, Py_ssize_t n, char* out, Precision precision, const Progression* terms
) except -1:
    call_kernel(n, write_progression, <Dtype>code, precision, terms[0], n, out)
    return 0


cdef int write_sequence(Tensor out, Precision precision, const Sequence& plan) except -1:
    cdef int itemsize = dtype_itemsize[out.code]
    if out.count > plan.given:
        write_terms(out.code, out.count, out.data, precision, &plan.terms)
    memcpy(out.data, plan.starts, plan.given * itemsize)
    if plan.ends:
        memcpy(out.data + (out.count - 1) * itemsize, plan.last, itemsize)
    return 0


cdef Tensor arange_of_integers(int code, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step):
    """`arange` of small integers, as int64 or float64."""
    cdef Py_ssize_t count = stop - start if step > 0 else start - stop
    cdef Tensor out
    if step == 0:
        raise ZeroDivisionError("arange: step must not be 0")
    if count < 0:
        count = 0
    if step != 1:
        count = (count + (step if step > 0 else -step) - 1) // (step if step > 0 else -step)
    out = empty(code, 1, &count)
    write_integers(code, count, out.data, start, step)
    return out


cdef int write_integers(
    int code, Py_ssize_t n, char* out, Py_ssize_t start, Py_ssize_t step
) except -1:
    """Write start, start + step, ... as int64 or float64."""
    cdef Progression terms
    terms.first[0], terms.step[0] = start, step
    terms.whole_first, terms.whole_step = start, step
    terms.first[1] = terms.step[1] = 0
    return write_terms(code, n, out, PRECISION_of_dtype, &terms)


cpdef Tensor arange(
    object start, object stop=None, object step=1, object dtype=None, object device=None
):
    """Return start, start + step, ... up to stop. See `corepy.array_api.arange`."""
    cdef Device target = as_device(device, "arange")
    cdef bint floating
    cdef int code = DTYPE_int64
    cdef Py_ssize_t first, last, between, count
    cdef Sequence plan
    cdef Tensor out
    if stop is None:
        start, stop = 0, start
    if dtype is not None:
        code = dtype_code("arange", dtype)
    if (code == DTYPE_int64 or code == DTYPE_float64) and target is CPU \
            and small_integer(start, &first) and small_integer(stop, &last) \
            and small_integer(step, &between):
        return arange_of_integers(code, first, last, between)
    start = finite_number("arange", "start", start)
    stop = finite_number("arange", "stop", stop)
    step = finite_number("arange", "step", step)
    if step == 0:
        raise ZeroDivisionError("arange: step must not be 0")
    floating = PyFloat_Check(start) or PyFloat_Check(stop) or PyFloat_Check(step)
    if dtype is None and floating:
        code = DTYPE_float64
    count = count_numbers(start, stop, step, code)
    if code == DTYPE_bool and count > 2:
        raise TypeError(f"arange: dtype bool takes at most 2 elements, got {count}")
    if target is CPU:
        out = empty(DTYPE_float64 if is_half(code) else dtype_part[code], 1, &count)
        plan_arange(&plan, out.code, count, start, step)
        write_sequence(out, PRECISION_of_dtype, plan)
        return out if out.code == code else cast_to(out, code)
    return target.backend.create_checked(
        "arange", (start, stop, step), {"dtype": DTYPES[code]}, target
    )


cdef int write_linspace(Tensor out, object start, object stop, bint endpoint) except -1:
    """Write evenly spaced floating-point or complex numbers."""
    cdef Sequence plan
    cdef double ends[2][2]
    if plan_linspace(&plan, out.code, out.count, start, stop, endpoint):
        return write_sequence(out, PRECISION_wide, plan)
    store_scalar(<char*>ends[0], DTYPE_complex128, start)
    store_scalar(<char*>ends[1], DTYPE_complex128, stop)
    return write_tiny_steps(out, ends[0], ends[1], endpoint)


cdef int write_tiny_steps(
    Tensor out, const double* first, const double* last, bint endpoint
) except -1:
    """`write_linspace` for components of which one has a step that underflows."""
    cdef Py_ssize_t steps = out.count - 1 if endpoint else out.count
    cdef Tensor numbers
    if is_complex(out.code):
        for k, op in ((0, OP_real), (1, OP_imag)):
            numbers = empty(DTYPE_float64, 1, out.dims)
            write_linspace(numbers, first[k], last[k], endpoint)
            assign("linspace", cpu_unary(op, out), numbers)
        return 0
    numbers = arange_of_integers(DTYPE_float64, 0, out.count, 1)
    for op, number in (
        (OP_divide, float(steps)), (OP_multiply, last[0] - first[0]), (OP_add, first[0])
    ):
        numbers = cpu_binary(op, numbers, number)
    if endpoint:
        (<double*>numbers.data)[steps] = last[0]
    return assign("linspace", out, numbers)


cpdef Tensor linspace(
    object start, object stop, object num, object dtype=None, object device=None,
    object endpoint=True,
):
    """Return `num` evenly spaced numbers. See `corepy.array_api.linspace`."""
    cdef Device target = as_device(device, "linspace")
    start = python_number("linspace", "start", start)
    stop = python_number("linspace", "stop", stop)
    cdef bint complex_end = PyComplex_Check(start) or PyComplex_Check(stop)
    cdef int code = DTYPE_complex128 if complex_end else DTYPE_float64
    cdef Py_ssize_t count = clamped(as_integer("linspace", "num", num, 0), 0, PY_SSIZE_T_MAX)
    cdef bint closed = truth("linspace", "endpoint", endpoint)
    cdef Tensor out
    if dtype is not None:
        code = dtype_code("linspace", dtype)
        if complex_end and not is_complex(code):
            raise TypeError(f"linspace: dtype {DTYPES[code]} cannot hold a complex start or stop")
    if count > PY_SSIZE_T_MAX // dtype_itemsize[code]:
        raise unaddressable("linspace", (num,), code)
    if target is CPU:
        out = empty(DTYPE_float64 if is_half(code) else floating_code(code), 1, &count)
        write_linspace(out, start, stop, closed)
        if is_integer(code):
            out = cpu_unary(OP_floor, out)
        return out if out.code == code else cast_to(out, code)
    return target.backend.create_checked(
        "linspace", (start, stop, count), {"dtype": DTYPES[code], "endpoint": closed}, target
    )


cdef object unaddressable(str function, tuple shape, int code):
    return ValueError(
        f"{function}: an array of shape {shape} and dtype {DTYPES[code]} "
        "is too big for memory to address"
    )


# ---- matrices

cpdef Tensor eye(
    object n_rows, object n_cols=None, object k=0, object dtype=None, object device=None
):
    """Return a matrix with ones on its k-th diagonal; n_cols=None is n_rows."""
    cdef Device target = as_device(device, "eye")
    cdef int code = DTYPE_float64 if dtype is None else dtype_code("eye", dtype)
    cdef Py_ssize_t sizes[2]
    cdef Py_ssize_t diagonal, row, column, nbytes
    cdef Tensor out
    cdef char one[16]
    cdef char* data[2]
    cdef Py_ssize_t steps[2]
    sizes[0] = clamped(as_integer("eye", "n_rows", n_rows, 0), 0, PY_SSIZE_T_MAX)
    sizes[1] = sizes[0]
    if n_cols is not None:
        sizes[1] = clamped(as_integer("eye", "n_cols", n_cols, 0), 0, PY_SSIZE_T_MAX)
    nbytes = dtype_itemsize[code]
    if (sizes[0] and multiply_overflows(nbytes, sizes[0], &nbytes)) \
            or (sizes[1] and multiply_overflows(nbytes, sizes[1], &nbytes)):
        raise unaddressable("eye", (n_rows, n_rows if n_cols is None else n_cols), code)
    # All diagonals outside of the matrix are empty.
    diagonal = clamped(as_integer("eye", "k", k), -sizes[0], sizes[1])
    if target is not CPU:
        return target.backend.create_checked(
            "eye", (sizes[0], sizes[1]), {"k": diagonal, "dtype": DTYPES[code]}, target
        )
    out = empty(code, 2, sizes)
    memset(one, 0, sizeof(one))
    fill_with(out, one)  # not lazily: the ones touch every page
    row, column = max(-diagonal, 0), max(diagonal, 0)
    if row < sizes[0] and column < sizes[1]:
        store_scalar(one, code, 1)
        data[0] = out.data + row * out.steps[0] + column * out.steps[1]
        data[1] = one
        steps[0] = out.steps[0] + out.steps[1]
        steps[1] = 0
        cast_kernel(<Dtype>code, <Dtype>code)(
            min(sizes[0] - row, sizes[1] - column), data, steps
        )
    return out


cpdef Tensor triangle(str function, object x, object k=0):
    """Return a copy of matrices with zeros above (``tril``) or below (``triu``) a diagonal."""
    cdef Py_ssize_t diagonal = read_integer(function, "k", k)
    cdef Tensor source = as_tensor(function, x)
    cdef Py_ssize_t rows, columns, count
    cdef bint upper = function == "triu"
    cdef Tensor out
    if source.ndim < 2:
        raise ValueError(
            f"{function}: x must have at least 2 dimensions, got shape {source.shape}"
        )
    rows, columns = source.dims[source.ndim - 2], source.dims[source.ndim - 1]
    # All diagonals outside of the matrix give the same result.
    diagonal = min(max(diagonal, -rows - 1), columns + 1)
    if not in_host_memory(source):
        return dispatched(function, (source,), {"k": diagonal})
    if not source.flags & CONTIGUOUS:
        source = cast_to(source, source.code)
    out = empty(source.code, source.ndim, source.dims)
    if source.count == 0:
        return out
    count = source.count // (rows * columns)
    call_kernel(
        source.count, copy_triangle, count, rows, columns, dtype_itemsize[out.code], diagonal,
        upper, source.data, out.data,
    )
    return out


cpdef tuple meshgrid(tuple arrays, object indexing="xy"):
    """Return the coordinates of the points of a grid along each axis."""
    cdef list vectors = []
    cdef list grids = []
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef Py_ssize_t position, axis, ndim
    cdef Tensor x, out
    for position in range(len(arrays)):
        x = as_tensor("meshgrid", arrays[position])
        if x.ndim == 0:
            x = reshape(x, (1,))
        elif x.ndim > 1:
            raise ValueError(
                f"meshgrid: arrays must have one axis, argument {position} has shape {x.shape}"
            )
        vectors.append(x)
    indexing = choice("meshgrid", "indexing", indexing, ("xy", "ij"))
    ndim = len(vectors)
    if ndim == 0:
        return ()
    if shared_backend("meshgrid", tuple(vectors)) is not HOST or ndim > MAX_NDIM:
        return tuple(dispatched("meshgrid", tuple(vectors), {"indexing": indexing}))
    for position in range(ndim):
        dims[grid_axis(position, ndim, indexing)] = (<Tensor>vectors[position]).dims[0]
    for axis in range(ndim):
        steps[axis] = 0
    for position in range(ndim):
        x = vectors[position]
        axis = grid_axis(position, ndim, indexing)
        steps[axis] = x.steps[0]
        out = empty(x.code, ndim, dims)
        place(out, out.data, out.steps, False, x.code, ndim, dims, x.data, steps)
        steps[axis] = 0
        grids.append(out)
    return tuple(grids)
