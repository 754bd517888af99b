"""SciPy beside the functions that its own tests cover: callbacks, sparse matrices, C code."""

import numpy
import pytest

import corepy as np

optimize = pytest.importorskip("scipy.optimize")
sparse = pytest.importorskip("scipy.sparse")

B = np.asarray([1.0, 2.0, 3.0])
A = np.asarray([[4.0, 2.0, 0.0], [0.0, 3.0, 1.0], [1.0, 0.0, 5.0]])


def squares(v):
    return np.sum((v - B) ** 2)


def gradient(v):
    return 2 * (v - B)


@pytest.mark.parametrize(
    "method", ["BFGS", "CG", "L-BFGS-B", "Newton-CG", "SLSQP", "TNC", "trust-constr"]
)
def test_minimize(method):
    found = optimize.minimize(squares, np.zeros(3), jac=gradient, method=method)
    numpy.testing.assert_allclose(found.x, [1, 2, 3], atol=1e-4)


def test_hessian():
    found = optimize.minimize(
        squares, np.zeros(3), jac=gradient, hess=lambda v: 2 * np.eye(3), method="trust-exact"
    )
    numpy.testing.assert_allclose(found.x, [1, 2, 3], atol=1e-6)


@pytest.mark.parametrize("method", ["trf", "dogbox", "lm"])
def test_least_squares(method):
    found = optimize.least_squares(lambda v: A @ v - B, np.zeros(3), jac=lambda v: A, method=method)
    numpy.testing.assert_allclose(A.to_numpy() @ found.x, B.to_numpy(), atol=1e-8)


def test_curve_fit():
    x = np.linspace(0, 1, 20)
    found, _ = optimize.curve_fit(
        lambda x, a, b: a * x + b, x, 3 * x + 1, bounds=(0, 9),
        jac=lambda x, a, b: np.stack([x, np.ones(x.shape)], axis=1),
    )  # fmt: skip
    numpy.testing.assert_allclose(found, [3, 1], atol=1e-6)


def test_sparse_matrices():
    ours, theirs = sparse.csr_array(A), sparse.csr_array(A.to_numpy())
    a, b = A.to_numpy(), B.to_numpy()
    for result, expected in (
        (ours + A, theirs + a), (A + ours, a + theirs), (A - ours, a - theirs),
        (ours / B[1], theirs / b[1]), (ours * np.mean(B), theirs * b.mean()),
        (B[1] * ours, b[1] * theirs), (ours > B[0], theirs > b[0]), (ours @ B, theirs @ b),
        (B @ ours, b @ theirs), (sparse.diags_array(B), sparse.diags_array(b)),
    ):  # fmt: skip
        result, expected = (
            x.toarray() if sparse.issparse(x) else numpy.asarray(x) for x in (result, expected)
        )
        numpy.testing.assert_array_equal(result, expected)
    operator = sparse.linalg.aslinearoperator(A)
    numpy.testing.assert_allclose(operator.matvec(b), a @ b)


@pytest.mark.parametrize("low", [[0.5, 0.5, 0.5, 3.0, 0.5], [0.0] * 5])
def test_peaks_by_arrays_of_heights(low):
    signal = pytest.importorskip("scipy.signal")
    x = numpy.asarray([0.0, 1.0, 0.0, 2.0, 0.0])
    for pair in (False, True):
        limits = [np.asarray(low), numpy.asarray(low)]
        ours, theirs = [(limit, None) if pair else limit for limit in limits]
        found, _ = signal.find_peaks(np.asarray(x), height=ours)
        numpy.testing.assert_array_equal(found, signal.find_peaks(x, height=theirs)[0])


def test_functions_of_fortran_do_not_write_to_their_arguments():
    blas = pytest.importorskip("scipy.linalg.blas")
    lapack = pytest.importorskip("scipy.linalg.lapack")
    for name, *args in (
        ("dgemv", 2.0, A, B, 1.0, B),
        ("drot", B, B, 0.6, 0.8),
        ("dgemm", 1.0, A, A[:, :1], 1.0, A[:, 1:2]),
    ):
        kept = [np.copy(x) if isinstance(x, np.ndarray) else x for x in args]
        found, expected = (
            getattr(blas, name)(*arguments)
            for arguments in (args, [numpy.asarray(x) if np.ndim(x) else x for x in kept])
        )
        numpy.testing.assert_array_equal(found, expected)
        assert all(np.all(x == y) for x, y in zip(args, kept, strict=True))
    _, _, solution, _ = lapack.dgesv(A, B)
    numpy.testing.assert_allclose(A @ solution, B)
    assert B.tolist() == [1.0, 2.0, 3.0]
