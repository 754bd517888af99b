"""Arguments for an operation, drawn from its row in the schema.

Numbers are quarters of small integers, so that sums and products of a few of them are exact in
every dtype, and results are comparable. Complex ones have no zero component and thus lie on no
branch cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from corepy._cython import core
from corepy.backend._nested import leaves, mapped
from corepy.testing._checks import special
from corepy.testing._checks.rows import DTYPES, Row, accepted

SHAPES = ((), (5,), (3, 4), (0,), (2, 3, 2), (37,), (2, 0), (1, 6))
#: Shapes that broadcast with a shape of `SHAPES`, made by setting some sizes to 1.
_BROADCAST_EVERY = 3


@dataclass
class Call:
    """The arguments of a call; arrays among them are ndarrays, to be made on a device."""

    name: str
    inputs: tuple[Any, ...]
    params: dict[str, Any] = field(default_factory=dict)
    transposed: bool = False

    @property
    def arrays(self) -> list[np.ndarray]:
        """The arrays among the arguments."""
        return [x for x in leaves((self.inputs, self.params)) if isinstance(x, np.ndarray)]

    def on(self, device: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return inputs and parameters with each array as a tensor of a device."""
        return mapped(lambda value: self._moved(value, device), (self.inputs, self.params))

    def _moved(self, value: Any, device: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        if self.transposed and value.ndim > 1:  # a view of other strides, where there are views
            axes = tuple(range(value.ndim))[::-1]
            tensor = device.backend.from_numpy(np.ascontiguousarray(value.T), device)
            return core.permute_dims(tensor, axes)
        return device.backend.from_numpy(value, device)

    def __str__(self) -> str:
        inputs = ", ".join(map(_short, self.inputs))
        params = "".join(f", {name}={_short(value)}" for name, value in self.params.items())
        return f"{self.name}({inputs}{params})"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_short, value))})"
    return repr(value)


class Drawing:
    """Draws arguments.

    Parameters
    ----------
    seed : int
        The same seed gives the same arguments.
    """

    def __init__(self, seed: int) -> None:
        self.rng: np.random.Generator = np.random.default_rng(seed)

    def calls(self, row: Row, count: int) -> Iterator[Call]:
        """Yield `count` calls of an operation for each dtype that it accepts."""
        for dtype in DTYPES:
            if dtype.kind not in accepted(row):
                continue
            for number in range(count):
                made = self._arguments(row, dtype)
                if made is not None:
                    inputs, params = made
                    yield Call(row.name, inputs, params, transposed=bool(number % 2))

    def _arguments(self, row: Row, dtype: np.dtype) -> Any:
        draw = special.CALLS.get(row.name) or special.CALLS.get(row.name.rpartition(".")[2])
        if draw is not None:
            return draw(self, dtype)
        works = {
            "unary": self._unary,
            "binary": self._binary,
            "reduce": self._reduce,
            "scan": self._scan,
        }
        return works[row.work](row, dtype)

    # ---- kinds of operations

    def _unary(self, row: Row, dtype: np.dtype) -> Any:
        return (self.with_specials(dtype, self.shape()),), {}

    def _binary(self, row: Row, dtype: np.dtype) -> Any:
        shape = self.shape()
        other = tuple(1 if self.flag(_BROADCAST_EVERY) else size for size in shape)
        return (self.with_specials(dtype, shape), self.with_specials(dtype, other)), {}

    def _reduce(self, row: Row, dtype: np.dtype) -> Any:
        shape = self.shape(least=2)
        x = self.numbers(dtype, shape)
        params: dict[str, Any] = {"keepdims": self.flag(), "axis": self.axes(len(shape))}
        if row.name in ("argmax", "argmin"):
            params["axis"] = self.axis(len(shape))
        if "correction" in row.signature:
            params["correction"] = float(self.rng.integers(2))
        return (x,), params

    def _scan(self, row: Row, dtype: np.dtype) -> Any:
        shape = self.shape(least=1)
        params = {
            "axis": self.integer(-len(shape), len(shape)),
            "include_initial": self.flag(),
        }
        return (self.numbers(dtype, shape),), params

    # ---- values

    def flag(self, of: int = 2) -> bool:
        """Return True once in `of` times."""
        return bool(self.rng.integers(of) == 0)

    def integer(self, low: int, high: int) -> int:
        """Return an integer from `low` to ``high - 1``."""
        return int(self.rng.integers(low, high))

    def choice(self, values: Any) -> Any:
        """Return one of the values."""
        return values[self.integer(0, len(values))]

    def shape(self, least: int = 0) -> tuple[int, ...]:
        """Return a shape; with `least`, one whose axes all have that many elements."""
        if least:
            fitting = [each for each in SHAPES if each and min(each) >= least]
            return self.choice(fitting)
        return self.choice(SHAPES)

    def axis(self, ndim: int) -> int | None:
        """Return an axis, or None for all."""
        return None if self.flag(4) else self.integer(-ndim, ndim)

    def axes(self, ndim: int) -> Any:
        """Return an axis, several, or None for all."""
        if self.flag(3):
            count = self.integer(1, ndim + 1)
            return tuple(int(axis) for axis in self.rng.permutation(ndim)[:count])
        return self.axis(ndim)

    def numbers(self, dtype: Any, shape: tuple[int, ...], limit: int = 32) -> np.ndarray:
        """Return quarters of integers up to `limit`, or the integers up to a quarter of it."""
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, shape).astype(bool)
        if dtype.kind in "iu":
            low = 0 if dtype.kind == "u" else -(limit // 4)
            return np.asarray(self.rng.integers(low, limit // 4 + 1, shape)).astype(dtype)
        real = np.asarray(self.rng.integers(-limit, limit + 1, shape)) / 4
        if dtype.kind == "c":
            imaginary = np.asarray(self.rng.integers(-limit, limit, shape)) / 4 + 0.125
            return np.asarray(real + 0.125 + 1j * imaginary).astype(dtype)
        return np.asarray(real).astype(dtype)

    def with_specials(self, dtype: Any, shape: tuple[int, ...]) -> np.ndarray:
        """Return numbers, with NaN, infinities and signed zeros where the dtype has them."""
        x = self.numbers(dtype, shape)
        if x.dtype.kind == "f" and x.size:
            for value in (np.nan, np.inf, -np.inf, -0.0, 0.0):
                if self.flag(3):
                    x[np.unravel_index(int(self.rng.integers(x.size)), x.shape)] = value
        return x
