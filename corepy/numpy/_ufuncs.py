"""The arguments and methods of ufuncs, over functions of their operands alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import (
    ACCUMULATIONS,
    Tensor,
    can_accumulate,
    cpu,
    function_of,
    held,
    kind_of,
)
from corepy._cython.core import accumulate as _accumulated
from corepy._cython.cpu.beyond_standard import (
    add_at,
    add_reduceat,
    can_add_at,
    can_add_reduceat,
    reduce_all,
)
from corepy._cython.lazy.errors import errors
from corepy.numpy._arguments import (
    Array,
    Axes,
    BoolArray,
    DType,
    IntegerArray,
    Mask,
    Operand,
    stored,
    takes,
)

if TYPE_CHECKING:
    from corepy.numpy.dispatch import Function, Implementation, UFunc

_NoValue: Any = np._NoValue  # type: ignore[attr-defined]


def operation(name: str, native: Any) -> Callable[..., Any]:
    """Return an operation of the schema as a function of the operands of NumPy's ufunc."""
    compute = function_of(name)

    def unary(x: Array, /) -> Tensor:
        return compute(x)

    def binary(x1: Operand, x2: Operand, /) -> Tensor:
        return compute(x1, x2)

    return unary if native.nin == 1 else binary


def with_keywords(operation: Implementation, native: Any) -> Callable[..., Any]:
    """Return a function of the operands of a ufunc that takes a ufunc's other arguments.

    Parameters
    ----------
    operation : Implementation
        Computes results of new memory from the operands.
    native : numpy.ufunc
    """
    nin, nout = native.nin, native.nout

    def prepared(operands: Any, dtype: Any, casting: str) -> Any:
        if dtype is not None:
            operands = _cast(native, operands[:nin], dtype, casting)
        return None if operands is None else operation.arguments(*operands[:nin])

    def targets(operands: Any, out: Any) -> tuple[Any, ...]:
        out = None if out is _NoValue else out
        return operands[nin:] or (out if isinstance(out, tuple) else (out,))

    def condition(operands: Any, out: Any, dtype: Any, casting: str) -> bool:
        outs, given = targets(operands, out), out is not None and out is not _NoValue
        if len(operands) < nin or (len(operands) > nin and (given or nout > 1)):
            return False
        if (given and nout > 1) or len(outs) != 1:
            return False
        if outs[0] is not None and not isinstance(outs[0], Tensor):
            return False
        return prepared(operands, dtype, casting) is not None

    @takes(condition)
    def call(
        *operands: Any,
        out: Any = _NoValue,
        where: BoolArray | Literal[True] = True,
        casting: Literal["no", "equiv", "safe", "same_kind", "unsafe"] = "same_kind",
        order: Literal["K"] = "K",
        dtype: DType | None = None,
        subok: Literal[True] = True,
        signature: None = None,
    ) -> Any:
        arguments, _ = prepared(operands, dtype, casting)
        results = operation.compute(*arguments)
        (target,) = targets(operands, out)
        if target is not None:
            return stored(
                _fitted(native.__name__, results, target, casting), target, where, casting
            )
        if where is not True and out is _NoValue:
            warnings.warn(
                f"{native.__name__}: 'where' used without 'out': other elements are arbitrary; use "
                "out=None if that is intended", stacklevel=2,
            )  # fmt: skip
        return results  # where `where` is false, NumPy's are not initialised

    return call


def _fitted(name: str, result: Tensor, out: Tensor, casting: str) -> Tensor:
    """Return a result with the shape of `out`, to whose dtype it can be cast."""
    if not np.can_cast(result.dtype, out.dtype, casting):  # type: ignore[arg-type]
        raise TypeError(
            f"{name}: Cannot cast ufunc {name!r} output from {result.dtype} to {out.dtype} with "
            f"casting={casting!r}"
        )
    if result.shape == out.shape:
        return result
    sizes = zip(result.shape[::-1], out.shape[::-1], strict=False)
    if result.ndim > out.ndim or any(size not in (1, kept) for size, kept in sizes):
        raise ValueError(
            f"{name}: non-broadcastable output: out has shape {out.shape}, the result "
            f"{result.shape}"
        )
    return xp.broadcast_to(result, out.shape)


#: The kinds of dtypes that Python's scalars become.
_KINDS = {bool: "biufc", int: "iufc", float: "fc", complex: "c"}


def _cast(native: Any, operands: tuple[Any, ...], dtype: Any, casting: str) -> Any:
    """Return the operands in the dtype that a ufunc is asked to compute in; None if it cannot."""
    if dtype.char * native.nin not in _loops(native):
        return None  # comparisons, and operations that do not have the dtype
    given: tuple[Any, ...] = tuple(held(x) for x in operands)
    for x, operand in zip(given, operands, strict=True):
        if x is None:
            return None
        if x.dtype.kind == "c" and dtype.kind not in "cb":
            return None  # NumPy drops the imaginary part with a warning
        if type(operand) in _KINDS and casting != "unsafe":
            fits = dtype.kind in _KINDS[type(operand)]
        else:
            fits = np.can_cast(x.dtype, dtype, casting)  # type: ignore[arg-type]
        if not fits:
            return None
    return tuple(xp.astype(x, dtype, copy=False) for x in given)


def _loops(native: Any) -> list[str]:
    """Return the dtypes of the operands of a ufunc's loops whose results have the same dtype."""
    loops = [types.split("->") for types in native.types]
    return [left for left, right in loops if set(left) == set(right)]


# ---- methods

#: The reductions and scans that methods of ufuncs are.
_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
    "logical_or": "any",
}  # fmt: skip
_SCANS = {"add": "cumsum", "multiply": "cumprod"}
#: Those for which kernels have functions of their own, with the kinds of dtypes.
_FOLDS = {"bitwise_and": "iu", "bitwise_or": "iu", "bitwise_xor": "iu", "fmax": "f", "fmin": "f"}


def method(name: str, ufunc: UFunc, function: type[Function]) -> Callable[..., Any] | None:
    """Return Corepy's implementation of a ufunc's method, or None; a reduction or scan is that of
    a `function` of the drop-in.
    """
    operation = ufunc.native.__name__
    if name == "reduce" and operation in _FOLDS:
        return _fold(operation, _FOLDS[operation])
    if name == "reduce" and operation in _REDUCTIONS:
        return _reduce(_drop_in(_REDUCTIONS[operation], function))
    if name == "accumulate" and operation in ACCUMULATIONS:
        return _accumulate_extremes(operation)
    if name == "accumulate" and operation in _SCANS:
        return _accumulate(_drop_in(_SCANS[operation], function))
    if name == "outer" and ufunc.native.nin == 2:
        return _outer(ufunc)
    if operation == "add" and name == "at":
        return _add_at
    if operation == "add" and name == "reduceat":
        return _add_reduceat
    return None


@takes(
    lambda array, indices, axis: (
        axis in (0, -1) and errors() is None and can_add_reduceat(array, indices)
    )
)
def _add_reduceat(array: Array, indices: IntegerArray, axis: int = 0) -> Tensor:
    return add_reduceat(array, indices)


def _values(b: Any, a: Tensor) -> Tensor:
    return b if isinstance(b, Tensor) else xp.asarray(b, dtype=a.dtype, device=a.device)


@takes(
    lambda a, indices, b: (
        (isinstance(b, Tensor) or a.dtype.kind in _KINDS[type(b)])
        and can_add_at(a, indices, _values(b, a))
    )
)
def _add_at(a: Tensor, indices: IntegerArray, b: Operand, /) -> None:
    add_at(a, indices, _values(b, a))


def _fold(operation: str, kinds: str) -> Callable[..., Any]:
    @takes(
        lambda array, axis: (
            array.size > 0
            and kind_of(array) in kinds
            and array.device.backend is cpu
            and (axis is None or (array.ndim == 1 and axis in (0, -1)))
        )
    )
    def reduce(array: Array, axis: int | None = 0) -> Any:
        return reduce_all(operation, array)

    return reduce


def _drop_in(name: str, function: type[Function]) -> Function:
    return function(f"corepy.{name}", getattr(xp, name, None), getattr(np, name))


def _reduce(function: Function) -> Callable[..., Any]:
    plain: Any = function.standard
    real = plain in (xp.max, xp.min)

    def given(
        axis: Any, dtype: Any, out: Any, keepdims: bool, initial: Any, where: Any
    ) -> dict[str, Any]:
        others = {"dtype": (dtype, None), "out": (out, None), "initial": (initial, _NoValue),
                  "where": (where, True)}  # fmt: skip
        named = {key: value for key, (value, default) in others.items() if value is not default}
        return {"axis": axis, "keepdims": keepdims} | named

    def condition(
        array: Any, axis: Any, dtype: Any, out: Any, keepdims: bool, initial: Any, where: Any
    ) -> bool:
        if not array.ndim:
            return False
        if dtype is out is None and where is True and initial is _NoValue:
            return not real or (array.dtype.kind != "c" and array.size > 0)
        named = given(axis, dtype, out, keepdims, initial, where)
        return function.route(array, **named) is not None

    @takes(condition)
    def reduce(
        array: Array,
        axis: Axes = 0,
        dtype: DType | None = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        initial: Any = _NoValue,
        where: Mask = True,
    ) -> Any:
        if dtype is out is None and where is True and initial is _NoValue:
            return plain(array, axis=axis, keepdims=keepdims)
        return function(array, **given(axis, dtype, out, keepdims, initial, where))

    return reduce


def _accumulate_extremes(operation: str) -> Callable[..., Any]:
    @takes(lambda array: can_accumulate(operation, array))
    def accumulate(array: Array, axis: int = 0) -> Any:
        return _accumulated(operation, array, axis)

    return accumulate


def _accumulate(function: Function) -> Callable[..., Any]:
    @takes(lambda array: array.ndim > 0)
    def accumulate(
        array: Array, axis: int = 0, dtype: DType | None = None, out: None = None
    ) -> Any:
        return function(array, axis=axis, dtype=dtype)

    return accumulate


def _outer(ufunc: UFunc) -> Callable[..., Any]:
    def outer(A: Array, B: Array, /) -> Any:
        if A.ndim == B.ndim == 1:
            return ufunc(A[:, None], B)
        return ufunc(xp.reshape(A, A.shape + (1,) * B.ndim), B)

    return outer
