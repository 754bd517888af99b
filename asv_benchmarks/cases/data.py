"""Random inputs, the same for every library and every run."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from functools import lru_cache

import numpy as np

Shape = Callable[[int], tuple[int, ...]]


def vector(n: int) -> tuple[int, ...]:
    """One axis."""
    return (n,)


def matrix(n: int) -> tuple[int, ...]:
    """Two axes, about as long as each other, for a power of ten."""
    rows = 1
    while rows * rows * 4 <= n or n % rows:
        rows += 1
    return (rows, n // rows)


def square(n: int) -> tuple[int, ...]:
    """A square matrix of at most `n` elements."""
    return (math.isqrt(n), math.isqrt(n))


def stack(n: int) -> tuple[int, ...]:
    """A stack of 4 x 4 matrices."""
    return (max(n // 16, 1), 4, 4)


def columns(n: int) -> tuple[int, ...]:
    """A stack of 4 x 1 matrices, one for each matrix of `stack`."""
    return (max(n // 16, 1), 4, 1)


def root(n: int) -> tuple[int, ...]:
    """One axis, as long as a side of `square`."""
    return (math.isqrt(n),)


def few(n: int) -> tuple[int, ...]:
    """One axis of at most a thousand elements."""
    return (min(n, 1000),)


def rows_of_10(n: int) -> tuple[int, ...]:
    """Rows of ten elements."""
    return (max(n // 10, 1), min(n, 10))


@lru_cache(maxsize=12)
def generate(kind: str, dtype: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Return an array of one of the `KINDS`; read-only, because it is shared by cases."""
    rng = np.random.default_rng([zlib.crc32(kind.encode()), seed])
    target = np.dtype(dtype)
    values = KINDS[kind](rng, target, shape)
    array = np.ascontiguousarray(values)
    array.flags.writeable = False
    return array


def _numbers(low: float, high: float) -> Callable:
    """Uniform between two bounds, or the integers between them."""

    def make(rng, dtype, shape):
        if dtype.kind == "b":
            return rng.random(shape) < 0.5
        if dtype.kind in "iu":
            lowest = max(low, np.iinfo(dtype).min)
            return rng.integers(int(lowest), int(high), shape, endpoint=True).astype(dtype)
        real = rng.random(shape, np.float32 if dtype.itemsize == 4 else np.float64)
        values = low + (high - low) * real
        if dtype.kind == "c":
            values = values + 1j * (low + (high - low) * rng.random(shape))
        return values.astype(dtype)

    return make


def _normal(rng, dtype, shape):
    if dtype.kind in "biu":
        return _numbers(-100, 100)(rng, dtype, shape)
    values = rng.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def _permutation(rng, dtype, shape):
    """Every position once, in random order: places to take from, or numbers without ties."""
    return rng.permutation(math.prod(shape)).reshape(shape).astype(dtype)


def _dominant(rng, dtype, shape):
    """Matrices that are far from singular."""
    return (rng.standard_normal(shape) + shape[-1] * np.eye(*shape[-2:])).astype(dtype)


KINDS: dict[str, Callable] = {
    "normal": _normal,
    "positive": _numbers(1, 100),
    "fraction": _numbers(-0.99, 0.99),
    "huge": _numbers(-1e5, 1e5),
    "moderate": _numbers(-10, 10),
    "small": _numbers(0, 5),
    "near one": _numbers(0.999, 1.001),
    "digit": _numbers(0, 7),
    "thousand": _numbers(0, 1000),
    "permutation": _permutation,
    "positions": lambda rng, dtype, shape: _permutation(rng, np.dtype("int64"), shape),
    "places in rows": lambda rng, dtype, shape: rng.integers(0, shape[-1], shape),
    "mask": lambda rng, dtype, shape: rng.random(shape) < 0.5,
    "true": lambda rng, dtype, shape: np.ones(shape, dtype),
    "zero": lambda rng, dtype, shape: np.zeros(shape, dtype),
    "sorted": lambda rng, dtype, shape: np.sort(_normal(rng, dtype, shape)),
    "dominant": _dominant,
    "sign": lambda rng, dtype, shape: rng.choice([-1, 1], shape).astype(dtype),
    "unit": lambda rng, dtype, shape: rng.random(shape).astype(dtype),
    # Of one dtype, whatever that of the case: lines that mix them.
    "integers": lambda rng, dtype, shape: rng.integers(-100, 100, shape),
    "counts": lambda rng, dtype, shape: rng.integers(1, 100, shape),
    "labels": lambda rng, dtype, shape: rng.integers(0, 10, shape),
    "holes": lambda rng, dtype, shape: np.where(
        rng.random(shape) < 0.1, np.nan, rng.standard_normal(shape)
    ),
    "bytes": lambda rng, dtype, shape: rng.integers(0, 256, shape, np.uint8),
    "singles": lambda rng, dtype, shape: rng.standard_normal(shape, np.float32),
    "complex numbers": lambda rng, dtype, shape: _normal(rng, np.dtype("complex128"), shape),
    "true mask": lambda rng, dtype, shape: np.ones(shape, bool),
    "identity": lambda rng, dtype, shape: np.eye(*shape, dtype=dtype),
}
