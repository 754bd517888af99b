# distutils: language = c++
"""Factorizations of matrices: small ones by kernels, others by LAPACK.

What kernels find singular or not positive definite is computed by LAPACK, whose rounding decides.
LAPACK is called through the loops of `numpy.linalg` (generalized ufuncs), because NumPy's functions
take 2 to 12 us around them, longer than LAPACK takes for ten rows. The loops are not public:
an operation whose loop a version of NumPy lacks is left to NumPy's function.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.string cimport memset

import numpy as np

try:
    from numpy.linalg import _umath_linalg
except ImportError:
    _umath_linalg = None

from corepy._cython.core import NOT_FINITE
from corepy._cython.core cimport (
    as_code, as_ndarray, ask_kernel, binary, broadcast_into, broadcast_to, cast_to, dispatched,
    DTYPE_complex128, DTYPE_complex64, DTYPE_float32, DTYPE_float64, dtype_itemsize, dtype_part,
    DTYPES, empty, finish_view, floating_code, floating_operand, from_ndarray, implements,
    in_host_memory, is_complex, is_half, is_inexact, is_tensor, keep_axes, matrix_transpose,
    MAX_NDIM, OP_all, OP_conj, OP_divide, OP_greater, OP_isfinite, OP_max, OP_multiply, Operand,
    PROMOTED, reduce, set_operand, Tensor, unary, VALUE, view_of, where,
)
from corepy._cython.cpu.creation cimport triangle
from corepy._cython.cpu.products cimport matmul
from corepy._cython.layout.broadcasting cimport broadcast_strides

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
