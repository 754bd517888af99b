"""Inputs of the oracle tests: Hypothesis-made values in every memory layout.

Values come from `hypothesis.extra.array_api` over `corepy.array_api`. A `Made` holds them as an
ndarray together with the views that are to be taken of it, so that each device takes the same views
of its own copy and the function meets the same layout on both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.array_api import make_strategies_namespace

import corepy
import corepy.array_api as xp

xps = make_strategies_namespace(xp, api_version="2025.12")

BOOL = ("bool",)
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGER = SIGNED + UNSIGNED
REAL_FLOAT = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
FLOAT = REAL_FLOAT + COMPLEX
REAL = INTEGER + REAL_FLOAT
NUMERIC = INTEGER + FLOAT
ALL = BOOL + NUMERIC

Draw = Callable[[st.SearchStrategy], Any]


def is_integer(dtype: str) -> bool:
    return dtype in INTEGER


def is_complex(dtype: str) -> bool:
    return dtype in COMPLEX


def is_float(dtype: str) -> bool:
    return dtype in FLOAT


def promotable(dtype: str) -> tuple[str, ...]:
    """The dtypes that the standard promotes together with `dtype` in a function of two arrays."""
    if dtype == "bool":
        return BOOL
    if dtype == "uint64":
        return UNSIGNED
    if dtype in UNSIGNED:
        return INTEGER
    if dtype in SIGNED:
        return SIGNED + UNSIGNED[:3]
    return FLOAT


# ---- values


def special_values(dtype: str) -> list[Any]:
    """The values of a dtype at which functions go wrong."""
    if dtype == "bool":
        return [False, True]
    if is_integer(dtype):
        limits = np.iinfo(dtype)
        close = [-3, -2, -1, 0, 1, 2, 3, 7]
        edge = [limits.min, limits.min + 1, limits.max - 1, limits.max, limits.max // 2]
        return sorted({int(v) for v in close + edge if limits.min <= v <= limits.max})
    if is_complex(dtype):
        parts = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, math.inf, -math.inf, math.nan]
        return [complex(a, b) for a in parts for b in parts]
    limits = np.finfo(dtype)
    positive = [
        *(0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 100.0, 1e5),
        float(np.nextafter(limits.dtype.type(1), limits.dtype.type(0))),
        float(np.nextafter(limits.dtype.type(0.5), limits.dtype.type(0))),
        float(limits.eps),
        float(limits.smallest_subnormal),
        float(limits.smallest_normal),
        float(limits.max),
        1 / float(limits.eps),
        math.inf,
    ]
    return positive + [-v for v in positive] + [math.nan]


def any_value(dtype: str) -> st.SearchStrategy:
    """Every value of a dtype, the special ones often."""
    return xps.from_dtype(getattr(xp, dtype)) | st.sampled_from(special_values(dtype))


def _floats(dtype: str, bound: float, specials: list[float]) -> st.SearchStrategy:
    width = 32 if dtype in ("float32", "complex64") else 64
    floats = st.floats(-bound, bound, width=width, allow_subnormal=False)
    # Tiny numbers are as good as zero where errors are measured against the largest one.
    floats = floats.map(lambda v: 0.0 if abs(v) < 1e-6 else v)
    floats = floats | st.integers(-8, 8).map(float)
    if specials:
        floats = floats | st.sampled_from(specials)
    return floats


def moderate(bound: float = 1000.0, *specials: float) -> Callable[[str], st.SearchStrategy]:
    """Values up to `bound` and `specials`: sums, products and squares of them do not overflow."""

    def values(dtype: str) -> st.SearchStrategy:
        if dtype == "bool":
            return st.booleans()
        if is_integer(dtype):
            limits = np.iinfo(dtype)
            return st.integers(max(int(limits.min), -100), min(int(limits.max), 100))
        floats = _floats(dtype, bound, list(specials))
        return st.builds(complex, floats, floats) if is_complex(dtype) else floats

    return values


def not_nan(dtype: str) -> st.SearchStrategy:
    """Values that are ordered and equal to themselves."""
    return any_value(dtype).filter(lambda v: v == v)


# ---- shapes


def shapes(min_dims: int = 0, max_dims: int = 3, min_side: int = 0, max_side: int = 4) -> Any:
    return xps.array_shapes(
        min_dims=min_dims, max_dims=max_dims, min_side=min_side, max_side=max_side
    )


def broadcastable(draw: Draw, count: int) -> tuple[tuple[int, ...], ...]:
    """Shapes that broadcast together."""
    drawn = xps.mutually_broadcastable_shapes(count, max_dims=3, min_side=0, max_side=4)
    return draw(drawn).input_shapes


def axis_or_none(draw: Draw, ndim: int) -> int | None:
    return draw(st.none() | st.integers(-ndim, ndim - 1)) if ndim else None


def axes_or_none(draw: Draw, ndim: int) -> int | tuple[int, ...] | None:
    """What reductions take for an axis."""
    if ndim == 0:
        return draw(st.sampled_from([None, ()]))
    return draw(st.none() | st.integers(-ndim, ndim - 1) | xps.valid_tuple_axes(ndim))


# ---- layouts


@dataclass
class Made:
    """An array to be made on a device: an ndarray, and the views to be taken of it."""

    base: np.ndarray
    axes: tuple[int, ...]
    index: tuple[slice, ...]
    shape: tuple[int, ...]

    @property
    def values(self) -> np.ndarray:
        """The elements as a new ndarray."""
        view = np.transpose(self.base, self.axes)[self.index]
        return np.array(np.broadcast_to(view, self.shape))

    @property
    def dtype(self) -> str:
        return self.base.dtype.name

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def is_broadcast(self) -> bool:
        """Whether elements share memory, so that the array cannot be written to."""
        return np.transpose(self.base, self.axes)[self.index].shape != self.shape

    def on(self, device: str) -> corepy.Tensor:
        x = xp.asarray(self.base, device=device)
        if self.axes != tuple(range(len(self.axes))):
            x = xp.permute_dims(x, self.axes)
        if any(part != slice(None) for part in self.index):
            x = x[self.index]
        return x if x.shape == self.shape else xp.broadcast_to(x, self.shape)

    def __repr__(self) -> str:
        how = f"permute_dims{self.axes}, {self.index}, broadcast_to{self.shape}"
        return f"Made({self.base!r}, {how})"


def plain(values: np.ndarray) -> Made:
    """`values` as a contiguous array."""
    whole = (slice(None),) * values.ndim
    return Made(np.array(values, order="C"), tuple(range(values.ndim)), whole, values.shape)


def laid_out(draw: Draw, values: np.ndarray, shape: tuple[int, ...] | None = None) -> Made:
    """`values` in a layout that Hypothesis chooses, broadcast to `shape`."""
    ndim = values.ndim
    shape = values.shape if shape is None else shape
    axes, steps = tuple(range(ndim)), (1,) * ndim
    kind = draw(st.sampled_from(["contiguous", "reversed", "transposed", "strided", "mixed"]))
    if ndim and kind == "reversed":
        steps = (-1,) * ndim
    elif ndim and kind == "transposed":
        axes = axes[::-1]
    elif ndim and kind == "strided":
        steps = (2,) * ndim
    elif ndim and kind == "mixed":
        axes = tuple(draw(st.permutations(range(ndim))))
        steps = tuple(draw(st.sampled_from([1, -1, 2, -2])) for _ in range(ndim))
    return with_layout(values, axes, steps, shape)


def with_layout(
    values: np.ndarray,
    axes: tuple[int, ...],
    steps: tuple[int, ...],
    shape: tuple[int, ...] | None = None,
) -> Made:
    """`values` as a view of a larger array: axes permuted, then steps taken along each."""
    ndim = values.ndim
    viewed = [size * abs(step) for size, step in zip(values.shape, steps, strict=True)]
    base = np.zeros([viewed[axes.index(axis)] for axis in range(ndim)], dtype=values.dtype)
    index = tuple(slice(None, None, None if step == 1 else step) for step in steps)
    np.transpose(base, axes)[index] = values
    return Made(base, axes, index, values.shape if shape is None else shape)


def arrays(
    draw: Draw,
    dtype: str,
    shape: tuple[int, ...],
    values: Callable[[str], st.SearchStrategy] = any_value,
) -> Made:
    """An array of that dtype and shape, possibly a broadcast one."""
    narrow = shape
    if shape and draw(st.integers(0, 5)) == 0:
        narrow = tuple(1 if size and draw(st.booleans()) else size for size in shape)
    filled = draw(xps.arrays(getattr(xp, dtype), narrow, elements=values(dtype)))
    return laid_out(draw, np.asarray(filled), shape)


def scalar(draw: Draw, dtype: str, values: Callable[[str], st.SearchStrategy] = any_value) -> Any:
    """A Python scalar that the standard allows beside an array of `dtype`."""
    kinds = [dtype]
    if is_float(dtype):
        kinds = ["int8", *[d for d in FLOAT if d.startswith(dtype[:5]) or is_complex(dtype)]]
        kinds = [k for k in kinds if k in ("int8", "float32", dtype)]
    value = draw(values(draw(st.sampled_from(kinds))))
    return value.item() if isinstance(value, np.generic) else value


# ---- calls


@dataclass
class Call:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    def on(self, device: str) -> Call:
        return Call(
            tuple(put(value, device) for value in self.args),
            {name: put(value, device) for name, value in self.kwargs.items()},
        )

    @property
    def made(self) -> list[Made]:
        """The arrays among the arguments."""
        return found([self.args, list(self.kwargs.values())])


def call(*args: Any, **kwargs: Any) -> Call:
    return Call(args, kwargs)


def put(value: Any, device: str) -> Any:
    """`value` with every array in it made on `device`."""
    if isinstance(value, Made):
        return value.on(device)
    if isinstance(value, (tuple, list)):
        return type(value)(put(item, device) for item in value)
    return value


def found(value: Any) -> list[Made]:
    if isinstance(value, Made):
        return [value]
    if isinstance(value, (tuple, list)):
        return [made for item in value for made in found(item)]
    return []
