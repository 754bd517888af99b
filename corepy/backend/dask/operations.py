"""The operations: which of them are computed chunk by chunk, and which gather their operands."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Backend, Tensor
from corepy._cython.inference import infer
from corepy.backend.dask import graphs

Result = tuple[np.dtype, tuple[int, ...]]

_MATRIX = "a matrix in several chunks; stacks of matrices are computed in chunks of whole ones"
_WIDE = "a matrix in several chunks that is not tall; tall ones are computed by chunks of rows"
_AXIS = "an axis in several chunks, if there is no other axis to divide"

#: Operations that may need a whole operand in one task -> which operands.
GATHERED = {
    "setitem": "integer arrays as indices",
    "take_along_axis": _AXIS,
    "unique_all": "several chunks",
    "unique_counts": "several chunks of complex numbers",
    "unique_inverse": "several chunks",
    "unique_values": "several chunks of complex numbers",
    "argsort": "an axis in several chunks of an array with other axes, all of size 1",
    "sort": "an axis in several chunks of an array with other axes, all of size 1",
    **{f"fft.{name}": _AXIS for name in "fft hfft ifft ihfft irfft rfft".split()},
    **{
        f"linalg.{name}": _MATRIX
        for name in "cholesky det eig eigh eigvals eigvalsh inv slogdet solve".split()
    },
    "linalg.matrix_norm": f"{_WIDE}; orders 2, -2 and 'nuc' only",
    "linalg.matrix_rank": _WIDE,
    "linalg.pinv": _WIDE,
    "linalg.qr": f"{_WIDE}; also with mode='complete'",
    "linalg.svd": f"{_WIDE}, with full_matrices=False",
    "linalg.svdvals": _WIDE,
}

#: (operation, reason) of the warnings that were given.
_warned: set[tuple[str, str]] = set()


def warn(operation: str, what: str, nbytes: int, text: str) -> None:
    """Warn once of an operation that gathers or computes."""
    if (operation, what) in _warned:
        return
    _warned.add((operation, what))
    warnings.warn(f"{operation}: {nbytes:,} bytes {text}", RuntimeWarning, stacklevel=3)


def warn_gathered(operation: str, arrays: Sequence[da.Array]) -> None:
    """Warn that arrays of several chunks become one."""
    nbytes = sum(int(x.nbytes) for x in arrays if x.npartitions > 1)
    if nbytes:
        assert operation in GATHERED, operation
        warn(operation, "gather", nbytes, "are gathered in one task of Dask")


def warn_computed(operation: str, arrays: Sequence[da.Array]) -> None:
    """Warn that arrays are computed at the call."""
    nbytes = sum(int(x.nbytes) for x in arrays if graphs.known(x) is None)
    if nbytes:
        warn(
            operation,
            "compute",
            nbytes,
            "are computed now, because the size of the result depends on them",
        )


def elementwise(backend: Any, name: str, inputs: tuple[Any, ...]) -> Tensor:
    """Compute an elementwise operation of tensors and scalars."""
    dtype, _ = infer(name, inputs)
    natives = tuple(backend.unwrap(x) if isinstance(x, Tensor) else x for x in inputs)
    return backend._made(graphs.elementwise(name, natives, {}, dtype))


def execute(backend: Any, operation: str, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Make the tasks of an operation; its arguments have been checked."""
    from corepy.backend.dask.implementations import FUNCTIONS

    if operation not in FUNCTIONS:  # it has a method of the backend
        if has_tensors(inputs):
            return core.execute(operation, inputs, params)
        return core.create(operation, backend.device, inputs, params)
    found = infer(operation, inputs, params)
    several = not found or not isinstance(found[0], np.dtype)
    results: list[Result] = list(found) if several else [found]
    made = _natives(operation, _native(backend, inputs), _native(backend, params), results)
    tensors = [backend._made(x) for x in made]
    return tuple(tensors) if several else tensors[0]


def has_tensors(inputs: Any) -> bool:
    """Return whether there are tensors among arguments."""
    if isinstance(inputs, (tuple, list)):
        return any(map(has_tensors, inputs))
    return isinstance(inputs, Tensor)


def _native(backend: Backend, value: Any) -> Any:
    """Return arguments with arrays of Dask in the place of tensors."""
    if isinstance(value, Tensor):
        return backend.unwrap(value)
    if isinstance(value, (tuple, list)):
        return type(value)([_native(backend, item) for item in value])
    if isinstance(value, dict):
        return {name: _native(backend, item) for name, item in value.items()}
    return value


def arrays_in(value: Any) -> list[da.Array]:
    """Return the arrays among arguments."""
    if isinstance(value, da.Array):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [x for item in value for x in arrays_in(item)]
    return []


def _natives(
    operation: str, inputs: tuple[Any, ...], params: dict[str, Any], results: list[Result]
) -> list[da.Array]:
    from corepy.backend.dask.implementations import FUNCTIONS

    arrays = arrays_in((inputs, params))
    unknown = any(None in shape for _, shape in results)
    if arrays and not unknown and all(x.npartitions == 1 for x in arrays):
        nbytes = max(dtype.itemsize * math.prod(shape) for dtype, shape in results)
        if nbytes <= graphs.limit():
            return graphs.called(operation, inputs, params, results)
    made = FUNCTIONS[operation](results, *inputs, **params)
    return list(made) if isinstance(made, (tuple, list)) else [made]
