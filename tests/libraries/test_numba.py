"""Numba: compiled functions of tensors' memory, ufuncs of tensors."""

import pytest

import corepy as np
from libraries.beside_numpy import INTEGERS, NUMBERS, STRIDED, assert_agrees, assert_like

numba = pytest.importorskip("numba")


@numba.njit
def trace(matrix):
    total = 0.0
    for i in range(len(matrix)):
        total += matrix[i, i]
    return total


@numba.njit
def double(row):
    for i in range(len(row)):
        row[i] *= 2


@numba.njit
def centered(matrix):
    return matrix - matrix.mean()


@pytest.mark.parametrize("values", [NUMBERS, INTEGERS], ids=["float", "int"])
def test_compiled_functions_read_elements(values):
    assert trace(np.asarray(values)) == trace(values)


def test_compiled_functions_write_elements():
    t = np.asarray([1.0, 2.0])
    double(t)
    assert t.tolist() == [2.0, 4.0]


@pytest.mark.parametrize("values", [NUMBERS, STRIDED], ids=["array", "view"])
def test_methods_of_arrays_need_an_ndarray(values):
    result = centered(np.asarray(values).to_numpy())
    assert_like(np.asarray(result), centered(values))


def test_ufuncs_give_tensors():
    fused = numba.vectorize(["f8(f8, f8)"])(lambda x, y: x * y + 1)
    assert_agrees(fused, NUMBERS, STRIDED[:, :1])
    assert_agrees(lambda x: fused.reduce(x, axis=1), NUMBERS)

    @numba.guvectorize(["(f8[:], f8[:])"], "(n)->(n)")
    def sums(row, out):
        total = 0.0
        for i in range(row.shape[0]):
            total += row[i]
            out[i] = total

    assert_agrees(sums, NUMBERS)
