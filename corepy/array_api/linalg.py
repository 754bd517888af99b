"""The linear algebra extension, ``xp.linalg`` (array API 2025.12, "Linear Algebra Extension").

Matrices are the last two axes, vectors the last one; the axes before are a stack, computed matrix
by matrix. If a function needs floating-point numbers, bools and integers become float64. Operands
of different dtypes are promoted first, operands of different kinds (which the standard leaves open)
as in NumPy. If a decomposition or an inverse of a matrix does not exist, the function raises
``numpy.linalg.LinAlgError``, a ValueError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import factorizations, linalg

from corepy.array_api.linear_algebra_functions import (
    matmul,
    matrix_transpose,
    tensordot,
    vecdot,
)

if TYPE_CHECKING:
    from typing import Literal

    from numpy.typing import DTypeLike

    from corepy._cython.core import Tensor

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def __dir__() -> list[str]:
    return sorted(__all__)


class EigResult(NamedTuple):
    """Result of `eig`."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EighResult(NamedTuple):
    """Result of `eigh`."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """Result of `qr`."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """Result of `slogdet`."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """Result of `svd`."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """Factor positive-definite matrices into a triangular matrix and its conjugate transpose.

    Parameters
    ----------
    x : Tensor
        Symmetric (Hermitian) positive-definite matrices, of shape ``(..., M, M)``. Only one
        triangle is read; symmetry is not checked.
    upper : bool, optional
        Whether the factor is upper triangular, ``x = U^H U``, instead of lower, ``x = L L^H``.

    Returns
    -------
    Tensor
        Factors, of the shape and the floating-point dtype of ``x``, zero in the other triangle.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices, or (numpy.linalg.LinAlgError) one of them is not
        positive definite.

    Notes
    -----
    Standard: array API 2025.12, linalg.cholesky.
    """
    return core.compute("linalg.cholesky", (x, upper))


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute the cross products of vectors of 3 elements.

    Parameters
    ----------
    x1, x2 : Tensor
        Numeric arrays of size 3 along ``axis``; the other axes broadcast together.
    axis : int, optional
        Axis of the vectors, counted from the end: from ``-N`` to -1 with ``N`` the smaller number
        of axes. If both have equally many axes it may also be counted from the front.

    Returns
    -------
    Tensor
        Cross products, of the common shape, in the dtype that both promote to.

    Raises
    ------
    ValueError
        If a size along ``axis`` is not 3, or the other axes do not broadcast together.
    numpy.exceptions.AxisError
        If there is no such axis.

    Notes
    -----
    Standard: array API 2025.12, linalg.cross.
    """
    return core.compute("linalg.cross", (x1, x2, axis))


def det(x: Tensor, /) -> Tensor:
    """Compute determinants.

    Parameters
    ----------
    x : Tensor
        Square matrices, of shape ``(..., M, M)``.

    Returns
    -------
    Tensor
        Determinants, of shape ``(...)`` and the floating-point dtype of ``x``.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices.

    See Also
    --------
    slogdet : its logarithm, where the determinant itself would overflow or underflow.

    Notes
    -----
    Standard: array API 2025.12, linalg.det.
    """
    return core.compute("linalg.det", (x,))


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """Select a diagonal of each matrix.

    Parameters
    ----------
    x : Tensor
        Matrices of any dtype, of shape ``(..., M, N)``.
    offset : int, optional
        0 for the main diagonal, positive for one above it, negative for one below it.

    Returns
    -------
    Tensor
        Diagonals, of shape ``(..., k)`` and the dtype of ``x``; ``k`` is 0 where ``offset`` is off
        the matrix.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes.

    Notes
    -----
    Standard: array API 2025.12, linalg.diagonal.
    """
    return core.compute("linalg.diagonal", (x, offset))


def eig(x: Tensor, /) -> EigResult:
    """Compute the eigenvalues and eigenvectors of general matrices.

    Parameters
    ----------
    x : Tensor
        Square matrices, of shape ``(..., M, M)``.

    Returns
    -------
    eigenvalues : Tensor
        Shape ``(..., M)``, complex with the precision of ``x`` (also if all are real). The order is
        not specified.
    eigenvectors : Tensor
        Shape ``(..., M, M)`` and the same dtype: column ``i`` belongs to eigenvalue ``i``. They are
        unique only up to a factor.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices.

    See Also
    --------
    eigh : for symmetric and Hermitian matrices.

    Notes
    -----
    Standard: array API 2025.12, linalg.eig.
    """
    eigenvalues, eigenvectors = core.compute("linalg.eig", (x,))
    return EigResult(eigenvalues, eigenvectors)


def eigh(x: Tensor, /) -> EighResult:
    """Compute the eigenvalues and eigenvectors of symmetric or Hermitian matrices.

    Parameters
    ----------
    x : Tensor
        Symmetric (Hermitian) matrices, of shape ``(..., M, M)``. Only one triangle is read;
        symmetry is not checked.

    Returns
    -------
    eigenvalues : Tensor
        Shape ``(..., M)``, real with the precision of ``x``.
    eigenvectors : Tensor
        Shape ``(..., M, M)`` and the floating-point dtype of ``x``: orthonormal columns, column
        ``i`` for eigenvalue ``i``.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices.

    Notes
    -----
    Standard: array API 2025.12, linalg.eigh.
    """
    eigenvalues, eigenvectors = core.compute("linalg.eigh", (x,))
    return EighResult(eigenvalues, eigenvectors)


def eigvals(x: Tensor, /) -> Tensor:
    """Compute the eigenvalues of general matrices.

    Parameters
    ----------
    x : Tensor
        Square matrices, of shape ``(..., M, M)``.

    Returns
    -------
    Tensor
        Eigenvalues, of shape ``(..., M)``, complex with the precision of ``x`` (also if all are
        real). The order is not specified.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices.

    Notes
    -----
    Standard: array API 2025.12, linalg.eigvals.
    """
    return core.compute("linalg.eigvals", (x,))


def eigvalsh(x: Tensor, /) -> Tensor:
    """Compute the eigenvalues of symmetric or Hermitian matrices.

    Parameters
    ----------
    x : Tensor
        Symmetric (Hermitian) matrices, of shape ``(..., M, M)``. Only one triangle is read;
        symmetry is not checked.

    Returns
    -------
    Tensor
        Eigenvalues, of shape ``(..., M)``, real with the precision of ``x``.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices.

    Notes
    -----
    Standard: array API 2025.12, linalg.eigvalsh.
    """
    return core.compute("linalg.eigvalsh", (x,))


def inv(x: Tensor, /) -> Tensor:
    """Compute inverse matrices.

    Parameters
    ----------
    x : Tensor
        Invertible square matrices, of shape ``(..., M, M)``.

    Returns
    -------
    Tensor
        Inverses, of the shape and the floating-point dtype of ``x``.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices, or (numpy.linalg.LinAlgError) one is singular.

    Notes
    -----
    Standard: array API 2025.12, linalg.inv.
    """
    return core.compute("linalg.inv", (x,))


def matrix_norm(
    x: Tensor,
    /,
    *,
    keepdims: bool = False,
    ord: int | float | Literal["fro", "nuc"] | None = "fro",
) -> Tensor:
    """Compute a norm of each matrix.

    Parameters
    ----------
    x : Tensor
        Matrices, of shape ``(..., M, N)``.
    keepdims : bool, optional
        Whether the last two axes stay, with size 1.
    ord : {'fro', 'nuc', 1, -1, 2, -2, inf, -inf} or None, optional
        Which norm:

        - ``'fro'`` or None: Frobenius norm, the square root of the sum of squares
        - ``'nuc'``: nuclear norm, the sum of the singular values
        - 1, -1: the largest, smallest sum of absolute values of a column
        - inf, -inf: the largest, smallest sum of absolute values of a row
        - 2, -2: the largest, smallest singular value

    Returns
    -------
    Tensor
        Norms, of shape ``(...)``, real with the precision of ``x``.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes, or ``ord`` is none of these.

    Notes
    -----
    Standard: array API 2025.12, linalg.matrix_norm.
    """
    return core.compute("linalg.matrix_norm", (x, keepdims, ord))


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Raise square matrices to an integer power.

    Parameters
    ----------
    x : Tensor
        Square matrices, of shape ``(..., M, M)``.
    n : int
        Exponent: 0 gives identity matrices, a negative one powers of the inverses.

    Returns
    -------
    Tensor
        Powers, of the shape and the floating-point dtype of ``x``.

    Raises
    ------
    TypeError
        If ``n`` is not an integer.
    ValueError
        If ``x`` does not hold square matrices, or (numpy.linalg.LinAlgError) ``n`` is negative and
        one is singular.

    Notes
    -----
    Standard: array API 2025.12, linalg.matrix_power.
    """
    return core.compute("linalg.matrix_power", (x, n))


def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Count the singular values of each matrix that are not zero.

    Parameters
    ----------
    x : Tensor
        Matrices, of shape ``(..., M, N)``.
    rtol : float, Tensor or None, optional
        Singular values up to ``rtol`` times the largest one count as zero. An array gives one
        number for each matrix: its shape broadcasts with ``(...)``. None means ``max(M, N)`` times
        the machine epsilon.

    Returns
    -------
    Tensor
        Ranks, of shape ``(...)``, int64.

    Raises
    ------
    TypeError
        If ``rtol`` is not real.
    ValueError
        If ``x`` has fewer than two axes, or ``rtol`` does not broadcast.

    Notes
    -----
    Standard: array API 2025.12, linalg.matrix_rank.
    """
    return core.compute("linalg.matrix_rank", (x, rtol))


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply each element of one vector with each of another.

    Parameters
    ----------
    x1 : Tensor
        Vector, of shape ``(N,)``.
    x2 : Tensor
        Vector, of shape ``(M,)``.

    Returns
    -------
    Tensor
        Products ``x1[i] * x2[j]``, of shape ``(N, M)``, in the dtype that both promote to.

    Raises
    ------
    ValueError
        If an operand does not have one axis.

    Notes
    -----
    Standard: array API 2025.12, linalg.outer.
    """
    return core.in_class_of_two(linalg.outer(x1, x2), x1, x2)


def pinv(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Compute Moore-Penrose pseudo-inverses, by singular value decomposition.

    Parameters
    ----------
    x : Tensor
        Matrices, of shape ``(..., M, N)``.
    rtol : float, Tensor or None, optional
        Singular values up to ``rtol`` times the largest one count as zero. An array gives one
        number for each matrix: its shape broadcasts with ``(...)``. None means ``max(M, N)`` times
        the machine epsilon.

    Returns
    -------
    Tensor
        Pseudo-inverses, of shape ``(..., N, M)`` and the floating-point dtype of ``x``.

    Raises
    ------
    TypeError
        If ``rtol`` is not real.
    ValueError
        If ``x`` has fewer than two axes, or ``rtol`` does not broadcast.
    numpy.linalg.LinAlgError
        If an element of ``x`` is infinite or NaN.

    Notes
    -----
    Standard: array API 2025.12, linalg.pinv.
    """
    return core.compute("linalg.pinv", (x, rtol))


def qr(x: Tensor, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Factor matrices into one with orthonormal columns and an upper triangular one.

    Parameters
    ----------
    x : Tensor
        Matrices, of shape ``(..., M, N)``; ``K`` is the smaller of ``M`` and ``N``.
    mode : {'reduced', 'complete'}, optional
        Whether ``Q`` has ``K`` columns or all ``M``.

    Returns
    -------
    Q : Tensor
        Shape ``(..., M, K)`` or ``(..., M, M)``, the floating-point dtype of ``x``.
    R : Tensor
        Shape ``(..., K, N)`` or ``(..., M, N)``, the same dtype. The signs on its diagonal are not
        specified.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes, or ``mode`` is not one of these.

    Notes
    -----
    Standard: array API 2025.12, linalg.qr.
    """
    q, r = core.compute("linalg.qr", (x, mode))
    return QRResult(q, r)


def slogdet(x: Tensor, /) -> SlogdetResult:
    """Compute the sign and the logarithm of the absolute value of determinants.

    Parameters
    ----------
    x : Tensor
        Square matrices, of shape ``(..., M, M)``.

    Returns
    -------
    sign : Tensor
        Signs, of shape ``(...)`` and the floating-point dtype of ``x``: the determinant over its
        absolute value, 0 for a determinant of 0.
    logabsdet : Tensor
        Natural logarithms, of shape ``(...)``, real with the precision of ``x``: -inf for a
        determinant of 0.

    Raises
    ------
    ValueError
        If ``x`` does not hold square matrices.

    Notes
    -----
    Standard: array API 2025.12, linalg.slogdet.
    """
    sign, logabsdet = core.compute("linalg.slogdet", (x,))
    return SlogdetResult(sign, logabsdet)


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Solve systems of linear equations.

    Parameters
    ----------
    x1 : Tensor
        Coefficients: invertible matrices, of shape ``(..., M, M)``.
    x2 : Tensor
        Right-hand sides, one of shape ``(M,)`` for all systems, or ``K`` for each, of shape
        ``(..., M, K)``. The leading axes broadcast together.

    Returns
    -------
    Tensor
        Solutions ``x`` of ``x1 @ x = x2``, of shape ``(..., M)`` or ``(..., M, K)``, in the
        floating-point dtype that both promote to.

    Raises
    ------
    ValueError
        If ``x1`` does not hold square matrices, the shapes do not fit, or
        (numpy.linalg.LinAlgError) a matrix is singular.

    Notes
    -----
    Standard: array API 2025.12, linalg.solve.
    """
    return core.in_class_of_two(factorizations.solve(x1, x2), x1, x2)


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """Compute the singular value decomposition, ``x = U @ diag(S) @ Vh``.

    Parameters
    ----------
    x : Tensor
        Matrices, of shape ``(..., M, N)``; ``K`` is the smaller of ``M`` and ``N``.
    full_matrices : bool, optional
        Whether ``U`` and ``Vh`` are square, or have the first ``K`` singular vectors only.

    Returns
    -------
    U : Tensor
        Left singular vectors in columns, of shape ``(..., M, M)`` or ``(..., M, K)`` and the
        floating-point dtype of ``x``.
    S : Tensor
        Singular values in descending order, of shape ``(..., K)``, real with the precision of
        ``x``.
    Vh : Tensor
        Right singular vectors, conjugated, in rows, of shape ``(..., N, N)`` or ``(..., K, N)`` and
        the dtype of ``U``.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes.
    numpy.linalg.LinAlgError
        If an element of ``x`` is infinite or NaN.

    Notes
    -----
    Singular vectors are unique only up to a factor (a sign, if real) for each pair.

    Standard: array API 2025.12, linalg.svd.
    """
    u, s, vh = core.compute("linalg.svd", (x, full_matrices))
    return SVDResult(u, s, vh)


def svdvals(x: Tensor, /) -> Tensor:
    """Compute singular values.

    Parameters
    ----------
    x : Tensor
        Matrices, of shape ``(..., M, N)``; ``K`` is the smaller of ``M`` and ``N``.

    Returns
    -------
    Tensor
        Singular values in descending order, of shape ``(..., K)``, real with the precision of
        ``x``.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes.

    Notes
    -----
    Standard: array API 2025.12, linalg.svdvals.
    """
    return core.compute("linalg.svdvals", (x,))


def trace(x: Tensor, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """Add up a diagonal of each matrix.

    Parameters
    ----------
    x : Tensor
        Matrices of any dtype, of shape ``(..., M, N)``.
    offset : int, optional
        0 for the main diagonal, positive for one above it, negative for one below it.
    dtype : dtype, optional
        dtype to compute in and to return. None means the dtype of ``x``, but int64 for smaller
        integers and bool, and uint64 for smaller unsigned integers.

    Returns
    -------
    Tensor
        Sums, of shape ``(...)``; 0 where ``offset`` is off the matrix.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes.

    Notes
    -----
    Standard: array API 2025.12, linalg.trace.
    """
    return core.in_class_of(linalg.trace(x, offset, dtype), x)


def vector_norm(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: int | float = 2,
) -> Tensor:
    """Compute a norm of each vector.

    Parameters
    ----------
    x : Tensor
        Array of any shape.
    axis : int, tuple of int or None, optional
        Axes whose elements make up a vector; None takes all elements.
    keepdims : bool, optional
        Whether these axes stay, with size 1.
    ord : int or float, optional
        Which norm, with ``a`` the absolute values:

        - 2: ``sqrt(sum(a**2))``; 1: ``sum(a)``; any other ``p`` but 0: ``sum(a**p) ** (1/p)``
        - inf, -inf: ``max(a)``, ``min(a)``
        - 0: the number of elements that are not zero

    Returns
    -------
    Tensor
        Norms, real with the precision of ``x``: 0-d if ``axis`` is None, else of the shape of ``x``
        without these axes.

    Raises
    ------
    TypeError
        If ``ord`` is not a real number.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, linalg.vector_norm.
    """
    return core.in_class_of(linalg.vector_norm(x, axis, keepdims, ord), x)
