"""Operations of the standard by kernels: elementwise ones by `table`, all others here, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from corepy._cython import core
from corepy._cython.core import Device, Tensor
from corepy._cython.inference import infer, infer_layout
from corepy.backend import execution
from corepy.backend._nested import leaves
from corepy.backend.corrections.sets import sorted_unique, unique_functions
from corepy.backend.kernels import table
from corepy.backend.kernels.arrays import Array, Index, broadcast
from corepy.backend.kernels.launches import Launcher
from corepy.backend.kernels.render import Step

if TYPE_CHECKING:
    from corepy.backend.kernels.backend import KernelBackend

Axis = int | tuple[int, ...] | None

_DTYPES = {name: np.dtype(name) for name in ("bool", "uint8")}

#: Bytes that a processor can address.
MAX_BYTES = np.iinfo(np.intp).max

_OPERATIONS: dict[str, Callable[..., Any]] = {}


def _operation(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function of a `Call` and the arguments of operations."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _OPERATIONS.update(dict.fromkeys(names, function))
        return function

    return register


def compute(
    backend: KernelBackend,
    operation: str,
    inputs: tuple[Any, ...],
    params: dict[str, Any],
    device: Device | None = None,
) -> Any:
    """Compute an operation; `device` is that of a creation."""
    if device is None:
        device = next(x.device for x in leaves((inputs, params)) if isinstance(x, Tensor))
    call = Call(backend, operation, inputs, params, device)
    function = _OPERATIONS.get(operation)
    if function is not None:
        return function(call, *inputs, **params)
    if operation in table.ELEMENTWISE:
        return call.elementwise(operation, *inputs)
    backend.supports(operation)  # raises for a name that is none
    raise call.lacking()


class Call:
    """A call of an operation on a device."""

    def __init__(
        self,
        backend: KernelBackend,
        operation: str,
        inputs: tuple[Any, ...],
        params: dict[str, Any],
        device: Device,
    ) -> None:
        self.backend, self.operation, self.device = backend, operation, device
        self.inputs, self.params = inputs, params
        self.launcher: Launcher = backend.launcher(device)

    def lacking(self, what: str = "") -> NotImplementedError:
        """Return the error of a call that no kernel computes."""
        return NotImplementedError(
            f"{self.operation}: {self.backend.name} has no kernel{what and ' ' + what}"
        )

    def inferred(self) -> Any:
        """Return the dtype and shape of the result."""
        return infer(self.operation, self.inputs, self.params)

    def check(self, *dtypes: Any) -> None:
        """Raise NotImplementedError for a dtype that the device does not compute."""
        for dtype in dtypes:
            if np.dtype(dtype).name not in self.launcher.native:
                raise self.lacking(f"of {np.dtype(dtype)}")

    def held(self, x: Tensor) -> Array:
        """Return the array of a tensor of any dtype."""
        return self.backend.unwrap(x)

    def native(self, x: Tensor) -> Array:
        """Return the array of a tensor of a dtype that the device computes."""
        self.check(x.dtype)
        return self.backend.unwrap(x)

    def made(self, array: Array, dtype: Any) -> Tensor:
        """Return the Tensor around an array."""
        return self.backend.made(array, dtype, self.device)

    def constant(self, dtype: str, value: Any) -> Array:
        """Return a number of the program."""
        return self.launcher.from_numpy(np.array(value, dtype))

    def other(self, operation: str, *inputs: Any, **params: Any) -> Any:
        """Compute another operation, of this device or of another."""
        device = None if any(isinstance(x, Tensor) for x in leaves(inputs)) else self.device
        return execution.compute(self.backend, operation, inputs, params, device)

    def elementwise(self, operation: str, *inputs: Tensor) -> Tensor:
        """Compute an elementwise operation of tensors of one dtype; of where, the last two."""
        arrays = [self.held(x) for x in inputs]
        compute = arrays[-1].dtype
        shape = arrays[-1].shape
        if any(x.shape != shape for x in arrays):
            shape = self.common_shape(arrays)
        if operation == "where" and compute not in self.launcher.native:
            return self._selected(arrays, inputs[-1].dtype, shape)
        if compute not in self.launcher.native:
            raise self.lacking(f"of {compute}")
        powers = operation == "pow" and table.is_signed(compute)
        if powers and 0 not in shape and self._is_negative(inputs[1]):
            raise ValueError("pow: integers to negative integer powers are not allowed")
        if operation == "pow" and arrays[1].constant == _number(compute, 2):
            operation, arrays = "square", arrays[:1]
        dtype = table.result_dtype(operation, compute)
        step = Step(operation, compute, dtype, tuple(range(len(arrays))))
        if all(x.is_contiguous for x in arrays):
            (out,) = self.launcher.compute(arrays, [step], (len(arrays),), shape)
        else:
            strides = infer_layout(self.operation, self.inputs, self.params)[2]
            out = self.launcher.compute_in_order(arrays, step, strides, shape)
        return self.made(out, _DTYPES.get(dtype) or inputs[-1].dtype)

    def common_shape(self, arrays: Sequence[Array]) -> tuple[int, ...]:
        """Return the shape to which arrays are broadcast."""
        shapes = [x.shape for x in arrays]
        found = broadcast(shapes)
        if found is None:
            raise ValueError(
                f"{self.operation}: shapes {', '.join(map(str, shapes))} cannot be broadcast "
                "together"
            )
        return found

    def _is_negative(self, x: Tensor) -> bool:
        """Return whether an integer of `x`, which is not empty, is negative."""
        if self.held(x).constant is None:
            x = _reduce(Call(self.backend, "min", (x,), {}, self.device), x)
        return int(self.backend.to_numpy(x)) < 0

    def _selected(self, arrays: list[Array], dtype: np.dtype, shape: tuple[int, ...]) -> Tensor:
        """Select from elements of a dtype that the device only moves."""
        launcher = self.launcher
        condition, x1, x2 = arrays[0], *(launcher.stored(x).bits(launcher.word) for x in arrays[1:])
        parts = dtype.itemsize // x1.itemsize
        if len(x1.shape) > len(arrays[1].shape):
            condition = launcher.stored(condition).reshaped_with([1])
        ndim = max(len(x.shape) for x in (condition, x1, x2))
        step = Step("where", x1.dtype, x1.dtype, (0, 1, 2))
        whole = (*shape, parts) if ndim > len(shape) else shape
        (out,) = launcher.compute([condition, x1, x2], [step], (3,), whole)
        return self.made(_whole(out, dtype, shape), dtype)


@functools.cache
def _number(dtype: str, value: int) -> bytes:
    return np.array(value, dtype).tobytes()


def _whole(bits: Array, dtype: np.dtype, shape: Sequence[int]) -> Array:
    """Return new words as the elements of a dtype."""
    return Array(bits.block, dtype.name, dtype.itemsize, (), ()).reshaped(shape)


# ---- creation


@_operation("empty", "full")
def _full(call: Call, shape: tuple[int, ...], value: Any = 0, *, dtype: Any, **_: Any) -> Tensor:
    dtype = np.dtype(dtype)
    if prod(shape) * dtype.itemsize > MAX_BYTES:
        raise ValueError(
            f"{call.operation}: an array of shape {shape} and dtype {dtype} is too big for memory "
            "to address"
        )
    launcher = call.launcher
    if call.operation == "empty":
        return call.made(launcher.empty(dtype.name, shape, dtype.itemsize), dtype)
    scalar = launcher.from_numpy(np.array(value, dtype))
    if not shape:
        return call.made(scalar, dtype)
    return call.made(launcher.contiguous(launcher.stored(scalar).broadcast(shape)), dtype)


@_operation("arange", "linspace")
def _progression(call: Call, *inputs: Any, **params: Any) -> Tensor:
    """Have the CPU compute the numbers, which takes less time than it takes to copy them."""
    made = core.create(call.operation, "cpu", inputs, params)
    return call.backend.from_numpy(np.asarray(made), call.device)


@_operation("eye")
def _eye(call: Call, n_rows: int, n_cols: int | None = None, *, k: int = 0, **_: Any) -> Tensor:
    dtype, shape = call.inferred()
    call.check(dtype, "int32")
    rows, columns = _row_and_column(call, shape)
    shift = call.constant("int32", max(min(k, 2**30), -(2**30)))
    steps = [
        Step("add", "int32", "int32", (0, 2)),
        Step("equal", "int32", "bool", (1, 3)),
        Step("astype", "bool", dtype.name, (4,)),
    ]
    return call.made(call.launcher.compute([rows, columns, shift], steps, (5,), shape)[0], dtype)


def _row_and_column(call: Call, shape: Sequence[int]) -> tuple[Array, Array]:
    rows, columns = (
        call.launcher.from_numpy(np.arange(size, dtype=np.int32)) for size in shape[-2:]
    )
    return rows.reshaped_with([1]), columns


@_operation("tril", "triu")
def _triangle(call: Call, x: Tensor, *, k: int = 0) -> Tensor:
    rows, columns = _row_and_column(call, x.shape)
    shift = call.constant("int32", max(min(k, 2**30), -(2**30)))
    inside = "less_equal" if call.operation == "tril" else "greater_equal"
    steps = [Step("add", "int32", "int32", (0, 2)), Step(inside, "int32", "bool", (1, 3))]
    (mask,) = call.launcher.compute([rows, columns, shift], steps, (4,), x.shape[-2:])
    zero = call.made(call.constant(x.dtype.name, 0), x.dtype)
    return call.elementwise("where", call.made(mask, np.bool_), x, zero)


# ---- conversions, views and copies


@_operation("astype")
def _astype(call: Call, x: Tensor, dtype: Any, *, copy: bool = True, **_: Any) -> Tensor:
    dtype = np.dtype(dtype)
    if dtype == x.dtype:
        return call.made(call.launcher.copy(call.held(x)), dtype) if copy else x
    call.check(dtype)
    return call.made(call.launcher.convert(call.native(x), dtype.name), dtype)


@_operation(
    "broadcast_arrays",
    "broadcast_to",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "reshape",
    "squeeze",
)
def _view(call: Call, *inputs: Any, **params: Any) -> Any:
    """Make views of constants, which are put into memory; the core makes those of other tensors."""
    for x in leaves(inputs):
        if isinstance(x, Tensor):
            call.backend.stored(x)
    return core.execute(call.operation, inputs, params)


@_operation("meshgrid")
def _meshgrid(call: Call, *arrays: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    found = []
    for k, (x, (dtype, shape)) in enumerate(zip(arrays, call.inferred(), strict=True)):
        axis = 1 - k if indexing == "xy" and k < 2 and len(arrays) > 1 else k
        sizes = [1] * len(shape)
        sizes[axis] = shape[axis]
        view = call.launcher.contiguous(call.held(x)).reshaped(sizes).broadcast(shape)
        found.append(call.made(call.launcher.copy(view), dtype))
    return tuple(found)


@_operation("linalg.diagonal")
def _diagonal(call: Call, x: Tensor, *, offset: int = 0) -> Tensor:
    array, (_, shape) = call.held(x), call.inferred()
    rows, columns = array.strides[-2:]
    first = max(offset, 0) * columns + max(-offset, 0) * rows if shape[-1] else 0
    return call.made(array.strided(shape, (*array.strides[:-2], rows + columns), first), x.dtype)


@_operation("linalg.trace")
def _trace(call: Call, x: Tensor, *, offset: int = 0, dtype: Any = None) -> Tensor:
    found = call.other("linalg.diagonal", x, offset=offset)
    dtype = call.inferred()[0]
    return call.other("sum", call.other("astype", found, dtype), axis=-1, dtype=dtype)


@_operation("roll")
def _roll(call: Call, x: Tensor, shift: Any, *, axis: Axis = None) -> Tensor:
    array = call.held(x)
    if axis is None:
        array = call.launcher.contiguous(array).reshaped((x.size,))
        shift, axis = (sum(shift) if isinstance(shift, (tuple, list)) else shift), 0
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,) * len(axes)
    if array.size:
        for some, along in zip(shifts, axes, strict=True):
            lead = [slice(None)] * (along % len(array.shape))
            places = (slice(-some % array.shape[along], None), slice(-some % array.shape[along]))
            parts = [array.indexed([*lead, place]) for place in places]
            array = call.launcher.joined(parts, along % len(array.shape))
    return call.made(call.launcher.copy(array).reshaped(x.shape), x.dtype)


@_operation("concat", "stack")
def _concat(call: Call, arrays: Sequence[Tensor], *, axis: int | None = 0) -> Tensor:
    dtype, shape = call.inferred()
    pieces = []
    for x in arrays:
        if x.dtype != dtype:
            call.check(dtype)
            array = call.launcher.convert(call.native(x), dtype.name)
        else:
            array = call.held(x)
        array = call.launcher.stored(array)
        if axis is None:
            array = call.launcher.contiguous(array).reshaped((x.size,))
        elif call.operation == "stack":
            array = array.indexed([*[slice(None)] * (axis % len(shape)), None])
        pieces.append(array)
    return call.made(call.launcher.joined(pieces, (axis or 0) % len(shape)), dtype)


@_operation("tile")
def _tile(call: Call, x: Tensor, repetitions: Sequence[int]) -> Tensor:
    ndim = max(len(repetitions), x.ndim)
    times = (1,) * (ndim - len(repetitions)) + tuple(repetitions)
    sizes = (1,) * (ndim - x.ndim) + x.shape
    array = call.launcher.contiguous(call.held(x))
    view = array.reshaped([n for size in sizes for n in (1, size)])
    view = view.broadcast([n for both in zip(times, sizes, strict=True) for n in both])
    shape = [n * size for n, size in zip(times, sizes, strict=True)]
    return call.made(call.launcher.copy(view).reshaped(shape), x.dtype)


@_operation("repeat")
def _repeat(call: Call, x: Tensor, repeats: Any, *, axis: int | None = None) -> Tensor:
    if not isinstance(repeats, int):
        raise call.lacking("for an array of repeats")
    array, shape = call.launcher.contiguous(call.held(x)), call.inferred()[1]
    if axis is None:
        array, axis = array.reshaped((x.size,)), 0
    sizes = array.shape
    axis %= len(sizes)
    view = array.reshaped((*sizes[: axis + 1], 1, *sizes[axis + 1 :]))
    view = view.broadcast((*sizes[: axis + 1], repeats, *sizes[axis + 1 :]))
    return call.made(call.launcher.copy(view).reshaped(shape), x.dtype)


# ---- elementwise


@_operation("clip")
def _clip(call: Call, x: Tensor, low: Any = None, high: Any = None, **bounds: Any) -> Tensor:
    dtype, shape = call.inferred()
    call.check(dtype)
    inputs, steps = [call.launcher.convert(call.native(x), dtype.name)], []
    for bound, name in ((bounds.get("min", low), "maximum"), (bounds.get("max", high), "minimum")):
        if bound is not None:
            given = isinstance(bound, Tensor)
            inputs.append(
                call.launcher.convert(call.native(bound), dtype.name)
                if given
                else call.constant(dtype.name, bound)
            )
            steps.append(name)
    found, program = 0, []
    for k, name in enumerate(steps):
        program.append(Step(name, dtype.name, dtype.name, (found, k + 1)))
        found = len(inputs) + k
    return call.made(call.launcher.compute(inputs, program, (found,), shape)[0], dtype)


# ---- reductions and scans


def _axes(axis: Axis, ndim: int) -> list[int]:
    if axis is None:
        return list(range(ndim))
    return [a % ndim for a in (axis if isinstance(axis, tuple) else (axis,))]


def _reduced(
    call: Call,
    operation: str,
    inputs: Sequence[Array],
    steps: Sequence[Step],
    shape: Sequence[int],
    axes: Sequence[int],
    keepdims: bool,
) -> Array:
    """Reduce over axes that are not empty, with the shape of the result."""
    inputs = [call.launcher.stored(inputs[0]), *inputs[1:]]
    out = call.launcher.reduce(operation, inputs, steps, shape, axes)
    return out.reshaped(_kept(shape, axes, keepdims))


def _kept(shape: Sequence[int], axes: Sequence[int], keepdims: bool) -> tuple[int, ...]:
    if keepdims:
        return tuple(1 if k in axes else size for k, size in enumerate(shape))
    return tuple(size for k, size in enumerate(shape) if k not in axes)


@_operation("sum", "prod", "all", "any", "count_nonzero", "max", "min", "argmax", "argmin")
def _reduce(
    call: Call, x: Tensor, *, axis: Axis = None, keepdims: bool = False, dtype: Any = None
) -> Tensor:
    name, axes = call.operation, _axes(axis, x.ndim)
    result, shape = call.inferred()
    array, source = call.native(x), x.dtype.name
    call.check(result)
    key = "uint64" if x.dtype.itemsize == 8 else "uint32"
    if name in ("sum", "prod"):
        steps = [Step("astype", source, result.name, (0,))]
        plain, identity = name, int(name == "prod")
    elif name in ("all", "any"):
        steps = [Step("astype", source, "bool", (0,))]
        plain, identity = ("min", 1) if name == "all" else ("max", 0)
    elif name == "count_nonzero":
        steps = [Step("astype", source, "bool", (0,)), Step("astype", "bool", result.name, (1,))]
        plain, identity = "sum", 0
    elif name in ("max", "min"):
        steps, plain, identity = [], name, 0
    else:
        steps = [Step("sort_key" if name == "argmax" else "inverse_sort_key", source, key, (0,))]
        plain, identity = "argmax", 0
    if not x.size:
        return call.made(call.launcher.full(result.name, shape, identity), result)
    out = _reduced(call, plain, [array], steps, x.shape, axes, keepdims)
    return call.made(call.launcher.convert(out, result.name), result)


@_operation("mean", "var", "std")
def _moment(
    call: Call, x: Tensor, *, axis: Axis = None, keepdims: bool = False, correction: float = 0.0
) -> Tensor:
    dtype, shape = call.inferred()
    call.check(dtype, x.dtype)
    axes, t = _axes(axis, x.ndim), dtype.name
    count = prod(x.shape[a] for a in axes)
    if not x.size or (call.operation != "mean" and count - correction <= 0):
        return call.other("full", shape, float("nan"), dtype=dtype)
    array = call.launcher.convert(call.held(x), t)
    total = _reduced(call, "sum", [array], (), x.shape, axes, True)
    mean = call.launcher.divide(total, count)
    if call.operation == "mean":
        return call.made(mean.reshaped(shape), dtype)
    steps = [Step("subtract", t, t, (0, 1)), Step("square", t, t, (2,))]
    total = _reduced(call, "sum", [array, mean], steps, x.shape, axes, keepdims)
    variance = call.made(call.launcher.divide(total, count - correction), dtype)
    return variance if call.operation == "var" else call.elementwise("sqrt", variance)


@_operation("cumulative_sum", "cumulative_prod")
def _scan(
    call: Call,
    x: Tensor,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Tensor:
    result, shape = call.inferred()
    call.check(result)
    launcher, name = call.launcher, call.operation.removeprefix("cumulative_")
    array = launcher.stored(launcher.convert(call.native(x), result.name))
    axis = (axis or 0) % max(x.ndim, 1)
    out = launcher.empty(result.name, shape)
    view = out
    if include_initial:
        lead = [slice(None)] * axis
        first = out.indexed([*lead, slice(1)])
        launcher.assign(first, call.constant(result.name, int(name == "prod")))
        view = out.indexed([*lead, slice(1, None)])
    launcher.scan(name, array, axis, view)
    return call.made(out, result)


# ---- searching and sorting


@_operation("take")
def _take(call: Call, x: Tensor, indices: Tensor, *, axis: int | None = None) -> Tensor:
    array, index = call.launcher.stored(call.held(x)), call.native(indices)
    axis = (axis or 0) % max(x.ndim, 1)
    size, stride = array.shape[axis], array.strides[axis]
    further = x.ndim - axis - 1
    view = array.strided(
        (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]),
        (*array.strides[:axis], *(0 for _ in indices.shape), *array.strides[axis + 1 :]),
    )
    index = call.launcher.stored(index).reshaped_with([1] * further)
    return call.made(
        call.launcher.gather(view, [Index(index, axis, size, stride)], call.operation), x.dtype
    )


@_operation("take_along_axis")
def _take_along_axis(call: Call, x: Tensor, indices: Tensor, *, axis: int = -1) -> Tensor:
    array, index, shape = call.held(x), call.native(indices), call.inferred()[1]
    axis %= x.ndim
    strides = [
        stride if size > 1 else 0 for size, stride in zip(x.shape, array.strides, strict=True)
    ]
    strides[axis] = 0
    view = array.strided(shape, strides)
    chosen = Index(index, axis, array.shape[axis], array.strides[axis])
    found = call.launcher.gather(view, [chosen], "take_along_axis")
    return call.made(found, x.dtype)


@_operation("nonzero")
def _nonzero(call: Call, x: Tensor) -> tuple[Tensor, ...]:
    array = call.native(x)
    call.check(np.int64)
    places = call.launcher.positions(array)
    return tuple(
        call.made(call.launcher.convert(found, "int64"), np.int64)
        for found in call.launcher.unraveled(places, x.shape)
    )


@_operation("sort", "argsort")
def _sort(
    call: Call, x: Tensor, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    array = call.native(x)
    dtype, _ = call.inferred()
    call.check(dtype)
    if x.ndim == 0 or not x.size:
        empty = call.launcher.copy(array) if call.operation == "sort" else None
        return call.made(empty or call.launcher.full(dtype.name, x.shape, 0), dtype)
    axis %= x.ndim
    rows = call.launcher.contiguous(array.moved_to_end(axis))
    order = call.launcher.order(rows, descending)
    if call.operation == "argsort":
        found = call.launcher.convert(order, dtype.name)
    else:
        first = rows.strided(rows.shape, (*rows.strides[:-1], 0))
        found = call.launcher.gather(first, [Index(order, x.ndim - 1, rows.shape[-1], 1)], None)
    back = list(range(x.ndim - 1))
    back.insert(axis, x.ndim - 1)
    return call.made(found.permuted(back), dtype)


@_operation("searchsorted")
def _searchsorted(
    call: Call, x1: Tensor, x2: Any, *, side: str = "left", sorter: Tensor | None = None
) -> Tensor:
    if sorter is not None:
        x1 = _take(call, x1, sorter, axis=0)
    common = np.result_type(x1.dtype, x2.dtype)
    call.check(common, np.int64)
    arrays = [call.launcher.convert(call.native(x), common.name) for x in (x1, x2)]
    found = call.launcher.search(arrays[0], arrays[1], side == "right")
    return call.made(call.launcher.convert(found, "int64"), np.int64)


class _Functions:
    """The standard's functions as `corepy.backend.corrections` calls them."""

    bool, int64 = np.dtype(np.bool_), np.dtype(np.int64)
    isdtype = staticmethod(np.isdtype)

    def __init__(self, call: Call) -> None:
        self._call = call

    def ones(self, shape: tuple[int, ...], *, dtype: Any, **_: Any) -> Tensor:
        """Return an array of ones."""
        return self._call.other("full", shape, 1, dtype=dtype)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def function(*inputs: Any, **params: Any) -> Any:
            params.pop("device", None)
            return self._call.other(name, *inputs, **params)

        return function


def _unique(function: Callable[..., Any]) -> Callable[..., Any]:
    def operation(call: Call, x: Tensor) -> Any:
        call.native(x)
        return function(_Functions(call), x)

    return operation


for _name, _function in unique_functions(sorted_unique).items():
    _operation(_name)(_unique(_function))


@_operation("isin")
def _isin(call: Call, x1: Any, x2: Any, *, invert: bool = False) -> Tensor:
    common = np.result_type(x1.dtype, x2.dtype)
    call.check(common, x1.dtype, x2.dtype)
    if not x2.size:
        return call.other("full", x1.shape, invert, dtype=np.dtype(np.bool_))
    x1, x2 = (call.other("astype", x, common, copy=False) for x in (x1, x2))
    values = call.other("sort", call.other("reshape", x2, (x2.size,)), axis=0)
    places = call.launcher.search(call.held(values), call.held(x1), False)
    last = call.constant("uint32", x2.size - 1)
    step = Step("minimum", "uint32", "uint32", (0, 1))
    (places,) = call.launcher.compute([places, last], [step], (2,), x1.shape)
    first = call.held(values).strided(x1.shape, [0] * x1.ndim)
    found = call.launcher.gather(first, [Index(places, 0, x2.size, 1)], None)
    name = "not_equal" if invert else "equal"
    return call.elementwise(name, x1, call.made(found, common))


# ---- products


@_operation("matmul", "linalg.matmul")
def _matmul(call: Call, x1: Tensor, x2: Tensor) -> Tensor:
    if broadcast([x1.shape[:-2], x2.shape[:-2]]) is None:
        raise ValueError(
            f"{call.operation}: stacks of shapes {x1.shape} and {x2.shape} do not broadcast"
        )
    dtype, shape = call.inferred()
    call.check(dtype)
    x, y = (call.launcher.convert(call.native(each), dtype.name) for each in (x1, x2))
    stack = shape[: len(shape) - (x1.ndim > 1) - (x2.ndim > 1)]
    if x1.ndim == 1:
        x = x.strided((1, *x.shape), (0, *x.strides))
    if x2.ndim == 1:
        y = y.reshaped_with([1])
    out = call.launcher.multiply(x, y, (*stack, x.shape[-2], y.shape[-1]))
    return call.made(out.reshaped(shape), dtype)


@_operation("tensordot", "linalg.tensordot")
def _tensordot(call: Call, x1: Any, x2: Any, *, axes: Any = 2) -> Tensor:
    dtype, shape = call.inferred()
    call.check(dtype)
    if isinstance(axes, int):
        axes = range(x1.ndim - axes, x1.ndim), range(axes)
    first, second = ([a % x.ndim for a in some] for x, some in zip((x1, x2), axes, strict=True))
    kept1 = [k for k in range(x1.ndim) if k not in first]
    kept2 = [k for k in range(x2.ndim) if k not in second]
    terms = prod(x1.shape[k] for k in first)
    x, y = (call.launcher.convert(call.native(each), dtype.name) for each in (x1, x2))
    x = call.launcher.contiguous(x.permuted([*kept1, *first])).reshaped(
        (prod(x1.shape[k] for k in kept1), terms)
    )
    y = call.launcher.contiguous(y.permuted([*second, *kept2])).reshaped(
        (terms, prod(x2.shape[k] for k in kept2))
    )
    out = call.launcher.multiply(x, y, (x.shape[0], y.shape[1]))
    return call.made(out.reshaped(shape), dtype)


@_operation("vecdot", "linalg.vecdot")
def _vecdot(call: Call, x1: Tensor, x2: Tensor, *, axis: int = -1) -> Tensor:
    dtype, shape = call.inferred()
    call.check(dtype)
    t = dtype.name
    arrays = [
        call.launcher.stored(call.launcher.convert(call.native(x), t)).moved_to_end(axis % x.ndim)
        for x in (x1, x2)
    ]
    space = (*shape, arrays[0].shape[-1])
    if not prod(space):
        return call.made(call.launcher.full(t, shape, 0), dtype)
    step = Step("multiply", t, t, (0, 1))
    return call.made(_reduced(call, "sum", arrays, [step], space, [len(shape)], False), dtype)


@_operation("linalg.outer")
def _outer(call: Call, x1: Any, x2: Any) -> Tensor:
    dtype, shape = call.inferred()
    call.check(dtype)
    x, y = (call.launcher.convert(call.native(each), dtype.name) for each in (x1, x2))
    step = Step("multiply", dtype.name, dtype.name, (0, 1))
    return call.made(
        call.launcher.compute([x.reshaped_with([1]), y], [step], (2,), shape)[0], dtype
    )
