"""Dot products and products of small matrices on the CPU, against NumPy, on every level."""

import numpy as np
import pytest
from strategies import DTYPE_NAMES

import corepy
import corepy.array_api as xp

pytestmark = pytest.mark.usefixtures("level")

NUMBERS = DTYPE_NAMES[1:]


def numbers(dtype, shape, seed=0):
    """Small integers, so that every sum is exact."""
    rng = np.random.default_rng(seed)
    array = rng.integers(0, 8, shape)
    if np.dtype(dtype).kind == "c":
        array = array + 1j * rng.integers(-4, 4, shape)
    return array.astype(dtype)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 9, 31, 33, 100, 4095, 5000])
def test_vectors(dtype, n):
    a, b = numbers(dtype, n), numbers(dtype, n, 1)
    ours = xp.vecdot(xp.asarray(a), xp.asarray(b))
    expected = np.sum(np.conj(a) * b, dtype=dtype)
    assert ours.shape == () and ours.dtype == dtype
    assert ours.item() == expected
    backwards = xp.vecdot(xp.asarray(a)[::-1], xp.asarray(b)[::-1])
    assert backwards.item() == expected


@pytest.mark.parametrize("shapes", [
    ((3, 5), (3, 5), -1), ((3, 5), (5,), -1), ((5,), (3, 5), -1), ((5, 3), (5, 3), 0),
    ((5, 3), (5, 3), -2), ((2, 1, 5), (4, 5), -1), ((2, 5, 4), (5, 4), -2), ((0, 3), (0, 3), 1),
    ((0, 3), (0, 3), 0), ((2, 3, 4), (2, 3, 4), 1),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["int32", "float64", "complex64"])
def test_axes(dtype, shapes):
    first, second, axis = shapes
    a, b = numbers(dtype, first), numbers(dtype, second, 1)
    products = np.conj(np.moveaxis(a, axis, -1)) * np.moveaxis(b, axis, -1)
    ours = xp.vecdot(xp.asarray(a), xp.asarray(b), axis=axis)
    np.testing.assert_array_equal(ours, np.sum(products, -1, dtype=dtype))


def test_dtypes_meet():
    x = xp.asarray([1, 2, 3], dtype=xp.int32)
    assert xp.vecdot(x, xp.asarray([0.5, 0.5, 0.5], dtype=xp.float32)).dtype == xp.float64
    assert xp.vecdot(x, [1, 1, 1]).item() == 6
    bools = xp.asarray([True, False]), xp.asarray([True, True])
    assert xp.vecdot(*bools).dtype == xp.bool and bool(xp.vecdot(*bools))
    assert not xp.vecdot(xp.asarray([True, False]), xp.asarray([False, True]))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_vecdot_refuses(device):
    def zeros(*shape):
        return xp.zeros(shape, device=device)

    for x1, x2, error, message in [
        (zeros(), zeros(3), ValueError, r"x1 must have at least 1 dimension, got shape \(\)"),
        (zeros(3), 2.0, ValueError, r"x2 must have at least 1 dimension, got shape \(\)"),
        (zeros(3), zeros(4), ValueError, "x1 and x2 must have the same size along axis -1, got"),
        (zeros(2, 3), zeros(4, 3), ValueError, r"shapes \(2, 3\), \(4, 3\) cannot be broadcast"),
        (zeros(3), None, TypeError, "expected a Tensor"),
    ]:
        with pytest.raises(error, match=f"^vecdot: {message}"):
            xp.vecdot(x1, x2)
    with pytest.raises(np.exceptions.AxisError, match=r"^vecdot: axis -2 is out of range"):
        xp.vecdot(zeros(2, 3), zeros(3), axis=-2)
    with pytest.raises(np.exceptions.AxisError, match=r"^vecdot: axis must be negative for"):
        xp.vecdot(zeros(2, 3), zeros(3), axis=0)
    with pytest.raises(TypeError, match=r"^vecdot: axis must be an integer"):
        xp.vecdot(zeros(3), zeros(3), axis=0.5)


def test_devices():
    x, y = xp.asarray([1.0, 2.0]), xp.asarray([3.0, 4.0], device="reference")
    with pytest.raises(ValueError, match=r"^vecdot: operands are on different devices"):
        xp.vecdot(x, y)
    with corepy.config(cross_device="convert"):
        assert xp.vecdot(x, y).item() == 11.0


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("n", [65_536, 65_537, 1_000_003])
def test_long_vectors_give_the_same_bits_for_any_number_of_threads(n, dtype, numbers_of_threads):
    rng = np.random.default_rng(n)
    a, b = (rng.standard_normal((n, np.dtype(dtype).itemsize // 8)).view(dtype) for _k in range(2))
    a, b = a[:, 0], b[:, 0]
    results = {xp.vecdot(xp.asarray(a), xp.asarray(b)).item() for _n in numbers_of_threads()}
    assert len(results) == 1
    np.testing.assert_allclose(results.pop(), np.vdot(a, b), rtol=1e-10, atol=1e-8)


@pytest.mark.parametrize("n", [3, 20, 70_000])
def test_infinite_components_make_no_nan_of_each_other(n):
    a, b = np.full((2, n), 1 + 1j)
    a[n // 2], b[n // 2] = 1 - 1j, complex(1, np.inf)
    assert xp.vecdot(xp.asarray(a), xp.asarray(b)).item() == complex(-np.inf, np.inf)


@pytest.mark.parametrize("shapes", [
    ((3,), (3,), -1), ((7, 3), (3,), -1), ((3, 7), (3, 1), -2), ((2, 3, 5), (2, 3, 5), 1),
    ((0, 3), (1, 3), -1), ((4, 1, 3), (6, 3), -1), ((5000, 3), (5000, 3), 1),
])  # fmt: skip
@pytest.mark.parametrize("dtype", NUMBERS)
def test_cross(dtype, shapes):
    first, second, axis = shapes
    a, b = numbers(dtype, first), numbers(dtype, second, 1)
    expected = np.cross(a, b, axis=axis)
    ours = xp.linalg.cross(xp.asarray(a), xp.asarray(b), axis=axis)
    np.testing.assert_array_equal(ours, expected, strict=True)
    turned = np.asfortranarray(a)
    ours = xp.linalg.cross(xp.asarray(turned), xp.asarray(b), axis=axis)
    np.testing.assert_array_equal(ours, expected, strict=True)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 5, 5), (20, 20), (0, 0), (0, 3, 3)])
@pytest.mark.parametrize("power", [-3, -1, 0, 1, 2, 3, 6, 2**70])
def test_powers_of_matrices(dtype, shape, power):
    # Of order 4, and with whole numbers as elements: every power is exact.
    size = shape[-1]
    matrix = 1j if dtype.startswith("complex") else -1
    array = (np.roll(np.eye(size), 0 if size % 4 else size // 4, 1) * matrix).astype(dtype)
    array = np.broadcast_to(array, shape)
    ours = xp.linalg.matrix_power(xp.asarray(array), power)
    expected = np.linalg.matrix_power(array, power % 4)
    np.testing.assert_allclose(ours, expected, atol=1e-5, strict=True)
    assert not np.shares_memory(np.asarray(ours), array)


@pytest.mark.parametrize("function", ["inv", "matrix_power"])
@pytest.mark.parametrize("size", [2, 20])
def test_singular_matrices_are_named(function, size):
    with pytest.raises(np.linalg.LinAlgError, match=rf"^linalg\.{function}: .*ingular"):
        getattr(xp.linalg, function)(xp.zeros((size, size)), *[-1] * (function != "inv"))


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33])
def test_small_matrices(dtype, columns):
    """Narrow panels are packed with their columns beside each other, or apart."""
    a, b = numbers(dtype, (3, 5, 6)), numbers(dtype, (3, 6, columns), 1)
    expected = np.matmul(a, b)
    np.testing.assert_array_equal(xp.matmul(xp.asarray(a), xp.asarray(b)), expected)
    turned = xp.asarray(np.ascontiguousarray(np.swapaxes(b, 1, 2))).mT
    np.testing.assert_array_equal(xp.matmul(xp.asarray(a), turned), expected)
    wide = np.zeros((3, 6, 2 * columns), dtype)
    wide[..., ::2] = b
    np.testing.assert_array_equal(xp.matmul(xp.asarray(a), xp.asarray(wide)[..., ::2]), expected)


SIZES = [
    (2, 700, 40), (13, 257, 33), (48, 512, 31), (97, 300, 65), (200, 1030, 9), (5, 40, 1000),
    (130, 17, 190), (31, 2048, 70),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_large_matrices(dtype, size):
    """Rows and columns beyond the last whole tile, parts of sums, and any layout."""
    rows, terms, columns = size
    a, b = numbers(dtype, (rows, terms)), numbers(dtype, (terms, columns), 1)
    expected = np.matmul(a, b)
    wide_a, wide_b = np.repeat(a, 2, axis=1), np.repeat(b[::-1], 3, axis=0)
    for left in (a, np.asfortranarray(a), wide_a[:, ::2], np.flip(a).copy()[::-1, ::-1]):
        for right in (b, np.asfortranarray(b), wide_b[::-3], np.repeat(b, 2, axis=1)[:, ::2]):
            np.testing.assert_array_equal(xp.asarray(left) @ xp.asarray(right), expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_that_compete_in_a_cache(dtype):
    """Such rows are copied together, a few of them at a time."""
    a, b = numbers(dtype, (101, 8192)), numbers(dtype, (8192, 20), 1)
    np.testing.assert_array_equal(xp.asarray(a) @ xp.asarray(b), a.astype("f8") @ b.astype("f8"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_stacks_of_large_matrices(dtype):
    a, b = numbers(dtype, (3, 1, 60, 70)), numbers(dtype, (4, 70, 50), 1)
    np.testing.assert_array_equal(xp.asarray(a) @ xp.asarray(b), a @ b)
    repeated = np.broadcast_to(a[0, 0], (2, 60, 70))
    np.testing.assert_array_equal(xp.asarray(repeated) @ xp.asarray(b[0]), repeated @ b[0])
    large = numbers(dtype, (2, 300, 300))
    np.testing.assert_array_equal(xp.asarray(large) @ xp.asarray(large), large @ large)


def test_products_do_not_depend_on_the_number_of_threads(level, numbers_of_threads):
    # Large products are BLAS's, with threads of its own, on other instruction sets.
    n = 500 if level in ("avx2", "avx512") else 32
    rng = np.random.default_rng(2)
    a, b = (xp.asarray(rng.standard_normal((n, n))) for _ in range(2))
    first, *others = [np.asarray(a @ b) for _ in numbers_of_threads()]
    assert others
    for other in others:
        np.testing.assert_array_equal(first, other)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_many_short_rows(dtype):
    for terms in range(1, 6):
        for columns in range(1, 6):
            b = numbers(dtype, (terms, columns), 1)
            for rows in (1, 2, 3, 7, 8, 9, 33, 20000 if terms == columns == 3 else 100):
                a = numbers(dtype, (rows, terms))
                expected = np.einsum("ij,jk->ik", a, b)
                x, y = xp.asarray(a), xp.asarray(b)
                for left, right in (
                    (x, y),
                    (xp.asarray(np.asfortranarray(a)), y),
                    (x, xp.asarray(np.asfortranarray(b))),
                    (xp.asarray(np.repeat(a, 2, axis=0))[::2], y),
                ):
                    np.testing.assert_array_equal(np.asarray(left @ right), expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "terms, columns",
    [
        (1027, 1043),
        pytest.param(150001, 14, marks=pytest.mark.slow),
        pytest.param(3, 400001, marks=pytest.mark.slow),
        (5000, 257),
        (81, 6007),
        (6007, 81),
    ],
)
def test_few_rows_with_a_large_matrix(dtype, terms, columns):
    """As rows on the left and as columns on the right; each layout with each, in turn."""
    b = numbers(dtype, (terms, columns), 1)
    held = np.zeros((terms, columns + 5), dtype)
    held[:, 5:] = b
    matrices = xp.asarray(b), xp.asarray(np.asfortranarray(b)), xp.asarray(held)[:, 5:]
    matrices = *matrices, xp.asarray(np.asfortranarray(b[::-1]))[::-1]
    all_rows = numbers(dtype, (9, terms))
    # Sums of float64 are exact here.
    products = (all_rows.astype("float64") @ b.astype("float64")).astype(dtype)
    for turn, rows in enumerate((1, 2, 3, 4, 5, 7, 8, 9)):
        a, expected = all_rows[:rows], products[:rows]
        lefts = [
            xp.asarray(a),
            xp.asarray(np.asfortranarray(a)),
            xp.asarray(np.repeat(a, 2, axis=1))[:, ::2],
            xp.flip(xp.asarray(a[::-1, ::-1].copy())),
        ]
        for number, y in enumerate(matrices):
            x = lefts[(turn + number) % 4]
            assert np.array_equal(np.asarray(x @ y), expected)
            assert np.array_equal(np.asarray(y.T @ x.T), expected.T)
            if rows == 1:
                for x in lefts:
                    assert np.array_equal(np.asarray(x[0] @ y), expected[0])
                    assert np.array_equal(np.asarray(y.T @ x[0]), expected[0])


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
@pytest.mark.parametrize("rows, terms", [(96, 40), (97, 3), (130, 700), (193, 300), (401, 517)])
def test_a_matrix_with_its_own_transpose(dtype, rows, terms):
    """One half is computed, and is what the product with a copy is."""
    held = numbers(xp.asarray(0, dtype=dtype).dtype, (2, rows, 2 * terms))
    for layout in (
        lambda x: x[0, :, :terms].copy(),
        lambda x: np.asfortranarray(x[0, :, :terms]),
        lambda x: x[1, ::-1, ::-2],
        lambda x: x[:, :, :terms],
    ):
        native = layout(held)
        x, other = xp.asarray(native), xp.asarray(native.copy())
        products = x @ x.mT, x.mT @ x
        for found, expected in zip(products, (x @ other.mT, x.mT @ other), strict=True):
            bits = {np.asarray(y).tobytes() for y in (found, expected, found.mT)}
            assert len(bits) == 1


def test_a_vector_with_a_large_matrix_does_not_depend_on_threads_or_calls():
    rng = np.random.default_rng(5)
    y = xp.asarray(rng.standard_normal((1003, 901)))
    for matrix in (y, xp.asarray(np.asfortranarray(np.asarray(y)))):
        x = xp.asarray(rng.standard_normal(1003))
        first = np.asarray(x @ matrix)
        np.testing.assert_allclose(first, np.asarray(x) @ np.asarray(matrix), rtol=1e-10)
        threads = corepy.get_num_threads()
        try:
            for count in (1, 2, 3, 5):
                corepy.set_num_threads(count)
                for _ in range(3):
                    np.testing.assert_array_equal(np.asarray(x @ matrix), first)
        finally:
            corepy.set_num_threads(threads)


def test_few_rows_keep_what_is_not_finite():
    b = xp.ones((1100, 1000))
    b[3, 5], b[7, 6], b[8, 6] = float("nan"), float("inf"), -float("inf")
    for y in (b, xp.asarray(np.asfortranarray(np.asarray(b)))):
        ours = np.asarray(xp.full((3, 1100), 2.0) @ y)
        assert np.isnan(ours[:, 5:7]).all()
        np.testing.assert_array_equal(np.delete(ours, [5, 6], axis=1), 2200.0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(17, 17), (3, 20, 20), (2, 1, 33, 33), (0, 20, 20), (150, 150)])
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_reads_one_triangle(dtype, shape, upper):
    """Of matrices for LAPACK, in C order and with their rows and columns exchanged."""
    rng = np.random.default_rng(0)
    root = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        root = root + 1j * rng.standard_normal(shape)
    rows = shape[-1]
    x = (root @ np.conj(root).mT + rows * np.eye(rows)).astype(dtype)
    unread = np.tri(rows, k=-1, dtype=bool)
    held = np.where(unread if upper else unread.T, x.dtype.type(99), x)
    expected = np.linalg.cholesky(held, upper=upper)
    precision = 1e4 * np.finfo(dtype).eps
    for y in (xp.asarray(held), xp.asarray(np.ascontiguousarray(held.mT)).mT):
        ours = xp.linalg.cholesky(y, upper=upper)
        assert ours.dtype == dtype
        np.testing.assert_allclose(np.asarray(ours), expected, rtol=precision, atol=precision)
    if x.size:
        negative = xp.asarray(-held)
        with pytest.raises(np.linalg.LinAlgError, match=r"^linalg\.cholesky: .* not positive"):
            xp.linalg.cholesky(negative, upper=upper)
