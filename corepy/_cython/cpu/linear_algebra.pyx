# distutils: language = c++
"""Linear algebra: products, factorizations, norms and powers of matrices."""

from cpython.long cimport PyLong_CheckExact
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int8_t
from libc.string cimport memset
from libcpp cimport bool as cppbool

import operator

import numpy as np

from corepy._cython.core cimport (
    as_code, as_dtype, as_ndarray, as_tensor, ask_kernel, astype, Axes, binary, broadcast_into,
    broadcast_steps, broadcast_to, call_kernel, cast_to, check_errors, check_stacks, common_axis,
    contiguous, CONTIGUOUS, CPU, cpu_reduce, dispatched, Dtype, DTYPE_bfloat16, DTYPE_bool,
    DTYPE_complex128, DTYPE_complex64, DTYPE_float32, DTYPE_float64, DTYPE_int64, dtype_itemsize,
    dtype_part, DTYPES, empty, Entry, entry, find_entry, finish_part, finish_view, floating_code,
    floating_operand, from_ndarray, implements, in_host_memory, is_complex, is_full_float, is_half,
    is_inexact, is_tensor, keep_axes, materialize, matrix_transpose, MAX_NDIM, normalize_axes,
    on_one_device, OP_abs, OP_all, OP_conj, OP_count_nonzero, OP_divide, OP_greater, OP_isfinite,
    OP_max, OP_min, OP_multiply, OP_pow, OP_sqrt, OP_square, OP_subtract, OP_sum, Operand, pair,
    permute_dims, PROMOTED, provided, read_axes, read_axis, read_integer, real_number, reduce,
    RELEASE_GIL, require_least_ndim, require_ndim, reshape, run, set_operand, SHAPE_binary,
    shape_tuple, summed_code, Tensor, transposed, truth, unary, VALUE, view_of, where, WRITEABLE,
)
from corepy._cython.cpu.creation cimport eye, triangle
from corepy._cython.layout.broadcasting cimport broadcast_strides
from corepy._cython.core import NOT_FINITE

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

# ---- factorizations: of small matrices by kernels, of others by LAPACK
#
# What kernels find singular or not positive definite is computed by LAPACK, whose rounding decides.
# LAPACK is called through the loops of `numpy.linalg` (generalized ufuncs), because NumPy's
# functions take 2 to 12 us around them, longer than LAPACK takes for ten rows. The loops are not
# public: an operation whose loop a version of NumPy lacks is left to NumPy's function.

try:
    from numpy.linalg import _umath_linalg
except ImportError:
    _umath_linalg = None


cdef extern from "kernels.hpp" namespace "corepy" nogil:
    cdef enum:
        SMALL_MATRIX
    cdef struct SmallMatrix:
        Py_ssize_t rows, columns
        const char* a
        Py_ssize_t a_row, a_column
        const char* b
        Py_ssize_t b_row, b_column
        char* out
    ctypedef bint (*small_matrix_kernel "corepy::small_matrix_kernel")(const SmallMatrix&) noexcept
    cdef struct FactorizationKernels "corepy::Kernels":
        small_matrix_kernel* determinant
        small_matrix_kernel* log_determinant
        small_matrix_kernel* solution
        small_matrix_kernel* cholesky
    const FactorizationKernels& factorizations "corepy::kernels"()

cdef extern from "products.hpp" namespace "corepy" nogil:
    bint each_small_matrix(
        small_matrix_kernel, const SmallMatrix&, Py_ssize_t, int, const Py_ssize_t*,
        const Py_ssize_t*, const Py_ssize_t*,
    ) noexcept


# ---- small matrices

cdef inline bint is_small_stack(Tensor x) noexcept:
    """Whether `x` is a stack of floating-point square matrices small enough for kernels."""
    return (
        x is not None and in_host_memory(x) and is_inexact(x.code) and x.ndim >= 2
        and x.dims[x.ndim - 1] == x.dims[x.ndim - 2] and 0 < x.dims[x.ndim - 1] <= SMALL_MATRIX
    )


cdef bint run_small(
    small_matrix_kernel kernel, Tensor a, Tensor b, Tensor out, Py_ssize_t stacked, bint vector
) except -1:
    """Fill `out`, whose first `stacked` axes are the stack's; `vector`: `b` is a single vector."""
    cdef Py_ssize_t steps[2][MAX_NDIM]
    cdef Py_ssize_t axis, out_step = dtype_itemsize[out.code]
    cdef SmallMatrix first
    first.rows = first.columns = a.dims[a.ndim - 1]
    first.a, first.a_row, first.a_column = a.data, a.steps[a.ndim - 2], a.steps[a.ndim - 1]
    first.b_row = first.b_column = 0
    first.b = <const char*>NULL
    first.out = out.data
    if b is not None:
        first.b = b.data
        first.columns = 1 if vector else b.dims[b.ndim - 1]
        first.b_row = b.steps[0 if vector else b.ndim - 2]
        first.b_column = 0 if vector else b.steps[b.ndim - 1]
    broadcast_strides(a.ndim - 2, a.dims, a.steps, stacked, out.dims, steps[0])
    if b is None or vector:
        memset(steps[1], 0, stacked * sizeof(Py_ssize_t))
    else:
        broadcast_strides(b.ndim - 2, b.dims, b.steps, stacked, out.dims, steps[1])
    for axis in range(stacked, out.ndim):
        out_step *= out.dims[axis]
    if out.count == 0:
        return True
    return ask_kernel(
        16 * out.count, each_small_matrix, kernel, first, out_step, <int>stacked, out.dims,
        steps[0], steps[1],
    )


cpdef Tensor solve(object x1, object x2):
    """Solve systems of linear equations. See `corepy.array_api.linalg.solve`."""
    cdef Tensor a = floating_operand("linalg.solve", x1)
    cdef Tensor b = floating_operand("linalg.solve", x2)
    cdef int code = PROMOTED[a.code][b.code]
    cdef Operand stacks[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim, size
    cdef Tensor out
    if is_half(code):
        return as_code(solve(as_code(a, DTYPE_float32), as_code(b, DTYPE_float32)), code)
    a, b = as_code(a, code), as_code(b, code)
    if a.ndim < 2 or a.dims[a.ndim - 1] != a.dims[a.ndim - 2]:
        raise np.linalg.LinAlgError(
            f"linalg.solve: x1 must be square, of shape (..., M, M), got shape {a.shape}"
        )
    if b.ndim < 1:
        raise ValueError("linalg.solve: x2 must have at least 1 dimension, got shape ()")
    size = a.dims[a.ndim - 1]
    if b.dims[0 if b.ndim == 1 else b.ndim - 2] != size:
        raise ValueError(
            f"linalg.solve: x2 must have shape ({size},) or (..., {size}, K) "
            f"for x1 of shape {a.shape}, got shape {b.shape}"
        )
    stacks[0].ndim, stacks[0].dims = a.ndim - 2, a.dims
    stacks[1].ndim, stacks[1].dims = b.ndim - 2 if b.ndim > 2 else 0, b.dims
    broadcast_into("linalg.solve", stacks, 2, &ndim, shape)
    if in_host_memory(a) and in_host_memory(b):
        out = solve_small(a, b, ndim, shape)
        if out is not None:
            return out
    return dispatched("linalg.solve", (a, b), {})


cdef Tensor solve_small(Tensor x1, Tensor x2, Py_ssize_t stacked, Py_ssize_t* shape):
    """Solve small systems, whose stacks broadcast to `shape`; None for larger and singular ones."""
    cdef Py_ssize_t ndim = stacked
    cdef bint vector = x2.ndim == 1
    cdef Tensor out
    if not is_small_stack(x1) or x1.code != x2.code or not in_host_memory(x2) \
            or not (vector or x2.dims[x2.ndim - 1] <= SMALL_MATRIX):
        return None
    shape[ndim] = x1.dims[x1.ndim - 1]
    ndim += 1
    if not vector:
        shape[ndim] = x2.dims[x2.ndim - 1]
        ndim += 1
    out = empty(x1.code, ndim, shape)
    if run_small(factorizations().solution[x1.code], x1, x2, out, stacked, vector):
        return out
    return None


@implements("linalg.solve")
def _cpu_solve(Tensor x1 not None, Tensor x2 not None):
    cdef Operand stacks[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t stacked
    cdef Tensor out
    set_operand(&stacks[0], x1)
    set_operand(&stacks[1], x2)
    stacks[0].ndim = x1.ndim - 2
    stacks[1].ndim = x2.ndim - 2 if x2.ndim > 2 else 0
    broadcast_into("linalg.solve", stacks, 2, &stacked, shape)
    out = solve_small(x1, x2, stacked, shape)
    if out is not None:
        return out
    name = "solve1" if x2.ndim == 1 else "solve"
    return by_lapack("linalg.solve", name, x1, (as_ndarray(as_code(x2, double_code(x2.code))),))


cdef tuple small_slogdet(Tensor x):
    """Signs and logarithms of determinants; None unless small and real, with finite logarithms."""
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t axis
    cdef Tensor pairs
    if not is_small_stack(x) or is_complex(x.code):
        return None
    for axis in range(x.ndim - 2):
        dims[axis] = x.dims[axis]
    dims[x.ndim - 2] = 2
    pairs = empty(x.code, x.ndim - 1, dims)
    if not run_small(
        factorizations().log_determinant[x.code], x, None, pairs, x.ndim - 2, False
    ):
        return None
    return last_of(pairs, 0), last_of(pairs, 1)


cdef Tensor last_of(Tensor x, Py_ssize_t k):
    """A copy of the elements with index `k` along the last axis."""
    cdef Tensor part = view_of(x, x.ndim - 1)
    keep_axes(x, 0, x.ndim - 1, part, 0)
    part.data += k * x.steps[x.ndim - 1]
    finish_view(part)
    part.flags |= VALUE if part.ndim == 0 else 0
    return cast_to(part, x.code)


@implements("linalg.det")
def _cpu_det(Tensor x not None):
    cdef Tensor out
    if not is_small_stack(x):
        return by_lapack("linalg.det", "det", x)
    out = empty(x.code, x.ndim - 2, x.dims)
    run_small(factorizations().determinant[x.code], x, None, out, x.ndim - 2, False)
    return out


@implements("linalg.slogdet")
def _cpu_slogdet(Tensor x not None):
    found = small_slogdet(x)
    return by_lapack("linalg.slogdet", "slogdet", x) if found is None else found


@implements("linalg.inv")
def _cpu_inv(Tensor x not None):
    return inverse("linalg.inv", x)


cdef object inverse(str function, Tensor x):
    """Inverse matrices; NotImplemented where NumPy's function has to compute them."""
    cdef Tensor out
    if is_small_stack(x):
        out = empty(x.code, x.ndim, x.dims)
        if run_small(factorizations().solution[x.code], x, None, out, x.ndim - 2, False):
            return out
    return by_lapack(function, "inv", x)


@implements("linalg.cholesky")
def _cpu_cholesky(Tensor x not None, bint upper):
    cdef Tensor out
    cdef int code = x.code
    cdef str name = "cholesky_lo" if upper else "cholesky_up"
    if not upper and is_small_stack(x):
        out = empty(x.code, x.ndim, x.dims)
        if run_small(factorizations().cholesky[x.code], x, None, out, x.ndim - 2, False):
            return out
    # LAPACK has columns in a row. With both matrices transposed NumPy copies them with unit stride:
    # copies column by column take as long as the factorization of 300 rows. The other triangle of
    # the transposed matrix, which is the conjugate of this one, has the transposed factor.
    if x.count == 0:
        return NotImplemented
    x = as_code(x, double_code(code))
    out = empty(x.code, x.ndim, x.dims)
    found = called("linalg.cholesky", name, (as_ndarray(x).mT, as_ndarray(out).mT))
    return found if found is NotImplemented else as_code(out, code)


# ---- LAPACK

# What a loop reports, by its name; the words are NumPy's.
cdef dict PROBLEMS = {
    name: problem
    for problem, names in {
        "Matrix is not positive definite": "cholesky_lo cholesky_up",
        "Eigenvalues did not converge": "eigh_lo eigvalsh_lo",
        "Singular matrix": "inv solve solve1",
        "SVD did not converge": "lstsq svd svd_f svd_s",
        "Incorrect argument found in QR factorization": "qr_complete qr_r_raw qr_reduced",
    }.items()
    for name in names.split()
}


cdef object called(str function, str name, tuple arrays):
    """What the loop `name` of NumPy's returns: an ndarray or several; NotImplemented without one.

    A problem is reported as an invalid floating-point operation, which becomes a LinAlgError.
    """
    loop = getattr(_umath_linalg, name, None)
    if loop is None:
        return NotImplemented
    problem = PROBLEMS.get(name)
    if problem is None:
        return loop(*arrays)
    try:
        with np.errstate(invalid="raise", divide="ignore", over="ignore", under="ignore"):
            return loop(*arrays)
    except FloatingPointError:
        raise np.linalg.LinAlgError(f"{function}: {problem}") from None


cdef inline int double_code(int code) noexcept:
    """The dtype with which NumPy calls LAPACK: a double-precision one."""
    return DTYPE_complex128 if is_complex(code) else DTYPE_float64


cdef Tensor in_precision(int code, object array):
    """A tensor over a result of LAPACK; converted to single precision if `code` has that."""
    cdef Tensor x = from_ndarray("linalg", array)
    if x.ndim == 0:
        x.flags |= VALUE
    if dtype_part[code] == DTYPE_float32 and is_inexact(x.code):
        return as_code(x, DTYPE_complex64 if is_complex(x.code) else DTYPE_float32)
    return x


cdef object by_lapack(str function, str name, Tensor x, tuple others=()):
    """A loop's results for `x` and other ndarrays: a tensor or a tuple of tensors, or
    NotImplemented. Computed in double precision, as by NumPy's functions.
    """
    cdef int code = x.code
    found = called(function, name, (as_ndarray(as_code(x, double_code(code))), *others))
    if found is NotImplemented:
        return found
    if type(found) is tuple:
        return tuple([in_precision(code, array) for array in found])
    return in_precision(code, found)


cdef int enter_loop(str operation, str name) except -1:
    """Enter an operation that is one loop of LAPACK's."""
    @implements(operation)
    def compute(Tensor x not None):
        return by_lapack(operation, name, x)
    return 0


enter_loop("linalg.eigh", "eigh_lo")
enter_loop("linalg.eigvalsh", "eigvalsh_lo")
enter_loop("linalg.svdvals", "svd")


@implements("linalg.svd")
def _cpu_svd(Tensor x not None, bint full_matrices):
    return singular_vectors("linalg.svd", x, full_matrices)


cdef object singular_vectors(str function, Tensor x, bint full):
    """U, S and Vh, or NotImplemented. LAPACK's iteration does not end for some infinite numbers."""
    cdef int code = x.code
    # A copy, which no other thread can change after the check.
    x = cast_to(x, double_code(code))
    if not reduce(OP_all, unary(OP_isfinite, x)):
        raise np.linalg.LinAlgError(f"{function}: {NOT_FINITE}")
    found = called(function, "svd_f" if full else "svd_s", (as_ndarray(x),))
    if found is NotImplemented:
        return found
    return tuple([in_precision(code, array) for array in found])


@implements("linalg.pinv")
def _cpu_pinv(Tensor x not None, rtol):
    cdef Tensor u, s, vh, cutoff, inverses
    if x.count == 0:
        return NotImplemented
    found = singular_vectors("linalg.pinv", x, False)
    if found is NotImplemented:
        return found
    u, s, vh = found
    if is_complex(x.code):
        u, vh = unary(OP_conj, u), unary(OP_conj, vh)
    if rtol is None:
        rtol = max(x.dims[x.ndim - 2], x.dims[x.ndim - 1]) * np.finfo(DTYPES[s.code]).eps
    elif is_tensor(rtol):
        stack = s.shape[:s.ndim - 1]
        try:
            rtol = broadcast_to(rtol, stack)[..., None]
        except ValueError:
            raise ValueError(
                f"linalg.pinv: rtol must broadcast to {stack}, got shape {rtol.shape}"
            ) from None
    cutoff = binary(OP_multiply, reduce(OP_max, s, -1, True), rtol)
    # Infinity, whose inverse is 0, in place of values that count as 0.
    inverses = binary(OP_divide, 1.0, where(binary(OP_greater, s, cutoff), s, INFINITY))
    return matmul(
        matrix_transpose(vh),
        binary(OP_multiply, inverses[..., None], matrix_transpose(u)),
    )


@implements("linalg.qr")
def _cpu_qr(Tensor x not None, str mode):
    cdef bint complete = mode == "complete" and x.dims[x.ndim - 2] > x.dims[x.ndim - 1]
    found = reflections(x)
    if found is NotImplemented:
        return found
    array, scales = found
    q = called("linalg.qr", "qr_complete" if complete else "qr_reduced", (array, scales))
    if q is NotImplemented:
        return q
    return in_precision(x.code, q), upper_factor_of(x, array, complete)


cdef object reflections(Tensor x):
    """An ndarray with R and the reflections of which Q is the product, and their factors."""
    array = as_ndarray(cast_to(x, double_code(x.code)))
    scales = called("linalg.qr", "qr_r_raw", (array,))  # in place
    return scales if scales is NotImplemented else (array, scales)


cdef Tensor upper_factor_of(Tensor x, object array, bint complete):
    """R, of the array of `reflections`."""
    cdef Py_ssize_t rows = x.dims[x.ndim - 2]
    if not complete and rows > x.dims[x.ndim - 1]:
        array = array[..., :x.dims[x.ndim - 1], :]
    return in_precision(x.code, as_ndarray(triangle("triu", from_ndarray("linalg", array))))


def upper_factor(Tensor x not None):
    """Return R alone of matrices on the CPU; NotImplemented if NumPy has no such loop."""
    found = reflections(x)
    return found if found is NotImplemented else upper_factor_of(x, found[0], False)


def least_squares(Tensor a not None, Tensor b not None, double rcond):
    """Minimize ``|a x - b|`` by singular values; see `numpy.linalg.lstsq`.

    Parameters
    ----------
    a, b : Tensor
        On the CPU, of shapes ``(M, N)``, and ``(M,)`` or ``(M, K)``; none of the numbers is 0.
    rcond : float
        Singular values below this part of the largest count as 0.

    Returns
    -------
    tuple of Tensor or NotImplemented
        The solution, of shape ``(N,)`` or ``(N, K)``, sums of squared residuals, the rank, the
        singular values. NotImplemented if NumPy has no such loop.
    """
    cdef int code = PROMOTED[floating_code(a.code)][floating_code(b.code)]
    cdef int double = double_code(code)
    cdef bint vector = b.ndim == 1
    cdef Tensor x, rank
    if a.ndim != 2 or not 1 <= b.ndim <= 2 or a.dims[0] != b.dims[0] or 0 in a.shape + b.shape:
        raise ValueError(
            "lstsq: a and b must have shapes (M, N) and (M,) or (M, K) without a 0, "
            f"got {a.shape} and {b.shape}"
        )
    right = as_ndarray(as_code(b, double))
    found = called(
        "linalg.lstsq", "lstsq",
        (as_ndarray(as_code(a, double)), right[:, None] if vector else right, rcond),
    )
    if found is NotImplemented:
        return found
    x, residuals, rank, s = [in_precision(code, array) for array in found]
    if a.dims[0] <= a.dims[1] or (<const int32_t*>rank.data)[0] != a.dims[1]:
        residuals = residuals[:0]
    # The loop's array has M rows where that is more than N; a copy releases them.
    return cast_to(x[:, 0] if vector else x, code), residuals, rank, s


# ---- beside products and factorizations

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
