"""Execution on backends written in Python: calls, results, and the next backend where one lacks
an operation.
"""

from __future__ import annotations

import inspect
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from corepy._cython.core import (
    Backend,
    Device,
    NamespaceBackend,
    Tensor,
    default_parameters,
    provide,
    to_device,
)
from corepy._cython.settings import setting
from corepy.backend._nested import leaves, mapped

#: Backends whose `execute` takes no parameters -> True; others -> False.
_takes_lists: weakref.WeakKeyDictionary[Backend, bool] = weakref.WeakKeyDictionary()

#: (backend, operation) of the warnings that were given.
_warned: set[tuple[str, str]] = set()


def compute(
    backend: Backend, operation: str, inputs: tuple, params: dict[str, Any], device: Device | None
) -> Any:
    """Compute an operation on a backend or, if it lacks the operation, on another one.

    Parameters
    ----------
    backend : Backend
        The backend of the inputs, or of `device`.
    operation : str
        The standard's name.
    inputs : tuple
        The positional arguments, which have been checked.
    params : dict
        The keyword arguments.
    device : Device or None
        The device of the result of a creation.
    """
    try:
        if not backend.supports(operation, _dtype_of(inputs, params)):
            raise NotImplementedError(f"{operation}: not supported by {backend!r}")
        if takes_lists(backend):
            return _compute_lists(backend, operation, inputs, params, device)
        if device is None:
            result = backend.execute(operation, inputs, params)
        else:
            result = backend.create(operation, inputs, params, device)
    except NotImplementedError as error:
        return _compute_elsewhere(backend, operation, inputs, params, device, error)
    _check_tensors(backend, operation, result)
    if setting("check_results"):
        _check_result(backend, operation, inputs, params, result)
    return result


def takes_lists(backend: Backend) -> bool:
    """Return whether ``execute(operation, inputs)`` of a backend takes no parameters, and lists."""
    found = _takes_lists.get(backend)
    if found is None:
        found = not isinstance(backend, NamespaceBackend) and _counts_two(backend.execute)
        _takes_lists[backend] = found
    return found


def _counts_two(execute: Any) -> bool:
    try:
        inspect.signature(execute).bind("add", (), {})
    except TypeError:
        return True
    except ValueError:  # a builtin without a signature
        return False
    return False


# ---- backends of lists


def _compute_lists(
    backend: Backend, operation: str, inputs: tuple, params: dict[str, Any], device: Device | None
) -> Any:
    defaults = default_parameters(operation)
    if defaults.get("axis") == -1:  # axes have been counted from 0
        defaults["axis"] = next(_tensors(inputs, params)).ndim - 1
    given = [
        name
        for name, value in params.items()
        if name not in defaults or not _is_same(value, defaults[name])
    ]
    if operation == "astype" or (given and given != ["copy"]):
        names = ", ".join(given)
        raise NotImplementedError(
            f"{operation}: {backend!r} takes no parameters, got {names or 'dtype'}"
        )
    result = backend.execute(operation, tuple(map(_listed, inputs)))
    if device is None:
        device = next(x.device for x in _tensors(inputs, params))
    expected = _inferred(operation, inputs, params)
    if isinstance(expected, list):
        parts = list(result) if isinstance(result, (tuple, list)) else None
        if parts is None or len(parts) != len(expected):
            raise _at_fault(
                backend, operation, f"{len(expected)} results", f"{type(result).__name__}"
            )
        made = [
            _made_of(backend, operation, part, one, device)
            for part, one in zip(parts, expected, strict=True)
        ]
        return made if isinstance(result, list) else tuple(made)
    return _made_of(backend, operation, result, expected, device)


def _is_same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


def _listed(value: Any) -> Any:
    """Return an input with nested lists instead of tensors."""
    if isinstance(value, Tensor):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [_listed(item) for item in value]
    return value


def _made_of(
    backend: Backend, operation: str, result: Any, expected: tuple, device: Device
) -> Tensor:
    """Return a result as a tensor of the inferred dtype, whose shape is checked."""
    dtype, shape = expected
    try:
        array = np.asarray(result)
        with np.errstate(all="ignore"):
            array = array.astype(dtype, copy=False)
    except (TypeError, ValueError) as error:
        raise _at_fault(backend, operation, f"numbers of dtype {dtype}", str(error)) from None
    if not fits(array.shape, shape):
        raise _at_fault(backend, operation, f"shape {_shown(shape)}", f"shape {array.shape}")
    return backend.from_numpy(array, device)


# ---- checks of results


def _inferred(operation: str, inputs: tuple, params: dict[str, Any]) -> Any:
    """Return (dtype, shape) of a result, or a list of them."""
    from corepy._cython.inference import infer

    found = infer(operation, inputs, params)
    return list(found) if isinstance(found[0], tuple) else found


def _check_tensors(backend: Backend, operation: str, result: Any) -> None:
    """Raise RuntimeError if a result is neither a tensor nor a sequence of tensors."""
    if isinstance(result, Tensor):
        return
    if not isinstance(result, (tuple, list)):
        raise _at_fault(backend, operation, "a Tensor", type(result).__name__)
    for part in result:
        if not isinstance(part, Tensor):
            raise _at_fault(backend, operation, "a sequence of tensors", type(part).__name__)


def _check_result(
    backend: Backend, operation: str, inputs: tuple, params: dict[str, Any], result: Any
) -> None:
    """Raise RuntimeError if a result has not the dtype and shape that follow from the operands."""
    expected = _inferred(operation, inputs, params)
    results = [result] if isinstance(result, Tensor) else list(result)
    listed = expected if isinstance(expected, list) else [expected]
    if len(results) != len(listed):
        raise _at_fault(backend, operation, f"{len(listed)} tensors", str(len(results)))
    for one, (dtype, shape) in zip(results, listed, strict=True):
        if one.dtype != dtype:
            raise _at_fault(backend, operation, f"dtype {dtype}", f"dtype {one.dtype}")
        if not fits(one.shape, shape):
            raise _at_fault(backend, operation, f"shape {_shown(shape)}", f"shape {one.shape}")


def fits(shape: tuple[int, ...], expected: tuple[int | None, ...] | None) -> bool:
    """Return whether a shape is the inferred one, in which sizes may be unknown."""
    if expected is None:
        return True
    return len(shape) == len(expected) and all(
        known is None or size == known for size, known in zip(shape, expected, strict=True)
    )


def _shown(shape: tuple[int | None, ...]) -> str:
    return str(tuple(shape))


def _at_fault(backend: Backend, operation: str, expected: str, got: str) -> RuntimeError:
    return RuntimeError(
        f"{operation}: backend {backend.name or type(backend).__name__!r} breaks its contract: "
        f"the result must be {expected}, got {got}"
    )


# ---- the next backend


def _compute_elsewhere(
    backend: Backend,
    operation: str,
    inputs: tuple,
    params: dict[str, Any],
    device: Device | None,
    reason: NotImplementedError,
) -> Any:
    """Compute an operation on the next backend that has it, and move the result back."""
    from corepy.backend.selection import backends_after

    text = str(reason).removeprefix(f"{operation}: ") or f"not supported by {backend!r}"
    failure = NotImplementedError(f"{operation}: {text}")
    if setting("fallback") == "error":
        raise failure from None
    home = device or next(x.device for x in _tensors(inputs, params))
    dtype = _dtype_of(inputs, params)
    for other in backends_after(backend):
        if not other.supports(operation, dtype):
            continue
        place = other.devices()[0]
        moved, keywords = _moved((inputs, params), place)
        try:
            if device is None:
                result = other.execute(operation, moved, keywords)
            else:
                result = other.create(operation, moved, keywords, place)
        except NotImplementedError:
            continue
        note_fallback(backend, operation, failure, other.name)
        return _moved(result, home)
    raise failure from None


def note_fallback(
    backend: Backend, operation: str, failure: NotImplementedError, other: str
) -> None:
    """Do what the setting ``fallback`` says of an operation that another backend computes: nothing,
    a warning at the first time, or the error `failure`.
    """
    policy = setting("fallback")
    if policy == "error":
        raise failure from None
    if policy == "warn" and (backend.name, operation) not in _warned:
        _warned.add((backend.name, operation))
        warnings.warn(
            f"{failure}; computed by backend {other!r} (corepy.set_config(fallback='silent') hides "
            "this warning, fallback='error' raises instead)",
            RuntimeWarning,
            stacklevel=4,
        )


def _moved(value: Any, device: Device) -> Any:
    return mapped(lambda x: to_device(x, device) if isinstance(x, Tensor) else x, value)


def _tensors(inputs: tuple, params: dict[str, Any]) -> Iterator[Tensor]:
    """Return the tensors among arguments."""
    return (value for value in leaves((inputs, params)) if isinstance(value, Tensor))


def _dtype_of(inputs: tuple, params: dict[str, Any]) -> np.dtype | None:
    """Return the dtype of the first tensor of an operation, or of a creation."""
    first = next(_tensors(inputs, params), None)
    return params.get("dtype") if first is None else first.dtype


provide(compute=compute)
