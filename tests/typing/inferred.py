# pyright: strict
"""Shapes, dtypes and devices that type checkers infer, as `idioms` otherwise.

Types in quotes are read by type checkers alone where the class has no type arguments at run time.
"""

from typing import Any, assert_type

import corepy as np
import corepy.array_api as xp
from corepy import Device, Tensor, ndarray, nn
from corepy.typing import NDArray

# ---- creation

f8 = np.zeros((2, 3))
f4 = np.ones((2, 3), dtype=np.float32)
i8 = np.full(3, 1, dtype=np.int64)
c8 = np.empty(3, np.complex64)
b1 = np.zeros(3, dtype=bool)

assert_type(f8, ndarray[tuple[int, int], np.dtype[np.float64]])
assert_type(f4, ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(i8, ndarray[tuple[int], np.dtype[np.int64]])
assert_type(c8, ndarray[tuple[int], np.dtype[np.complex64]])
assert_type(b1, ndarray[tuple[int], np.dtype[np.bool]])
assert_type(np.zeros(()), ndarray[tuple[()], np.dtype[np.float64]])
assert_type(np.zeros([2, 3]), NDArray[np.float64])
assert_type(
    np.zeros((2, 3, 4), np.dtype(np.int8)), ndarray[tuple[int, int, int], np.dtype[np.int8]]
)
assert_type(np.zeros(3, dtype="f4"), np.ndarray)
assert_type(np.zeros(3, dtype=int), ndarray[tuple[int], np.dtype[np.int_]])
assert_type(np.zeros(3, dtype=float), ndarray[tuple[int], np.dtype[np.float64]])
assert_type(np.zeros(3, dtype=complex), ndarray[tuple[int], np.dtype[np.complex128]])
assert_type(np.zeros(3, dtype=f4.dtype), ndarray[tuple[int], np.dtype[np.float32]])
assert_type(np.full(3, 1.5), ndarray[tuple[int], np.dtype[np.float64]])
assert_type(np.full((2, 2), True), ndarray[tuple[int, int], np.dtype[np.bool]])
assert_type(np.arange(3), ndarray[tuple[int], np.dtype[np.int_]])
assert_type(np.arange(0, 1, 0.5), ndarray[tuple[int], np.dtype[np.float64]])
assert_type(np.arange(3, dtype=np.int8), ndarray[tuple[int], np.dtype[np.int8]])
assert_type(np.linspace(0, 1, 5), ndarray[tuple[int], np.dtype[np.float64]])
assert_type(np.eye(3), ndarray[tuple[int, int], np.dtype[np.float64]])
assert_type(np.identity(3, dtype=np.float32), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(np.array([1, 2]), np.ndarray)
assert_type(np.array([1, 2], dtype=np.float32), NDArray[np.float32])
assert_type(np.asarray([1, 2], dtype=float), NDArray[np.float64])
assert_type(np.asarray(f4), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(np.zeros_like(f4), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(np.ones_like(f4, dtype=np.int8), ndarray[tuple[int, int], np.dtype[np.int8]])
assert_type(np.full_like(f4, 2), ndarray[tuple[int, int], np.dtype[np.float32]])

# ---- attributes and methods

assert_type(f4.dtype, np.dtype[np.float32])
assert_type(f4.shape, tuple[int, int])
assert_type(f4.device, Device)
assert_type(f4.T, ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(c8.real, ndarray[tuple[int], np.dtype[np.float32]])
assert_type(c8.imag, ndarray[tuple[int], np.dtype[np.float32]])
assert_type(f4.real, ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(f8[0, 0].item(), Any)
assert_type(np.zeros(()).item(), float)
assert_type(i8.item(0), int)
assert_type(c8.item(0), complex)
assert_type(b1.item(0), bool)
assert_type(f4.tolist(), list[list[float]])
assert_type(i8.tolist(), list[int])
assert_type(np.zeros(()).tolist(), float)
assert_type(np.concatenate([f4, f4]).tolist(), Any)
assert_type(f4.to_device("cpu"), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(f4.copy(), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(f4.astype(np.int8), ndarray[tuple[int, int], np.dtype[np.int8]])
assert_type(f4.astype(int), ndarray[tuple[int, int], np.dtype[np.int_]])
assert_type(f4.astype("f8"), ndarray)
assert_type(f4.reshape(-1), ndarray[tuple[int], np.dtype[np.float32]])
assert_type(f4.reshape(3, 2), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(f4.reshape((3, 2, 1)), ndarray[tuple[int, int, int], np.dtype[np.float32]])
assert_type(f4.reshape([3, 2]), NDArray[np.float32])
assert_type(f4.ravel(), ndarray[tuple[int], np.dtype[np.float32]])
assert_type(f4.view(np.int32), NDArray[np.int32])

# ---- indexing

assert_type(f4[0], Any)
assert_type(f4[0, 0], Any)
assert_type(f4[:, 0], NDArray[np.float32])
assert_type(f4[None], NDArray[np.float32])
assert_type(f4[f4 > 1], NDArray[np.float32])
assert_type(i8[[0, 1]], NDArray[np.int64])

# ---- operators

assert_type(f4 + f4, NDArray[np.float32])
assert_type(f4 + f8, NDArray[np.float64])
assert_type(i8 * np.zeros(3), NDArray[np.float64])
assert_type(f4 * 2, ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(2.5 * f4, ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(f4 * np.float64(2), NDArray[np.float64])
assert_type(i8 + 1, ndarray[tuple[int], np.dtype[np.int64]])
assert_type(i8 + 1.5, ndarray[tuple[int], np.dtype[np.float64]])
assert_type(i8 / 2, ndarray[tuple[int], np.dtype[np.float64]])
assert_type(i8 / i8, NDArray[np.float64])
assert_type(i8 // 2, ndarray[tuple[int], np.dtype[np.int64]])
assert_type(divmod(i8, 2)[0], ndarray[tuple[int], np.dtype[np.int64]])
assert_type(c8 * 2j, ndarray[tuple[int], np.dtype[np.complex64]])
assert_type(f4**2, ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(f4 @ f4.T, NDArray[np.float32])
assert_type(-f4, ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(abs(c8), ndarray[tuple[int], np.dtype[np.float32]])
assert_type(abs(i8), ndarray[tuple[int], np.dtype[np.int64]])
assert_type(f4 > 1, ndarray[tuple[int, int], np.dtype[np.bool]])
assert_type(f4 == f4, NDArray[np.bool])
assert_type((f4 > 0) & (f4 < 2), NDArray[np.bool])
assert_type(~b1, ndarray[tuple[int], np.dtype[np.bool]])
assert_type(i8 << 1, ndarray[tuple[int], np.dtype[np.int64]])

# ---- functions

assert_type(np.sin(f4), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(np.sin(i8), ndarray[tuple[int], np.dtype[np.float64]])
assert_type(np.abs(c8), ndarray[tuple[int], np.dtype[np.float32]])
assert_type(np.isnan(f4), ndarray[tuple[int, int], np.dtype[np.bool]])
assert_type(np.add(f4, f4), NDArray[np.float32])
assert_type(np.less(f4, f8), NDArray[np.bool])
assert_type(np.where(f4 > 1, f4, f4), NDArray[np.float32])
assert_type(np.sort(f4), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(np.argsort(f4), ndarray[tuple[int, int], np.dtype[np.int_]])
assert_type(np.concatenate([f4, f4]), NDArray[np.float32])
assert_type(np.ravel(f4), ndarray[tuple[int], np.dtype[np.float32]])
assert_type(np.reshape(f4, (3, 2)), ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(np.unique(i8), NDArray[np.int64])
assert_type(np.nonzero(i8)[0], NDArray[np.int_])
assert_type(np.linalg.inv(np.eye(3)), ndarray[tuple[int, int], np.dtype[np.float64]])
assert_type(np.fft.fft(f8), NDArray[np.complex128])

# ---- reductions

assert_type(f4.sum(), np.float32)
assert_type(f4.sum(axis=0), NDArray[np.float32])
assert_type(f4.sum(keepdims=True), NDArray[np.float32])
assert_type(np.sum(f4), np.float32)
assert_type(np.sum(b1), np.int_)
assert_type(np.sum(i8, dtype=np.float32), np.float32)
assert_type(i8.mean(), np.float64)
assert_type(np.mean(f4, axis=0), NDArray[np.float32])
assert_type(np.median(f8), np.float64)
assert_type(f4.max(), np.float32)
assert_type(f4.argmax(), np.int_)
assert_type(c8.std(), np.float32)
assert_type(np.any(b1), np.bool)

# ---- random numbers

rng, state = np.random.default_rng(0), np.random.RandomState(0)
assert_type(rng.normal(), float)
assert_type(rng.normal(f4.mean(), i8[:2].size), float)
assert_type(rng.normal(size=3), NDArray[np.float64])
assert_type(rng.normal([0, 1], 2.0), NDArray[np.float64])
assert_type(rng.gamma(2.5), float)
assert_type(rng.gamma([2, 3]), NDArray[np.float64])
assert_type(rng.triangular(0, 0.5, 1, 3), NDArray[np.float64])
assert_type(rng.random(), float)
assert_type(rng.random((2, 3)), NDArray[np.float64])
assert_type(rng.random(3, np.float32), NDArray[np.float32])
assert_type(rng.standard_normal(3, dtype="f4"), ndarray)
assert_type(rng.standard_normal(3, dtype=float), NDArray[np.float64])
assert_type(rng.integers(5), np.int64)
assert_type(rng.integers(5, size=3), NDArray[np.int64])
assert_type(rng.integers([5, 6]), NDArray[np.int64])
assert_type(rng.integers(5, dtype=np.int8), np.int8)
assert_type(rng.integers(5, dtype=int), int)
assert_type(rng.integers(2, dtype=bool), bool)
assert_type(rng.integers(0, 5, (2, 3), np.uint8, True), NDArray[np.uint8])
assert_type(rng.integers(5, size=3, dtype=int), NDArray[np.int_])
assert_type(rng.binomial(5, 0.5), int)
assert_type(rng.binomial([5, 6], 0.5), NDArray[np.int64])
assert_type(rng.choice(5), int)
assert_type(rng.choice(5, 3), NDArray[np.int64])
assert_type(rng.choice([1, 2], 3, p=[0.5, 0.5]), ndarray)
assert_type(rng.choice(f4, 2), NDArray[np.float32])
assert_type(rng.permutation(3), NDArray[np.int64])
assert_type(rng.permutation(f4), NDArray[np.float32])
assert_type(rng.permuted([1, 2]), ndarray)
assert_type(rng.multinomial(5, [0.5, 0.5]), NDArray[np.int64])
assert_type(rng.dirichlet([1, 2], 3), NDArray[np.float64])
assert_type(rng.multivariate_normal([0, 0], [[1, 0], [0, 1]]), NDArray[np.float64])
assert_type(rng.bytes(3), bytes)
assert_type(state.randint(5), int)
assert_type(state.randint(5, size=3), NDArray[np.int_])
assert_type(state.randint(5, size=3, dtype=np.int8), NDArray[np.int8])
assert_type(np.random.rand(), float)
assert_type(np.random.rand(2), NDArray[np.float64])
assert_type(np.random.randn(2, 3), NDArray[np.float64])
assert_type(np.random.ranf(2), NDArray[np.float64])
assert_type(np.random.poisson(), int)
assert_type(np.random.poisson([1.0, 2.0]), NDArray[np.int_])
assert_type(np.random.uniform(size=(2, 3)), NDArray[np.float64])

# ---- the standard's namespace

t = xp.zeros((2, 3), dtype=xp.float32)
n = xp.arange(3)
assert_type(t, "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(n, "Tensor[tuple[int], np.dtype[np.int64]]")
assert_type(t.shape, tuple[int, int])
assert_type(t.dtype, np.dtype[np.float32])
assert_type(t.device, Device)
assert_type(t.tolist(), list[list[float]])
assert_type(t[0, 0], "Tensor[tuple[Any, ...], np.dtype[np.float32]]")
assert_type(t[0, 0].item(), float)
assert_type(t + 1, "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(t + t, "Tensor[tuple[Any, ...], np.dtype[np.float32]]")
assert_type(t > 0, "Tensor[tuple[int, int], np.dtype[np.bool]]")
assert_type(t.mean(), "Tensor[tuple[Any, ...], np.dtype[np.float32]]")
assert_type(xp.sum(n), "Tensor[tuple[Any, ...], np.dtype[np.int64]]")
assert_type(xp.exp(t), "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(xp.exp(n), "Tensor[tuple[int], np.dtype[np.float64]]")
assert_type(xp.add(t, t), "Tensor[tuple[Any, ...], np.dtype[np.float32]]")
assert_type(xp.add(t, 1.5), "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(xp.equal(t, 1), "Tensor[tuple[Any, ...], np.dtype[np.bool]]")
assert_type(xp.astype(t, xp.int8), "Tensor[tuple[int, int], np.dtype[np.int8]]")
assert_type(xp.reshape(t, (6,)), "Tensor[tuple[int], np.dtype[np.float32]]")
assert_type(xp.argmax(t), "Tensor[tuple[Any, ...], np.dtype[np.int64]]")
assert_type(xp.matmul(t, t.T), "Tensor[tuple[Any, ...], np.dtype[np.float32]]")
assert_type(xp.concat([t, t]), "Tensor[tuple[Any, ...], np.dtype[np.float32]]")
assert_type(xp.linalg.inv(xp.eye(3)), "Tensor[tuple[int, int], np.dtype[np.float64]]")
assert_type(xp.asarray(t), "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(xp.asarray([1, 2], dtype=xp.int32), "Tensor[tuple[Any, ...], np.dtype[np.int32]]")
assert_type(xp.asarray([1, 2]), Tensor)

# ---- namespaces of devices, and neural networks

cpu = np.namespace("cpu")
assert_type(cpu.zeros((2, 3)), "Tensor[tuple[int, int], np.dtype[np.float64]]")
assert_type(cpu.exp(t), "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(cpu.linalg.inv(cpu.eye(3)), "Tensor[tuple[int, int], np.dtype[np.float64]]")
assert_type(cpu.fft.fft(n), "Tensor[tuple[Any, ...], np.dtype[np.complex128]]")
assert_type(cpu.float32(1), np.float32)
assert_type(cpu.pi, float)
assert_type(t.__array_namespace__().sqrt(t), "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(xp.zeros(3, device="cpu").device, Device)
assert_type(nn.softmax(t), "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(nn.relu(t), "Tensor[tuple[int, int], np.dtype[np.float32]]")
assert_type(np.device("cpu"), Device)
assert_type(np.available_devices(), list[Device])


def scaled(x: "Tensor[Any, np.dtype[np.float32]]") -> "Tensor[Any, np.dtype[np.float32]]":
    """Programs for any namespace keep the dtype."""
    ns = x.__array_namespace__()
    return ns.where(x > 0, x, ns.zeros_like(x)) / ns.max(x)


def unknown(x: ndarray, y: ndarray) -> ndarray:
    """Arrays of any dtype are combined to arrays of any dtype."""
    return np.sin(abs(x) + y) * 2.5 - x.mean(axis=0) / np.max(y, keepdims=True)


assert_type(scaled(t + 1), "Tensor[Any, np.dtype[np.float32]]")
assert_type(unknown(f4, f8), ndarray)
