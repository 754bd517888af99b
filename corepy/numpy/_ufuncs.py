"""The arguments and methods of ufuncs, over functions of their operands alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import ACCUMULATIONS, Tensor, write_where
from corepy._cython.core import accumulate as _accumulated
from corepy._cython.cpu.counting import add_at, add_reduceat
from corepy._cython.cpu.further import reduce_all
from corepy._cython.forward import Forward, UFunc
from corepy.numpy._arguments import pair, tensor, tensors


def with_keywords(function: Callable[..., Any], native: Any) -> Callable[..., Any]:
    """Return a function of the operands of a ufunc that takes a ufunc's other arguments.

    Parameters
    ----------
    function : callable
        Computes results of new memory from the operands.
    native : numpy.ufunc
    """
    nin, nout = native.nin, native.nout

    def call(
        *operands: Any,
        out: Any = None,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
        signature: Any = None,
    ) -> Any:
        if len(operands) > nin:
            if out is not None:
                raise Forward
            operands, out = operands[:nin], operands[nin:]
        outs = out if isinstance(out, tuple) else (out,) * nout
        plain = signature is None and order == "K" and subok is True
        if not plain or len(operands) != nin or len(outs) != nout or (nout > 1 and out is not None):
            raise Forward
        if dtype is not None:
            operands = _cast(native, operands, dtype, casting)
        results = function(*operands)
        if out is None:
            return results  # where `where` is false, NumPy's are not initialised
        return _write(results, outs[0], where, casting)

    return call


#: The kinds of dtypes that Python's scalars become.
_KINDS = {bool: "biufc", int: "iufc", float: "fc", complex: "c"}


def _cast(native: Any, operands: tuple[Any, ...], dtype: Any, casting: str) -> tuple[Any, ...]:
    """Return the operands in the dtype that a ufunc is asked to compute in."""
    dtype = np.dtype(dtype)
    loop = native.resolve_dtypes((dtype,) * native.nin + (None,) * native.nout)
    if any(other != dtype for other in loop):
        raise Forward  # comparisons, and operations that do not have the dtype
    given = tensors(*operands)
    for x, operand in zip(given, operands, strict=True):
        if type(operand) in _KINDS and casting != "unsafe":
            fits = dtype.kind in _KINDS[type(operand)]
        else:
            fits = np.can_cast(x.dtype, dtype, casting)  # type: ignore[arg-type]
        if not fits:
            raise Forward
    return tuple(xp.astype(x, dtype, copy=False) for x in given)


def _write(result: Tensor, out: Any, where: Any, casting: str) -> Any:
    """Write a result to `out`, where `where` is true."""
    if not isinstance(out, Tensor):
        raise Forward
    if result.dtype != out.dtype:
        if not np.can_cast(result.dtype, out.dtype, casting):  # type: ignore[arg-type]
            raise Forward
        result = xp.astype(result, out.dtype)
    if where is not True:
        condition = tensor(where, out)
        if condition.dtype != xp.bool:
            raise Forward
        if write_where(out, condition, result):
            return out
        result = xp.where(condition, result, out)
    if result.shape != out.shape and xp.broadcast_shapes(result.shape, out.shape) != out.shape:
        raise Forward
    out[...] = result
    return out


# ---- methods

#: The reductions and scans that methods of ufuncs are.
_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
    "logical_or": "any",
}  # fmt: skip
_SCANS = {"add": "cumsum", "multiply": "cumprod"}
#: Those for which kernels have functions of their own.
_FOLDS = {"bitwise_and", "bitwise_or", "bitwise_xor", "fmax", "fmin"}


def method(name: str, ufunc: UFunc) -> Callable[..., Any] | None:
    """Return Corepy's implementation of a ufunc's method, or None."""
    operation = ufunc.native.__name__
    if name == "reduce":
        return _fold(operation) if operation in _FOLDS else _reduce(_REDUCTIONS.get(operation))
    if name == "accumulate":
        if operation in ACCUMULATIONS:
            return partial(_accumulated, operation)
        return _accumulate(_SCANS.get(operation))
    if name == "outer" and ufunc.native.nin == 2:
        return _outer(ufunc)
    if operation == "add":
        adding: dict[str, Callable[..., Any]] = {"at": _add_at, "reduceat": _add_reduceat}
        return adding.get(name)
    return None


def _add_reduceat(array: Any, indices: Any, axis: int = 0) -> Tensor:
    x = tensor(array)
    where = tensor(indices, x)
    result = add_reduceat(x, where) if axis in (0, -1) else None
    if result is None:
        raise Forward
    return result


def _fold(operation: str) -> Callable[..., Any]:
    def reduce(array: Any, axis: Any = 0) -> Any:
        x = tensor(array)
        if axis is not None and (x.ndim != 1 or axis not in (0, -1)):
            raise Forward
        result = reduce_all(operation, x)
        if result is None:
            raise Forward
        return result

    return reduce


def _add_at(a: Any, indices: Any, b: Any, /) -> None:
    if not isinstance(a, Tensor):
        raise Forward
    if not isinstance(b, Tensor):
        if type(b) not in _KINDS or a.dtype.kind not in _KINDS[type(b)]:
            raise Forward
        b = xp.asarray(b, dtype=a.dtype, device=a.device)
    if not add_at(a, tensor(indices, a), b):
        raise Forward


def _reduce(name: str | None) -> Callable[..., Any] | None:
    if name is None:
        return None
    import corepy

    function = getattr(corepy, name)
    plain = getattr(xp, name)

    def reduce(
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = np._NoValue,  # type: ignore[attr-defined]
        where: Any = True,
    ) -> Any:
        if (
            isinstance(array, Tensor)
            and array.ndim
            and dtype is out is None
            and where is True
            and initial is np._NoValue  # type: ignore[attr-defined]
        ):
            return plain(array, axis=axis, keepdims=keepdims)
        named = {"axis": axis, "keepdims": keepdims}
        if dtype is not None:
            if name not in ("sum", "prod"):
                raise Forward
            named["dtype"] = dtype
        if out is not None:
            named["out"] = out
        if initial is not np._NoValue:  # type: ignore[attr-defined]
            if name in ("all", "any"):
                raise Forward
            named["initial"] = initial
        if where is not True:
            named["where"] = where
        x = tensor(array)
        if isinstance(axis, int) and x.ndim == 0:
            raise Forward
        return function(x, **named)

    return reduce


def _accumulate(name: str | None) -> Callable[..., Any] | None:
    if name is None:
        return None
    import corepy

    function = getattr(corepy, name)

    def accumulate(array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        x = tensor(array)
        if x.ndim == 0 or out is not None:
            raise Forward
        return function(x, axis=axis, dtype=dtype)

    return accumulate


def _outer(ufunc: UFunc) -> Callable[..., Any]:
    def outer(A: Any, B: Any, /) -> Any:
        a, b = pair(A, B)
        if a.ndim == b.ndim == 1:
            return ufunc(a[:, None], b)
        return ufunc(xp.reshape(a, a.shape + (1,) * b.ndim), b)

    return outer
