"""Rows for the creation, manipulation, indexing and data type functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from . import inputs
from .case import Arguments, Case
from .compare import Check, attributes, close, exact, structure
from .inputs import (
    ALL,
    BOOL,
    COMPLEX,
    FLOAT,
    INTEGER,
    REAL,
    Call,
    Draw,
    any_value,
    arrays,
    call,
    is_complex,
    is_float,
)

CASES: list[Case] = []


def row(name: str, dtypes: tuple[str, ...], arguments: Arguments, check: Check = exact) -> None:
    CASES.append(Case(name, dtypes, arguments, check))


def some_dtype(draw: Draw, dtype: str) -> np.dtype | None:
    return draw(st.sampled_from([np.dtype(dtype), None]))


# ---- creation functions


def arange(draw: Draw, dtype: str) -> Call:
    """Few elements; steps that are exact in binary, so that the number of them is no question."""
    unsigned = dtype.startswith("u")
    start = draw(st.integers(0 if unsigned else -20, 20))
    step: Any = draw(st.integers(-5, 5).filter(bool))
    stop = start + step * draw(st.integers(0, 8)) + draw(st.integers(-1, 1))
    if unsigned:
        stop = max(stop, 0)
    if unsigned and step < 0:
        start, stop, step = min(start, stop), max(start, stop), -step
    kwargs = {"dtype": np.dtype(dtype)}
    if is_float(dtype):
        step = step / draw(st.sampled_from([1, 2, 4]))
        start, stop = float(start), float(stop)
        if dtype == "float64" and draw(st.booleans()):
            kwargs = {}
    elif dtype == "int64" and draw(st.booleans()):
        kwargs = {}
    form = draw(st.sampled_from(["stop", "start, stop", "start, stop, step"]))
    if form == "stop":
        return Call((abs(stop),), kwargs)
    if form == "start, stop":
        return Call((min(start, stop), max(start, stop)), kwargs)
    return Call((start, stop, step), kwargs)


def nested(draw: Draw, dtype: str) -> Call:
    """asarray of an array, of nested sequences or of a scalar."""
    form = draw(st.sampled_from(["array", "list", "tuple", "scalar"]))
    x = arrays(draw, dtype, draw(inputs.shapes()))
    if form == "array":
        return call(x, dtype=some_dtype(draw, dtype), copy=draw(st.sampled_from([None, True])))
    if form == "scalar":
        return call(x.values.reshape(-1).tolist()[0] if x.values.size else 0, dtype=np.dtype(dtype))
    made: Any = x.values.tolist()
    if form == "tuple" and isinstance(made, list):
        made = tuple(made)
    return call(made, dtype=np.dtype(dtype))


def shape_argument(draw: Draw) -> Any:
    return draw(inputs.shapes() | st.integers(0, 5))


def shaped(draw: Draw, dtype: str) -> Call:
    return call(shape_argument(draw), dtype=some_dtype(draw, dtype))


def like(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes()))
    return call(x, dtype=some_dtype(draw, draw(st.sampled_from(ALL))))


def full(draw: Draw, dtype: str) -> Call:
    value = inputs.scalar(draw, dtype)
    natural = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}[type(value)]
    given = np.dtype(dtype) if natural != dtype or draw(st.booleans()) else None
    return call(shape_argument(draw), value, dtype=given)


def full_like(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, draw(st.sampled_from([dtype, "int8"])), draw(inputs.shapes()))
    given = None if x.dtype == dtype and draw(st.booleans()) else np.dtype(dtype)
    return call(x, inputs.scalar(draw, dtype), dtype=given)


def eye(draw: Draw, dtype: str) -> Call:
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=2))
    return call(*sizes, k=draw(st.integers(-5, 5)), dtype=some_dtype(draw, dtype))


def linspace(draw: Draw, dtype: str) -> Call:
    values = inputs.moderate(100.0)(dtype)
    start, stop = draw(values), draw(values)
    kwargs: dict[str, Any] = {"endpoint": draw(st.booleans())}
    if dtype not in ("float64", "complex128") or draw(st.booleans()):
        kwargs["dtype"] = np.dtype(dtype)
    return Call((start, stop, draw(st.integers(0, 8))), kwargs)


def linspace_check(actual: Any, expected: Any, made: Call) -> None:
    close(factor=800.0)(actual, expected, made)


def meshgrid(draw: Draw, dtype: str) -> Call:
    count = draw(st.integers(0, 3))
    vectors = [
        arrays(draw, dtype, draw(inputs.shapes(min_dims=1, max_dims=1))) for _ in range(count)
    ]
    return call(*vectors, indexing=draw(st.sampled_from(["xy", "ij"])))


def triangle(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(min_dims=2)))
    return call(x, k=draw(st.integers(-5, 5)))


def from_dlpack(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes()))
    return call(x, copy=draw(st.sampled_from([None, True])))


row("arange", REAL, arange)
row("asarray", ALL, nested)
for name in ("empty", "empty_like"):
    row(name, ALL, shaped if name == "empty" else like, structure)
for name in ("ones", "zeros"):
    row(name, ALL, shaped)
    row(f"{name}_like", ALL, like)
row("full", ALL, full)
row("full_like", ALL, full_like)
row("eye", ALL, eye)
row("linspace", FLOAT, linspace, linspace_check)
row("meshgrid", ALL, meshgrid)
row("tril", ALL, triangle)
row("triu", ALL, triangle)
row("from_dlpack", ALL, from_dlpack)

# ---- manipulation functions


def several(draw: Draw, dtype: str, shapes_: list[tuple[int, ...]]) -> list[Any]:
    return [arrays(draw, dtype, shape) for shape in shapes_]


def mixed(draw: Draw, dtype: str, shapes_: list[tuple[int, ...]]) -> list[Any]:
    """Arrays of dtypes that promote with one another."""
    made = several(draw, dtype, shapes_)
    if len(made) > 1 and draw(st.booleans()):
        other = draw(st.sampled_from(inputs.promotable(dtype)))
        made[-1] = arrays(draw, other, shapes_[-1])
    return made


def broadcast_arrays(draw: Draw, dtype: str) -> Call:
    return call(*mixed(draw, dtype, list(inputs.broadcastable(draw, draw(st.integers(1, 3))))))


def broadcast_shapes(draw: Draw, dtype: str) -> Call:
    return call(*inputs.broadcastable(draw, draw(st.integers(1, 4))))


def broadcast_to(draw: Draw, dtype: str) -> Call:
    one, two = inputs.broadcastable(draw, 2)
    return call(arrays(draw, dtype, one), np.broadcast_shapes(one, two))


def concat(draw: Draw, dtype: str) -> Call:
    count = draw(st.integers(1, 3))
    if draw(st.booleans()):
        free = [draw(inputs.shapes()) for _ in range(count)]
        if not draw(st.booleans()):
            return call(mixed(draw, dtype, free), axis=None)
    shape = draw(inputs.shapes(min_dims=1))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    along = []
    for _ in range(count):
        one = list(shape)
        one[axis] = draw(st.integers(0, 3))
        along.append(tuple(one))
    made = mixed(draw, dtype, along)
    return call(tuple(made) if draw(st.booleans()) else made, axis=axis)


def expand_dims(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes()))
    if draw(st.booleans()):
        return call(x, draw(st.integers(-x.ndim - 1, x.ndim)))
    axes = draw(inputs.xps.valid_tuple_axes(x.ndim + 2, min_size=2, max_size=2))
    return call(x, axes)


def flip(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes()))
    return call(x, axis=inputs.axes_or_none(draw, x.ndim))


def moveaxis(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(min_dims=1)))
    if draw(st.booleans()):
        axis = st.integers(-x.ndim, x.ndim - 1)
        return call(x, draw(axis), draw(axis))
    count = draw(st.integers(0, x.ndim))
    axes = inputs.xps.valid_tuple_axes(x.ndim, min_size=count, max_size=count)
    return call(x, draw(axes), draw(axes))


def permute_dims(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes()))
    axes = draw(st.permutations(range(x.ndim)))
    return call(x, tuple(a - x.ndim if draw(st.booleans()) else a for a in axes))


def repeat(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(min_dims=1)))
    axis = inputs.axis_or_none(draw, x.ndim)
    length = int(np.prod(x.shape)) if axis is None else x.shape[axis]
    if draw(st.booleans()):
        return call(x, draw(st.integers(0, 3)), axis=axis)
    size = draw(st.sampled_from([(length,), (1,), ()])) if length else (length,)
    counts = draw(st.sampled_from(["int64", "int32", "int8"]))
    return call(x, arrays(draw, counts, size, lambda _: st.integers(0, 3)), axis=axis)


def reshape(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes()))
    size = int(np.prod(x.shape))
    factors = [d for d in range(1, size + 1) if size % d == 0] or [0, 3]
    first = draw(st.sampled_from(factors))
    shape = draw(st.sampled_from([(first, -1), (first, 1, size // max(first, 1)), (-1,)]))
    if size == 0:
        shape = draw(st.sampled_from([(0,), (3, 0), (0, -1)[:1], x.shape]))
    return call(x, shape, copy=draw(st.sampled_from([None, True])))


def roll(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes()))
    if x.ndim == 0 or draw(st.booleans()):
        return call(x, draw(st.integers(-9, 9)), axis=None)
    if draw(st.booleans()):
        return call(x, draw(st.integers(-9, 9)), axis=draw(st.integers(-x.ndim, x.ndim - 1)))
    axes = draw(inputs.xps.valid_tuple_axes(x.ndim, min_size=1))
    return call(x, tuple(draw(st.integers(-9, 9)) for _ in axes), axis=axes)


def squeeze(draw: Draw, dtype: str) -> Call:
    shape = tuple(1 if draw(st.booleans()) else size for size in draw(inputs.shapes()))
    x = arrays(draw, dtype, shape)
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    chosen = tuple(axis for axis in ones if draw(st.booleans()))
    chosen = tuple(a - x.ndim if draw(st.booleans()) else a for a in chosen)
    return call(x, chosen[0] if len(chosen) == 1 and draw(st.booleans()) else chosen)


def stack(draw: Draw, dtype: str) -> Call:
    shape = draw(inputs.shapes())
    made = mixed(draw, dtype, [shape] * draw(st.integers(1, 3)))
    return call(made, axis=draw(st.integers(-len(shape) - 1, len(shape))))


def tile(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(max_side=3)))
    return call(x, tuple(draw(st.lists(st.integers(0, 2), max_size=4))))


def unstack(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(min_dims=1)))
    return call(x, axis=draw(st.integers(-x.ndim, x.ndim - 1)))


for name in (
    *("broadcast_arrays", "broadcast_to", "concat", "expand_dims", "flip", "moveaxis"),
    *("permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "tile", "unstack"),
):
    row(name, ALL, globals()[name])
row("broadcast_shapes", BOOL, broadcast_shapes)

# ---- indexing functions


def indices(size: int) -> Any:
    return lambda _: st.integers(-size, size - 1)


INDEX_DTYPES = st.sampled_from(["int64", "int32", "int8"])


def take(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(min_dims=1, min_side=1)))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    size = x.shape[axis]
    chosen = arrays(draw, draw(INDEX_DTYPES), draw(inputs.shapes(max_dims=2)), indices(size))
    if x.ndim == 1 and draw(st.booleans()):
        return call(x, chosen)
    return call(x, chosen, axis=axis)


def take_along_axis(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(min_dims=1, min_side=1)))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    shape = list(x.shape)
    shape[axis] = draw(st.integers(0, 4))
    return call(x, arrays(draw, "int64", tuple(shape), indices(x.shape[axis])), axis=axis)


row("take", ALL, take)
row("take_along_axis", ALL, take_along_axis)

# ---- data type functions


def castable(dtype: str, target: str) -> Any:
    """Values of `dtype` whose value in `target` the standard defines."""
    if is_float(dtype) and target in INTEGER:
        limits = np.iinfo(target)
        low, high = max(int(limits.min), -(2**22)), min(int(limits.max), 2**22)
        values = st.integers(low, high).map(float) | st.just(-0.0)
        return values | st.integers(low + 1, high - 1).map(lambda v: v + 0.5 * ((v > 0) - (v < 0)))
    return any_value(dtype)


def astype(draw: Draw, dtype: str) -> Call:
    """Every pair that the standard allows: complex numbers become complex or bool ones only."""
    target = draw(st.sampled_from([*COMPLEX, "bool"] if is_complex(dtype) else ALL))
    x = arrays(draw, dtype, draw(inputs.shapes()), lambda d: castable(d, target))
    return call(x, np.dtype(target), copy=draw(st.booleans()))


def can_cast(draw: Draw, dtype: str) -> Call:
    of = draw(st.booleans())
    source = arrays(draw, dtype, draw(inputs.shapes())) if of else np.dtype(dtype)
    return call(source, np.dtype(draw(st.sampled_from(ALL))))


def of_type(draw: Draw, dtype: str) -> Call:
    return call(arrays(draw, dtype, ()) if draw(st.booleans()) else np.dtype(dtype))


KINDS = (
    *("bool", "signed integer", "unsigned integer", "integral", "real floating"),
    *("complex floating", "numeric"),
)


def isdtype(draw: Draw, dtype: str) -> Call:
    kind = st.sampled_from(KINDS) | st.sampled_from(ALL).map(np.dtype)
    kinds = draw(kind | st.lists(kind, max_size=3).map(tuple))
    return call(np.dtype(dtype), kinds)


def result_type(draw: Draw, dtype: str) -> Call:
    """Arrays and dtypes that promote together, and a Python scalar of their kind."""
    operands: list[Any] = []
    for name in (dtype, draw(st.sampled_from(inputs.promotable(dtype)))):
        operands.append(arrays(draw, name, ()) if draw(st.booleans()) else np.dtype(name))
    if draw(st.booleans()):
        operands.append(inputs.scalar(draw, dtype))
    return call(*draw(st.permutations(operands)))


row("astype", ALL, astype)
row("can_cast", ALL, can_cast)
row("finfo", FLOAT, of_type, attributes("bits", "eps", "max", "min", "smallest_normal", "dtype"))
row("iinfo", INTEGER, of_type, attributes("bits", "max", "min", "dtype"))
row("isdtype", ALL, isdtype)
row("result_type", ALL, result_type)
