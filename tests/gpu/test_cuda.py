"""What only a GPU shows: CuPy's functions, streams, transfers, memory; and all kernels once.

compute-sanitizer runs these tests, too (`make gpu-check`). It sets COREPY_RAW_MEMORY, with which
each array has memory of its own, so that what lies beside it is not another's by chance.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from elementwise import BINARY, UNARY, accepts

import corepy
import corepy.array_api as cpu

NAME = next((n for n in ("cuda:0", "rocm:0") if n in map(str, corepy.available_devices())), None)
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(NAME is None, reason="there is no GPU here"),
]
DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
).split()


@pytest.fixture(scope="module", autouse=True)
def _raw_memory():
    if NAME is not None and os.environ.get("COREPY_RAW_MEMORY"):
        import cupy

        cupy.cuda.set_allocator(None)
        yield
        cupy.cuda.set_allocator(cupy.get_default_memory_pool().malloc)
    else:
        yield


@pytest.fixture(scope="module")
def xp():
    return corepy.namespace(NAME)


def values(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return rng.integers(1, 20, shape).astype(dtype)
    x = rng.uniform(0.1, 0.9, shape)
    return (x + 1j * rng.uniform(0.1, 0.9, shape) if dtype.kind == "c" else x).astype(dtype)


def same(ours, theirs, tolerance=64):
    """Compare a result with the CPU's."""
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            same(a, b, tolerance)
        return
    a, b = np.asarray(ours.to_device("cpu")), np.asarray(theirs)
    assert a.dtype == b.dtype and a.shape == b.shape
    if b.dtype.kind in "fc":
        eps = np.finfo(b.dtype).eps
        scale = float(np.max(np.abs(b[np.isfinite(b)]), initial=1.0))
        assert np.allclose(a, b, tolerance * eps, tolerance * eps * scale, equal_nan=True)
    else:
        assert np.array_equal(a, b)


def both(xp, call, *arrays, tolerance=64):
    same(
        call(xp, *[xp.asarray(a) for a in arrays]),
        call(cpu, *[cpu.asarray(a) for a in arrays]),
        tolerance,
    )


LAYOUTS = [lambda x: x, lambda x: x[1:], lambda x: x[::2], lambda x: x.T, lambda x: x[:, ::-1]]


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_elementwise(xp, name):
    for dtype in filter(lambda dtype: accepts(name, dtype), DTYPES):
        for layout in LAYOUTS:
            arrays = [values(dtype, (37, 41), seed) for seed in range(1 + (name in BINARY))]
            both(xp, lambda xp, *a, v=layout: getattr(xp, name)(*[v(x) for x in a]), *arrays)


@pytest.mark.parametrize("name", ["all", "any", "sum", "prod", "max", "min", "mean", "std", "var",
                                  "argmax", "argmin", "count_nonzero"])  # fmt: skip
@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2)])
def test_reductions(xp, name, axis):
    if name.startswith("arg") and isinstance(axis, tuple):
        pytest.skip("one axis, or all")
    for dtype in ("bool", "int8", "uint64", "float32", "float64", "complex64"):
        ordered = name in ("max", "min", "argmax", "argmin")
        if (ordered and dtype == "complex64") or (name in ("mean", "std", "var") and dtype < "f"):
            continue
        if dtype == "bool" and name not in ("all", "any", "sum", "count_nonzero"):
            continue
        both(xp, lambda xp, x: getattr(xp, name)(x, axis=axis), values(dtype, (33, 65, 130)),
             tolerance=4096)  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_selection_and_movement(xp, dtype):
    x, y = values(dtype, (40, 33)), values(dtype, (40, 33), 1)
    mask, places = values("bool", (40, 33)), np.random.default_rng(0).integers(0, 40, 25)
    both(xp, lambda xp, m, a, b: xp.where(m, a, b), mask, x, y)
    both(xp, lambda xp, a, m: a[m], x, mask)
    both(xp, lambda xp, a, i: xp.take(a, i, axis=0), x, places)
    both(xp, lambda xp, a, i: a[i, 3], x, places)
    both(xp, lambda xp, a: xp.nonzero(a), x)
    both(xp, lambda xp, a, b: xp.concat((a, b), axis=1), x, y)
    both(xp, lambda xp, a: xp.roll(a, 3, axis=0), x)
    both(xp, lambda xp, a: xp.repeat(a, 3, axis=1), x)
    both(xp, lambda xp, a: xp.asarray(a.T, copy=True), x)
    if dtype != "bool":
        both(xp, lambda xp, a: xp.cumulative_sum(a, axis=1), x, tolerance=1024)
        both(xp, lambda xp, a, b: xp.matmul(a, b.T), x, y, tolerance=1024)
    if not dtype.startswith("complex"):
        for descending in (False, True):
            both(xp, lambda xp, a, d=descending: xp.sort(a, descending=d), x)
            both(xp, lambda xp, a, d=descending: xp.argsort(a, axis=0, descending=d), x)
        both(xp, lambda xp, a, b: xp.searchsorted(xp.sort(xp.reshape(a, (-1,))), b), x, y)
    both(xp, lambda xp, a, b: xp.isin(a, b[:3]), x, y)
    both(xp, lambda xp, a: xp.unique_all(a), x)


def test_float32_below_the_normal_numbers(xp):
    tiny = np.array([1e-45, 3e-45, -1e-45, 0.0, -0.0, 1e-40], dtype=np.float32)
    both(xp, lambda xp, x: x + x, tiny)
    both(xp, lambda xp, x: xp.sort(x), tiny)
    both(xp, lambda xp, x: xp.unique_all(x), tiny)
    both(xp, lambda xp, x: xp.isin(x, x[:2]), tiny)
    both(xp, lambda xp, x: xp.searchsorted(xp.sort(x), x), tiny)


def test_nans_of_either_sign_are_sorted_last(xp):
    x = np.array([np.nan, 1.0, -np.nan, -np.inf, 2.0])
    for shape in ((5,), (1, 5)):
        both(xp, lambda xp, x: xp.sort(x), x.reshape(shape))
        both(xp, lambda xp, x: xp.argsort(x), x.reshape(shape))


def test_float32_products_are_not_tf32(xp):
    x, y = (np.random.default_rng(k).standard_normal((512, 512)).astype("f4") for k in (1, 2))
    ours = np.asarray(xp.matmul(xp.asarray(x), xp.asarray(y)).to_device("cpu"))
    error = np.max(np.abs(ours - x.astype("f8") @ y.astype("f8")))
    assert error < 1e-3  # TF32 is off by some 1e-2


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(5, 5), (3, 5, 5), (2, 40, 40), (0, 5, 5), (0, 0)])
def test_linear_algebra_of_square_matrices(xp, dtype, shape):
    x = values(dtype, shape) + 4 * np.eye(shape[-1], dtype=dtype)
    y = values(dtype, (*shape[:-1], 2))
    hermitian = x @ np.conj(np.swapaxes(x, -1, -2))
    loose = 4096
    both(xp, lambda xp, x: xp.linalg.inv(x), x, tolerance=loose)
    both(xp, lambda xp, x: xp.linalg.det(x), x, tolerance=loose)
    both(xp, lambda xp, x: xp.linalg.slogdet(x), x, tolerance=loose)
    both(xp, lambda xp, x, y: xp.linalg.solve(x, y), x, y, tolerance=loose)
    both(xp, lambda xp, x: xp.linalg.matrix_power(x, 3), x, tolerance=loose)
    both(xp, lambda xp, x: xp.linalg.cholesky(x), hermitian, tolerance=loose)
    both(xp, lambda xp, x: xp.linalg.cholesky(x, upper=True), hermitian, tolerance=loose)
    both(xp, lambda xp, x: xp.linalg.eigvalsh(x), hermitian, tolerance=loose)


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (3, 6, 4), (3, 4, 6), (2, 50, 40)])
def test_factors_multiply_to_the_matrix(xp, shape):
    x = values("float64", shape)
    there = xp.asarray(x)
    u, s, vh = xp.linalg.svd(there, full_matrices=False)
    assert np.allclose(np.asarray(xp.matmul(u * s[..., None, :], vh).to_device("cpu")), x)
    q, r = xp.linalg.qr(there)
    assert np.allclose(np.asarray(xp.matmul(q, r).to_device("cpu")), x)
    both(xp, lambda xp, x: xp.linalg.pinv(x), x, tolerance=1 << 16)
    both(xp, lambda xp, x: xp.linalg.matrix_rank(x), x)
    for order in ("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")):
        both(xp, lambda xp, x, o=order: xp.linalg.matrix_norm(x, ord=o), x, tolerance=1024)


def test_singular_matrices_are_errors(xp):
    for call in (xp.linalg.inv, lambda x: xp.linalg.solve(x, x), xp.linalg.cholesky):
        with pytest.raises(np.linalg.LinAlgError):
            call(xp.zeros((3, 3)))
        with pytest.raises(np.linalg.LinAlgError):
            call(xp.zeros((2, 3, 3)))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "fftn", "rfftn", "hfft", "ihfft"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_fourier_transforms(xp, name, dtype):
    if dtype.startswith("complex") and name in ("rfft", "rfftn", "ihfft"):
        pytest.skip("of real numbers")
    if dtype.startswith("float") and name in ("fft", "ifft", "fftn", "irfft", "hfft"):
        pytest.skip("of complex numbers")
    both(xp, lambda xp, x: getattr(xp.fft, name)(x), values(dtype, (6, 30)), tolerance=1024)


def test_creation(xp):
    for call in (
        lambda xp: xp.arange(3, 17, 2), lambda xp: xp.arange(0.0, 1.0, 0.1),
        lambda xp: xp.linspace(0, 1, 11), lambda xp: xp.eye(3, 5, k=1),
        lambda xp: xp.tril(xp.ones((4, 5))), lambda xp: xp.meshgrid(xp.arange(3), xp.arange(4)),
    ):  # fmt: skip
        same(call(xp), call(cpu))


# ---- transfers, streams, memory


@pytest.mark.parametrize("nbytes", [0, 1, 1 << 10, 1 << 20, (16 << 20) + 8, (100 << 20) + 24])
def test_transfers(xp, nbytes):
    x = np.random.default_rng(0).integers(0, 256, nbytes, dtype=np.uint8)
    there = xp.asarray(x)
    x_before, x[:] = x.copy(), 0  # what was uploaded does not change any more
    assert np.array_equal(np.asarray(there.to_device("cpu")), x_before)


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
    from concurrent.futures import ThreadPoolExecutor

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


def test_dlpack_with_pytorch(xp):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("PyTorch sees no GPU")
    x = xp.asarray([1.0, 2.0, 3.0])
    assert torch.from_dlpack(x).tolist() == [1.0, 2.0, 3.0]
    tensor = torch.arange(4.0, device="cuda").reshape(2, 2).T
    assert corepy.from_dlpack(tensor).to_device("cpu").tolist() == [[0.0, 2.0], [1.0, 3.0]]


def test_cuda_array_interface(xp):
    import cupy

    x = xp.asarray(np.arange(12.0).reshape(3, 4))[:, ::2]
    if NAME == "rocm:0":  # the protocol is CUDA's: whoever asks is told so
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
