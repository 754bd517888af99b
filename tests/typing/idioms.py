"""Lines as numerical programs write them. Type checkers accept them, and they run.

``assert_type`` says what type checkers must find; the test replaces it with a check of the value.
"""

import io
import math
from collections.abc import Callable, Sequence
from typing import Any, assert_type

import corepy as np
import corepy.ma as ma
from corepy import Device, config, fuse, linspace, namespace, ndarray
from corepy.fft import fft, ifft
from corepy.lib.stride_tricks import as_strided, sliding_window_view
from corepy.linalg import LinAlgError, inv
from corepy.polynomial import Polynomial, chebyshev
from corepy.random import Generator, RandomState, default_rng
from corepy.testing import assert_allclose
from corepy.typing import ArrayLike, DTypeLike, NDArray

# ---- creation

a = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
b = np.array([1, 2, 3], dtype=np.float32)
assert_type(a, np.ndarray)
assert_type(np.zeros(3), np.ndarray[tuple[int], np.dtype[np.float64]])
assert_type(np.zeros((3, 4), dtype=int), np.ndarray[tuple[int, int], np.dtype[np.int_]])
np.zeros(a.shape)
np.ones_like(a, dtype="float32")
np.empty([2, 2], np.int64)
np.full((2, 3), np.pi)
np.eye(3, k=1)
np.identity(3)
np.arange(10)
np.arange(0, 1, 0.1, dtype=np.float64)
x = np.linspace(-1, 1, 101)
grid, step = np.linspace(0, 1, 5, retstep=True)
assert_type(step, Any)
np.logspace(0, 3, num=4)
np.asarray((1, 2, 3))
np.asarray(range(5), dtype=np.dtype("i4"))
np.array("text"), np.array(["a", "b"])
np.fromiter((k * k for k in range(4)), dtype=float)
np.frombuffer(b"\x01\x02", dtype=np.uint8)
np.diag([1, 2, 3])
np.tri(3), np.tril(a), np.triu(a, 1)
xx, yy = np.meshgrid(np.arange(3), np.arange(4), indexing="ij")
assert_type(np.r_[1:4, 0, 5], Any)
np.c_[[1, 2], [3, 4]]
uu, vv = np.mgrid[0:2, 0:3]
np.ogrid[0:2, 0:3]
np.random.seed(0)

# ---- attributes

rows, columns = a.shape
assert_type(a.ndim, int)
assert_type(a.size, int)
assert_type(a.shape, tuple[Any, ...])
a.T @ a
a.dtype == np.float64
a.dtype.kind, a.itemsize, a.nbytes, a.strides, a.device
c = a.copy()
c.shape = (3, 2)
c.shape = 6
z = np.zeros(3, dtype=complex)
z.real = 1
z.imag = [1, 2, 3]
c.flat[0] = 1
c.flags.writeable
for item in c.flat:
    float(item)

# ---- indexing

a[0], a[0, 1], a[-1], a[:, 0], a[..., 0], a[::2, 1:]
a[:, None], a[np.newaxis], a[None, ..., np.newaxis]
a[a > 2], a[[0, 1]], a[[0, 1], [1, 2]], a[(0, 1)], a[np.array([0, 1])]
a[np.nonzero(a > 2)], a[np.ix_([0, 1], [0, 2])], a[np.s_[:, 1]]
a[np.argmax(a[:, 0])]
assert_type(a[0], Any)
c = a.copy()
c[0] = 0
c[c > 3] = np.nan
c[:, 1] += 1
c[~np.isfinite(c)] = -1
c[..., 0] = [1, 2]
c[(a > 1) & (a < 3) | (a == 6)] *= 2
for row in a:
    assert_type(row, Any)
for i in range(len(a)):
    for j in range(a.shape[1]):
        a[i, j]
for index, value in np.ndenumerate(a):
    index[0] + float(value)
first, *others = a[0]
np.take(a, [0, 2], axis=1), np.compress([True, False], a, axis=0)

# ---- operators

assert_type(a + 1, np.ndarray)
assert_type(2.0 * a, np.ndarray)
assert_type(a / a.sum(), Any)
assert_type(a > 1, NDArray[np.bool])
-a, +a, abs(a), a**2, 2**a, a // 2, a % 2, divmod(a, 2), a @ a.T, a - b, np.float64(2) * a
c = a.copy()
c += 1
c -= a
c *= 2
c /= 3
c **= 2
c //= 1
c %= 2
n = np.arange(5)
n &= 3
n |= 4
n ^= 1
n <<= 1
n >>= 1
~(n > 2), n & 1, n | 1
if (a > 0).all() and not np.any(np.isnan(a)):
    pass
if a.sum() > 3 or a[0, 0] == 1:
    pass

# ---- numbers

mean: float = float(a.mean())
total: int = int(n.sum())
math.sqrt(a.sum())
assert_type(np.sqrt(2.0), np.ndarray)
f"{a.max():.3f} {float(a.min()):g}"
round(float(a.std()), 2)
nearest: int = round(float(a.max()))
repeated: list[int] = [0] * n.max()
a.std(axis=0, mean=a.mean(axis=0, keepdims=True))
a[0, 0].item() + 1
a.tolist()
np.float64(1.5) + np.int64(2)
np.pi * np.e, np.inf, -np.inf, np.nan, np.euler_gamma
np.finfo(np.float64).eps, np.iinfo(np.int32).max
range(n[3])
[0, 1, 2][n.argmin()]

# ---- functions of elements

assert_type(np.sin(x), np.ndarray[tuple[int], np.dtype[np.float64]])
np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
np.maximum(x, 0), np.minimum(x, x[::-1]), np.hypot(3, 4), np.arctan2(x, 1)
np.where(x > 0, x, 0.0)
(indices,) = np.where(x > 0)
assert_type(np.where(x > 0), tuple[np.ndarray, ...])
np.clip(x, -0.5, 0.5), np.clip(x, None, 0), np.clip(x, a_min=0, a_max=None)
np.add(x, 1, out=x), np.multiply(x, 2, x), np.sqrt(abs(x), where=x > 0, out=np.zeros_like(x))
np.add(x, x, dtype=np.float32, casting="same_kind")
np.isclose(x, 0, atol=1e-6), np.nan_to_num(x, nan=0.0)
np.round(x, 2), np.floor(x), np.rint(x), np.abs(x), np.sign(x), np.power(x, 2)
fraction, whole = np.modf(x)
quotient, remainder = np.divmod(n, 3)
mantissa, exponent = np.frexp(x)
np.logical_and(x > 0, x < 1), np.isin(n, [1, 2]), np.angle(z, deg=True), np.conj(z)

# ---- reductions

assert_type(np.sum(a), Any)
assert_type(np.sum(x), np.float64)
assert_type(a.sum(axis=0, keepdims=True), np.ndarray)
np.sum(a, axis=1), np.sum(a, 0), np.sum([1, 2, 3]), np.sum(a, axis=(0, 1), dtype=np.float32)
np.mean(a, axis=-1, keepdims=True), np.std(a, ddof=1), np.var(a, axis=0), np.median(a, axis=0)
np.min(a, initial=0), np.max(a, where=a > 1, initial=-np.inf), np.prod(a.shape), np.ptp(a)
np.argmax(a, axis=1), np.argmin(a), np.nansum(a), np.nanmean(a, axis=0), np.count_nonzero(a > 2)
np.cumsum(a, axis=1), np.cumprod([1, 2]), np.diff(x, n=1, axis=-1, prepend=0)
np.percentile(a, [25, 75], axis=0), np.quantile(a, 0.5), np.average(a, weights=[1, 2], axis=0)
averages, weights = np.average(a, returned=True)
np.sum(a, axis=0, out=np.empty(3)), a.mean(axis=0, dtype=np.float32, out=None)
a.max(axis=1), a.argmax(), a.all(), a.any(axis=0), a.cumsum(), a.std(ddof=1), a.var(0), a.prod()
assert_type(np.allclose(a, a), bool)
assert_type(np.array_equal(a, a), bool)
assert_type(np.histogram(x, bins=10), tuple[np.ndarray, np.ndarray])
counts, edges = np.histogram(x, bins=10, range=(0, 1), density=True)
np.bincount([0, 1, 1], minlength=3), np.digitize(x, [0.0, 0.5]), np.cov(a), np.corrcoef(a)
np.gradient(x), np.trapezoid(x, dx=0.1), np.interp(0.5, [0, 1], [0, 2]), np.convolve(x, [1, 1])

# ---- methods of ufuncs

assert_type(np.add.reduce(a), np.ndarray)
np.add.reduce(a, axis=1, keepdims=True), np.multiply.accumulate([1, 2, 3]), np.add.outer(b, b)
np.add.at(n, [0, 1], 1)
np.add.nin, np.add.reduceat(n, [0, 2]), np.maximum.reduce([1, 2])
operation: np.ufunc = np.add
isinstance(np.add, np.ufunc)

# ---- shapes

a.reshape(3, 2), a.reshape((3, 2)), a.reshape(-1), a.reshape(-1, 1), a.ravel(), a.flatten()
a.transpose(), a.transpose(1, 0), a.swapaxes(0, 1), a.squeeze(), a.repeat(2, axis=0), a.astype(int)
a.astype(np.float32, copy=False), a.view(), a.clip(0, 1), a.round(2), a.dot(a.T)
a.take([0, 1]), a.nonzero(), a.diagonal(), a.trace(), a.conj(), a.tobytes(), a.to_numpy()
np.concatenate([a, a], axis=0), np.concatenate((a, a)), np.stack([a, a], axis=-1)
np.vstack([x, x]), np.hstack((x, x)), np.column_stack([x, x]), np.append(x, [1, 2]), np.tile(x, 2)
np.split(x[:100], 4)[0], np.array_split(x, 3), np.expand_dims(x, 0), np.squeeze(a), np.ravel(a)
np.transpose(a, (1, 0)), np.moveaxis(a, 0, -1), np.swapaxes(a, 0, 1), np.roll(x, 1), np.flip(x)
np.rot90(a), np.pad(a, ((1, 1), (0, 0)), mode="constant"), np.repeat(x, 2), np.delete(x, 0)
np.broadcast_to(x, (2, 101)), np.broadcast_arrays(x, 1), np.insert(x, 0, 5), np.atleast_2d(x)
p, q = np.atleast_1d(1, 2)
sliding_window_view(x, 3).mean(axis=-1), as_strided(x, (2, 2), (8, 8))

# ---- order and sets

np.sort(x), np.argsort(-x), np.argsort(a, axis=0, kind="stable"), x.argsort()[::-1]
x.sort()
a.copy().fill(1.0)
assert_type(np.unique(n), NDArray[np.int_])
values, counts = np.unique(n, return_counts=True)
values, indices, inverse = np.unique(n, return_index=True, return_inverse=True)
np.searchsorted(x, 0.5, side="right"), np.lexsort((x, x)), np.partition(x, 3)[:3]
np.intersect1d([1, 2], [2, 3]), np.union1d(n, n), np.setdiff1d(n, [1]), np.select([x > 0], [x], 0)

# ---- linear algebra

m = np.array([[4.0, 1.0], [1.0, 3.0]])
assert_type(inv(np.eye(2)), np.ndarray[tuple[int, int], np.dtype[np.float64]])
assert_type(np.linalg.norm(m), np.ndarray)
np.linalg.solve(m, [1, 2]), np.linalg.det(m), np.linalg.norm(m, axis=0, ord=2), np.trace(m)
np.linalg.norm(m, "fro"), np.linalg.matrix_rank(m), np.linalg.pinv(m), np.linalg.cond(m)
np.linalg.cholesky(m), np.linalg.eigvalsh(m), np.linalg.multi_dot([m, m, m]), np.kron(m, m)
w, vectors = np.linalg.eigh(m)
np.linalg.eigh(m).eigenvalues
U, s, Vt = np.linalg.svd(m, full_matrices=False)
assert_type(np.linalg.svd(m, compute_uv=False), np.ndarray)
Q, R = np.linalg.qr(m)
solution, residuals, rank, singular = np.linalg.lstsq(m, np.ones(2), rcond=None)
sign, logdet = np.linalg.slogdet(m)
np.dot(m, m), np.matmul(m, m), np.outer(b, b), np.inner(b, b), np.cross([1, 0, 0], [0, 1, 0])
assert_type(np.einsum("ij,jk->ik", m, m), np.ndarray)
np.einsum("ij->", m, optimize=True), np.tensordot(m, m, axes=([0], [1])), np.vdot(b, b)
try:
    inv(np.zeros((2, 2)))
except LinAlgError:
    pass
try:
    np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError:
    pass
ifft(fft(x)).real, np.fft.rfft(x), np.fft.fftfreq(8, d=0.1), np.fft.fftshift(x), np.fft.fft2(m)

# ---- random numbers

rng = np.random.default_rng(0)
assert_type(rng, np.random.Generator)
assert_type(rng.normal(), float)
assert_type(rng.poisson(), int)
rng.normal(size=3), rng.normal(0, 1, 10), rng.normal(0, 1, size=(2, 3)), rng.integers(0, 10, size=5)
rng.normal(loc=[0, 1], scale=2.0, size=2), rng.uniform(-1, 1, (3, 4)) @ rng.random((4, 2))
math.exp(rng.normal()), rng.standard_normal((2, 2), dtype=np.float32), rng.permutation(5) + 1
rng.choice([1, 2, 3], size=2, replace=False), rng.choice(5), rng.integers(5)
rng.shuffle(n)
rng.multivariate_normal([0, 0], m, 4), rng.exponential(2.0, 3), rng.spawn(2)[0].random()
assert_type(np.random.rand(), float)
np.random.rand(3, 2), np.random.randn(3), np.random.randint(0, 5, 3), np.random.normal(size=3)
np.random.choice(5, 3), np.random.permutation(3), np.random.RandomState(0).randint(3)


# ---- programs


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def normalised(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return (x - x.mean()) / x.std()


def typed(x: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> np.ndarray[Any, Any]:
    return x.T


def integrate(
    f: Callable[[np.ndarray], np.ndarray], low: float, high: float, n: int = 1000
) -> float:
    x = np.linspace(low, high, n)
    y = f(x)
    return float(np.sum((y[1:] + y[:-1]) / 2 * np.diff(x)))


def from_anything(values: ArrayLike, dtype: DTypeLike | None = None) -> np.ndarray:
    return np.asarray(values, dtype=dtype)


def means(samples: Sequence[float], groups: list[np.ndarray]) -> dict[str, float]:
    assert isinstance(groups[0], np.ndarray)
    return {"all": float(np.mean(samples)), "first": float(groups[0].mean())}


class Layer:
    weights: np.ndarray

    def __init__(self, n_in: int, n_out: int, rng: np.random.Generator | None = None) -> None:
        rng = rng or np.random.default_rng()
        self.weights = rng.normal(scale=1 / np.sqrt(n_in), size=(n_in, n_out))
        self.bias = np.zeros(n_out)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return np.maximum(x @ self.weights + self.bias, 0)


def newton(f: Callable[[float], float], x: float, tol: float = 1e-8) -> float:
    while abs(f(x)) > tol:
        x -= f(x) / float((f(x + 1e-6) - f(x - 1e-6)) / 2e-6)
    return x


softmax(a), softmax(a[0]), normalised(x), typed(a), integrate(np.sin, 0, np.pi)
integrate(lambda t: t**2 + np.cos(t), 0.0, 1.0)
from_anything([1, 2]), from_anything(3.0, float), from_anything(a, "float32")
means([1.0, 2.0], [a, a[0]]), Layer(3, 2, rng)(a), newton(lambda t: t**2 - 2, 1.0)
generator: Generator = default_rng(1)
state: RandomState = RandomState(2)
array: ndarray = linspace(0, 1, 3)

# ---- settings, errors, files, tests

with np.errstate(divide="ignore", invalid="ignore"):
    np.log(np.zeros(2))
before = np.seterr(all="ignore")
np.seterr(**before)
options = np.get_printoptions()
np.set_printoptions(precision=3, suppress=True)
np.set_printoptions(**options)
with np.printoptions(precision=2):
    str(a), repr(a), np.array2string(a, precision=1)
np.testing.assert_allclose(a, a, rtol=1e-7)
np.testing.assert_array_equal(a, a)
assert_allclose(a, a.tolist())
buffer = io.BytesIO()
np.save(buffer, a)
buffer.seek(0)
np.load(buffer).sum()
np.savetxt(io.StringIO(), a)
np.loadtxt(io.StringIO("1 2\n3 4"))
np.vectorize(lambda t: t + 1)(b), np.apply_along_axis(np.sum, 0, a)
np.polyfit([0, 1, 2], [0, 1, 4], 2), np.polyval([1, 2], x), np.poly1d([1, 2])(3)
(
    Polynomial([1, 2])(x),
    chebyshev.chebval(x, [1, 2]),
    ma.masked_array([1, 2], mask=[False, True]).sum(),
)
np.issubdtype(a.dtype, np.floating), np.result_type(a, b), np.can_cast("i4", "i8")
np.promote_types("i4", "f4"), np.dtype("f8").itemsize, np.dtype(np.int32).name, np.isscalar(1.0)
np.char.upper(["a"]), np.strings.add("a", "b")
np.datetime64("2020-01-01") + np.timedelta64(1, "D")

# ---- Corepy's own

here: Device = a.device
np.asarray(a, device="cpu").to_device(here)
with config(fusion=True), np.config(cross_device="convert"):
    a * 2 + 1


@fuse
def fused(x: np.ndarray) -> np.ndarray:
    return np.sin(x) + 1


fused(a)
with np.fuse():
    fused(a)
assert_type(np.available_devices()[0], Device)
namespace("cpu"), np.explain(a)
np.set_num_threads(np.get_num_threads())
np.array_api.sum(a), np.memory, np.__version__
