# distutils: language = c++
"""Sums of products: matmul, vecdot, tensordot."""

from libc.string cimport memset
from libcpp cimport bool as cppbool

import operator

import numpy as np

from corepy._cython.core cimport (
    as_code, as_ndarray, as_tensor, ask_kernel, Axes, broadcast_into, broadcast_steps, call_kernel,
    check_errors, check_stacks, common_axis, contiguous, dispatched, Dtype, DTYPE_bfloat16,
    DTYPE_float32, dtype_itemsize, empty, from_ndarray, implements, in_host_memory, is_complex,
    is_full_float, is_half, is_tensor, materialize, matrix_transpose, MAX_NDIM, normalize_axes,
    on_one_device, Operand, pair, permute_dims, PROMOTED, provided, read_axes, read_axis,
    read_integer, RELEASE_GIL, require_least_ndim, reshape, set_operand, shape_tuple, summed_code,
    Tensor, transposed,
)

cdef extern from "kernels.hpp" namespace "corepy" nogil:
    Py_ssize_t THIN

cdef extern from "products.hpp" namespace "corepy" nogil:
    void multiply_matrices(
        Dtype, const MatrixProduct&, int, const Py_ssize_t*, const Py_ssize_t*, const Py_ssize_t*
    ) noexcept
    cppbool multiply_thin(Dtype, const MatrixProduct&, Py_ssize_t) noexcept
    cppbool has_tiles(Dtype) noexcept
    cppbool multiply_stack(
        Dtype, const MatrixProduct&, int, const Py_ssize_t*, const Py_ssize_t*, const Py_ssize_t*
    ) noexcept
    cppbool multiply_halves(Dtype, const MatrixProduct&) noexcept

cdef enum:
    # Least multiplications of a product of matrices for which tiles, or BLAS, are faster.
    BLAS_PAYS = 36000
    BLAS_PAYS_COMPLEX = 1000
    # Least bytes of a matrix for which the product with few rows is faster than BLAS's, and than
    # that in tiles, if its rows are contiguous and if its columns are.
    THIN_PAYS = 1 << 22
    LINES_PAY = 1 << 16
    DOTS_PAY = 1 << 18
    # Terms of a dot product for which that is so.
    LONG_DOT = 128
    # The same for one row or column, if there are so many terms and results; the most bytes, and
    # the bytes of the matrix's rows for which it is faster with any number of them.
    ROW_PAYS = 1 << 21
    LEAST_SIDE = 64
    ROW_MOST = 1 << 24
    SHORT_ROW = 1 << 12
    # Most bytes of these rows, where all are read again for some columns: a second-level cache.
    THIN_FITS = 1 << 20
    # Least elements of a matrix of halves that is not widened as a whole, and the most vectors.
    HALVES_PAY = 1 << 14
    FEW_VECTORS = 4
    # Least multiplications of a product of matrices of bfloat16 that are not widened.
    BFLOAT16_PAYS = 1 << 15
    # The kernels multiply rows of at most so many terms and columns several in a vector.
    NARROW = 4

cdef object numpy_matmul = np.matmul


cdef inline bint blas_pays(int code, Py_ssize_t work) noexcept:
    if is_complex(code):
        return work >= BLAS_PAYS_COMPLEX
    return is_full_float(code) and work >= BLAS_PAYS


cdef inline bint is_narrow(const MatrixProduct* p) noexcept:
    """Whether both matrices have so short rows that a kernel is faster at any number of them."""
    return p.terms <= NARROW and p.columns <= NARROW


cdef bint thin_matmul(Tensor a, Tensor b, MatrixProduct p, Py_ssize_t out_column) except -1:
    """Multiply matrices if one has so few rows or columns, and the other is so large, that this is
    faster than BLAS; return whether it was done.
    """
    cdef Py_ssize_t size = dtype_itemsize[a.code]
    cdef Py_ssize_t least
    cdef bint swapped = p.rows > p.columns
    if a.ndim > 2 or b.ndim > 2 or is_complex(a.code):
        return False
    if swapped:  # the transposed product
        a, b = b, a
        p.rows, p.columns = p.columns, p.rows
        p.a_row, p.a_step, p.b_row, p.b_column = p.b_column, p.b_row, p.a_step, p.a_row
        p.out_row, out_column = out_column, p.out_row
    if p.rows == 1:
        least = ROW_PAYS
    elif has_tiles(<Dtype>a.code):
        least = LINES_PAY if p.b_column == size else DOTS_PAY
    else:
        least = THIN_PAYS
    if p.rows > THIN or b.count * size < least:
        return False
    if p.rows == 1 and (min(p.terms, p.columns) < LEAST_SIDE or b.count * size > ROW_MOST and (
        p.b_column != size or p.columns * size > SHORT_ROW
    )):
        return False
    p.a, p.b = a.data, b.data
    if p.b_column != size:
        if p.b_row != size or a.count * size > THIN_FITS or p.terms < LONG_DOT:
            return False
        if p.a_step != size:
            a = contiguous(matrix_transpose(a) if swapped and a.ndim == 2 else a)
            p.a, p.a_row, p.a_step = a.data, p.terms * size, size
    return ask_kernel(RELEASE_GIL, multiply_thin, <Dtype>a.code, p, out_column)


cpdef Tensor matmul(object x1, object x2):
    """Multiply matrices, or stacks of them; a vector is a row on the left and a column on the
    right. See `corepy.array_api.matmul`.
    """
    if not is_tensor(x1) or not is_tensor(x2):
        for operand in (x1, x2):
            # Such an operand has its own product, as a QuantizedMatrix has (NEP 13).
            if getattr(type(operand), "__array_ufunc__", True) is None:
                return operator.matmul(x1, x2)
    return product(x1, x2)


cdef Tensor product(object x1, object x2):
    cdef Tensor a = x1 if is_tensor(x1) else as_tensor("matmul", x1)
    cdef Tensor b = x2 if is_tensor(x2) else as_tensor("matmul", x2)
    cdef int code = PROMOTED[a.code][b.code]
    cdef Py_ssize_t terms
    materialize(a)
    materialize(b)
    if a.device is not b.device:
        a, b = on_one_device("matmul", a, b)
    require_least_ndim("matmul", "x1", a, 1)
    require_least_ndim("matmul", "x2", b, 1)
    terms = b.dims[0 if b.ndim == 1 else b.ndim - 2]
    if a.dims[a.ndim - 1] != terms:
        raise ValueError(
            f"matmul: the sizes to sum over must be the same, got {a.dims[a.ndim - 1]} and {terms} "
            f"(shapes {shape_tuple(a.ndim, a.dims)} and {shape_tuple(b.ndim, b.dims)})"
        )
    if is_half(a.code) or is_half(b.code):
        out = product_of_halves(a, b)
        if out is not None:
            return as_code(out, code)
        if has_bfloat16_product(a, b):
            return as_code(cpu_matmul(a, b), code)
    if code != summed_code(code):  # of bools the logical or of logical ands
        wide = summed_code(code)
        return as_code(product(as_code(a, wide), as_code(b, wide)), code)
    a, b = as_code(a, code), as_code(b, code)
    if in_host_memory(a):
        return cpu_matmul(a, b)
    return a.backend.execute_checked("matmul", (a, b), {})


cdef Tensor cpu_matmul(Tensor a, Tensor b):
    """The product of tensors of one dtype whose inner sizes agree; of bfloat16 in float32."""
    cdef Operand stacks[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t steps[2][MAX_NDIM]
    cdef Py_ssize_t ndim, offset, work
    cdef MatrixProduct p
    cdef Tensor x, out
    cdef int k
    if provided.check_errors:
        check_errors("matmul", (a, b), {})
    # A vector is a matrix whose other axis has one element.
    p.rows = 1 if a.ndim == 1 else a.dims[a.ndim - 2]
    p.terms = a.dims[a.ndim - 1]
    p.columns = 1 if b.ndim == 1 else b.dims[b.ndim - 1]
    p.a_row = 0 if a.ndim == 1 else a.steps[a.ndim - 2]
    p.a_step = a.steps[a.ndim - 1]
    p.b_row = b.steps[0 if b.ndim == 1 else b.ndim - 2]
    p.b_column = 0 if b.ndim == 1 else b.steps[b.ndim - 1]
    for k in range(2):
        x = a if k == 0 else b
        set_operand(&stacks[k], x)
        stacks[k].ndim = x.ndim - 2 if x.ndim > 2 else 0
    broadcast_into("matmul", stacks, 2, &ndim, shape)
    for k in range(2):
        broadcast_steps(&stacks[k], ndim, shape, steps[k])
    offset = ndim
    if a.ndim > 1:
        shape[ndim] = p.rows
        ndim += 1
    if b.ndim > 1:
        shape[ndim] = p.columns
        ndim += 1
    if ndim > MAX_NDIM - 2:
        raise ValueError(f"matmul: arrays have at most {MAX_NDIM - 2} dimensions here, got {ndim}")
    out = empty(DTYPE_float32 if is_half(a.code) else a.code, ndim, shape)
    if out.count == 0:
        return out
    if p.terms == 0:
        memset(out.data, 0, out.count * dtype_itemsize[out.code])
        return out
    p.out = out.data
    p.out_row = p.columns * dtype_itemsize[out.code]
    work = p.rows * p.columns * p.terms
    if is_half(a.code) or blas_pays(a.code, work) and not is_narrow(&p):
        if not is_half(a.code) and thin_matmul(a, b, p, dtype_itemsize[out.code]):
            return out
        if has_tiles(<Dtype>a.code) and min(p.rows, p.columns) > 1:
            p.a, p.b = a.data, b.data
            if not ask_kernel(
                RELEASE_GIL, multiply_stack, <Dtype>a.code, p, offset, shape, steps[0], steps[1]
            ):
                raise MemoryError("matmul: no memory for parts of the matrices")
            return out
        if ndim == 0:
            return from_ndarray("matmul", numpy_matmul(as_ndarray(a), as_ndarray(b)))
        numpy_matmul(as_ndarray(a), as_ndarray(b), as_ndarray(out))
        return out
    p.a, p.b = a.data, b.data
    call_kernel(
        max(work, out.count), multiply_matrices, <Dtype>a.code, p, offset, shape,
        steps[0], steps[1],
    )
    return out


cdef bint has_bfloat16_product(Tensor a, Tensor b) noexcept:
    """Whether the processor multiplies matrices of bfloat16 as they are, and they are so large that
    this pays.
    """
    return a.code == DTYPE_bfloat16 and b.code == DTYPE_bfloat16 and in_host_memory(a) \
        and a.ndim > 1 and b.ndim > 1 and has_tiles(DTYPE_bfloat16) \
        and min(a.dims[a.ndim - 2], b.dims[b.ndim - 1]) > 1 \
        and a.dims[a.ndim - 2] * b.dims[b.ndim - 1] * b.dims[b.ndim - 2] >= BFLOAT16_PAYS


cdef Tensor product_of_halves(Tensor a, Tensor b):
    """A large matrix of halves, whose terms are contiguous, times a few vectors, or these times it,
    in float32; None of other operands.
    """
    cdef MatrixProduct p
    cdef Py_ssize_t shape[2]
    cdef Tensor matrix, vectors, out
    cdef bint on_left = a.ndim == 2 and is_half(a.code) and a.steps[1] == 2 \
        and (b.ndim == 1 or b.ndim == 2 and b.dims[1] <= FEW_VECTORS)
    cdef bint on_right = b.ndim == 2 and is_half(b.code) and b.steps[0] == 2 \
        and (a.ndim == 1 or a.ndim == 2 and a.dims[0] <= FEW_VECTORS)
    matrix, vectors = (a, b) if on_left else (matrix_transpose(b), a) if on_right else (None, None)
    if matrix is None or matrix.count < HALVES_PAY or vectors.count == 0 \
            or not in_host_memory(matrix) or not is_half(vectors.code) \
            and vectors.code != DTYPE_float32:
        return None
    if vectors.ndim == 2 and not on_left:
        vectors = matrix_transpose(vectors)
    vectors = contiguous(as_code(vectors, DTYPE_float32))
    p.rows, p.terms, p.columns = matrix.dims[0], matrix.dims[1], vectors.count // vectors.dims[0]
    shape[0], shape[1] = p.rows, p.columns
    out = empty(DTYPE_float32, vectors.ndim, shape)
    p.a, p.a_row, p.a_step = matrix.data, matrix.steps[0], 2
    p.b, p.b_row, p.b_column = vectors.data, 4 * p.columns, 4
    p.out, p.out_row = out.data, 4 * p.columns
    if not ask_kernel(RELEASE_GIL, multiply_halves, <Dtype>matrix.code, p):
        raise MemoryError("matmul: no memory for rows in float32")
    return out if on_left or out.ndim == 1 else contiguous(matrix_transpose(out))


cpdef Tensor vecdot(object x1, object x2, object axis=-1):
    """Sum ``conj(x1) * x2`` along an axis. See `corepy.array_api.vecdot`."""
    cdef Py_ssize_t along = read_axis("vecdot", axis)
    cdef Tensor a = x1 if is_tensor(x1) else as_tensor("vecdot", x1)
    cdef Tensor b = x2 if is_tensor(x2) else as_tensor("vecdot", x2)
    cdef int code = PROMOTED[a.code][b.code]
    require_least_ndim("vecdot", "x1", a, 1)
    require_least_ndim("vecdot", "x2", b, 1)
    materialize(a)
    materialize(b)
    if a.device is not b.device:
        a, b = on_one_device("vecdot", a, b)
    along = common_axis("vecdot", along, a, b)
    if a.dims[a.ndim + along] != b.dims[b.ndim + along]:
        raise ValueError(
            f"vecdot: x1 and x2 must have the same size along axis {along}, "
            f"got shapes {a.shape} and {b.shape}"
        )
    if code != summed_code(code):
        wide = summed_code(code)
        return as_code(vecdot(as_code(a, wide), as_code(b, wide), along), code)
    a, b = as_code(a, code), as_code(b, code)
    if in_host_memory(a):
        return cpu_vecdot(a, b, along)
    check_stacks("vecdot", a.ndim, a.dims, b.ndim, b.dims)
    return a.backend.execute_checked("vecdot", (a, b), {"axis": along})


cdef Tensor cpu_vecdot(Tensor x1, Tensor x2, Py_ssize_t axis):
    """Dot products along an axis, counted from the end, of tensors of one numeric dtype."""
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t steps[2][MAX_NDIM]
    cdef Py_ssize_t ndim, k, last, terms
    cdef Py_ssize_t along[2]
    cdef Tensor out
    cdef int n
    if provided.check_errors:
        check_errors("vecdot", (x1, x2), {"axis": axis})
    set_operand(&operands[0], x1)
    set_operand(&operands[1], x2)
    broadcast_into("vecdot", operands, 2, &ndim, shape)
    last = ndim + axis
    terms = shape[last]
    for n in range(2):
        broadcast_steps(&operands[n], ndim, shape, steps[n])
        along[n] = steps[n][last]
        for k in range(last, ndim - 1):
            steps[n][k] = steps[n][k + 1]
    for k in range(last, ndim - 1):
        shape[k] = shape[k + 1]
    ndim -= 1
    out = empty(x1.code, ndim, shape)
    if out.count == 0:
        return out
    call_kernel(
        out.count * terms, dot_vectors, <Dtype>x1.code, terms, x1.data, along[0], x2.data, along[1],
        ndim, shape, steps[0], steps[1], out.data,
    )
    return out


cpdef Tensor tensordot(object x1, object x2, object axes=2):
    """Sum products over pairs of axes. See `corepy.array_api.tensordot`."""
    cdef Tensor a, b
    cdef Axes named1, named2
    cdef tuple axes1, axes2
    cdef Py_ssize_t k, axis1, axis2
    cdef Py_ssize_t count = -1
    if isinstance(axes, (tuple, list)):
        axes = tuple(axes)
        if len(axes) != 2:
            raise ValueError(
                "tensordot: axes must be a number or two sequences of axes, "
                f"got {len(axes)} items"
            )
        read_axes("tensordot", axes[0], &named1)
        read_axes("tensordot", axes[1], &named2)
    else:
        count = read_integer("tensordot", "axes", axes, 0)
    a, b = pair("tensordot", x1, x2)
    if count < 0:
        axes1 = normalize_axes("tensordot", &named1, a.ndim, True)
        axes2 = normalize_axes("tensordot", &named2, b.ndim, True)
        if len(axes1) != len(axes2):
            raise ValueError(
                f"tensordot: axes must name as many axes of x1 as of x2, got {len(axes1)} "
                f"and {len(axes2)}"
            )
    else:
        if count > a.ndim or count > b.ndim:
            raise ValueError(
                f"tensordot: axes={count} is more than an operand has, got shapes {a.shape} "
                f"and {b.shape}"
            )
        axes1 = tuple(range(a.ndim - count, a.ndim))
        axes2 = tuple(range(count))
    for k in range(len(axes1)):
        axis1, axis2 = axes1[k], axes2[k]
        if a.dims[axis1] != b.dims[axis2]:
            raise ValueError(
                f"tensordot: axis {axis1} of x1 and axis {axis2} of x2 must have the same size, "
                f"got shapes {a.shape} and {b.shape}"
            )
    if a.code != summed_code(a.code):
        wide = summed_code(a.code)
        return as_code(contracted(as_code(a, wide), as_code(b, wide), axes1, axes2), a.code)
    return contracted(a, b, axes1, axes2)


cdef Tensor contracted(Tensor x1, Tensor x2, tuple axes1, tuple axes2):
    """Sum products over pairs of axes; the arguments are checked."""
    cdef Py_ssize_t order[2]
    if not in_host_memory(x1) or not in_host_memory(x2):
        return dispatched("tensordot", (x1, x2), {"axes": (axes1, axes2)})
    if len(axes1) == 1 and x1.ndim <= 2 and x2.ndim <= 2:  # a product of matrices or vectors
        order[0], order[1] = 1, 0
        if x1.ndim == 2 and axes1[0] == 0:
            x1 = transposed(x1, order)
        if x2.ndim == 2 and axes2[0] == 1:
            x2 = transposed(x2, order)
        return cpu_matmul(x1, x2)
    return cpu_tensordot(x1, x2, axes1, axes2)


@implements("tensordot")
def _cpu_tensordot(Tensor x1 not None, Tensor x2 not None, tuple axes):
    axes1, axes2 = axes
    return cpu_tensordot(x1, x2, axes1, axes2)


cdef Tensor cpu_tensordot(Tensor x1, Tensor x2, tuple axes1, tuple axes2):
    """One product of two matrices, made by merging the axes of each tensor into two."""
    cdef Tensor a, b
    kept1 = [axis for axis in range(x1.ndim) if axis not in axes1]
    kept2 = [axis for axis in range(x2.ndim) if axis not in axes2]
    shape1, shape2 = x1.shape, x2.shape
    terms = 1
    for axis in axes1:
        terms *= shape1[axis]
    rows = [shape1[axis] for axis in kept1]
    columns = [shape2[axis] for axis in kept2]
    a = reshape(permute_dims(x1, (*kept1, *axes1)), (product_of(rows), terms))
    b = reshape(permute_dims(x2, (*axes2, *kept2)), (terms, product_of(columns)))
    return reshape(cpu_matmul(a, b), (*rows, *columns))


cdef Py_ssize_t product_of(list sizes) except -1:
    cdef Py_ssize_t result = 1
    for size in sizes:
        result *= size
    return result


provided.matmul = product
