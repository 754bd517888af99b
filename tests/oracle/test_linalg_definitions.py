"""Linear algebra against its definitions: exact arithmetic on matrices of small integers."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from . import inputs
from .inputs import corepy
from .test_definitions import DEVICES, to_list, vector


def matrices(data, rows, columns):
    numbers = st.integers(-4, 4)
    return data.draw(
        st.lists(
            st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows
        )
    )


def determinant(rows):
    """Leibniz' formula."""
    total = 0
    for permutation in itertools.permutations(range(len(rows))):
        pairs = itertools.combinations(permutation, 2)
        sign = (-1) ** sum(a > b for a, b in pairs)
        total += sign * math.prod(
            row[column] for row, column in zip(rows, permutation, strict=True)
        )
    return total


@DEVICES
@given(data=st.data())
def test_products_of_integer_matrices(device, data):
    xp = corepy.namespace(device)
    m, k, n = (data.draw(st.integers(1, 4)) for _ in range(3))
    a, b = matrices(data, m, k), matrices(data, k, n)
    expected = [[sum(a[i][t] * b[t][j] for t in range(k)) for j in range(n)] for i in range(m)]
    for dtype in (xp.int64, xp.int8, xp.float32, xp.complex128):
        if dtype == xp.int8 and max(abs(v) for row in expected for v in row) > 127:
            continue
        x1, x2 = xp.asarray(a, dtype=dtype), xp.asarray(b, dtype=dtype)
        assert to_list(xp.matmul(x1, x2)) == expected
        assert to_list(x1 @ x2) == expected
        assert to_list(xp.tensordot(x1, x2, axes=1)) == expected
        diagonal = [expected[i][i] for i in range(min(m, n))]
        assert to_list(xp.linalg.trace(xp.matmul(x1, x2))) == sum(diagonal)
        assert to_list(xp.linalg.diagonal(xp.matmul(x1, x2))) == diagonal
        if m == n:
            # The rows of a with the columns of b.
            dots = xp.vecdot(x1, xp.matrix_transpose(x2))
            assert to_list(dots) == diagonal


@DEVICES
@given(data=st.data())
def test_determinants_and_inverses(device, data):
    xp = corepy.namespace(device)
    order = data.draw(st.integers(1, 4))
    a = matrices(data, order, order)
    exact = determinant(a)
    x = xp.asarray(a, dtype=xp.float64)
    assert abs(float(xp.linalg.det(x)) - exact) < 1e-11
    assume(exact)
    sign, logabsdet = xp.linalg.slogdet(x)
    assert float(sign) == math.copysign(1, exact)
    assert math.isclose(float(logabsdet), math.log(abs(exact)), rel_tol=1e-9, abs_tol=1e-11)
    cofactors = [
        [
            (-1) ** (i + j) * determinant([r[:j] + r[j + 1 :] for k, r in enumerate(a) if k != i])
            for i in range(order)
        ]
        for j in range(order)
    ]
    expected = [[float(Fraction(v, exact)) for v in row] for row in cofactors]
    assert np.allclose(to_list(xp.linalg.inv(x)), expected, rtol=1e-9, atol=1e-10)
    identity = xp.linalg.solve(x, x)
    assert np.allclose(to_list(identity), np.eye(order), atol=1e-10)


@DEVICES
@given(data=st.data())
def test_norms(device, data):
    xp, x, values = vector(data, device, ("float64", "complex128"), inputs.moderate(), min_side=1)
    sizes = [abs(v) for v in values]
    expected = {
        0: sum(v != 0 for v in sizes),
        1: math.fsum(sizes),
        2: math.hypot(*sizes),
        math.inf: max(sizes),
        -math.inf: min(sizes),
        3: math.fsum(v**3 for v in sizes) ** (1 / 3),
    }
    for ord, value in expected.items():
        actual = float(xp.linalg.vector_norm(x, ord=ord))
        assert math.isclose(actual, value, rel_tol=1e-12, abs_tol=1e-12)


def complex_vector(data, size):
    parts = st.integers(-4, 4)
    return data.draw(st.lists(st.builds(complex, parts, parts), min_size=size, max_size=size))


@DEVICES
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@given(data=st.data())
def test_vector_products(dtype, device, data):
    """vecdot conjugates its first operand; outer, cross and tensordot conjugate none."""
    xp = corepy.namespace(device)
    a, b = complex_vector(data, 3), complex_vector(data, 3)
    x1, x2 = (xp.asarray(v, dtype=getattr(xp, dtype)) for v in (a, b))
    expected = sum(v.conjugate() * w for v, w in zip(a, b, strict=True))
    assert complex(xp.vecdot(x1, x2)) == expected
    assert complex(xp.linalg.vecdot(x1, x2)) == expected
    assert to_list(xp.linalg.outer(x1, x2)) == [[v * w for w in b] for v in a]
    plain = sum(v * w for v, w in zip(a, b, strict=True))
    assert complex(xp.tensordot(x1, x2, axes=1)) == plain
    assert complex(xp.matmul(x1, x2)) == plain
    cross = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
    assert to_list(xp.linalg.cross(x1, x2)) == cross


@DEVICES
@given(data=st.data())
def test_powers_of_matrices(device, data):
    xp = corepy.namespace(device)
    order = data.draw(st.integers(1, 3))
    a = np.array(matrices(data, order, order), dtype=object)
    x = xp.asarray(a.tolist(), dtype=xp.float64)
    expected = np.array([[int(i == j) for i in range(order)] for j in range(order)], dtype=object)
    for n in range(5):
        assert to_list(xp.linalg.matrix_power(x, n)) == expected.tolist()
        expected = expected @ a


@DEVICES
@given(data=st.data())
def test_pseudoinverse_meets_penrose(device, data):
    xp = corepy.namespace(device)
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    x = xp.asarray(matrices(data, rows, columns), dtype=xp.complex128)
    p = xp.linalg.pinv(x, rtol=1e-10)
    assert p.shape == (columns, rows)
    a, b = np.array(to_list(x)), np.array(to_list(p))
    for actual, expected in (
        (a @ b @ a, a),
        (b @ a @ b, b),
        ((a @ b).conj().T, a @ b),
        ((b @ a).conj().T, b @ a),
    ):
        assert np.allclose(actual, expected, atol=1e-9 * (1 + np.abs(b).max()))


def rank(rows):
    """The rank by elimination with fractions."""
    rows = [[Fraction(v) for v in row] for row in rows]
    count = 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(count, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[count], rows[pivot] = rows[pivot], rows[count]
        for i in range(count + 1, len(rows)):
            factor = rows[i][column] / rows[count][column]
            rows[i] = [v - factor * w for v, w in zip(rows[i], rows[count], strict=True)]
        count += 1
    return count


@DEVICES
@given(data=st.data())
def test_ranks(device, data):
    xp = corepy.namespace(device)
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    a = matrices(data, rows, columns)
    x = xp.asarray(a, dtype=xp.float64)
    assert int(xp.linalg.matrix_rank(x)) == rank(a)
    stack = xp.linalg.matrix_rank(xp.stack([x, xp.zeros_like(x)]))
    assert to_list(stack) == [rank(a), 0]
    norms = {
        "fro": math.sqrt(sum(v * v for row in a for v in row)),
        1: max(sum(abs(row[j]) for row in a) for j in range(columns)),
        -1: min(sum(abs(row[j]) for row in a) for j in range(columns)),
        math.inf: max(sum(map(abs, row)) for row in a),
        -math.inf: min(sum(map(abs, row)) for row in a),
    }
    for ord, expected in norms.items():
        assert math.isclose(float(xp.linalg.matrix_norm(x, ord=ord)), expected, rel_tol=1e-14)
