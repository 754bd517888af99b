"""The kernels of `corepy.nn` against the functions' definitions, computed on the CPU."""

import itertools

import numpy as np
import pytest
from agreement import to_numpy
from strategies import HALVES

import corepy
from corepy import array_api as cpu
from corepy import nn

#: Functions, and their arguments after the first, of which arrays are rows.
CALLS = [
    ("softmax", 0, {}), ("log_softmax", 0, {}), ("rms_norm", 0, {}), ("rms_norm", 1, {}),
    ("layer_norm", 0, {"eps": 0.5}), ("layer_norm", 1, {}), ("layer_norm", 2, {}),
]  # fmt: skip
#: Around the sizes of packs, warps, steps of warps and blocks, and of what is read once.
LENGTHS = [
    *(1, 2, 7, 8, 31, 32, 33, 127, 255, 256, 257, 511, 512, 513, 1000, 1024, 1025, 2047, 2048),
    *(2049, 4096, 4097, 5000, 8192, 8200, 16384, 16392, 40000),
]  # fmt: skip


@pytest.fixture
def compare(gpu):
    """Call it to compare a function of arrays, or of views of them, on a GPU and on the CPU.

    Other arguments than those of `kernel` are left to the definition.
    """
    network = gpu.__array_namespace_info__().default_device().backend.network

    def check(name, *arrays, view=lambda x: x, kernel=True, **options):
        function = getattr(nn, name)
        operands, others = ([view(xp.asarray(x, copy=True)) for x in arrays] for xp in (gpu, cpu))
        assert (network(name, *operands, **options) is not None) == kernel
        found, expected = function(*operands, **options), function.__wrapped__(*others, **options)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        # Those of 16 bits are rounded once, from numbers that differ by less.
        units = 1.01 if expected.dtype.itemsize == 2 else 16
        error = units * float(cpu.finfo(expected.dtype).eps)
        found, expected = (to_numpy(x).astype(np.float64) for x in (found, expected))
        np.testing.assert_allclose(found, expected, rtol=error, atol=error)

    return check


def arrays_of(dtype, rows, n, count):
    rng = np.random.default_rng(n)
    x, *factors = rng.normal(1, 3, (rows, n)), *rng.normal(size=(count, n))
    return [each.astype(dtype) for each in (x, *factors)]


@pytest.mark.parametrize("dtype", ["float32", "float64", *HALVES], ids=str)
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_lengths(compare, call, dtype):
    name, factors, options = call
    for n in LENGTHS:
        compare(name, *arrays_of(dtype, 3, n, factors), **options)
    compare(name, *arrays_of(dtype, 50, 40, factors), **options)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "layer_norm"])
def test_special_rows(compare, name):
    for n, value in itertools.product((2, 40, 3000, 9000), (-np.inf, np.inf, np.nan, 1e30)):
        x = np.random.default_rng(n).normal(size=(4, n)).astype("float32")
        x[0], x[1, 0], x[2, -1] = value, value, value
        if name != "layer_norm" or not np.isfinite(value):
            compare(name, x)
        x[3, :-1] = -np.inf  # one number, in another part of the row than all the rest
        if name != "layer_norm":
            compare(name, x[3])


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 3)])
def test_empty(compare, shape):
    for name in ("softmax", "log_softmax", "rms_norm", "layer_norm"):
        compare(name, np.ones(shape, "float32"))


VIEWS = [
    lambda x: x[..., 1:], lambda x: x[..., ::-2], lambda x: x[::2, 1:], lambda x: x[:, 0],
    lambda x: corepy.permute_dims(x, (2, 0, 1)), lambda x: corepy.broadcast_to(x, (2, *x.shape)),
]  # fmt: skip


def test_layouts(compare):
    x = np.random.default_rng(0).normal(size=(4, 6, 64)).astype("float32")
    for name, view in itertools.product(("softmax", "rms_norm"), VIEWS):
        compare(name, x, view=view)
    for factors in (x[0, :2], x.astype("float64")[0, :2]):
        aligned = factors.dtype == x.dtype
        compare("layer_norm", x, *factors, kernel=aligned)
    compare("layer_norm", *arrays_of("float32", 5, 65, 2), view=lambda x: x[..., 1:])


def test_other_axes_have_the_definition(compare):
    x = np.random.default_rng(0).normal(size=(4, 6, 5)).astype("float32")
    for axis in (0, 1, -2):
        compare("softmax", x, axis=axis, kernel=False)
    compare("softmax", x, axis=2)


def test_errors_are_those_of_the_definition(gpu):
    x = gpu.ones((3, 4))
    with pytest.raises(IndexError, match=r"^softmax: expected an axis in \[-2, 2\)"):
        nn.softmax(x, axis=2)
    with pytest.raises(ValueError, match=r"^rms_norm: expected weight of shape \(4,\)"):
        nn.rms_norm(x, gpu.ones(3))
    with pytest.raises(TypeError, match=r"^layer_norm: expected floating-point elements in x"):
        nn.layer_norm(gpu.ones((3, 4), dtype="int32"))


def test_results_have_the_class_of_their_operand(gpu):
    x = gpu.ones((3, 4), dtype="float32")
    for each in (x, corepy.asarray(to_numpy(x)).to_device(x.device)):
        assert type(nn.softmax(each)) is type(each)


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("shape", [(1, 1), (5, 31), (17, 64), (40, 100), (3, 4096), (0, 32)])
def test_products_with_quantized_matrices(gpu, bits, shape):
    rng = np.random.default_rng(0)
    w, x = rng.normal(size=shape), rng.normal(size=shape[1])
    matrix = nn.quantize(gpu.asarray(w, dtype=gpu.float32), bits, group_size=64)
    x = gpu.asarray(x, dtype=gpu.float32)
    network = x.device.backend.network
    multiplied = network("multiply_quantized", x, *matrix._arrays, group_size=64)
    assert multiplied is not None
    expected = to_numpy(matrix.dequantize()).astype(np.float64) @ to_numpy(x)
    for found in (multiplied, matrix @ x, nn.linear(x[None, :], matrix)[0, :]):
        assert found.dtype == gpu.float32
        np.testing.assert_allclose(to_numpy(found), expected, atol=1e-4)
    rows = gpu.stack([x, x])
    assert network("multiply_quantized", rows, *matrix._arrays, group_size=64) is None
    np.testing.assert_allclose(to_numpy(rows @ matrix.T)[1], expected, atol=1e-4)
