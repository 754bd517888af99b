"""JAX both ways; its arrays are read-only."""

import numpy
import pytest
from strategies import assert_same

import corepy as np
from libraries.beside_numpy import INTEGERS, MATRICES, NUMBERS, assert_as_numpy, assert_like

jax = pytest.importorskip("jax")
jnp = jax.numpy

VALUES = [*MATRICES, INTEGERS.astype("int8"), NUMBERS.astype("float32"), NUMBERS > 0, NUMBERS * 1j]


@pytest.fixture(autouse=True)
def float64():
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("values", VALUES)
def test_both_ways(values):
    t = np.asarray(values)
    assert_like(jnp.asarray(t), values)
    if t.size:
        assert_like(jnp.from_dlpack(t.copy()), values)
    theirs = jnp.asarray(values)
    for function in (np.asarray, np.from_dlpack):
        assert_as_numpy(function(theirs), values)
    assert_same(np.array_api.asarray(theirs), values)


def test_jaxs_memory_is_read_only():
    t = np.asarray(jnp.arange(3.0))
    with pytest.raises(ValueError, match="read-only"):
        t[0] = 5.0
    t = t.copy()
    t[0] = 5.0
    assert t.tolist() == [5.0, 1.0, 2.0]


def test_operators_give_jaxs_arrays():
    theirs, t = jnp.asarray(NUMBERS), np.asarray(NUMBERS)
    for result in (theirs + t, t + theirs):
        assert isinstance(result, jax.Array)
        assert_like(result, NUMBERS + NUMBERS)
    assert_like(theirs * t.max(), NUMBERS * NUMBERS.max())


def test_transformations_take_them_as_jaxs_arrays():
    x = jnp.asarray(np.asarray(NUMBERS))
    gradient = np.asarray(jax.jit(jax.grad(lambda x: (x**2).sum()))(x))
    assert_as_numpy(gradient, 2 * NUMBERS)
    assert_as_numpy(np.sum(jnp.asarray(INTEGERS)), INTEGERS.sum())
    assert_as_numpy(np.stack([x, np.asarray(NUMBERS)]), numpy.stack([NUMBERS, NUMBERS]))
