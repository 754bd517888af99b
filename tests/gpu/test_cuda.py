"""Tests that need a GPU: CuPy's functions, streams, transfers, memory."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from agreement import Agree, to_numpy
from strategies import DTYPE_NAMES

import corepy

NAME = next((n for n in ("cuda:0", "rocm:0") if n in map(str, corepy.available_devices())), None)
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(NAME is None, reason="there is no GPU here"),
]
FLOATS = DTYPE_NAMES[9:]


@pytest.fixture(scope="module")
def xp():
    return corepy.namespace(NAME)


@pytest.fixture
def agree(xp):
    return Agree(xp)


def values(dtype, *shape, seed=0):
    """Integers from 1 to 19, and numbers between 0.1 and 0.9."""
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind in "iu":
        return rng.integers(1, 20, shape).astype(dtype)
    x = rng.uniform(0.1, 0.9, shape)
    return (x + 1j * rng.uniform(0.1, 0.9, shape) if kind == "c" else x).astype(dtype)


# ---- CuPy's functions


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_sorting_sets_and_products(agree, dtype):
    x, y = values(dtype, 40, 33), values(dtype, 40, 33, seed=1)
    agree("isin", x, y[:3])
    agree("unique_all", x)
    if dtype != "bool":
        agree("matmul", x, y.T, error=1024)
    if not dtype.startswith("complex"):
        for descending in (False, True):
            agree("sort", x, descending=descending)
            agree("argsort", x, axis=0, descending=descending)
        agree("searchsorted", np.sort(x.ravel()), y)


def test_special_values_are_sorted(agree):
    """Numbers below the normal ones, and NaNs of either sign."""
    tiny = np.array([1e-45, 3e-45, -1e-45, 0.0, -0.0, 1e-40], dtype=np.float32)
    agree("add", tiny, tiny)
    agree("sort", tiny, signs=False)
    agree("unique_all", tiny, signs=False)
    agree("isin", tiny, tiny[:2])
    agree("searchsorted", np.sort(tiny), tiny)
    x = np.array([np.nan, 1.0, -np.nan, -np.inf, 2.0])
    for name in ("sort", "argsort"):
        agree(name, x)
        agree(name, x[None])


def test_float32_products_are_not_tf32(xp):
    x, y = (np.random.default_rng(k).standard_normal((512, 512)).astype("f4") for k in (1, 2))
    ours = to_numpy(xp.matmul(xp.asarray(x), xp.asarray(y)))
    error = np.max(np.abs(ours - x.astype("f8") @ y.astype("f8")))
    assert error < 1e-3  # TF32 is off by some 1e-2


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(5, 5), (3, 5, 5), (2, 40, 40), (0, 5, 5), (0, 0)])
def test_linear_algebra_of_square_matrices(agree, dtype, shape):
    x = values(dtype, *shape) + 4 * np.eye(shape[-1], dtype=dtype)
    hermitian, loose = x @ np.conj(np.swapaxes(x, -1, -2)), {"error": 4096, "signs": False}
    for name in ("inv", "det", "slogdet"):
        agree(f"linalg.{name}", x, **loose)
    agree("linalg.solve", x, values(dtype, *shape[:-1], 2), **loose)
    agree("linalg.matrix_power", x, 3, **loose)
    for upper in (False, True):
        agree("linalg.cholesky", hermitian, upper=upper, **loose)
    agree("linalg.eigvalsh", hermitian, **loose)


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (3, 6, 4), (3, 4, 6), (2, 50, 40)])
def test_factors_multiply_to_the_matrix(xp, agree, shape):
    x = values("float64", *shape)
    there = xp.asarray(x)
    u, s, vh = xp.linalg.svd(there, full_matrices=False)
    q, r = xp.linalg.qr(there)
    for product in (xp.matmul(u * s[..., None, :], vh), xp.matmul(q, r)):
        assert np.allclose(to_numpy(product), x)
    agree("linalg.pinv", x, error=1 << 16, signs=False)
    agree("linalg.matrix_rank", x)
    for ord in ("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")):
        agree("linalg.matrix_norm", x, ord=ord, error=1024)


def test_singular_matrices_are_errors(xp):
    for call in (xp.linalg.inv, lambda x: xp.linalg.solve(x, x), xp.linalg.cholesky):
        for shape in ((3, 3), (2, 3, 3)):
            with pytest.raises(np.linalg.LinAlgError):
                call(xp.zeros(shape))


@pytest.mark.parametrize("dtype", FLOATS)
def test_fourier_transforms(agree, dtype):
    real = ("rfft", "rfftn", "ihfft")
    for name in real if dtype.startswith("float") else ("fft", "ifft", "irfft", "fftn", "hfft"):
        agree(f"fft.{name}", values(dtype, 6, 30), error=1024, signs=False)


# ---- transfers, streams, memory


@pytest.mark.parametrize("nbytes", [0, 1, 1 << 10, 1 << 20, (16 << 20) + 8, (100 << 20) + 24])
def test_transfers(xp, nbytes):
    x = np.random.default_rng(0).integers(0, 256, nbytes, dtype=np.uint8)
    there = xp.asarray(x)
    x_before, x[:] = x.copy(), 0  # what was uploaded does not change any more
    assert np.array_equal(to_numpy(there), x_before)


def test_streams(xp):
    import cupy

    with cupy.cuda.Device(0):
        stream = cupy.cuda.Stream(non_blocking=True)
        x = np.arange(1 << 20, dtype=np.float64)
        there = corepy.asarray(x).to_device(NAME, stream=stream)
        with stream:
            result = xp.sum(there * 2.0)
            assert float(result) == 2 * x.sum()
        back = there.to_device("cpu", stream=stream.ptr)
        assert np.array_equal(np.asarray(back), x)


def test_threads_that_never_used_the_device(xp):
    x = xp.asarray([1.0, 2.0])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: (x * k).to_device("cpu").tolist(), range(20)))
    assert found == [[1.0 * k, 2.0 * k] for k in range(20)]


def test_dlpack_with_cupy(xp):
    import cupy

    x = xp.asarray([1.0, 2.0, 3.0])
    array = cupy.from_dlpack(x)
    array[0] = 5.0
    assert x.to_device("cpu").tolist() == [5.0, 2.0, 3.0]
    back = corepy.from_dlpack(array[::2])
    assert back.device == NAME and back.to_device("cpu").tolist() == [5.0, 3.0]
    assert corepy.from_dlpack(array, device="cpu").tolist() == [5.0, 2.0, 3.0]
    assert np.from_dlpack(x, device="cpu", copy=True).tolist() == [5.0, 2.0, 3.0]
    assert corepy.from_dlpack(np.arange(3.0), device=NAME).device == NAME


def test_errors_of_dlpack(xp):
    x = xp.asarray([1.0, 2.0, 3.0])
    for version, copy in itertools.product([None, (0, 8), (1, 0), (2, 0)], [None, True, False]):
        x.__dlpack__(max_version=version, copy=copy)
        if copy is not False:
            x.__dlpack__(max_version=version, copy=copy, dl_device=(1, 0))
            x[::-1].__dlpack__(max_version=version, copy=copy)
            continue
        for view, target in ((x, (1, 0)), (x, (4, 0)), (x[::-1], None), (x[::-1], (1, 0))):
            with pytest.raises(BufferError, match=r"^__dlpack__: "):
                view.__dlpack__(max_version=version, copy=copy, dl_device=target)
    with pytest.raises(ValueError, match="stream"):
        x.__dlpack__(stream=-2)
    assert np.from_dlpack(x[::-1], device="cpu").tolist() == [3.0, 2.0, 1.0]


def test_dlpack_with_pytorch(xp):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("PyTorch sees no GPU")
    x = xp.asarray([1.0, 2.0, 3.0])
    assert torch.from_dlpack(x).tolist() == [1.0, 2.0, 3.0]
    assert torch.from_dlpack(x[::-1]).tolist() == [3.0, 2.0, 1.0]
    tensor = torch.arange(4.0, device="cuda").reshape(2, 2).T
    assert corepy.from_dlpack(tensor).to_device("cpu").tolist() == [[0.0, 2.0], [1.0, 3.0]]


def test_cuda_array_interface(xp):
    import cupy

    x = xp.asarray(np.arange(12.0).reshape(3, 4))[:, ::2]
    if NAME == "rocm:0":  # the protocol is CUDA's alone
        assert not hasattr(x, "__cuda_array_interface__")
        return
    array = cupy.asarray(x)
    assert array.data.ptr == x.__cuda_array_interface__["data"][0]
    array[1, 1] = -1.0
    assert x.to_device("cpu").tolist() == [[0.0, 2.0], [4.0, -1.0], [8.0, 10.0]]

    class Other:
        __cuda_array_interface__ = array.__cuda_array_interface__

    back = corepy.asarray(Other())
    back[0, 0] = 5.0
    assert back.device == NAME and float(x[0, 0]) == 5.0
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        assert torch.as_tensor(x, device="cuda").tolist() == x.to_device("cpu").tolist()


@pytest.mark.skipif(bool(os.environ.get("COREPY_RAW_MEMORY")), reason="without the pool")
def test_out_of_memory_leaves_everything_usable(xp):
    x = xp.ones((1000,))
    with pytest.raises(MemoryError, match="bytes"):
        xp.empty((1 << 45,))
    with pytest.raises(MemoryError):
        xp.broadcast_to(x[:1], (1 << 45,)) + 1.0
    assert float(xp.sum(x + x)) == 2000.0
    stats = corepy.memory.stats(NAME)
    assert stats["in_use"] >= 8000 and stats["total"] > stats["free"] > 0
    corepy.memory.empty_cache(NAME)


def test_devices_exchange_tensors():
    names = [str(d) for d in corepy.available_devices() if str(d).startswith(NAME[:5])]
    if len(names) < 2:
        pytest.skip("there is one GPU")
    x = corepy.asarray(np.arange(12.0).reshape(3, 4), device=names[0])
    y = x.T.to_device(names[1])
    assert y.device == names[1]
    z = (y + y).to_device(names[0]) + x.T
    assert np.array_equal(np.asarray(z.to_device("cpu")), 3 * np.arange(12.0).reshape(3, 4).T)
